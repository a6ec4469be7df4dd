package letor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/hugepages"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// Errors about more than a line.
var (
	errNoDocuments = errors.New("no documents")
	errNoQids      = errors.New("rows have no qid:… after the label, and no group sizes are given")
)

// merger puts parts together in the order of the file.
type merger struct {
	opts *readOptions
	data *rank.Dataset // its matrix may have more rows than are filled
	size int64         // bytes of the file, 0 when not known

	kept []*stretch // parts that wait for the end to be copied to data

	lines  int
	rows   int
	listed int64 // values
	bytes  int64 // of text
	read   int64 // of the file

	queries []queryRows
	known   map[string]int // place of a query id in queries
	width   int            // columns of the widest row, or those asked for
	widest  int            // line of the first row that is so wide
}

// queryRows is a query of the file.
type queryRows struct {
	id   string
	rows int
	last int // line of the last row so far
}

// add merges the next part and takes over what it holds. The error is a *rank.ParseError
// or nil.
func (m *merger) add(part *stretch) error {
	// Of three errors the first in the file counts.
	first := m.widen(part)
	if err := m.place(part); err != nil && (first == nil || err.Line <= first.Line) {
		first = err
	}
	if first == nil && part.err != nil {
		first = part.err
		first.Line += m.lines
		if first.Err == errNoQid && m.rows+len(part.labels) == 0 {
			first.Err = errNoQids
		}
	}
	if first != nil {
		return first
	}
	part.before = m.lines
	m.rows += len(part.labels)
	m.listed += int64(len(part.values))
	m.lines += part.lines
	m.bytes += int64(part.size)
	if len(part.docEnds) > 0 && m.data.DocIDs == nil {
		m.data.DocIDs = []string{}
	}
	// Parts are kept while their place is not known, or while the text so far does not
	// justify the size of the matrix.
	if m.opts.gather || len(m.kept) > 0 || m.checkProportion() != nil {
		m.kept = append(m.kept, part.clone())
		return nil
	}
	m.reserve()
	m.note(part)
	part.copyTo(m.data)
	return nil
}

// note enters the lines of a part's rows, whose places are known.
func (m *merger) note(part *stretch) {
	source, next := &m.data.Source, 0
	for _, run := range part.runs {
		for i := range run.rows {
			here := rank.LineRun{Row: run.dest + i, Line: part.before + int(part.places[next])}
			next++
			if n := len(source.Runs); n == 0 || m.opts.gather && i == 0 ||
				here.Line-here.Row != source.Runs[n-1].Line-source.Runs[n-1].Row {
				source.Runs = append(source.Runs, here)
			}
		}
	}
}

// place finds the query and the row of each run of a part.
func (m *merger) place(part *stretch) *rank.ParseError {
	row := 0
	for i := range part.runs {
		run := &part.runs[i]
		first := m.lines + int(part.places[row])
		run.dest = m.rows + row
		row += run.rows
		if !m.opts.namesQueries() {
			continue
		}
		q := len(m.queries) - 1
		if q < 0 || m.queries[q].id != run.qid {
			known, again := m.known[run.qid]
			switch {
			case !again:
				q = len(m.queries)
				m.known[run.qid] = q
				m.queries = append(m.queries, queryRows{id: run.qid})
			case m.opts.gather:
				q = known
			default:
				return &rank.ParseError{Line: first, Text: text.Excerpt([]byte(run.qid)), Err: fmt.Errorf(
					"query begins again, its earlier rows ended at line %d, which only GatherQueries accepts",
					m.queries[known].last)}
			}
		}
		run.query = q
		m.queries[q].rows += run.rows
		m.queries[q].last = m.lines + int(part.places[row-1])
	}
	return nil
}

// widen takes note of the rows of a part that are wider than those before, and stops
// at the row with which the matrix passes MaxValues.
func (m *merger) widen(part *stretch) *rank.ParseError {
	if part.width <= m.width && m.opts.maxValues == 0 {
		return nil
	}
	column := 0
	for i, line := range part.places {
		var width int
		width, column = part.rowWidth(i, column)
		if width > m.width {
			m.width, m.widest = width, m.lines+int(line)
		}
		if limit := m.opts.maxValues; limit > 0 && m.values(m.rows+i+1) > float64(limit) {
			return &rank.ParseError{Line: m.lines + int(line), Err: m.sizeError(m.rows+i+1, limit)}
		}
	}
	return nil
}

// values returns the size of a matrix of so many rows. Even without features a row
// takes a label and its share of the rest.
func (m *merger) values(rows int) float64 {
	return float64(rows) * float64(rank.Stride(max(m.width, 1)))
}

// checkProportion returns an error when the matrix is too large for the text so far.
func (m *merger) checkProportion() error {
	limit := max(1<<26, 64*m.bytes)
	if m.opts.maxValues > 0 {
		limit = math.MaxInt64
	}
	if limit = min(limit, math.MaxInt/16); m.values(m.rows) > float64(limit) {
		return &rank.ParseError{Line: max(m.widest, 1), Err: m.sizeError(m.rows, limit)}
	}
	return nil
}

func (m *merger) sizeError(rows int, limit int64) error {
	return fmt.Errorf("a matrix of %d documents × %d features passes the limit of %d values, which MaxValues raises",
		rows, m.width, limit)
}

