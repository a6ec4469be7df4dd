//go:build purego || !amd64

package order

// The loops of SpreadI64 count and move one key after the other. On amd64 they have assembly for
// vectors that find the cells, and to fetch where keys go.
func tallyI64(cells []uint32, keys []int64, lo int64, shift int) {
	tallyI64Generic(cells, keys, lo, shift)
}

func moveI64(dst []int64, cells []uint32, keys []int64, lo int64, shift int) {
	moveI64Generic(dst, cells, keys, lo, shift)
}

// mergeKeys has assembly for AVX-512 alone, where leaves of a quicksort have up to 128 keys. On
// neoverse-v2 two such halves would take 260 cycles to merge, by llvm-mca, and 128 keys 130 to
// split: other tiers sort leaves of 64.
func mergeKeys(keys []int64) { mergeKeysGeneric(keys) }
