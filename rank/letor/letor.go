// Package letor reads and writes learning-to-rank data in the text format of LETOR and SVMlight.
package letor

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// An Option changes how Read and Load read.
type Option func(*readOptions)

// Limits of the index of a feature: see [MaxFeature].
const (
	DefaultMaxFeature = 1 << 24 // without the option
	LargestMaxFeature = 1 << 27 // that the option takes
)

// Limits of lines.
const (
	defaultMaxLineLength = 16 << 20
	largestLineLength    = 1 << 30
)

// A form is what features are kept in.
type form int

const (
	either form = iota // what they are more like
	dense
	sparse
)

type readOptions struct {
	form      form
	zeroBased bool
	gather    bool
	nonFinite bool
	null      *float32
	columns   int
	groups    []int
	groupFile string // that Load found the groups in
	noQueries bool
	noLabels  bool

	maxFeature int
	maxLine    int
	maxValues  int64
	workers    int

	maxIndex int // largest index that a feature may have in the file

	progress func(read, size int64) // nil for none

	before *before // where a piece of a text starts; nil for a whole text
}

// ZeroBased takes the index of the first feature as 0: feature j is column j. Without
// it feature j is column j-1, and an index of 0 is an error.
func ZeroBased() Option { return func(o *readOptions) { o.zeroBased = true } }

// GatherQueries accepts queries whose rows are scattered over the file. Queries then
// stand in the order of their first rows, and rows of a query in the order of the file.
// Without it they are an error.
func GatherQueries() Option { return func(o *readOptions) { o.gather = true } }

// AllowNonFinite accepts NaN, Inf and -Inf as features and labels. Without it they are
// an error. Trainers and metrics of package rank refuse them.
func AllowNonFinite() Option { return func(o *readOptions) { o.nonFinite = true } }

// NullAs reads v where a feature's value is NULL, as in LETOR's raw files. Without it
// NULL is an error.
func NullAs(v float32) Option { return func(o *readOptions) { o.null = &v } }

// Columns gives the dataset n features whatever the file holds, so that a test set matches a model.
// A feature beyond them is an error. With 0 or less the file tells how many there are.
func Columns(n int) Option { return func(o *readOptions) { o.columns = n } }

// Groups gives the number of documents of each query, in order, for a file without
// qid:…; see LoadGroups. The queries are then named "1", "2", ….
func Groups(sizes []int) Option { return func(o *readOptions) { o.groups = sizes } }

// NoQueries takes all rows for one query, named "1": for data to score, where queries do not
// matter. Rows may name qids, scattered as they like, or none, and the options Groups and
// GatherQueries have no effect.
func NoQueries() Option { return func(o *readOptions) { o.noQueries = true } }

// Unlabeled accepts rows without a label, for data to score: those whose first token holds a colon,
// as qid:… and INDEX:VALUE do and no number does. Their labels are NaN, which trainers and metrics
// of package rank refuse.
func Unlabeled() Option { return func(o *readOptions) { o.noLabels = true } }

// Dense keeps the features dense, as a matrix, and Sparse keeps them sparse, as a [rank.CSR]
// without zeros. Without either option they are sparse where [rank.PrefersSparse] says so of the
// values in the whole file that are not 0, and dense elsewhere. All uses of the features give the
// same bits either way.
func Dense() Option { return func(o *readOptions) { o.form = dense } }

// Sparse keeps the features sparse: see [Dense].
func Sparse() Option { return func(o *readOptions) { o.form = sparse } }

// MaxFeature limits the index of a feature: to [DefaultMaxFeature] by default and for 0 or less,
// and to [LargestMaxFeature] for more than that. It guards against typing errors: sparse features
// take no memory for indices that no row names, but a model does.
func MaxFeature(n int) Option { return func(o *readOptions) { o.maxFeature = n } }

// MaxLineLength limits the length of a line in bytes: to 16 MiB by default and for 0 or less, and
// to 1 GiB for more than that.
func MaxLineLength(n int) Option { return func(o *readOptions) { o.maxLine = n } }

// MaxValues limits how many values are kept, of 4 bytes each: those that rows list or, with
// [Dense], those of the matrix, Rows × Stride. By default only that matrix is limited: it may hold
// 64 values for each byte of text (of the uncompressed text), and 1<<26 in any case, so that a
// small file that names a large index cannot ask for all memory. In the form that Read chooses,
// memory is in proportion to the text. 0 or less means the default.
func MaxValues(n int64) Option { return func(o *readOptions) { o.maxValues = n } }

