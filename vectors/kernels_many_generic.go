package vectors

import (
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
)

// The plain Go kernels that compare queries with rows call the kernels for two vectors.

func l2RowsF32Generic(dst, q, a []float32, rows, cols, stride int) {
	for j := range rows {
		dst[j] = L2F32(q, a[j*stride:][:cols])
	}
}

func cosineRowsF32Generic(dst, q, a []float32, rows, cols, stride int) {
	for j := range rows {
		dst[j] = CosineF32(q, a[j*stride:][:cols])
	}
}

func dotBlockF32Generic(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride int) {
	for i := range queries {
		for j := range rows {
			dst[i*dstride+j] = kernels.DotF32(q[i*qstride:][:cols], a[j*stride:][:cols])
		}
	}
}

func l2BlockF32Generic(dst []float32, dstride int, q []float32, queries, qstride int, a []float32,
	rows, cols, stride int) {
	for i := range queries {
		for j := range rows {
			dst[i*dstride+j] = L2F32(q[i*qstride:][:cols], a[j*stride:][:cols])
		}
	}
}

// cosinesF32Generic converts the products in dst, of one vector x with other vectors, to cosines.
// xx is x·x, and yy contains the products of the other vectors with themselves.
func cosinesF32Generic(dst []float32, xx float32, yy []float32) {
	yy = yy[:len(dst)]
	for j, xy := range dst {
		dst[j] = cosineOf(xy, xx, yy[j])
	}
}

// fetchGeneric does nothing, because prefetching does not affect results.
func fetchGeneric(unsafe.Pointer, int) {}
