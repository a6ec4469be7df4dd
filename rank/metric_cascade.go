package rank

import "github.com/simdrank/simdrank/internal/num"

// This file holds the metrics of a user who looks from the top and stops: reciprocal rank, success
// and expected reciprocal rank.

// ReciprocalRank returns 1/i for the rank i of the first relevant document, 0
// when none is among the first k (Voorhees 1999). Its mean over queries is MRR, the metric "mrr".
func ReciprocalRank(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("mrr"), labels, scores, opts)
}

func (r *ranking) reciprocalRank(m *Metric) float64 {
	return r.user.Sum(r.labels, r.ends, m.limit(r.n), r.relevance, reciprocal)
}

// Success returns 1 when a relevant document is among the first k, else 0: the metric
// "success@k", also called hit rate. The cutoff k ([At]) is required.
func Success(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("success"), labels, scores, opts)
}

func (r *ranking) success(m *Metric) float64 {
	return r.user.Sum(r.labels, r.ends, m.limit(r.n), r.relevance, func(int) float64 { return 1 })
}

// ERR returns the expected reciprocal rank (Chapelle et al. 2009): a user looks from the top and
// stops at a document with probability s(r) = (2^r−1)/2^max, with max the highest label of the
// scale ([MaxLabel], default 4; a higher label is an error):
//
//	ERR@k = Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k
func ERR(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("err"), labels, scores, opts)
}

func (r *ranking) expectedReciprocalRank(m *Metric) float64 {
	top := num.Exp2m1(float64(r.o.maxLabel)) + 1
	return r.user.Sum(r.labels, r.ends, m.limit(r.n), func(label float64) float64 {
		if label <= 0 {
			return 0
		}
		return num.Exp2m1(label) / top
	}, reciprocal)
}

func reciprocal(i int) float64 { return 1 / float64(i) }
