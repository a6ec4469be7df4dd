package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// randomTrees returns a tree model.
func randomTrees(rng *rand.Rand, s testkit.Shape) *lambdamart.Model {
	m := &lambdamart.Model{NumFeatures: s.Features, Bias: rng.NormFloat64()}
	for range s.Trees {
		m.Trees = append(m.Trees, lambdamart.Tree(testkit.RandomTree(rng, s)))
	}
	return m
}

// randomLinear returns a linear model.
func randomLinear(rng *rand.Rand, features int) *rank.Linear {
	m := &rank.Linear{Weights: make([]float64, features), Intercept: rng.NormFloat64()}
	for j := range m.Weights {
		m.Weights[j] = rng.NormFloat64()
	}
	return m
}

// A foreign model has a type that New does not know.
type foreign struct{ rank.Model }

// randomModels returns models of all types and shapes.
func randomModels(t *testing.T) map[string]rank.Model {
	models := map[string]rank.Model{}
	for name, s := range testkit.Shapes {
		rng := rand.New(rand.NewPCG(3, uint64(s.Leaves)))
		models[name] = randomTrees(rng, s)
		models["linear, as wide as "+name] = randomLinear(rng, s.Features)
	}
	models["scorer"] = testkit.Must(models["missing"].(*lambdamart.Model).Scorer())
	models["foreign"] = foreign{models["linear, as wide as zero"]}
	return models
}

func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestScores compares all scores of a Ranker with the scores of its model.
func TestScores(t *testing.T) {
	for name, m := range randomModels(t) {
		t.Run(name, func(t *testing.T) {
			n := m.Features()
			for _, tier := range cpu.Available() {
				t.Run(tier.String(), func(t *testing.T) {
					defer cpu.Force(tier)()
					r, err := New(m)
					if err != nil || r.Features() != n {
						t.Fatal(err)
					}
					rng := rand.New(rand.NewPCG(1, uint64(n)))
					for _, rows := range []int{0, 1, 7, 70, 300} {
						t.Run(fmt.Sprint(rows), func(t *testing.T) {
							var x []float32
							d := synth.TreeRows(rng, rows, n)
							for i := range rows {
								x = append(x, d.Row(i)[:n]...)
							}
							scores := make([]float64, rows)
							r.ScoreRowsInto(scores, x)
							for i, got := range scores {
								row := x[i*n : (i+1)*n]
								if want := m.Score(row); !sameBits(got, want) || !sameBits(r.Score(row), want) {
									t.Errorf("row %d: %v and %v, want %v", i, got, r.Score(row), want)
								}
							}
							into := make([]float64, rows)
							data := &rank.Dataset{Labels: make([]float64, rows), X: x, Cols: n, Stride: n}
							if rows > 0 {
								if err := m.ScoreInto(t.Context(), into, data); err != nil {
									t.Fatal(err)
								}
							}
							for i, want := range into {
								if !sameBits(scores[i], want) {
									t.Errorf("row %d: %v, ScoreInto %v", i, scores[i], want)
								}
							}
							checkTop(t, r, x, scores)
						})
					}
				})
			}
		})
	}
}

// checkTop compares the best rows with the order of the scores.
func checkTop(t *testing.T, r *Ranker, x []float32, scores []float64) {
	t.Helper()
	for _, k := range []int{0, 1, 10, len(scores), len(scores) + 5} {
		got := r.AppendTopK([]Ranked{{Row: -1}}, x, len(scores), k)
		want := kernels.AppendTopK([]int{-1}, scores, k, nil)
		same := len(got) == len(want)
		for i := range got {
			same = same && got[i].Row == want[i] && (i == 0 || sameBits(got[i].Score, scores[want[i]]))
		}
		if !same {
			t.Errorf("the best %d of %d: %v, want %v", k, len(scores), got, want)
		}
	}
}

