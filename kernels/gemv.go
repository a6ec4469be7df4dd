package kernels

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// GemvF64 sets dst = A·x, where A is a row-major matrix of rows × cols elements. Row i starts at
// a[i·stride]. If the rows are documents and x contains feature weights, dst contains the scores.
// len(dst) must be rows, and len(x) must be cols. stride must be at least cols, and a must be long
// enough for all rows. Elements between rows are ignored. The kernel is fastest if each row starts
// at a 64-byte boundary.
//
// Each dst[i] is bit-identical to [DotF64] on row i and x. Rows may therefore be split among
// threads in any way.
//
// It panics if a length or the stride is invalid, or if dst overlaps a or x.
func GemvF64(dst, x, a []float64, rows, cols, stride int) {
	if len(dst) != rows || len(x) != cols || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, x) || kern.Overlaps(dst, a) {
		checkGemv("kernels: GemvF64", dst, a, rows, cols, stride, x)
	}
	if rows == 0 || cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		for i := range rows {
			dst[i] = DotF64(a[i*stride:i*stride+cols], x)
		}
		return
	}
	for n := gemvRows(rows, cols); rows > n; rows -= n {
		gemvF64(dst[:n], a, n, cols, stride, x)
		dst, a = dst[n:], a[n*stride:]
	}
	gemvF64(dst, a, rows, cols, stride, x)
}

// GemvF32 is like [GemvF64] but for float32. Each dst[i] is bit-identical to [DotF32].
func GemvF32(dst, x, a []float32, rows, cols, stride int) {
	if len(dst) != rows || len(x) != cols || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, x) || kern.Overlaps(dst, a) {
		checkGemv("kernels: GemvF32", dst, a, rows, cols, stride, x)
	}
	if rows == 0 || cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		for i := range rows {
			dst[i] = DotF32(a[i*stride:i*stride+cols], x)
		}
		return
	}
	for n := kern.RowsOf(4*kern.BlockLen, rows, cols); rows > n; rows -= n {
		gemvF32(dst[:n], a, n, cols, stride, x)
		dst, a = dst[n:], a[n*stride:]
	}
	gemvF32(dst, a, rows, cols, stride, x)
}

// GemvF32Wide is like [GemvF64] but for a float32 matrix and float64 vectors. Each dst[i] is
// bit-identical to [DotF64] on x and the row converted to float64.
func GemvF32Wide(dst, x []float64, a []float32, rows, cols, stride int) {
	if len(dst) != rows || len(x) != cols || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, x) || kern.Overlaps(dst, a) {
		checkGemv("kernels: GemvF32Wide", dst, a, rows, cols, stride, x)
	}
	if rows == 0 || cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		gemvF32WideLong(dst, a, rows, cols, stride, x)
		return
	}
	for n := gemvRows(rows, cols); rows > n; rows -= n {
		gemvF32Wide(dst[:n], a, n, cols, stride, x)
		dst, a = dst[n:], a[n*stride:]
	}
	gemvF32Wide(dst, a, rows, cols, stride, x)
}

// AddGemvTF64 adds Aᵀ·c to dst, where A is a matrix as in [GemvF64]. If c contains the derivatives
// of a loss with respect to the scores, AddGemvTF64 adds the gradient with respect to the weights.
// Unlike GemvF64, it does not overwrite dst; clear dst first to get Aᵀ·c. len(dst) must be cols,
// and len(c) must be rows.
//
// Order of operations: The rows are added in order, like successive calls of [AxpyF64]. For each
// column j, row i computes dst[j] = c[i]·a[i·stride+j] + dst[j] by one fused multiply-add. Rows
// with c[i] = 0 are not skipped, so their non-finite values still affect dst.
//
// It panics if a length or the stride is invalid, or if dst overlaps a or c.
func AddGemvTF64(dst, c, a []float64, rows, cols, stride int) {
	if len(dst) != cols || len(c) != rows || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, c) || kern.Overlaps(dst, a) {
		checkGemvT("kernels: AddGemvTF64", dst, a, rows, cols, stride, c)
	}
	if rows == 0 || cols == 0 {
		return
	}
	for n := kern.RowsOf(1<<17, rows, cols); rows > n; rows -= n {
		addGemvTF64(dst, a, n, cols, stride, c[:n])
		a, c = a[n*stride:], c[n:]
	}
	addGemvTF64(dst, a, rows, cols, stride, c)
}

// AddGemvTF32 is like [AddGemvTF64] but for float32. It adds to dst and does not overwrite it.
func AddGemvTF32(dst, c, a []float32, rows, cols, stride int) {
	if len(dst) != cols || len(c) != rows || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, c) || kern.Overlaps(dst, a) {
		checkGemvT("kernels: AddGemvTF32", dst, a, rows, cols, stride, c)
	}
	if rows == 0 || cols == 0 {
		return
	}
	for n := kern.RowsOf(1<<18, rows, cols); rows > n; rows -= n {
		addGemvTF32(dst, a, n, cols, stride, c[:n])
		a, c = a[n*stride:], c[n:]
	}
	addGemvTF32(dst, a, rows, cols, stride, c)
}

