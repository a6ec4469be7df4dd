package kernels

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// The spmv kernels take a sparse matrix A in CSR form: row i has the elements
// value[offsets[i]:offsets[i+1]], in the columns index[offsets[i]:offsets[i+1]], which ascend, and zeros
// everywhere else. offsets has one element more than A has rows, and need not start with 0.

// SpmvF32Wide sets dst = A·x for a sparse matrix: dst holds as many elements as A has rows,
// x as many as it has columns.
//
// Each dst[i] has the order of operations of [DotF64] over the elements of the row, that of column j
// standing at place j. Zeros that are left out change no sum, so that dst has the bits of [GemvF32Wide] on the
// matrix written out while x is finite; but no dst[i] is −0.
//
// It panics when a length does not fit, offsets decrease, an index is not a column, and when dst overlaps value or x.
func SpmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) {
	checkSpmv("SpmvF32Wide", len(dst), offsets, len(index), len(value))
	if kern.Overlaps(dst, x) || kern.Overlaps(dst, value) {
		panic(kern.OverlapError("SpmvF32Wide: dst kern.Overlaps an input"))
	}
	for i := 0; i < len(dst); {
		n := spmvRows(offsets[i:])
		if done := spmvF32Wide(dst[i:i+n], offsets[i:i+n+1], index, value, x); done < n {
			spmvPanic("SpmvF32Wide", offsets[i+done:], index, len(x))
		}
		i += n
	}
}

// SpmvTF32Wide adds Aᵀ·c to dst for the sparse matrix of [SpmvF32Wide]: dst holds as many elements as A has columns,
// c as many as it has rows. Each element of A, in order of the rows, is
// dst[j] = c[i]·value + dst[j] as one fused multiply-add: the bits of [GemvTF32Wide] on the matrix written out while
// c is finite, but for the signs of zeros.
//
// It panics as SpmvF32Wide does.
func SpmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) {
	checkSpmv("SpmvTF32Wide", len(c), offsets, len(index), len(value))
	if kern.Overlaps(dst, c) || kern.Overlaps(dst, value) {
		panic(kern.OverlapError("SpmvTF32Wide: dst kern.Overlaps an input"))
	}
	for i := 0; i < len(c); {
		n := spmvRows(offsets[i:])
		if done := spmvTF32Wide(dst, offsets[i:i+n+1], index, value, c[i:i+n]); done < n {
			spmvPanic("SpmvTF32Wide", offsets[i+done:], index, len(dst))
		}
		i += n
	}
}

// NonzerosF32 makes a row of such a matrix: it sets the first elements of index and value to the places, in
// ascending order, and values of the elements of row that are not zero, and returns how many there are. NaN is not zero, −0 is. index and
// value are as long as row; what stands behind those elements stays as it is.
//
// It panics when a length does not fit and when index or value overlaps another operand.
func NonzerosF32(index []int32, value, row []float32) int {
	switch {
	case len(index) != len(row):
		panic(kern.Lengths("NonzerosF32: len(index) and len(row) differ", len(index), len(row)))
	case len(value) != len(row):
		panic(kern.Lengths("NonzerosF32: len(value) and len(row) differ", len(value), len(row)))
	case kern.Overlaps(index, row) || kern.Overlaps(value, row) || kern.Overlaps(index, value):
		panic(kern.OverlapError("NonzerosF32: an output kern.Overlaps another operand"))
	}
	n := 0
	for i := 0; i < len(row); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(row))
		n += nonzerosF32(index[n:], value[n:], row[i:end], i)
	}
	return n
}

// spmvRows returns how many rows, at least one, make a call of at most kern.BlockLen elements.
func spmvRows(offsets []int) int {
	n := 1
	for n+1 < len(offsets) && n < kern.BlockLen/32 && offsets[n+1]-offsets[0] <= kern.BlockLen {
		n++
	}
	return n
}

func checkSpmv(kernel string, rows int, offsets []int, index, value int) {
	switch {
	case len(offsets) != rows+1:
		panic(kern.Lengths(kernel+": len(offsets) is not one more than the rows", len(offsets), rows))
	case index != value:
		panic(kern.Lengths(kernel+": len(index) and len(value) differ", index, value))
	case offsets[0] < 0 || offsets[rows] > value:
		panic(kern.Lengths(kernel+": offsets leave the elements: the last one and len(value)", offsets[rows], value))
	}
	wrong := 0
	for i, o := range offsets[1:] {
		wrong |= o - offsets[i]
	}
	if wrong < 0 {
		panic(kern.Lengths(kernel+": offsets decrease: the first and the last one", offsets[0], offsets[rows]))
	}
}

// spmvPanic tells of the element in the row at the start of offsets that is in no column.
func spmvPanic(kernel string, offsets []int, index []int32, cols int) {
	for _, j := range index[offsets[0]:offsets[1]] {
		if uint(j) >= uint(cols) {
			panic(kern.Lengths(kernel+": an index is not below the columns", int(j), cols))
		}
	}
}
