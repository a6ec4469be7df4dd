//go:build purego || !amd64

package order

// gainsOfKeysF64 has assembly only for AVX-512, because the other tiers cannot look up 16 gains
// faster than one key at a time.
func gainsOfKeysF64(dst []float64, keys []int64, gains *[16]float64) (tied bool) {
	return gainsOfKeysF64Generic(dst, keys, gains)
}
