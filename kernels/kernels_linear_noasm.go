//go:build purego || !(amd64 || arm64)

package kernels

func dotF64(x, y []float64) float64 {
	if len(x) > blockLen {
		return dotF64Long(x, y)
	}
	return dotF64Generic(x, y)
}

func dotF32(x, y []float32) float32 {
	if len(x) > blockLen {
		return dotF32Long(x, y)
	}
	return dotF32Generic(x, y)
}

func dotF32Wide(x, y []float32) float64 {
	if len(x) > blockLen {
		return dotF32WideLong(x, y)
	}
	return dotF32WideGeneric(x, y)
}

func axpyF64(alpha float64, x, y []float64) { axpyF64Generic(alpha, x, y) }

func axpyF32(alpha float32, x, y []float32) { axpyF32Generic(alpha, x, y) }

func axpyDiffF64(alpha float64, a, b, y []float64) { axpyDiffF64Generic(alpha, a, b, y) }

func axpyDiffF32(alpha float32, a, b, y []float32) { axpyDiffF32Generic(alpha, a, b, y) }

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

func gemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	gemvTF64Generic(dst, a, rows, cols, stride, c)
}

func gemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	gemvTF32Generic(dst, a, rows, cols, stride, c)
}

func gemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	gemvTF32WideGeneric(dst, a, rows, cols, stride, c)
}

func spmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	return spmvF32WideGeneric(dst, offsets, index, value, x)
}

func spmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	return spmvTF32WideGeneric(dst, offsets, index, value, c)
}

func nonzerosF32(index []int32, value, row []float32, first int) int {
	return nonzerosF32Generic(index, value, row, first)
}
