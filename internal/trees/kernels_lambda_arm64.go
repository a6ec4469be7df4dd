//go:build !purego

package trees

import "github.com/simdrank/simdrank/internal/cpu"

func lambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	if cpu.UseNEON {
		lambdaF32NEON(grad, hess, docs, from, to, lanes)
		return
	}
	lambdaF32Generic(grad, hess, docs, from, to, lanes)
}

func lambdaUnbiasedF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	if cpu.UseNEON {
		lambdaUnbiasedF32NEON(grad, hess, docs, from, to, lanes)
		return
	}
	lambdaUnbiasedF32Generic(grad, hess, docs, from, to, lanes)
}

//go:noescape
func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)

//go:noescape
func lambdaUnbiasedF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
