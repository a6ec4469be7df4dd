package rank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
)

// A Dataset is a list of queries, each of which is a contiguous block of documents (rows). Each
// document has a relevance label and a feature vector.
//
// Features are either dense or sparse, and results are bit-identical for both. If they are dense,
// row i is X[i*Stride : i*Stride+Cols], and the padding from Cols to Stride is zero. If they are
// sparse, X is nil, Stride is 0, and Sparse holds the values that the rows list. LETOR files count
// features from 1, so their feature j is column j-1.
//
// A feature that a row of a file omits is 0, and cannot be distinguished from a listed 0. Linear
// models treat both as the value 0. Tree models treat both as 0 or as missing, depending on the
// split (see UnknownZeros of lambdamart.Model). NaN means missing in tree models; RankSVM and Ridge
// return an error for it.
type Dataset struct {
	X      []float32 // dense features, row-major, Rows()×Stride
	Cols   int       // number of features
	Stride int       // number of values per row: Cols rounded up to a multiple of 16 (64 bytes)
	Sparse *CSR      // sparse features; nil if the features are dense

	Labels  []float64 // relevance label of each row
	Offsets []int     // query q consists of rows Offsets[q] to Offsets[q+1]-1; starts with 0

	QueryIDs []string // ID of each query
	DocIDs   []string // ID of each row; nil if the source has no document IDs

	// Weights is the training weight of each row. nil means that each weight is 1.
	Weights []float64
	// QueryWeights is the training weight of each query. nil means that each weight is 1. Metrics
	// ignore it.
	QueryWeights []float64
	// Pairs lists preferences between rows of the same query, sorted by query. RankSVM and the
	// lambdamart objective Pairwise learn from these pairs instead of from labels. Pairs may repeat
	// or contradict each other; their weights add up. [Concat], the Subset methods and all methods
	// that change only columns keep the pairs, except pairs of omitted rows. Package datafile does
	// not support pairs.
	Pairs []Pair
	// Positions is the position, counted from 1, at which each row was shown to users. It is nil if
	// the positions are not known.
	Positions []int32
	// Names is the name of each column, in UTF-8. It is nil if the columns have no names.
	Names []string
	// Categories contains the texts of the text columns, one list per column. The list of a numeric
	// column is nil, and Categories is nil if all columns are numeric. A feature value is the index
	// of the text in the list; NaN means missing, and a number beyond the end of the list is an
	// unknown category. The texts of a list are distinct. Linear models require numeric columns.
	Categories [][]string

	// Absent is the number of values that the rows of the file omit, out of Rows() × Cols. Readers
	// set it; it is 0 for a dataset that was built by hand. It is informational: no result depends
	// on it.
	Absent int64

	// File is the name of the file that the rows were read from, for errors. It is empty if there
	// is no file. Readers set File, and set the lines of the rows with [Dataset.SetLine].
	File string

	lines []lineRun // lines of the rows, sorted by row; rows before the first element were not read from a file
}

// A Pair is a preference between two rows of the same query.
type Pair struct {
	Better, Worse int32   // indices of the rows
	Weight        float64 // must be finite and not negative
}

// QueryPairs returns the elements of Pairs that belong to query q.
func (d *Dataset) QueryPairs(q int) []Pair {
	lo, hi := d.Query(q)
	before := func(row int) int {
		return sort.Search(len(d.Pairs), func(i int) bool { return int(d.Pairs[i].Better) >= row })
	}
	return d.Pairs[before(lo):before(hi)]
}

// PairAccuracy returns the fraction of Pairs that the scores order correctly, weighted by
// Pair.Weight. Pairs with equal scores count as one half. The result is NaN if no pair has a
// positive weight.
func (d *Dataset) PairAccuracy(scores []float64) float64 {
	var right, all num.ExactSum
	for _, p := range d.Pairs {
		all.Add(p.Weight)
		switch b, w := scores[p.Better], scores[p.Worse]; {
		case b > w:
			right.Add(p.Weight)
		case b == w:
			right.Add(p.Weight / 2)
		}
	}
	return right.Value() / all.Value()
}

// A lineRun maps consecutive rows to consecutive lines of a file. Row row is on the given line. The
// run ends at the first row of the next lineRun.
type lineRun struct {
	row, line int    // a line of 0 means that the rows were not read from a file
	file      string // file of the rows, set by Concat; "" means Dataset.File
}

// NewDataset returns a dataset of dense features with rows padded to 64 bytes. All features and
// labels are 0. There are no queries yet: Offsets is [0]. To add a query, append the index after
// its last row to Offsets and its ID to QueryIDs. NewDataset panics if an argument is negative or
// if this machine cannot address that many features.
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

// Rows returns the number of documents, which is the number of labels. If the dataset has no
// labels, it returns the number of feature rows.
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

// Row returns the features of row i. If the features are dense, the slice shares memory with the
// dataset. If they are sparse, Row allocates a new slice; [Dataset.AppendRow] and [CSR.Row] do not.
func (d *Dataset) Row(i int) []float32 {
	if d.Sparse != nil {
		return d.AppendRow(make([]float32, 0, d.Cols), i)
	}
	return d.X[i*d.Stride : i*d.Stride+d.Cols : i*d.Stride+d.Cols]
}

