package rank

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
)

// partSize is the amount of text that is parsed at a time: with its results it fits
// the L2 cache, and a core takes a fraction of a millisecond for it.
const partSize = 256 << 10

// Errors about more than a line.
var (
	errNoDocuments = errors.New("no documents")
	errNoQids      = errors.New("rows have no qid:… after the label, and no group sizes are given")
)

// read is ReadLETOR, with the name of the file for errors.
func (o *readOptions) read(r io.Reader, file string) (*Dataset, error) {
	m := &letorMerge{opts: o, known: map[string]int{}}
	err := m.readAll(r)
	if err == nil {
		var d *Dataset
		if d, err = m.dataset(); err == nil {
			return d, nil
		}
	}
	var perr *ParseError
	if !errors.As(err, &perr) {
		// The line after those merged could not be read.
		perr = &ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = file
	return nil, perr
}

// uncompressed returns r, or the text that r holds compressed with gzip.
func uncompressed(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("cannot read on: %w", err)
	}
	return z, nil
}

// lineSplitter cuts text into pieces of whole lines.
type lineSplitter struct {
	r      io.Reader
	opts   *readOptions
	tail   []byte // start of the line that the last piece left
	inside bool   // past the start of the text
	err    error  // why r ended
}

// next returns the next piece of text, with a newline at its end and wordSlack bytes
// after it, in buf or a larger buffer. At the end of the text it returns io.EOF.
func (s *lineSplitter) next(buf []byte) ([]byte, error) {
	// Beside the text, a newline that the last line may lack must fit.
	const extra = 1 + wordSlack
	buf = buf[:cap(buf)]
	if size := max(min(partSize, s.opts.maxLine+1), len(s.tail)) + extra; len(buf) < size {
		buf = make([]byte, size)
	}
	n := copy(buf, s.tail)
	s.tail = s.tail[:0]
	for {
		n = s.fill(buf[:len(buf)-extra], n)
		if !s.inside {
			s.inside = true
			n = copy(buf, bytes.TrimPrefix(buf[:n], []byte("\xef\xbb\xbf"))) // byte order mark
		}
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		switch {
		case s.err == io.EOF && n > 0:
			if end < n {
				buf[n] = '\n'
				n++
			}
			return buf[:n+wordSlack], nil
		case end > 0:
			s.tail = append(s.tail, buf[end:n]...)
			return buf[:end+wordSlack], nil
		case n > s.opts.maxLine:
			return nil, s.opts.lengthError()
		case s.err == io.EOF:
			return nil, io.EOF
		case s.err != nil:
			return nil, fmt.Errorf("cannot read on: %w", s.err)
		}
		buf = append(buf, make([]byte, min(len(buf), s.opts.maxLine+1+extra-len(buf)))...)
	}
}

// fill reads into buf from n on until it is full or the reader ends, and returns how
// much it then holds.
func (s *lineSplitter) fill(buf []byte, n int) int {
	for empty := 0; n < len(buf) && s.err == nil; {
		k, err := s.r.Read(buf[n:])
		n += k
		if empty++; k > 0 {
			empty = 0
		} else if err == nil && empty == 100 {
			err = io.ErrNoProgress
		}
		s.err = err
	}
	return n
}

// letorMerge puts parts together in the order of the file.
type letorMerge struct {
	opts  *readOptions
	parts []*letorPart
	lines int
	bytes int64
	rows  int

	queries   []letorQuery
	known     map[string]int // place of a query id in queries
	width     int
	widthLine int
}

// letorQuery is a query of the file.
type letorQuery struct {
	id   string
	rows int
	last int // line of the last row so far
}

