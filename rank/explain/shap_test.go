package explain

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func randomModel(rng *rand.Rand, s testkit.Shape) *lambdamart.Model {
	m := &lambdamart.Model{NumFeatures: s.Features, Bias: rng.Float64(), Trees: make([]lambdamart.Tree, s.Trees)}
	for i := range m.Trees {
		m.Trees[i] = lambdamart.Tree(testkit.RandomTree(rng, s))
	}
	return m
}

// expected returns the score if only the features of a set are known, by the definition.
func expected(m *lambdamart.Model, x []float32, known uint) float64 {
	sum := m.Bias
	for i := range m.Trees {
		t := &m.Trees[i]
		left, _ := shares(t)
		var value func(node int32) float64
		value = func(node int32) float64 {
			switch {
			case node < 0:
				return t.Leaf[^node]
			case known>>t.Feature[node]&1 != 0 && t.GoesLeft(int(node), x[t.Feature[node]]):
				return value(t.Left[node])
			case known>>t.Feature[node]&1 != 0:
				return value(t.Right[node])
			}
			return left[node]*value(t.Left[node]) + (1-left[node])*value(t.Right[node])
		}
		if len(t.Feature) > 0 {
			sum += value(0)
		} else {
			sum += t.Leaf[0]
		}
	}
	return sum
}

// shapley returns the contributions by the definition, over all sets of features.
func shapley(m *lambdamart.Model, x []float32) []float64 {
	n := m.NumFeatures
	factorial := func(k int) float64 {
		f := 1.0
		for i := 2; i <= k; i++ {
			f *= float64(i)
		}
		return f
	}
	phi := make([]float64, n+1)
	for set := range uint(1) << n {
		for j := range n {
			if set>>j&1 == 0 {
				k := bits.OnesCount(set)
				phi[j] += factorial(k) * factorial(n-k-1) / factorial(n) * (expected(m, x, set|1<<j) - expected(m, x,
					set))
			}
		}
	}
	phi[n] = expected(m, x, 0)
	return phi
}

func contributions(t *testing.T, m rank.Model, d *rank.Dataset) []float64 {
	t.Helper()
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, d.Rows()*(m.Features()+1))
	calls := testkit.NewProgress(t)
	e.Threads, e.Progress = 8, calls.Report
	if err := e.ContributionsInto(t.Context(), dst, d); err != nil {
		t.Fatal(err)
	}
	calls.Check(int64(min(1, d.Rows())))
	return dst
}

func TestContributions(t *testing.T) {
	for name, s := range map[string]testkit.Shape{
		"few features": {Features: 2, Trees: 3, Leaves: 8, Missing: true, Zero: true, Categories: true},
		"features":     {Features: 6, Trees: 4, Leaves: 12, Missing: true, Zero: true, Categories: true},
		"deep":         {Features: 9, Trees: 3, Leaves: 40, Missing: true, Zero: true, Categories: true},
		"stumps":       {Features: 5, Trees: 7, Leaves: 2},
		"leaves":       {Features: 2, Trees: 2, Leaves: 1},
		"no trees":     {Features: 2, Leaves: 1},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 12))
			m := randomModel(rng, s)
			rows := 20
			if s.Features > 6 {
				rows = 2 // the definition sums over all sets of features
			}
			d := synth.TreeRows(rng, rows, s.Features)
			for _, what := range []string{"counts", "weights", "leaves that no row reaches"} {
				t.Run(what, func(t *testing.T) {
					switch what {
					case "weights":
						for i := range m.Trees {
							m.Trees[i].Count, m.Trees[i].LeafCount = nil, nil
						}
					case "leaves that no row reaches":
						for i := range m.Trees {
							for l := range m.Trees[i].LeafWeight {
								if rng.IntN(3) == 0 {
									m.Trees[i].LeafWeight[l] = 0
								}
							}
							(*testkit.Tree)(&m.Trees[i]).SumLeaves()
						}
					}
					got := contributions(t, m, d)
					for i := range d.Rows() {
						want := shapley(m, d.Row(i))
						sum := 0.0
						for j, w := range want {
							g := got[i*(m.NumFeatures+1)+j]
							if sum += g; !(math.Abs(g-w) < 1e-12) {
								t.Errorf("row %d, feature %d: %v, want %v", i, j, g, w)
							}
						}
						if score := m.Score(d.Row(i)); math.Abs(sum-score) > 1e-12 {
							t.Errorf("row %d: the sum is %v, the score %v", i, sum, score)
						}
					}
				})
			}
		})
	}
}

func TestContributionsThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	m := randomModel(rng, testkit.Shape{Features: 30, Trees: 10, Leaves: 31,
		Missing: true, Zero: true, Categories: true})
	d := synth.TreeRows(rng, 100, 28)
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	want := contributions(t, m, d)
	hash := fnv.New64a()
	binary.Write(hash, binary.LittleEndian, want)
	if got, want := hash.Sum64(), uint64(0x5ea6db39e8e9d578); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
	narrow := contributions(t, m, d.WithColumns(5))
	for _, e.Threads = range []int{1, 3} {
		t.Run(fmt.Sprint(e.Threads), func(t *testing.T) {
			for _, c := range []struct {
				d    *rank.Dataset
				want []float64
			}{{d, want}, {d.ToSparse(), want}, {d.ToSparse().WithColumns(5), narrow}} {
				got := make([]float64, len(want))
				if err := e.ContributionsInto(t.Context(), got, c.d); err != nil || !slices.Equal(got, c.want) {
					t.Errorf("other contributions, or %v", err)
				}
			}
		})
	}
	if err := e.ContributionsInto(t.Context(), want[1:], d); err == nil {
		t.Error("too few places: no error")
	}
	m.Trees[3].Count, m.Trees[3].Weight = nil, nil
	if _, err := New(m); err == nil || !strings.HasPrefix(err.Error(), "explain: tree 3: contributions require") {
		t.Errorf("neither counts nor weights: %v", err)
	}
	m.NumFeatures = 2
	if _, err := New(m); err == nil || !strings.HasPrefix(err.Error(), "explain: tree 0: split ") {
		t.Errorf("features that the model lacks: %v", err)
	}
}

// TestContributionsLong explains trees whose paths use so many features that their sets cannot be
// enumerated.
func TestContributionsLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	m := randomModel(rng, testkit.Shape{Features: 80, Trees: 3, Leaves: 120,
		Missing: true, Zero: true, Categories: true})
	chain := lambdamart.Tree{Leaf: []float64{1}, LeafCount: []int64{1}}
	for s := range int32(70) { // a split of every feature on one path
		chain.Feature, chain.Threshold = append(chain.Feature, s), append(chain.Threshold, 0)
		chain.Left, chain.Right = append(chain.Left, ^s), append(chain.Right, s+1)
		chain.Count = append(chain.Count, int64(71-s))
		chain.Leaf, chain.LeafCount = append(chain.Leaf, float64(s%7)), append(chain.LeafCount, 1)
	}
	chain.Right[69] = ^70
	m.Trees = append(m.Trees, chain)
	d := synth.TreeRows(rng, 20, 80)
	got := contributions(t, m, d)
	for i := range d.Rows() {
		sum := 0.0
		for _, v := range got[i*81:][:81] {
			sum += v
		}
		if score := m.Score(d.Row(i)); math.Abs(sum-score) > 1e-11 {
			t.Errorf("row %d: the sum is %v, the score %v", i, sum, score)
		}
	}
}

