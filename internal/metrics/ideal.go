package metrics

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// together is the largest number of grades that kernels can count, or read from sort keys.
const together = 16

// ideal is the second stage of a query: the counts of its judgments and the gains of its ideal
// ranking.
type ideal struct {
	relevant    int // number of relevant documents, including documents not retrieved
	nonrelevant int // number of judged documents that are not relevant, including documents not retrieved

	counts   [256]int64 // number of documents of each grade, including documents not retrieved
	levels   int        // only grades below this have been counted so far
	unjudged bool       // whether a document has unjudgedGrade, which levels does not include

	gains      []float64       // gains in ideal order, as many as the rules need
	sums       []idealSum      // the DCGs of the ideal ranking that were computed
	madeOf     [together]int64 // number of documents of each grade in gains
	madeLevels int             // number of valid elements of madeOf; 0 if gains were not made from counts
}

type idealSum struct {
	k   int
	sum float64
}

// judge counts relevant documents and others, and fills gains.
func (d *ideal) judge(r *rules, j *judged) error {
	unretrieved := j.unretrieved(&r.policy)
	d.relevant, d.nonrelevant = 0, 0
	most := math.MaxInt // number of ranks of the ideal ranking that are needed
	if r.depth > 0 {
		most = r.depth
	}
	if j.graded {
		if err := d.countGrades(r, j, unretrieved); err != nil {
			return err
		}
		if r.needs&needBinary != 0 {
			for g, n := range d.counts[:d.levels] {
				if r.relevant[g] {
					d.relevant += int(n)
				} else {
					d.nonrelevant += int(n)
				}
			}
		}
		if r.needs&needGains != 0 {
			d.rankCounts(r, most)
		}
	} else {
		d.gains, d.sums, d.madeLevels = d.gains[:0], d.sums[:0], 0
		for i, l := range j.list.Labels {
			if err := d.count(r, l); err != nil {
				return j.labelError(i, err)
			}
		}
		for i, l := range unretrieved {
			if err := d.count(r, l); err != nil {
				return j.unretrievedError(i, err)
			}
		}
		slices.SortFunc(d.gains, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	return nil
}

// rankCounts fills the first ranks of the ideal ranking, at most most of them, from the number of
// documents of each grade. If the ranking is the same as for the last query, as often happens with
// a small cutoff, it keeps the ranking and its sums.
func (d *ideal) rankCounts(r *rules, most int) {
	if d.levels <= together {
		same, left := d.levels == d.madeLevels, int64(most)
		for g := d.levels - 1; g >= 0; g-- {
			n := min(d.counts[g], left)
			same = same && d.madeOf[g] == n
			d.madeOf[g] = n
			left -= n
		}
		if same {
			return
		}
		d.madeLevels = d.levels
	} else {
		d.madeLevels = 0
	}
	d.gains, d.sums = order.AppendCountsF64(d.gains[:0], r.gains[:], d.counts[:d.levels], most), d.sums[:0]
}

// count adds a label to the ideal ranking and to the number of relevant or other documents.
func (d *ideal) count(r *rules, label float64) *LabelError {
	g, err := r.gainIfNeeded(label)
	switch {
	case err != nil:
		return err
	case r.policy.unjudged(label):
		return nil
	case r.policy.isRelevant(label):
		d.relevant++
	default:
		d.nonrelevant++
	}
	if r.needs&needGains != 0 {
		d.gains = append(d.gains, g)
	}
	return nil
}

// countGrades is count for all grades at once.
func (d *ideal) countGrades(r *rules, j *judged, unretrieved []float64) error {
	first := (*[together]int64)(d.counts[:])
	if d.levels > together {
		clear(d.counts[together:])
	}
	*first = [together]int64{}
	d.levels = min(max(d.levels, 5), together)
	others := order.CountLevelsU8(first, j.grades, d.levels)
	skip := r.policy.NegativeUnjudged // unjudged documents do not count
	unjudged := int64(0)
	switch {
	case j.folded:
		unjudged = int64(bytes.Count(j.grades, []byte{order.FoldedGrade}))
	case skip && others > 0:
		unjudged = int64(bytes.Count(j.grades, []byte{unjudgedGrade}))
	}
	d.unjudged = unjudged > 0 && !j.folded
	if others > unjudged {
		d.levels = 256
		clear(first[:])
		for _, g := range j.grades {
			d.counts[g]++
		}
	}
	if j.folded {
		d.counts[order.FoldedGrade] = 0
	}
	for _, l := range unretrieved {
		g := uint8(unjudgedGrade)
		if l >= 0 {
			g = uint8(l)
		} else if skip {
			continue
		}
		d.counts[g]++
		d.levels = max(d.levels, int(g)+1)
	}
	if d.levels <= min(r.valid, together) {
		return nil
	}
	highest := 0
	for g := range d.counts[:d.levels] {
		if d.counts[g] == 0 {
			continue
		}
		if _, err := r.gainIfNeeded(labelOf[g]); err != nil {
			for i, v := range j.grades {
				if int(v) == g {
					return j.labelError(i, err)
				}
			}
			return j.unretrievedError(slices.Index(unretrieved, labelOf[g]), err)
		}
		highest = g
	}
	d.counts[unjudgedGrade] = 0
	if d.levels > together {
		d.levels = highest + 1 // all higher counts are 0
	}
	return nil
}
