//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/cpu"

//go:noescape
func dotF64(x, y []float64) float64

//go:noescape
func dotF64AVX2(x, y []float64) float64

//go:noescape
func dotF64AVX512(x, y []float64) float64

//go:noescape
func dotF32(x, y []float32) float32

//go:noescape
func dotF32AVX2(x, y []float32) float32

//go:noescape
func dotF32AVX512(x, y []float32) float32

//go:noescape
func dotF32Wide(x, y []float32) float64

//go:noescape
func dotF32WideAVX2(x, y []float32) float64

//go:noescape
func dotF32WideAVX512(x, y []float32) float64

//go:noescape
func axpyF64AVX2(alpha float64, x, y []float64)

//go:noescape
func axpyF64AVX512(alpha float64, x, y []float64)

func axpyF64(alpha float64, x, y []float64) {
	raceRead(x)
	raceWrite(y)
	switch {
	case cpu.UseAVX512:
		axpyF64AVX512(alpha, x, y)
	case cpu.UseAVX2:
		axpyF64AVX2(alpha, x, y)
	default:
		axpyF64Generic(alpha, x, y)
	}
}

//go:noescape
func axpyF32AVX2(alpha float32, x, y []float32)

//go:noescape
func axpyF32AVX512(alpha float32, x, y []float32)

func axpyF32(alpha float32, x, y []float32) {
	raceRead(x)
	raceWrite(y)
	switch {
	case cpu.UseAVX512:
		axpyF32AVX512(alpha, x, y)
	case cpu.UseAVX2:
		axpyF32AVX2(alpha, x, y)
	default:
		axpyF32Generic(alpha, x, y)
	}
}

//go:noescape
func axpyDiffF64AVX2(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF64AVX512(alpha float64, a, b, y []float64)

func axpyDiffF64(alpha float64, a, b, y []float64) {
	raceRead(a)
	raceRead(b)
	raceWrite(y)
	switch {
	case cpu.UseAVX512:
		axpyDiffF64AVX512(alpha, a, b, y)
	case cpu.UseAVX2:
		axpyDiffF64AVX2(alpha, a, b, y)
	default:
		axpyDiffF64Generic(alpha, a, b, y)
	}
}

//go:noescape
func axpyDiffF32AVX2(alpha float32, a, b, y []float32)

//go:noescape
func axpyDiffF32AVX512(alpha float32, a, b, y []float32)

func axpyDiffF32(alpha float32, a, b, y []float32) {
	raceRead(a)
	raceRead(b)
	raceWrite(y)
	switch {
	case cpu.UseAVX512:
		axpyDiffF32AVX512(alpha, a, b, y)
	case cpu.UseAVX2:
		axpyDiffF32AVX2(alpha, a, b, y)
	default:
		axpyDiffF32Generic(alpha, a, b, y)
	}
}