// readAll reads and merges everything.
func (m *letorMerge) readAll(r io.Reader) error {
	r, err := uncompressed(r)
	if err != nil {
		return err
	}
	lines := &lineSplitter{r: r, opts: m.opts}
	text, err := lines.next(nil)
	if err == nil {
		if threads := m.opts.threads(); threads == 1 || lines.err != nil {
			err = m.readSerial(lines, text)
		} else {
			err = m.readParallel(lines, text, threads)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// readSerial parses text and what follows it. It ends with io.EOF or another error.
func (m *letorMerge) readSerial(lines *lineSplitter, text []byte) (err error) {
	p := &letorParser{opts: m.opts}
	for ; err == nil; text, err = lines.next(text) {
		if err := m.add(p.parse(text)); err != nil {
			return err
		}
	}
	return err
}

// readParallel is readSerial with workers that parse pieces while this goroutine
// merges their parts in order and another one reads.
func (m *letorMerge) readParallel(lines *lineSplitter, text []byte, threads int) error {
	type job struct {
		text []byte
		part chan *letorPart
	}
	jobs := make(chan job)
	order := make(chan job, 2*threads) // the same jobs for the merge
	free := make(chan []byte, 2*threads+2)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var end error

	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for end == nil {
			j := job{text, make(chan *letorPart, 1)}
			select {
			case order <- j:
			case <-stop:
				return
			}
			select {
			case jobs <- j:
			case <-stop:
				return
			}
			select {
			case text = <-free:
			default:
				text = nil
			}
			text, end = lines.next(text)
		}
	})
	for range threads {
		wg.Go(func() {
			p := &letorParser{opts: m.opts}
			for j := range jobs {
				j.part <- p.parse(j.text)
				free <- j.text
			}
		})
	}
	var err error
	for j := range order {
		if err = m.add(<-j.part); err != nil {
			break
		}
	}
	close(stop)
	wg.Wait()
	if err == nil {
		err = end
	}
	return err
}

// add merges the next part. The error is a *ParseError or nil.
func (m *letorMerge) add(part *letorPart) error {
	for i := range part.runs {
		run := &part.runs[i]
		run.first += m.lines
		run.last += m.lines
		if m.opts.groups == nil {
			if err := m.place(run); err != nil {
				return err
			}
		}
	}
	if part.width > m.width {
		m.width, m.widthLine = part.width, m.lines+part.widthLine
	}
	m.rows += len(part.labels)
	if part.err != nil {
		part.err.Line += m.lines
		if part.err.Err == errNoQid && m.rows == 0 {
			part.err.Err = errNoQids
		}
		return part.err
	}
	m.lines += part.lines
	m.bytes += int64(part.size)
	m.parts = append(m.parts, part)
	return nil
}

// place finds the query of a run.
func (m *letorMerge) place(run *letorRun) error {
	q := len(m.queries) - 1
	if q < 0 || m.queries[q].id != run.qid {
		known, again := m.known[run.qid]
		switch {
		case !again:
			q = len(m.queries)
			m.known[run.qid] = q
			m.queries = append(m.queries, letorQuery{id: run.qid})
		case m.opts.gather:
			q = known
		default:
			return &ParseError{Line: run.first, Text: excerpt([]byte(run.qid)), Err: fmt.Errorf(
				"query begins again, its earlier rows ended at line %d, which only GatherQueries accepts", m.queries[known].last)}
		}
	}
	run.query = q
	m.queries[q].rows += run.rows
	m.queries[q].last = run.last
	return nil
}

// dataset assembles what was merged.
func (m *letorMerge) dataset() (*Dataset, error) {
	if m.rows == 0 {
		return nil, &ParseError{Line: max(m.lines, 1), Err: errNoDocuments}
	}
	if m.opts.groups != nil {
		if err := m.group(); err != nil {
			return nil, err
		}
	}
	width := m.width
	if m.opts.columns > 0 {
		width = m.opts.columns
	}
	if err := m.checkSize(width); err != nil {
		return nil, err
	}

	d := NewDataset(m.rows, width)
	cursor := make([]int, len(m.queries)) // where the next run of a query goes
	for q, query := range m.queries {
		cursor[q] = d.Offsets[q]
		d.Offsets = append(d.Offsets, d.Offsets[q]+query.rows)
		d.QueryIDs = append(d.QueryIDs, query.id)
	}
	row := 0
	for _, part := range m.parts {
		if part.docEnds != nil && d.DocIDs == nil {
			d.DocIDs = make([]string, m.rows)
		}
		for i := range part.runs {
			run := &part.runs[i]
			if m.opts.groups != nil {
				run.dest = row
			} else {
				run.dest = cursor[run.query]
				cursor[run.query] += run.rows
			}
			row += run.rows
		}
	}

	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(m.opts.threads(), len(m.parts)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(m.parts)); i = next.Add(1) - 1 {
				m.parts[i].copyTo(d)
				m.parts[i] = nil
			}
		})
	}
	wg.Wait()
	return d, nil
}

// group makes the queries out of the group sizes.
func (m *letorMerge) group() error {
	sum := 0
	for q, n := range m.opts.groups {
		if n < 1 {
			return &ParseError{Line: m.lines, Err: fmt.Errorf("group size %d of query %d is not positive", n, q+1)}
		}
		m.queries = append(m.queries, letorQuery{id: strconv.Itoa(q + 1), rows: n})
		sum += n
	}
	if sum != m.rows {
		return &ParseError{Line: m.lines, Err: fmt.Errorf("%d documents, but the group sizes add up to %d", m.rows, sum)}
	}
	return nil
}

// checkSize returns an error when the matrix would be out of proportion.
func (m *letorMerge) checkSize(width int) error {
	limit := m.opts.maxValues
	if limit == 0 {
		limit = max(1<<26, 64*m.bytes)
	}
	// Even without features a row takes a label and its share of the rest.
	values := float64(m.rows) * float64(max(strideOf(width), rowAlign))
	if values <= float64(limit) && values <= math.MaxInt/4 {
		return nil
	}
	return &ParseError{Line: max(m.widthLine, 1), Err: fmt.Errorf(
		"a matrix of %d documents × %d features, as wide as this line asks, passes the limit of %d values, which MaxValues raises", m.rows, width, limit)}
}

// copyTo copies a part to its place in the dataset.
func (part *letorPart) copyTo(d *Dataset) {
	row, value, column := 0, 0, 0
	doc := int32(0)
	for _, run := range part.runs {
		copy(d.Labels[run.dest:], part.labels[row:row+run.rows])
		for i := range run.rows {
			x := d.Row(run.dest + i)
			end := int(part.ends[row] >> 1)
			values := part.values[value:end]
			if part.ends[row]&1 == 0 {
				copy(x, values)
			} else {
				for k, j := range part.columns[column : column+len(values)] {
					x[j] = values[k]
				}
				column += len(values)
			}
			value = end
			if part.docEnds != nil {
				d.DocIDs[run.dest+i] = part.docText[doc:part.docEnds[row]]
				doc = part.docEnds[row]
			}
			row++
		}
	}
}
