//go:build purego || !(amd64 || arm64)

package kernels

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

func addGemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	addGemvTF64Generic(dst, a, rows, cols, stride, c)
}

func addGemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	addGemvTF32Generic(dst, a, rows, cols, stride, c)
}

func addGemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	addGemvTF32WideGeneric(dst, a, rows, cols, stride, c)
}

func spmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	return spmvF32WideGeneric(dst, offsets, index, value, x)
}

func addSpmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	return addSpmvTF32WideGeneric(dst, offsets, index, value, c)
}

func nonzerosF32(index []int32, value, row []float32, first int) int {
	return nonzerosF32Generic(index, value, row, first)
}
