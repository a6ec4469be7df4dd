package rank

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/simdrank/simdrank/internal/mapped"
	"github.com/simdrank/simdrank/kernels"
)

// This file makes datasets out of parts of others. What is drawn comes from the PCG-DXSM generator
// of math/rand/v2, whose stream is part of Go's promise of compatibility, and is used as keys to
// sort by: a seed draws the same on every platform.

// SubsetRows returns the given rows in the given order, with all that a dataset holds of a row.
// Rows that stand next to each other and are of one query in d are one query of the subset; a query
// without rows is left out, one that would begin again is an error. A row may be given repeatedly.
func (d *Dataset) SubsetRows(rows []int) (subset *Dataset, err error) {
	defer mapped.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var queries []int
	offsets := []int{0}
	seen := make([]bool, d.Queries())
	for i, r := range rows {
		if r < 0 || r >= d.Rows() {
			return nil, fmt.Errorf("rank: row %d of a dataset with %d rows", r, d.Rows())
		}
		n := len(queries) - 1
		if n >= 0 && d.Offsets[queries[n]] <= r && r < d.Offsets[queries[n]+1] {
			offsets[n+1] = i + 1
			continue
		}
		q := sort.SearchInts(d.Offsets, r+1) - 1
		if seen[q] {
			return nil, fmt.Errorf("rank: query %d begins again with row %d", q, r)
		}
		seen[q] = true
		queries, offsets = append(queries, q), append(offsets, i+1)
	}
	return d.gather(rows, queries, offsets), nil
}

// SubsetQueries returns the given queries in the given order, with all that a dataset holds of
// them. A query may be given repeatedly, as a bootstrap does, and then its identifier stands
// repeatedly.
func (d *Dataset) SubsetQueries(queries []int) (subset *Dataset, err error) {
	defer mapped.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var rows []int
	offsets := []int{0}
	for _, q := range queries {
		if q < 0 || q >= d.Queries() {
			return nil, fmt.Errorf("rank: query %d of a dataset with %d queries", q, d.Queries())
		}
		for r := d.Offsets[q]; r < d.Offsets[q+1]; r++ {
			rows = append(rows, r)
		}
		offsets = append(offsets, len(rows))
	}
	return d.gather(rows, queries, offsets), nil
}

// SubsetColumns returns the dataset with the given columns alone, each at most once, in the given
// order. It shares with d all memory but that of features and names.
func (d *Dataset) SubsetColumns(columns []int) (subset *Dataset, err error) {
	defer mapped.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return nil, err
	}
	place := make([]int32, d.Cols) // of each column in the subset, plus 1
	for k, j := range columns {
		switch {
		case j < 0 || j >= d.Cols:
			return nil, fmt.Errorf("rank: column %d of a dataset with %d columns", j, d.Cols)
		case place[j] > 0:
			return nil, fmt.Errorf("rank: column %d is given twice", j)
		}
		place[j] = int32(k + 1)
	}
	out := *d
	out.Names = pick(d.Names, columns)
	out.Cols, out.Stride = len(columns), 0
	if d.Sparse == nil {
		dense := NewDataset(d.Rows(), len(columns))
		out.X, out.Stride = dense.X, dense.Stride
		for i := range d.Rows() {
			row := out.Row(i)
			for k, j := range columns {
				row[k] = d.Row(i)[j]
			}
		}
	} else {
		from := d.Sparse
		to := &CSR{Offsets: make([]int, len(from.Offsets))}
		type value struct {
			column int32
			value  float32
		}
		var row []value
		for i := range d.Rows() {
			row = row[:0]
			for k := from.Offsets[i]; k < from.Offsets[i+1]; k++ {
				if p := place[from.Columns[k]]; p > 0 {
					row = append(row, value{p - 1, from.Values[k]})
				}
			}
			slices.SortFunc(row, func(a, b value) int { return cmp.Compare(a.column, b.column) })
			for _, v := range row {
				to.Columns, to.Values = append(to.Columns, v.column), append(to.Values, v.value)
			}
			to.Offsets[i+1] = len(to.Values)
		}
		out.Sparse = to
	}
	out.Absent = min(d.Absent, out.zeros(d.Absent))
	return &out, nil
}

// gather returns rows of d, cut by offsets into parts of queries of d.
func (d *Dataset) gather(rows, queries, offsets []int) *Dataset {
	out := &Dataset{Cols: d.Cols}
	if d.Sparse == nil {
		out = NewDataset(len(rows), d.Cols)
		for i, r := range rows {
			copy(out.Row(i), d.Row(r))
		}
	} else {
		from := d.Sparse
		to := &CSR{Offsets: make([]int, len(rows)+1)}
		for i, r := range rows {
			to.Offsets[i+1] = to.Offsets[i] + from.Offsets[r+1] - from.Offsets[r]
		}
		n := to.Offsets[len(rows)]
		to.Columns, to.Values = make([]int32, 0, n), make([]float32, 0, n)
		for _, r := range rows {
			lo, hi := from.Offsets[r], from.Offsets[r+1]
			to.Columns, to.Values = append(to.Columns, from.Columns[lo:hi]...), append(to.Values, from.Values[lo:hi]...)
		}
		out.Sparse = to
	}
	out.Names = slices.Clone(d.Names)
	out.Offsets = offsets
	out.QueryIDs, out.QueryWeights = pick(d.QueryIDs, queries), pick(d.QueryWeights, queries)
	out.Labels, out.DocIDs = pick(d.Labels, rows), pick(d.DocIDs, rows)
	out.Weights, out.Positions = pick(d.Weights, rows), pick(d.Positions, rows)
	out.Source.File = d.Source.File
	for i, r := range rows {
		out.Source.add(i, d, r)
	}
	out.Absent = min(d.Absent, out.zeros(d.Absent))
	return out
}

