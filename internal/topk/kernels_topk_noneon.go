//go:build purego || !amd64

package topk

// Kernels that have assembly on amd64 alone.

func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	return gainsOfKeysF64Generic(dst, keys, gains)
}
