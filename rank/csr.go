package rank

import (
	"context"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// A csr holds the features that are not zero, row after row: those of row i are
// value[offsets[i]:offsets[i+1]], in the columns index[offsets[i]:offsets[i+1]], which ascend.
type csr struct {
	offsets []int
	index   []int32
	value   []float32
}

const (
	// A dataset is sparse where at most one feature of sparseRatio is not zero, a row counting as
	// rowCost more: that is where the work with rows of some hundred features breaks even, and a
	// csr takes a fifth of the memory of the data then.
	sparseRatio = 10
	rowCost     = 8
	// Rows that the density is first estimated of, so that a dense dataset costs next to nothing.
	densityRows = 256
)

// isSparse tells whether to keep so many values of so many rows apart.
func isSparse(values, rows, cols int) bool {
	return int64(values+rowCost*rows)*sparseRatio <= int64(rows)*int64(cols)
}

// newCSR returns what is not zero in d, or nil when that is too much.
func newCSR(d *Dataset, workers int) *csr {
	rows := d.Rows()
	index, value := make([]int32, d.Cols), make([]float32, d.Cols)
	values, seen := 0, 0
	for i := 0; i < rows; i += max(rows/densityRows, 1) {
		values += kernels.NonzerosF32(index, value, d.Row(i))
		seen++
	}
	if !isSparse(values, seen, d.Cols) {
		return nil
	}
	parts := make([]csr, (rows+blockDocs-1)/blockDocs)
	x := &csr{offsets: make([]int, rows+1)}
	parallel.For(context.Background(), workers, len(parts), func(_, t int) {
		index, value := make([]int32, d.Cols), make([]float32, d.Cols)
		part := &parts[t]
		for i := t * blockDocs; i < min((t+1)*blockDocs, rows); i++ {
			n := kernels.NonzerosF32(index, value, d.Row(i))
			part.index, part.value = append(part.index, index[:n]...), append(part.value, value[:n]...)
			x.offsets[i+1] = n
		}
	})
	for i := range rows {
		x.offsets[i+1] += x.offsets[i]
	}
	all := x.offsets[rows]
	if !isSparse(all, rows, d.Cols) {
		return nil
	}
	x.index, x.value = make([]int32, 0, all), make([]float32, 0, all)
	for t := range parts {
		x.index, x.value = append(x.index, parts[t].index...), append(x.value, parts[t].value...)
		parts[t] = csr{}
	}
	return x
}

// row returns row i.
func (x *csr) row(i int) (index []int32, value []float32) {
	lo, hi := x.offsets[i], x.offsets[i+1]
	return x.index[lo:hi], x.value[lo:hi]
}
