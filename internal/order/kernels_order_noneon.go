//go:build purego || !amd64

package order

// Kernels that have assembly on amd64 alone.
//
// There is no compress in NEON, and Go compiles the partitions without a branch.

func partitionI64(lo, hi, src []int64, pivot int64) int {
	return partitionI64Generic(lo, hi, src, pivot)
}

func partitionCountI32(lo, hi, src []int32, pivot int32) (n int, positions int64) {
	return partitionCountI32Generic(lo, hi, src, pivot)
}

func mergeKeys(keys []int64) { mergeKeysGeneric(keys) }

func sortKeys(keys, tmp []int64) { sortKeysGeneric(keys, tmp) }
