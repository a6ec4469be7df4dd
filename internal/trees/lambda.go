package trees

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// lambdaLanes is the number of virtual lanes of LambdaF32. Its slices are padded to a multiple of
// it.
const lambdaLanes = 16

// LambdaDocs contains the documents of one query in the order of their ranks, for [LambdaF32] and
// [LambdaUnbiasedF32]. Its slices have one value per document, and their length is N rounded up to
// a multiple of 16. The values from N on are ignored.
type LambdaDocs struct {
	N int

	Score []float32 // in descending order
	Gain  []float32
	U, V  []float32 // |U[i]+V[j]| is the weight of the pair of ranks i < j
	// E and F are exp(−σ(s−c)) and exp(σ(s−c)) of the scores s, for any c: E[i]·F[j] =
	// exp(−σ(sᵢ−sⱼ)). E is read only for documents from from to to−1.
	E, F []float32

	Limit       float32 // the maximum difference of gains
	Base, Slope float32 // the weight of a pair is divided by Base + Slope·(Score[i]−Score[j])

	// The other fields are used only by LambdaUnbiasedF32. The weight of a pair is multiplied by
	// the Plus of its better document and the Minus of its other document. Losses are added to
	// PlusLoss and MinusLoss, which must not contain −0.
	Plus, Minus         []float32
	PlusLoss, MinusLoss []float32
	Sigma               float32 // σ, not negative
}

// LambdaF32 adds the first and second derivatives of the logistic loss of document pairs, with
// respect to the scores, to grad and hess. These have the length of the slices of docs and must not
// contain −0. The pairs consist of a document i from from to to−1 and any document j > i with a
// different gain:
//
//	w = min(|Gᵢ−Gⱼ|, Limit)·|Uᵢ+Vⱼ| / (Base + Slope·(sᵢ−sⱼ))
//	x = Eᵢ·Fⱼ,  r = 1/(1+x),  q = x·r
//	λ = w·q if Gᵢ > Gⱼ (the better document ranks higher), else w·r
//	h = (w·q)·r
//
// The gradient of the better document falls by λ and that of the other document rises by λ. Both
// second derivatives rise by h. The caller multiplies by σ and σ². λ is also added to lanes[j%16].
//
// If U and V are the discounts and the negative discounts, this is LambdaRank (Burges 2010).
//
// All values are float32 and rounded after every operation. The loop over i ascends, and the
// derivatives of j are added in place. The sums of i are kept in 16 lanes by j%16 that start at 0.
// They are reduced as (l + l+8), then (l + l+4), (l + l+2), (l + l+1), and added when i is
// complete.
func LambdaF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	checkLambda("LambdaF32", docs, from, to, grad, hess)
	if kern.Race {
		raceLambda(docs, grad, hess)
	}
	// Divide the work into calls of some microseconds, because assembly cannot be preempted.
	step := max(1, kern.BlockLen/max(docs.N, 1))
	for ; to-from > step; from += step {
		lambdaF32(grad, hess, docs, from, from+step, lanes)
	}
	lambdaF32(grad, hess, docs, from, to, lanes)
}

// LambdaUnbiasedF32 is like [LambdaF32], but it divides pairs by position-bias factors (Hu et al.
// 2019) and adds up the losses from which these factors are estimated. With w, x, r and q of
// LambdaF32, and with a = Plusᵢ and b = Minusⱼ if Gᵢ > Gⱼ, else a = Minusᵢ and b = Plusⱼ:
//
//	l = w·ln(1+x) if Gᵢ > Gⱼ, else w·(ln(1+x) + min(σ·(sᵢ−sⱼ), largest))
//	λ and h: those of the weight w·(a·b)
//
// PlusLoss of the better document rises by l times the factor of the other document, and MinusLoss
// of the other document by l times the factor of the better one: the loss is l·b for i and l·a for
// j. ln(1+x) is a polynomial for 0 ≤ x ≤ 1, with a relative error below 4·10⁻⁷.
//
// The order of operations is the same as in LambdaF32. The losses of j are added in place, and the
// losses of i are kept in two times 16 lanes by j%16.
func LambdaUnbiasedF32(grad, hess []float32, docs *LambdaDocs, from, to int, lanes *[16]float32) {
	checkLambda("LambdaUnbiasedF32", docs, from, to, grad, hess, docs.Plus, docs.Minus, docs.PlusLoss,
		docs.MinusLoss)
	if kern.Race {
		raceLambda(docs, grad, hess, docs.PlusLoss, docs.MinusLoss)
		kern.RaceRead(docs.Plus)
		kern.RaceRead(docs.Minus)
	}
	step := max(1, kern.BlockLen/max(2*docs.N, 1))
	for ; to-from > step; from += step {
		lambdaUnbiasedF32(grad, hess, docs, from, from+step, lanes)
	}
	lambdaUnbiasedF32(grad, hess, docs, from, to, lanes)
}

// checkLambda panics unless the slices in docs and in others have the required lengths.
func checkLambda(name string, docs *LambdaDocs, from, to int, others ...[]float32) {
	n := (docs.N + lambdaLanes - 1) &^ (lambdaLanes - 1)
	check := func(s []float32) {
		if len(s) != n {
			panic(kern.Lengths(name+": a slice has %d elements; it must have docs.N rounded up to a multiple of 16, %d",
				len(s), n))
		}
	}
	for _, s := range others {
		check(s)
	}
	for _, s := range [...][]float32{docs.Score, docs.Gain, docs.U, docs.V, docs.E, docs.F} {
		check(s)
	}
	if from < 0 || to < from || to > docs.N {
		panic(kern.Lengths(name+": from is %d and to is %d; they must be a range of the docs.N documents", from, to))
	}
}

// raceLambda reports to the race detector that LambdaF32 reads docs and writes the given slices.
func raceLambda(docs *LambdaDocs, written ...[]float32) {
	for _, s := range written {
		kern.RaceWrite(s)
	}
	for _, s := range [...][]float32{docs.Score, docs.Gain, docs.U, docs.V, docs.E, docs.F} {
		kern.RaceRead(s)
	}
}

// lambdaLog contains the coefficients c of ln(1+x) ≈ x·(c₀ + x·(c₁ + … + x·c₇)). Each coefficient
// is repeated four times, because the assembly loads vectors.
var lambdaLog = [8][4]float32{
	{0.9999998, 0.9999998, 0.9999998, 0.9999998},
	{-0.49997404, -0.49997404, -0.49997404, -0.49997404},
	{0.3327548, 0.3327548, 0.3327548, 0.3327548},
	{-0.24495463, -0.24495463, -0.24495463, -0.24495463},
	{0.17745242, 0.17745242, 0.17745242, 0.17745242},
	{-0.10768172, -0.10768172, -0.10768172, -0.10768172},
	{0.044089638, 0.044089638, 0.044089638, 0.044089638},
	{-0.00853921, -0.00853921, -0.00853921, -0.00853921},
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