// TestMissingLinear: a document with a missing feature has no score in a linear model and is last.
func TestMissingLinear(t *testing.T) {
	r := testkit.Must(New(&rank.Linear{Weights: []float64{0, 1}}))
	const rows = 2000 // enough for both ways to find the top k
	x := make([]float32, 2*rows)
	for i := range rows {
		x[2*i+1] = float32(i % 7)
		if i%2 == 0 {
			x[2*i] = missing
		}
	}
	for _, k := range []int{1, 10, rows / 2, rows/2 + 3, rows} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			best := r.AppendTopK(nil, x, rows, k)
			for i, b := range best {
				if nan := b.Score != b.Score; nan != (i >= rows/2) || nan != (b.Row%2 == 0) {
					t.Fatalf("place %d of %d: %v", i, k, b)
				}
				if i == 0 || i == rows/2 {
					continue
				}
				if above := best[i-1]; above.Score < b.Score || above.Score == b.Score && above.Row >= b.Row {
					t.Fatalf("place %d of %d: %v after %v", i, k, b, above)
				}
			}
			if len(best) != k {
				t.Errorf("%d rows, want %d", len(best), k)
			}
		})
	}
}

func TestPanics(t *testing.T) {
	r := testkit.Must(New(&rank.Linear{Weights: make([]float64, 3)}))
	x := make([]float32, 6)
	dst := make([]float64, 3)
	for want, f := range map[string]func(){
		"Score: the length of x is 6; it must be 3 (rows: 1, features: 3)": func() { r.Score(x) },
		"ScoreRowsInto: the length of x is 6; it must be 9":                func() { r.ScoreRowsInto(dst, x) },
		"AppendTopK: the length of x is 6; it must be 3":                   func() { r.AppendTopK(nil, x, 1, 1) },
		"AppendTopK: rows is -2 and k is 1; neither may be negative":       func() { r.AppendTopK(nil, x, -2, 1) },
		"AppendTopK: rows is 2 and k is -1; neither may be negative":       func() { r.AppendTopK(nil, x, 2, -1) },
		"ContributionsInto: the length of x is 3; it must be 0":            func() { r.ContributionsInto(nil, x[:3]) },
		"ContributionsInto: the length of dst is 3; it must be a multiple": func() { r.ContributionsInto(dst, x[:3]) },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if p := recover(); !strings.HasPrefix(fmt.Sprint(p), "serve: "+want) {
					t.Errorf("panic %v, want %q", p, want)
				}
			}()
			f()
		})
	}
}