// AppendRow appends the Cols features of row i, dense or sparse, to dst and returns the extended
// slice. It does not allocate if dst has enough capacity.
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

// ToDense returns the dataset with dense features. If d is dense, it returns d. All other fields
// are shared. A dense feature uses 4 bytes, even if it is zero. ToDense panics if this machine
// cannot address that many features.
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

// ToSparse returns the dataset with sparse features. If d is sparse, it returns d. All other fields
// are shared. Each nonzero feature uses 8 bytes. Zeros are not listed, so −0 becomes 0.
func (d *Dataset) ToSparse() *Dataset {
	if d.Sparse != nil {
		return d
	}
	sparse := *d
	sparse.X, sparse.Stride, sparse.Sparse = nil, 0, compress(d, parallel.Threads(0))
	return &sparse
}

// SetLine records the source lines of rows, for use in errors. It assigns consecutive line numbers,
// starting with line, to the given row and the rows after it. Lines are counted from 1. A line of 0
// means that the rows were not read from a file. The lines of earlier rows do not change.
func (d *Dataset) SetLine(row, line int) { d.setPlace(row, "", line) }

// setPlace is like SetLine, but also sets the file of the rows. "" means the file of the dataset.
func (d *Dataset) setPlace(row int, file string, line int) {
	n, last := d.runsBefore(row), lineRun{}
	if n < len(d.lines) {
		d.lines = append([]lineRun(nil), d.lines[:n]...) // copy the runs, because copies of d may share the memory
	}
	if n > 0 {
		last = d.lines[n-1]
	}
	if line > 0 && (last.line == 0 || file != last.file || line-row != last.line-last.row) ||
		line == 0 && last.line > 0 {
		d.lines = append(d.lines, lineRun{row, line, file})
	}
}

// runsBefore returns the number of line runs that start before the given row.
func (d *Dataset) runsBefore(row int) int {
	n, _ := slices.BinarySearchFunc(d.lines, row, func(r lineRun, row int) int { return cmp.Compare(r.row, row) })
	return n
}

// Place returns the file and line from which row i was read. Lines are counted from 1. The line is
// 0 if the row was not read from a file.
func (d *Dataset) Place(i int) (file string, line int) {
	n := d.runsBefore(i + 1)
	if n == 0 || d.lines[n-1].line == 0 {
		return "", 0
	}
	run := d.lines[n-1]
	return cmp.Or(run.file, d.File), run.line + i - run.row
}

// Line returns the line from which row i was read, or 0. [Dataset.Place] also returns the file.
func (d *Dataset) Line(i int) int {
	_, line := d.Place(i)
	return line
}

// RowError returns an error about row i. If the row was read from a file, the error is a
// *[ParseError] with the file and the line. Otherwise it names the row, counted from 0.
func (d *Dataset) RowError(i int, err error) error {
	if file, line := d.Place(i); line > 0 {
		return &ParseError{File: file, Line: line, Err: err}
	}
	return errs.Wrap(err, "row %d", i)
}

// FeatureName returns the name that errors use for the feature of column j: "feature 3", counted
// from 1. If the columns have names, the name is appended, as in "feature 3 (bm25)".
func (d *Dataset) FeatureName(j int) string {
	if j < len(d.Names) {
		return fmt.Sprintf("feature %d (%s)", j+1, d.Names[j])
	}
	return fmt.Sprintf("feature %d", j+1)
}

// Query returns the range [lo, hi) of the rows of query q.
func (d *Dataset) Query(q int) (lo, hi int) { return d.Offsets[q], d.Offsets[q+1] }

// validateMatrix returns an error if the features do not have the size that the other fields imply.
func (d *Dataset) validateMatrix() error {
	rows := d.Rows()
	if d.Sparse != nil {
		if len(d.X) != 0 || d.Stride != 0 {
			return errs.Errorf("rank", "sparse features cannot be combined with dense features (%d values, stride %d)",
				len(d.X), d.Stride)
		}
		return memory.Changed(d.Sparse.validate(rows, d.Cols), d.Sparse.Columns)
	}
	if d.Cols < 0 || d.Stride < d.Cols {
		return errs.Errorf("rank", "the stride is %d; it must be at least the number of columns, %d", d.Stride, d.Cols)
	}
	if n, ok := memory.Product(rows, d.Stride); !ok || len(d.X) != n {
		return errs.Errorf("rank", "the number of values in X is %d; it must be the number of rows times the stride, %d × %d", len(d.X), rows,
			d.Stride)
	}
	return nil
}

// Validate returns an error if the fields contradict each other. Call it for datasets that you
// build by hand. Training calls it too. Package data returns only valid datasets.
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

