package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
)

// A Dataset is a list of queries, each a contiguous block of documents (rows) with
// a relevance label and a vector of features.
//
// The features are dense or sparse, with the same results to the bit. Dense, those of row i are
// X[i*Stride : i*Stride+Cols], and the values from Cols to Stride are zero. Sparse, X is nil,
// Stride is 0, and Sparse holds the values that rows list. Feature j of a LETOR file, counted from
// 1, is column j-1.
//
// A feature that a row of a file leaves out is 0, and cannot be told from a 0 that the row lists.
// Linear models take both for the value 0, boosted trees for that or for missing, as their splits
// say (UnknownZeros of lambdamart.Model). NaN is missing to boosted trees. RankSVM and Ridge refuse
// it.
type Dataset struct {
	X      []float32 // dense features, row-major, Rows()×Stride
	Cols   int       // features of a row
	Stride int       // values from one row to the next: Cols rounded up to 16 (64 bytes)
	Sparse *CSR      // sparse features; nil where they are dense

	Labels  []float64 // relevance label of each row
	Offsets []int     // query q holds the rows Offsets[q] to Offsets[q+1]-1; starts with 0

	QueryIDs []string // identifier of each query
	DocIDs   []string // identifier of each row; nil when the source names none

	Weights      []float64 // weight of each row in training; nil means 1. RankSVM refuses them
	QueryWeights []float64 // weight of each query in training, not in metrics; nil means 1
	Positions    []int32   // position of each row where it was shown, from 1; nil when not known
	Names        []string  // name of each column, in UTF-8; nil when they have none

	// Absent is the number of values, of Rows() × Cols, that rows of the file leave out. Readers
	// set it; it is 0 for a dataset that was put together by hand. Nothing but a caller's diagnosis
	// depends on it.
	Absent int64

	// File is the name of the file that the rows were read from, for errors; "" when it has none.
	// Readers set it, and the lines of the rows by [Dataset.SetLine].
	File string

	lines []lineRun // by ascending rows; those before the first were not read from a file
}

// A lineRun says that the rows from row on, up to that of the next run, stand in the lines from
// line on.
type lineRun struct {
	row, line int    // a line of 0 says that the rows were not read from a file
	file      string // of rows that Concat has put together; "" means Dataset.File
}

// NewDataset returns a dataset with dense features in which all features and labels are 0, rows are
// padded to 64 bytes, and there are no queries: Offsets is [0]. Append the end of each query's rows
// to Offsets, and its identifier to QueryIDs, which has one for each query. It panics if a number
// is negative or the features are more than this machine can address.
func NewDataset(rows, cols int) *Dataset {
	stride := memory.Stride(cols)
	return &Dataset{
		X:       memory.Matrix(rows, stride),
		Cols:    cols,
		Stride:  stride,
		Labels:  make([]float64, rows),
		Offsets: []int{0},
	}
}

// Rows returns the number of documents: that of Labels or, in a dataset without labels, of rows of
// features.
func (d *Dataset) Rows() int {
	switch {
	case len(d.Labels) > 0:
		return len(d.Labels)
	case d.Sparse != nil:
		return d.Sparse.rows()
	case d.Stride > 0:
		return len(d.X) / d.Stride
	}
	return 0
}

// Queries returns the number of queries.
func (d *Dataset) Queries() int { return max(len(d.Offsets)-1, 0) }

// Row returns the features of row i. Dense ones share memory with the dataset; sparse ones are
// written out to a new slice, which [Dataset.AppendRow] and [CSR.Row] do without.
func (d *Dataset) Row(i int) []float32 {
	if d.Sparse != nil {
		return d.AppendRow(make([]float32, 0, d.Cols), i)
	}
	return d.X[i*d.Stride : i*d.Stride+d.Cols : i*d.Stride+d.Cols]
}

// AppendRow appends the Cols features of row i to dst, dense or sparse, and returns it. It
// allocates nothing when dst has the capacity.
func (d *Dataset) AppendRow(dst []float32, i int) []float32 {
	if d.Sparse == nil {
		return append(dst, d.Row(i)...)
	}
	n := len(dst)
	dst = slices.Grow(dst, d.Cols)[:n+d.Cols]
	clear(dst[n:])
	columns, values := d.Sparse.Row(i)
	for k, j := range columns {
		dst[n+int(j)] = values[k]
	}
	return dst
}

