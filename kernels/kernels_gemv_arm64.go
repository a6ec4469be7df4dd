//go:build !purego

package kernels

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)

func gemvF64Rows(dst, a []float64, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF64NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)

func gemvF32Rows(dst, a []float32, rows, cols, stride int, x []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)

func gemvF32WideRows(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32WideNEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)

func gemvTF64Rows(dst, a []float64, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF64NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF64Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)

func gemvTF32Rows(dst, a []float32, rows, cols, stride int, c []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF32NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)

func gemvTF32WideRows(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF32WideNEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32WideGeneric(dst, a, rows, cols, stride, c)
}
