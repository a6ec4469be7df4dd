package lambdamart

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
)

// TestAverage: all ways to score with the first trees of a mean agree with the mean of these trees.
func TestAverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	m := randomModel(rng, testkit.Shape{Features: 9, Trees: 6, Leaves: 31, Missing: true, Categories: true})
	m.Bias = 0
	d := synth.TreeRows(rng, 700, 9)
	raw := make([]Tree, len(m.Trees))
	for i := range raw {
		raw[i] = m.Trees[i]
		raw[i].Leaf = slices.Clone(raw[i].Leaf)
	}
	m.Average = true
	for i := range m.Trees {
		for l := range m.Trees[i].Leaf {
			m.Trees[i].Leaf[l] /= float64(len(m.Trees))
		}
	}
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
			if want := mean(i, trees); !testkit.Near(got, want, 1e-12) {
				t.Fatalf("%d trees: row %d scores %v, want %v", trees, i, got, want)
			}
		}
	}
	scores := make([]float64, d.Rows())
	for k := 1; k <= len(m.Trees); k++ {
		part := *m
		part.Truncate(k)
		first, err := part.Scorer()
		if err != nil {
			t.Fatal(err)
		}
		for name, score := range map[string]func() error{
			"ScoreInto":     func() error { return first.ScoreInto(t.Context(), scores, d) },
			"ScoreRowsInto": func() error { first.ScoreRowsInto(scores, d.X, d.Rows(), d.Cols, d.Stride); return nil },
			"Score": func() error {
				for i := range scores {
					scores[i] = first.Score(d.Row(i))
				}
				return nil
			},
			"Truncate": func() error {
				for i := range scores {
					scores[i] = part.Score(d.Row(i))
				}
				return nil
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
	for _, room := range []int{stageScores, 2 * d.Rows()} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			if err := scorer.stages(t.Context(), scores, d, 2, room, func(k int) error {
				check(t, k, scores)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
	check(t, len(m.Trees), scores)
}
