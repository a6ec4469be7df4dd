package rank

// This file holds the metrics of graded gain: DCG and NDCG.

// DCG returns the discounted cumulative gain of one query at cutoff k ([At]; default: no cutoff):
//
//	DCG@k = Σ gain(rᵢ)·discount(i), i = 1 … k
//
// where rᵢ is the label of the document at rank i by descending score (Järvelin and Kekäläinen
// 2002; the default gain 2^r−1 and discount 1/log₂(i+1) are Burges et al.'s of 2005). The terms
// enter in the order of [kernels.DotF64]. A query without gain is treated as [Empty] says: skipped,
// hence NaN, by default.
func DCG(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("dcg"), labels, scores, opts)
}

// NDCG returns DCG@k divided by the DCG@k of the ideal ranking, by descending
// label: 1 is best. See [DCG] for formula and options; a k above the number of
// documents is that number, and a query without gain is NaN unless [Empty] says otherwise.
func NDCG(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("ndcg"), labels, scores, opts)
}

func (r *ranking) dcg(m *Metric) float64 {
	return r.weigh(r.gains, m.limit(r.n))
}

func (r *ranking) ndcg(m *Metric) float64 {
	if r.short(m.k) {
		return 0
	}
	return r.weigh(r.gains, m.limit(r.n)) / r.idealDCG(m.limit(len(r.ideal)))
}
