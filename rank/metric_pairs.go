package rank

import (
	"math"

	"github.com/simdrank/simdrank/internal/order"
)

// This file holds the metrics of pairs of documents: AUC and pair accuracy.

// AUC returns the area under the ROC curve of one query: the share of pairs of a relevant and
// another document that are ordered rightly, equal scores counting one half (Hanley and McNeil
// 1982) unless [Ties] puts them in an order. It is undefined, and treated as [Empty] says, without
// documents of both kinds. Unjudged documents are left out.
func AUC(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("auc"), labels, scores, opts)
}

func (r *ranking) auc(*Metric) float64 {
	var right, rels, nons float64 // right counts halves
	for lo, hi := 0, 0; lo < r.n; lo = hi {
		hi = r.end(lo)
		var rel, non float64
		for _, l := range r.labels[lo:hi] {
			if r.o.isRelevant(l) {
				rel++
			} else if !r.o.unjudged(l) {
				non++
			}
		}
		right += float64(2*rels*non) + float64(rel*non)
		rels, nons = rels+rel, nons+non
	}
	if rels == 0 || nons == 0 {
		return math.NaN()
	}
	return right / (2 * rels * nons)
}

// PairAccuracy returns the share of pairs of documents with different labels that the
// scores order rightly, equal scores counting one half unless [Ties] puts them in an order:
//
//	(P + T/2) / (P + Q + T)
//
// with P concordant and Q discordant pairs and T those with equal scores. It is undefined, and
// treated as [Empty] says, when all labels are equal. Labels may be any numbers; unjudged documents
// are left out.
//
// Over many queries, the metric "pair-accuracy" is the mean of the queries' values, as of every
// other metric (SVMrank's loss is 1 less that mean where no scores are equal). The metric
// "pair-accuracy-pooled" is the share of all pairs of all queries (CatBoost's PairAccuracy): its
// mean weighs a query by its pairs, so that queries without pairs have no influence whatever
// [Empty] says, but for [EmptyNaN].
func PairAccuracy(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("pair-accuracy"), labels, scores, opts)
}

func (r *ranking) pairAccuracy(*Metric) float64 {
	k := r.kendall()
	r.labelPairs = float64(k.Pairs() - k.TiedX)
	return (float64(k.Concordant) + float64(float64(k.TiedY-k.TiedBoth)/2)) / r.labelPairs
}

func (r *ranking) kendall() Kendall {
	r.pairsOf.Threads = 1
	k, err := KendallTauOf(&r.pairsOf, r.x, r.y)
	if err != nil {
		panic(err) // lengths are equal, and pairs has left no NaN
	}
	return k
}

// pairs fills x and y with the labels and scores of judged documents, in rank order; ranks stand in
// for the scores when some are NaN, and where ties have an order. It reports whether two labels
// differ.
func (r *ranking) pairs() bool {
	r.x, r.y = r.x[:0], r.y[:0]
	ordered := r.o.ties != TiesAverage
	ranks := ordered || r.n > 0 && math.IsNaN(r.score(order.KeyIndex(r.keys[r.n-1])))
	place := 0.0
	for i, l := range r.labels {
		if i > 0 && (ordered || !r.tiedAt(i)) {
			place--
		}
		if r.o.unjudged(l) {
			continue
		}
		r.x = append(r.x, l)
		if ranks {
			r.y = append(r.y, place)
		} else {
			r.y = append(r.y, r.score(order.KeyIndex(r.keys[i])))
		}
	}
	for _, l := range r.x {
		if l != r.x[0] {
			return true
		}
	}
	return false
}
