package metrics

import (
	"errors"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/order"
)

// A Reference is another ranking of the documents of a list.
type Reference struct {
	Ranks []int32 // the rank of each document in the other ranking, from 1, or 0 if it is not there
	Len   int     // the length of the other ranking, including documents that are not in the list
}

// reference compares a ranking with a reference ranking.
type reference struct {
	given  []int32   // for each document of the list, its rank in the reference
	ranks  []int32   // the same in rank order of the list
	common []float64 // for each depth, the number of documents that the tops of both rankings have in common
}

// refer compares the current ranking with its reference.
func (q *Query) refer() error {
	ref, listed, w := q.judged.list.Reference, q.judged.n+len(q.judged.dropped), &q.reference
	switch {
	case ref == nil:
		return errors.New("rbo requires a reference ranking")
	case len(ref.Ranks) != listed || ref.Len < 0 || ref.Len >= math.MaxInt32:
		return fmt.Errorf("the number of reference ranks is %d (for a reference of %d documents); it must be %d, one per document",
			len(ref.Ranks), ref.Len, listed)
	}
	q.taken, w.given, w.ranks = Zeros(q.taken, ref.Len+1), w.given[:0], w.ranks[:0]
	for i, r := range ref.Ranks {
		if r < 0 || int(r) > ref.Len || q.taken[r] {
			return fmt.Errorf("document %d: rank %d is invalid or repeated in a reference of %d documents", i+1, r, ref.Len)
		}
		q.taken[r] = r > 0
		if q.judged.index(i) >= 0 {
			w.given = append(w.given, r)
		}
	}
	for _, key := range q.ordered.keys {
		w.ranks = append(w.ranks, w.given[order.KeyIndex(key)])
	}
	w.common = q.overlap.Counts(w.ranks, q.ordered.ends, ref.Len)
	return nil
}

// ofCommon converts a measure of the overlap with a reference to a value function.
func ofCommon(measure func(x []float64, shorter int, p float64) float64) func(*Query, *Metric) float64 {
	return func(q *Query, m *Metric) float64 {
		return measure(q.reference.common, min(q.judged.n, q.judged.list.Reference.Len), m.params[0])
	}
}
