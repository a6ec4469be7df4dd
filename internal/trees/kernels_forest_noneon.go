//go:build purego || !amd64

package trees

// Kernels that have assembly on amd64 alone.

func forestKeysF32(dst []int32, x []float32, rows, cols, stride int) (nan bool) {
	return forestKeysF32Generic(dst, x, rows, cols, stride)
}
