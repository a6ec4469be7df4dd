package rank

import "github.com/simdrank/simdrank/internal/measures"

// This file holds the metrics of binary relevance: average precision, precision, recall,
// R-precision, bpref, rank-biased precision, INST and compatibility.

// AveragePrecision returns the mean over all relevant documents of the precision at their ranks, 0
// for those below the cutoff or not retrieved (TREC; XGBoost's map and trec_eval's map_cut divide
// by all relevant documents too, whatever k is):
//
//	AP@k = (1/R)·Σ relᵢ·P@i, i = 1 … k
//
// Its mean over queries is MAP, the metric "map".
func AveragePrecision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("map"), labels, scores, opts)
}

func (r *ranking) averagePrecision(m *Metric) float64 {
	k := m.limit(r.n)
	sum, before := 0.0, 0.0
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = r.end(lo)
		if r.chances[lo] == 0 {
			continue
		}
		rel := float64(r.relevantIn(lo, hi))
		sum = measures.AddPrecisions(sum, lo, hi, k, rel, before)
		before += rel
	}
	return sum / float64(r.relevant)
}

// Precision returns the share of relevant documents among the first k: the metric "precision@k". A
// list shorter than k counts as if documents that are not relevant followed, as in trec_eval. The
// cutoff k ([At]) is required.
func Precision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("precision"), labels, scores, opts)
}

func (r *ranking) precision(m *Metric) float64 {
	return r.hits(m.limit(r.n)) / float64(m.k)
}

// Recall returns the share of all relevant documents that are among the first k:
// the metric "recall@k". The cutoff k ([At]) is required.
func Recall(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("recall"), labels, scores, opts)
}

func (r *ranking) recall(m *Metric) float64 {
	return r.hits(m.limit(r.n)) / float64(r.relevant)
}

// F1 returns the harmonic mean of precision and recall at k, 2·hits/(k+R) with R relevant
// documents: the metric "f1@k" (ranx's f1). The cutoff k ([At]) is required.
func F1(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("f1"), labels, scores, opts)
}

func (r *ranking) f1(m *Metric) float64 {
	return 2 * r.hits(m.limit(r.n)) / (float64(m.k) + float64(r.relevant))
}

// Judged returns the share of the first k documents that have a judgment, as they all do without
// the option [NegativeUnjudged]: the metric "judged@k" (ir-measures' Judged, which takes negative
// labels for judgments, too). The cutoff k ([At]) is required.
func Judged(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("judged"), labels, scores, opts)
}

func (r *ranking) judged(m *Metric) float64 {
	k, sum := m.limit(r.n), 0.0
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = r.end(lo)
		sum += float64(r.judgedIn(lo, hi)*(min(hi, k)-lo)) / float64(hi-lo)
	}
	return sum / float64(k)
}

// RPrecision returns the precision at R, the number of relevant documents (TREC): the metric
// "r-precision".
func RPrecision(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("r-precision"), labels, scores, opts)
}

func (r *ranking) rPrecision(*Metric) float64 {
	return r.hits(min(r.relevant, r.n)) / float64(r.relevant)
}

// Bpref returns binary preference (Buckley and Voorhees 2004, as trec_eval computes it
// since version 8), which ignores documents that nobody judged:
//
//	bpref = (1/R)·Σ 1 − min(n_d, R)/min(N, R)   over the relevant documents d retrieved
//
// with n_d the judged documents above d that are not relevant, N all of those, R all relevant ones.
func Bpref(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("bpref"), labels, scores, opts)
}

func (r *ranking) bpref(*Metric) float64 {
	most := min(r.relevant, r.nonrelevant)
	sum, above := 0.0, 0
	for lo, hi := 0, 0; lo < r.n; lo = hi {
		hi = r.end(lo)
		if hi == lo+1 && r.o.unjudged(r.labels[lo]) {
			continue
		}
		rel := r.relevantIn(lo, hi)
		non := r.judgedIn(lo, hi) - rel
		if rel > 0 {
			// Of non documents tied with d, each number from 0 to non stands above it equally
			// likely.
			lost := 0.0
			for n := above; n <= above+non; n++ {
				if n >= r.relevant { // and so on to the end
					lost += float64(above + non - n + 1)
					break
				}
				if n > 0 {
					lost += float64(min(n, r.relevant)) / float64(most)
				}
			}
			sum += float64(float64(rel) * (1 - lost/float64(non+1)))
		}
		above += non
	}
	return sum / float64(r.relevant)
}

// RBP returns rank-biased precision (Moffat and Zobel 2008) of the persistence p ([Persistence],
// default 0.9), the probability that a user looks at the next document:
//
//	RBP = (1−p)·Σ relᵢ·p^(i−1), i = 1 … k
//
// The metric is "rbp(p)", and "rbp" means rbp(0.9). It is not the measure rbp of trec_eval 10,
// which takes graded labels and scales them by bounds that it leaves uninitialized: its value
// depends on the compiler, and on the other measures asked for.
func RBP(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("rbp"), labels, scores, opts)
}

func (r *ranking) rankBiasedPrecision(m *Metric) float64 {
	sum, weight := 0.0, 1-m.params[0]
	for _, rel := range r.chances[:m.limit(r.n)] {
		sum += float64(rel * weight)
		weight *= m.params[0]
	}
	return sum
}

// rbpResidual is what RBP would gain if every document that nobody judged were relevant, those
// below the last rank included (Moffat and Zobel 2008): the value is between RBP and that more.
func (r *ranking) rbpResidual(m *Metric) float64 {
	p := m.params[0]
	k, sum, weight := m.limit(r.n), 0.0, 1.0 // of a rank: weight times 1−p
	for lo, hi := 0, 0; lo < k; lo = hi {
		hi = r.end(lo)
		unjudged := hi - lo - r.judgedIn(lo, hi)
		for range min(hi, k) - lo {
			sum += float64(weight*(1-p)) * float64(unjudged) / float64(hi-lo)
			weight *= p
		}
	}
	return sum + weight
}

// inst is INST, [measures.INST]. A relevant document gains 1; with max_rel, its label divided by
// that, at most 1. Tied documents each gain the mean of theirs under [TiesAverage].
func (r *ranking) inst(m *Metric) float64 {
	top := m.params[1]
	if top == 0 {
		return measures.INST(r.chances, m.params[0])
	}
	r.u = r.u[:0]
	for _, l := range r.labels {
		r.u = append(r.u, float64(r.relevance(l)*min(max(l/top, 0), 1)))
	}
	r.average(r.u)
	return measures.INST(r.u, m.params[0])
}

// compat is compatibility (Clarke, Vtyurina and Smucker 2021), the rank-biased overlap with the
// ideal ranking that is most like this one: see [measures.Overlap.Compatibility].
func (r *ranking) compat(m *Metric) float64 {
	relevant := func(dst, labels []float64) []float64 {
		for _, l := range labels {
			if !r.o.isRelevant(l) {
				l = 0
			}
			dst = append(dst, l)
		}
		return dst
	}
	r.u, r.v = relevant(r.u[:0], r.labels), relevant(r.v[:0], r.unretrieved())
	return r.overlap.Compatibility(r.u, r.ends, r.v, m.params[0])
}
