//go:build !purego

package kernels

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func expF64NEON(dst, x []float64)

func expF64(dst, x []float64) {
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		expF64NEON(dst, x)
		return
	}
	expF64Generic(dst, x)
}

//go:noescape
func pairSquaredHingeNEON(c, z []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairSquaredHinge(c, z []float64, lower []int32, from, to int, acc *[4][8]float64) {
	kern.RaceRead(z)
	kern.RaceRead(lower)
	kern.RaceWrite(c)
	if cpu.UseNEON {
		pairSquaredHingeNEON(c, z, lower, from, to, acc)
		return
	}
	pairSquaredHingeGeneric(c, z, lower, from, to, acc)
}

//go:noescape
func pairHuberHingeNEON(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64)

func pairHuberHinge(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64) {
	kern.RaceRead(z)
	kern.RaceRead(lower)
	kern.RaceWrite(c)
	if cpu.UseNEON {
		pairHuberHingeNEON(c, z, lower, inv, half, from, to, acc)
		return
	}
	pairHuberHingeGeneric(c, z, lower, inv, half, from, to, acc)
}

//go:noescape
func pairLogisticNEON(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64)

func pairLogistic(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64) {
	kern.RaceRead(e)
	kern.RaceRead(f)
	kern.RaceRead(lower)
	kern.RaceWrite(c)
	if cpu.UseNEON {
		pairLogisticNEON(c, e, f, lower, from, to, acc)
		return
	}
	pairLogisticGeneric(c, e, f, lower, from, to, acc)
}

//go:noescape
func pairSweepNEON(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx, sy []float64) int

func pairSweep(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx,
	sy []float64) int {
	kern.RaceRead(x)
	kern.RaceRead(y)
	kern.RaceWrite(tree)
	kern.RaceWrite(sx[from:to])
	kern.RaceWrite(sy[from:to])
	if cpu.UseNEON {
		return pairSweepNEON(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
	}
	return pairSweepGeneric(tree, leaf, ask, item, x, y, margin, done, from, to, sx, sy)
}
