//go:build purego || !amd64

package order

// mergeKeys has assembly only for AVX-512, whose quicksort has leaves of up to 128 keys. According
// to llvm-mca, merging two halves of such a leaf would take 260 cycles on neoverse-v2, and
// partitioning 128 keys takes 130 cycles. Therefore, other tiers use leaves of 64 keys.
func mergeKeys(keys []int64) { mergeKeysGeneric(keys) }
