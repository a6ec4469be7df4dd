package lambdamart

import (
	"slices"

	"github.com/simdrank/simdrank/rank"
)

// A denseRow returns rows of a dataset in dense form. Only one goroutine may use it.
type denseRow struct {
	x    []float32
	last []int32 // nonzero columns of x
}

// of returns the features of row i. They are valid until the next call.
func (r *denseRow) of(d *rank.Dataset, i int) []float32 {
	if d.Sparse == nil {
		return d.Row(i)
	}
	if len(r.x) != d.Cols {
		r.x, r.last = make([]float32, d.Cols), nil
	}
	for _, j := range r.last {
		r.x[j] = 0
	}
	columns, values := d.Sparse.Row(i)
	for k, j := range columns {
		r.x[j] = values[k]
	}
	r.last = columns
	return r.x
}

// valueOf returns feature f of row i, which is 0 if the dataset lacks it.
func valueOf(d *rank.Dataset, i int, f int32) float32 {
	if int(f) >= d.Cols {
		return 0
	}
	if d.Sparse == nil {
		return d.X[i*d.Stride+int(f)]
	}
	columns, values := d.Sparse.Row(i)
	if k, ok := slices.BinarySearch(columns, f); ok {
		return values[k]
	}
	return 0
}
