// Package data reads learning-to-rank data from files: the text of LETOR and SVMlight, tables such
// as CSV, and data files of this module, compressed with gzip or not. It describes what they hold,
// normalizes features, and writes LETOR's text.
//
// [errors.As] and [errors.Is] find these errors of readers:
//
//   - [*rank.ParseError]: a line is wrong; it has the file, the line, the column and the text
//   - [*rank.OptionError]: an option of [Options] would accept the input; it has the option's name
//   - [fs.ErrNotExist] and the like: a file cannot be opened
//   - [io.ErrUnexpectedEOF]: compressed data end early
package data

import (
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// Formats of data: the first five are words of [Options.Format].
const (
	formatAuto     = "auto"
	formatLETOR    = "letor"
	formatCSV      = "csv"
	formatTSV      = "tsv"
	formatParquet  = "parquet"
	formatDataFile = "simdrank"
)

var formats = []string{formatAuto, formatLETOR, formatCSV, formatTSV, formatParquet}

// OptionWords returns the words that an option accepts, the default first. The kind is format, of
// [Options], or normalization, of [Normalize], which has no default.
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"format": formats, "normalization": normalizations}[kind])
}

// FormatOf returns the format of a file by its name, which may end in .gz: csv of .csv, tsv of .tsv
// and .tab, parquet of .parquet, and letor of any other.
func FormatOf(name string) string {
	switch filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")) {
	case ".csv":
		return formatCSV
	case ".tsv", ".tab":
		return formatTSV
	case ".parquet":
		return formatParquet
	}
	return formatLETOR
}

// Options say how data are read. The zero value reads what [Load] describes.
type Options struct {
	rank.ReadOptions

	// Format is the format of the data:
	//
	//	auto     what [FormatOf] says of the name. The default ("").
	//	letor    the text of LETOR and SVMlight, or a binary data file of package datafile, which
	//	         its first bytes tell
	//	csv      a table, as [Load] describes it
	//	tsv      a table with tabs between its cells
	//	parquet  a table that the module github.com/simdrank/simdrank/parquet reads
	Format string

	// Unlabeled accepts data without labels, for data to score. Labels that are missing are NaN,
	// which trainers and metrics of package rank refuse. A row of LETOR text has no label if its
	// first token holds a colon, as qid:… and INDEX:VALUE do.
	Unlabeled bool
	// NoQueries treats all rows as one query, named "1": for data to score, where queries do not
	// matter. Rows may name queries, scattered as they like, or none. Groups and GatherQueries have
	// no effect then.
	NoQueries bool
	// GatherQueries accepts queries whose rows are scattered over the file. Queries are then sorted
	// by their first rows, and the rows of a query keep their order.
	GatherQueries bool
	// Groups are the numbers of documents of each query, in order, for data that do not name their
	// queries; see [ReadGroups]. The queries are then named "1", "2", ….
	Groups []int

	// Threads is the number of goroutines that parse; 0 or less means GOMAXPROCS. Results and
	// errors do not depend on it.
	Threads int
	// Progress reports how many bytes of text or of a Parquet file have been read, and the file's
	// size, which is 0 if it is not known; see the comment of package rank.
	Progress func(done, total int64)

	// ZeroBased is for LETOR text whose first feature has the index 0: feature j is column j.
	// Without it feature j is column j-1, and an index of 0 is an error.
	ZeroBased bool
	// AllowNonFinite accepts NaN, Inf and -Inf as features and labels of LETOR text.
	AllowNonFinite bool
	// NullAs is the value of features of LETOR text that are NULL, as in LETOR's raw files. Without
	// it, NULL is an error.
	NullAs *float32
	// Columns is the number of features of LETOR text, so that a test set matches a model. A
	// feature beyond them is an error, and so are more than 2²⁷. With 0 or less the text determines
	// how many there are.
	Columns int
	// MaxFeature is the largest index of a feature of LETOR text, or number of features of a data
	// file. It is 2²⁴ if it is 0 or less, and at most 2²⁷. It guards against typing errors:
	// sparse features take no memory for indices that no row names, but a model does.
	MaxFeature int
	// MaxLineLength is the largest length of a line of LETOR text in bytes: 16 MiB if it is 0 or
	// less, and at most 1 GiB.
	MaxLineLength int
	// MaxValues is the largest number of values that the rows of LETOR text may list, of 4 bytes
	// each. 0 or less means no limit: memory is in proportion to the text.
	MaxValues int64

	// The names of the columns of a table that are not features. An empty name means label, qid,
	// weight, position or doc, in upper or lower case, if the table has such a column. "-" means
	// that the table does not have one, and a column with the usual name is then a feature.
	Label, Query, Weight, Position, Doc string
	// Ignore names columns of a table that are skipped, whatever they hold.
	Ignore []string
	// Features names columns of a table that are features although they have the usual name of
	// another column. Pass the feature names of a model that is to score the table: see
	// TableFeatures of package model.
	Features []string
	// DefaultRole, if it is not nil, is called for each column of a table that is not a feature
	// only because of its name: role is label, qid, weight, position or doc.
	DefaultRole func(role, column string)
	// Delimiter separates the cells of a CSV table: a comma by default. It must not be a letter,
	// digit, sign, point or quote.
	Delimiter byte
	// Decimal is the decimal mark of numbers of a CSV table: a point, which is the default, or a
	// comma.
	Decimal byte
	// Missing are the texts of cells of a CSV table without a value, such as NA, in addition to the
	// empty cell and NaN. They are compared with the content of a cell without quotes and blanks
	// around it.
	Missing []string
}