// reserve makes room in the dataset for all rows so far.
func (m *merger) reserve() {
	d := m.data
	filled := len(d.Labels)
	if stride := rank.Stride(m.width); stride > d.Stride || m.rows*stride > len(d.X) {
		x := hugepages.Make[float32](m.expectedRows(stride) * stride)
		for i := range filled {
			copy(x[i*stride:], d.Row(i))
		}
		d.X, d.Stride = x, stride
	}
	d.Cols = m.width
	d.Labels = slices.Grow(d.Labels, m.rows-filled)[:m.rows]
	if d.DocIDs != nil {
		d.DocIDs = slices.Grow(d.DocIDs, m.rows-len(d.DocIDs))[:m.rows]
	}
}

// expectedRows returns how many rows to make room for: all that the file should have
// by the share of it that was read, so that the matrix is made once and not copied.
func (m *merger) expectedRows(stride int) int {
	switch {
	case m.read >= m.size && m.size > 0 || len(m.kept) > 0:
		return m.rows
	case m.size == 0 || m.bytes < 8*partSize:
		return 2 * m.rows
	}
	left := float64(m.size) / float64(m.read)
	rows := 1.1 * left * float64(m.rows)
	// No more values than bytes of text: rows of the future may be shorter.
	most := left * float64(m.bytes) / float64(max(stride, 1))
	return max(int(min(rows, most)), m.rows+m.rows/2)
}

// finish completes the dataset.
func (m *merger) finish() error {
	if m.rows == 0 {
		return &rank.ParseError{Line: max(m.lines, 1), Err: errNoDocuments}
	}
	switch {
	case m.opts.noQueries:
		m.queries = []queryRows{{id: "1", rows: m.rows}}
	case m.opts.groups != nil:
		if err := m.group(); err != nil {
			return err
		}
	}
	if err := m.checkProportion(); err != nil {
		return err
	}
	d := m.data
	d.Offsets = slices.Grow(d.Offsets, len(m.queries))
	d.QueryIDs = make([]string, 0, len(m.queries))
	for q, query := range m.queries {
		d.Offsets = append(d.Offsets, d.Offsets[q]+query.rows)
		d.QueryIDs = append(d.QueryIDs, query.id)
	}
	if m.kept != nil {
		m.reserve()
		m.copyKept()
	}
	d.X = slices.Clip(d.X[:m.rows*d.Stride])
	d.Absent = int64(m.rows)*int64(d.Cols) - m.listed
	return nil
}

// copyKept copies the parts that were kept.
func (m *merger) copyKept() {
	if m.opts.gather {
		next := slices.Clone(m.data.Offsets) // where the next run of a query goes
		for _, part := range m.kept {
			for i := range part.runs {
				run := &part.runs[i]
				run.dest = next[run.query]
				next[run.query] += run.rows
			}
		}
	}
	for _, part := range m.kept {
		m.note(part)
	}
	slices.SortFunc(m.data.Source.Runs, func(a, b rank.LineRun) int { return cmp.Compare(a.Row, b.Row) })
	parallel.For(context.Background(), m.opts.threads(), len(m.kept), func(_, i int) {
		m.kept[i].copyTo(m.data)
		m.kept[i] = nil
	})
}

// group makes the queries out of the group sizes.
func (m *merger) group() error {
	source := ""
	if m.opts.groupFile != "" {
		source = " in " + m.opts.groupFile
	}
	sum := 0
	for q, n := range m.opts.groups {
		if n < 1 {
			return &rank.ParseError{Line: m.lines, Err: fmt.Errorf("group size %d of query %d is not positive", n, q+1)}
		}
		m.queries = append(m.queries, queryRows{id: strconv.Itoa(q + 1), rows: n})
		sum += n
	}
	if sum != m.rows {
		return &rank.ParseError{Line: m.lines,
			Err: fmt.Errorf("%d documents, but the group sizes%s add up to %d", m.rows, source, sum)}
	}
	return nil
}

// clone returns a copy of what copyTo needs, in buffers of its own.
func (p *stretch) clone() *stretch {
	return &stretch{
		before:  p.before,
		labels:  slices.Clone(p.labels),
		places:  slices.Clone(p.places),
		runs:    slices.Clone(p.runs),
		ends:    slices.Clone(p.ends),
		values:  slices.Clone(p.values),
		columns: slices.Clone(p.columns),
		docText: slices.Clone(p.docText),
		docEnds: slices.Clone(p.docEnds),
	}
}

// copyTo copies the rows of a part to the places of its runs.
func (p *stretch) copyTo(d *rank.Dataset) {
	docs := string(p.docText)
	row, value, column, doc := 0, 0, 0, int32(0)
	for _, run := range p.runs {
		copy(d.Labels[run.dest:], p.labels[row:row+run.rows])
		for i := range run.rows {
			x := d.Row(run.dest + i)
			end := int(p.ends[row] >> 1)
			values := p.values[value:end]
			value = end
			if p.ends[row]&1 == 0 {
				copy(x, values)
			} else {
				for k, j := range p.columns[column : column+len(values)] {
					x[j] = values[k]
				}
				column += len(values)
			}
			if len(p.docEnds) > 0 {
				d.DocIDs[run.dest+i] = docs[doc:p.docEnds[row]]
				doc = p.docEnds[row]
			}
			row++
		}
	}
}
