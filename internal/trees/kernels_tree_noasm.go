//go:build purego || !(amd64 || arm64)

package trees

func histogramU8(hist []int64, bins []uint8, stride int, _ []uint8, _ int, rows []uint32, gh []int64, tile []uint8) {
	histogramU8Generic(hist, bins, stride, rows, gh, tile)
}

func subI64(dst, a, b []int64) {
	subI64Generic(dst, a, b)
}

func bestSplitI64(cells []int64, start, total int64, alpha, lambda, minHess,
	bar float64) (gain float64, bin int, sum int64) {
	return bestSplitI64Generic(cells, start, total, alpha, lambda, minHess, bar)
}

func partitionRows(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8,
	stride int, left *[4]uint64) int {
	return partitionRowsGeneric(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
}

func binF32(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	return binF32Generic(dst, x, stride, bounds, zeroMissing)
}

func interleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	interleaveU8Generic(dst, stride, cols, pitch, n)
}
