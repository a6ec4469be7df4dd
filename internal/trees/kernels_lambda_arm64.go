//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func lambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	if !cpu.UseNEON {
		lambdaF32Generic(grad, hess, docs, from, to, lanes)
		return
	}
	kern.RaceWrite(grad)
	kern.RaceWrite(hess)
	for _, s := range [...][]float32{docs.Score, docs.Gain, docs.U, docs.V, docs.E, docs.F} {
		kern.RaceRead(s)
	}
	lambdaF32NEON(grad, hess, docs, from, to, lanes)
}

//go:noescape
func lambdaF32NEON(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32)
