package rank

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
)

// A Metric measures the ranking of one query. It includes a cutoff and parameters, as in ndcg@10 or
// rbp(0.95). Use [ParseMetric] to make one.
type Metric struct{ m metrics.Metric }

// ParseMetric returns the metric with the given name. The names are dcg, ndcg, map, mrr, precision,
// recall, f1, success, r-precision, judged, bpref, err, rbp, rbp-residual, inst, compat, auc,
// pair-accuracy, pair-accuracy-pooled, tau-b, weighted-tau, spearman, alpha-dcg, alpha-ndcg,
// err-ia, nerr-ia, nrbp, nnrbp, map-ia, p-ia, strec, rbo, rbo-min and rbo-residual. Case is
// ignored.
//
// Metrics that can be limited to the top of a list accept a cutoff k, as in ndcg@10. The metrics
// precision, recall, f1, success, judged and most diversity metrics require one. Persistence is
// given in parentheses, as in rbp(0.95)@100. Other parameters are given by name:
//
//   - alpha and beta, as in nrbp(alpha=0.7,beta=0.8)
//   - the parameter T of inst and the label with the greatest gain, as in inst(T=2,max_rel=3)
//   - the lowest relevant label, as in map(rel=2); by default every label above 0 is relevant
//
// ParseMetric also accepts names of trec_eval (P_10, ndcg_cut.10, recip_rank, Rprec), ndeval
// (alpha-nDCG@20, ERR-IA@20), ranx (hit_rate@5, rbp.95) and ir-measures (nDCG@10, P(rel=2)@10, AP,
// RR, RBP(p=0.8), AP_IA, StRecall@10).
//
// # Definitions
//
// Documents are ranked by descending score, and rᵢ is the label of the document at rank i. relᵢ is
// 1 if that document is relevant and 0 otherwise. R is the number of relevant documents. [Options]
// set the order of ties and the value of a metric for a query without relevant documents.
//
// Metrics of graded relevance:
//
//	dcg   Σ gain(rᵢ)·discount(i), i = 1 … k
//	ndcg  dcg@k / dcg@k of the ideal ranking, which is sorted by descending label
//	err   Σ (1/i)·s(rᵢ)·∏ (1−s(rⱼ)), j < i, i = 1 … k, with s(r) = (2^r−1)/2^max
//
// DCG was introduced by Järvelin and Kekäläinen (2002), and the default gain and discount by Burges
// et al. (2005). Terms are added in the order of [kernels.DotF64]. If k exceeds the number of
// documents, that number is used. ERR (Chapelle et al. 2009) models a user who stops at a document
// with probability s(r). In its formula, max is the highest label of the scale
// ([Options].MaxLabel); a higher label is an error.
//
// Metrics of binary relevance:
//
//	map          (1/R)·Σ relᵢ·precision@i, i = 1 … k
//	mrr          1/i for the rank i of the first relevant document among the first k, else 0
//	precision    fraction of the first k documents that are relevant
//	recall       fraction of the R relevant documents that are among the first k
//	f1           2·hits/(k+R), the harmonic mean of precision and recall
//	success      1 if a relevant document is among the first k, else 0 (hit rate)
//	r-precision  precision@R
//	bpref        (1/R)·Σ 1 − min(n_d, R)/min(N, R) over the relevant documents d of the list
//	rbp(p)       (1−p)·Σ relᵢ·p^(i−1), i = 1 … k
//	judged       fraction of the first k documents that have a judgment
//
// For a single query, map is average precision and mrr is the reciprocal rank (Voorhees 1999).
// Relevant documents that are below the cutoff or not in the list contribute 0 to average
// precision. As in trec_eval, precision and f1 treat a list shorter than k as if nonrelevant
// documents followed it.
//
// bpref (Buckley and Voorhees 2004, as in trec_eval since version 8) ignores unjudged documents
// ([Options].NegativeUnjudged). N is the number of judged nonrelevant documents, and n_d of them
// are ranked above d.
//
// rbp (Moffat and Zobel 2008) has a default p of 0.9. It differs from the measure rbp of trec_eval
// 10, which scales graded labels by bounds that it does not initialize. rbp-residual is the amount
// by which rbp would increase if every unjudged document were relevant. inst is INST (Bailey et al.
// 2015), and compat is compatibility (Clarke et al. 2021).
//
// Pairwise metrics, which ignore unjudged documents:
//
//	auc            fraction of correctly ordered pairs of a relevant and a nonrelevant document
//	pair-accuracy  (P + T/2) / (P + Q + T): the same over all pairs with different labels
//	tau-b          Kendall's rank correlation of labels and scores; see [Kendall.TauB]
//	spearman       Pearson's correlation of the ranks; ties have their mean rank
//	weighted-tau   tau-b with the weight 1/(ρᵢ+1) + 1/(ρⱼ+1) for each pair
//
// Here P pairs are concordant, Q are discordant, and T have tied scores. Like pair-accuracy, auc
// counts a tie as one half (Hanley and McNeil 1982). Labels may be any numbers.
//
// The mean of pair-accuracy-pooled weights each query by its number of pairs, so it is computed
// over all pairs of all queries (CatBoost's PairAccuracy). Queries without pairs do not affect it,
// unless [Options].Empty is nan.
//
// weighted-tau (Vigna 2015) is the mean of two values, as in scipy.stats.weightedtau. For the first
// value, documents are ranked by label and then by score; for the second, by score and then by
// label. The ranks ρ are counted from 0. The three correlations are 0 if the scores are all equal
// but the labels are not.
//
// Diversity metrics, from alpha-dcg to strec, require [List.Subtopics] and follow the definitions
// of ndeval.
//
// rbo(p) is the rank-biased overlap of a list with its [List.Reference], which it requires (Webber,
// Moffat and Zobel 2010). It is extrapolated from the given parts of the two rankings (their
// equation 32). It is 1 if the shorter ranking is a prefix of the longer one, and 0 if they have no
// common documents. In the formula, the shorter ranking has s documents and the longer one has l.
// X_d is the number of common documents among the first d of both:
//
//	rbo = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// In the first sum, d runs from 1 to l, and in the second sum, from s+1 to l. The persistence p,
// 0.9 by default, is the weight of a rank relative to the rank above it. Two empty rankings have
// the overlap 1, and an empty and a nonempty ranking have the overlap 0. rbo-min(p) is the smallest
// overlap that the full rankings can have. rbo-residual(p) is the difference between the largest
// and the smallest possible overlap.
func ParseMetric(name string) (Metric, error) {
	m, err := metrics.Parse(name)
	if err != nil {
		return Metric{}, errs.Op("rank", err)
	}
	return Metric{m}, nil
}

