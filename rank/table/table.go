// Package table reads learning-to-rank data from tables with a header: comma-separated values (CSV,
// RFC 4180) and the like.
package table

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/tabular"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// Options say how a table is to be read; the zero value reads what [Read] describes.
type Options struct {
	// Names of the columns that are not features. An empty name means label, qid, weight, position
	// or doc, in upper or lower case, if the table has such a column. "-" means that the table does
	// not have one, and a column with the usual name is then a feature.
	Label, Query, Weight, Position, Doc string

	// Ignore names columns that are skipped, whatever they hold.
	Ignore []string
	// Features names columns that are features although they have the usual name of another
	// column. Pass the feature names of a model that is to score the table.
	Features []string
	// DefaultRole, if it is not nil, is called for each column that is not a feature only because
	// of its name: role is label, qid, weight, position or doc.
	DefaultRole func(role, column string)

	// Unlabeled accepts tables without labels, for data to score: labels that are missing are NaN,
	// which trainers and metrics of package rank refuse.
	Unlabeled bool
	// NoQueries takes all rows for one query, named "1": for data to score, where queries do not
	// matter. Groups and GatherQueries have no effect then.
	NoQueries bool
	// GatherQueries accepts queries whose rows are scattered over the table. Queries then stand in
	// the order of their first rows, and rows of a query in the order of the table.
	GatherQueries bool
	// Groups are the numbers of documents of each query, in order, for a table without qid. The
	// queries are then named "1", "2", ….
	Groups []int

	// Delimiter stands between cells: a comma by default and, for Load of a file whose name ends in
	// .tsv or .tab, perhaps before .gz, a tab. It must not be a letter, digit, sign, point or
	// quote.
	Delimiter byte
	// Decimal is the decimal mark of numbers: a point, which is the default, or a comma.
	Decimal byte
	// Missing are the texts of cells without a value, such as NA, in addition to the empty cell and
	// NaN. They are compared with the content of a cell without quotes and blanks around it.
	Missing []string

	// MemoryLimit is the number of bytes that the features may take in memory while they are read.
	// By default text has no limit, because its features are in proportion to it, and package
	// parquet has one of its own. If data need more, the error wraps a *rank.OptionError.
	MemoryLimit int64

	Threads int // goroutines that parse; 0 or less means GOMAXPROCS. Results do not depend on it
}

const (
	maxRecord = 64 << 20  // bytes of the longest record
	pieceSize = 128 << 10 // bytes that are parsed at a time, which fit the L2 cache with their results
)

// Read reads a table, one document per row:
//
//	label,qid,bm25,pagerank,doc
//	2,q1,11.5,0.25,D7
//	0,q1,3.25,,D12
//
// The first record names the columns. Those named label, qid, weight, position and doc are the
// relevance label, the query, the weight of the row, the position where it was shown, and the
// identifier of the document. All others are features, in this order, and their names are the names
// of the dataset. No name is reserved: [Options] can name other columns, or none, and skip columns.
// Labels and weights are numbers, positions whole numbers from 1, queries and identifiers any text.
// The rows of a query follow one another. Names must be UTF-8; spaces and tabs around them are
// dropped, and other blanks are part of them.
//
// A feature is a decimal number, rounded to the nearest float32. True and False, also in upper or
// lower case, are 1 and 0. An empty cell, NaN, or a text of Options.Missing, is a missing value:
// NaN, which boosted trees accept and RankSVM refuses. Other text is an error: categories must be
// numbers. Cells may be quoted as RFC 4180 says, and hold delimiters, newlines and doubled quotes
// then. Empty lines are skipped, lines may end with CR LF, and text compressed with gzip is
// recognized. The features are dense while they are read, and then sparse where
// [rank.PrefersSparse] says so of the values that are not 0; all uses give the same bits.
//
// A column without a name, called "Unnamed: 0" if it is the first one as pandas calls it, is an
// error, unless it is among Options.Ignore or Options.Features: pandas and R write row numbers so.
//
// The first cell that breaks these rules is returned as a *rank.ParseError with line, column in
// bytes, and the name of its column, as is a failure of r. If an option would accept the cell, the
// error wraps a *rank.OptionError that names it. Memory is in proportion to the text: a row takes 4
// bytes per feature, in multiples of 64.
func Read(r io.Reader, o Options) (*rank.Dataset, error) { return read(r, "", o) }