// ToDense returns the dataset with dense features: d itself when it has such. All else is shared.
// It takes 4 bytes for each feature of each row, zeros too, and panics if these are more than this
// machine can address.
func (d *Dataset) ToDense() *Dataset {
	if d.Sparse == nil {
		return d
	}
	dense := *d
	dense.Stride, dense.Sparse = memory.Stride(d.Cols), nil
	dense.X = memory.Matrix(d.Rows(), dense.Stride)
	for i := range d.Rows() {
		d.AppendRow(dense.X[i*dense.Stride:i*dense.Stride], i)
	}
	return &dense
}

// ToSparse returns the dataset with sparse features: d itself when it has such. All else is shared.
// It takes 8 bytes for each feature that is not 0, and lists no zeros; −0 becomes 0.
func (d *Dataset) ToSparse() *Dataset {
	if d.Sparse != nil {
		return d
	}
	sparse := *d
	sparse.X, sparse.Stride, sparse.Sparse = nil, 0, compress(d, parallel.Threads(0))
	return &sparse
}

// SetLine says, for errors, that the rows from the given one on stand in the lines of the file from
// line on, counted from 1. A line of 0 says that they were not read from a file. The lines of the
// rows before stay as they are.
func (d *Dataset) SetLine(row, line int) { d.setPlace(row, "", line) }

// setPlace is SetLine for rows of a file, "" for that of the dataset.
func (d *Dataset) setPlace(row int, file string, line int) {
	n, last := d.runsBefore(row), lineRun{}
	if n < len(d.lines) {
		d.lines = append([]lineRun(nil), d.lines[:n]...) // copies of d may share those after
	}
	if n > 0 {
		last = d.lines[n-1]
	}
	if line > 0 && (last.line == 0 || file != last.file || line-row != last.line-last.row) ||
		line == 0 && last.line > 0 {
		d.lines = append(d.lines, lineRun{row, line, file})
	}
}

// runsBefore returns the number of runs of lines that begin before a row.
func (d *Dataset) runsBefore(row int) int {
	n, _ := slices.BinarySearchFunc(d.lines, row, func(r lineRun, row int) int { return cmp.Compare(r.row, row) })
	return n
}

// place returns the file and the line, from 1, that row i was read from, or a line of 0 when it was
// not read from a file.
func (d *Dataset) place(i int) (file string, line int) {
	n := d.runsBefore(i + 1)
	if n == 0 || d.lines[n-1].line == 0 {
		return "", 0
	}
	run := d.lines[n-1]
	return cmp.Or(run.file, d.File), run.line + i - run.row
}

// Line returns the line, from 1, of row i in the file that it was read from, or 0 when it was not
// read from one. The lines of a binary file are its rows.
func (d *Dataset) Line(i int) int {
	_, line := d.place(i)
	return line
}

// RowError returns an error about row i: a *[ParseError] with its file and its line there, or, when
// it was not read from a file, an error that names the row, counted from 0.
func (d *Dataset) RowError(i int, err error) error {
	if file, line := d.place(i); line > 0 {
		return &ParseError{File: file, Line: line, Err: err}
	}
	return errs.Wrap(err, "row %d", i)
}

// FeatureName returns how errors call the feature of column j: "feature 3", counted from 1, with
// its name, where columns have names, as in "feature 3 (bm25)".
func (d *Dataset) FeatureName(j int) string {
	if j < len(d.Names) {
		return fmt.Sprintf("feature %d (%s)", j+1, d.Names[j])
	}
	return fmt.Sprintf("feature %d", j+1)
}

// Query returns the range [lo, hi) of rows that query q holds.
func (d *Dataset) Query(q int) (lo, hi int) { return d.Offsets[q], d.Offsets[q+1] }

// validateMatrix returns an error when the features have not the size that the other fields say.
func (d *Dataset) validateMatrix() error {
	rows := d.Rows()
	if d.Sparse != nil {
		if len(d.X) != 0 || d.Stride != 0 {
			return errs.Errorf("rank", "%d dense features of stride %d beside sparse ones, want neither", len(d.X), d.Stride)
		}
		return memory.Changed(d.Sparse.validate(rows, d.Cols), d.Sparse.Columns)
	}
	if d.Cols < 0 || d.Stride < d.Cols {
		return errs.Errorf("rank", "stride %d is less than the %d columns", d.Stride, d.Cols)
	}
	if n, ok := memory.Product(rows, d.Stride); !ok || len(d.X) != n {
		return errs.Errorf("rank", "%d features for %d rows of stride %d, want their product", len(d.X), rows,
			d.Stride)
	}
	return nil
}

