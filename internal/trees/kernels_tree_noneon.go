//go:build purego || !amd64

package trees

// Kernels that have assembly on amd64 alone.

func bestSplitI64(cells []int64, start, total int64, alpha, lambda,
	minHess float64) (gain float64, bin int, sum int64) {
	return bestSplitI64Generic(cells, start, total, alpha, lambda, minHess)
}

func partitionRows(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, col []uint8,
	left *[4]uint64) int {
	return partitionRowsGeneric(rowsL, ghL, rows, gh, rowsR, ghR, col, left)
}
