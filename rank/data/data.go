// Package data reads learning-to-rank data from files. It supports LETOR and SVMlight text, tables
// such as CSV, and this module's data files, each optionally compressed with gzip. It also
// describes datasets, normalizes features, and writes LETOR text.
//
// Use [errors.As] and [errors.Is] to detect these errors of readers:
//
//   - [*rank.ParseError]: a line is invalid; the error contains the file, line, column and text
//   - [*rank.OptionError]: an option of [Options] would accept the input; the error contains its
//     name
//   - [fs.ErrNotExist] and similar errors: a file cannot be opened
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

// These are the data formats. The first five are values of [Options.Format].
const (
	formatAuto     = "auto"
	formatLETOR    = "letor"
	formatCSV      = "csv"
	formatTSV      = "tsv"
	formatParquet  = "parquet"
	formatDataFile = "simdrank"
)

var formats = []string{formatAuto, formatLETOR, formatCSV, formatTSV, formatParquet}

// OptionWords returns the accepted values of an option, with the default first. Valid kinds are
// "format", for [Options], and "normalization", for [Normalize]. Normalizations have no default.
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"format": formats, "normalization": normalizations}[kind])
}

// FormatOf returns the format that a file's extension implies, after removing .gz or .zst. It
// returns csv for .csv, tsv for .tsv and .tab, parquet for .parquet, and letor for any other
// extension.
func FormatOf(name string) string {
	switch filepath.Ext(files.Stem(strings.ToLower(name))) {
	case ".csv":
		return formatCSV
	case ".tsv", ".tab":
		return formatTSV
	case ".parquet":
		return formatParquet
	}
	return formatLETOR
}

// Options configure how data are read. [Load] describes the behavior with the zero value.
type Options struct {
	rank.ReadOptions

	// Format is the format of the data:
	//
	//	auto     The format that [FormatOf] returns for the file name. The default ("").
	//	letor    LETOR and SVMlight text, or a binary data file of package datafile, which is
	//	         recognized by its first bytes.
	//	csv      A table as described in [Load].
	//	tsv      A table whose cells are separated by tabs.
	//	parquet  A table that the module github.com/simdrank/simdrank/parquet reads.
	Format string

	// Unlabeled accepts data without labels, for scoring. Missing labels are NaN, which the
	// trainers and metrics of package rank reject. A row of LETOR text has no label if its first
	// token contains a colon, as qid:… and INDEX:VALUE do.
	Unlabeled bool
	// NoQueries treats all rows as one query, named "1". Use it for scoring, when queries do not
	// matter. Rows may name queries in any order, or none. Groups and GatherQueries are then
	// ignored.
	NoQueries bool
	// GatherQueries accepts queries whose rows are not adjacent in the file. Queries are then
	// sorted by their first row, and the rows of a query keep their order.
	GatherQueries bool
	// Groups holds the number of documents of each query, in order, for data without query IDs; see
	// [ReadGroups]. The queries are then named "1", "2", ….
	Groups []int

	// Threads is the number of goroutines that parse. If it is 0 or less, GOMAXPROCS is used.
	// Results and errors do not depend on it.
	Threads int
	// Progress is called with the number of bytes read from text or a Parquet file, and with the
	// file size. An unknown size is 0. See the comment of package rank.
	Progress func(done, total int64)

	// ZeroBased reads LETOR text whose first feature has the index 0, so that feature j is column
	// j. By default feature j is column j-1, and an index of 0 is an error.
	ZeroBased bool
	// AllowNonFinite accepts NaN, Inf and -Inf as features and labels of LETOR text.
	AllowNonFinite bool
	// NullAs is the value for features that are NULL, as in LETOR's raw files. If it is nil, NULL
	// is an error.
	NullAs *float32
	// Columns is the number of features of LETOR text. Use it to read a test set with the same
	// columns as a model. A feature index beyond Columns is an error, and so are more than 2²⁷
	// columns. If Columns is 0 or less, the text determines the number of features.
	Columns int
	// MaxFeature is the largest accepted feature index of LETOR text, or the largest accepted
	// number of features of a data file. If it is 0 or less, the limit is 2²⁴; the largest value is
	// 2²⁷. The limit guards against typing errors. Sparse features need no memory for unused
	// indices, but a model does.
	MaxFeature int
	// MaxLineLength is the maximum line length of LETOR text in bytes. If it is 0 or less, the
	// limit is 16 MiB; the largest value is 1 GiB.
	MaxLineLength int
	// MaxValues is the maximum number of feature values in LETOR text. Each value uses 4 bytes. If
	// it is 0 or less, there is no limit, and memory grows in proportion to the text.
	MaxValues int64

	// Label, Query, Weight, Position and Doc name the columns of a table that are not features. An
	// empty name means label, qid, weight, position or doc, in upper or lower case, if the table
	// has such a column. "-" means that the table has no such column, and a column with the usual
	// name is then a feature.
	Label, Query, Weight, Position, Doc string
	// Ignore names columns of a table to skip, regardless of their content.
	Ignore []string
	// TextColumns names columns of a table that contain categories as text, such as color. They are
	// features; see [Load]. It is an error if the table has no such column, unless Features
	// contains its name too.
	TextColumns []string
	// Features names columns of a table that are features although their names usually mean another
	// role, for example label. When a model scores the table, pass its feature names; see
	// TableFeatures of package model.
	Features []string
	// Header, if not nil, is called with the names of a table's columns before they get roles. It
	// may set the fields above, for example if columns are known only by their numbers.
	Header func(names []string, o *Options) error
	// DefaultRole, if not nil, is called for each table column that has a role other than feature
	// only because of its name. The role is label, qid, weight, position or doc.
	DefaultRole func(role, column string)
	// Delimiter separates the cells of a CSV table. The default is a comma. It must not be a
	// letter, digit, sign, point or quote.
	Delimiter byte
	// Decimal is the decimal mark of numbers in a CSV table: a point, which is the default, or a
	// comma.
	Decimal byte
	// Missing lists additional cell texts of a CSV table to treat as missing, for example "?" or
	// -999. They are compared with the cell's content without quotes and surrounding blanks. They
	// also apply to query and document IDs. Parquet files do not support this option.
	Missing []string
}

