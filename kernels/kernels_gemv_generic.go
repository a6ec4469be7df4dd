package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

func gemvF64Generic(dst, a []float64, rows, cols, stride int, x []float64) {
	for i := range rows {
		dst[i] = dotF64Generic(a[i*stride:i*stride+cols], x)
	}
}

func gemvF32Generic(dst, a []float32, rows, cols, stride int, x []float32) {
	for i := range rows {
		dst[i] = dotF32Generic(a[i*stride:i*stride+cols], x)
	}
}

func gemvF32WideGeneric(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	for i := range rows {
		dst[i] = dotMixedGeneric(a[i*stride:i*stride+cols], x)
	}
}

// dotMixedGeneric is like dotF64Generic, but converts x to float64.
func dotMixedGeneric(x []float32, y []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	var lane [32]float64
	n := min(32, len(x))
	a, b := x[:n], y[:n]
	for k := range a {
		lane[k] = float64(a[k]) * b[k]
	}
	kern.ClearLanes(lane[n:])
	for x, y = x[n:], y[n:]; len(x) > 0; x, y = x[n:], y[n:] {
		n = min(32, len(x))
		a, b := x[:n], y[:n]
		for k := range a {
			lane[k] = math.FMA(float64(a[k]), b[k], lane[k])
		}
	}
	return kern.SumLanesF64(&lane)
}

func addGemvTF64Generic(dst, a []float64, rows, cols, stride int, c []float64) {
	for i := range rows {
		axpyF64Generic(c[i], a[i*stride:i*stride+cols], dst)
	}
}

func addGemvTF32Generic(dst, a []float32, rows, cols, stride int, c []float32) {
	for i := range rows {
		axpyF32Generic(c[i], a[i*stride:i*stride+cols], dst)
	}
}

func addGemvTF32WideGeneric(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	for i := range rows {
		row, ci := a[i*stride:i*stride+cols], c[i]
		for j := range row {
			dst[j] = math.FMA(ci, float64(row[j]), dst[j])
		}
	}
}

// spmvF32WideGeneric returns the number of rows before the first row with an invalid index.
func spmvF32WideGeneric(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	for i := range dst {
		var lane [32]float64
		kern.ClearLanes(lane[:])
		sum, end := 0.0, kern.BlockLen // sum of the previous blocks, and end of the current block of columns
		value := value[offsets[i]:offsets[i+1]]
		for k, j := range index[offsets[i]:offsets[i+1]] {
			if uint(j) >= uint(len(x)) {
				return i
			}
			if int(j) >= end {
				sum += kern.SumLanesF64(&lane)
				kern.ClearLanes(lane[:])
				end = (int(j)/kern.BlockLen + 1) * kern.BlockLen
			}
			l := &lane[j%32]
			*l = math.FMA(float64(value[k]), x[j], *l)
		}
		dst[i] = sum + kern.SumLanesF64(&lane)
	}
	return len(dst)
}

func addSpmvTF32WideGeneric(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	for i, ci := range c {
		value := value[offsets[i]:offsets[i+1]]
		for k, j := range index[offsets[i]:offsets[i+1]] {
			if uint(j) >= uint(len(dst)) {
				return i
			}
			dst[j] = math.FMA(ci, float64(value[k]), dst[j])
		}
	}
	return len(c)
}

// nonzerosF32Generic stores the nonzero elements of row and their indices, which are counted from
// first. It returns the number of nonzero elements.
func nonzerosF32Generic(index []int32, value, row []float32, first int) int {
	n := 0
	for i, v := range row {
		if v != 0 {
			index[n], value[n] = int32(first+i), v
			n++
		}
	}
	return n
}
