//go:build !purego

package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func dotF64NEON(x, y *float64, n int) float64

func dotF64(x, y *float64, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return dotF64Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF64NEON(x, y, n)
	}
	return dotF64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32NEON(x, y *float32, n int) float32

func dotF32(x, y *float32, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF32Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32NEON(x, y, n)
	}
	return dotF32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32WideNEON(x, y *float32, n int) float64

func dotF32Wide(x, y *float32, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return dotF32WideLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32WideNEON(x, y, n)
	}
	return dotF32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func axpyF64NEON(alpha float64, x, y []float64)

func axpyF64(alpha float64, x, y []float64) {
	if cpu.UseNEON {
		axpyF64NEON(alpha, x, y)
		return
	}
	axpyF64Generic(alpha, x, y)
}

//go:noescape
func axpyF32NEON(alpha float32, x, y []float32)

func axpyF32(alpha float32, x, y []float32) {
	if cpu.UseNEON {
		axpyF32NEON(alpha, x, y)
		return
	}
	axpyF32Generic(alpha, x, y)
}

//go:noescape
func axpyDiffF64NEON(alpha float64, a, b, y []float64)

func axpyDiffF64(alpha float64, a, b, y []float64) {
	if cpu.UseNEON {
		axpyDiffF64NEON(alpha, a, b, y)
		return
	}
	axpyDiffF64Generic(alpha, a, b, y)
}

//go:noescape
func axpyDiffF32NEON(alpha float32, a, b, y []float32)

func axpyDiffF32(alpha float32, a, b, y []float32) {
	if cpu.UseNEON {
		axpyDiffF32NEON(alpha, a, b, y)
		return
	}
	axpyDiffF32Generic(alpha, a, b, y)
}
