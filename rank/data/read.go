package data

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// packedAhead is how much text may have been read of a compressed file beyond what was parsed: the
// window of 32 KiB and the reader's buffer.
const packedAhead = 48 << 10

// newMerger returns a merger of the parts of a file of so many bytes.
func newMerger(o *reader, size int64) *merger {
	return &merger{opts: o, data: rank.NewDataset(0, o.Columns), width: o.Columns,
		queryList: queryList{known: map[string]int{}}, size: size}
}

// read reads LETOR text with the file's name for errors.
func (o *reader) read(r io.Reader, file string) (*rank.Dataset, error) {
	m := newMerger(o, files.Size(r))
	if b := o.before; b != nil {
		m.lines, m.known = b.lines, b.known
	}
	return m.load(file, func() error { return m.readAll(r) })
}

// load returns the dataset that read merges.
func (m *merger) load(file string, read func() error) (*rank.Dataset, error) {
	err := read()
	if err == nil {
		if err = m.finish(); err == nil {
			m.opts.progress.Finish()
			m.data.File = file
			return m.data, nil
		}
	}
	var perr *rank.ParseError
	if !errors.As(err, &perr) {
		// The line after those merged could not be read.
		perr = &rank.ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = file
	return nil, perr
}

// addAt merges a part, up to whose end so much of the file has been read.
func (m *merger) addAt(part *stretch, at int64) error {
	m.read = at
	if err := m.add(part); err != nil {
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
	if b := m.opts.before; b != nil {
		lines.Inside = b.lines > 0
	} else if lines.R, err = files.Uncompressed(file); err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	if _, packed := lines.R.(*gzip.Reader); packed {
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
