package rank

import (
	"errors"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/measures"
	"github.com/simdrank/simdrank/internal/order"
)

// RBO returns the rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010), extrapolated
// from what of them is given (their equation 32): 1 for the same order, 0 without common items. The
// shorter ranking has s items and the longer l, X_d is the number of items that their first d have
// in common:
//
//	RBO = (1−p)/p·(Σ X_d/d·p^d + Σ X_s(d−s)/(s·d)·p^d) + ((X_l−X_s)/l + X_s/s)·p^l
//
// with d from 1 to l in the first sum and from s+1 to l in the second. The persistence p, between 0
// and 1, is the weight of a rank relative to the one above. A ranking holds no item twice. Two
// empty rankings have the overlap 1, an empty and another one 0. Run.Ranking of rank/trec gives the
// rankings of runs.
//
// The metric is "rbo(p)", which compares a list with its [List.Reference]; 0.9 is its default. The
// least overlap that the two can have when they go on is the metric "rbo-min(p)", and by how much
// the greatest is above that, "rbo-residual(p)".
func RBO[T comparable](a, b []T, p float64) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, fmt.Errorf("rank: persistence %v: want a number between 0 and 1", p)
	}
	rankIn := make(map[T]int32, len(b)) // b: of each item, negative once a has it
	for i, item := range b {
		if rankIn[item] != 0 {
			return 0, fmt.Errorf("rank: a ranking holds %v twice", item)
		}
		rankIn[item] = int32(i + 1)
	}
	const onlyA = -1 << 31
	ranks := make([]int32, len(a))
	for i, item := range a {
		switch q := rankIn[item]; {
		case q < 0:
			return 0, fmt.Errorf("rank: a ranking holds %v twice", item)
		case q == 0:
			rankIn[item] = onlyA
		default:
			ranks[i], rankIn[item] = q, -q
		}
	}
	var w measures.Overlap
	return measures.RBO(w.Counts(ranks, nil, len(b)), min(len(a), len(b)), p), nil
}

// A Reference is another ranking of the documents of a list.
type Reference struct {
	Ranks []int32 // of each document of the list in the other ranking, from 1; 0 when that lacks it
	Len   int     // documents of the other ranking, those that the list lacks included
}

// refer compares the ranking with the reference.
func (r *ranking) refer() error {
	ref := r.list.Reference
	listed := r.n + len(r.dropped)
	switch {
	case ref == nil:
		return errors.New("no reference ranking, which rbo needs")
	case len(ref.Ranks) != listed || ref.Len < 0 || ref.Len >= math.MaxInt32:
		return fmt.Errorf("%d ranks in a reference of %d for %d documents", len(ref.Ranks), ref.Len, listed)
	}
	r.taken, r.given, r.refs = measures.Zeros(r.taken, ref.Len+1), r.given[:0], r.refs[:0]
	for i, q := range ref.Ranks {
		if q < 0 || int(q) > ref.Len || r.taken[q] {
			return fmt.Errorf("document %d: rank %d in a reference of %d is wrong or taken", i+1, q, ref.Len)
		}
		r.taken[q] = q > 0
		if r.index(i) >= 0 {
			r.given = append(r.given, q)
		}
	}
	for _, key := range r.keys {
		r.refs = append(r.refs, r.given[order.KeyIndex(key)])
	}
	r.common = r.overlap.Counts(r.refs, r.ends, ref.Len)
	return nil
}

// ofCommon makes a metric of a measure of what a ranking has in common with the reference.
func ofCommon(measure func(x []float64, shorter int, p float64) float64) func(*ranking, *Metric) float64 {
	return func(r *ranking, m *Metric) float64 {
		return measure(r.common, min(r.n, r.list.Reference.Len), m.params[0])
	}
}
