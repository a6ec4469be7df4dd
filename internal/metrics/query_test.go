package metrics

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/testkit"
)

// newQuery returns memory for the metrics of a list of names.
func newQuery(t *testing.T, list string, policy Policy) *Query {
	t.Helper()
	var metrics []Metric
	for _, name := range Split(list) {
		m, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		metrics = append(metrics, m)
	}
	p, err := NewPlan(metrics, policy)
	if err != nil {
		t.Fatal(err)
	}
	return p.NewQuery()
}

// scoreKinds are lists that are hard on something: thresholds, partitions, buffers, float32.
var scoreKinds = map[string]func(rng *rand.Rand, i, n int) float64{
	"random":     func(rng *rand.Rand, i, n int) float64 { return float64(rng.Float32()) },
	"ascending":  func(rng *rand.Rand, i, n int) float64 { return float64(i) },
	"descending": func(rng *rand.Rand, i, n int) float64 { return float64(-i) },
	"constant":   func(rng *rand.Rand, i, n int) float64 { return 3 },
	"two values": func(rng *rand.Rand, i, n int) float64 { return float64(rng.IntN(2)) },
	"few values": func(rng *rand.Rand, i, n int) float64 { return float64(rng.IntN(50)) },
	"zeros":      func(rng *rand.Rand, i, n int) float64 { return math.Copysign(0, float64(rng.IntN(2))-.5) },
	"one lane":   func(rng *rand.Rand, i, n int) float64 { return float64(i%16/15*n) + float64(rng.Float32()) },
	"nine lanes": func(rng *rand.Rand, i, n int) float64 { return float64(i%16/7*i) + float64(rng.Float32()) },
	"infinities": func(rng *rand.Rand, i,
		n int) float64 {
		return []float64{math.Inf(-1), 0, math.Inf(1)}[rng.IntN(3)]
	},
	"mostly −Inf": func(rng *rand.Rand, i,
		n int) float64 {
		return []float64{math.Inf(-1), 1}[max(0, rng.IntN(40)-38)]
	},
	"float64":        func(rng *rand.Rand, i, n int) float64 { return rng.NormFloat64() },
	"beyond float32": func(rng *rand.Rand, i, n int) float64 { return 1 + float64(rng.IntN(99))*0x1p-40 },
	"float32's limit": func(rng *rand.Rand, i,
		n int) float64 {
		return math.Ldexp(rng.NormFloat64(), rng.IntN(600)-300)
	},
	"NaN": func(rng *rand.Rand, i,
		n int) float64 {
		return []float64{math.NaN(), 1, 2, float64(i)}[rng.IntN(4)]
	},
}

// specRanking ranks the documents of a list by these scores: a plain stable sort.
func specRanking(l *List, scores []float64, ties Ties) []int {
	docs := make([]int, len(scores))
	for i := range docs {
		docs[i] = i
	}
	slices.SortStableFunc(docs, func(a, b int) int {
		if c := cmp.Compare(scores[b], scores[a]); c != 0 {
			return c
		}
		switch ties {
		case TiesPessimistic:
			return cmp.Compare(l.Labels[a], l.Labels[b])
		case TiesOptimistic:
			return cmp.Compare(l.Labels[b], l.Labels[a])
		case TiesByKey:
			return cmp.Compare(l.TieKeys[b], l.TieKeys[a])
		}
		return 0
	})
	return docs
}

// The order of the documents is that of a plain stable sort, whichever way it is found, on every
// tier.
func TestRankingOrder(t *testing.T) {
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			for name, kind := range scoreKinds {
				for _, n := range []int{0, 1, 2, 17, 47, 48, 120, 300, 1500, 6000, 20_000} {
					if n > 6000 && name != "random" && name != "few values" && name != "nine lanes" {
						continue
					}
					if testkit.Race && n > 1500 {
						continue // all is done by one goroutine
					}
					rng := rand.New(rand.NewPCG(uint64(n), 5))
					l := List{Labels: make([]float64, n), Scores: make([]float64, n), TieKeys: make([]int64, n)}
					for i := range n {
						l.Labels[i] = float64(rng.IntN(5))
						l.Scores[i] = kind(rng, i, n)
						l.TieKeys[i] = int64(rng.IntN(4))
					}
					for _, ties := range []Ties{TiesStable, TiesPessimistic, TiesOptimistic, TiesByKey} {
						want := specRanking(&l, l.Scores, ties)
						for _, metrics := range []string{"ndcg@16", "map"} {
							q := newQuery(t, metrics, Policy{Ties: ties, NaNLast: true})
							if _, err := q.Values(nil, &l); err != nil {
								t.Fatal(err)
							}
							if q.ordered.gained {
								for rank, doc := range want {
									if got := q.ordered.gains[rank]; got != math.Exp2(l.Labels[doc])-1 {
										t.Fatalf("%s, n = %d, %s: rank %d gains %v, want that of document %d", name, n,
											metrics, rank+1, got, doc)
									}
								}
								continue
							}
							got := q.ordered.keys
							if len(got) < min(n, 16) || metrics == "map" && len(got) != n {
								t.Fatalf("%s, n = %d, %s, ties %d: %d ranks", name, n, metrics, ties, len(got))
							}
							for rank, key := range got {
								doc := order.KeyIndex(key)
								if q.ordered.gradeInKey {
									doc >>= 8
								}
								if doc != want[rank] {
									t.Fatalf("%s, n = %d, %s, ties %d: rank %d has document %d, want %d", name, n,
										metrics, ties, rank+1, doc, want[rank])
								}
							}
						}
					}
				}
			}
			restore()
		})
	}
}

