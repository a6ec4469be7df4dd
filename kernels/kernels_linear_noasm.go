//go:build purego || !(amd64 || arm64)

package kernels

func dotF64(x, y []float64) float64 { return dotF64Generic(x, y) }

func dotF32(x, y []float32) float32 { return dotF32Generic(x, y) }

func dotF32Wide(x, y []float32) float64 { return dotF32WideGeneric(x, y) }

func axpyF64(alpha float64, x, y []float64) { axpyF64Generic(alpha, x, y) }

func axpyF32(alpha float32, x, y []float32) { axpyF32Generic(alpha, x, y) }

func axpyDiffF64(alpha float64, a, b, y []float64) { axpyDiffF64Generic(alpha, a, b, y) }

func axpyDiffF32(alpha float32, a, b, y []float32) { axpyDiffF32Generic(alpha, a, b, y) }
