package data

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

const (
	maxRecord  = 64 << 20  // maximum record length in bytes
	tablePiece = 128 << 10 // number of bytes to parse at a time; the L2 cache holds them and the parsed values
)

// readTable reads a CSV or TSV table. Errors contain the given file name.
func readTable(r io.Reader, file string, o Options) (*rank.Dataset, error) {
	given := o.Delimiter != 0
	if !given {
		o.Delimiter = ','
		if o.Format == formatTSV {
			o.Delimiter = '\t'
		}
	}
	if !text.IsDelimiter(o.Delimiter) {
		return nil, errs.Errorf("data", "the delimiter is %q; it must not be a letter, digit, sign, point or quote", o.Delimiter)
	}
	if c := o.Decimal; c != 0 && c != '.' && c != ',' {
		return nil, errs.Errorf("data", "the decimal mark is %q; it must be a point or a comma", o.Decimal)
	}
	o.MaxValues, o.Columns = 0, 0
	o.settleQueries()
	o.MaxLineLength = maxRecord
	m := newMerger(&reader{Options: o, progress: parallel.NewProgress(o.Progress, files.Size(r))}, r, file)
	return m.load(func() error { return m.readTable(r, given) })
}

// readTable reads and merges a whole table. fixed means that the user specified the delimiter.
func (m *merger) readTable(r io.Reader, fixed bool) error {
	o := &m.opts.Options
	file := &countingReader{r: r}
	content, err := m.budget.Uncompressed(file)
	if err != nil {
		return fmt.Errorf("read error: %w", err)
	}
	if files.Decompresses(content) {
		m.ahead = packedAhead
	}
	s := &text.Splitter{R: content, Size: text.PieceSize(tablePiece, m.size), Limit: o.MaxLineLength,
		TooLong: m.opts.tooLong, At: func() int64 { return file.n }}
	piece, err := s.Next(nil)
	if err == io.EOF {
		return errors.New("the header is missing")
	}
	if err != nil {
		return err
	}
	header := &part{stretch: stretch{opts: m.opts}}
	delimiter, before := separator(piece)
	if before > 0 {
		header.lines++
		if !fixed {
			o.Delimiter = delimiter
		}
	}
	names, end, perr := header.header(piece[before:], m.budget)
	if perr != nil {
		return perr
	}
	columns, err := classify(names, nil, o)
	if err != nil {
		return &rank.ParseError{Line: max(header.lines, 1), Err: err}
	}
	m.columns, m.data.Names, m.width = columns, columns.features, len(columns.features)
	m.texts = columns.textColumns()
	end += before
	m.lines, m.bytes = header.lines, int64(end)
	// The fast path supports neither decimal commas nor numbers that mean a missing value.
	long := o.Decimal == ',' || slices.ContainsFunc(o.Missing, func(text string) bool {
		return strings.ContainsAny(text, "0123456789")
	})
	parse := func(p *part, piece []byte) {
		p.opts, p.columns, p.long = m.opts, columns, long
		p.parse(piece)
	}
	add := func(p *part, at int64) error { return m.addAt(&p.stretch, at) }
	return text.Parse(s, piece[end:], o.threads(), parse, add)
}