// chain returns a tree with one path, on which the first three features are used twice.
func chain(splits int32) *lambdamart.Model {
	t := lambdamart.Tree{}
	for s := range splits {
		t.Feature, t.Threshold = append(t.Feature, s%(splits-3)), append(t.Threshold, float32(s%3))
		t.Left, t.Right = append(t.Left, ^s), append(t.Right, s+1)
		t.Count, t.LeafCount = append(t.Count, int64(splits+1-s)), append(t.LeafCount, 1)
		t.Leaf = append(t.Leaf, float64(s*7%11))
	}
	t.Right[splits-1] = ^splits
	t.Leaf, t.LeafCount = append(t.Leaf, 3), append(t.LeafCount, 1)
	return &lambdamart.Model{NumFeatures: int(splits), Trees: []lambdamart.Tree{t}}
}

// The points of deep trees are processed in several parts, with bit-identical results.
func TestContributionsDeep(t *testing.T) {
	for splits, want := range map[int32]uint64{100: 0xb331d765645c30aa, 1000: 0x351d643a9131640e} {
		t.Run(fmt.Sprint(splits), func(t *testing.T) {
			d := rank.NewDataset(2, int(splits))
			for i := range d.X {
				d.X[i] = float32(i % 5)
			}
			hash := fnv.New64a()
			binary.Write(hash, binary.LittleEndian, contributions(t, chain(splits), d))
			if got := hash.Sum64(); got != want {
				t.Errorf("hash %#x, want %#x", got, want)
			}
		})
	}
}

// A canceled context ends the explanation of a tree that would take minutes.
func TestContributionsEnd(t *testing.T) {
	const splits = 100_000
	e, err := New(chain(splits))
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{1, 20} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			ctx := testkit.EndAfter(t.Context(), 20)
			d := rank.NewDataset(rows, splits)
			err := e.ContributionsInto(ctx, make([]float64, rows*(splits+1)), d)
			if asked := ctx.Asked.Load(); err != context.Canceled || asked > 40 {
				t.Errorf("%v, asked %d times", err, asked)
			}
		})
	}
}

// Compares with XGBoost's own contributions, whose sums are float32.
func TestContributionsGolden(t *testing.T) {
	const folder = "../model/testdata/xgboost/"
	var rows [][]float32
	for _, row := range testkit.ReadNumbers(t, folder+"rows.txt") {
		x := make([]float32, len(row))
		for j, v := range row {
			x[j] = float32(v)
		}
		rows = append(rows, x)
	}
	for _, name := range []string{"ndcg.json", "lossguide.json", "categories.json", "categories.ubj", "dart.json",
		"forest.json"} {
		t.Run(name, func(t *testing.T) {
			m, err := model.Load(folder + name)
			if err != nil {
				t.Fatal(err)
			}
			got := contributions(t, m, synth.Table(rows...).WithColumns(m.Features()))
			for i, want := range testkit.ReadNumbers(t, folder+strings.Split(name, ".")[0]+".txt") {
				for j, w := range want[1:] {
					if g := got[i*(m.Features()+1)+j]; math.Abs(g-w) > 1e-6 {
						t.Errorf("row %d, feature %d: %v, want %v", i, j, g, w)
					}
				}
			}
		})
	}
}

// TestQuadrature integrates powers, and pins the bits.
func TestQuadrature(t *testing.T) {
	hash := fnv.New64a()
	for _, n := range []int{2, 4, 6, 12, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			q, err := newQuadrature(t.Context(), 1, n)
			if err != nil {
				t.Fatal(err)
			}
			for power := range 2 * n {
				sum := 0.0
				for i, x := range q.at {
					sum += float64(q.weights[i] * math.Pow(x, float64(power)))
				}
				if want := 1 / float64(power+1); math.Abs(sum-want) > 1e-14 {
					t.Errorf("the integral of x^%d is %v, want %v", power, sum, want)
				}
			}
			for _, v := range slices.Concat(q.at, q.weights) {
				binary.Write(hash, binary.LittleEndian, v)
			}
		})
	}
	if got, want := hash.Sum64(), uint64(0x744fe0f7c02ad263); got != want {
		t.Errorf("hash %#x, want %#x", got, want)
	}
}
