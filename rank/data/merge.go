package data

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// errNoQids reports text without queries.
var errNoQids = allowed("Groups", "the rows have no qid:… after the label, and no group sizes are given")

// A merger combines parsed parts into a dataset, in the order of the file.
type merger struct {
	opts   *reader
	file   string        // file name for errors
	data   *rank.Dataset // dataset so far; it may have memory for more rows
	size   int64         // size in bytes of the file or of a chunk's text; 0 if it is unknown
	done   bool          // whether the whole text was read
	budget *files.Budget

	sparse bool // whether the features will be stored as sparse features

	columns *tableColumns // columns of a table; nil for LETOR text
	texts   []textColumn  // text columns of the table, with all texts so far

	kept []*stretch // parts that are copied to data at the end, because their rows' positions are not known earlier

	lines  int
	rows   int
	listed int64 // number of values in the text, including zeros
	values int   // number of nonzero values
	bytes  int64 // number of bytes of text in the parts so far
	read   int64 // number of bytes of the file that were read
	ahead  int64 // maximum number of bytes of text that were read but not yet merged

	queryList
	width int // number of columns of the widest row, or the requested number

	// The following fields are used if the text is read in chunks.
	piece                     int // approximate text size of a chunk in bytes; 0 if the text is not read in chunks
	yield                     func(*rank.Dataset, error) bool
	last                      bool  // whether this is the last chunk; true if there are no chunks
	rowsBefore, queriesBefore int   // numbers of rows and queries in earlier chunks
	left                      int64 // remaining budget at the start of the chunk

	groups []int // sizes of the queries that follow the earlier chunks, if Groups is set
}

// A queryList contains the queries of a file in the order of their first rows.
type queryList struct {
	queries []queryRows
	known   map[string]int // index of each query ID in queries; for a query of an earlier chunk, minus its last line
}

// queryRows describes the rows of a query in the file.
type queryRows struct {
	id   string
	rows int
	last int // line of the last row that was read
}

// add merges the next part. The part must not be used afterwards. The error is nil or a
// *rank.ParseError.
func (m *merger) add(part *stretch) error {
	// If there are several errors, return the first one in the file.
	first := m.widen(part)
	if err := m.place(part); err != nil && (first == nil || err.Line <= first.Line) {
		first = err
	}
	if first == nil {
		first = m.hold(part)
	}
	if first == nil && part.err != nil {
		first = part.err
		first.Line += m.lines
		if first.Err == errNoQid && m.rowsBefore+m.rows+len(part.labels) == 0 {
			first.Err = errNoQids
		}
	}
	if first != nil {
		return first
	}
	if err := m.renumber(part); err != nil {
		return err
	}
	m.rows += len(part.labels)
	m.listed += int64(len(part.values))
	m.values += part.nonzero
	m.bytes += int64(part.size)
	if len(part.docEnds) > 0 && m.data.DocIDs == nil {
		m.data.DocIDs = []string{}
	}
	part.before = m.lines
	switch {
	case m.opts.GatherQueries:
		m.kept = append(m.kept, part.clone())
	case len(part.labels) > 0:
		m.choose()
		filled := len(m.data.Labels)
		err := m.reserve()
		if err == nil {
			err = m.note(part)
		}
		if err != nil {
			return m.full(part, err)
		}
		m.copy([]*stretch{part}, filled)
	}
	m.lines += part.lines
	return nil
}

// note records the lines of all rows in the given parts. The positions of the rows must be known.
func (m *merger) note(parts ...*stretch) error {
	type place struct{ row, line int }
	var places []place // rows whose line does not directly follow the line of the previous row
	for _, part := range parts {
		next := 0
		for _, run := range part.runs {
			for i := range run.rows {
				here := place{run.dest + i, part.before + int(part.places[next])}
				next++
				if n := len(places); i == 0 || here.line-here.row != places[n-1].line-places[n-1].row {
					places = append(places, here)
				}
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.row, b.row) })
	places = slices.CompactFunc(places, func(a, b place) bool { return a.line-a.row == b.line-b.row })
	if err := m.budget.Hold("the lines", lineRunBytes*int64(len(places))); err != nil {
		return err
	}
	for _, p := range places {
		m.data.SetLine(p.row, p.line)
	}
	return nil
}

