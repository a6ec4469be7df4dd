package kernels

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

// GemvF64 sets dst = A·x for the row-major matrix A of rows × cols elements whose row
// i starts at a[i·stride]: the scores of rows documents under the weights x. dst holds rows elements, x holds cols, stride is at
// least cols, and a reaches at least to the end of the last row. What lies
// between the rows is not used. Rows are fastest when each starts on a
// 64-byte boundary.
//
// Each dst[i] has the bits of [DotF64] of row i and x, in its order of
// operations; rows may therefore be shared out over threads in any way.
//
// It panics when a length or the stride does not fit, and when dst overlaps a or x.
func GemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	if kern.Race {
		gemvF64Checked(dst, a, rows, cols, stride, x)
		return
	}
	gemvF64(dst, a, rows, cols, stride, x)
}

// GemvF32 is [GemvF64] in float32: each dst[i] has the bits of [DotF32].
func GemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	if kern.Race {
		gemvF32Checked(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32(dst, a, rows, cols, stride, x)
}

// GemvF32Wide is [GemvF64] with a float32 matrix and float64 vectors: each
// dst[i] has the bits of [DotF64] of the row converted to float64, and x.
func GemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	if kern.Race {
		gemvF32WideChecked(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32Wide(dst, a, rows, cols, stride, x)
}

// GemvTF64 adds Aᵀ·c to dst for the matrix A of [GemvF64]: the gradient that
// the coefficients c of the documents make. dst holds cols elements, c holds
// rows.
//
// Order of operations: for each column j, over the rows i in order,
// dst[j] = c[i]·a[i·stride+j] + dst[j] as one fused multiply-add. That is [AxpyF64] with each row
// in turn. Rows with c[i] = 0 are not skipped: what is not finite in them shows.
//
// It panics when a length or the stride does not fit, and when dst overlaps a or c.
func GemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	if kern.Race {
		gemvTF64Checked(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF64(dst, a, rows, cols, stride, c)
}

// GemvTF32 is [GemvTF64] in float32.
func GemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	if kern.Race {
		gemvTF32Checked(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32(dst, a, rows, cols, stride, c)
}

// GemvTF32Wide is [GemvTF64] with a float32 matrix, each element converted to
// float64, and float64 vectors.
func GemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	if kern.Race {
		gemvTF32WideChecked(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32Wide(dst, a, rows, cols, stride, c)
}

// gemvF64Checked panics when the operands do not fit, and cuts them into calls of gemvF64Rows, which
// branches on the tier. On amd64, gemvF64 comes here with what it does not take by itself.
func gemvF64Checked(dst, a []float64, rows, cols, stride int, x []float64) {
	checkGemv("GemvF64", dst, a, rows, cols, stride, x)
	if cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		for i := range rows {
			dst[i] = DotF64(a[i*stride:i*stride+cols], x)
		}
		return
	}
	for i, n := 0, gemvRows(rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvF64Rows(dst[i:i+m], a[i*stride:], m, cols, stride, x)
	}
}

func gemvF32Checked(dst, a []float32, rows, cols, stride int, x []float32) {
	checkGemv("GemvF32", dst, a, rows, cols, stride, x)
	if cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		for i := range rows {
			dst[i] = DotF32(a[i*stride:i*stride+cols], x)
		}
		return
	}
	for i, n := 0, rowsOf(4*kern.BlockLen, rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvF32Rows(dst[i:i+m], a[i*stride:], m, cols, stride, x)
	}
}

func gemvF32WideChecked(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	checkGemv("GemvF32Wide", dst, a, rows, cols, stride, x)
	if cols == 0 {
		clear(dst)
		return
	}
	if cols > kern.BlockLen {
		gemvF32WideLong(dst, a, rows, cols, stride, x)
		return
	}
	for i, n := 0, gemvRows(rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvF32WideRows(dst[i:i+m], a[i*stride:], m, cols, stride, x)
	}
}

// gemvTF64Checked does for the transpose what gemvF64Checked does for gemv.
func gemvTF64Checked(dst, a []float64, rows, cols, stride int, c []float64) {
	checkGemvT("GemvTF64", dst, a, rows, cols, stride, c)
	if cols == 0 {
		return
	}
	for i, n := 0, rowsOf(1<<17, rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvTF64Rows(dst, a[i*stride:], m, cols, stride, c[i:i+m])
	}
}

func gemvTF32Checked(dst, a []float32, rows, cols, stride int, c []float32) {
	checkGemvT("GemvTF32", dst, a, rows, cols, stride, c)
	if cols == 0 {
		return
	}
	for i, n := 0, rowsOf(1<<18, rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvTF32Rows(dst, a[i*stride:], m, cols, stride, c[i:i+m])
	}
}

func gemvTF32WideChecked(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	checkGemvT("GemvTF32Wide", dst, a, rows, cols, stride, c)
	if cols == 0 {
		return
	}
	for i, n := 0, gemvTRows(rows, cols); i < rows; i += n {
		m := min(n, rows-i)
		gemvTF32WideRows(dst, a[i*stride:], m, cols, stride, c[i:i+m])
	}
}

// gemvF32WideLong takes rows longer than kern.BlockLen block by block.
func gemvF32WideLong(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	for i := range rows {
		row := a[i*stride : i*stride+cols]
		gemvF32WideRows(dst[i:i+1], row, 1, kern.BlockLen, kern.BlockLen, x[:kern.BlockLen])
		sum := dst[i]
		for j := kern.BlockLen; j < cols; j += kern.BlockLen {
			end := min(j+kern.BlockLen, cols)
			gemvF32WideRows(dst[i:i+1], row[j:], 1, end-j, end-j, x[j:end])
			sum += dst[i]
		}
		dst[i] = sum
	}
}

// gemvRows returns how many rows make a call of about 1 MiB, so that the
// scheduler can preempt between calls. Neither gemv nor its transpose shows the cut.
func gemvRows(rows, cols int) int { return rowsOf(2*kern.BlockLen, rows, cols) }

// gemvTRows returns how many rows make a call of the wide transpose, which AVX2 walks over
// once for each strip of columns that it holds in registers: they stay in the L2 cache.
func gemvTRows(rows, cols int) int { return rowsOf(1<<17, rows, cols) }

// rowsOf returns how many rows have about n elements: all of them, without the price of a
// division, when they have no more.
func rowsOf(n, rows, cols int) int {
	if hi, lo := bits.Mul(uint(rows), uint(cols)); hi == 0 && lo <= uint(n) {
		return max(1, rows)
	}
	return max(1, n/max(1, cols))
}

// checkGemv panics when the shapes of a gemv do not fit.
func checkGemv[V, M any](kernel string, dst []V, a []M, rows, cols, stride int, x []V) {
	switch {
	case len(dst) != rows:
		panic(kern.Lengths(kernel+": len(dst) and rows differ", len(dst), rows))
	case len(x) != cols:
		panic(kern.Lengths(kernel+": len(x) and cols differ", len(x), cols))
	case kern.Overlaps(dst, x):
		panic(kern.OverlapError(kernel + ": dst kern.Overlaps x"))
	}
	checkMatrix(kernel, dst, a, rows, cols, stride)
}

// checkGemvT does so for the transpose.
func checkGemvT[V, M any](kernel string, dst []V, a []M, rows, cols, stride int, c []V) {
	switch {
	case len(dst) != cols:
		panic(kern.Lengths(kernel+": len(dst) and cols differ", len(dst), cols))
	case len(c) != rows:
		panic(kern.Lengths(kernel+": len(c) and rows differ", len(c), rows))
	case kern.Overlaps(dst, c):
		panic(kern.OverlapError(kernel + ": dst kern.Overlaps c"))
	}
	checkMatrix(kernel, dst, a, rows, cols, stride)
}

func checkMatrix[V, M any](kernel string, dst []V, a []M, rows, cols, stride int) {
	switch {
	case stride < cols:
		panic(kern.Lengths(kernel+": stride is less than cols", stride, cols))
	case rows > 0 && !holds(len(a), rows, cols, stride):
		panic(kern.Lengths(kernel+": a ends before its last row: len(a) and rows", len(a), rows))
	case kern.Overlaps(dst, a):
		panic(kern.OverlapError(kernel + ": dst kern.Overlaps a"))
	}
}

// holds reports whether n elements reach to the end of the last row.
func holds(n, rows, cols, stride int) bool {
	hi, lo := bits.Mul(uint(rows-1), uint(stride))
	return n >= cols && hi == 0 && lo <= uint(n-cols)
}
