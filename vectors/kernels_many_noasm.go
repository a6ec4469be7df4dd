//go:build purego || !(amd64 || arm64)

package vectors

import "unsafe"

func l2RowsF32(dst, q, a []float32, rows, cols, stride int) {
	l2RowsF32Generic(dst, q, a, rows, cols, stride)
}

func cosineRowsF32(dst, q, a []float32, rows, cols, stride int) {
	cosineRowsF32Generic(dst, q, a, rows, cols, stride)
}

func dotBlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	dotBlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
}

func l2BlockF32(dst []float32, dstride int, q []float32, queries, qstride int, a []float32, rows, cols, stride int) {
	l2BlockF32Generic(dst, dstride, q, queries, qstride, a, rows, cols, stride)
}

func cosinesF32(dst []float32, xx float32, yy []float32) { cosinesF32Generic(dst, xx, yy) }

func fetch(p unsafe.Pointer, size int) { fetchGeneric(p, size) }
