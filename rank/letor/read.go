package letor

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// read is Read with the file's name for errors.
func (o *readOptions) read(r io.Reader, file string) (*rank.Dataset, error) {
	m := &merger{opts: o, data: rank.NewDataset(0, o.columns), width: o.columns, known: map[string]int{},
		size: files.Size(r)}
	if b := o.before; b != nil {
		m.lines, m.known = b.lines, b.known
	}
	err := m.readAll(r)
	if err == nil {
		if err = m.finish(); err == nil {
			m.data.Source.File = file
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

// readAll reads and merges everything.
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
		m.ahead = 48 << 10 // the window of 32 KiB and the reader's buffer
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
	add := func(part *stretch, at int64) error {
		m.read = at
		if err := m.add(part); err != nil {
			return err
		}
		m.opts.tell(m.read, m.size)
		return nil
	}
	return text.Parse(&lines, piece, m.opts.threads(), parse, add)
}