// CheckColumns returns a *rank.OptionError if a data file has more than MaxFeature features.
func (o *Options) CheckColumns(cols int) error {
	limit := o.maxFeature()
	if cols <= limit {
		return nil
	}
	return allowed("MaxFeature", "%d features exceed the limit of %d", cols, limit)
}

func (o *Options) maxFeature() int {
	return bounded(o.MaxFeature, modelfile.MaxFeatures, modelfile.LargestMaxFeature)
}

// settleQueries drops the options that NoQueries makes irrelevant.
func (o *Options) settleQueries() {
	if o.NoQueries {
		o.Groups, o.GatherQueries = nil, false
	}
}

// bounded returns the value of an option, but at most largest. It returns preset if the value is
// not positive.
func bounded(n, preset, largest int) int {
	if n <= 0 {
		return preset
	}
	return min(n, largest)
}

// allowed returns an error about input that the given option would accept.
func allowed(option, format string, args ...any) error {
	return &rank.OptionError{Option: option, Err: fmt.Errorf(format, args...)}
}

// Load reads data from a file. The path "-" means standard input. Gzip compression is detected
// automatically, and zstd if Options.Zstd is set.
//
// LETOR text has one document per line:
//
//	label qid:query index:value index:value … # comment
//
// The label is a number, and the query is any text without blanks or '#'. The rows of a query must
// be adjacent. Indices start at 1 and must increase. Features that a row omits are 0 and are
// counted in Absent. Values are rounded to the nearest float32. A comment that contains
// "docid = id" names the document. Empty lines and comment lines are skipped. Lines may end with CR
// LF, and the last line may lack a line ending.
//
// If the rows have no qid and Groups is nil, Load reads the query sizes from a file next to the
// data. As in LightGBM and XGBoost, this file is path.query or path.group. If path ends in .gz or
// .zst, Load also tries the names without this extension.
//
// A table has a header, and one document per row:
//
//	label,qid,bm25,pagerank,doc
//	2,q1,11.5,0.25,D7
//	0,q1,3.25,,D12
//
// The first record names the columns. The columns label, qid, weight, position and doc contain the
// relevance label, the query ID, the row weight, the position at which the document was shown, and
// the document ID. All other columns are features. They keep their order, and the dataset uses
// their names. No name is reserved: with [Options] you can choose other columns or none, and skip
// columns. Labels and weights are numbers. Positions are whole numbers from 1. Query and document
// IDs can be any text. The rows of a query must be adjacent. Names must be UTF-8. Spaces and tabs
// around names are dropped, and other blanks are kept.
//
// A table feature is a decimal number, rounded to the nearest float32. True, TRUE, true and t are
// 1; False, FALSE, false and f are 0. A missing value is an empty cell, NaN, a text in
// Options.Missing, or one of the texts that pandas treats as missing:
//
//	NA  N/A  n/a  <NA>  #NA  #N/A  #N/A N/A  NULL  null  None  1.#IND  -1.#IND  1.#QNAN  -1.#QNAN
//
// The text \N, which databases write, is missing, too. In query and document IDs, these texts keep
// their literal meaning. A missing value is stored as NaN, which tree models accept and RankSVM
// rejects. Other text is an error, except in the columns that Options.TextColumns names. Their
// cells are text categories, even if they look like numbers. Each different text of a column gets a
// number from 0, in the order of the rows, and Categories of the dataset contains the texts.
// Missing values are as in other columns. A column has at most 2²⁴−1 different texts, which must be
// UTF-8.
//
// Cells may be quoted as in RFC 4180, and may then contain delimiters, newlines and doubled quotes.
// Empty lines are skipped, and lines may end with CR LF. A line such as "sep=;" before the header,
// as for Excel, sets the delimiter unless Options.Delimiter does.
//
// A column without a name is an error because pandas and R write row numbers in such a column. To
// accept it, list it in Options.Ignore or Options.Features. Refer to it as "Unnamed: 0" if it is
// the first column, as in pandas.
//
// Features read from LETOR text or a table are stored as sparse if the number of nonzero values
// plus 8 per row is at most a tenth of all values. Otherwise they are dense. Results are
// bit-identical either way. A data file is memory-mapped if it is a regular file and
// not compressed; otherwise it is read. To be able to unmap it, use [datafile.Open].
//
// If a line or cell breaks these rules, Load returns a *rank.ParseError for the first error, with
// its line and its column in bytes. Read failures are also returned as *rank.ParseError. If an
// option would accept the data, the error wraps a *rank.OptionError that names it.
func Load(path string, o Options) (*rank.Dataset, error) {
	in, err := Open(path, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.Read()
}

// Read is like [Load] but reads from r.
func Read(r io.Reader, o Options) (*rank.Dataset, error) {
	in, err := NewInput(r, o)
	if err != nil {
		return nil, err
	}
	return in.Read()
}

// An Input is an opened data source. Call either Read or Pieces to read it.
type Input struct {
	// Format is the format of the data: letor, csv, tsv, or simdrank for a data file.
	Format string

	name       string // file name in errors; "" if there is none
	r          io.Reader
	file       *os.File // file that Open opened
	again      bool     // whether the file can be read again
	compressed bool     // whether the content is compressed; set only if the format is a data file
	options    Options
}

// Open opens a file like [Load] but does not read it.
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

// NewInput is like [Open] but for a reader. Errors of r are returned as read errors.
func NewInput(r io.Reader, o Options) (*Input, error) {
	var err error
	if o.Format, err = text.Choose("data", "format", formats, o.Format); err != nil {
		return nil, err
	}
	if o.Columns > modelfile.LargestMaxFeature {
		return nil, errs.Errorf("data", "%d columns exceed the limit of %d", o.Columns, modelfile.LargestMaxFeature)
	}
	in := &Input{Format: o.Format, r: r, options: o}
	switch o.Format {
	case formatAuto, formatLETOR:
		in.Format = formatLETOR
		in.peek()
	case formatParquet:
		return nil, errs.New("data", "Parquet files require the module github.com/simdrank/simdrank/parquet")
	}
	return in, nil
}

// peek detects from the first bytes whether the input is a data file.
func (in *Input) peek() {
	p := &peeker{r: in.r, size: files.Size(in.r)}
	var start [8]byte
	content, err := files.BudgetOf(0, in.options.ReadOptions).Uncompressed(p)
	if err == nil { // reading the content later returns the same error
		io.ReadFull(content, start[:])
	}
	p.replay, in.r = true, p
	in.compressed = files.Compressed(p.read)
	if datafile.IsData(start[:]) {
		in.Format = formatDataFile
	}
}

// A peeker records the content that is read from r, including the error. When replay is set, it
// returns the recorded content again before it continues to read from r.
type peeker struct {
	r      io.Reader
	read   []byte
	err    error
	replay bool
	size   int64
}

// Len returns the size of the content of r, so that files.Size works on a peeker.
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

// Close closes the file that [Open] opened.
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

// letor returns a reader of LETOR text for the input.
func (in *Input) letor() *reader {
	o := newLETOR(in.options)
	o.progress = parallel.NewProgress(o.Progress, files.Size(in.r))
	return o
}

func (in *Input) readDataFile() (d *rank.Dataset, err error) {
	if in.again && !in.compressed {
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

// Pieces streams LETOR text in chunks of whole queries, for text that is larger than RAM. Other
// data are returned as one chunk. The widest row of each dataset determines its number of columns.
// Rows keep their line numbers in the text. The iteration ends after the first error. In addition
// to one chunk, the IDs of all queries are kept in memory.
//
// With NoQueries, a chunk may end after any row, and its rows form a single query. With
// GatherQueries there is only one chunk.
func (in *Input) Pieces() iter.Seq2[*rank.Dataset, error] {
	if in.Format != formatLETOR {
		return func(yield func(*rank.Dataset, error) bool) { yield(in.Read()) }
	}
	return in.letor().piecesWithGroups(in)
}
