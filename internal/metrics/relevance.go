package metrics

// This file contains the metrics of binary relevance: average precision, precision, recall,
// R-precision, bpref, rank-biased precision, INST and compatibility.

// averagePrecision returns the mean, over all relevant documents, of the precision at their ranks.
// The precision is 0 for documents below the cutoff or not retrieved. As in XGBoost's map and
// trec_eval's map_cut, the divisor R is the number of all relevant documents for every k:
//
//	AP@k = (1/R)·Σ relᵢ·P@i, i = 1 … k
func (q *Query) averagePrecision(m *Metric) float64 {
	k := m.limit(q.judged.n)
	sum, before := 0.0, 0.0
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = q.ordered.end(lo)
		if q.ordered.chances[lo] == 0 {
			continue
		}
		rel := float64(q.relevantIn(lo, hi))
		sum = AddPrecisions(sum, lo, hi, k, rel, before)
		before += rel
	}
	return sum / float64(q.ideal.relevant)
}

// precision returns the share of relevant documents among the first k. As in trec_eval, a list
// shorter than k counts as if nonrelevant documents followed.
func (q *Query) precision(m *Metric) float64 {
	return q.hits(m.limit(q.judged.n)) / float64(m.k)
}

// recall returns the share of the relevant documents that are among the first k.
func (q *Query) recall(m *Metric) float64 {
	return q.hits(m.limit(q.judged.n)) / float64(q.ideal.relevant)
}

// f1 returns the harmonic mean of precision and recall at k: 2·hits/(k+R), where R is the number of
// relevant documents (as ranx's f1).
func (q *Query) f1(m *Metric) float64 {
	return 2 * q.hits(m.limit(q.judged.n)) / (float64(m.k) + float64(q.ideal.relevant))
}

// judgedShare returns the share of judged documents among the first k. Without NegativeUnjudged,
// all documents are judged.
func (q *Query) judgedShare(m *Metric) float64 {
	k, sum := m.limit(q.judged.n), 0.0
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = q.ordered.end(lo)
		sum += float64(q.judgedIn(lo, hi)*(min(hi, k)-lo)) / float64(hi-lo)
	}
	return sum / float64(k)
}

// rPrecision returns the precision at R, the number of relevant documents.
func (q *Query) rPrecision(*Metric) float64 {
	return q.hits(min(q.ideal.relevant, q.judged.n)) / float64(q.ideal.relevant)
}

// bpref returns the binary preference (Buckley and Voorhees 2004, as computed by trec_eval since
// version 8), which ignores unjudged documents:
//
//	bpref = (1/R)·Σ 1 − min(n_d, R)/min(N, R)   over the relevant documents d retrieved
//
// where N is the number of judged nonrelevant documents, n_d is the number of these that are ranked
// above d, and R is the number of relevant documents.
func (q *Query) bpref(*Metric) float64 {
	most := min(q.ideal.relevant, q.ideal.nonrelevant)
	sum, above := 0.0, 0
	for lo, hi := 0, 0; lo < q.judged.n; lo = hi {
		hi = q.ordered.end(lo)
		if hi == lo+1 && q.rules.policy.unjudged(q.ordered.labels[lo]) {
			continue
		}
		rel := q.relevantIn(lo, hi)
		non := q.judgedIn(lo, hi) - rel
		if rel > 0 {
			// If non nonrelevant documents are tied with d, each number of them from 0 to non is
			// equally likely to be above d.
			lost := 0.0
			for n := above; n <= above+non; n++ {
				if n >= q.ideal.relevant { // the remaining terms are all 1
					lost += float64(above + non - n + 1)
					break
				}
				if n > 0 {
					lost += float64(min(n, q.ideal.relevant)) / float64(most)
				}
			}
			sum += float64(float64(rel) * (1 - lost/float64(non+1)))
		}
		above += non
	}
	return sum / float64(q.ideal.relevant)
}

// rankBiasedPrecision returns the RBP (Moffat and Zobel 2008) with persistence p, the probability
// that a user reads the next document:
//
//	RBP = (1−p)·Σ relᵢ·p^(i−1), i = 1 … k
func (q *Query) rankBiasedPrecision(m *Metric) float64 {
	sum, weight := 0.0, 1-m.params[0]
	for _, rel := range q.ordered.chances[:m.limit(q.judged.n)] {
		sum += float64(rel * weight)
		weight *= m.params[0]
	}
	return sum
}

// rbpResidual returns the increase of RBP if every unjudged document were relevant, including all
// documents below the last rank (Moffat and Zobel 2008). It is the uncertainty of RBP.
func (q *Query) rbpResidual(m *Metric) float64 {
	p := m.params[0]
	k, sum, weight := m.limit(q.judged.n), 0.0, 1.0 // weight·(1−p) is the weight of a rank
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = q.ordered.end(lo)
		unjudged := hi - lo - q.judgedIn(lo, hi)
		for range min(hi, k) - lo {
			sum += float64(weight*(1-p)) * float64(unjudged) / float64(hi-lo)
			weight *= p
		}
	}
	return sum + weight
}

// inst returns [INST]. The gain of a relevant document is 1 or, with max_rel, its label divided by
// max_rel, at most 1. With [TiesAverage], tied documents all have the mean of their gains.
func (q *Query) inst(m *Metric) float64 {
	top := m.params[1]
	if top == 0 {
		return INST(q.ordered.chances, m.params[0])
	}
	q.u = q.u[:0]
	for _, l := range q.ordered.labels {
		q.u = append(q.u, float64(q.rules.policy.relevance(l)*min(max(l/top, 0), 1)))
	}
	q.ordered.average(q.u)
	return INST(q.u, m.params[0])
}

// compat returns the compatibility (Clarke, Vtyurina and Smucker 2021): the rank-biased overlap
// with the most similar ideal ranking. See [Overlap.Compatibility].
func (q *Query) compat(m *Metric) float64 {
	relevant := func(dst, labels []float64) []float64 {
		for _, l := range labels {
			if !q.rules.policy.isRelevant(l) {
				l = 0
			}
			dst = append(dst, l)
		}
		return dst
	}
	q.u, q.v = relevant(q.u[:0], q.ordered.labels), relevant(q.v[:0], q.judged.unretrieved(&q.rules.policy))
	return q.overlap.Compatibility(q.u, q.ordered.ends, q.v, m.params[0])
}
