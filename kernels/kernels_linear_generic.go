package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// This file contains plain Go. Tests compare the assembly with it, and architectures without
// assembly use it. Products that must be rounded are converted, as in float64(x*y) + z, because
// some compilers would otherwise fuse x*y + z.

// dotF64Generic returns the dot product in the order of operations of [DotF64]. It processes eight
// lanes at a time, because they fit in the registers of most processors.
func dotF64Generic(x, y []float64) float64 {
	if len(x) > kern.BlockLen {
		return dotF64Long(x, y)
	}
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	var lane [32]float64
	whole := len(x) &^ 31
	if whole == 0 {
		kern.ClearLanes(lane[:])
	} else {
		for g := 0; g < 32; g += 8 {
			a, b := (*[8]float64)(x[g:]), (*[8]float64)(y[g:])
			l0, l1, l2, l3 := float64(a[0]*b[0]), float64(a[1]*b[1]), float64(a[2]*b[2]), float64(a[3]*b[3])
			l4, l5, l6, l7 := float64(a[4]*b[4]), float64(a[5]*b[5]), float64(a[6]*b[6]), float64(a[7]*b[7])
			for i := g + 32; i < whole; i += 32 {
				a, b := (*[8]float64)(x[i:]), (*[8]float64)(y[i:])
				l0 = math.FMA(a[0], b[0], l0)
				l1 = math.FMA(a[1], b[1], l1)
				l2 = math.FMA(a[2], b[2], l2)
				l3 = math.FMA(a[3], b[3], l3)
				l4 = math.FMA(a[4], b[4], l4)
				l5 = math.FMA(a[5], b[5], l5)
				l6 = math.FMA(a[6], b[6], l6)
				l7 = math.FMA(a[7], b[7], l7)
			}
			// Copy the lanes one by one. An array copy would use wide loads, which must wait for
			// the preceding narrow stores.
			l := (*[8]float64)(lane[g:])
			l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7] = l0, l1, l2, l3, l4, l5, l6, l7
		}
	}
	for i := whole; i < len(x); i++ {
		l := &lane[i%32]
		*l = math.FMA(x[i], y[i], *l)
	}
	return kern.SumLanesF64(&lane)
}

func dotF32Generic(x, y []float32) float32 {
	if len(x) > kern.BlockLen {
		return dotF32Long(x, y)
	}
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	var lane [64]float32
	n := min(64, len(x))
	a, b := x[:n], y[:n]
	for k := range a {
		lane[k] = a[k] * b[k]
	}
	kern.ClearLanes(lane[n:])
	for x, y = x[n:], y[n:]; len(x) > 0; x, y = x[n:], y[n:] {
		n = min(64, len(x))
		a, b := x[:n], y[:n]
		for k := range a {
			p, z := float64(float64(a[k])*float64(b[k])), float64(lane[k])
			s := p + z
			if kern.IsMidpoint(s) {
				s = kern.RoundToOdd(p, z, s)
			}
			lane[k] = float32(s)
		}
	}
	return kern.SumLanesF32(&lane)
}

func dotF32WideGeneric(x, y []float32) float64 {
	if len(x) > kern.BlockLen {
		return dotF32WideLong(x, y)
	}
	if len(x) == 0 {
		return 0
	}
	y = y[:len(x)]
	var lane [32]float64
	n := min(32, len(x))
	a, b := x[:n], y[:n]
	for k := range a {
		lane[k] = float64(a[k]) * float64(b[k])
	}
	kern.ClearLanes(lane[n:])
	for x, y = x[n:], y[n:]; len(x) > 0; x, y = x[n:], y[n:] {
		n = min(32, len(x))
		a, b := x[:n], y[:n]
		for k := range a {
			lane[k] += float64(float64(a[k]) * float64(b[k]))
		}
	}
	return kern.SumLanesF64(&lane)
}

func axpyF64Generic(alpha float64, x, y []float64) {
	x = x[:len(y)]
	for i := range y {
		y[i] = math.FMA(alpha, x[i], y[i])
	}
}

func axpyF32Generic(alpha float32, x, y []float32) {
	x = x[:len(y)]
	for i := range y {
		p, z := float64(float64(alpha)*float64(x[i])), float64(y[i])
		s := p + z
		if kern.IsMidpoint(s) {
			s = kern.RoundToOdd(p, z, s)
		}
		y[i] = float32(s)
	}
}
