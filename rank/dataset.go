package rank

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/internal/hugepages"
)

// rowAlign is the number of float32 values that rows are padded to: 64 bytes, a
// cache line and a full AVX-512 register.
const rowAlign = 16

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
// say (Zeros of package lambdamart). NaN is missing to boosted trees. RankSVM and Ridge refuse it.
type Dataset struct {
	X      []float32 // dense features, row-major, Rows()×Stride
	Cols   int       // features of a row
	Stride int       // values from one row to the next: Cols rounded up to 16 (64 bytes)
	Sparse *CSR      // sparse features; nil where they are dense

	Labels  []float64 // relevance label of each row
	Offsets []int     // query q holds the rows Offsets[q] to Offsets[q+1]-1; starts with 0

	QueryIDs []string // identifier of each query
	DocIDs   []string // identifier of each row; nil when the source names none

	Weights      []float64 // weight of each row; nil means 1
	QueryWeights []float64 // weight of each query; nil means 1
	Positions    []int32   // position of each row where it was shown, from 1; nil when not known
	Names        []string  // name of each column; nil when they have none

	// Absent is the number of values, of Rows() × Cols, that rows of the file leave out. Readers
	// set it; it is 0 for a dataset that was put together by hand. Nothing but a caller's diagnosis
	// depends on it.
	Absent int64

	// Source is where the rows stand in the file that they were read from, for errors. Readers set
	// it.
	Source Source
}

// A CSR holds sparse features in compressed rows: those of row i are
// Values[Offsets[i]:Offsets[i+1]] in the columns Columns[Offsets[i]:Offsets[i+1]], which ascend.
// All others are 0.
type CSR struct {
	Offsets []int // starts with 0, one more than rows
	Columns []int32
	Values  []float32
}

// A Source is where the rows of a dataset stand in a text; the zero value says that they were not
// read from one.
type Source struct {
	File string    // "" when it has no name
	Runs []LineRun // by ascending rows, the first from row 0 on
}

// A LineRun says that the rows from Row on, up to that of the next run, stand in the lines from
// Line on.
type LineRun struct{ Row, Line int }

// NewDataset returns a dataset of the given number of rows and columns with all
// features and labels zero, rows padded to 64 bytes, and no queries yet.
func NewDataset(rows, cols int) *Dataset {
	stride := Stride(cols)
	return &Dataset{
		X:       hugepages.Make[float32](rows * stride),
		Cols:    cols,
		Stride:  stride,
		Labels:  make([]float64, rows),
		Offsets: []int{0},
	}
}

// Stride returns the number of values from one row to the next of a dataset of so many columns:
// cols rounded up to 16.
func Stride(cols int) int { return (cols + rowAlign - 1) / rowAlign * rowAlign }

// Rows returns the number of documents: that of Labels or, in a dataset without labels, of rows of
// X.
func (d *Dataset) Rows() int {
	if len(d.Labels) > 0 || d.Stride <= 0 {
		return len(d.Labels)
	}
	return len(d.X) / d.Stride
}

// Queries returns the number of queries.
func (d *Dataset) Queries() int { return max(len(d.Offsets)-1, 0) }

// Row returns the features of row i. It shares memory with the dataset.
func (d *Dataset) Row(i int) []float32 {
	return d.X[i*d.Stride : i*d.Stride+d.Cols : i*d.Stride+d.Cols]
}

// Line returns the line, from 1, of row i in the file that the dataset was read from, or 0 when it
// was not read from one file.
func (d *Dataset) Line(i int) int {
	n, found := slices.BinarySearchFunc(d.Source.Runs, i,
		func(r LineRun, row int) int { return cmp.Compare(r.Row, row) })
	if !found {
		n--
	}
	if n < 0 {
		return 0
	}
	run := d.Source.Runs[n]
	return run.Line + i - run.Row
}

// RowError returns an error about row i: a *[ParseError] with its line in the file, or, when the
// dataset was not read from one file, an error that names the row, counted from 0.
func (d *Dataset) RowError(i int, err error) error {
	if line := d.Line(i); line > 0 {
		return &ParseError{File: d.Source.File, Line: line, Err: err}
	}
	return fmt.Errorf("row %d: %w", i, err)
}

// Query returns the range [lo, hi) of rows that query q holds.
func (d *Dataset) Query(q int) (lo, hi int) { return d.Offsets[q], d.Offsets[q+1] }

// Concat returns the queries of all datasets, one after the other: of training and validation data,
// or of all folds but one. It has as many columns as the widest, features that the others lack are
// 0 and absent, and document ids when all have them.
func Concat(parts ...*Dataset) *Dataset {
	rows, cols, ids := 0, 0, len(parts) > 0
	for _, p := range parts {
		rows, cols, ids = rows+p.Rows(), max(cols, p.Cols), ids && p.DocIDs != nil
	}
	d := NewDataset(rows, cols)
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
		for i := range p.Rows() {
			copy(d.Row(row+i), p.Row(i))
		}
		d.Absent += p.Absent + int64(p.Rows())*int64(cols-p.Cols)
		row += p.Rows()
	}
	return d
}

// FirstColumns returns the dataset without the columns from n on: to score documents that have
// features which a model does not know. It shares memory with d. Where it has fewer columns than d,
// the values from Cols to Stride are not zero.
func (d *Dataset) FirstColumns(n int) *Dataset {
	first := *d
	first.Cols = min(max(n, 0), d.Cols)
	return &first
}

// validateMatrix returns an error when X has not the size that the other fields say.
func (d *Dataset) validateMatrix() error {
	switch rows := d.Rows(); {
	case d.Sparse != nil:
		if len(d.Sparse.Offsets) != rows+1 {
			return fmt.Errorf("rank: %d offsets of %d sparse rows", len(d.Sparse.Offsets), rows)
		}
	case d.Cols < 0 || d.Stride < d.Cols:
		return fmt.Errorf("rank: stride %d is less than the %d columns", d.Stride, d.Cols)
	case len(d.X) != rows*d.Stride:
		return fmt.Errorf("rank: %d features for %d rows of stride %d, want %d", len(d.X), rows, d.Stride,
			rows*d.Stride)
	}
	return nil
}

// Validate returns an error when the fields contradict each other: it is for
// datasets that were put together by hand. Readers of this package return valid ones.
func (d *Dataset) Validate() error {
	if err := d.validateMatrix(); err != nil {
		return err
	}
	return d.validateQueries()
}

// validateQueries returns an error when labels, queries and identifiers contradict each other.
func (d *Dataset) validateQueries() error {
	rows := d.Rows()
	switch {
	case len(d.Labels) != rows:
		return fmt.Errorf("rank: %d labels for %d rows", len(d.Labels), rows)
	case len(d.Offsets) == 0 || d.Offsets[0] != 0 || d.Offsets[len(d.Offsets)-1] != rows:
		return fmt.Errorf("rank: query offsets must start at 0 and end at the %d rows", rows)
	case len(d.QueryIDs) != d.Queries():
		return fmt.Errorf("rank: %d query ids for %d queries", len(d.QueryIDs), d.Queries())
	case d.DocIDs != nil && len(d.DocIDs) != rows:
		return fmt.Errorf("rank: %d document ids for %d rows", len(d.DocIDs), rows)
	}
	for q := range d.Queries() {
		if d.Offsets[q+1] < d.Offsets[q] {
			return fmt.Errorf("rank: query offsets decrease at query %d: %d after %d", q, d.Offsets[q+1], d.Offsets[q])
		}
	}
	return nil
}
