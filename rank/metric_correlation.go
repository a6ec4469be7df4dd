package rank

// This file holds the correlations of labels and scores: tau-b, weighted tau and Spearman's.

// The scores of these metrics are ranks, no two the same, where [Ties] puts equal scores in an
// order.

// tauB is [KendallTau]'s tau-b of labels and scores; 0 when the scores are constant and the labels
// are not: a ranker that tells nothing apart agrees with nothing, and is not let off.
func (r *ranking) tauB(*Metric) float64 {
	k := r.kendall()
	if k.DistinctY == 1 {
		return 0
	}
	return k.TauB()
}

// Spearman returns Spearman's rank correlation (1904) of labels and scores: Pearson's correlation
// of their ranks, equal values taking the mean of theirs. It is undefined, and treated as [Empty]
// says, when all labels are equal, and 0 when only all scores are.
func Spearman(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("spearman"), labels, scores, opts)
}

func (r *ranking) spearman(*Metric) float64 { return r.spearmanOf.Of(r.x, r.y) }

// WeightedTau returns the weighted tau of labels and scores (Vigna 2015), in which a swap
// at the top counts more: tau-b with the weight
//
//	w(i, j) = 1/(ρᵢ+1) + 1/(ρⱼ+1)
//
// for each pair, the mean of the values with ranks ρ (from 0) by label, then score and by score,
// then label, both descending: scipy.stats.weightedtau with its defaults. It is undefined, and
// treated as [Empty] says, when all labels are equal, and 0 when only all scores are.
func WeightedTau(labels, scores []float64, opts ...Option) (float64, error) {
	return one(named("weighted-tau"), labels, scores, opts)
}

func (r *ranking) weightedTau(*Metric) float64 {
	return (r.tau.Of(r.x, r.y) + r.tau.Of(r.y, r.x)) / 2
}
