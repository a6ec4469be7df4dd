//go:build purego || !(amd64 || arm64)

package trees

func forestKeysF32(dst []int32, x []float32, rows, cols, stride int) (nan bool) {
	return forestKeysF32Generic(dst, x, rows, cols, stride)
}

func forestAddF64(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	forestAddF64Generic(scores, keys, nodes, words, leaves)
}