// CheckColumns returns a *rank.OptionError if a data file has more features than MaxFeature.
func (o *Options) CheckColumns(cols int) error {
	limit := o.maxFeature()
	if cols <= limit {
		return nil
	}
	return allowed("MaxFeature", "%d features are over the limit of %d", cols, limit)
}

func (o *Options) maxFeature() int {
	return bounded(o.MaxFeature, modelfile.MaxFeatures, modelfile.LargestMaxFeature)
}

// settleQueries drops the options that have no effect with NoQueries.
func (o *Options) settleQueries() {
	if o.NoQueries {
		o.Groups, o.GatherQueries = nil, false
	}
}

// bounded returns the value of an option that is at most largest, and preset if it is 0 or less.
func bounded(n, preset, largest int) int {
	if n <= 0 {
		return preset
	}
	return min(n, largest)
}

// allowed returns an error about data that an option accepts.
func allowed(option, format string, args ...any) error {
	return &rank.OptionError{Option: option, Err: fmt.Errorf(format, args...)}
}

// Load reads a file; "-" is standard input. Content that is compressed with gzip is recognized.
//
// LETOR's text has one document per line:
//
//	label qid:query index:value index:value … # comment
//
// The label is any number, the query any text without blanks and '#', and its rows follow one
// another. Indices start at 1 and increase; features that a row omits are 0, and counted in Absent.
// Values are rounded to the nearest float32. A comment that holds "docid = id" names the document.
// Empty lines and lines of comment are skipped, lines may end with CR LF, and the last one may lack
// its end. If the rows have no qid and Groups is nil, the sizes of the queries come from the file
// that LightGBM and XGBoost keep next to it: path.query or path.group, or the same without path's
// ".gz".
//
// A table has a header, and one document per row:
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
// A feature of a table is a decimal number, rounded to the nearest float32. True and False, also in
// upper or lower case, are 1 and 0. An empty cell, NaN, or a text of Options.Missing, is a missing
// value: NaN, which boosted trees accept and RankSVM refuses. Other text is an error: categories
// must be numbers. Cells may be quoted as RFC 4180 says, and hold delimiters, newlines and doubled
// quotes then. Empty lines are skipped, and lines may end with CR LF. A column without a name,
// called "Unnamed: 0" if it is the first one as pandas calls it, is an error, unless it is among
// Options.Ignore or Options.Features: pandas and R write row numbers so.
//
// The features of text are sparse if its values that are not 0, plus 8 for each row, are at most a
// tenth of all features, and dense otherwise. All uses give the same bits either way. A data file
// is mapped into memory if it is a file of its own and not compressed (see [datafile.Open], which
// can unmap it, too), and read otherwise.
//
// The first line or cell of text that breaks these rules is returned as a *rank.ParseError with
// line and column in bytes, as is a failure to read. If an option would accept the data, the error
// wraps a *rank.OptionError that names it.
func Load(path string, o Options) (*rank.Dataset, error) {
	in, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.Read()
}

// Read reads data as [Load] does.
func Read(r io.Reader, o Options) (*rank.Dataset, error) {
	in, err := NewInput(r, o)
	if err != nil {
		return nil, err
	}
	return in.Read()
}

