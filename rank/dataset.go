package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/hugepages"
	"github.com/simdrank/simdrank/internal/mapped"
	"github.com/simdrank/simdrank/internal/parallel"
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

// A Source is where the rows of a dataset stand in files; the zero value says that they were not
// read from any.
type Source struct {
	File string    // "" when it has no name
	Runs []LineRun // by ascending rows; those before the first were not read from a file
}

// A LineRun says that the rows from Row on, up to that of the next run, stand in the lines from
// Line on.
type LineRun struct {
	Row, Line int    // a line of 0 says that the rows were not read from a file
	File      string // of rows that Concat has put together; "" means that of the Source
}

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
// It takes 4 bytes for each feature of each row, zeros too.
func (d *Dataset) ToDense() *Dataset {
	if d.Sparse == nil {
		return d
	}
	dense := *d
	dense.Stride, dense.Sparse = Stride(d.Cols), nil
	dense.X = hugepages.Make[float32](d.Rows() * dense.Stride)
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

// add enters where a row stands that comes next: where row i of d does.
func (s *Source) add(row int, d *Dataset, i int) {
	file, line := d.place(i)
	last := LineRun{}
	if n := len(s.Runs); n > 0 {
		last = s.Runs[n-1]
	}
	if line > 0 && (last.Line == 0 || file != last.File || line-row != last.Line-last.Row) ||
		line == 0 && last.Line > 0 {
		s.Runs = append(s.Runs, LineRun{row, line, file})
	}
}

// place returns the file and the line, from 1, that row i was read from, or a line of 0 when it was
// not read from a file.
func (d *Dataset) place(i int) (file string, line int) {
	n, _ := slices.BinarySearchFunc(d.Source.Runs, i+1,
		func(r LineRun, row int) int { return cmp.Compare(r.Row, row) })
	if n == 0 || d.Source.Runs[n-1].Line == 0 {
		return "", 0
	}
	run := d.Source.Runs[n-1]
	return cmp.Or(run.File, d.Source.File), run.Line + i - run.Row
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
	return fmt.Errorf("row %d: %w", i, err)
}

// Query returns the range [lo, hi) of rows that query q holds.
func (d *Dataset) Query(q int) (lo, hi int) { return d.Offsets[q], d.Offsets[q+1] }

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
		d.Stride = Stride(cols)
		d.X = hugepages.Make[float32](rows * d.Stride)
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
			d.Source.add(row+i, p, i)
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

// FirstColumns returns the dataset without the columns from n on: to score documents that have
// features which a model does not know. It shares memory with d, except that sparse features are
// copied when there are some to leave out. Where dense features have fewer columns than d, the
// values from Cols to Stride are not zero.
func (d *Dataset) FirstColumns(n int) *Dataset {
	first := *d
	first.Cols = min(max(n, 0), d.Cols)
	if len(d.Names) > first.Cols {
		first.Names = d.Names[:first.Cols:first.Cols]
	}
	if d.Sparse != nil && first.Cols < d.Cols {
		first.Sparse = d.Sparse.firstColumns(first.Cols)
	}
	return &first
}

// validateMatrix returns an error when the features have not the size that the other fields say.
func (d *Dataset) validateMatrix() error {
	rows := d.Rows()
	if d.Sparse != nil {
		if len(d.X) != 0 || d.Stride != 0 {
			return fmt.Errorf("rank: %d dense features of stride %d beside sparse ones, want neither", len(d.X), d.Stride)
		}
		return d.Sparse.validate(rows, d.Cols)
	}
	switch {
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
func (d *Dataset) Validate() (err error) {
	defer mapped.Begin().End(&err)
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

// validateExtras returns an error when weights, positions or names are wrong.
func (d *Dataset) validateExtras() error {
	rows := d.Rows()
	switch {
	case d.Weights != nil && len(d.Weights) != rows:
		return fmt.Errorf("rank: %d weights for %d rows", len(d.Weights), rows)
	case d.QueryWeights != nil && len(d.QueryWeights) != d.Queries():
		return fmt.Errorf("rank: %d query weights for %d queries", len(d.QueryWeights), d.Queries())
	case d.Positions != nil && len(d.Positions) != rows:
		return fmt.Errorf("rank: %d positions for %d rows", len(d.Positions), rows)
	case d.Names != nil && len(d.Names) != d.Cols:
		return fmt.Errorf("rank: %d names for %d columns", len(d.Names), d.Cols)
	}
	for i, w := range d.Weights {
		if !isWeight(w) {
			return fmt.Errorf("rank: %w", d.RowError(i, fmt.Errorf("weight is %v, want a finite number from 0", w)))
		}
	}
	for q, w := range d.QueryWeights {
		if !isWeight(w) {
			return fmt.Errorf("rank: weight of query %s is %v, want a finite number from 0", d.QueryIDs[q], w)
		}
	}
	for i, p := range d.Positions {
		if p < 1 {
			return fmt.Errorf("rank: %w", d.RowError(i, fmt.Errorf("position is %d, want a number from 1", p)))
		}
	}
	column := make(map[string]int, len(d.Names))
	for j, name := range d.Names {
		if i, again := column[name]; again {
			return fmt.Errorf("rank: columns %d and %d, counted from 0, have one name: %q", i, j, name)
		}
		column[name] = j
	}
	return nil
}

// isWeight reports whether w can weigh a row or a query.
func isWeight(w float64) bool { return w >= 0 && !math.IsInf(w, 0) }
