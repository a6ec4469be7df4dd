//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func lambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	if !cpu.UseAVX512 && !cpu.UseAVX2 {
		lambdaF32Generic(grad, hess, docs, from, to, lanes)
		return
	}
	kern.RaceWrite(grad)
	kern.RaceWrite(hess)
	for _, s := range [...][]float32{docs.Score, docs.Gain, docs.U, docs.V, docs.E, docs.F} {
		kern.RaceRead(s)
	}
	if cpu.UseAVX512 {
		lambdaF32AVX512(grad, hess, docs, from, to, lanes)
		return
	}
	lambdaF32AVX2(grad, hess, docs, from, to, lanes)
}

//go:noescape
func lambdaF32AVX2(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)

//go:noescape
func lambdaF32AVX512(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
