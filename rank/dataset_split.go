package rank

import (
	"cmp"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// This file divides the queries of a dataset at random. Random numbers are sort keys. They come
// from the PCG-DXSM generator of math/rand/v2, and Go's compatibility promise covers its output.
// Therefore a seed has the same result on every platform and with every version of Go.

// deal returns the queries sorted by their highest label. The order of queries with the same
// highest label is random.
func (d *Dataset) deal(seed uint64) []int {
	random := rand.NewPCG(seed, 0)
	type query struct {
		label float64
		key   uint64
		q     int
	}
	queries := make([]query, d.Queries())
	for q := range queries {
		queries[q] = query{key: random.Uint64(), q: q}
		if lo, hi := d.Query(q); lo < hi && hi <= len(d.Labels) {
			queries[q].label = slices.Max(d.Labels[lo:hi]) // NaN, which sorts first, if a label is NaN
		}
	}
	slices.SortFunc(queries, func(a, b query) int {
		return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(a.key, b.key), cmp.Compare(a.q, b.q))
	})
	order := make([]int, len(queries))
	for i := range queries {
		order[i] = queries[i].q
	}
	return order
}

// Split divides the queries at random between two datasets. The first receives the given fraction
// of the queries, rounded to a whole number of at least one. The second receives the remaining
// queries. Both keep the order of d. The split is stratified like [Dataset.Parts].
func (d *Dataset) Split(fraction float64, seed uint64) (first, second *Dataset, err error) {
	defer memory.Begin().End(&err)
	if !(fraction > 0 && fraction < 1) {
		return nil, nil, errs.Errorf("rank", "the split fraction is %v; it must be greater than 0 and less than 1", fraction)
	}
	parts, err := d.Parts([]float64{fraction, 1 - fraction}, seed)
	if err != nil {
		return nil, nil, err
	}
	if first, err = d.SubsetQueries(parts[0]); err == nil {
		second, err = d.SubsetQueries(parts[1])
	}
	return first, second, err
}

// Parts divides the queries at random into parts, for example of 0.8, 0.1 and 0.1 of the queries.
// It returns the queries of each part in ascending order. Use [Dataset.SubsetQueries] to build the
// datasets. The fractions must be positive and add up to 1. Each part has at least one query.
//
// The parts are stratified by each query's highest label: a part receives its fraction of the
// queries with each label, to within one query per earlier part.
func (d *Dataset) Parts(fractions []float64, seed uint64) (parts [][]int, err error) {
	defer memory.Begin().End(&err)
	sum := 0.0
	for _, f := range fractions {
		if !(f > 0) {
			return nil, errs.Errorf("rank", "the fraction %v must be positive", f)
		}
		sum += f
	}
	queries := d.deal(seed)
	switch {
	case !(math.Abs(sum-1) <= 1e-9):
		return nil, errs.Errorf("rank", "the fractions must add up to 1, not %v", sum)
	case len(queries) < len(fractions):
		return nil, errs.Errorf("rank", "%d parts require at least %[1]d queries, not %d", len(fractions), len(queries))
	}
	left := 1.0
	for k, f := range fractions[:len(fractions)-1] {
		n, later := len(queries), len(fractions)-1-k
		size := min(max(int(math.Round(f/left*float64(n))), 1), n-later)
		var part, rest []int
		for i, q := range queries {
			if uint64(i+1)*uint64(size)/uint64(n) > uint64(i)*uint64(size)/uint64(n) {
				part = append(part, q)
			} else {
				rest = append(rest, q)
			}
		}
		slices.Sort(part)
		parts, queries, left = append(parts, part), rest, left-f
	}
	slices.Sort(queries)
	return append(parts, queries), nil
}

// Folds divides the queries for k-fold cross-validation. It yields k pairs: the queries to train on
// and the queries to test on, both in ascending order. Each query is in the test part of exactly
// one fold. Folds is stratified like [Dataset.Split]: the test parts differ by at most one query,
// both in total and within each stratum. It copies nothing; use [Dataset.SubsetQueries] to build
// the datasets of a fold.
func (d *Dataset) Folds(k int, seed uint64) (_ iter.Seq2[[]int, []int], err error) {
	defer memory.Begin().End(&err)
	if k < 2 || k > d.Queries() {
		return nil, errs.Errorf("rank", "the number of folds is %d; it must be from 2 to the number of queries, %d", k,
			d.Queries())
	}
	of := make([]int, d.Queries())
	for i, q := range d.deal(seed) {
		of[q] = i % k
	}
	return func(yield func(train, test []int) bool) {
		for i := range k {
			var train, test []int
			for q, f := range of {
				if f == i {
					test = append(test, q)
				} else {
					train = append(train, q)
				}
			}
			if !yield(train, test) {
				return
			}
		}
	}, nil
}
