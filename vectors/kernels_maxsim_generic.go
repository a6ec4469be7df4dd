package vectors

import (
	"math"

	"github.com/simdrank/simdrank/kernels"
)

// maxSimF32Generic sets maxima[i] to the maximum of maxima[i] and the dot products of query token i
// of the panel q and rows of a, or to NaN if one of them is NaN.
func maxSimF32Generic(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int) {
	for j := range rows {
		var sums [maxSimLanes]float32
		for k, v := range a[j*stride:][:cols] {
			kernels.AxpyF32(v, q[k*maxSimLanes:][:maxSimLanes], sums[:])
		}
		for i, v := range sums {
			maxima[i] = max(maxima[i], v)
		}
	}
}

// maxSimI8Generic computes exact scores, in float32 if it is exact.
func maxSimI8Generic(dst []float64, q, a []int8, cols, stride int, docs [][2]int) {
	if cols <= maxSimExact {
		maxSim(dst, q, a, cols, stride, docs)
		return
	}
	for i, doc := range docs {
		var sum float64
		for k := 0; k < len(q); k += cols {
			best := math.Inf(-1)
			for j := doc[0]; j < doc[1]; j++ {
				best = max(best, float64(DotI8(q[k:][:cols], a[j*stride:][:cols])))
			}
			sum += best
		}
		dst[i] = sum
	}
}
