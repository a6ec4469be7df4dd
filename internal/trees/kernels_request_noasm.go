//go:build purego || !(amd64 || arm64)

package trees

func documentWalkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	return documentWalkF64Generic(score, keys, cells, trees)
}
