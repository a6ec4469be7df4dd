package metrics

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/order"
)

// ordered is the third stage of a query: its documents sorted by score. The slices are in rank
// order. They contain the first ranks that the rules need and all documents tied with the last of
// them.
type ordered struct {
	keys       []int64 // the sort keys of the documents
	gradeInKey bool    // whether keys contain grades in place of plain indices
	gained     bool    // whether gains were filled without keys

	labels  []float64 // empty if only the gains of grades are needed
	ends    []int32   // for each rank, the end of its group of ties; empty if there are no ties
	gains   []float64 // for each rank, the mean gain of the tied documents
	chances []float64 // for each rank, the share of relevant documents among the tied ones

	tied  bool       // the last query had ties, so this one is likely to have some too
	space [2][]int64 // memory for keys and for sorting
}

// bestGains fills the gains of the best documents. It returns false if that requires sorting. It
// does not fill the ideal ranking.
func (o *ordered) bestGains(r *rules, j *judged) bool {
	o.makeSpace(j.n, r.depth)
	o.gains = slices.Grow(o.gains[:0], together)[:together]
	_, ok := order.BestGainsF32((*[together]float64)(o.gains), o.space[0], j.scores, j.grades,
		(*[together]float64)(r.gainsOf(j)[:]), r.depth)
	o.gains, o.keys, o.ends = o.gains[:r.depth], o.keys[:0], o.ends[:0]
	return ok
}

// gainsOf returns the gains of the grades of j.
func (r *rules) gainsOf(j *judged) *[256]float64 {
	if j.folded {
		return &r.folded
	}
	return &r.gains
}

// makeSpace allocates the memory for sorting n documents, including a search for the best ones if
// that comes first. The memory suffices for all queries with fewer documents.
func (o *ordered) makeSpace(n, depth int) {
	if depth > 0 && order.TopKPays(n, depth) {
		n = max(n, order.TopKSpace(n), order.BestGainsSpace)
	}
	for i := range o.space {
		if len(o.space[i]) < n {
			o.space[i] = make([]int64, n)
		}
	}
}

// gainsOfKeys fills gains and ends from grades and keys alone, unless gains are filled already.
func (o *ordered) gainsOfKeys(r *rules, j *judged, d *ideal) {
	n := len(o.keys)
	o.ends, o.labels = o.ends[:0], o.labels[:0]
	if o.tied = false; o.gained {
		return
	}
	o.gains = slices.Grow(o.gains, n)[:n]
	gains, grades, table := o.gains, j.grades, r.gainsOf(j) // locals, not reloaded for each document
	ties := false
	if o.gradeInKey && d.levels <= together && !d.unjudged {
		ties = order.GainsOfKeysF64(gains, o.keys, (*[together]float64)(table[:]))
	} else {
		last := int64(math.MinInt64) // differs from every key
		for i, key := range o.keys {
			grade := order.KeyGrade(key)
			if !o.gradeInKey {
				grade = grades[order.KeyIndex(key)]
			}
			gains[i] = table[grade]
			ties = ties || order.KeyTied(key, last)
			last = key
		}
	}
	if o.tied = ties; ties {
		o.group(&r.policy, j)
		o.average(o.gains)
	}
}

// sort fills keys with the best documents, or with all of them if the depth of the rules is 0. It
// reports whether any score is NaN.
func (o *ordered) sort(r *rules, j *judged) (nan bool) {
	depth := r.depth
	o.gradeInKey, o.gained = false, false
	o.makeSpace(j.n, depth)
	if depth > 0 && order.TopKPays(j.n, depth) {
		n, nan, ok := order.TopKF32(o.space[0], o.space[1], j.scores, depth)
		if ok || nan && !r.policy.NaNLast {
			o.keys = o.space[0][:n]
			return nan
		}
	}
	o.keys = o.space[0][:j.n]
	if o.gradeInKey = r.compact(j) && j.n <= order.MostGraded; o.gradeInKey {
		j.fold(&r.policy)
	}
	switch {
	case o.gradeInKey && !o.tied:
		o.gains = slices.Grow(o.gains[:0], j.n)[:j.n]
		nan, o.gained = order.RankGainsF32(o.gains, o.keys, o.space[1][:j.n], j.scores, j.grades,
			(*[together]float64)(r.gainsOf(j)[:]))
		return nan
	case o.gradeInKey:
		nan = order.RankGradesF32(o.keys, j.scores, j.grades)
	default:
		nan = order.RankKeysF32(o.keys, j.scores)
	}
	order.SortKeys(o.keys, o.space[1][:j.n])
	return nan
}

