//go:build purego || !amd64

package trees

// Kernels that have assembly on amd64 alone.

func bestSplitI64(cells []int64, start, total int64, alpha, lambda, minHess,
	bar float64) (gain float64, bin int, sum int64) {
	return bestSplitI64Generic(cells, start, total, alpha, lambda, minHess, bar)
}

func partitionRows(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8,
	stride int, left *[4]uint64) int {
	return partitionRowsGeneric(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
}
