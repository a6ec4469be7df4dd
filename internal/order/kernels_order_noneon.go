//go:build purego || !amd64

package order

// Kernels that have assembly on amd64 alone.

func mergeKeys(keys []int64) { mergeKeysGeneric(keys) }
