//go:build !purego

package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
)

func l2RowsF32(dst, q, a []float32, rows, cols, stride int) {
	l2RowsF32Generic(dst, q, a, rows, cols, stride)
}

func cosineRowsF32(dst, q, a []float32, rows, cols, stride int) {
	cosineRowsF32Generic(dst, q, a, rows, cols, stride)
}

//go:noescape
func dotBlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride int, lanes *[512]float32)

func dotBlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	if cpu.UseNEON && cols%4 == 0 {
		var lanes [512]float32
		dotBlockF32NEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, &lanes)
		return
	}
	dotBlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
}

//go:noescape
func l2BlockF32NEON(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride int, lanes *[512]float32)

func l2BlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	if cpu.UseNEON && cols%4 == 0 {
		var lanes [512]float32
		l2BlockF32NEON(dst, dstride, q, queries, qstride, a, rows, cols, stride, &lanes)
		return
	}
	l2BlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
}

//go:noescape
func cosinesF32NEON(dst []float32, xx float32, yy []float32)

// cosinesF32 converts the products in dst to cosines. It processes the tail in plain Go.
func cosinesF32(dst []float32, xx float32, yy []float32) {
	n := 0
	if cpu.UseNEON {
		n = len(dst) &^ 1
		cosinesF32NEON(dst[:n], xx, yy[:n])
	}
	cosinesF32Generic(dst[n:], xx, yy[n:])
}

//go:noescape
func fetchNEON(p unsafe.Pointer, size int)

func fetch(p unsafe.Pointer, size int) {
	if cpu.UseNEON {
		fetchNEON(p, size)
		return
	}
	fetchGeneric(p, size)
}
