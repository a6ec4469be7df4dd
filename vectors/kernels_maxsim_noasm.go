//go:build purego || !(amd64 || arm64)

package vectors

func maxSimF32(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int) {
	maxSimF32Generic(maxima, q, a, rows, cols, stride)
}
