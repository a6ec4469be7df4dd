//go:build !purego

package kernels

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func expF64AVX2(dst, x []float64)

//go:noescape
func expF64AVX512(dst, x []float64)

func expF64(dst, x []float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	switch {
	case cpu.UseAVX512:
		expF64AVX512(dst, x)
	case cpu.UseAVX2:
		expF64AVX2(dst, x)
	default:
		expF64Generic(dst, x)
	}
}

//go:noescape
func pairSquaredHingeAVX2(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)

//go:noescape
func pairSquaredHingeAVX512(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairSquaredHinge(c, z []float64, lower []int32, from, to int, acc *[4][8]float64) {
	kern.RaceWrite(c)
	kern.RaceRead(z)
	kern.RaceRead(lower)
	switch {
	case cpu.UseAVX512:
		pairSquaredHingeAVX512(c, z, lower, from, to, acc)
	case cpu.UseAVX2:
		pairSquaredHingeAVX2(c, z, lower, from, to, acc)
	default:
		pairSquaredHingeGeneric(c, z, lower, from, to, acc)
	}
}

//go:noescape
func pairHuberHingeAVX2(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)

//go:noescape
func pairHuberHingeAVX512(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)

func pairHuberHinge(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64) {
	kern.RaceWrite(c)
	kern.RaceRead(z)
	kern.RaceRead(lower)
	switch {
	case cpu.UseAVX512:
		pairHuberHingeAVX512(c, z, lower, inv, half, from, to, acc)
	case cpu.UseAVX2:
		pairHuberHingeAVX2(c, z, lower, inv, half, from, to, acc)
	default:
		pairHuberHingeGeneric(c, z, lower, inv, half, from, to, acc)
	}
}

//go:noescape
func pairLogisticAVX2(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)

//go:noescape
func pairLogisticAVX512(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairLogistic(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64) {
	kern.RaceWrite(c)
	kern.RaceRead(e)
	kern.RaceRead(f)
	kern.RaceRead(lower)
	switch {
	case cpu.UseAVX512:
		pairLogisticAVX512(c, e, f, lower, from, to, acc)
	case cpu.UseAVX2:
		pairLogisticAVX2(c, e, f, lower, from, to, acc)
	default:
		pairLogisticGeneric(c, e, f, lower, from, to, acc)
	}
}

//go:noescape
func pairSweepAVX2(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int

//go:noescape
func pairSweepAVX512(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int

func pairSweep(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx,
	sy []float64) int {
	kern.RaceRead(x)
	kern.RaceRead(y)
	kern.RaceWrite(tree)
	kern.RaceWrite(sx[from:to])
	kern.RaceWrite(sy[from:to])
	switch {
	case cpu.UseAVX512:
		return pairSweepAVX512(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
	case cpu.UseAVX2:
		return pairSweepAVX2(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
	}
	return pairSweepGeneric(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
}