// pick returns the elements at the given places, nil of none.
func pick[T any](from []T, at []int) []T {
	if len(from) == 0 {
		return nil
	}
	to := make([]T, len(at))
	for i, k := range at {
		to[i] = from[k]
	}
	return to
}

// zeros returns how many features are 0, or 0 at once when none are absent: it bounds how many of a
// part's are.
func (d *Dataset) zeros(absent int64) int64 {
	if absent == 0 {
		return 0
	}
	n := int64(d.Rows()) * int64(d.Cols)
	row := newRowList(d)
	for i := range d.Rows() {
		n -= int64(len(row.nonzeros(i)))
	}
	return n
}

// A rowList lists the features of rows that are not 0, of dense and of sparse data alike.
type rowList struct {
	d       *Dataset
	columns []int32
	values  []float32
}

func newRowList(d *Dataset) *rowList {
	return &rowList{d, make([]int32, d.Cols), make([]float32, d.Cols)}
}

// nonzeros sets values to the features of row i that are not 0, and returns their columns, which
// ascend. The next call overwrites both.
func (l *rowList) nonzeros(i int) []int32 {
	n := 0
	if x := l.d.Sparse; x != nil {
		for k := x.Offsets[i]; k < x.Offsets[i+1]; k++ {
			if x.Values[k] != 0 {
				l.columns[n], l.values[n] = x.Columns[k], x.Values[k]
				n++
			}
		}
	} else {
		n = kernels.NonzerosF32(l.columns, l.values, l.d.Row(i))
	}
	return l.columns[:n]
}

// deal returns the queries ordered by their highest label where byLabel is set, and at random
// otherwise and among equals.
func (d *Dataset) deal(seed uint64, byLabel bool) []int {
	random := rand.NewPCG(seed, 0)
	type query struct {
		label float64
		key   uint64
		q     int
	}
	queries := make([]query, d.Queries())
	for q := range queries {
		queries[q] = query{key: random.Uint64(), q: q}
		if lo, hi := d.Query(q); byLabel && lo < hi && hi <= len(d.Labels) {
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

// Shuffle returns the dataset with its queries in random order. Rows keep their order in a query.
func (d *Dataset) Shuffle(seed uint64) (*Dataset, error) {
	return d.SubsetQueries(d.deal(seed, false))
}

// Split deals the queries out to two datasets: the given fraction of them, rounded to a number and
// at least one, to the first, the others to the second. Both keep the order of d.
//
// The draw is stratified by the highest label of a query, for that is what tells queries of ranking
// data apart: of those with the same one, the first part gets the fraction, too, but for one query.
// (The most frequent label of a query is 0 nearly everywhere.) To that end the queries are sorted
// by their highest label, at random among equals, and taken at equal distances.
func (d *Dataset) Split(fraction float64, seed uint64) (first, second *Dataset, err error) {
	defer mapped.Begin().End(&err)
	n := d.Queries()
	switch {
	case !(fraction > 0 && fraction < 1):
		return nil, nil, fmt.Errorf("rank: fraction %v of a split, want a number between 0 and 1", fraction)
	case n < 2:
		return nil, nil, errors.New("rank: a split needs two queries")
	}
	size := min(max(int(math.Round(fraction*float64(n))), 1), n-1)
	var parts [2][]int
	for i, q := range d.deal(seed, true) {
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

// A Fold is one division of a cross-validation: the queries to train on and those to measure, both
// ascending.
type Fold struct{ Train, Test []int }

// Folds deals the queries out to the tests of k folds, stratified as [Dataset.Split] does it: the
// numbers of their queries differ by at most one, those of queries with the same highest label,
// too. Nothing is copied: [Dataset.SubsetQueries] makes datasets of a fold.
func (d *Dataset) Folds(k int, seed uint64) (_ []Fold, err error) {
	defer mapped.Begin().End(&err)
	if k < 2 || k > d.Queries() {
		return nil, fmt.Errorf("rank: %d folds for %d queries, want 2 or more and at most one per query", k, d.Queries())
	}
	of := make([]int, d.Queries())
	for i, q := range d.deal(seed, true) {
		of[q] = i % k
	}
	folds := make([]Fold, k)
	for q, f := range of {
		for i := range folds {
			if i == f {
				folds[i].Test = append(folds[i].Test, q)
			} else {
				folds[i].Train = append(folds[i].Train, q)
			}
		}
	}
	return folds, nil
}
