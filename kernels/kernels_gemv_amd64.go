//go:build !purego

package kernels

import (
	"math"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// At the end of a row, a masked load of a vector reaches beyond the row. This is harmless before
// pageEnd, the end of the page in which the matrix ends. The page after it may be unmapped, which
// makes the load slow.

func pageEnd[T any](a []T, rows, cols, stride int) uintptr {
	last := uintptr(unsafe.Pointer(&a[(rows-1)*stride+cols-1]))
	return last&^4095 + 4096
}

// wholeRows returns the number of rows that a gemv kernel may process if it loads the last vector
// of each row under a mask, without a check. In the remaining rows at the end, such a load would
// reach beyond the page. The AVX2 kernel, which checks each row, must process them.
func wholeRows[T any](a []T, rows, cols, stride, lanes int) int {
	end := pageEnd(a, rows, cols, stride) - uintptr(lanes)*unsafe.Sizeof(a[0])
	for first := (cols - 1) &^ (lanes - 1); rows > 0 && uintptr(unsafe.Pointer(&a[(rows-1)*stride+first])) > end; {
		rows--
	}
	return rows
}

// fourRows returns the number of rows that the AVX2 gemv kernels process four at a time. The
// remaining rows are processed one by one. The result is 0 if the matrix does not fit in L1 and its
// rows exceed a limit. The limit is gemvFour bytes if the matrix fits in L2, and far bytes
// otherwise.
func fourRows[T any](a []T, rows, cols, stride, lanes, far int) int {
	size := int(unsafe.Sizeof(a[0]))
	longest := far
	if len(a) <= gemvL2/size {
		longest = gemvFour
	}
	if stride > longest/size && rows*stride > gemvL1/size {
		return 0
	}
	return wholeRows(a, rows, cols, stride, lanes) &^ 3
}

// edgeCols returns the number of columns that plain Go must process in the transpose. These are the
// columns after the last whole vector. The result is 0 if a masked load of these columns stays
// within the page in dst and in the last row.
func edgeCols[D, T any](dst []D, a []T, rows, cols, stride, lanes int) int {
	rest := cols % lanes
	if rest == 0 {
		return 0
	}
	first := cols - rest
	d, e := uintptr(unsafe.Pointer(&dst[first])), uintptr(unsafe.Pointer(&a[(rows-1)*stride+first]))
	if d+uintptr(lanes)*unsafe.Sizeof(dst[0]) > pageEnd(dst, 1, cols, cols) ||
		e+uintptr(lanes)*unsafe.Sizeof(a[0]) > pageEnd(a, rows, cols, stride) {
		return rest
	}
	return 0
}

//go:noescape
func gemvF64AVX2(dst, a []float64, rows, cols, stride int, x []float64)

//go:noescape
func gemvF64FourAVX2(dst, a []float64, rows, cols, stride int, x []float64)

//go:noescape
func gemvF64AVX512(dst, a []float64, rows, cols, stride int, x []float64)

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		n := wholeRows(a, rows, cols, stride, 8)
		if n > 0 {
			gemvF64AVX512(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF64AVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	case cpu.UseAVX2:
		n := fourRows(a, rows, cols, stride, 4, 0)
		if n > 0 {
			gemvF64FourAVX2(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF64AVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	default:
		gemvF64Generic(dst, a, rows, cols, stride, x)
	}
}

//go:noescape
func gemvF32AVX2(dst, a []float32, rows, cols, stride int, x []float32)

//go:noescape
func gemvF32FourAVX2(dst, a []float32, rows, cols, stride int, x []float32)

//go:noescape
func gemvF32AVX512(dst, a []float32, rows, cols, stride int, x []float32)

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		n := wholeRows(a, rows, cols, stride, 16)
		if n > 0 {
			gemvF32AVX512(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF32AVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	case cpu.UseAVX2:
		n := fourRows(a, rows, cols, stride, 8, 0)
		if n > 0 {
			gemvF32FourAVX2(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF32AVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	default:
		gemvF32Generic(dst, a, rows, cols, stride, x)
	}
}

//go:noescape
func gemvF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)

//go:noescape
func gemvF32WideFourAVX2(dst []float64, a []float32, rows, cols, stride int, x []float64)

//go:noescape
func gemvF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)

//go:noescape
func gemvF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, x []float64)

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		n := wholeRows(a, rows, cols, stride, 8)
		switch {
		case n == 0:
		case cpu.UseFP512:
			gemvF32WideAVX512(dst, a, n, cols, stride, x)
		default:
			gemvF32WideSplit(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF32WideAVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	case cpu.UseAVX2:
		n := fourRows(a, rows, cols, stride, 4, gemvFourFar)
		if n > 0 {
			gemvF32WideFourAVX2(dst, a, n, cols, stride, x)
		}
		if n < rows {
			gemvF32WideAVX2(dst[n:], a[n*stride:], rows-n, cols, stride, x)
		}
	default:
		gemvF32WideGeneric(dst, a, rows, cols, stride, x)
	}
}

// gemvF32WideSplit is for processors that split 512-bit operations. On a Zen 4, its 256-bit
// conversions make it 1.24 to 1.47 times as fast as gemvF32WideAVX512. If the matrix is in memory,
// a single stream of rows is faster. The assembly requires at least six rows and 32 columns. If
// rows have more than gemvSplit columns, six rows and the next six rows do not fit in L1.
func gemvF32WideSplit(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	if rows < 6 || cols < 32 || cols > gemvSplit || len(a) > gemvMemory/4 {
		gemvF32WideAVX512(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32WideSplitAVX512(dst, a, rows, cols, stride, x)
}

// stripsSplit reports whether the processor splits 512-bit operations and the AVX-512 transposes
// would divide rows of cols columns into strips. lanes is the number of elements per vector. If the
// matrix is in memory, the avx2 code processes such rows, because it reads them in order. On a Zen
// 4, one stream is up to 2.5 times as fast as strips.
func stripsSplit(cols, lanes int) bool { return cols > 28*lanes && !cpu.UseFP512 }

//go:noescape
func addGemvTF64AVX2(dst, a []float64, rows, cols, stride int, c []float64)

//go:noescape
func addGemvTF64AVX512(dst, a []float64, rows, cols, stride int, c []float64)

func addGemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	lanes := 4
	if cpu.UseAVX512 {
		lanes = 8
	} else if !cpu.UseAVX2 {
		addGemvTF64Generic(dst, a, rows, cols, stride, c)
		return
	}
	if n := edgeCols(dst, a, rows, cols, stride, lanes); n > 0 {
		cols -= n
		addGemvTF64Generic(dst[cols:], a[cols:], rows, n, stride, c)
	}
	switch {
	case cols == 0:
	case cpu.UseAVX512 && !(stripsSplit(cols, 8) && len(a) > gemvMemory/8):
		addGemvTF64AVX512(dst, a, rows, cols, stride, c)
	default:
		addGemvTF64AVX2(dst, a, rows, cols, stride, c)
	}
}

//go:noescape
func addGemvTF32AVX2(dst, a []float32, rows, cols, stride int, c []float32)

//go:noescape
func addGemvTF32AVX512(dst, a []float32, rows, cols, stride int, c []float32)

func addGemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	lanes := 8
	if cpu.UseAVX512 {
		lanes = 16
	} else if !cpu.UseAVX2 {
		addGemvTF32Generic(dst, a, rows, cols, stride, c)
		return
	}
	if n := edgeCols(dst, a, rows, cols, stride, lanes); n > 0 {
		cols -= n
		addGemvTF32Generic(dst[cols:], a[cols:], rows, n, stride, c)
	}
	switch {
	case cols == 0:
	case cpu.UseAVX512 && !(stripsSplit(cols, 16) && len(a) > gemvMemory/4):
		addGemvTF32AVX512(dst, a, rows, cols, stride, c)
	default:
		addGemvTF32AVX2(dst, a, rows, cols, stride, c)
	}
}

//go:noescape
func addGemvTF32WideAVX2(dst []float64, a []float32, rows, cols, stride int, c []float64)

//go:noescape
func addGemvTF32WideAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)

//go:noescape
func addGemvTF32WideSplitAVX512(dst []float64, a []float32, rows, cols, stride int, c []float64)

// addGemvTF32WideSplit is for processors that split 512-bit operations. Its assembly processes rows
// in order, with up to 112 columns in registers. On a Zen 4, this is 1.36 to 1.66 times as fast as
// 512-bit strips, unless the matrix is in L1. Rows of more than addGemvTSplit columns, or
// addGemvTSplitMemory columns if the matrix is in memory, are processed by the avx2 code, which
// also converts with 256 bits, if the matrix fits in L2, and by addGemvTF32WideAVX512 otherwise.
func addGemvTF32WideSplit(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	switch {
	case cols <= addGemvTSplit, cols <= addGemvTSplitMemory && len(a) > gemvMemory/4:
		addGemvTF32WideSplitAVX512(dst, a, rows, cols, stride, c)
	case len(a) <= gemvL2/4:
		addGemvTF32WideAVX2(dst, a, rows, cols, stride, c)
	default:
		addGemvTF32WideAVX512(dst, a, rows, cols, stride, c)
	}
}

func addGemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	lanes := 4
	if cpu.UseAVX512 {
		lanes = 8
	} else if !cpu.UseAVX2 {
		addGemvTF32WideGeneric(dst, a, rows, cols, stride, c)
		return
	}
	if n := edgeCols(dst, a, rows, cols, stride, lanes); n > 0 {
		cols -= n
		addGemvTF32WideGeneric(dst[cols:], a[cols:], rows, n, stride, c)
	}
	switch {
	case cols == 0:
	case cpu.UseFP512:
		addGemvTF32WideAVX512(dst, a, rows, cols, stride, c)
	case cpu.UseAVX512:
		addGemvTF32WideSplit(dst, a, rows, cols, stride, c)
	default:
		addGemvTF32WideAVX2(dst, a, rows, cols, stride, c)
	}
}

