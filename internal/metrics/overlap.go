package metrics

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
)

// An Overlap compares rankings by the number of documents that their first ranks share. The zero
// value is ready for use.
type Overlap struct {
	x, part  []float64
	relevant []float64
	levels   []level
	group    []*level // the levels of the relevant documents in a group of ties
	ones     []float64
}

// Counts returns the number of documents that the first d ranks of two rankings share, for d from 1
// to the length of the longer one. It is the mean over all orders of tied documents. ranks contains
// the rank, from 1, of each document in the other ranking, or 0 if it is not there. length is the
// length of the other ranking. The result is valid until the next call.
func (w *Overlap) Counts(ranks, ends []int32, length int) []float64 {
	n := len(ranks)
	w.x = Zeros(w.x, max(n, length))
	x := w.x
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = End(ends, lo)
		for _, q := range ranks[lo:hi] {
			if q > 0 {
				x[max(int(q), hi)-1]++
			}
		}
	}
	for d := 1; d < len(x); d++ {
		x[d] += x[d-1]
	}
	for lo, hi := 0, 0; lo < n; lo = hi {
		hi = End(ends, lo)
		if hi == lo+1 {
			continue
		}
		// Of the tied documents that are above rank d in the other ranking, only a share is above
		// rank d in this one.
		w.part = Zeros(w.part, hi-lo)
		for _, q := range ranks[lo:hi] {
			if q > 0 && int(q) < hi {
				w.part[max(int(q)-1-lo, 0)]++
			}
		}
		above := 0.0
		for i := range w.part[1:] {
			above += w.part[i]
			x[lo+i] += above * float64(i+1) / float64(hi-lo)
		}
	}
	return x
}

// RBO returns the rank-biased overlap of two rankings, extrapolated from the known ranks (Webber,
// Moffat and Zobel 2010, equation 32). x is the result of Counts, and s is the length of the
// shorter ranking. The overlap of two empty rankings is 1.
func RBO(x []float64, s int, p float64) float64 {
	if s == 0 {
		if len(x) == 0 {
			return 1
		}
		return 0
	}
	var sum, shorter float64
	shorter = x[s-1]
	weight := 1.0 // p^d
	for d := 1; d <= len(x); d++ {
		weight *= p
		common := x[d-1]
		if d > s {
			common += shorter * float64(d-s) / float64(s)
		}
		sum += float64(common / float64(d) * weight)
	}
	l := len(x)
	last := (x[l-1]-shorter)/float64(l) + shorter/float64(s)
	return float64((1-p)/p*sum) + float64(last*weight)
}

// RBOLeast returns the minimum rank-biased overlap that two rankings can have if they continue
// (Webber, Moffat and Zobel 2010, equation 11 at the depth of the longer one). It takes the
// arguments of RBO.
func RBOLeast(x []float64, s int, p float64) float64 {
	least, _ := bounds(x, s, p)
	return least
}

// RBOResidual returns the difference between the maximum and the minimum overlap (equation 30).
func RBOResidual(x []float64, s int, p float64) float64 {
	_, residual := bounds(x, s, p)
	return residual
}

func bounds(x []float64, s int, p float64) (least, residual float64) {
	l, last := len(x), 0.0
	if l > 0 {
		last = x[l-1]
	}
	all := l + s - int(last) // from this depth on the rankings may contain the same documents
	var seen, more, weights float64
	weight := 1.0
	for d := 1; d <= all; d++ {
		weight *= p
		w := weight / float64(d)
		weights += w
		common := last
		if d <= l {
			common = x[d-1]
			seen += float64(common * w)
		}
		if d > s {
			most := common + float64(d-s) + float64(max(d-l, 0))
			more += float64((min(most, float64(d)) - common) * w)
		}
		if d == l {
			// The documents in common count at all greater depths too.
			seen -= float64(last * weights)
		}
	}
	rest := -float64(num.Log2(1-p) * math.Ln2) // the sum of p^d/d over all depths
	least = (1 - p) / p * (seen + float64(last*rest))
	more += float64(weight*p)/(1-p) - float64(last*(rest-weights))
	return least, (1 - p) / p * more
}