// A query has the same values, to the bit, however it is handed over and whatever else is
// asked for in the same pass, on every tier.
func TestEvalWays(t *testing.T) {
	ctx := "dcg@10,ndcg@3,ndcg@10"
	for name, kind := range scoreKinds {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 13, 120, 1000, 9000} {
				rng := rand.New(rand.NewPCG(uint64(n), 6))
				l := List{Labels: make([]float64, n), Scores: make([]float64, n)}
				grades, scores := make([]uint8, n), make([]float32, n)
				for i := range n {
					l.Labels[i], l.Scores[i] = float64(rng.IntN(5)), float64(float32(kind(rng, i, n)))
					if n == 1000 && rng.IntN(3) == 0 {
						l.Labels[i] = float64(rng.IntN(60)) // more grades than are counted together
					}
					grades[i], scores[i] = uint8(l.Labels[i]), float32(l.Scores[i])
				}
				var want []float64
				for _, tier := range cpu.Available() {
					restore := cpu.Force(tier)
					for _, way := range []string{"alone", "grades", "with others", "labels that are no grades"} {
						metrics, list := ctx, l
						switch way {
						case "with others":
							metrics += ",map,tau-b"
						case "labels that are no grades":
							if countAbove(l.Labels) < 10 {
								continue
							}
							// which leaves the best 10 of the ideal alone
							list.Unretrieved = []float64{0.5}
						}
						q := newQuery(t, metrics, Policy{NaNLast: true})
						got, err := q.Values(nil, &list)
						if way == "grades" {
							got, err = q.ValuesOfGrades(nil, grades, scores)
						}
						if err != nil {
							t.Fatal(err)
						}
						got = got[:3]
						if want == nil {
							want = got
						}
						if fmt.Sprint(got) != fmt.Sprint(want) {
							t.Fatalf("%v: %s, n = %d, %s: %v, want %v", tier, name, n, way, got, want)
						}
					}
					restore()
				}
			}
		})
	}
}

func countAbove(labels []float64) (n int) {
	for _, l := range labels {
		if l >= 1 {
			n++
		}
	}
	return n
}

// Each policy about ties gives the order that it names.
func TestTiesOrder(t *testing.T) {
	l := List{Labels: []float64{0, 2, 1, 0, 1}, Scores: []float64{1, 1, 1, 0, math.Copysign(0, -1)},
		TieKeys: []int64{1, 3, 2, 5, 9}}
	for ties, want := range map[Ties][]float64{
		TiesStable:      {0, 2, 1, 0, 1},
		TiesPessimistic: {0, 1, 2, 0, 1},
		TiesOptimistic:  {2, 1, 0, 1, 0},
		TiesByKey:       {2, 1, 0, 1, 0},
	} {
		t.Run(fmt.Sprint(ties), func(t *testing.T) {
			q := newQuery(t, "ndcg,map", Policy{Ties: ties})
			if _, err := q.Values(nil, &l); err != nil {
				t.Fatal(err)
			}
			if got := q.ordered.labels; !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// Ties of one query change what is tried on the next, and no value.
func TestEvalAfterTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			for _, metrics := range []string{"ndcg@10", "ndcg", "dcg@3,ndcg@5"} {
				t.Run(metrics, func(t *testing.T) {
					q := newQuery(t, metrics, Policy{})
					for _, n := range []int{30, 120, 200} {
						for _, values := range []int{1 << 20, 9, 9, 1 << 20, 1 << 20, 1, 2} {
							l := List{Labels: make([]float64, n), Scores: make([]float64, n)}
							for i := range n {
								l.Labels[i], l.Scores[i] = float64(rng.IntN(5)), float64(i+rng.IntN(n)*n)
								if values < n {
									l.Scores[i] = float64(rng.IntN(values))
								}
							}
							want, err := newQuery(t, metrics, Policy{}).Values(nil, &l)
							if err != nil {
								t.Fatal(err)
							}
							got, err := q.Values(nil, &l)
							if err != nil || !slices.Equal(got, want) {
								t.Fatalf("%s, n = %d, %d values: %v, %v, want %v", metrics, n, values, got, err, want)
							}
						}
					}
				})
			}
			restore()
		})
	}
}
