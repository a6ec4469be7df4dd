package data

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A Builder builds a dataset from named columns, for readers of formats such as Parquet. The role
// of each column follows from its name and from [Options], as in tables. A reader appends the
// values of columns that are not features, fills in the features, and then calls Dataset.
type Builder struct {
	options Options
	file    string
	columns *tableColumns
	data    *rank.Dataset
	queries []string
	texts   []textColumn
}

// NewBuilder returns a builder for a dataset with columns of the given names. Errors name the file.
// Columns in index, which form the index of a data frame, are ignored unless they have a role. It
// returns an error if names are invalid, or if the table lacks a column that the options require.
func NewBuilder(file string, names []string, index map[string]bool, o Options) (*Builder, error) {
	o.settleQueries()
	columns, err := classify(names, index, &o)
	if err != nil {
		return nil, err
	}
	d := rank.NewDataset(0, len(columns.features))
	d.Names, d.File = columns.features, file
	return &Builder{options: o, file: file, columns: columns, data: d, texts: columns.textColumns()}, nil
}

// Role returns the role of a column: feature, text, label, qid, weight, position or doc. A text
// column is a feature with text categories. Role returns "" if the column is ignored.
func (b *Builder) Role(column int) string { return roleNames[b.columns.roles[column]] }

// ColumnError returns an error about all values of a column. If an option can skip the column, the
// error names that option.
func (b *Builder) ColumnError(column int, err error) error {
	if errors.As(err, new(*rank.OptionError)) {
		return err
	}
	if role := b.columns.roles[column]; role == roleFeature || role == roleText {
		return &rank.OptionError{Option: "Ignore", Value: b.columns.names[column], Err: err}
	}
	return b.columns.valueError(column, err)
}

// AppendNumbers appends values to a column of labels, weights or positions. NaN is a missing value.
// If a value is invalid, it returns a *rank.ParseError. Its line is the row number of the value,
// counted from 1.
func (b *Builder) AppendNumbers(column int, values []float64) error {
	d, role := b.data, b.columns.roles[column]
	rows := map[columnRole]int{roleLabel: len(d.Labels), roleWeight: len(d.Weights),
		rolePosition: len(d.Positions)}[role]
	for i, v := range values {
		if err := b.options.check(role, v); err != nil {
			return b.valueError(column, rows+i, formatNumber(v), b.columns.valueError(column, err))
		}
	}
	switch role {
	case roleLabel:
		d.Labels = append(d.Labels, values...)
	case roleWeight:
		d.Weights = append(d.Weights, values...)
	case rolePosition:
		for _, v := range values {
			d.Positions = append(d.Positions, int32(v))
		}
	}
	return nil
}

// AppendTexts appends values to a column of query or document IDs. If a query ID is empty, it
// returns a *rank.ParseError. Its line is the row number of the ID, counted from 1.
func (b *Builder) AppendTexts(column int, values []string) error {
	if b.columns.roles[column] == roleDoc {
		b.data.DocIDs = append(b.data.DocIDs, values...)
		return nil
	}
	for i, id := range values {
		if id == "" && !b.options.NoQueries {
			return b.valueError(column, len(b.queries)+i, "", errQuery)
		}
	}
	b.queries = append(b.queries, values...)
	return nil
}

// AppendCodes appends the feature values of a text column to codes, one per text. Different texts
// are numbered from 0 in the order of their first appearance. An empty text is a missing value. The
// texts of a column must be passed in the order of the rows. row is the row of the first text,
// counted from 0. AppendCodes returns a *rank.ParseError if a text is invalid.
func (b *Builder) AppendCodes(codes []float32, column, row int, texts []string) ([]float32, error) {
	feature := 0
	for _, role := range b.columns.roles[:column] {
		if role == roleFeature || role == roleText {
			feature++
		}
	}
	k := slices.IndexFunc(b.texts, func(c textColumn) bool { return c.feature == feature })
	for i, s := range texts {
		if s == "" {
			codes = append(codes, missing)
			continue
		}
		code, known := b.texts[k].codes[s]
		v, err := float32(code), error(nil)
		if !known {
			v, err = b.texts[k].code([]byte(s), nil)
		}
		if err != nil {
			return codes, b.valueError(column, row+i, s, err)
		}
		codes = append(codes, v)
	}
	return codes, nil
}

