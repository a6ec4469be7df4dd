//go:build purego || !amd64

package order

// mergeKeys has assembly for AVX-512 alone, where leaves of a quicksort have up to 128 keys. On
// neoverse-v2 two such halves would take 260 cycles to merge, by llvm-mca, and 128 keys 130 to
// split: other tiers sort leaves of 64.
func mergeKeys(keys []int64) { mergeKeysGeneric(keys) }
