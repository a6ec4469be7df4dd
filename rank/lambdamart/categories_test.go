package lambdamart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
)

// mixedShapes are shapes of models with all kinds of category sets and missing directions.
var mixedShapes = map[string]testkit.Shape{
	"numerical":    {Features: 40, Trees: 130, Leaves: 31, Missing: true, Mixed: true},
	"zero":         {Features: 24, Trees: 40, Leaves: 20, Missing: true, Zero: true, Mixed: true},
	"few features": {Features: 6, Trees: 90, Leaves: 31, Missing: true, Zero: true, Categories: true, Mixed: true},
	"categories":   {Features: 30, Trees: 150, Leaves: 31, Missing: true, Categories: true, Mixed: true},
	"136 features": {Features: 136, Trees: 80, Leaves: 15, Missing: true, Categories: true, Mixed: true},
	"many sets":    {Features: 12, Trees: 70, Leaves: 200, Missing: true, Categories: true, Mixed: true},
	"large trees":  {Features: 12, Trees: 3, Leaves: 5000, Missing: true, Zero: true, Categories: true, Mixed: true},
}

// TestMixedScores compares all forms of scoring with Model.Score.
func TestMixedScores(t *testing.T) {
	for name, shape := range mixedShapes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, uint64(shape.Leaves)))
			m := randomModel(rng, shape)
			d := synth.TreeRows(rng, 700, m.NumFeatures)
			special := []float32{afterMinusOne, math.Nextafter32(1, 0), -.25, 1e10, -1e10, 96, 95.5, 1919.5, 1920}
			for i := range d.Rows() {
				for j, v := range d.Row(i) {
					switch {
					case i < 100 && v != v: // no missing values
						d.Row(i)[j] = 1
					case rng.IntN(16) == 0:
						d.Row(i)[j] = special[rng.IntN(len(special))]
					}
				}
			}
			sparse := synth.SparseWithZeros(d)
			want := make([]float64, d.Rows())
			for i := range want {
				want[i] = specScore(m, d.Row(i))
			}
			for _, tier := range cpu.Available() {
				for _, force := range []func(cpu.Tier) func(){cpu.Force, cpu.ForceWithoutFeatures} {
					restore := force(tier)
					s, err := m.Scorer()
					if err != nil {
						t.Fatal(err)
					}
					got := make([]float64, d.Rows())
					check := func(form string, rows int) {
						if !slices.Equal(got[:rows], want[:rows]) {
							i := slices.IndexFunc(got[:rows], func(float64) bool { return true })
							for got[i] == want[i] {
								i++
							}
							t.Fatalf("%v, %s of %d: row %d scores %v, want %v", tier, form, rows, i, got[i], want[i])
						}
					}
					for i := range 120 {
						got[i] = s.Score(d.Row(i))
					}
					check("Score", 120)
					for _, rows := range []int{1, 4, 5, 20, 63, 64, 130, 200, 700} {
						s.ScoreRowsInto(got[:rows], d.X, rows, d.Cols, d.Stride)
						check("ScoreRowsInto", rows)
					}
					if err := s.ScoreInto(t.Context(), got, d); err != nil {
						t.Fatal(err)
					}
					check("ScoreInto", len(got))
					if err := s.ScoreInto(t.Context(), got, sparse); err != nil {
						t.Fatal(err)
					}
					check("ScoreInto, sparse", len(got))
					restore()
				}
			}
		})
	}
}

// setsOf returns one-split trees of feature 0 with the given sets.
func setsOf(sets [][]uint32) []Tree {
	var list []Tree
	for i, set := range sets {
		list = append(list, Tree{Feature: []int32{0}, Threshold: []float32{afterMinusOne}, Categories: [][]uint32{set},
			Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{float64(i + 1), float64(-i)}})
	}
	return list
}

// Tables share rows, equal sets share a bit, and sets whose table would be too large have none.
func TestCategoryTables(t *testing.T) {
	large := make([]uint32, 1<<19) // 16M categories
	large[len(large)-1] = 1 << 31
	sparse := make([]uint32, 1<<12)
	sparse[1<<12-1] = 1
	var small, many, varied [][]uint32
	for i := range 200 {
		small = append(small, []uint32{uint32(i%20 + 1), 0})
	}
	for i := range 3000 {
		many = append(many, []uint32{uint32(i)})
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20 { // 128k categories, each in other sets
		set := make([]uint32, 1<<12)
		for i := range set {
			set[i] = rng.Uint32()
		}
		varied = append(varied, set)
	}
	for name, c := range map[string]struct {
		sets           [][]uint32
		tables, single int
		rows           int // distinct rows of the first table
	}{
		"equal sets":      {small, 1, 0, 6},
		"a large set":     {[][]uint32{large}, 0, 1, 0},
		"large and small": {append([][]uint32{large}, many...), 0, 3001, 0},
		"sparse":          {slices.Repeat([][]uint32{sparse}, 9), 0, 1, 0},
		"too many rows":   {varied, 0, 20, 0},
		"an empty set":    {[][]uint32{{}, {0, 0}}, 1, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := &Model{NumFeatures: 1, Trees: setsOf(c.sets)}
			f := newForest(m.Trees)
			got := f.categories
			if len(got.tables) != c.tables || len(got.single) != c.single {
				t.Fatalf("%d tables and %d single splits, want %d and %d", len(got.tables), len(got.single),
					c.tables, c.single)
			}
			size := 0
			for _, table := range got.tables {
				size += 2*cap(table.rows) + 8*cap(table.bits)
				if n := len(table.bits) / len(table.words); n != c.rows {
					t.Errorf("%d rows of bits, want %d", n, c.rows)
				}
			}
			if size > 1<<16 {
				t.Errorf("tables of %d bytes", size)
			}
			s, err := m.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range []float32{nan, -1e9, -1, -.5, 0, .5, 1, 2.5, 4, 31, 32, 33, 1<<17 - 1, 1<<17 - 32,
				1<<24 - 1, 1 << 24, 1e30, inf32} {
				rows := []float32{v, v, v, v, v, v}
				got := make([]float64, 6)
				s.ScoreRowsInto(got, rows, 6, 1, 1)
				if want := m.Score(rows[:1]); got[0] != want || got[5] != want || s.Score(rows[:1]) != want {
					t.Errorf("%v: scores %v and %v, want %v", v, got[0], s.Score(rows[:1]), want)
				}
			}
		})
	}
}

// Trees with many sets use tables of ranks with fewer trees.
func TestSetTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct{ leaves, trees, tables int }{{31, 128, 2}, {90, 64, 2}, {255, 64, 0}} {
		t.Run(fmt.Sprint(c.leaves), func(t *testing.T) {
			m := &Model{NumFeatures: 9}
			for range c.trees {
				tree := randomTree(rng, testkit.Shape{Features: 9, Leaves: c.leaves})
				tree.Categories = make([][]uint32, len(tree.Feature))
				for s := range tree.Feature {
					if s%3 > 0 {
						tree.Threshold[s], tree.Categories[s] = 0, []uint32{rng.Uint32()}
					}
				}
				m.Trees = append(m.Trees, tree)
			}
			ranked, sets := newRankedTrees(newReadings(m.Trees), true, true)
			if len(ranked) != c.tables || (sets != nil) != (c.tables > 0) {
				t.Errorf("%d tables, want %d", len(ranked), c.tables)
			}
		})
	}
}
