//go:build purego || !(amd64 || arm64)

package trees

func walkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	return walkF64Generic(score, keys, cells, trees)
}