// Load reads a file as Read does.
func Load(path string, o Options) (*rank.Dataset, error) {
	if stem := strings.TrimSuffix(strings.ToLower(path), ".gz"); o.Delimiter == 0 &&
		(strings.HasSuffix(stem, ".tsv") || strings.HasSuffix(stem, ".tab")) {
		o.Delimiter = '\t'
	}
	return files.Load(path, func(r io.Reader) (*rank.Dataset, error) { return read(r, path, o) })
}

func read(r io.Reader, file string, o Options) (*rank.Dataset, error) {
	if o.Delimiter == 0 {
		o.Delimiter = ','
	}
	if !tabular.IsDelimiter(o.Delimiter) {
		return nil, fmt.Errorf("table: %q cannot be a delimiter", o.Delimiter)
	}
	if c := o.Decimal; c != 0 && c != '.' && c != ',' {
		return nil, fmt.Errorf("table: %q cannot be a decimal mark", o.Decimal)
	}
	t := &tableReader{config: tabular.Config(o)}
	err := t.read(r, file)
	if err == nil {
		var d *rank.Dataset
		if d, err = t.builder.Finish(); err == nil {
			return d, nil
		}
		err = &rank.ParseError{Line: max(t.builder.Lines, 1), Err: err}
	}
	var parse *rank.ParseError
	if !errors.As(err, &parse) { // the record after those added could not be read
		parse = &rank.ParseError{Line: 1, Err: err}
		if t.builder != nil {
			parse.Line += t.builder.Lines
		}
	}
	parse.File = file
	return nil, parse
}

// A tableReader reads one table.
type tableReader struct {
	config  tabular.Config
	columns *tabular.Columns
	builder *tabular.Builder
}

func (t *tableReader) read(r io.Reader, file string) error {
	size := files.Size(r)
	content, err := files.Uncompressed(r)
	if err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	s := &text.Splitter{R: content, Size: text.PieceSize(pieceSize, size), Limit: maxRecord}
	piece, err := s.Next(nil)
	if err == io.EOF {
		return errors.New("no header")
	}
	if err != nil {
		return err
	}
	header := &part{config: &t.config}
	names, end, perr := header.names(piece)
	if perr != nil {
		return perr
	}
	if t.columns, err = tabular.Classify(names, nil, t.config); err != nil {
		return &rank.ParseError{Line: max(header.AllLines, 1), Err: err}
	}
	t.builder = tabular.NewBuilder(t.columns, &t.config, file)
	t.builder.Lines, t.builder.Bytes = header.AllLines, end
	if _, packed := content.(*gzip.Reader); !packed {
		t.builder.Size = size
	}
	// Numbers that are not what they look like cannot be parsed quickly.
	long := t.config.Decimal == ',' || slices.ContainsFunc(t.config.Missing, func(text string) bool {
		return strings.ContainsAny(text, "0123456789")
	})
	parse := func(p *part, piece []byte) {
		p.config, p.columns, p.long = &t.config, t.columns, long
		p.parse(piece)
	}
	add := func(p *part, _ int64) error {
		// Of two errors the first in the text counts.
		err := t.builder.Add(&p.Batch)
		if err != nil {
			return err
		}
		if p.err != nil {
			p.err.Line += t.builder.Lines - p.AllLines
			return p.err
		}
		return nil
	}
	return text.Parse(s, piece[end:], parallel.Threads(t.config.Threads), parse, add)
}
