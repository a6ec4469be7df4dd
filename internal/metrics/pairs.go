package metrics

import (
	"math"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/kernels"
)

// This file contains the metrics of pairs of documents: AUC, pair accuracy and correlations.

// auc returns the area under the ROC curve of a query. It is the share of pairs of a relevant and
// another document that are in the right order. Pairs with equal scores count one half (Hanley and
// McNeil 1982) unless the policy orders them.
func (q *Query) auc(*Metric) float64 {
	p := &q.rules.policy
	var right, rels, nons float64 // right counts half pairs
	for lo, hi := 0, 0; lo < q.judged.n; lo = hi {
		hi = q.ordered.end(lo)
		var rel, non float64
		for _, l := range q.ordered.labels[lo:hi] {
			if p.isRelevant(l) {
				rel++
			} else if !p.unjudged(l) {
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

// pairs contains the judged documents in rank order, for the metrics of pairs.
type pairs struct {
	labels      []float64
	scores      []float64 // scores, or values that decrease with the rank (see fill)
	labelsEqual bool
	differing   float64 // number of pairs with different labels, set by pairAccuracy

	counter    kernels.Work
	tau        WeightedTau
	spearmanOf Spearman
}

// fill fills labels and scores. If some scores are NaN, or if the policy orders ties, it uses ranks
// instead of scores.
func (s *pairs) fill(p *Policy, j *judged, o *ordered) {
	s.labels, s.scores = s.labels[:0], s.scores[:0]
	inOrder := p.Ties != TiesAverage
	ranks := inOrder || j.n > 0 && math.IsNaN(j.score(order.KeyIndex(o.keys[j.n-1])))
	place := 0.0
	for i, l := range o.labels {
		if i > 0 && (inOrder || !o.tiedAt(j, i)) {
			place--
		}
		if p.unjudged(l) {
			continue
		}
		s.labels = append(s.labels, l)
		if ranks {
			s.scores = append(s.scores, place)
		} else {
			s.scores = append(s.scores, j.score(order.KeyIndex(o.keys[i])))
		}
	}
	s.labelsEqual = true
	for _, l := range s.labels {
		if l != s.labels[0] {
			s.labelsEqual = false
			break
		}
	}
}

// count counts the pairs. It also returns the number of concordant pairs, of pairs with different
// labels, and of pairs with different scores.
func (s *pairs) count() (c kernels.PairCounts, concordant, labels, scores int64) {
	s.counter.Threads = 1
	c, ok := kernels.CountTau(s.labels, s.scores, &s.counter)
	if !ok {
		panic("metrics: pairs contain NaN") // impossible after fill
	}
	n := int64(len(s.labels))
	all := n * (n - 1) / 2
	return c, all - c.X.Pairs - c.Y.Pairs + c.TiedBoth - c.Discordant, all - c.X.Pairs, all - c.Y.Pairs
}

// pairAccuracy returns the share of pairs of documents with different labels whose scores are in
// the right order. Pairs with equal scores count one half unless the policy orders them:
//
//	(P + T/2) / (P + Q + T)
//
// where P is the number of concordant pairs, Q of discordant pairs and T of pairs with equal
// scores.
func (q *Query) pairAccuracy(*Metric) float64 {
	c, concordant, differing, _ := q.pairs.count()
	q.pairs.differing = float64(differing)
	return (float64(concordant) + float64(float64(c.Y.Pairs-c.TiedBoth)/2)) / q.pairs.differing
}

// LabelPairs returns the number of pairs with different labels in the last list, if the plan
// contains a pair accuracy.
func (q *Query) LabelPairs() float64 { return q.pairs.differing }

// tauB returns tau-b of labels and scores. If all scores are equal, it is 0 unless all labels are
// equal too. Otherwise a model that distinguishes no documents would have no value for the query
// and be spared in the mean.
func (q *Query) tauB(*Metric) float64 {
	c, concordant, labels, scores := q.pairs.count()
	if c.Y.Distinct == 1 {
		return 0
	}
	return TauB(concordant-c.Discordant, labels, scores)
}

// spearman returns Spearman's rank correlation (1904) of labels and scores: Pearson's correlation
// of their ranks, where equal values have the mean of their ranks.
func (q *Query) spearman(*Metric) float64 {
	return q.pairs.spearmanOf.Of(q.pairs.labels, q.pairs.scores)
}

// weightedTau returns the weighted tau of labels and scores (Vigna 2015), to which swaps at the top
// contribute more. It is tau-b with the weight
//
//	w(i, j) = 1/(ρᵢ+1) + 1/(ρⱼ+1)
//
// for each pair. Documents are sorted in descending order once by label and then score, and once by
// score and then label. Both orders define ranks ρ (from 0), and the result is the mean of the two
// values, as in scipy.stats.weightedtau with its defaults.
func (q *Query) weightedTau(*Metric) float64 {
	s := &q.pairs
	return (s.tau.Of(s.labels, s.scores) + s.tau.Of(s.scores, s.labels)) / 2
}
