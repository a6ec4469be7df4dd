//go:build purego || !(amd64 || arm64)

package trees

func forestAddF64(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	forestAddF64Generic(scores, keys, nodes, words, leaves)
}
