//go:build !purego

package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/kernels"
)

//go:noescape
func l2RowsF32AVX512(dst, q, a []float32, rows, cols, stride int)

func l2RowsF32(dst, q, a []float32, rows, cols, stride int) {
	if cpu.UseAVX512 {
		l2RowsF32AVX512(dst, q, a, rows, cols, stride)
		return
	}
	l2RowsF32Generic(dst, q, a, rows, cols, stride)
}

//go:noescape
func cosineRowsF32AVX512(dst, q, a []float32, rows, cols, stride int, qq float32)

func cosineRowsF32(dst, q, a []float32, rows, cols, stride int) {
	if cpu.UseAVX512 {
		cosineRowsF32AVX512(dst, q, a, rows, cols, stride, kernels.DotF32(q, q))
		return
	}
	cosineRowsF32Generic(dst, q, a, rows, cols, stride)
}

// linesAhead returns the number of cache lines to prefetch for every two queries and four rows. The
// lines follow the current rows, so that the next rows are in L2 when they are needed.
func linesAhead(a []float32, queries, rows, stride int) int {
	return max(0, min(rows*stride, len(a)-rows*stride)/16/(queries/2*(rows/4))+1)
}

//go:noescape
func dotBlockF32AVX2(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride, lines int, lanes *[528]float32)

//go:noescape
func dotBlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride, lines int)

func dotBlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	switch {
	case cpu.UseAVX512:
		dotBlockF32AVX512(dst, dstride, q, queries, qstride, a, rows, cols, stride,
			linesAhead(a, queries, rows, stride))
	case cpu.UseAVX2 && cols >= 8:
		var lanes [528]float32
		dotBlockF32AVX2(dst, dstride, q, queries, qstride, a, rows, cols, stride,
			linesAhead(a, queries, rows, stride), &lanes)
	default:
		dotBlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
	}
}

//go:noescape
func l2BlockF32AVX2(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride, lines int, lanes *[528]float32)

//go:noescape
func l2BlockF32AVX512(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride, lines int)

func l2BlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	switch {
	case cpu.UseAVX512:
		l2BlockF32AVX512(dst, dstride, q, queries, qstride, a, rows, cols, stride,
			linesAhead(a, queries, rows, stride))
	case cpu.UseAVX2 && cols >= 8:
		var lanes [528]float32
		l2BlockF32AVX2(dst, dstride, q, queries, qstride, a, rows, cols, stride,
			linesAhead(a, queries, rows, stride), &lanes)
	default:
		l2BlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
	}
}

//go:noescape
func cosinesF32AVX2(dst []float32, xx float32, yy []float32)

//go:noescape
func cosinesF32AVX512(dst []float32, xx float32, yy []float32)

// cosinesF32 converts the products in dst to cosines. It processes the tail in plain Go.
func cosinesF32(dst []float32, xx float32, yy []float32) {
	n := 0
	switch {
	case cpu.UseAVX512:
		n = len(dst) &^ 7
		cosinesF32AVX512(dst[:n], xx, yy[:n])
	case cpu.UseAVX2:
		n = len(dst) &^ 3
		cosinesF32AVX2(dst[:n], xx, yy[:n])
	}
	cosinesF32Generic(dst[n:], xx, yy[n:])
}

//go:noescape
func fetchAVX2(p unsafe.Pointer, size int)

func fetch(p unsafe.Pointer, size int) {
	if cpu.UseAVX2 || cpu.UseAVX512 {
		fetchAVX2(p, size)
		return
	}
	fetchGeneric(p, size)
}
