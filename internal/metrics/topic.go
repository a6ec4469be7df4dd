package metrics

import "slices"

// A Topic is a query with the documents that are relevant to its S subtopics. The document at rank
// i gains
//
//	gᵢ = Σ (1−α)^c   over the subtopics that it is relevant to
//
// where c is the number of documents above it that are relevant to the subtopic. The measures are
// the ones of ndeval 4.5, the program of the TREC Web track. The exceptions are α-DCG@1 and
// ERR-IA@1, which ndeval does not divide by S.
//
// The zero value is ready for [Topic.Reset], which reuses memory.
type Topic struct {
	// Ranked contains the documents in rank order, and Ends describes ties.
	Ranked, Ends []int32
	// Depth is the number of ranks that are used.
	Depth int

	subtopics []int32 // subtopics of the documents in docs
	docs      []span  // for each document that is relevant to a subtopic, its range in subtopics
	index     []int32 // for each document, its index in docs plus 1; 0 if it is not in docs
	relevant  []int32 // for each subtopic, the number of relevant documents
	found     int     // number of subtopics with a relevant document

	profiles []profile // the first known profiles belong to this topic
	known    int

	value  []float64 // scratch memory, by subtopic
	before []float64
	hits   []int32 // by subtopic, the number of documents in a group of ties
	here   []int32 // the subtopics of the group
	powers []float64
	ones   []float64
}

type span struct{ lo, hi int32 }

// A profile contains the gains of ranks for one alpha: the share of a subtopic's value that each
// relevant document takes away from the documents below.
type profile struct {
	alpha float64
	gains []float64
	ideal []float64 // gains of the first ranks of the ideal ranking
	value []float64 // for each subtopic, its remaining value after these ranks
	bound []float64 // upper bound of the next gain of each of docs; −1 if already ranked
}

// Reset starts a topic with the given number of documents.
func (t *Topic) Reset(documents int) {
	t.Ranked, t.Ends = t.Ranked[:0], nil
	t.subtopics, t.docs, t.relevant = t.subtopics[:0], t.docs[:0], t.relevant[:0]
	t.index = Zeros(t.index, documents)
	t.found, t.known = 0, 0
}

// Add records that a document is relevant to a subtopic. Each pair must be added once, and all
// subtopics of a document consecutively. If documents gain the same, the ideal ranking puts the
// document first that was added first.
func (t *Topic) Add(document, subtopic int) {
	for subtopic >= len(t.relevant) {
		t.relevant = append(t.relevant, 0)
	}
	if t.index[document] == 0 {
		end := int32(len(t.subtopics))
		t.docs = append(t.docs, span{end, end})
		t.index[document] = int32(len(t.docs))
	}
	t.subtopics = append(t.subtopics, int32(subtopic))
	t.docs[len(t.docs)-1].hi++
	if t.relevant[subtopic]++; t.relevant[subtopic] == 1 {
		t.found++
	}
}

// Subtopics returns the number of subtopics that have a relevant document.
func (t *Topic) Subtopics() int { return t.found }

// of returns the subtopics of a document.
func (t *Topic) of(document int) []int32 {
	at := t.index[document]
	if at == 0 {
		return nil
	}
	d := t.docs[at-1]
	return t.subtopics[d.lo:d.hi]
}

// gains returns the gains of at most the first k ranks. The gain of a rank is the sum of
// (1−alpha)^c over the subtopics of its document, where c is the number of documents above it that
// are relevant to the subtopic. For tied documents, it is the mean over all orders.
func (t *Topic) gains(alpha float64, k int) []float64 {
	p := t.profile(alpha)
	return p.gains[:min(k, len(p.gains))]
}

// best returns the gains of at most the first k ranks of the ideal ranking. As in ndeval, each rank
// has the document with the highest gain there, because the best ranking as a whole is hard to
// find.
func (t *Topic) best(alpha float64, k int) []float64 {
	p := t.profile(alpha)
	k = min(k, len(t.docs))
	for len(p.ideal) < k {
		most, at := -1.0, 0
		for i, bound := range p.bound {
			if bound <= most {
				continue
			}
			gain := 0.0
			for _, s := range t.subtopics[t.docs[i].lo:t.docs[i].hi] {
				gain += p.value[s]
			}
			if p.bound[i] = gain; gain > most {
				most, at = gain, i
			}
		}
		take(t.subtopics[t.docs[at].lo:t.docs[at].hi], p.value, 1-alpha)
		p.bound[at] = -1
		p.ideal = append(p.ideal, most)
	}
	return p.ideal[:k]
}

