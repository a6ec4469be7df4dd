package rank

import (
	"cmp"
	"slices"
	"sort"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// This file builds datasets from parts of another dataset, or from several datasets.

// SubsetRows returns a dataset of the given rows in the given order. Consecutive rows of the same
// query form one query; queries without rows are dropped. Rows may repeat. It returns an error if
// the rows of a query are not consecutive.
func (d *Dataset) SubsetRows(rows []int) (subset *Dataset, err error) {
	defer memory.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var queries []int
	offsets := []int{0}
	seen := make([]bool, d.Queries())
	for i, r := range rows {
		if r < 0 || r >= d.Rows() {
			return nil, errs.Errorf("rank", "row %d is out of range: the dataset has %d rows", r, d.Rows())
		}
		n := len(queries) - 1
		if n >= 0 && d.Offsets[queries[n]] <= r && r < d.Offsets[queries[n]+1] {
			offsets[n+1] = i + 1
			continue
		}
		q := sort.SearchInts(d.Offsets, r+1) - 1
		if seen[q] {
			return nil, errs.Errorf("rank", "query %d is not contiguous: it continues at row %d", q, r)
		}
		seen[q] = true
		queries, offsets = append(queries, q), append(offsets, i+1)
	}
	return d.gather(rows, queries, offsets), nil
}

// SubsetQueries returns a dataset of the given queries in the given order. Queries may repeat, as
// in a bootstrap sample; their IDs then repeat too.
func (d *Dataset) SubsetQueries(queries []int) (subset *Dataset, err error) {
	defer memory.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var rows []int
	offsets := []int{0}
	for _, q := range queries {
		if q < 0 || q >= d.Queries() {
			return nil, errs.Errorf("rank", "query %d is out of range: the dataset has %d queries", q, d.Queries())
		}
		for r := d.Offsets[q]; r < d.Offsets[q+1]; r++ {
			rows = append(rows, r)
		}
		offsets = append(offsets, len(rows))
	}
	return d.gather(rows, queries, offsets), nil
}

// SubsetColumns returns a dataset with only the given columns, in the given order. It copies the
// features and the names and shares everything else with d. It returns an error if a column
// repeats.
func (d *Dataset) SubsetColumns(columns []int) (subset *Dataset, err error) {
	defer memory.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return nil, err
	}
	place := make([]int32, d.Cols) // place of each column in the subset, plus 1; 0 for other columns
	for k, j := range columns {
		switch {
		case j < 0 || j >= d.Cols:
			return nil, errs.Errorf("rank", "column %d is out of range: the dataset has %d columns", j, d.Cols)
		case place[j] > 0:
			return nil, errs.Errorf("rank", "column %d is given twice", j)
		}
		place[j] = int32(k + 1)
	}
	out := *d
	out.Names, out.Categories = pick(d.Names, columns), pick(d.Categories, columns)
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

// Concat combines the queries of all parts, in order, for example training and validation data. The
// result has as many columns as the widest part. Features that a narrower part lacks are 0 and
// absent. The features are sparse if any part is sparse, and dense otherwise.
//
// If some parts have weights, the rows and queries of the other parts have the weight 1. Document
// IDs and positions are kept if all parts have them. Column names are kept if all parts have names
// and agree on the columns that they share. If all parts have text categories in a column, these
// are renumbered as in [Dataset.WithCategories]; otherwise Categories has no texts for the column.
//
// If a part is a memory-mapped file and another process truncates it, Concat crashes the program;
// see Open of package rank/datafile.
func Concat(parts ...*Dataset) *Dataset {
	rows, cols, sparse := 0, 0, false
	ids, positions := len(parts) > 0, len(parts) > 0
	weights, queryWeights, pairs := false, false, false
	for _, p := range parts {
		rows, cols, sparse = rows+p.Rows(), max(cols, p.Cols), sparse || p.Sparse != nil
		ids, positions = ids && p.DocIDs != nil, positions && p.Positions != nil
		weights, queryWeights = weights || p.Weights != nil, queryWeights || p.QueryWeights != nil
		pairs = pairs || p.Pairs != nil
	}
	categories, parts := joinCategories(parts, cols)
	d := &Dataset{Cols: cols, Labels: make([]float64, rows), Offsets: []int{0}, Names: commonNames(parts),
		Categories: categories}
	if !sparse {
		d.Stride = memory.Stride(cols)
		d.X = memory.Matrix(rows, d.Stride)
	} else {
		d.Sparse = joinCSR(parts)
	}
	row := 0
	for _, p := range parts {
		copy(d.Labels[row:], p.Labels)
		for _, o := range p.Offsets[min(1, len(p.Offsets)):] {
			d.Offsets = append(d.Offsets, row+o)
		}
		d.QueryIDs = append(d.QueryIDs, p.QueryIDs...)
		if ids {
			d.DocIDs = append(d.DocIDs, p.DocIDs...)
		}
		if positions {
			d.Positions = append(d.Positions, p.Positions...)
		}
		if weights {
			d.Weights = appendWeights(d.Weights, p.Weights, p.Rows())
		}
		if queryWeights {
			d.QueryWeights = appendWeights(d.QueryWeights, p.QueryWeights, p.Queries())
		}
		if pairs {
			for _, of := range p.Pairs {
				d.Pairs = append(d.Pairs, Pair{of.Better + int32(row), of.Worse + int32(row), of.Weight})
			}
		}
		for i := range p.Rows() {
			file, line := p.Place(i)
			d.setPlace(row+i, file, line)
			if !sparse {
				copy(d.Row(row+i), p.Row(i))
			}
		}
		d.Absent += p.Absent + int64(p.Rows())*int64(cols-p.Cols)
		row += p.Rows()
	}
	return d
}

// appendWeights returns the slice to with the weights w appended. If w is nil, it appends n weights
// of 1.
func appendWeights(to, w []float64, n int) []float64 {
	if w != nil {
		return append(to, w...)
	}
	for range n {
		to = append(to, 1)
	}
	return to
}

// commonNames returns the names of the widest part. It returns nil unless the names of every other
// part are a prefix of these names.
func commonNames(parts []*Dataset) []string {
	var names []string
	for _, p := range parts {
		n := min(len(names), len(p.Names))
		if len(p.Names) != p.Cols || !slices.Equal(names[:n], p.Names[:n]) {
			return nil
		}
		if len(p.Names) > n {
			names = p.Names
		}
	}
	return slices.Clone(names)
}

// WithColumns returns the dataset with n columns. If n is less than d.Cols, it drops the last
// columns, for example columns that a model does not use. If n is greater, the added features are 0
// and absent, and the names are dropped. WithColumns copies dense features when it adds columns,
// and sparse features when it drops columns. Otherwise the result shares memory with d. If dense
// columns are dropped, the padding between Cols and Stride is not cleared.
func (d *Dataset) WithColumns(n int) *Dataset {
	out := *d
	out.Cols = max(n, 0)
	switch {
	case out.Cols < d.Cols:
		if d.Names != nil {
			out.Names = d.Names[:out.Cols:out.Cols]
		}
		if d.Categories != nil {
			out.Categories = d.Categories[:out.Cols:out.Cols]
		}
		if d.Sparse != nil {
			out.Sparse = d.Sparse.firstColumns(out.Cols)
		}
	case out.Cols > d.Cols:
		out.Names = nil
		if d.Categories != nil {
			out.Categories = append(slices.Clone(d.Categories), make([][]string, out.Cols-d.Cols)...)
		}
		out.Absent += int64(d.Rows()) * int64(out.Cols-d.Cols)
		if d.Sparse == nil {
			wide := NewDataset(d.Rows(), out.Cols)
			out.X, out.Stride = wide.X, wide.Stride
			for i := range d.Rows() {
				copy(out.Row(i), d.Row(i))
			}
		}
	}
	return &out
}

// FeatureRows returns a dataset that contains only the features of rows lo to hi−1. It shares
// memory with d.
func (d *Dataset) FeatureRows(lo, hi int) *Dataset {
	part := &Dataset{Cols: d.Cols, Stride: d.Stride}
	switch {
	case d.Sparse != nil:
		from, to := d.Sparse.Offsets[lo], d.Sparse.Offsets[hi]
		part.Sparse = &CSR{make([]int, hi-lo+1), d.Sparse.Columns[from:to], d.Sparse.Values[from:to]}
		for i := range part.Sparse.Offsets {
			part.Sparse.Offsets[i] = d.Sparse.Offsets[lo+i] - from
		}
	case d.Stride > 0:
		part.X = d.X[lo*d.Stride : hi*d.Stride]
	default: // the length of X cannot represent the number of rows if there are no columns
		part.Sparse = &CSR{Offsets: make([]int, hi-lo+1)}
	}
	return part
}

// gather returns a dataset of the given rows of d. Query k of the result consists of rows
// offsets[k] to offsets[k+1] and has the properties of queries[k].
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
	out.Names, out.Categories = slices.Clone(d.Names), d.Categories
	out.Offsets = offsets
	out.QueryIDs, out.QueryWeights = pick(d.QueryIDs, queries), pick(d.QueryWeights, queries)
	out.Labels, out.DocIDs = pick(d.Labels, rows), pick(d.DocIDs, rows)
	out.Weights, out.Positions = pick(d.Weights, rows), pick(d.Positions, rows)
	if d.Pairs != nil {
		out.Pairs = d.gatherPairs(rows, queries, offsets)
	}
	out.File = d.File
	for i, r := range rows {
		file, line := d.Place(r)
		out.setPlace(i, file, line)
	}
	out.Absent = min(d.Absent, out.zeros(d.Absent))
	return out
}

// gatherPairs returns the pairs of the rows that gather copies. If a row is copied several times,
// its pairs are, too.
func (d *Dataset) gatherPairs(rows, queries, offsets []int) []Pair {
	pairs := []Pair{}
	copies := map[int32][]int32{}
	for k, q := range queries {
		clear(copies)
		for i := offsets[k]; i < offsets[k+1]; i++ {
			copies[int32(rows[i])] = append(copies[int32(rows[i])], int32(i))
		}
		for _, p := range d.QueryPairs(q) {
			for _, better := range copies[p.Better] {
				for _, worse := range copies[p.Worse] {
					pairs = append(pairs, Pair{better, worse, p.Weight})
				}
			}
		}
	}
	return pairs
}

// pick returns the elements of from at the given indices, or nil if from is empty.
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

// zeros returns the number of features that are 0, which is an upper bound of Absent. If absent is
// 0, it returns 0 without counting.
func (d *Dataset) zeros(absent int64) int64 {
	if absent == 0 {
		return 0
	}
	n := int64(d.Rows()) * int64(d.Cols)
	count := nonzerosOf(d)
	for i := range d.Rows() {
		n -= int64(count(i))
	}
	return n
}
