package rank

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/num"
)

// Sigmoid returns the probability that the RankNet model gives to document i
// ranking above document j (Burges et al. 2005):
//
//	P(i ▷ j) = 1 / (1 + exp(−α·(sᵢ−sⱼ)))
//
// It neither overflows nor loses its small values: the exponential is taken of a
// number that is never positive. Equal scores give 1/2, infinite ones of the same sign too.
func Sigmoid(si, sj, alpha float64) float64 {
	if si == sj {
		return 0.5
	}
	return logistic(alpha * (si - sj))
}

// logistic is 1/(1+exp(−x)).
func logistic(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + num.Exp(-x))
	}
	e := num.Exp(x)
	return e / (1 + e)
}

// PairLogLoss returns the pairwise logistic loss, RankNet's cross entropy, of
// document i that should rank above document j:
//
//	ln(1 + exp(−α·(sᵢ−sⱼ))) = −ln P(i ▷ j)
//
// For scores far the wrong way it is α·(sⱼ−sᵢ), for scores far the right way it falls
// to 0 as exp(−α·(sᵢ−sⱼ)): both to full precision.
func PairLogLoss(si, sj, alpha float64) float64 {
	if si == sj {
		return math.Ln2
	}
	x := float64(alpha * (si - sj))
	if x >= 0 {
		return num.Log1p(num.Exp(-x))
	}
	return num.Log1p(num.Exp(x)) - x
}

// RankNetLambda returns λᵢⱼ, the derivative of [PairLogLoss] with respect to sᵢ, for
// document i that should rank above document j (Burges 2010, "From RankNet to
// LambdaRank to LambdaMART", eq. 3):
//
//	λᵢⱼ = −α / (1 + exp(α·(sᵢ−sⱼ)))
//
// It is never positive; the derivative with respect to sⱼ is −λᵢⱼ.
func RankNetLambda(si, sj, alpha float64) float64 {
	return -alpha * Sigmoid(sj, si, alpha)
}

// LambdaRankLambda returns RankNet's λᵢⱼ times |ΔNDCG|, the size of the change in
// NDCG when documents i and j swap their places and the others keep theirs (Burges 2010, eq. 6).
// [DeltaNDCG] computes it.
func LambdaRankLambda(si, sj, alpha, deltaNDCG float64) float64 {
	return RankNetLambda(si, sj, alpha) * math.Abs(deltaNDCG)
}

// DeltaNDCG returns |ΔNDCG| of swapping a document of gain gi at rank i with one
// of gain gj at rank j, ranks counted from 1:
//
//	|ΔNDCG| = |gᵢ−gⱼ| · |1/log₂(1+i) − 1/log₂(1+j)| / idealDCG
//
// A gain is 2^label−1 or the label itself. It is 0 when idealDCG is not positive:
// a query without relevant documents has nothing to gain.
func DeltaNDCG(gi, gj float64, i, j int, idealDCG float64) float64 {
	if !(idealDCG > 0) || i < 1 || j < 1 {
		return 0
	}
	return math.Abs(gi-gj) * math.Abs(discountAt(i)-discountAt(j)) / idealDCG
}

// discountAt returns 1/log₂(1+rank), ranks from 1, with the same bits on every machine; those of
// NDCG for ranks up to smallTable.
func discountAt(rank int) float64 {
	if rank <= smallTable {
		return discounts(DiscountLog2, rank)[rank-1]
	}
	return 1 / num.Log2(1+float64(rank))
}

// Lambdas returns the sum of λ over the pairs of one query for each document, the
// gradient of the loss with respect to its score:
//
//	λᵢ = Σ_{j: yᵢ>yⱼ} λᵢⱼ − Σ_{j: yⱼ>yᵢ} λⱼᵢ
//
// With ndcg false the pairs weigh the same (RankNet); with ndcg true each
// λᵢⱼ is multiplied by |ΔNDCG| (LambdaRank), with the gain 2^label−1, the
// discount 1/log₂(1+rank), and ranks by descending score, equal scores in the
// order of the documents.
//
// It takes O(n²) time and is the definition in code, for teaching and checking.
func Lambdas(labels, scores []float64, alpha float64, ndcg bool) ([]float64, error) {
	if len(labels) != len(scores) {
		return nil, fmt.Errorf("rank: %d labels for %d scores", len(labels), len(scores))
	}
	n := len(labels)
	for i := range n {
		if math.IsNaN(labels[i]) || math.IsNaN(scores[i]) {
			return nil, fmt.Errorf("rank: document %d: label %v, score %v: NaN has no rank", i, labels[i], scores[i])
		}
	}
	lambda := make([]float64, n)
	var gain []float64
	var place []int // rank of each document by score, from 1
	var ideal float64
	if ndcg {
		gain = make([]float64, n)
		for i, y := range labels {
			if y > maxExpLabel {
				return nil, fmt.Errorf("rank: document %d: label %v: the gain 2^label−1 takes labels up to %d", i, y,
					maxExpLabel)
			}
			gain[i] = num.Exp2m1(max(y, -1000)) // −1 from there down
		}
		place = make([]int, n)
		for r, i := range Order(nil, nil, scores) {
			place[i] = r + 1
		}
		for r, i := range Order(nil, nil, gain) {
			ideal += float64(gain[i] * discountAt(r+1))
		}
	}
	for i := range n {
		for j := range n {
			if !(labels[i] > labels[j]) {
				continue
			}
			l := RankNetLambda(scores[i], scores[j], alpha)
			if ndcg {
				l = LambdaRankLambda(scores[i], scores[j], alpha,
					DeltaNDCG(gain[i], gain[j], place[i], place[j], ideal))
			}
			lambda[i] += l
			lambda[j] -= l
		}
	}
	return lambda, nil
}