// AddGemvTF32Wide is like [AddGemvTF64] but for a float32 matrix and float64 vectors. It converts
// each element of a to float64. It adds to dst and does not overwrite it. Elements of a after the
// last row are never read, but may be prefetched into the cache.
func AddGemvTF32Wide(dst, c []float64, a []float32, rows, cols, stride int) {
	if len(dst) != cols || len(c) != rows || !kern.Holds(len(a), rows, cols, stride) ||
		kern.Overlaps(dst, c) || kern.Overlaps(dst, a) {
		checkGemvT("kernels: AddGemvTF32Wide", dst, a, rows, cols, stride, c)
	}
	if rows == 0 || cols == 0 {
		return
	}
	for n := gemvTRows(rows, cols); rows > n; rows -= n {
		addGemvTF32Wide(dst, a, n, cols, stride, c[:n])
		a, c = a[n*stride:], c[n:]
	}
	addGemvTF32Wide(dst, a, rows, cols, stride, c)
}

// gemvF32WideLong processes rows that are longer than kern.BlockLen, block by block.
func gemvF32WideLong(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	for i := range rows {
		row := a[i*stride : i*stride+cols]
		gemvF32Wide(dst[i:i+1], row, 1, kern.BlockLen, kern.BlockLen, x[:kern.BlockLen])
		sum := dst[i]
		for j := kern.BlockLen; j < cols; j += kern.BlockLen {
			end := min(j+kern.BlockLen, cols)
			gemvF32Wide(dst[i:i+1], row[j:], 1, end-j, end-j, x[j:end])
			sum += dst[i]
		}
		dst[i] = sum
	}
}

// gemvRows returns the number of rows to process per call. The scheduler can preempt a goroutine
// only between calls, so a call processes about 1 MiB. The number does not affect results.
func gemvRows(rows, cols int) int { return kern.RowsOf(2*kern.BlockLen, rows, cols) }

// gemvTRows returns the number of rows to process per call of the wide transpose. If a row does not
// fit in registers, some tiers read the rows once per strip of columns, so the rows of a call
// should fit in L2.
func gemvTRows(rows, cols int) int { return kern.RowsOf(1<<17, rows, cols) }

// checkGemv panics if the operands do not fit together. The exported functions call it only if the
// operands do not fit, because a call takes as long as a row.
func checkGemv[V, M any](kernel string, dst []V, a []M, rows, cols, stride int, x []V) {
	switch {
	case len(dst) != rows:
		panic(kern.Lengths(kernel+": len(dst) and rows differ: %d and %d", len(dst), rows))
	case len(x) != cols:
		panic(kern.Lengths(kernel+": len(x) and cols differ: %d and %d", len(x), cols))
	case kern.Overlaps(dst, x):
		panic(kern.Error(kernel + ": dst overlaps x"))
	}
	kern.CheckMatrix(kernel, dst, a, rows, cols, stride)
}

// checkGemvT is like checkGemv, but for the transpose.
func checkGemvT[V, M any](kernel string, dst []V, a []M, rows, cols, stride int, c []V) {
	switch {
	case len(dst) != cols:
		panic(kern.Lengths(kernel+": len(dst) and cols differ: %d and %d", len(dst), cols))
	case len(c) != rows:
		panic(kern.Lengths(kernel+": len(c) and rows differ: %d and %d", len(c), rows))
	case kern.Overlaps(dst, c):
		panic(kern.Error(kernel + ": dst overlaps c"))
	}
	kern.CheckMatrix(kernel, dst, a, rows, cols, stride)
}

// SpmvF32Wide sets dst = A·x, where A is a sparse matrix in CSR form. Row i has the values
// value[offsets[i]:offsets[i+1]] in the columns index[offsets[i]:offsets[i+1]]. The columns of a
// row must be in ascending order. All other elements of A are 0. dst has one element per row of A,
// and x has one per column. len(offsets) is one more than the number of rows. The offsets must not
// decrease and need not start with 0.
//
// Each dst[i] is computed in the order of operations of [DotF64], where column j is summed in lane
// j mod 32. Omitted zeros do not change a sum, so dst is bit-identical to [GemvF32Wide] on the
// dense matrix if x is finite. The only exception is that no dst[i] is −0.
//
// It panics if a length is invalid, if offsets decrease or exceed len(value), if an index is not a
// column, or if dst overlaps another operand. Indices are checked during the computation. If an
// index causes the panic, dst contains the results of the preceding rows, and its other elements
// are unspecified.
func SpmvF32Wide(dst, x []float64, offsets []int, index []int32, value []float32) {
	checkSpmv("kernels: SpmvF32Wide", len(dst), dst, offsets, index, value)
	if kern.Overlaps(dst, x) {
		panic(kern.Error("kernels: SpmvF32Wide: dst overlaps x"))
	}
	for i := 0; i < len(dst); {
		n := spmvRows(offsets[i:])
		if done := spmvF32Wide(dst[i:i+n], offsets[i:i+n+1], index, value, x); done < n {
			spmvPanic("kernels: SpmvF32Wide", offsets[i+done:], index, len(x))
		}
		i += n
	}
}

