//go:build !purego

package kernels

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func l2F64NEON(x, y []float64) float64

func l2F64(x, y []float64) float64 {
	switch {
	case len(x) > kern.BlockLen:
		return l2F64Long(x, y)
	case cpu.UseNEON:
		return l2F64NEON(x, y)
	}
	return l2F64Generic(x, y)
}

//go:noescape
func l2F32NEON(x, y []float32) float32

func l2F32(x, y []float32) float32 {
	switch {
	case len(x) > kern.BlockLen:
		return l2F32Long(x, y)
	case cpu.UseNEON:
		return l2F32NEON(x, y)
	}
	return l2F32Generic(x, y)
}

//go:noescape
func cosineF64NEON(x, y []float64) float64

func cosineF64(x, y []float64) float64 {
	switch {
	case len(x) > kern.BlockLen:
		return cosineF64Long(x, y)
	case cpu.UseNEON:
		return cosineF64NEON(x, y)
	}
	return cosineF64Generic(x, y)
}

//go:noescape
func cosineF32NEON(x, y []float32) float32

func cosineF32(x, y []float32) float32 {
	switch {
	case len(x) > kern.BlockLen:
		return cosineF32Long(x, y)
	case cpu.UseNEON:
		return cosineF32NEON(x, y)
	}
	return cosineF32Generic(x, y)
}
