package vectors

import "github.com/simdrank/simdrank/kernels"

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
