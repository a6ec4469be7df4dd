package rank

import (
	"cmp"
	"slices"
	"sort"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// This file makes datasets out of others: of parts of one, and of several.

// SubsetRows returns the given rows in the given order, with all that a dataset holds of a row.
// Rows that stand next to each other and are of one query in d are one query of the subset; a query
// without rows is left out, one that would begin again is an error. A row may be given repeatedly.
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
			return nil, errs.Errorf("rank", "row %d of a dataset with %d rows", r, d.Rows())
		}
		n := len(queries) - 1
		if n >= 0 && d.Offsets[queries[n]] <= r && r < d.Offsets[queries[n]+1] {
			offsets[n+1] = i + 1
			continue
		}
		q := sort.SearchInts(d.Offsets, r+1) - 1
		if seen[q] {
			return nil, errs.Errorf("rank", "query %d begins again with row %d", q, r)
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
	defer memory.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var rows []int
	offsets := []int{0}
	for _, q := range queries {
		if q < 0 || q >= d.Queries() {
			return nil, errs.Errorf("rank", "query %d of a dataset with %d queries", q, d.Queries())
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
	defer memory.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return nil, err
	}
	place := make([]int32, d.Cols) // of each column in the subset, plus 1
	for k, j := range columns {
		switch {
		case j < 0 || j >= d.Cols:
			return nil, errs.Errorf("rank", "column %d of a dataset with %d columns", j, d.Cols)
		case place[j] > 0:
			return nil, errs.Errorf("rank", "column %d is given twice", j)
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

// Concat returns the queries of all datasets, one after the other: of training and validation data,
// or of all folds but one. It has as many columns as the widest, and features that the others lack
// are 0 and absent. Features are sparse when those of any part are, else dense.
//
// The rows and queries of parts without weights weigh 1 when other parts have weights. Document ids
// and positions are kept when all parts have them, names of columns when all parts have names and
// agree on those that they share.
//
// It has no error to return: where a part is a mapped file that may be cut meanwhile, see
// rank/datafile.
func Concat(parts ...*Dataset) *Dataset {
	rows, cols, sparse := 0, 0, false
	ids, positions := len(parts) > 0, len(parts) > 0
	weights, queryWeights := false, false
	for _, p := range parts {
		rows, cols, sparse = rows+p.Rows(), max(cols, p.Cols), sparse || p.Sparse != nil
		ids, positions = ids && p.DocIDs != nil, positions && p.Positions != nil
		weights, queryWeights = weights || p.Weights != nil, queryWeights || p.QueryWeights != nil
	}
	d := &Dataset{Cols: cols, Labels: make([]float64, rows), Offsets: []int{0}, Names: commonNames(parts)}
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
		for i := range p.Rows() {
			file, line := p.place(i)
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

// appendWeights appends n weights, which are 1 when w is nil.
func appendWeights(to, w []float64, n int) []float64 {
	if w != nil {
		return append(to, w...)
	}
	for range n {
		to = append(to, 1)
	}
	return to
}

// commonNames returns the names of the widest part when those of all others begin like them.
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

// WithColumns returns the dataset with n columns: without those from n on, which a model does not
// know, or with more columns than d, whose features are 0 and absent. Names are dropped if there
// are more columns. The result shares memory with d, except that it copies dense features to add
// columns and sparse features to drop columns. If columns of dense features are dropped, the values
// from Cols to Stride are not zero.
func (d *Dataset) WithColumns(n int) *Dataset {
	out := *d
	out.Cols = max(n, 0)
	switch {
	case out.Cols < d.Cols:
		if d.Names != nil {
			out.Names = d.Names[:out.Cols:out.Cols]
		}
		if d.Sparse != nil {
			out.Sparse = d.Sparse.firstColumns(out.Cols)
		}
	case out.Cols > d.Cols:
		out.Names = nil
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

// FeatureRows returns the features of rows lo to hi−1 as a dataset that holds nothing else. It
// shares their memory with d.
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
	default: // dense rows without columns cannot be counted
		part.Sparse = &CSR{Offsets: make([]int, hi-lo+1)}
	}
	return part
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
	out.File = d.File
	for i, r := range rows {
		file, line := d.place(r)
		out.setPlace(i, file, line)
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
	count := nonzerosOf(d)
	for i := range d.Rows() {
		n -= int64(count(i))
	}
	return n
}