// AddSpmvTF32Wide adds Aᵀ·c to dst, where A is a sparse matrix as in [SpmvF32Wide]. It does not
// overwrite dst. dst has one element per column of A, and c has one per row.
//
// Order of operations: The elements of A are processed in row order. Each computes dst[j] =
// c[i]·value + dst[j] by one fused multiply-add. If c is finite, the result is bit-identical to
// [AddGemvTF32Wide] on the dense matrix, except for the signs of zeros.
//
// It panics under the same conditions as SpmvF32Wide. If an index causes the panic, the preceding
// elements have already been added.
func AddSpmvTF32Wide(dst, c []float64, offsets []int, index []int32, value []float32) {
	checkSpmv("kernels: AddSpmvTF32Wide", len(c), dst, offsets, index, value)
	if kern.Overlaps(dst, c) {
		panic(kern.Error("kernels: AddSpmvTF32Wide: dst overlaps c"))
	}
	for i := 0; i < len(c); {
		n := spmvRows(offsets[i:])
		if done := addSpmvTF32Wide(dst, offsets[i:i+n+1], index, value, c[i:i+n]); done < n {
			spmvPanic("kernels: AddSpmvTF32Wide", offsets[i+done:], index, len(dst))
		}
		i += n
	}
}

// NonzerosF32 converts row to the sparse form of [SpmvF32Wide] and returns the number of nonzero
// elements. It stores their indices in index, in ascending order, and their values in value. The
// remaining elements of index and value are unchanged. index and value must be as long as row. NaN
// counts as nonzero, and −0 as zero.
//
// It panics if the lengths differ, if row has more than 2³¹−1 elements, or if operands overlap.
func NonzerosF32(index []int32, value, row []float32) int {
	switch {
	case len(index) != len(row):
		panic(kern.Lengths("kernels: NonzerosF32: len(index) and len(row) differ: %d and %d", len(index), len(row)))
	case len(value) != len(row):
		panic(kern.Lengths("kernels: NonzerosF32: len(value) and len(row) differ: %d and %d", len(value), len(row)))
	case len(row) > math.MaxInt32:
		panic(kern.Lengths("kernels: NonzerosF32: len(row) is %d; the limit is %d", len(row), math.MaxInt32))
	case kern.Overlaps(value, row):
		panic(kern.Error("kernels: NonzerosF32: value overlaps row"))
	case kern.Overlaps(index, row):
		panic(kern.Error("kernels: NonzerosF32: index overlaps row"))
	case kern.Overlaps(index, value):
		panic(kern.Error("kernels: NonzerosF32: index overlaps value"))
	}
	n := 0
	for i := 0; i < len(row); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(row))
		n += nonzerosF32(index[n:], value[n:], row[i:end], i)
	}
	return n
}

// spmvRows returns the number of rows to process per call, at most kern.BlockLen/32. The rows have
// at most kern.BlockLen elements in total, except that the result is at least 1.
func spmvRows(offsets []int) int {
	n := len(offsets) - 1
	if n <= kern.BlockLen/32 && offsets[n]-offsets[0] <= kern.BlockLen {
		return n
	}
	n = 1
	for n+1 < len(offsets) && n < kern.BlockLen/32 && offsets[n+1]-offsets[0] <= kern.BlockLen {
		n++
	}
	return n
}

func checkSpmv(kernel string, rows int, dst []float64, offsets []int, index []int32, value []float32) {
	switch {
	case len(offsets) != rows+1:
		panic(kern.Lengths(kernel+": len(offsets) is %d; it must be the number of rows + 1, %d", len(offsets), rows+1))
	case len(index) != len(value):
		panic(kern.Lengths(kernel+": len(index) and len(value) differ: %d and %d", len(index), len(value)))
	case offsets[0] < 0 || offsets[rows] > len(value):
		panic(kern.Error(fmt.Sprintf("%s: offsets are from %d to %d; they must be from 0 to len(value), %d", kernel,
			offsets[0], offsets[rows], len(value))))
	case kern.Overlaps(dst, offsets) || kern.Overlaps(dst, index) || kern.Overlaps(dst, value):
		panic(kern.Error(kernel + ": dst overlaps the matrix"))
	}
	// wrong becomes negative if an offset is negative or less than the previous offset. Both
	// conditions are tested, because the difference of offsets with different signs may wrap
	// around.
	wrong := 0
	for i, o := range offsets[1:] {
		wrong |= o | (o - offsets[i])
	}
	if wrong >= 0 {
		return
	}
	for i, o := range offsets[1:] {
		if o < offsets[i] {
			panic(kern.Lengths(kernel+": offsets must not decrease, but %d follows %d", o, offsets[i]))
		}
	}
}

// spmvPanic panics with the first invalid column index in the row at the start of offsets.
func spmvPanic(kernel string, offsets []int, index []int32, cols int) {
	for _, j := range index[offsets[0]:offsets[1]] {
		if uint(j) >= uint(cols) {
			panic(kern.Lengths(kernel+": column index %d is out of range: there are %d columns", int(j), cols))
		}
	}
}
