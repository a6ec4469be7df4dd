package metrics

import "github.com/simdrank/simdrank/kernels"

// This file holds the metrics of graded gain: DCG and NDCG.

// dcg returns the discounted cumulative gain of a query at cutoff k:
//
//	DCG@k = Σ gain(rᵢ)·discount(i), i = 1 … k
//
// where rᵢ is the label of the document at rank i by descending score (Järvelin and Kekäläinen
// 2002). The default gain 2^r−1 and discount 1/log₂(i+1) are from Burges et al. (2005). The terms
// are added in the order of [kernels.DotF64].
func (q *Query) dcg(m *Metric) float64 {
	return q.weigh(q.ordered.gains, m.limit(q.judged.n))
}

// ndcg returns DCG@k divided by the DCG@k of the ideal ranking, which sorts by descending label.
func (q *Query) ndcg(m *Metric) float64 {
	if q.rules.policy.ShortZero && q.judged.n < m.k {
		return 0
	}
	return q.weigh(q.ordered.gains, m.limit(q.judged.n)) / q.idealDCG(m.limit(len(q.ideal.gains)))
}

// weigh returns the sum of the first k gains, each multiplied by its discount.
func (q *Query) weigh(gains []float64, k int) float64 {
	return kernels.DotF64(gains[:k], q.discountTo(k))
}

// discountTo returns the discounts of the first k ranks.
func (q *Query) discountTo(k int) []float64 {
	if len(q.discounts) < k {
		q.discounts = Discounts(q.rules.policy.Discount, k)
	}
	return q.discounts[:k]
}

// idealDCG returns the DCG of the first k ranks of the ideal ranking.
func (q *Query) idealDCG(k int) float64 {
	for _, s := range q.ideal.sums {
		if s.k == k {
			return s.sum
		}
	}
	sum := q.weigh(q.ideal.gains, k)
	q.ideal.sums = append(q.ideal.sums, idealSum{k, sum})
	return sum
}
