//go:build purego || !amd64

package kernels

// Kernels that have assembly on amd64 alone.

func pairSweep(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx,
	sy []float64) int {
	return pairSweepGeneric(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
}
