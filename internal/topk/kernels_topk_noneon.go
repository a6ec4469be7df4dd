//go:build purego || !amd64

package topk

// Kernels that have assembly on amd64 alone.

func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	return gainsOfKeysF64Generic(dst, keys, gains)
}

func rankGainsF32(dst []float64, keys, tmp []int64, x []float32, grades []uint8,
	gains *[16]float64) (nan, ok bool) {
	return rankGainsF32Generic(dst, keys, tmp, x, grades, gains)
}
