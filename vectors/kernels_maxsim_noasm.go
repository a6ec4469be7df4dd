//go:build purego || !(amd64 || arm64)

package vectors

func maxSimF32(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int) {
	maxSimF32Generic(maxima, q, a, rows, cols, stride)
}

func maxSimI8(dst []float64, q, a []int8, cols, stride int, docs [][2]int) {
	maxSimI8Generic(dst, q, a, cols, stride, docs)
}
