//go:build purego || !amd64

package topk

// Kernels that have assembly on amd64 alone.

func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	return gainsOfKeysF64Generic(dst, keys, gains)
}

func topGainsF32(dst *[16]float64, keys []int64, x []float32, grades []uint8, gains *[16]float64,
	k int) (nan, ok bool) {
	return topGainsF32Generic(dst, keys, x, grades, gains, k)
}
