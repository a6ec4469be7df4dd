// Package pairwise contains textbook implementations of pairwise learning to rank. It provides the
// pairwise transform as a gonum matrix, and the losses and gradients of RankNet and LambdaRank.
//
// Use it for teaching, and to check other implementations: start with [Transform] or
// [LambdaRankLambdas]. To train a ranker, use [rank.RankSVM] or package lambdamart. Functions
// return an error if slices differ in length or contain NaN.
package pairwise

import (
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/kernels"
)

// Sigmoid returns the probability, in the RankNet model, that document i ranks above document j
// (Burges et al. 2005):
//
//	P(i ▷ j) = 1 / (1 + exp(−α·(sᵢ−sⱼ)))
//
// It neither overflows nor loses precision for small values, because it evaluates the exponential
// only at numbers that are not positive. It returns 1/2 if the scores are equal, even if both are
// the same infinity.
func Sigmoid(si, sj, alpha float64) float64 {
	if si == sj {
		return 0.5
	}
	x := float64(alpha * (si - sj))
	if x >= 0 {
		return 1 / (1 + num.Exp(-x))
	}
	e := num.Exp(x)
	return e / (1 + e)
}

// LogLoss returns the pairwise logistic loss, RankNet's cross entropy, if document i should rank
// above document j:
//
//	ln(1 + exp(−α·(sᵢ−sⱼ))) = −ln P(i ▷ j)
//
// For a badly ordered pair it approaches α·(sⱼ−sᵢ), and for a well ordered pair exp(−α·(sᵢ−sⱼ)). It
// has full precision in both cases.
func LogLoss(si, sj, alpha float64) float64 {
	if si == sj {
		return math.Ln2
	}
	x := float64(alpha * (si - sj))
	if x >= 0 {
		return num.Log1p(num.Exp(-x))
	}
	return num.Log1p(num.Exp(x)) - x
}

// RankNetLambda returns λᵢⱼ, the derivative of [LogLoss] with respect to sᵢ, if document i should
// rank above document j. It is equation 3 of Burges 2010, "From RankNet to LambdaRank to
// LambdaMART":
//
//	λᵢⱼ = −α / (1 + exp(α·(sᵢ−sⱼ)))
//
// It is never positive; the derivative with respect to sⱼ is −λᵢⱼ.
func RankNetLambda(si, sj, alpha float64) float64 {
	return float64(-alpha * Sigmoid(sj, si, alpha)) // the conversion rounds, even in an inlined call
}

// LambdaRankLambda returns RankNet's λᵢⱼ times |ΔNDCG|, the absolute change of NDCG if documents i
// and j swap their places (Burges 2010, eq. 6). [DeltaNDCG] computes |ΔNDCG|.
func LambdaRankLambda(si, sj, alpha, deltaNDCG float64) float64 {
	return float64(RankNetLambda(si, sj, alpha) * math.Abs(deltaNDCG))
}

// DeltaNDCG returns |ΔNDCG| for swapping a document with gain gi at rank i and a document with gain
// gj at rank j. Ranks are counted from 1:
//
//	|ΔNDCG| = |gᵢ−gⱼ| · |1/log₂(1+i) − 1/log₂(1+j)| / idealDCG
//
// A gain is 2^label−1 or the label itself. The result is 0 if idealDCG is not positive, because a
// query without relevant documents cannot improve.
func DeltaNDCG(gi, gj float64, i, j int, idealDCG float64) float64 {
	if !(idealDCG > 0) || i < 1 || j < 1 {
		return 0
	}
	return math.Abs(gi-gj) * math.Abs(discountAt(i)-discountAt(j)) / idealDCG
}

// discountAt returns 1/log₂(1+r) for a rank r, counted from 1. The result is bit-identical on every
// platform.
func discountAt(r int) float64 {
	if r <= metrics.SmallTable {
		return metrics.Discounts(metrics.DiscountLog2, r)[r-1]
	}
	return 1 / num.Log2(1+float64(r))
}

// RankNetLambdas returns the gradient of RankNet's loss with respect to the score of each document
// of one query. It is the sum of λ over the document's pairs:
//
//	λᵢ = Σ_{j: yᵢ>yⱼ} λᵢⱼ − Σ_{j: yⱼ>yᵢ} λⱼᵢ
//
// where λᵢⱼ is [RankNetLambda]. It runs in O(n²) time. It returns an error if the slices differ in
// length or contain NaN.
func RankNetLambdas(labels, scores []float64, alpha float64) ([]float64, error) {
	if err := checkList(labels, scores); err != nil {
		return nil, err
	}
	return sumPairs(labels, func(i, j int) float64 { return RankNetLambda(scores[i], scores[j], alpha) }), nil
}

// LambdaRankLambdas is like [RankNetLambdas] but sums [LambdaRankLambda]: each λᵢⱼ is multiplied by
// |ΔNDCG|. The gain is 2^label−1, the discount is 1/log₂(1+rank), and documents are ranked by
// descending score; ties are broken by the order of the documents. It also returns an error if a
// label exceeds 960.
func LambdaRankLambdas(labels, scores []float64, alpha float64) ([]float64, error) {
	if err := checkList(labels, scores); err != nil {
		return nil, err
	}
	gain := make([]float64, len(labels))
	for i, y := range labels {
		if y > metrics.MaxExpLabel {
			return nil, errs.Errorf("pairwise", "document %d: the label is %v; the gain 2^label−1 requires labels of at most %d", i, y,
				metrics.MaxExpLabel)
		}
		gain[i] = metrics.ExpGain(y)
	}
	place := make([]int, len(scores)) // rank of each document by score, counted from 1
	for r, i := range kernels.AppendOrder(nil, scores, nil) {
		place[i] = r + 1
	}
	var ideal float64
	for r, i := range kernels.AppendOrder(nil, gain, nil) {
		ideal += float64(gain[i] * discountAt(r+1))
	}
	return sumPairs(labels, func(i, j int) float64 {
		return LambdaRankLambda(scores[i], scores[j], alpha, DeltaNDCG(gain[i], gain[j], place[i], place[j], ideal))
	}), nil
}

// checkList returns an error unless each document has a label and a score that are numbers.
func checkList(labels, scores []float64) error {
	if len(labels) != len(scores) {
		return errs.Errorf("pairwise", "the number of labels is %d; it must be %d, one per score",
			len(labels), len(scores))
	}
	for i := range labels {
		if math.IsNaN(labels[i]) || math.IsNaN(scores[i]) {
			return errs.Errorf("pairwise", "document %d: the label is %v and the score is %v; NaN cannot be ranked", i, labels[i], scores[i])
		}
	}
	return nil
}

// sumPairs returns, for each document, the sum of lambda over the pairs that contain the document.
func sumPairs(labels []float64, lambda func(i, j int) float64) []float64 {
	sums := make([]float64, len(labels))
	for i := range labels {
		for j := range labels {
			if labels[i] > labels[j] {
				l := lambda(i, j)
				sums[i] += l
				sums[j] -= l
			}
		}
	}
	return sums
}