// Validate returns an error if the fields contradict each other. It is for datasets that are put
// together by hand. Training calls it, too; package data returns valid datasets.
func (d *Dataset) Validate() (err error) {
	defer memory.Begin().End(&err)
	if err := d.validateMatrix(); err != nil {
		return err
	}
	if err := d.validateQueries(); err != nil {
		return err
	}
	return d.validateExtras()
}

// validateQueries returns an error when labels, queries and identifiers contradict each other.
func (d *Dataset) validateQueries() error {
	rows := d.Rows()
	switch {
	case len(d.Labels) != rows:
		return errs.Errorf("rank", "%d labels for %d rows", len(d.Labels), rows)
	case len(d.Offsets) == 0 || d.Offsets[0] != 0 || d.Offsets[len(d.Offsets)-1] != rows:
		return errs.Errorf("rank", "query offsets must start at 0 and end at the %d rows", rows)
	case len(d.QueryIDs) != d.Queries():
		return errs.Errorf("rank", "%d query ids for %d queries", len(d.QueryIDs), d.Queries())
	case d.DocIDs != nil && len(d.DocIDs) != rows:
		return errs.Errorf("rank", "%d document ids for %d rows", len(d.DocIDs), rows)
	}
	for q := range d.Queries() {
		if d.Offsets[q+1] < d.Offsets[q] {
			return errs.Errorf("rank", "query offsets decrease at query %d: %d after %d", q, d.Offsets[q+1],
				d.Offsets[q])
		}
	}
	return nil
}

// validateExtras returns an error when weights, positions or names are wrong.
func (d *Dataset) validateExtras() error {
	rows := d.Rows()
	switch {
	case d.Weights != nil && len(d.Weights) != rows:
		return errs.Errorf("rank", "%d weights for %d rows", len(d.Weights), rows)
	case d.QueryWeights != nil && len(d.QueryWeights) != d.Queries():
		return errs.Errorf("rank", "%d query weights for %d queries", len(d.QueryWeights), d.Queries())
	case d.Positions != nil && len(d.Positions) != rows:
		return errs.Errorf("rank", "%d positions for %d rows", len(d.Positions), rows)
	case d.Names != nil && len(d.Names) != d.Cols:
		return errs.Errorf("rank", "%d names for %d columns", len(d.Names), d.Cols)
	}
	for i, w := range d.Weights {
		if !isWeight(w) {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("weight is %v, want a finite number from 0", w)))
		}
	}
	for q, w := range d.QueryWeights {
		if !isWeight(w) {
			return errs.Errorf("rank", "weight of query %s is %v, want a finite number from 0", d.QueryIDs[q], w)
		}
	}
	for i, p := range d.Positions {
		if p < 1 {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("position is %d, want a number from 1", p)))
		}
	}
	if err := text.CheckNames(d.Names, "feature", 1); err != nil {
		return errs.Op("rank", err)
	}
	column := make(map[string]int, len(d.Names))
	for j, name := range d.Names {
		if i, again := column[name]; again {
			return errs.Errorf("rank", "columns %d and %d, counted from 0, have one name: %q", i, j, name)
		}
		column[name] = j
	}
	return nil
}

// isWeight reports whether w can weigh a row or a query.
func isWeight(w float64) bool { return w >= 0 && !math.IsInf(w, 0) }

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// notFinite returns an error that names the first feature or label of d that is
// NaN or infinite.
func notFinite(d *Dataset) error {
	var row []float32
	for i := range d.Rows() {
		if !isFinite(d.Labels[i]) {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("label is %v", d.Labels[i])))
		}
		row = d.AppendRow(row[:0], i)
		for j, v := range row {
			if !isFinite(float64(v)) {
				return errs.Op("rank", d.RowError(i, fmt.Errorf("%s is %v", d.FeatureName(j), v)))
			}
		}
	}
	return errs.New("rank", "the values of the features are too large: their sums overflow")
}