//go:noescape
func spmvF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, x []float64) int

func spmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	kern.RaceRead(offsets)
	kern.RaceRead(index[offsets[0]:offsets[len(dst)]])
	kern.RaceRead(value[offsets[0]:offsets[len(dst)]])
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	// The assembly compares indices as unsigned 32-bit numbers, so negative indices are too large.
	if (cpu.UseAVX2 || cpu.UseAVX512) && len(x) <= math.MaxInt32 {
		return spmvF32WideAVX2(dst, offsets, index, value, x)
	}
	return spmvF32WideGeneric(dst, offsets, index, value, x)
}

//go:noescape
func addSpmvTF32WideAVX2(dst []float64, offsets []int, index []int32, value []float32, c []float64) int

func addSpmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	kern.RaceRead(offsets)
	kern.RaceRead(index[offsets[0]:offsets[len(c)]])
	kern.RaceRead(value[offsets[0]:offsets[len(c)]])
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	// len(dst) is limited for the same reason as len(x) in spmvF32Wide.
	if (cpu.UseAVX2 || cpu.UseAVX512) && len(dst) <= math.MaxInt32 {
		return addSpmvTF32WideAVX2(dst, offsets, index, value, c)
	}
	return addSpmvTF32WideGeneric(dst, offsets, index, value, c)
}

//go:noescape
func nonzerosF32AVX2(index []int32, value, row []float32, first int) int

//go:noescape
func nonzerosF32AVX512(index []int32, value, row []float32, first int) int

func nonzerosF32(index []int32, value, row []float32, first int) (n int) {
	kern.RaceRead(row)
	switch {
	case cpu.UseAVX512:
		n = nonzerosF32AVX512(index, value, row, first)
	case cpu.UseAVX2:
		n = nonzerosF32AVX2(index, value, row, first)
	default:
		n = nonzerosF32Generic(index, value, row, first)
	}
	kern.RaceWrite(index[:n])
	kern.RaceWrite(value[:n])
	return n
}
