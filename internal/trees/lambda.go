package trees

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// lambdaLanes is the number of virtual lanes of LambdaF32, and what its slices are padded to.
const lambdaLanes = 16

// LambdaDocs are the documents of one query in the order of their ranks, for [LambdaF32]. Its
// slices, one value a document, have the length N rounded up to a multiple of 16; what stands
// from N on counts nothing.
type LambdaDocs struct {
	N int

	Score []float32 // not rising
	Gain  []float32
	U, V  []float32 // their sum |U[i]+V[j]| weighs the pair of ranks i < j
	// exp(−σ(s−c)) and exp(σ(s−c)) of the scores s, for any c: E[i]·F[j] = exp(−σ(sᵢ−sⱼ)); of E
	// only those to pair are read
	E, F []float32

	Limit       float32 // of a difference of gains
	Base, Slope float32 // a pair is divided by Base + Slope·(Score[i]−Score[j])
}

// LambdaF32 adds the first and second derivatives of the logistic loss of pairs of documents by
// their scores to grad and hess, which are as long as the slices of docs and hold no −0. Its pairs
// are those of a document i from from to to−1 with any document j > i whose gain is a different
// one:
//
//	w = min(|Gᵢ−Gⱼ|, Limit)·|Uᵢ+Vⱼ| / (Base + Slope·(sᵢ−sⱼ))
//	x = Eᵢ·Fⱼ,  r = 1/(1+x),  q = x·r
//	λ = w·q if Gᵢ > Gⱼ (the better document ranks higher), else w·r
//	h = (w·q)·r
//
// The better document's gradient falls by λ, the other's rises by it, and both second derivatives
// rise by h: σ and σ² are the caller's to multiply by. λ is added to lanes[j%16] as well.
//
// With U and V the discounts and minus the discounts this is LambdaRank (Burges 2010).
//
// Everything is float32, rounded after every operation. i runs upwards; j's derivatives are added
// to its own place. The sums of i, in 16 lanes by j%16 that start from 0, are reduced as (l + l+8),
// then (l + l+4), (l + l+2), (l + l+1), and added when i is done.
func LambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	n := (docs.N + lambdaLanes - 1) &^ (lambdaLanes - 1)
	for _, s := range [...][]float32{grad, hess, docs.Score, docs.Gain, docs.U, docs.V, docs.E, docs.F} {
		if len(s) != n {
			panic(kern.Lengths("LambdaF32: length of a slice, and of documents rounded up to 16", len(s), n))
		}
	}
	if from < 0 || to < from || to > docs.N {
		panic(kern.Lengths("LambdaF32: documents and the end of those to pair", docs.N, to))
	}
	// Some microseconds per call: assembly cannot be preempted.
	step := max(1, kern.BlockLen/max(n, 1))
	for ; to-from > step; from += step {
		lambdaF32(grad, hess, docs, from, from+step, lanes)
	}
	lambdaF32(grad, hess, docs, from, to, lanes)
}

// SumLanesF32 returns the sum of 16 lanes: (l + l+8), then (l + l+4), (l + l+2), (l + l+1).
func SumLanesF32(lanes *[16]float32) float32 {
	a := *lanes
	for half := 8; half > 0; half /= 2 {
		for l := range half {
			a[l] += a[l+half]
		}
	}
	return a[0]
}
