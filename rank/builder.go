package rank

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
)

// A Builder builds a [Dataset] from Go values, one row at a time. The zero value is a builder
// without rows.
//
// A row consists of a query ID, a relevance label and features. The rows of a query must be added
// one after another. If your data has no queries, use "" as the query of every row; all rows then
// form one query, named "1". All rows must be added by the same method: [Builder.Add],
// [Builder.AddSparse] or [Builder.AddNamed]. These methods do not return errors; the first error is
// returned by [Builder.Dataset].
//
// Rows keep their order, so you can set other fields of the dataset afterwards, such as DocIDs or
// Weights.
type Builder struct {
	method  string           // the method that added the rows
	d       Dataset          // labels, queries and dense features; Offsets contains the starts of the queries
	rows    CSR              // features of AddSparse and AddNamed; Offsets contains the ends of the rows
	columns map[string]int32 // column of each name
	ended   map[string]int   // last row of each query except the current one
	err     error
}

// Add adds a row of dense features. All rows must have the same number of features.
func (b *Builder) Add(query string, label float64, features []float32) {
	if !b.begin("Add", query, label) {
		return
	}
	d := &b.d
	if len(d.Labels) == 1 {
		d.Cols, d.Stride = len(features), memory.Stride(len(features))
	}
	if len(features) != d.Cols {
		b.fail("the number of features is %d; it must be %d, as in the first row", len(features), d.Cols)
		return
	}
	d.X = append(d.X, features...)
	d.X = append(d.X, make([]float32, d.Stride-d.Cols)...)
}

// AddSparse adds a row of sparse features: a value for each of the given columns, which are counted
// from 0 and must be in ascending order. All other features are 0. The number of features follows
// from the largest column.
func (b *Builder) AddSparse(query string, label float64, columns []int32, values []float32) {
	if !b.begin("AddSparse", query, label) {
		return
	}
	if len(columns) != len(values) {
		b.fail("the number of columns is %d; it must be %d, one per value", len(columns), len(values))
		return
	}
	b.rows.Columns, b.rows.Values = append(b.rows.Columns, columns...), append(b.rows.Values, values...)
	b.rows.Offsets = append(b.rows.Offsets, len(b.rows.Values))
	if n := len(columns); n > 0 {
		b.d.Cols = max(b.d.Cols, int(columns[n-1])+1)
	}
}

// AddNamed adds a row of features by name. Each new name adds a column to the dataset; the new
// names of a row are sorted. A feature that a row lacks is missing (NaN), as in package serve and
// in tables. Linear models require a value for every feature.
func (b *Builder) AddNamed(query string, label float64, features map[string]float32) {
	if !b.begin("AddNamed", query, label) {
		return
	}
	if b.columns == nil {
		b.columns = map[string]int32{}
	}
	var added []string
	for name := range features {
		if _, known := b.columns[name]; !known {
			added = append(added, name)
		}
	}
	slices.Sort(added)
	for _, name := range added {
		b.columns[name] = int32(len(b.d.Names))
		b.d.Names = append(b.d.Names, name)
	}
	for name, v := range features {
		b.rows.Columns, b.rows.Values = append(b.rows.Columns, b.columns[name]), append(b.rows.Values, v)
	}
	b.rows.Offsets = append(b.rows.Offsets, len(b.rows.Values))
}

// begin adds a row without features. It returns false if there is an error.
func (b *Builder) begin(method, query string, label float64) bool {
	if b.err != nil {
		return false
	}
	d := &b.d
	row, q := len(d.Labels), len(d.QueryIDs)-1
	d.Labels = append(d.Labels, label)
	if row == 0 {
		b.method, b.ended = method, map[string]int{}
	}
	if method != b.method {
		b.fail("%s cannot be combined with %s", method, b.method)
		return false
	}
	if row > 0 && query == d.QueryIDs[q] {
		return true
	}
	if row > 0 {
		b.ended[d.QueryIDs[q]] = row - 1
	}
	last, again := b.ended[query]
	switch {
	case row > 0 && (query == "" || d.QueryIDs[0] == ""):
		b.fail("query IDs must be given for all rows or for none")
	case again:
		b.fail("query %s is not contiguous: its previous rows ended at row %d (sort the rows by query)", query, last)
	default:
		d.QueryIDs, d.Offsets = append(d.QueryIDs, query), append(d.Offsets, row)
	}
	return b.err == nil
}

// fail records an error about the last row.
func (b *Builder) fail(format string, args ...any) {
	b.err = errs.Op("rank", b.d.RowError(len(b.d.Labels)-1, fmt.Errorf(format, args...)))
}

// Dataset returns the dataset, or the first error. The features are sparse if the rows were added
// by [Builder.AddSparse], and dense otherwise. Only [Builder.AddNamed] sets the names. Afterwards,
// the builder has no rows and can be used again.
func (b *Builder) Dataset() (*Dataset, error) {
	d, c, err := b.d, b.rows, b.err
	method := b.method
	*b = Builder{}
	switch {
	case err != nil:
		return nil, err
	case len(d.Labels) == 0:
		return nil, errs.New("rank", "the dataset contains no documents")
	}
	if d.QueryIDs[0] == "" {
		d.QueryIDs[0] = "1"
	}
	d.Offsets = append(d.Offsets, len(d.Labels))
	c.Offsets = append([]int{0}, c.Offsets...)
	switch method {
	case "AddSparse":
		d.Sparse = &c
	case "AddNamed":
		d.Cols, d.Stride = len(d.Names), memory.Stride(len(d.Names))
		d.X = memory.Matrix(len(d.Labels), d.Stride)
		for i := range d.Labels {
			x := d.Row(i)
			for j := range x {
				x[j] = float32(math.NaN())
			}
			columns, values := c.Row(i)
			for k, j := range columns {
				x[j] = values[k]
			}
		}
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return &d, nil
}

// FromColumns returns a dataset of dense features with the given columns. The length of each column
// and of queries must be the number of labels. The rows of a query must be contiguous. If queries
// is nil, all rows form one query, named "1". If names is nil, the columns have no names.
// FromColumns copies the values.
func FromColumns(names []string, columns [][]float32, labels []float64, queries []string) (*Dataset, error) {
	rows := len(labels)
	if queries == nil {
		queries = make([]string, rows)
	}
	if len(queries) != rows {
		return nil, errs.Errorf("rank", "the number of queries is %d; it must be %d, one per label", len(queries), rows)
	}
	var b Builder
	for i, label := range labels {
		b.begin("FromColumns", queries[i], label)
	}
	b.d.Cols, b.d.Stride, b.d.Names = len(columns), memory.Stride(len(columns)), slices.Clone(names)
	for j, column := range columns {
		if len(column) != rows {
			return nil, errs.Errorf("rank", "the number of values of %s is %d; it must be %d, one per label",
				b.d.FeatureName(j), len(column), rows)
		}
	}
	b.d.X = memory.Matrix(rows, b.d.Stride)
	for i := range rows {
		x := b.d.Row(i)
		for j, column := range columns {
			x[j] = column[i]
		}
	}
	return b.Dataset()
}