// TestContributions compares contributions with package explain.
func TestContributions(t *testing.T) {
	for name, m := range randomModels(t) {
		t.Run(name, func(t *testing.T) {
			n := m.Features()
			r := testkit.Must(New(m))
			d := synth.TreeRows(rand.New(rand.NewPCG(1, 1)), 3, n)
			got, want := make([]float64, n+1), make([]float64, 3*(n+1))
			e, err := explain.New(m)
			if err != nil {
				want := "serve: " + strings.TrimPrefix(err.Error(), "explain: ")
				if err := r.ContributionsInto(got, d.Row(0)[:n]); err == nil || err.Error() != want {
					t.Errorf("error %v, want %v", err, want)
				}
				return
			}
			if err := e.ContributionsInto(t.Context(), want, d); err != nil {
				t.Fatal(err)
			}
			var group sync.WaitGroup
			for i := range 3 {
				group.Go(func() {
					got := make([]float64, n+1)
					if err := r.ContributionsInto(got, d.Row(i)[:n]); err != nil {
						t.Error(err)
					}
					for j, v := range got {
						if !sameBits(v, want[i*(n+1)+j]) {
							t.Errorf("row %d, feature %d: %v, want %v", i, j, v, want[i*(n+1)+j])
						}
					}
				})
			}
			group.Wait()
			var x []float32
			for i := range 3 {
				x = append(x, d.Row(i)[:n]...)
			}
			for rows := range 4 {
				got := make([]float64, rows*(n+1))
				err := r.ContributionsInto(got, x[:rows*n])
				if err != nil || !slices.EqualFunc(got, want[:len(got)], sameBits) {
					t.Errorf("%d rows: %v, error %v, want %v", rows, got, err, want[:len(got)])
				}
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ content, want string }{
		"linear.json": {`{"format":"simdrank-linear","version":1,"weights":[1,2]}`, ""},
		"bad.json":    {`{"format":"simdrank-linear","version":1,"weights":[1,"x"]}`, "bad.json: "},
		"empty.txt":   {"", "empty.txt: "},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := Load(path)
			if c.want == "" && (err != nil || r.Score([]float32{3, 4}) != 11) {
				t.Error(err)
			}
			if c.want != "" && (err == nil || r != nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Load(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var limit *rank.OptionError
	if _, err := Load(filepath.Join(dir, "linear.json"), rank.ReadOptions{MemoryLimit: 1}); !errors.As(err, &limit) {
		t.Error(err)
	}
	for want, m := range map[string]rank.Model{
		"serve: the number of names is 1; it must be 2, one per feature": &rank.Linear{Weights: make([]float64, 2),
			FeatureNames: []string{"a"}},
		"serve: the bias is NaN; it must be finite": &lambdamart.Model{Bias: math.NaN()},
	} {
		t.Run(want, func(t *testing.T) {
			if r, err := New(m); err == nil || r != nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

// TestAllocations: scoring and building rows do not allocate.
func TestAllocations(t *testing.T) {
	if testkit.Race || testing.Short() {
		t.Skip("the race detector allocates, and emulation takes long")
	}
	rng := rand.New(rand.NewPCG(4, 4))
	names := []string{"price", "rating", "distance", "chain"}
	trees := randomTrees(rng, testkit.Shape{Features: 4, Trees: 50, Leaves: 31, Missing: true})
	trees.FeatureNames = names
	linear := randomLinear(rng, 4)
	linear.FeatureNames = names
	x := make([]float32, 4*300)
	scores, best, row := make([]float64, 300), make([]Ranked, 0, 10), make([]float32, 0, 4)
	values := map[string]float32{"price": 1, "rating": 2, "distance": 3}
	rating := 4.5
	doc := hotel{Rating: &rating}
	for name, m := range map[string]rank.Model{"trees": trees, "linear": linear, "foreign": foreign{linear}} {
		t.Run(name, func(t *testing.T) {
			r := testkit.Must(New(m))
			for name, f := range map[string]func(){
				"Score":         func() { r.Score(x[:4]) },
				"ScoreRowsInto": func() { r.ScoreRowsInto(scores, x) },
				"AppendTopK":    func() { r.AppendTopK(best, x, 300, 10) },
			} {
				t.Run(name, func(t *testing.T) {
					if n := testing.AllocsPerRun(20, f); n != 0 {
						t.Errorf("allocates %v times", n)
					}
				})
			}
		})
	}
	c := testkit.Must(New(trees)).Columns()
	c.IgnoreUnknown = true
	object := []byte(`{"id": "D80", "price": 12.5, "rating": 1e3, "chain": null}`)
	structs := testkit.Must(NewStructRows[hotel](c))
	for name, f := range map[string]func(){
		"map":    func() { c.AppendRow(row, values) },
		"struct": func() { structs.AppendRow(row, &doc) },
		"JSON":   func() { c.AppendJSON(row, object) },
	} {
		t.Run(name, func(t *testing.T) {
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("allocates %v times", n)
			}
		})
	}
}

func TestUnseenMissing(t *testing.T) {
	nan := float32(math.NaN())
	trees := func(missing []bool) *lambdamart.Model {
		return &lambdamart.Model{NumFeatures: 3, MissingFeatures: missing,
			Trees: []lambdamart.Tree{{Leaf: []float64{1}}}}
	}
	tests := []struct {
		name                string
		model               rank.Model
		x                   []float32
		count, row, feature int
	}{
		{"no rows", trees([]bool{false, true, false}), nil, 0, -1, -1},
		{"complete", trees([]bool{false, true, false}), []float32{0, 1, 2}, 0, -1, -1},
		{"seen", trees([]bool{false, true, false}), []float32{0, nan, 2}, 0, -1, -1},
		{"unseen", trees([]bool{false, true, false}), []float32{0, nan, 2, 3, 4, nan, nan, 5, 6}, 2, 1, 2},
		{"unknown", trees(nil), []float32{nan, nan, nan}, 0, -1, -1},
		{"linear", &rank.Linear{Weights: []float64{1, 2, 3}}, []float32{nan, nan, nan}, 0, -1, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := testkit.Must(New(tt.model))
			count, row, feature := r.UnseenMissing(tt.x)
			if count != tt.count || row != tt.row || feature != tt.feature {
				t.Errorf("UnseenMissing is %d, %d, %d; want %d, %d, %d", count, row, feature, tt.count, tt.row,
					tt.feature)
			}
		})
	}
	t.Run("incomplete row", func(t *testing.T) {
		defer func() {
			const want = "serve: UnseenMissing: the length of x is 4; it must be 3 (rows: 1, features: 3)"
			if got := recover(); got != want {
				t.Errorf("panic is %v, want %s", got, want)
			}
		}()
		testkit.Must(New(trees(nil))).UnseenMissing(make([]float32, 4))
	})
}
