//go:build purego || !amd64

package order

// gainsOfKeysF64 has assembly for AVX-512 alone: others have no faster way to 16 gains than a load
// per key.
func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	return gainsOfKeysF64Generic(dst, keys, gains)
}