// validateQueries returns an error if the labels, queries and IDs are inconsistent.
func (d *Dataset) validateQueries() error {
	rows := d.Rows()
	switch {
	case len(d.Labels) != rows:
		return errs.Errorf("rank", "the number of labels is %d; it must be %d, one per row", len(d.Labels), rows)
	case len(d.Offsets) == 0:
		return errs.New("rank", "the query offsets are empty")
	case d.Offsets[0] != 0 || d.Offsets[len(d.Offsets)-1] != rows:
		return errs.Errorf("rank", "the query offsets start at %d and end at %d; they must start at 0 and end at %d, the row count",
			d.Offsets[0], d.Offsets[len(d.Offsets)-1], rows)
	case len(d.QueryIDs) != d.Queries():
		return errs.Errorf("rank", "the number of query IDs is %d; it must be %d, one per query", len(d.QueryIDs), d.Queries())
	case d.DocIDs != nil && len(d.DocIDs) != rows:
		return errs.Errorf("rank", "the number of document IDs is %d; it must be %d, one per row", len(d.DocIDs), rows)
	}
	for q := range d.Queries() {
		if d.Offsets[q+1] < d.Offsets[q] {
			return errs.Errorf("rank", "query offsets must not decrease: at query %d, %d follows %d", q, d.Offsets[q+1],
				d.Offsets[q])
		}
	}
	return nil
}

// validateExtras returns an error if weights, positions or names are invalid.
func (d *Dataset) validateExtras() error {
	rows := d.Rows()
	switch {
	case d.Weights != nil && len(d.Weights) != rows:
		return errs.Errorf("rank", "the number of weights is %d; it must be %d, one per row", len(d.Weights), rows)
	case d.QueryWeights != nil && len(d.QueryWeights) != d.Queries():
		return errs.Errorf("rank", "the number of query weights is %d; it must be %d, one per query", len(d.QueryWeights), d.Queries())
	case d.Positions != nil && len(d.Positions) != rows:
		return errs.Errorf("rank", "the number of positions is %d; it must be %d, one per row", len(d.Positions), rows)
	case d.Names != nil && len(d.Names) != d.Cols:
		return errs.Errorf("rank", "the number of names is %d; it must be %d, one per column", len(d.Names), d.Cols)
	}
	for i, w := range d.Weights {
		if !isWeight(w) {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("the weight is %v; it must be finite and not negative", w)))
		}
	}
	for q, w := range d.QueryWeights {
		if !isWeight(w) {
			return errs.Errorf("rank", "weight of query %s is %v; it must be finite and not negative", d.QueryIDs[q], w)
		}
	}
	for i, p := range d.Positions {
		if p < 1 {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("the position is %d; it must be at least 1", p)))
		}
	}
	if err := d.validatePairs(); err != nil {
		return err
	}
	if err := d.validateCategories(); err != nil {
		return err
	}
	if err := text.CheckNames(d.Names, "feature", 1); err != nil {
		return errs.Op("rank", err)
	}
	column := make(map[string]int, len(d.Names))
	for j, name := range d.Names {
		if i, again := column[name]; again {
			return errs.Errorf("rank", "columns %d and %d (counted from 0) have the same name: %q", i, j, name)
		}
		column[name] = j
	}
	return nil
}

// validatePairs returns an error if pairs are invalid or not sorted by query.
func (d *Dataset) validatePairs() error {
	q := 0
	for i, p := range d.Pairs {
		fail := func(format string, args ...any) error {
			err := fmt.Errorf(format, args...)
			return errs.Op("rank", errs.Wrap(err, "pair %d of rows %d and %d", i, p.Better, p.Worse))
		}
		if better := int(p.Better); better < 0 || better >= d.Rows() {
			return fail("rows must be from 0 to %d", d.Rows()-1)
		}
		for int(p.Better) >= d.Offsets[q+1] {
			q++
		}
		lo, hi := d.Query(q)
		switch worse := int(p.Worse); {
		case int(p.Better) < lo:
			return fail("pairs must be sorted by query")
		case worse < lo || worse >= hi:
			return fail("both rows must belong to the same query")
		case p.Better == p.Worse:
			return fail("the rows must differ")
		case !isWeight(p.Weight):
			return fail("the weight is %v; it must be finite and not negative", p.Weight)
		}
	}
	return nil
}

// isWeight reports whether w is a valid weight of a row or a query.
func isWeight(w float64) bool { return w >= 0 && !math.IsInf(w, 0) }

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// notFinite returns an error that names the first feature or label of d that is NaN or infinite.
func notFinite(d *Dataset) error {
	for i := range d.Rows() {
		if d.Pairs == nil && !isFinite(d.Labels[i]) {
			return errs.Op("rank", d.RowError(i, fmt.Errorf("the label is %v; it must be finite", d.Labels[i])))
		}
		var columns []int32
		var row []float32
		if d.Sparse != nil { // use the sparse row, because a row with all columns may be far longer
			columns, row = d.Sparse.Row(i)
		} else {
			row = d.Row(i)
		}
		if j := slices.IndexFunc(row, func(v float32) bool { return !isFinite(float64(v)) }); j >= 0 {
			v := row[j]
			if d.Sparse != nil {
				j = int(columns[j])
			}
			err := fmt.Errorf("%s is %v; features must be finite", d.FeatureName(j), v)
			return errs.Op("rank", d.RowError(i, err))
		}
	}
	return errs.New("rank", "the feature values are too large: their sums overflow")
}