// A level consists of the relevant documents with the same label, which are adjacent in the ideal
// ranking.
type level struct {
	label float64
	start int // rank of the first document in the ideal ranking, from 0
	above int // number of documents retrieved above the current group of ties
	tied  int // number of documents in the current group of ties
}

// Compatibility compares a ranking with the ideal ranking that is most similar to it. The ideal
// ranking sorts documents by descending label, and documents with equal labels as they were
// retrieved. The result is the rank-biased overlap with persistence p, truncated at the longer
// ranking, divided by its maximum (Clarke, Vtyurina and Smucker 2021). labels are the labels of the
// ranking, and missed are the labels of documents that it lacks. A label of 0 is not relevant.
func (w *Overlap) Compatibility(labels []float64, ends []int32, missed []float64, p float64) float64 {
	w.relevant = w.relevant[:0]
	for _, list := range [][]float64{labels, missed} {
		for _, v := range list {
			if v > 0 {
				w.relevant = append(w.relevant, v)
			}
		}
	}
	slices.SortFunc(w.relevant, func(a, b float64) int { return cmp.Compare(b, a) })
	w.levels = w.levels[:0]
	for i, v := range w.relevant {
		if i == 0 || v != w.relevant[i-1] {
			w.levels = append(w.levels, level{label: v, start: i})
		}
	}
	r := len(w.relevant)
	w.levels = append(w.levels, level{start: r}) // an empty level at the end

	var score, best float64
	weight := 1.0
	at := 0             // the level of the document at rank d of the ideal ranking
	var above, tied int // totals of the levels before at
	add := func(d int, common float64) {
		score += float64(weight * common / float64(d))
		best += float64(weight * float64(min(d, r)) / float64(d))
		weight = float64(weight * p)
	}
	// No rank adds more than its weight, so from some rank on rounding removes all terms.
	settled := func() bool { return score+2*weight == score && best+2*weight == best }
	descend := func(d int) {
		for at+1 < len(w.levels) && w.levels[at+1].start <= d {
			above += w.levels[at].above
			tied += w.levels[at].tied
			at++
		}
	}
	for lo, hi := 0, 0; lo < len(labels); lo = hi {
		hi = End(ends, lo)
		n := hi - lo
		w.group = w.group[:0]
		for _, v := range labels[lo:hi] {
			if v > 0 {
				i, _ := slices.BinarySearchFunc(w.levels[:len(w.levels)-1], v,
					func(l level, v float64) int { return cmp.Compare(v, l.label) })
				w.group = append(w.group, &w.levels[i])
				w.levels[i].tied++
				if i < at {
					tied++
				}
			}
		}
		for d := lo + 1; d <= hi; d++ {
			if settled() {
				return score / best
			}
			descend(d)
			l := &w.levels[at]
			common := float64(above) + float64(tied)*float64(d-lo)/float64(n)
			add(d, common+w.least(d-l.start, l.above, l.tied, n, d-lo))
		}
		above, tied = above+tied, 0
		for _, l := range w.group {
			l.above, l.tied = l.above+l.tied, 0
		}
	}
	for d := len(labels) + 1; d <= r; d++ {
		descend(d)
		l := &w.levels[at]
		add(d, float64(above+min(d-l.start, l.above)))
	}
	return score / best
}

// least returns the mean of min(most, above + h), where h is the number of documents of a level
// among j documents drawn from n, of which tied belong to the level.
func (w *Overlap) least(most, above, tied, n, j int) float64 {
	if j == n || tied == 0 {
		return float64(min(most, above+tied))
	}
	w.part = w.part[:0]
	for h := range min(tied, j) + 1 {
		w.part = append(w.part, float64(min(most, above+h)))
	}
	for len(w.ones) <= n-tied {
		w.ones = append(w.ones, 1)
	}
	return joint(w.part, w.ones, tied, n-tied, j)
}
