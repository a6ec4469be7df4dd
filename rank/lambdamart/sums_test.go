package lambdamart

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

// The sums of a leaf are as exact as the float32 derivatives of its rows, for any number of rows.
// Here derivatives have two values, so rounding is the same for many rows.
func TestLeafSums(t *testing.T) {
	for _, rows := range []int{100_000, 4_000_000} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			if rows > 1_000_000 && (testing.Short() || kern.Race) {
				return
			}
			const values = 8
			d := &rank.Dataset{Cols: 1, Labels: make([]float64, rows), Offsets: []int{0},
				Sparse: &rank.CSR{Offsets: []int{0}}}
			var of, positive [values]float64 // rows
			for i := range rows {
				v := i % values
				if v > 0 {
					d.Sparse.Columns = append(d.Sparse.Columns, 0)
					d.Sparse.Values = append(d.Sparse.Values, float32(v))
				}
				d.Sparse.Offsets = append(d.Sparse.Offsets, len(d.Sparse.Values))
				if of[v]++; i/values%(1000*(v+1)/2) == 0 {
					d.Labels[i], positive[v] = 1, positive[v]+1
				}
			}
			for end := 10_000; end <= rows; end += 10_000 {
				d.Offsets, d.QueryIDs = append(d.Offsets, end), append(d.QueryIDs, "q")
			}
			r, err := with(Trainer{Objective: Binary, Trees: 1, LearningRate: 1}, "MinHessian").Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			tree := &r.Model.Trees[0]
			p := 1 / (1 + math.Exp(-r.Model.Bias))
			grad, size, hess := make([]float64, values), make([]float64, values), make([]float64, values) // of leaves
			for v := range values {
				l := tree.leafOf([]float32{float32(v)})
				grad[l] += of[v]*p - positive[v]
				size[l] += of[v]*p + positive[v]*(1-2*p)
				hess[l] += of[v] * p * (1 - p)
			}
			if len(tree.Leaf) < values/2 {
				t.Errorf("%d leaves", len(tree.Leaf))
			}
			for l, got := range tree.Leaf {
				if want := -grad[l] / hess[l]; math.Abs(got-want) > 0x1p-23*size[l]/hess[l] {
					t.Errorf("leaf %d is %v, want %v", l, got, want)
				}
				if got, want := tree.LeafWeight[l], hess[l]; math.Abs(got-want) > 0x1p-23*want {
					t.Errorf("the weight of leaf %d is %v, want %v", l, got, want)
				}
			}
		})
	}
}

// The Hessian of a side may be as small as MinHessian, whatever the rounding errors.
func TestMinHessianOfSide(t *testing.T) {
	for _, weight := range []float64{1, .1, .3, .7, 3, 1e-3, 12345.678} {
		t.Run(fmt.Sprint(weight), func(t *testing.T) {
			for rows := 8; rows < 3000; rows += 1 + rows/2 {
				side := rows / 3
				d := synth.Table(slices.Repeat([][]float32{{0}}, rows)...)
				d.Weights = slices.Repeat([]float64{weight}, rows)
				for i := range side {
					d.Row(i)[0], d.Labels[i] = 1, 3
				}
				d.Labels[rows-1] = 1
				for _, c := range []struct {
					rows  float64
					trees int
				}{{float64(side) - 1, 1}, {float64(side), 1}, {float64(side) + .9, 0}, {float64(side) + 1, 0}} {
					o := *with(Trainer{Objective: Regression, Trees: 1, MinRows: 1, MinHessian: c.rows * weight})
					if c.rows <= 0 {
						continue
					}
					r, err := o.Fit(t.Context(), d)
					if err != nil {
						t.Fatal(err)
					}
					if r.Grown != c.trees {
						t.Errorf("a side of %d of %d rows with MinHessian of %v rows: %d trees, want %d",
							side, rows, c.rows, r.Grown, c.trees)
					}
					if r.Grown == 1 && weight == 1 && !slices.Contains(r.Model.Trees[0].LeafWeight, float64(side)) {
						t.Errorf("leaves of the weights %v, want one of %d", r.Model.Trees[0].LeafWeight, side)
					}
				}
			}
		})
	}
}

// A minimum of one row is satisfied, however small the side's share of the Hessian is.
func TestMinRowsOfOne(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Trainer
	}{
		{"number", *DefaultTrainer()},
		{"one category", *with(Trainer{Categorical: []int{0}})},
		{"set of categories", *with(Trainer{Categorical: []int{0}, OneHot: 1, CategorySmooth: 1, CategoryRows: 1})},
	} {
		for _, weight := range []float64{.5, .05, 1e-4} {
			t.Run(fmt.Sprint(c.name, " ", weight), func(t *testing.T) {
				d := synth.Table([]float32{0}, []float32{0}, []float32{0}, []float32{0}, []float32{1})
				d.Labels = []float64{0, 0, 0, 1, 1e4}
				d.Weights = []float64{1, 1, 1, 1, weight}
				o := c.o
				o.Objective, o.Trees, o.MinRows, o.MinHessian = Regression, 1, 1, 0
				r, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if r.Grown != 1 || !slices.Contains(r.Model.Trees[0].LeafCount, 1) {
					t.Errorf("%d trees", r.Grown)
				}
				o.MinRows = 2
				if r, err = o.Fit(t.Context(), d); err != nil || r.Grown != 0 {
					t.Errorf("two rows on each side: %d trees, %v", r.Grown, err)
				}
			})
		}
	}
}
