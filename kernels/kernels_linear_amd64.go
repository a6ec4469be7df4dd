//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/kern"

// blockLen is there for the assembly, which sees the constants of its own package.
const blockLen = kern.BlockLen

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
func axpyF64(alpha float64, x, y []float64)

//go:noescape
func axpyF64AVX2(alpha float64, x, y []float64)

//go:noescape
func axpyF64AVX512(alpha float64, x, y []float64)

//go:noescape
func axpyF32(alpha float32, x, y []float32)

//go:noescape
func axpyF32AVX2(alpha float32, x, y []float32)

//go:noescape
func axpyF32AVX512(alpha float32, x, y []float32)

//go:noescape
func axpyDiffF64(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF64AVX2(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF64AVX512(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF32(alpha float32, a, b, y []float32)

//go:noescape
func axpyDiffF32AVX2(alpha float32, a, b, y []float32)

//go:noescape
func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
