//go:build purego || !(amd64 || arm64)

package trees

func forestColumnsF32(dst, x []float32, rows, cols, stride int) {
	forestColumnsF32Generic(dst, x, rows, cols, stride)
}

func forestTestsF32(dst []uint64, values, thresholds []float32) {
	forestTestsF32Generic(dst, values, thresholds)
}

func forestTranspose(rows []uint64, words int) { forestTransposeGeneric(rows, words) }

func forestSelect(rows []uint64, ops []uint32) { forestSelectGeneric(rows, ops) }

func forestAddF64(scores []float64, planes []uint64, trees []uint8, leaves []float64) {
	forestAddF64Generic(scores, planes, trees, leaves)
}