// MetricNames returns the names that [ParseMetric] accepts. Names that require a cutoff end in
// "@k".
func MetricNames() []string { return metrics.Names() }

// Measure returns the value of a metric for one list of documents with these labels and scores. See
// [ParseMetric] for the names. The value is NaN if the metric is undefined for the list, unless
// o.Empty sets another value. For many lists or metrics, use an [Evaluator].
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

// Pooled reports whether the mean of the metric is computed over the pairs of all queries together,
// as for pair-accuracy-pooled. Such a metric has no values per query that a test could compare.
func (m Metric) Pooled() bool { return m.m.Pooled() }

// NeedsSubtopics reports whether the metric is a diversity metric, which requires [List.Subtopics].
func (m Metric) NeedsSubtopics() bool { return m.m.NeedsSubtopics() }

// NeedsReference reports whether the metric compares two rankings, which requires [List.Reference].
func (m Metric) NeedsReference() bool { return m.m.NeedsReference() }

// TrecName returns trec_eval's name for the metric, such as P_10 for precision@10. It returns "" if
// trec_eval does not have the metric.
func (m Metric) TrecName() string { return m.m.TrecName() }

// String returns the name in lower case, in a form that [ParseMetric] accepts. It includes the
// persistence, and other parameters that differ from their defaults.
func (m Metric) String() string { return m.m.String() }

// MarshalText returns the name, for example for encoding/json.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText sets m to the metric that [ParseMetric] returns.
func (m *Metric) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMetric(string(text))
	return err
}