// An Input is data that are about to be read, by either Read or Pieces.
type Input struct {
	// Format is the format of the data: letor, csv, tsv, or simdrank, which is a data file.
	Format string

	name    string // for errors; "" if it has none
	r       io.Reader
	file    *os.File // that Open has opened
	again   bool     // whether the file can be opened and read again
	gzip    bool     // whether it is compressed; known of a data file
	options Options
}

// Open opens a file for [Load].
func Open(path string, o Options) (*Input, error) {
	var err error
	if o.Format, err = text.Choose("data", "format", formats, o.Format); err != nil {
		return nil, err
	}
	if o.Format == formatAuto {
		o.Format = FormatOf(path)
	}
	if path == "-" {
		return NewInput(os.Stdin, o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, err := NewInput(f, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	in.name, in.file, in.again = path, f, files.Size(f) > 0
	return in, nil
}

// NewInput is [Open] of what r reads. Errors of r are those of reading.
func NewInput(r io.Reader, o Options) (*Input, error) {
	var err error
	if o.Format, err = text.Choose("data", "format", formats, o.Format); err != nil {
		return nil, err
	}
	if o.Columns > modelfile.LargestMaxFeature {
		return nil, errs.Errorf("data", "%d columns are more than %d", o.Columns, modelfile.LargestMaxFeature)
	}
	in := &Input{Format: o.Format, r: r, options: o}
	switch o.Format {
	case formatAuto, formatLETOR:
		in.Format = formatLETOR
		in.peek()
	case formatParquet:
		return nil, errs.New("data", "Parquet is read by the module github.com/simdrank/simdrank/parquet")
	}
	return in, nil
}

// peek finds out by the first bytes whether text is a data file.
func (in *Input) peek() {
	p := &peeker{r: in.r, size: files.Size(in.r)}
	var start [8]byte
	if content, err := files.Uncompressed(p); err == nil { // errors come again
		io.ReadFull(content, start[:])
	}
	p.replay, in.r = true, p
	in.gzip = files.Gzipped(p.read)
	if datafile.IsData(start[:]) {
		in.Format = formatDataFile
	}
}

// A peeker keeps what is read of r, and the error, until it is to replay them.
type peeker struct {
	r      io.Reader
	read   []byte
	err    error
	replay bool
	size   int64
}

// Len returns the size of what r reads, as files do.
func (p *peeker) Len() int { return int(min(p.size, math.MaxInt)) }

func (p *peeker) Read(b []byte) (n int, err error) {
	switch {
	case !p.replay:
		n, err = p.r.Read(b)
		p.read, p.err = append(p.read, b[:n]...), err
	case len(p.read) > 0:
		n = copy(b, p.read)
		p.read = p.read[n:]
	case p.err != nil:
		err, p.err = p.err, nil
	default:
		n, err = p.r.Read(b)
	}
	return n, err
}

// Close closes the file that [Open] has opened.
func (in *Input) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

// Read reads all data.
func (in *Input) Read() (*rank.Dataset, error) {
	switch in.Format {
	case formatCSV, formatTSV:
		return readTable(in.r, in.name, in.options)
	case formatDataFile:
		return in.readDataFile()
	}
	return in.letor().readWithGroups(in)
}

// letor returns the reader of LETOR text.
func (in *Input) letor() *reader {
	o := newLETOR(in.options)
	o.progress = parallel.NewProgress(o.Progress, files.Size(in.r))
	return o
}

func (in *Input) readDataFile() (d *rank.Dataset, err error) {
	if in.again && !in.gzip {
		f, err := datafile.Open(in.name)
		if err != nil {
			return nil, err
		}
		d = f.Dataset
	} else if d, err = datafile.Read(in.r, in.options.ReadOptions); err != nil {
		return nil, err
	}
	if err := in.options.CheckColumns(d.Cols); err != nil {
		return nil, err
	}
	return d, nil
}

// Pieces reads LETOR text some whole queries at a time, for text that is larger than RAM; other
// data are one piece. Each dataset has the columns of its widest row, and knows the lines of its
// rows in the text. The first error ends it. In addition to a piece, memory holds the ids of all
// queries.
//
// With NoQueries a piece ends after any row, and is one query. GatherQueries makes one piece of
// all.
func (in *Input) Pieces() iter.Seq2[*rank.Dataset, error] {
	if in.Format != formatLETOR {
		return func(yield func(*rank.Dataset, error) bool) { yield(in.Read()) }
	}
	return in.letor().piecesWithGroups(in)
}