// lineRunBytes is the memory that a dataset needs to record the line of a row if the line does not
// directly follow the line of the previous row.
const lineRunBytes = 64

// place determines the query and the destination row of each run of a part.
func (m *merger) place(part *stretch) *rank.ParseError {
	row, known := 0, len(m.queries)
	for i := range part.runs {
		run := &part.runs[i]
		first := m.lines + int(part.places[row])
		run.dest = m.rows + row
		row += run.rows
		if !m.opts.namesQueries() {
			continue
		}
		q, err := m.addRun(run, first, m.lines+int(part.places[row-1]), m.opts.GatherQueries)
		if err != nil {
			return err
		}
		run.query = q
	}
	bytes := queryBytes * int64(len(m.queries)-known)
	for _, q := range m.queries[known:] {
		bytes += int64(len(q.id))
	}
	return m.full(part, m.budget.Hold("the queries", bytes))
}

// addRun adds a run of rows, which are on lines first to last, and returns the index of its query.
func (l *queryList) addRun(run *queryRun, first, last int, gather bool) (q int, err *rank.ParseError) {
	q = len(l.queries) - 1
	if q < 0 || l.queries[q].id != run.qid {
		known, again := l.known[run.qid]
		switch {
		case !again:
			q = len(l.queries)
			l.known[run.qid] = q
			l.queries = append(l.queries, queryRows{id: run.qid})
		case gather:
			q = known
		default:
			ended := -known // the query was in an earlier chunk
			if known >= 0 {
				ended = l.queries[known].last
			}
			return 0, &rank.ParseError{Line: first, Text: text.Excerpt(run.qid), Err: allowed("GatherQueries",
				"the query is not contiguous: its previous rows ended at line %d", ended)}
		}
	}
	l.queries[q].rows += run.rows
	l.queries[q].last = last
	return q, nil
}

// addGroups adds queries of the given sizes. Their IDs are consecutive numbers that start with
// first. It returns an error if a size is not positive, or if the sizes and before, the number of
// rows before these queries, do not add up to rows. source describes the origin of the sizes in
// errors.
func (l *queryList) addGroups(sizes []int, first, before, rows int, source string) error {
	sum := before
	for q, n := range sizes {
		if n < 1 {
			return fmt.Errorf("the group size of query %d is %d; it must be positive", first+q, n)
		}
		var ok bool
		if sum, ok = memory.Sum(sum, n); !ok {
			return fmt.Errorf("the number of documents is %d, but the group sizes%s up to query %d add up to more than %d", rows,
				source, first+q, math.MaxInt)
		}
		l.queries = append(l.queries, queryRows{id: strconv.Itoa(first + q), rows: n})
	}
	if sum != rows {
		return fmt.Errorf("the number of documents is %d, but the group sizes%s add up to %d", rows, source, sum)
	}
	return nil
}

// enter stores the queries in a dataset.
func (l *queryList) enter(d *rank.Dataset) {
	d.Offsets = slices.Grow(d.Offsets, len(l.queries))
	d.QueryIDs = make([]string, 0, len(l.queries))
	for q, query := range l.queries {
		d.Offsets = append(d.Offsets, d.Offsets[q]+query.rows)
		d.QueryIDs = append(d.QueryIDs, query.id)
	}
}

// widen updates the width if rows of a part are wider than all earlier rows. It returns an error
// for the first row at which the data exceed MaxValues.
func (m *merger) widen(part *stretch) *rank.ParseError {
	limit := m.opts.MaxValues
	if part.width <= m.width && limit == 0 {
		return nil
	}
	column := 0
	for i, line := range part.places {
		var width int
		width, column = part.rowWidth(i, column)
		m.width = max(m.width, width)
		if listed := m.listed + int64(part.ends[i]>>1); limit > 0 && listed > limit {
			return &rank.ParseError{Line: m.lines + int(line),
				Err: allowed("MaxValues", "%d values exceed the limit of %d", listed, limit)}
		}
	}
	return nil
}

