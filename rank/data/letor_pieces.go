package data

import (
	"errors"
	"io"
	"iter"

	"github.com/simdrank/simdrank/rank"
)

// pieceSize is the approximate size of a chunk in bytes of text.
const pieceSize = 16 << 20

// errEnded means that the caller has stopped the iteration.
var errEnded = errors.New("ended")

func (o *reader) pieces(r io.Reader, file string, size int) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		if o.GatherQueries {
			yield(o.read(r, file))
			return
		}
		m := newMerger(o, r, file)
		// Short rows need about 40 times the memory of their text.
		m.piece, m.yield, m.last = min(size, int(max(m.budget.Left()/128, 64<<10))), yield, false
		m.startPiece()
		err := m.readAll(r)
		m.last = true
		if err == nil {
			err = m.endPiece()
		}
		switch {
		case err == nil:
			o.progress.Finish()
		case err != errEnded:
			yield(nil, m.parseError(err))
		}
	}
}

// startPiece starts a chunk.
func (m *merger) startPiece() {
	m.data, m.width = rank.NewDataset(0, m.opts.Columns), m.opts.Columns
	m.size, m.bytes = int64(m.piece), 0
	m.rows, m.listed, m.values, m.queries, m.done = 0, 0, 0, nil, false
	m.left = m.budget.Left()
}

// endPiece yields the current rows as a chunk, if there are any. Afterwards, it keeps only the
// query IDs of the chunk.
func (m *merger) endPiece() error {
	d, err := m.finish()
	if err != nil {
		return err
	}
	if d.Rows() > 0 && !m.yield(d, nil) {
		return errEnded
	}
	ids := int64(0)
	if m.opts.namesQueries() {
		for _, q := range m.queries {
			m.known[q.id] = -q.last
			ids += idBytes + int64(len(q.id))
		}
	}
	m.rowsBefore += m.rows
	m.queriesBefore += len(m.queries)
	m.budget.Release(m.left - m.budget.Left() - ids)
	m.startPiece()
	return nil
}

// addToPiece is like add, but ends the chunk when it has enough text. The chunk then ends with the
// last query that ends in the part.
func (m *merger) addToPiece(part *stretch) error {
	text := m.bytes + int64(part.size)
	m.read = max(min(text, m.size-1), 1) // stay below m.size, because a chunk of full size would count as complete
	if text >= int64(m.piece) {
		if row := m.boundary(part); row > 0 || row == 0 && m.rows > 0 {
			rest := part.splitAt(row)
			if err := m.add(part); err != nil {
				return err
			}
			if err := m.endPiece(); err != nil {
				return err
			}
			part = rest
		} else {
			m.size = max(m.size, 2*text)
		}
	}
	return m.add(part)
}

// boundary returns the row of a part, counted from 0, at which the part can be split between two
// queries. It returns the last such row, or a negative number if no query ends in the part.
func (m *merger) boundary(part *stretch) int {
	rows := len(part.labels)
	switch {
	case m.opts.NoQueries:
		return rows
	case m.opts.Groups != nil:
		sum, n := 0, 0
		for n < len(m.groups) && m.groups[n] > 0 && m.groups[n] <= m.rows+rows-sum {
			sum, n = sum+m.groups[n], n+1
		}
		if n == len(m.groups) {
			return rows // add reports rows after the last group as an error
		}
		return sum - m.rows
	}
	n := len(part.runs)
	if n == 0 || n == 1 && len(m.queries) > 0 && m.queries[len(m.queries)-1].id == part.runs[0].qid {
		return -1
	}
	return rows - part.runs[n-1].rows
}

// splitAt splits a part of LETOR text before the given row. It returns the remainder, which shares
// memory with the part.
func (p *stretch) splitAt(row int) (rest *stretch) {
	tail := *p
	rest = &tail
	values, columns := 0, 0
	p.width, rest.width = 0, 0
	for i, column := 0, 0; i < len(p.ends); i++ {
		var width int
		if width, column = p.rowWidth(i, column); i < row {
			p.width, values, columns = max(p.width, width), int(p.ends[i]>>1), column
		} else {
			rest.width = max(rest.width, width)
		}
	}
	p.labels, rest.labels = p.labels[:row], p.labels[row:]
	p.places, rest.places = p.places[:row], p.places[row:]
	p.ends, rest.ends = p.ends[:row], p.ends[row:]
	p.values, rest.values = p.values[:values], p.values[values:]
	p.columns, rest.columns = p.columns[:columns], p.columns[columns:]
	p.lines, p.err = 0, nil
	if row > 0 {
		p.lines = int(p.places[row-1])
	}
	for i := range rest.ends {
		rest.ends[i] -= uint32(values) << 1
		rest.places[i] -= int32(p.lines)
	}
	rest.lines -= p.lines
	if rest.err != nil {
		rest.err.Line -= p.lines
	}
	if len(p.docEnds) > 0 {
		text := int32(0)
		if row > 0 {
			text = p.docEnds[row-1]
		}
		p.docText, rest.docText = p.docText[:text], p.docText[text:]
		p.docEnds, rest.docEnds = p.docEnds[:row], p.docEnds[row:]
		for i := range rest.docEnds {
			rest.docEnds[i] -= text
		}
	}
	all, before := p.runs, 0
	p.runs, rest.runs = nil, nil
	for _, run := range all {
		if n := min(max(row-before, 0), run.rows); n > 0 {
			p.runs = append(p.runs, queryRun{qid: run.qid, rows: n})
		}
		if n := min(before+run.rows-row, run.rows); n > 0 {
			rest.runs = append(rest.runs, queryRun{qid: run.qid, rows: n})
		}
		before += run.rows
	}
	rest.nonzero = countNonzeros(rest.values)
	p.nonzero -= rest.nonzero
	p.size, rest.size = 0, p.size // addToPiece has counted the whole size
	return rest
}