// Threads sets how many goroutines parse; 0 or less, as by default, means GOMAXPROCS. The dataset
// and the error do not depend on it.
func Threads(n int) Option { return func(o *readOptions) { o.workers = n } }

// Progress has do be called now and then while data are read, never by two goroutines at once: with
// the bytes of the file that have been read, and its size, 0 when that is not known.
func Progress(do func(read, size int64)) Option { return func(o *readOptions) { o.progress = do } }

// newReadOptions applies opts to the defaults.
func newReadOptions(opts []Option) *readOptions {
	o := new(readOptions)
	for _, opt := range opts {
		opt(o)
	}
	limit := func(n, preset, largest int) int {
		if n <= 0 {
			return preset
		}
		return min(n, largest)
	}
	o.maxFeature = limit(o.maxFeature, DefaultMaxFeature, LargestMaxFeature)
	o.maxLine = limit(o.maxLine, defaultMaxLineLength, largestLineLength)
	o.maxValues = max(o.maxValues, 0)
	o.columns = max(o.columns, 0)
	if o.noQueries {
		o.groups, o.gather = nil, false
	}
	o.maxIndex = o.maxFeature
	if o.columns > 0 {
		o.maxIndex = o.columns - 1 + o.base()
	}
	return o
}

// tell calls progress.
func (o *readOptions) tell(read, size int64) {
	if o.progress != nil {
		o.progress(read, size)
	}
}

// namesQueries reports whether rows must name their queries.
func (o *readOptions) namesQueries() bool { return o.groups == nil && !o.noQueries }

// base returns the index of the first feature.
func (o *readOptions) base() int {
	if o.zeroBased {
		return 0
	}
	return 1
}

func (o *readOptions) threads() int { return parallel.Threads(o.workers) }

// allowed returns an error about text that an option, here named by its function, accepts.
func allowed(option, format string, args ...any) error {
	return &rank.OptionError{Option: option, Err: fmt.Errorf(format, args...)}
}

// indexError says why an index is larger than maxIndex.
func (o *readOptions) indexError() error {
	if o.columns > 0 {
		return allowed("Columns", "feature is beyond the %d columns asked for", o.columns)
	}
	return allowed("MaxFeature", "feature index is over the limit of %d", o.maxFeature)
}

// lengthError says that a line is longer than maxLine.
func (o *readOptions) lengthError() error {
	return allowed("MaxLineLength", "line is longer than %d bytes", o.maxLine)
}

// Read reads learning-to-rank data in the text format of LETOR and SVMlight, one
// document per line:
//
//	label qid:query index:value index:value … # comment
//
// The label is any number, the query any text without blanks and '#', and its rows follow one
// another. Indices start at 1 and increase; features that a row leaves out are 0, and counted in
// Absent. Values are rounded to the nearest float32. A comment that holds "docid = id" names the
// document. Empty lines and lines of comment are skipped, lines may end with CR LF, the last one
// may lack its end, and text compressed with gzip is recognized.
//
// The first line that breaks these rules is returned as a *rank.ParseError, as is a failure
// of r. Files too large or too hostile for the memory are stopped by the limits that
// MaxFeature, MaxLineLength and MaxValues describe.
func Read(r io.Reader, opts ...Option) (*rank.Dataset, error) {
	return newReadOptions(opts).read(r, "")
}

// Load reads a file as Read does. When its rows have no qid and Groups is not
// given, the sizes of the queries come from the file that LightGBM and XGBoost keep
// beside it: path.query or path.group, or the same without path's ".gz".
func Load(path string, opts ...Option) (*rank.Dataset, error) {
	o := newReadOptions(opts)
	d, err := o.load(path)
	if !errors.Is(err, errNoQids) {
		return d, err
	}
	if found, err := o.findGroups(path); err != nil {
		return nil, err
	} else if found {
		return o.load(path)
	}
	return nil, err
}

// findGroups looks for the sizes of the queries beside a file.
func (o *readOptions) findGroups(path string) (found bool, err error) {
	for _, stem := range []string{path, strings.TrimSuffix(path, ".gz")} {
		for _, ext := range []string{".query", ".group"} {
			sizes, err := LoadGroups(stem + ext)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return false, err
			}
			o.groups, o.groupFile = sizes, stem+ext
			return true, nil
		}
	}
	return false, nil
}

func (o *readOptions) load(path string) (*rank.Dataset, error) {
	return files.Load(path, func(r io.Reader) (*rank.Dataset, error) { return o.read(r, path) })
}
