package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// These are estimates of memory in bytes. Package parquet uses the same values.
const (
	// rowBytes is the memory of a row without its features, for example for its label and the
	// offset of its features.
	rowBytes = 64
	// queryBytes is the memory of a query while the dataset is built, including its entries in
	// maps.
	queryBytes = 192
	// idBytes is the memory of a query ID of an earlier chunk, without its text.
	idBytes = 96
	// columnBytes is the memory of a table column and its name.
	columnBytes = 192
	// lineBytes is the memory per byte of a long line while it is read.
	lineBytes = 64
)

// packedAhead is the maximum number of bytes that may have been read from a compressed file but not
// yet parsed: the decompression window of 32 KiB and the reader's buffer.
const packedAhead = 48 << 10

// newMerger returns a merger for the file that r reads.
func newMerger(o *reader, r io.Reader, file string) *merger {
	m := &merger{opts: o, file: file, data: rank.NewDataset(0, o.Columns), width: o.Columns, groups: o.Groups,
		queryList: queryList{known: map[string]int{}}, size: files.Size(r), budget: files.NewBudget(r, o.ReadOptions),
		last: true}
	// A line needs memory for its text, its values, and copies while these buffers grow.
	if longest := int(max(m.budget.Left()/lineBytes, partSize)); o.MaxLineLength > longest {
		o.MaxLineLength = longest
		o.tooLong = m.budget.Hold(fmt.Sprintf("lines of more than %d bytes", longest),
			max(lineBytes*int64(longest), m.budget.Left())+1)
	}
	return m
}

// read reads LETOR text. Errors contain the given file name.
func (o *reader) read(r io.Reader, file string) (*rank.Dataset, error) {
	m := newMerger(o, r, file)
	return m.load(func() error { return m.readAll(r) })
}

// load calls read, which must merge all parts, and returns the dataset.
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

// parseError adds the position in the file to an error.
func (m *merger) parseError(err error) error {
	var perr *rank.ParseError
	if !errors.As(err, &perr) {
		// The error is about the line after the merged lines.
		perr = &rank.ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = m.file
	return perr
}

// addAt merges a part. at is the number of bytes of the file that were read up to the end of the
// part.
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
		lines.Size = min(lines.Size, max(m.piece, 16)) // the first part must have room for a byte order mark
	}
	if lines.R, err = m.budget.Uncompressed(file); err != nil {
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
