package rank

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/measures"
	"github.com/simdrank/simdrank/internal/order"
)

// This file puts the documents of a query in order.

// bestGains fills the gains of the best documents, and reports whether it could, which leaves judge
// to do.
func (r *ranking) bestGains(p *plan) bool {
	r.makeSpace(p.depth)
	r.gains = slices.Grow(r.gains[:0], together)[:together]
	_, ok := order.BestGainsF32((*[together]float64)(r.gains), r.space[0], r.single, r.grades,
		(*[together]float64)(r.gainsOf(p)[:]), p.depth)
	r.gains, r.keys, r.ends = r.gains[:p.depth], r.keys[:0], r.ends[:0]
	return ok
}

// unjudgedFolded is the grade of unjudged documents for kernels: the highest that all of them take.
const unjudgedFolded = 14

// fold makes the grade of unjudged documents unjudgedFolded, if there are such documents and no
// others have it or a higher grade.
func (r *ranking) fold() {
	const (
		word  = 8
		ones  = 0x0101010101010101
		tops  = 0x80 * ones
		above = (0x80 - unjudgedFolded) * ones // what makes unjudgedFolded, and no less, reach the top bit
	)
	if r.folded || !r.o.judging[NegativeUnjudged] || r.n < word {
		return
	}
	if r.folds = slices.Grow(r.folds[:0], r.n)[:r.n]; bytes.IndexByte(r.grades, unjudgedGrade) < 0 {
		return
	}
	wrong := uint64(0)
	for i := 0; i < r.n; i += word {
		at := min(i, r.n-word) // the last word may begin within the one before
		w := binary.LittleEndian.Uint64(r.grades[at:])
		top := w & tops
		marked := top >> 7 * unjudgedGrade
		wrong |= marked&^w | (w&^tops+above)&tops&^top
		binary.LittleEndian.PutUint64(r.folds[at:], w&^marked|marked&(unjudgedFolded*ones))
	}
	if r.folded = wrong == 0; r.folded {
		r.grades = r.folds
	}
}

// gainsOf returns the gains of grades, folded or not.
func (r *ranking) gainsOf(p *plan) *[256]float64 {
	if r.folded {
		return &p.folded
	}
	return &p.gains
}

// makeSpace makes what a sort of the documents needs, and the search for the best ones if that
// comes first. No query with fewer documents needs more.
func (r *ranking) makeSpace(depth int) {
	n := r.n
	if depth > 0 && topKPays(n, depth) {
		n = max(n, order.TopKSpace(n), order.BestGainsSpace)
	}
	for i := range r.space {
		if len(r.space[i]) < n {
			r.space[i] = make([]int64, n)
		}
	}
}

// gainsOfKeys fills gains, and groups of ties, from grades and keys alone, unless gains are filled.
func (r *ranking) gainsOfKeys(p *plan) {
	n := len(r.keys)
	r.ends, r.labels = r.ends[:0], r.labels[:0]
	if r.tied = false; r.gained {
		return
	}
	r.gains = slices.Grow(r.gains, n)[:n]
	gains, grades, table := r.gains, r.grades, r.gainsOf(p) // not read again for each document
	ties := false
	if r.gradeInKey && r.levels <= together && !r.unjudged {
		ties = order.GainsOfKeysF64(gains, r.keys, (*[together]float64)(table[:]))
	} else {
		last := int64(math.MinInt64) // which is no key
		for i, key := range r.keys {
			grade := order.KeyGrade(key)
			if !r.gradeInKey {
				grade = grades[order.KeyIndex(key)]
			}
			gains[i] = table[grade]
			ties = ties || order.KeyTied(key, last)
			last = key
		}
	}
	if r.tied = ties; ties {
		r.group()
		r.average(r.gains)
	}
}

// topKFrom is the number of documents from which the best of them are looked for before they are
// sorted.
const topKFrom = 48

// sort fills keys with the best documents, all of them when the plan's depth is 0, and reports
// whether a score is NaN.
func (r *ranking) sort(p *plan) (nan bool) {
	depth := p.depth
	r.gradeInKey, r.gained = false, false
	r.makeSpace(depth)
	if depth > 0 && topKPays(r.n, depth) {
		n, nan, ok := order.TopKF32(r.space[0], r.space[1], r.single, depth)
		if ok || nan && r.o.nans == NaNError {
			r.keys = r.space[0][:n]
			return nan
		}
	}
	r.keys = r.space[0][:r.n]
	if r.gradeInKey = r.compact(p) && r.n <= order.MostGraded; r.gradeInKey {
		r.fold()
	}
	switch {
	case r.gradeInKey && !r.tied:
		r.gains = slices.Grow(r.gains[:0], r.n)[:r.n]
		nan, r.gained = order.RankGainsF32(r.gains, r.keys, r.space[1][:r.n], r.single, r.grades,
			(*[together]float64)(r.gainsOf(p)[:]))
		return nan
	case r.gradeInKey:
		nan = order.RankGradesF32(r.keys, r.single, r.grades)
	default:
		nan = order.RankKeysF32(r.keys, r.single)
	}
	order.SortKeys(r.keys, r.space[1][:r.n])
	return nan
}

// resolve orders documents whose keys are tied: by scores that differ only beyond float32, and as
// the policy says.
func (r *ranking) resolve() {
	if !r.exact || r.o.ties.reorders() {
		sortTied(r.keys, r.compareTied)
	}
}

func (r *ranking) compareTied(ka, kb int64) int {
	a, b := order.KeyIndex(ka), order.KeyIndex(kb)
	if c := cmp.Compare(r.score(b), r.score(a)); c != 0 {
		return c
	}
	c := 0
	switch r.o.ties {
	case TiesPessimistic:
		c = cmp.Compare(r.label(a), r.label(b))
	case TiesOptimistic:
		c = cmp.Compare(r.label(b), r.label(a))
	case TiesByKey:
		c = cmp.Compare(r.list.TieKeys[b], r.list.TieKeys[a])
	}
	if c == 0 {
		c = cmp.Compare(a, b)
	}
	return c
}

// tiedAt reports whether the documents at ranks i-1 and i have equal scores, NaNs being equal to
// each other.
func (r *ranking) tiedAt(i int) bool {
	a, b := r.keys[i-1], r.keys[i]
	return order.KeyTied(a, b) && (r.exact || equalOrNaN(r.score(order.KeyIndex(a)), r.score(order.KeyIndex(b))))
}

func equalOrNaN(a, b float64) bool { return a == b || a != a && b != b }

// group finds the tied documents, when the policy averages over them.
func (r *ranking) group() {
	r.ends = r.ends[:0]
	if r.o.ties != TiesAverage {
		return
	}
	n, first := len(r.keys), 1
	for first < n && !r.tiedAt(first) {
		first++
	}
	if first >= n {
		return
	}
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && r.tiedAt(hi) {
			hi++
		}
		for ; lo < hi; lo++ {
			r.ends = append(r.ends, int32(hi))
		}
	}
}

// end returns the end of the group of tied ranks that begins at lo.
func (r *ranking) end(lo int) int { return measures.End(r.ends, lo) }

// average replaces values by the means of tied documents.
func (r *ranking) average(v []float64) {
	for lo := 0; lo < len(r.ends); {
		hi := r.end(lo)
		sum := 0.0
		for _, x := range v[lo:hi] {
			sum += x
		}
		for mean := sum / float64(hi-lo); lo < hi; lo++ {
			v[lo] = mean
		}
	}
}
