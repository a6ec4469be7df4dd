//go:build purego || !(amd64 || arm64)

package trees

func histogramU8(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64) {
	histogramU8Generic(hist, bins, stride, rows, gh)
}

func subI64(dst, a, b []int64) {
	subI64Generic(dst, a, b)
}

func binF32(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	return binF32Generic(dst, x, stride, bounds, zeroMissing)
}

func interleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	interleaveU8Generic(dst, stride, cols, pitch, n)
}