// resolve orders documents with tied keys: first by scores that are equal only as float32, then as
// the policy says.
func (o *ordered) resolve(p *Policy, j *judged) {
	if !j.exact || p.Ties.reorders() {
		order.SortTied(o.keys, func(a, b int64) int { return j.compareTied(p, a, b) })
	}
}

func (j *judged) compareTied(p *Policy, ka, kb int64) int {
	a, b := order.KeyIndex(ka), order.KeyIndex(kb)
	if c := cmp.Compare(j.score(b), j.score(a)); c != 0 {
		return c
	}
	c := 0
	switch p.Ties {
	case TiesPessimistic:
		c = cmp.Compare(j.label(a), j.label(b))
	case TiesOptimistic:
		c = cmp.Compare(j.label(b), j.label(a))
	case TiesByKey:
		c = cmp.Compare(j.list.TieKeys[b], j.list.TieKeys[a])
	}
	if c == 0 {
		c = cmp.Compare(a, b)
	}
	return c
}

// tiedAt reports whether the documents at ranks i−1 and i have equal scores. All NaNs are equal.
func (o *ordered) tiedAt(j *judged, i int) bool {
	a, b := o.keys[i-1], o.keys[i]
	return order.KeyTied(a, b) && (j.exact || equalOrNaN(j.score(order.KeyIndex(a)), j.score(order.KeyIndex(b))))
}

func equalOrNaN(a, b float64) bool { return a == b || a != a && b != b }

// group finds the groups of tied documents, if the policy averages over them.
func (o *ordered) group(p *Policy, j *judged) {
	o.ends = o.ends[:0]
	if p.Ties != TiesAverage {
		return
	}
	n, first := len(o.keys), 1
	for first < n && !o.tiedAt(j, first) {
		first++
	}
	if first >= n {
		return
	}
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && o.tiedAt(j, hi) {
			hi++
		}
		for ; lo < hi; lo++ {
			o.ends = append(o.ends, int32(hi))
		}
	}
}

// fill fills the labels and, if they are needed, the gains.
func (o *ordered) fill(r *rules, j *judged) {
	n := len(o.keys)
	o.labels, o.gains = slices.Grow(o.labels[:0], n)[:n], o.gains[:0]
	if r.needs&needGains != 0 {
		o.gains = slices.Grow(o.gains, n)[:n]
	}
	labels, gains, grades := o.labels, o.gains, j.grades // locals, not reloaded for each document
	if !j.graded {
		for i, key := range o.keys {
			labels[i] = j.list.Labels[order.KeyIndex(key)]
		}
		for i := range gains {
			gains[i], _ = r.policy.gainOf(labels[i]) // judge has already checked the label
		}
	} else {
		for i, key := range o.keys {
			grade := grades[order.KeyIndex(key)]
			labels[i] = labelOf[grade]
			if len(gains) > 0 {
				gains[i] = r.gains[grade]
			}
		}
	}
	if len(gains) > 0 {
		o.average(gains)
	}
}

// chance fills chances, the probabilities of relevance.
func (o *ordered) chance(p *Policy) {
	o.chances = o.chances[:0]
	for _, l := range o.labels {
		o.chances = append(o.chances, p.relevance(l))
	}
	o.average(o.chances)
}

// end returns the end of the group of tied ranks that begins at lo.
func (o *ordered) end(lo int) int { return End(o.ends, lo) }

// average replaces the values of tied documents by their mean.
func (o *ordered) average(v []float64) {
	for lo := 0; lo < len(o.ends); {
		hi := o.end(lo)
		sum := 0.0
		for _, x := range v[lo:hi] {
			sum += x
		}
		for mean := sum / float64(hi-lo); lo < hi; lo++ {
			v[lo] = mean
		}
	}
}