// hold counts the memory that the dataset needs for a part, except for its features.
func (m *merger) hold(part *stretch) *rank.ParseError {
	rows := len(part.labels)
	if rows == 0 {
		return nil
	}
	bytes := rowBytes*int64(rows) + int64(len(part.docText)+16*len(part.docEnds))
	if m.opts.GatherQueries { // clones of all parts are kept until the end
		bytes += rowBytes*int64(rows) + int64(len(part.docText)) + 4*int64(len(part.values)+len(part.columns))
	}
	return m.full(part, m.budget.Hold("the rows", bytes))
}

// full converts a memory error to an error about a part. It returns nil if err is nil.
func (m *merger) full(part *stretch, err error) *rank.ParseError {
	if err == nil {
		return nil
	}
	return &rank.ParseError{Line: m.lines + int(part.places[0]), Err: err}
}

// choose decides whether features are dense or sparse, based on all rows so far. Until the end,
// sparse features become dense only at twice the density at which dense features become sparse.
// This hysteresis avoids repeated conversions.
func (m *merger) choose() {
	values := m.values
	if m.data.Sparse != nil && !m.done {
		values /= 2
	}
	m.sparse = ranksvm.PrefersSparse(values, m.rows, m.width)
}

// room counts the memory for elements of the given size and returns their number. The number is
// expected, limited to half of the remaining budget, but at least n.
func (m *merger) room(n, expected int, bytes int64) (int, error) {
	n = max(n, int(min(int64(expected), m.budget.Left()/(2*max(bytes, 1)))))
	return n, m.budget.Hold("the features", int64(n)*bytes)
}

// reserve allocates memory in the dataset for all rows so far, in the form that choose decided on.
func (m *merger) reserve() error {
	d := m.data
	filled := len(d.Labels)
	if m.sparse {
		if err := m.reserveSparse(); err != nil {
			return err
		}
	} else if stride := memory.Stride(m.width); d.Sparse != nil || stride > d.Stride ||
		int64(m.rows)*int64(stride) > int64(len(d.X)) {
		rows, err := m.room(m.rows, m.expectedRows(stride), 4*int64(stride))
		if err != nil {
			return err
		}
		x := memory.Matrix(rows, stride)
		for i := range filled {
			d.AppendRow(x[i*stride:i*stride], i)
		}
		m.budget.Release(featureBytes(d))
		d.X, d.Stride, d.Sparse = x, stride, nil
	}
	d.Cols = m.width
	if m.rows > cap(d.Labels) {
		d.Labels = slices.Grow(d.Labels, m.expected(m.rows)-filled)
	}
	d.Labels = d.Labels[:m.rows]
	if m.columns != nil && m.columns.has[roleWeight] {
		d.Weights = slices.Grow(d.Weights, m.rows-len(d.Weights))[:m.rows]
	}
	if m.columns != nil && m.columns.has[rolePosition] {
		d.Positions = slices.Grow(d.Positions, m.rows-len(d.Positions))[:m.rows]
	}
	if d.DocIDs != nil {
		d.DocIDs = slices.Grow(d.DocIDs, m.rows-len(d.DocIDs))[:m.rows]
	}
	return nil
}

// featureBytes returns the memory size of a dataset's features, including unused capacity.
func featureBytes(d *rank.Dataset) int64 {
	if d.Sparse != nil {
		return 8 * int64(cap(d.Sparse.Values))
	}
	return 4 * int64(len(d.X))
}

// reserveSparse is like reserve, but only for sparse features.
func (m *merger) reserveSparse() error {
	d := m.data
	c, filled := d.Sparse, len(d.Labels)
	if c == nil {
		c = &rank.CSR{Offsets: []int{0}}
	}
	if m.values > cap(c.Values) {
		n, err := m.room(m.values, m.expected(m.values), 8)
		if err != nil {
			return err
		}
		columns, values := memory.Make[int32](n), memory.Make[float32](n)
		copy(columns, c.Columns)
		copy(values, c.Values)
		if d.Sparse != nil {
			m.budget.Release(featureBytes(d))
		}
		c.Columns, c.Values = columns, values
	}
	if m.rows >= cap(c.Offsets) {
		c.Offsets = slices.Grow(c.Offsets, m.expected(m.rows)+1-len(c.Offsets))
	}
	c.Offsets = c.Offsets[:m.rows+1]
	c.Columns, c.Values = c.Columns[:m.values], c.Values[:m.values]
	if d.Sparse == nil {
		var columns []int32
		var values []float32
		if filled > 0 {
			columns, values = make([]int32, d.Cols), make([]float32, d.Cols)
		}
		for i := range filled {
			n := kernels.NonzerosF32(columns, values, d.Row(i))
			at := c.Offsets[i]
			c.Offsets[i+1] = at + n
			copy(c.Columns[at:], columns[:n])
			copy(c.Values[at:], values[:n])
		}
		m.budget.Release(featureBytes(d))
		d.X, d.Stride, d.Sparse = nil, 0, c
	}
	return nil
}

