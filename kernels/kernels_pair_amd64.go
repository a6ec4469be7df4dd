//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/cpu"

func expF64(dst, x []float64) { expF64Generic(dst, x) }

func log1pExpF64(dst, x []float64) { log1pExpF64Generic(dst, x) }

func pairSquaredHinge(c, z []float64, lower []int32, from, to int, acc *[4][8]float64) {
	switch {
	case cpu.UseAVX512:
		raceWrite(c)
		raceRead(z)
		raceRead(lower)
		pairSquaredHingeAVX512(c, z, lower, from, to, acc)
	default:
		pairSquaredHingeGeneric(c, z, lower, from, to, acc)
	}
}

//go:noescape
func pairSquaredHingeAVX512(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairHuberHinge(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64) {
	switch {
	case cpu.UseAVX512:
		raceWrite(c)
		raceRead(z)
		raceRead(lower)
		pairHuberHingeAVX512(c, z, lower, inv, half, from, to, acc)
	default:
		pairHuberHingeGeneric(c, z, lower, inv, half, from, to, acc)
	}
}

//go:noescape
func pairHuberHingeAVX512(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)

func pairHuberHingeHess(dst, v, z []float64, lower []int32, delta float64, from, to int) {
	switch {
	case cpu.UseAVX512:
		raceWrite(dst)
		raceRead(v)
		raceRead(z)
		raceRead(lower)
		pairHuberHingeHessAVX512(dst, v, z, lower, delta, from, to)
	default:
		pairHuberHingeHessGeneric(dst, v, z, lower, delta, from, to)
	}
}

//go:noescape
func pairHuberHingeHessAVX512(dst, v, z []float64, lower []int32, delta float64, from, to int)

func pairLogistic(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64) {
	switch {
	case cpu.UseAVX512:
		raceWrite(c)
		raceRead(e)
		raceRead(f)
		raceRead(lower)
		pairLogisticAVX512(c, e, f, lower, from, to, acc)
	default:
		pairLogisticGeneric(c, e, f, lower, from, to, acc)
	}
}

//go:noescape
func pairLogisticAVX512(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairLogisticHess(dst, v, e, f []float64, lower []int32, from, to int) {
	switch {
	case cpu.UseAVX512:
		raceWrite(dst)
		raceRead(v)
		raceRead(e)
		raceRead(f)
		raceRead(lower)
		pairLogisticHessAVX512(dst, v, e, f, lower, from, to)
	default:
		pairLogisticHessGeneric(dst, v, e, f, lower, from, to)
	}
}

//go:noescape
func pairLogisticHessAVX512(dst, v, e, f []float64, lower []int32, from, to int)

func pairSweep(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int {
	if cpu.UseAVX512 {
		return pairSweepAVX512(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
	}
	return pairSweepGeneric(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
}

//go:noescape
func pairSweepAVX512(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int
