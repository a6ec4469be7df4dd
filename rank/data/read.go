package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// Memory sizes in bytes, consistent with package parquet.
const (
	// rowBytes is the memory of a row without features: its label, the offset of its features and
	// so on.
	rowBytes = 64
	// queryBytes is the memory of a query while the dataset is built, including its entries in
	// tables of IDs and rows.
	queryBytes = 192
	// idBytes is the memory of a query ID of an earlier chunk, without its text.
	idBytes = 96
	// columnBytes is the memory of a table column and its name.
	columnBytes = 192
	// lineBytes is the memory per byte of a long line while it is read.
	lineBytes = 64
)

// packedAhead is the maximum amount of text that may have been read from a compressed file but not
// yet parsed: the window of 32 KiB and the reader's buffer.
const packedAhead = 48 << 10

// newMerger returns a merger for the parts of a file, which r reads.
func newMerger(o *reader, r io.Reader, file string) *merger {
	m := &merger{opts: o, file: file, data: rank.NewDataset(0, o.Columns), width: o.Columns, groups: o.Groups,
		queryList: queryList{known: map[string]int{}}, size: files.Size(r), budget: files.NewBudget(r, o.ReadOptions),
		last: true}
	// A line is held both as text and as values, and its buffers grow.
	if longest := int(max(m.budget.Left()/lineBytes, partSize)); o.MaxLineLength > longest {
		o.MaxLineLength = longest
		o.tooLong = m.budget.Hold(fmt.Sprintf("lines of more than %d bytes", longest),
			max(lineBytes*int64(longest), m.budget.Left())+1)
	}
	return m
}

// read reads LETOR text. Errors use the given file name.
func (o *reader) read(r io.Reader, file string) (*rank.Dataset, error) {
	m := newMerger(o, r, file)
	return m.load(func() error { return m.readAll(r) })
}

// load returns the dataset that read merges.
func (m *merger) load(read func() error) (d *rank.Dataset, err error) {
	if err = read(); err == nil {
		d, err = m.finish()
	}
	if err != nil {
		return nil, m.parseError(err)
	}
	m.opts.progress.Finish()
	return d, nil
}

// parseError returns an error with its place in the file.
func (m *merger) parseError(err error) error {
	var perr *rank.ParseError
	if !errors.As(err, &perr) {
		// The line after the merged ones could not be read.
		perr = &rank.ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = m.file
	return perr
}

// addAt merges a part; at is the amount of the file that was read up to its end.
func (m *merger) addAt(part *stretch, at int64) error {
	add := m.add
	if m.read = at; m.yield != nil {
		add = m.addToPiece
	}
	if err := add(part); err != nil {
		return err
	}
	m.opts.progress.Reach(at)
	return nil
}

// readAll reads and merges LETOR text.
func (m *merger) readAll(r io.Reader) (err error) {
	file := &countingReader{r: r}
	lines := m.opts.splitter(file, m.size)
	lines.At = func() int64 { return file.n }
	if m.piece > 0 {
		lines.Size = min(lines.Size, max(m.piece, 16)) // a byte order mark must fit
	}
	if lines.R, err = files.Uncompressed(file); err != nil {
		return fmt.Errorf("read error: %w", err)
	}
	if files.Decompresses(lines.R) && m.piece == 0 { // chunks count text
		m.ahead = packedAhead
	}
	piece, err := lines.Next(nil)
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	parse := func(part *stretch, piece []byte) {
		part.opts = m.opts
		part.parse(piece)
	}
	return text.Parse(&lines, piece, m.opts.threads(), parse, m.addAt)
}
