//go:build purego || !(amd64 || arm64)

package order

func scanF64(x []float64) (lo, hi float64, flags uint64) { return scanF64Generic(x) }

func linearKeysF64(dst []int32, x []float64, mid, scale float64) {
	linearKeysF64Generic(dst, x, mid, scale)
}

func floatKeysF64(dst []int32, x []float64) { floatKeysF64Generic(dst, x) }

func floatKeysF32(dst []int32, x []float32) (nan bool) { return floatKeysF32Generic(dst, x) }

func packKeys(dst []int64, x, y []int32) { packKeysGeneric(dst, x, y) }

func partitionI64(lo, hi, src []int64, pivot int64) int {
	return partitionI64Generic(lo, hi, src, pivot)
}

func tallyI64(cells []uint32, keys []int64, lo int64, shift int) {
	tallyI64Generic(cells, keys, lo, shift)
}

func moveI64(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	moveI64Generic(dst, cells, keys, lo, shift)
}

func sortI64(dst, src []int64) { sortI64Generic(dst, src) }

func splitKeys(y []int32, newX, newKey []uint8, keys []int64) {
	splitKeysGeneric(y, newX, newKey, keys)
}

func partitionCountI32(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	return partitionCountI32Generic(lo, hi, src, pivot)
}

func inversionsI32(a []int32) (inversions, equal int64) { return inversionsI32Generic(a) }

func countPairsF64(x, y []float64) (concordant, discordant, untiedX, untiedY int64) {
	return countPairsF64Generic(x, y)
}

func filterI32(dst, keys []int32, filter []uint64) int { return filterI32Generic(dst, keys, filter) }

func sortKeys(keys, tmp []int64) { sortKeysGeneric(keys, tmp) }
