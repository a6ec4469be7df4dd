package lambdamart

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/rank"
)

// The sums of a leaf are as exact as the float32 derivatives of its rows, however many rows there
// are. Here, where derivatives have two values, rounding is the same for many rows.
func TestLeafSums(t *testing.T) {
	for _, rows := range []int{100_000, 4_000_000} {
		if rows > 1_000_000 && (testing.Short() || kern.Race) {
			continue
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
		r, err := (&Trainer{Objective: Binary, Trees: 1, LearningRate: 1, MinHessian: -1}).Fit(t.Context(), d)
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
			t.Errorf("%d rows: %d leaves", rows, len(tree.Leaf))
		}
		for l, got := range tree.Leaf {
			if want := -grad[l] / hess[l]; math.Abs(got-want) > 0x1p-23*size[l]/hess[l] {
				t.Errorf("%d rows: leaf %d is %v, want %v", rows, l, got, want)
			}
			if got, want := tree.LeafWeight[l], hess[l]; math.Abs(got-want) > 0x1p-23*want {
				t.Errorf("%d rows: the weight of leaf %d is %v, want %v", rows, l, got, want)
			}
		}
	}
}