// expected returns the number of sparse values or rows to allocate, given that the text so far
// contains n. It extrapolates from the fraction of the file that was read, so that the elements
// need not be copied later. Unused memory does not occupy physical memory.
func (m *merger) expected(n int) int {
	switch {
	case m.complete():
		return n
	case m.size == 0:
		return 2 * n
	}
	read := float64(m.read) * float64(m.bytes) / float64(m.bytes+m.ahead) // bytes of the file in the parts so far
	return m.most(1.1*float64(m.size)/read*float64(n), n)
}

// complete reports whether no more rows will follow.
func (m *merger) complete() bool {
	return m.done || m.read >= m.size && m.size > 0 || len(m.kept) > 0
}

// expectedRows is like expected, but for the rows of a dense matrix.
func (m *merger) expectedRows(stride int) int {
	switch {
	case m.complete():
		return m.rows
	case m.size == 0 || m.bytes < 8*partSize:
		return 2 * m.rows
	}
	left := float64(m.size) / float64(m.read)
	rows := 1.1 * left * float64(m.rows)
	if m.columns == nil {
		// Later rows may be far shorter. Limit the number of values to the number of bytes of text.
		rows = min(rows, left*float64(m.bytes)/float64(max(stride, 1)))
	}
	return m.most(rows, m.rows)
}

// most returns the capacity to allocate for n elements: the expected number, but at least 1.5·n. It
// limits the expected number by the budget, because the start of a file may suggest a size that
// exceeds the memory.
func (m *merger) most(expected float64, n int) int {
	return max(int(min(expected, float64(m.budget.Left()/16))), n+n/2)
}

// finish completes the dataset and returns it.
func (m *merger) finish() (*rank.Dataset, error) {
	if m.last && m.rowsBefore+m.rows == 0 {
		return nil, &rank.ParseError{Line: max(m.lines, 1), Err: errs.ErrNoDocuments}
	}
	switch {
	case m.opts.NoQueries:
		m.queries = []queryRows{{id: "1", rows: m.rows}}
	case m.opts.Groups != nil:
		if err := m.group(); err != nil {
			return nil, err
		}
	}
	d := m.data
	d.File, d.Categories = m.file, categories(m.texts, m.width)
	m.enter(d)
	m.done = true
	m.choose()
	err := m.reserve()
	if err == nil && m.kept != nil {
		err = m.copyKept()
	}
	if err != nil {
		return nil, err
	}
	if d.Sparse != nil {
		d.Sparse.Columns, d.Sparse.Values = slices.Clip(d.Sparse.Columns), slices.Clip(d.Sparse.Values)
	} else {
		d.X = slices.Clip(d.X[:m.rows*d.Stride])
	}
	d.Absent = int64(m.rows)*int64(d.Cols) - m.listed
	return d, nil
}

// copyKept copies the kept parts to the dataset.
func (m *merger) copyKept() error {
	if m.opts.GatherQueries {
		next := slices.Clone(m.data.Offsets) // destination of the next run of each query
		for _, part := range m.kept {
			for i := range part.runs {
				run := &part.runs[i]
				run.dest = next[run.query]
				next[run.query] += run.rows
			}
		}
	}
	if err := m.note(m.kept...); err != nil {
		return err
	}
	m.copy(m.kept, 0)
	m.kept = nil
	return nil
}

// copy copies parts to the dataset. The parts contain all rows from row first on.
func (m *merger) copy(parts []*stretch, first int) {
	if c := m.data.Sparse; c != nil {
		for _, part := range parts {
			part.measure(c.Offsets)
		}
		for i := first; i < m.rows; i++ {
			c.Offsets[i+1] += c.Offsets[i]
		}
	}
	parallel.For(context.Background(), m.opts.threads(), len(parts), func(_, i int) {
		parts[i].copyTo(m.data)
	})
}

