package lambdamart

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// near reports whether two numbers agree up to rounding.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

// TestAverage: all ways to score by the first trees of a mean agree with the mean of these trees.
func TestAverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	m := randomModel(rng, shape{9, 6, 31, true, false, true})
	m.Bias = 0
	d := randomData(rng, 700, 9)
	raw := make([]Tree, len(m.Trees))
	for i := range raw {
		raw[i] = m.Trees[i]
		raw[i].Leaf = slices.Clone(raw[i].Leaf)
	}
	m.average()
	m.Bias = 0.25
	scorer, err := m.Scorer()
	if err != nil {
		t.Fatal(err)
	}
	mean := func(row, trees int) float64 {
		sum := (&Model{NumFeatures: 9, Trees: raw[:trees]}).Score(d.Row(row))
		return 0.25 + sum/float64(trees)
	}
	check := func(t *testing.T, trees int, scores []float64) {
		t.Helper()
		for i, got := range scores {
			if want := mean(i, trees); !near(got, want) {
				t.Fatalf("%d trees: row %d scores %v, want %v", trees, i, got, want)
			}
		}
	}
	scores := make([]float64, d.Rows())
	for k := 1; k <= len(m.Trees); k++ {
		scorer.Trees = k
		for name, score := range map[string]func() error{
			"ScoreInto": func() error { return scorer.ScoreInto(t.Context(), scores, d) },
			"ScoreRows": func() error { scorer.ScoreRows(scores, d.X, d.Rows(), d.Cols, d.Stride); return nil },
			"Score": func() error {
				for i := range scores {
					scores[i] = scorer.Score(d.Row(i))
				}
				return nil
			},
			"Truncate": func() error {
				first := *m
				first.Truncate(k)
				for i := range scores {
					scores[i] = first.Score(d.Row(i))
				}
				return nil
			},
			"Contributions": func() error {
				phi := make([]float64, d.Rows()*(d.Cols+1))
				err := scorer.Contributions(t.Context(), phi, d)
				for i := range scores {
					scores[i] = 0
					for _, v := range phi[i*(d.Cols+1) : (i+1)*(d.Cols+1)] {
						scores[i] += v
					}
				}
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				if err := score(); err != nil {
					t.Fatal(err)
				}
				check(t, k, scores)
			})
		}
	}
	scorer.Trees = 0
	for _, room := range []int{stageScores, 2 * d.Rows()} {
		if err := scorer.stages(t.Context(), scores, d, 2, room, func(k int) error {
			check(t, k, scores)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	check(t, len(m.Trees), scores)
}

// TestAverageFormats: formats that know means keep them, with the bits of the leaves, and others
// have the sum of the shares.
func TestAverageFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	m := randomModel(rng, shape{5, 7, 15, true, false, false})
	m.Bias = 0
	m.average()
	for _, c := range []struct {
		name  string
		write func(*Model, io.Writer) error
		kept  bool
	}{
		{"json", (*Model).WriteJSON, true},
		{"lightgbm", (*Model).WriteLightGBM, true},
		{"lightgbm-dump", (*Model).WriteLightGBMDump, true},
		{"xgboost", (*Model).WriteXGBoost, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.write(m, &b); err != nil {
				t.Fatal(err)
			}
			back, err := Read(&b)
			if err != nil {
				t.Fatal(err)
			}
			if back.Average != c.kept {
				t.Errorf("Average is %v", back.Average)
			}
			for i := range m.Trees {
				if c.kept && !slices.Equal(back.Trees[i].Leaf, m.Trees[i].Leaf) {
					t.Errorf("tree %d has the leaves %v, want %v", i, back.Trees[i].Leaf, m.Trees[i].Leaf)
				}
			}
		})
	}
	m.Bias = 1 // LightGBM has no bias beside a mean
	var b bytes.Buffer
	if err := m.WriteLightGBM(&b); err != nil {
		t.Fatal(err)
	}
	back, err := Read(&b)
	if x := make([]float32, 5); err != nil || back.Average || !near(back.Score(x), m.Score(x)) {
		t.Errorf("a mean with a bias: %v", err)
	}
}

// TestRules: models score special values, and by their first trees, as their own library does. The
// models of testdata/rules are made by bench/peers/lambdamart/rules.py.
func TestRules(t *testing.T) {
	const dir = "testdata/rules/"
	rows := table(t, dir+"rows.txt")
	for _, file := range []string{"lightgbm-forest.txt", "lightgbm-forest.json", "lightgbm-zeros.txt",
		"lightgbm-zeros.json", "lightgbm-none.txt", "lightgbm-none.json", "xgboost.json"} {
		t.Run(file, func(t *testing.T) {
			all, err := Load(dir + file)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(file, ".")
			scores := table(t, dir+name+".scores")
			for k := 1; k <= len(all.Trees); k++ {
				m := *all
				m.Truncate(k)
				for i, row := range rows {
					x := make([]float32, len(row))
					for j, v := range row {
						if x[j] = float32(v); name == "lightgbm-zeros" && math.Abs(v) < 1e-35 {
							x[j] = 0
						}
					}
					if got, want := m.Score(x), scores[i][k-1]; math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
						t.Errorf("%d trees: row %v scores %v, want %v", k, x, got, want)
					}
				}
			}
			if all.Average != (name == "lightgbm-forest") {
				t.Errorf("Average is %v", all.Average)
			}
		})
	}
}
