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

// This file divides the queries of a dataset at random. What is drawn comes from the PCG-DXSM
// generator of math/rand/v2, whose stream is part of Go's promise of compatibility, and is used as
// keys to sort by: a seed draws the same on every platform.

// deal returns the queries ordered by their highest label, and at random among equals.
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
			queries[q].label = slices.Max(d.Labels[lo:hi]) // NaN where one is, which is a label of its own
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

// Split deals the queries out to two datasets: the given fraction of them, rounded to a number and
// at least one, to the first, the others to the second. Both keep the order of d.
//
// The draw is stratified by the highest label of a query, for that is what tells queries of ranking
// data apart: of those with the same one, the first part gets the fraction, too, but for one query.
// (The most frequent label of a query is 0 nearly everywhere.) To that end the queries are sorted
// by their highest label, at random among equals, and taken at equal distances.
func (d *Dataset) Split(fraction float64, seed uint64) (first, second *Dataset, err error) {
	defer memory.Begin().End(&err)
	n := d.Queries()
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, nil, errs.Errorf("rank", "fraction %v of a split, want a number between 0 and 1", fraction)
	case n < 2:
		return nil, nil, errs.New("rank", "a split needs two queries")
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

// Folds divides the queries for a cross-validation: each of the k folds is a pair of the queries to
// train on and the queries to test on, both ascending. The queries are dealt out to the tests,
// stratified as [Dataset.Split] does it: the numbers of their queries differ by at most one, those
// of queries with the same highest label, too. Nothing is copied: [Dataset.SubsetQueries] makes
// datasets of a fold.
func (d *Dataset) Folds(k int, seed uint64) (_ iter.Seq2[[]int, []int], err error) {
	defer memory.Begin().End(&err)
	if k < 2 || k > d.Queries() {
		return nil, errs.Errorf("rank", "%d folds, want a number from 2 to that of the queries, which is %d", k, d.Queries())
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