// group creates the queries from the group sizes that the caller or a file specified.
func (m *merger) group() error {
	source := ""
	if m.opts.groupFile != "" {
		source = " in " + m.opts.groupFile
	}
	sizes := m.groups
	if !m.last {
		whole := 0 // number of queries that are complete in the chunk
		for rows := 0; rows < m.rows && whole < len(sizes) && sizes[whole] > 0; whole++ {
			rows += sizes[whole]
		}
		sizes = sizes[:whole]
	}
	if err := m.budget.Hold("the queries", queryBytes*int64(len(sizes))); err != nil {
		return err
	}
	err := m.addGroups(sizes, m.queriesBefore+1, m.rowsBefore, m.rowsBefore+m.rows, source)
	if err != nil {
		return &rank.ParseError{Line: m.lines, Err: err}
	}
	m.groups = m.groups[len(sizes):]
	return nil
}

// clone copies the content that copyTo needs to new buffers.
func (p *stretch) clone() *stretch {
	return &stretch{
		before:    p.before,
		labels:    slices.Clone(p.labels),
		places:    slices.Clone(p.places),
		weights:   slices.Clone(p.weights),
		positions: slices.Clone(p.positions),
		runs:      slices.Clone(p.runs),
		ends:      slices.Clone(p.ends),
		values:    slices.Clone(p.values),
		columns:   slices.Clone(p.columns),
		nonzero:   p.nonzero,
		docText:   slices.Clone(p.docText),
		docEnds:   slices.Clone(p.docEnds),
	}
}

// measure sets offsets[i+1] to the number of nonzero values of each row i in the part.
func (p *stretch) measure(offsets []int) {
	row, value := 0, 0
	for _, run := range p.runs {
		for i := range run.rows {
			end := int(p.ends[row] >> 1)
			n := end - value
			if p.nonzero < len(p.values) {
				n = 0
				for _, v := range p.values[value:end] {
					if v != 0 {
						n++
					}
				}
			}
			offsets[run.dest+i+1] = n
			value = end
			row++
		}
	}
}

// copyTo copies the rows of the part to the destinations of its runs in d.
func (p *stretch) copyTo(d *rank.Dataset) {
	docs := string(p.docText)
	row, value, column, doc := 0, 0, 0, int32(0)
	for _, run := range p.runs {
		copy(d.Labels[run.dest:], p.labels[row:row+run.rows])
		if len(p.weights) > 0 {
			copy(d.Weights[run.dest:], p.weights[row:row+run.rows])
		}
		if len(p.positions) > 0 {
			copy(d.Positions[run.dest:], p.positions[row:row+run.rows])
		}
		for i := range run.rows {
			end := int(p.ends[row] >> 1)
			values := p.values[value:end]
			value = end
			var columns []int32 // nil if the values belong to the first columns
			if p.ends[row]&1 != 0 {
				columns = p.columns[column : column+len(values)]
				column += len(values)
			}
			if d.Sparse != nil {
				copySparse(d.Sparse, run.dest+i, columns, values)
			} else {
				copyDense(d.Row(run.dest+i), columns, values)
			}
			if len(p.docEnds) > 0 {
				d.DocIDs[run.dest+i] = docs[doc:p.docEnds[row]]
				doc = p.docEnds[row]
			}
			row++
		}
	}
}

// copyDense writes values to the given columns of row x. If columns is nil, it writes to the first
// columns.
func copyDense(x []float32, columns []int32, values []float32) {
	if columns == nil {
		copy(x, values)
		return
	}
	for k, j := range columns {
		x[j] = values[k]
	}
}

// copySparse writes the nonzero values of a row to row i of c.
func copySparse(c *rank.CSR, i int, columns []int32, values []float32) {
	toColumns, toValues := c.Row(i)
	if columns != nil && len(values) == len(toValues) {
		copy(toColumns, columns)
		copy(toValues, values)
		return
	}
	n := 0
	for k, v := range values {
		if v == 0 {
			continue
		}
		toValues[n], toColumns[n] = v, int32(k)
		if columns != nil {
			toColumns[n] = columns[k]
		}
		n++
	}
}
