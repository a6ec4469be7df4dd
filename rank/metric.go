package rank

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
)

// A Metric is a measure of one query's ranking with its cutoff and parameters, such as ndcg@10 or
// rbp(0.95). [ParseMetric] makes one.
type Metric struct{ m metrics.Metric }

// ParseMetric returns the metric of a name: dcg, ndcg, map, mrr, precision, recall, f1, success,
// r-precision, judged, bpref, err, rbp, rbp-residual, inst, compat, auc, pair-accuracy,
// pair-accuracy-pooled, tau-b, weighted-tau, spearman, alpha-dcg, alpha-ndcg, err-ia, nerr-ia,
// nrbp, nnrbp, map-ia, p-ia, strec, rbo, rbo-min or rbo-residual, in any case.
//
// Metrics of the top of a list take a cutoff k as in ndcg@10, which precision, recall, f1, success,
// judged and most of those of diversity require. Persistence is given in brackets, as in
// rbp(0.95)@100; other numbers by name: alpha and beta, as in nrbp(alpha=0.7,beta=0.8), the T of
// inst and the label of its greatest gain, as in inst(T=2,max_rel=3), and the least label that
// is relevant, as in map(rel=2), where every label above 0 is by default.
//
// Names of trec_eval (P_10, ndcg_cut.10, recip_rank, Rprec), ndeval (alpha-nDCG@20, ERR-IA@20),
// ranx (hit_rate@5, rbp.95) and ir-measures (nDCG@10, P(rel=2)@10, AP, RR, RBP(p=0.8), AP_IA,
// StRecall@10) are understood too.
//
// # Definitions
//
// rᵢ is the label of the document at rank i by descending score, relᵢ is 1 if it is relevant and 0
// otherwise, and R is the number of relevant documents. Options say what a metric is without
// relevant documents and with equal scores ([Options]).
//
// Graded gain:
//
//	dcg   Σ gain(rᵢ)·discount(i), i = 1 … k
//	ndcg  dcg@k / dcg@k of the ideal ranking, which is by descending label
//	err   Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k, with s(r) = (2^r−1)/2^max
//
// DCG is due to Järvelin and Kekäläinen (2002), the default gain and discount of [Options] to
// Burges et al. (2005); the terms are added in the order of [kernels.DotF64]. A k above the number
// of documents is that number. ERR (Chapelle et al. 2009) is of a user who stops at a document with
// probability s(r); max is the highest label of the scale ([Options].MaxLabel), and a higher label
// is an error.
//
// Binary relevance:
//
//	map          (1/R)·Σ relᵢ·precision@i, i = 1 … k
//	mrr          1/i for the rank i of the first relevant document among the first k, else 0
//	precision    share of relevant documents among the first k
//	recall       share of the R relevant documents that are among the first k
//	f1           2·hits/(k+R), the harmonic mean of precision and recall
//	success      1 if a relevant document is among the first k, else 0 (hit rate)
//	r-precision  precision@R
//	bpref        (1/R)·Σ 1 − min(n_d, R)/min(N, R) over the relevant documents d of the list
//	rbp(p)       (1−p)·Σ relᵢ·p^(i−1), i = 1 … k
//	judged       share of the first k documents with a judgment
//
// Of a single query, map is average precision, which counts 0 for relevant documents below the
// cutoff or not in the list, and mrr is the reciprocal rank (Voorhees 1999). Lists shorter than k
// count, for precision and f1, as if documents that are not relevant followed, as in trec_eval.
// bpref (Buckley and Voorhees 2004, as in trec_eval since version 8) ignores documents that nobody
// judged ([Options].NegativeUnjudged): n_d of the N judged documents that are not relevant are
// above d. rbp (Moffat and Zobel 2008) has a default p of 0.9; it is not the measure rbp of
// trec_eval 10, which scales graded labels by bounds that it leaves uninitialized. rbp-residual is
// what rbp would gain if every document without judgment were relevant, inst is INST (Bailey et al.
// 2015) and compat compatibility (Clarke et al. 2021).
//
// Pairs of documents, without those that nobody judged:
//
//	auc            share of the pairs of a relevant and another document that are ordered rightly
//	pair-accuracy  (P + T/2) / (P + Q + T): the same of all pairs with different labels
//	tau-b          Kendall's rank correlation of labels and scores: see [Kendall.TauB]
//	spearman       Pearson's correlation of the ranks, equal values having their mean rank
//	weighted-tau   tau-b with the weight 1/(ρᵢ+1) + 1/(ρⱼ+1) for each pair
//
// P pairs are concordant, Q discordant and T have equal scores, which count one half for auc, too
// (Hanley and McNeil 1982). Labels may be any numbers. The mean of pair-accuracy-pooled weighs a
// query by its pairs: it is the share of all pairs of all queries (CatBoost's PairAccuracy), and
// queries without pairs have no influence with any Empty of [Options] except nan. weighted-tau
// (Vigna 2015) is the mean of the values with ranks ρ from 0 by label, then score and by score,
// then label, as in scipy.stats.weightedtau. The correlations are 0 if only the scores are all
// equal.
//
// Metrics of diversity, from alpha-dcg to strec, require [List.Subtopics] and have the definitions
// of ndeval.
//
// rbo(p) is the rank-biased overlap of a list with its [List.Reference], which it requires (Webber,
// Moffat and Zobel 2010), extrapolated from what is given of the two (their equation 32): 1 for the
// same order, 0 without common documents. The shorter has s documents and the longer l, X_d is the
// number of documents that their first d have in common:
//
//	rbo = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// with d from 1 to l in the first sum and from s+1 to l in the second. The persistence p, 0.9 by
// default, is the weight of a rank relative to the one above. Two empty rankings have the overlap
// 1, an empty and another one 0. rbo-min(p) is the least overlap that the two can have when they go
// on, and rbo-residual(p) by how much the greatest is above that.
func ParseMetric(name string) (Metric, error) {
	m, err := metrics.Parse(name)
	if err != nil {
		return Metric{}, errs.Op("rank", err)
	}
	return Metric{m}, nil
}

