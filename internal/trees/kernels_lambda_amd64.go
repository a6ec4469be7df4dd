//go:build !purego

package trees

import "github.com/simdrank/simdrank/internal/cpu"

func lambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	switch {
	case cpu.UseAVX512:
		lambdaF32AVX512(grad, hess, docs, from, to, lanes)
	case cpu.UseAVX2:
		lambdaF32AVX2(grad, hess, docs, from, to, lanes)
	default:
		lambdaF32Generic(grad, hess, docs, from, to, lanes)
	}
}

func lambdaUnbiasedF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	switch {
	case cpu.UseAVX512:
		lambdaUnbiasedF32AVX512(grad, hess, docs, from, to, lanes)
	case cpu.UseAVX2:
		lambdaUnbiasedF32AVX2(grad, hess, docs, from, to, lanes)
	default:
		lambdaUnbiasedF32Generic(grad, hess, docs, from, to, lanes)
	}
}

//go:noescape
func lambdaF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)

//go:noescape
func lambdaF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)

//go:noescape
func lambdaUnbiasedF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)

//go:noescape
func lambdaUnbiasedF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
