//go:build purego || !(amd64 || arm64)

package kernels

func expF64(dst, x []float64) { expF64Generic(dst, x) }

func pairSquaredHinge(c, z []float64, lower []int32, from, to int, acc *[4][8]float64) {
	pairSquaredHingeGeneric(c, z, lower, from, to, acc)
}

func pairHuberHinge(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64) {
	pairHuberHingeGeneric(c, z, lower, inv, half, from, to, acc)
}

func pairLogistic(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64) {
	pairLogisticGeneric(c, e, f, lower, from, to, acc)
}

func pairSweep(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx,
	sy []float64) int {
	return pairSweepGeneric(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
}