// MetricNames returns the names that [ParseMetric] knows, those that require a cutoff with "@k".
func MetricNames() []string { return metrics.Names() }

// Measure returns the value of a metric, as [ParseMetric] reads it, for one list of documents with
// these labels and scores. It is NaN if the list leaves the metric undefined, unless o.Empty says
// otherwise. For many lists or metrics, use an [Evaluator].
func Measure(metric string, labels, scores []float64, o Options) (float64, error) {
	e, err := NewEvaluator(metric, o)
	if err != nil {
		return 0, err
	}
	var value [1]float64
	if _, err := e.AppendValues(value[:0], &List{Labels: labels, Scores: scores}); err != nil {
		return 0, err
	}
	return value[0], nil
}

// Pooled reports whether the mean of the metric is over the pairs of all queries together, as of
// pair-accuracy-pooled: single queries have no values that a test could compare.
func (m Metric) Pooled() bool { return m.m.Pooled() }

// NeedsSubtopics reports whether the metric is one of diversity, which needs [List.Subtopics].
func (m Metric) NeedsSubtopics() bool { return m.m.NeedsSubtopics() }

// NeedsReference reports whether the metric compares with another ranking, which needs
// [List.Reference].
func (m Metric) NeedsReference() bool { return m.m.NeedsReference() }

// TrecName returns the name that trec_eval gives the metric, as P_10 for precision@10; "" when
// trec_eval lacks it.
func (m Metric) TrecName() string { return m.m.TrecName() }

// String returns the name that [ParseMetric] reads, in lower case, with the persistence and with
// the other parameters that differ from their defaults.
func (m Metric) String() string { return m.m.String() }

// MarshalText returns the name, for JSON.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText is like [ParseMetric].
func (m *Metric) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMetric(string(text))
	return err
}