// CheckFeature returns a *rank.ParseError if a feature of a row is infinite. NaN is a missing
// value.
func (b *Builder) CheckFeature(column, row int, v float32) error {
	if err := b.options.check(roleFeature, float64(v)); err != nil {
		return b.valueError(column, row, formatNumber(float64(v)), err)
	}
	return nil
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// valueError returns an error about the value in the given row and column.
func (b *Builder) valueError(column, row int, value string, err error) error {
	return &rank.ParseError{File: b.file, Line: row + 1, Text: text.Excerpt(value),
		Err: errs.Wrap(err, "column %s", text.Excerpt(b.columns.names[column]))}
}

// Matrix makes the features dense and returns a matrix with the given number of rows for the caller
// to fill. The features of row i begin at i*stride, in column order.
func (b *Builder) Matrix(rows int) (x []float32, stride int) {
	b.data.X = memory.Matrix(rows, b.data.Stride)
	return b.data.X, b.data.Stride
}

// Sparse reports whether features should be sparse, given the number of nonzero values and the
// number of rows.
func (b *Builder) Sparse(values, rows int) bool {
	return ranksvm.PrefersSparse(values, rows, b.data.Cols)
}

// Dataset returns the dataset with the given number of rows. If features is not nil, the dataset
// uses it; it must not contain explicit zeros. If features is nil, the dataset uses the matrix from
// [Builder.Matrix], and converts it to sparse features if [Builder.Sparse] reports true. The
// builder must not be used again.
func (b *Builder) Dataset(rows int, features *rank.CSR) (*rank.Dataset, error) {
	d, o := b.data, &b.options
	d.Categories = categories(b.texts, d.Cols)
	if features != nil {
		d.X, d.Stride, d.Sparse = nil, 0, features
	}
	if rows == 0 {
		return nil, errs.ErrNoDocuments
	}
	if err := b.check(rows); err != nil {
		return nil, err
	}
	if !b.columns.has[roleLabel] {
		d.Labels = slices.Repeat([]float64{math.NaN()}, rows)
	}
	d.SetLine(0, 1)
	list := queryList{known: map[string]int{}}
	var runs []queryRun
	switch {
	case o.NoQueries:
		list.queries = []queryRows{{id: "1", rows: rows}}
	case o.Groups != nil:
		if err := list.addGroups(o.Groups, 1, 0, rows, ""); err != nil {
			return nil, err
		}
	default:
		for row := 0; row < rows; {
			run := queryRun{qid: b.queries[row], dest: row}
			for row < rows && b.queries[row] == run.qid {
				row++
			}
			run.rows = row - run.dest
			q, err := list.addRun(&run, run.dest+1, row, o.GatherQueries)
			if err != nil {
				err.File = b.file
				return nil, err
			}
			run.query = q
			runs = append(runs, run)
		}
	}
	list.enter(d)
	if d.Sparse == nil && b.sparse(rows) {
		d = d.ToSparse()
	}
	if len(runs) > len(list.queries) {
		return gather(d, runs)
	}
	return d, nil
}

// check returns an error unless every column has the given number of rows.
func (b *Builder) check(rows int) error {
	d, features := b.data, 0
	switch {
	case d.Sparse != nil:
		features = len(d.Sparse.Offsets) - 1
	default:
		if n, ok := memory.Product(rows, d.Stride); ok && len(d.X) == n {
			features = rows
		}
	}
	sizes := [roles]int{roleFeature: features, roleLabel: len(d.Labels), roleQuery: len(b.queries),
		roleWeight: len(d.Weights), rolePosition: len(d.Positions), roleDoc: len(d.DocIDs)}
	for column, role := range b.columns.roles {
		if role < roles && sizes[role] != rows {
			return errs.Errorf("data", "column %s must have %d values", b.columns.names[column], rows)
		}
	}
	return nil
}

// sparse reports whether the features, which were added as a dense matrix, should be stored as
// sparse features.
func (b *Builder) sparse(rows int) bool {
	d, values := b.data, 0
	for i := range rows {
		for _, v := range d.Row(i) {
			if v != 0 {
				values++
			}
		}
		if !b.Sparse(values, rows) {
			return false
		}
	}
	return true
}

// gather reorders the rows of d so that all rows of each query are adjacent. d already contains the
// queries in the order of the result.
func gather(d *rank.Dataset, runs []queryRun) (*rank.Dataset, error) {
	slices.SortStableFunc(runs, func(a, b queryRun) int { return a.query - b.query })
	rows := make([]int, 0, d.Rows())
	for _, run := range runs {
		for i := range run.rows {
			rows = append(rows, run.dest+i)
		}
	}
	ids, offsets := d.QueryIDs, d.Offsets
	whole := *d
	whole.QueryIDs, whole.Offsets = []string{""}, []int{0, len(rows)}
	g, err := whole.SubsetRows(rows)
	if err != nil {
		return nil, err
	}
	g.QueryIDs, g.Offsets = ids, offsets
	return g, nil
}
