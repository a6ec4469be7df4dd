//go:build purego || !(amd64 || arm64)

package kernels

import "unsafe"

func dotF64(x, y *float64, n int) float64 {
	return dotF64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32(x, y *float32, n int) float32 {
	return dotF32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32Wide(x, y *float32, n int) float64 {
	return dotF32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func axpyF64(alpha float64, x, y []float64) { axpyF64Generic(alpha, x, y) }

func axpyF32(alpha float32, x, y []float32) { axpyF32Generic(alpha, x, y) }

func axpyDiffF64(alpha float64, a, b, y []float64) { axpyDiffF64Generic(alpha, a, b, y) }

func axpyDiffF32(alpha float32, a, b, y []float32) { axpyDiffF32Generic(alpha, a, b, y) }
