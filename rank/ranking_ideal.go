package rank

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// This file counts the judgments of a query and finds its ideal ranking.

// judge counts relevant and other documents and fills the ideal ranking.
func (r *ranking) judge(p *plan) error {
	unretrieved := r.unretrieved()
	r.relevant, r.nonrelevant = 0, 0
	most := math.MaxInt // ranks of the ideal that are wanted
	if p.depth > 0 {
		most = p.depth
	}
	if r.graded {
		if err := r.countGrades(p, unretrieved); err != nil {
			return err
		}
		if p.needs&needBinary != 0 {
			for g, n := range r.counts[:r.levels] {
				if p.relevant[g] {
					r.relevant += int(n)
				} else {
					r.nonrelevant += int(n)
				}
			}
		}
		if p.needs&needGains != 0 {
			r.idealOfCounts(p, most)
		}
	} else {
		r.ideal, r.idealSums, r.idealLevels = r.ideal[:0], r.idealSums[:0], 0
		for i, l := range r.list.Labels {
			if err := r.count(p, l); err != nil {
				return r.labelError(i, err)
			}
		}
		for i, l := range unretrieved {
			if err := r.count(p, l); err != nil {
				return r.unretrievedError(i, err)
			}
		}
		slices.SortFunc(r.ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	return nil
}

// unretrieved returns the labels of documents that the list lacks, as far as they count.
func (r *ranking) unretrieved() []float64 {
	if r.o.judging[RetrievedOnly] {
		return nil
	}
	return r.list.Unretrieved
}

// idealOfCounts fills the first ranks of the ideal ranking, at most so many, from the documents of
// each grade; and keeps it, with its sums, when they are as they were, as at the cutoffs of like
// queries they tend to be.
func (r *ranking) idealOfCounts(p *plan, most int) {
	if r.levels <= together {
		same, left := r.levels == r.idealLevels, int64(most)
		for g := r.levels - 1; g >= 0; g-- {
			n := min(r.counts[g], left)
			same = same && r.idealOf[g] == n
			r.idealOf[g] = n
			left -= n
		}
		if same {
			return
		}
		r.idealLevels = r.levels
	} else {
		r.idealLevels = 0
	}
	r.ideal, r.idealSums = r.ideal[:0], r.idealSums[:0]
	for g := r.levels - 1; g >= 0; g-- {
		if n := min(int(r.counts[g]), most-len(r.ideal)); n > 0 {
			r.ideal = appendSame(r.ideal, p.gains[g], n)
		}
	}
}

// idealDCG returns the DCG of the first k ranks of the ideal ranking.
func (r *ranking) idealDCG(k int) float64 {
	for _, s := range r.idealSums {
		if s.k == k {
			return s.sum
		}
	}
	sum := r.weigh(r.ideal, k)
	r.idealSums = append(r.idealSums, idealSum{k, sum})
	return sum
}

type idealSum struct {
	k   int
	sum float64
}

// appendSame appends v n times, in steps of eight: what follows the slice may be overwritten.
func appendSame(s []float64, v float64, n int) []float64 {
	const step = 8
	have := len(s)
	s = slices.Grow(s, n+step)
	eight := [step]float64{v, v, v, v, v, v, v, v}
	for rest := s[have : have+n+step]; len(rest) > step; rest = rest[step:] {
		*(*[step]float64)(rest) = eight
	}
	return s[:have+n]
}

// count enters a label into the ideal ranking and the numbers of relevant and other documents.
func (r *ranking) count(p *plan, label float64) error {
	g, err := p.gainIfNeeded(label)
	switch {
	case err != nil:
		return err
	case r.o.unjudged(label):
		return nil
	case r.o.isRelevant(label):
		r.relevant++
	default:
		r.nonrelevant++
	}
	if p.needs&needGains != 0 {
		r.ideal = append(r.ideal, g)
	}
	return nil
}

// together is the number of grades that kernels count, and read from keys.
const together = 16

// countGrades is count for all grades at once.
func (r *ranking) countGrades(p *plan, unretrieved []float64) error {
	first := (*[together]int64)(r.counts[:])
	if r.levels > together {
		clear(r.counts[together:])
	}
	*first = [together]int64{}
	r.levels = min(max(r.levels, 5), together)
	others := order.CountLevelsU8(first, r.grades, r.levels)
	skip := p.o.judging[NegativeUnjudged] // what nobody judged counts for nothing
	unjudged := int64(0)
	switch {
	case r.folded:
		unjudged = int64(bytes.Count(r.grades, []byte{unjudgedFolded}))
	case skip && others > 0:
		unjudged = int64(bytes.Count(r.grades, []byte{unjudgedGrade}))
	}
	r.unjudged = unjudged > 0 && !r.folded
	if others > unjudged {
		r.levels = 256
		clear(first[:])
		for _, g := range r.grades {
			r.counts[g]++
		}
	}
	if r.folded {
		r.counts[unjudgedFolded] = 0
	}
	for _, l := range unretrieved {
		g := uint8(unjudgedGrade)
		if l >= 0 {
			g = uint8(l)
		} else if skip {
			continue
		}
		r.counts[g]++
		r.levels = max(r.levels, int(g)+1)
	}
	if r.levels <= min(p.valid, together) {
		return nil
	}
	highest := 0
	for g := range r.counts[:r.levels] {
		if r.counts[g] == 0 {
			continue
		}
		if _, err := p.gainIfNeeded(labelOf[g]); err != nil {
			for i, v := range r.grades {
				if int(v) == g {
					return r.labelError(i, err)
				}
			}
			return r.unretrievedError(slices.Index(unretrieved, labelOf[g]), err)
		}
		highest = g
	}
	r.counts[unjudgedGrade] = 0
	if r.levels > together {
		r.levels = highest + 1 // nothing is left behind
	}
	return nil
}
