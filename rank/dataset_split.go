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

// This file divides the queries of a dataset at random. Random numbers come from the PCG-DXSM
// generator of math/rand/v2, whose stream Go's compatibility promise covers, and serve as sort
// keys. Therefore a seed has the same result on every platform.

// deal returns the queries sorted by their highest label. Queries with the same label are in random
// order.
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
			queries[q].label = slices.Max(d.Labels[lo:hi]) // NaN if a label is NaN; it is then a label of its own
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
// queries. Both keep the order of d.
//
// The split is stratified by each query's highest label: within each stratum the first part
// receives the requested fraction, to within one query.
func (d *Dataset) Split(fraction float64, seed uint64) (first, second *Dataset, err error) {
	defer memory.Begin().End(&err)
	n := d.Queries()
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, nil, errs.Errorf("rank", "split fraction is %v; it must be between 0 and 1", fraction)
	case n < 2:
		return nil, nil, errs.New("rank", "a split requires at least two queries")
	}
	size := min(max(int(math.Round(fraction*float64(n))), 1), n-1)
	var parts [2][]int
	for i, q := range d.deal(seed) {
		part := 1
		if uint64(i+1)*uint64(size)/uint64(n) > uint64(i)*uint64(size)/uint64(n) {
			part = 0
		}
		parts[part] = append(parts[part], q)
	}
	slices.Sort(parts[0])
	slices.Sort(parts[1])
	if first, err = d.SubsetQueries(parts[0]); err == nil {
		second, err = d.SubsetQueries(parts[1])
	}
	return first, second, err
}

// Folds divides the queries for k-fold cross-validation. It yields k pairs: the queries to train on
// and the queries to test on, both in ascending order. Each query is in the test part of exactly
// one fold. Folds is stratified like [Dataset.Split]: the test parts differ by at most one query,
// both in total and within each stratum. It copies nothing; use [Dataset.SubsetQueries] to build
// the datasets of a fold.
func (d *Dataset) Folds(k int, seed uint64) (_ iter.Seq2[[]int, []int], err error) {
	defer memory.Begin().End(&err)
	if k < 2 || k > d.Queries() {
		return nil, errs.Errorf("rank", "number of folds is %d; it must be from 2 to the number of queries, %d", k,
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