// take returns the sum of the values of subtopics and multiplies each of them by keep.
func take(subtopics []int32, value []float64, keep float64) float64 {
	sum := 0.0
	for _, s := range subtopics {
		v := value[s]
		sum += v
		value[s] = float64(v * keep)
	}
	return sum
}

func (t *Topic) profile(alpha float64) *profile {
	for i := range t.profiles[:t.known] {
		if t.profiles[i].alpha == alpha {
			return &t.profiles[i]
		}
	}
	if t.known == len(t.profiles) {
		t.profiles = append(t.profiles, profile{})
	}
	p := &t.profiles[t.known]
	t.known++
	p.alpha, p.ideal = alpha, p.ideal[:0]
	p.value = fill(p.value, len(t.relevant), 1)
	p.bound = fill(p.bound, len(t.docs), float64(t.found))
	t.gain(p)
	return p
}

// fill returns a slice of n elements equal to v, which reuses the memory of s.
func fill(s []float64, n int, v float64) []float64 {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// gain computes the gains of a profile.
func (t *Topic) gain(p *profile) {
	t.value = fill(t.value, len(t.relevant), 1)
	keep := 1 - p.alpha
	p.gains = Zeros(p.gains, t.Depth)
	for lo, hi := 0, 0; lo < t.Depth; lo = hi {
		hi = End(t.Ends, lo)
		if hi == lo+1 {
			p.gains[lo] = take(t.of(int(t.Ranked[lo])), t.value, keep)
			continue
		}
		// Of the n tied documents, m are relevant to the subtopic. The document at a given rank is
		// relevant with probability m/n. The number h of relevant documents above it within the
		// group then has a hypergeometric distribution: a draw from m−1 relevant and n−m other
		// documents.
		n := hi - lo
		for _, s := range t.group(lo, hi) {
			m := int(t.hits[s])
			t.powers = append(t.powers[:0], 1)
			for h := 1; h < m; h++ {
				t.powers = append(t.powers, float64(t.powers[h-1]*keep))
			}
			t.ones = fill(t.ones, n-m+1, 1)
			value := float64(t.value[s]*float64(m)) / float64(n)
			for i := lo; i < min(hi, t.Depth); i++ {
				p.gains[i] += float64(value * joint(t.powers, t.ones, m-1, n-m, i-lo))
			}
			t.value[s] = float64(float64(t.value[s]*t.powers[m-1]) * keep)
		}
	}
}

// group returns the subtopics of the documents at ranks lo to hi−1 in order, each once. It sets
// hits to the number of these documents that are relevant to each.
func (t *Topic) group(lo, hi int) []int32 {
	t.here = t.here[:0]
	t.hits = slices.Grow(t.hits[:0], len(t.relevant))[:len(t.relevant)]
	for _, d := range t.Ranked[lo:hi] {
		for _, s := range t.of(int(d)) {
			t.hits[s] = 0
		}
	}
	for _, d := range t.Ranked[lo:hi] {
		for _, s := range t.of(int(d)) {
			if t.hits[s]++; t.hits[s] == 1 {
				t.here = append(t.here, s)
			}
		}
	}
	slices.Sort(t.here)
	return t.here
}

// MAPIA is the mean over the subtopics of average precision.
func (t *Topic) MAPIA(int, [2]float64) float64 {
	t.value = Zeros(t.value, len(t.relevant))
	t.before = Zeros(t.before, len(t.relevant))
	for lo, hi := 0, 0; lo < len(t.Ranked); lo = hi {
		hi = End(t.Ends, lo)
		for _, s := range t.group(lo, hi) {
			m := float64(t.hits[s])
			t.value[s] = AddPrecisions(t.value[s], lo, hi, hi, m, t.before[s])
			t.before[s] += m
		}
	}
	sum := 0.0
	for s, n := range t.relevant {
		if n > 0 {
			sum += t.value[s] / float64(n)
		}
	}
	return sum / float64(t.found)
}

// AlphaDCG is α-DCG@k (Clarke et al. 2008) divided by the value of k documents that are each
// relevant to all S subtopics:
//
//	Σ gᵢ·discount(i) / Σ S·(1−α)^(i−1)·discount(i),  i = 1 … k
func (t *Topic) AlphaDCG(alpha float64, discounts []float64) float64 {
	most, gain := 0.0, float64(t.found)
	for _, d := range discounts {
		most += float64(gain * d)
		gain *= 1 - alpha
	}
	return weighed(t.gains(alpha, len(discounts)), discounts) / most
}

// AlphaNDCG is α-nDCG@k (Clarke et al. 2008): α-DCG@k divided by its value for the ideal ranking.
func (t *Topic) AlphaNDCG(alpha float64, discounts []float64) float64 {
	k := len(discounts)
	return weighed(t.gains(alpha, k), discounts) / weighed(t.best(alpha, k), discounts)
}

func weighed(gains, weights []float64) float64 {
	sum := 0.0
	for i, g := range gains {
		sum += float64(g * weights[i])
	}
	return sum
}

// errAlpha is the probability that a user stops at a relevant document, on a scale of two grades.
const errAlpha = 0.5

// ERRIA is the intent-aware ERR@k (Chapelle et al. 2009) with α = 1/2, divided like α-DCG:
//
//	Σ gᵢ/i / Σ S·(1−α)^(i−1)/i,  i = 1 … k
func (t *Topic) ERRIA(k int, _ [2]float64) float64 {
	most, gain := 0.0, float64(t.found)
	for i := 1; i <= k && gain > 0; i++ {
		most += gain / float64(i)
		gain *= 1 - errAlpha
	}
	return overRanks(t.gains(errAlpha, k)) / most
}

// NERRIA is ERRIA divided by its value for the ideal ranking.
func (t *Topic) NERRIA(k int, _ [2]float64) float64 {
	return overRanks(t.gains(errAlpha, k)) / overRanks(t.best(errAlpha, k))
}

func overRanks(gains []float64) float64 {
	sum := 0.0
	for i, g := range gains {
		sum += g / float64(i+1)
	}
	return sum
}

// NRBP is novelty- and rank-biased precision (Clarke, Kolla and Vechtomova 2009) with α and β:
//
//	NRBP = (1 − (1−α)·β)/S · Σ gᵢ·β^(i−1)
func (t *Topic) NRBP(_ int, params [2]float64) float64 {
	alpha, beta := params[0], params[1]
	return (1 - float64((1-alpha)*beta)) / float64(t.found) * biased(t.gains(alpha, t.Depth), beta)
}

// NNRBP is NRBP divided by its value for the ideal ranking.
func (t *Topic) NNRBP(_ int, params [2]float64) float64 {
	alpha, beta := params[0], params[1]
	// The first ideal rank has a gain of at least 1. Ranks whose sum rounding would remove are
	// skipped.
	depth := 0
	for most := float64(t.found); most >= 0x1p-53 && depth < len(t.docs); most *= beta {
		depth++
	}
	return biased(t.gains(alpha, t.Depth), beta) / biased(t.best(alpha, depth), beta)
}

// biased returns Σ gᵢ·β^(i−1).
func biased(gains []float64, beta float64) float64 {
	sum, weight := 0.0, 1.0
	for _, g := range gains {
		sum += float64(g * weight)
		weight *= beta
	}
	return sum
}

// PrecisionIA is the mean over the subtopics of precision@k (Agrawal et al. 2009).
func (t *Topic) PrecisionIA(k int, _ [2]float64) float64 {
	return biased(t.gains(0, k), 1) / (float64(k) * float64(t.found))
}

// SubtopicRecall is the fraction of the subtopics that have a relevant document among the first k
// (Zhai, Cohen and Lafferty 2003).
func (t *Topic) SubtopicRecall(k int, _ [2]float64) float64 {
	return biased(t.gains(1, k), 1) / float64(t.found)
}
