package data

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Limits of lines.
const (
	defaultMaxLineLength = 16 << 20
	largestLineLength    = 1 << 30
)

// A reader reads text. Its options have no defaults left.
type reader struct {
	Options
	groupFile string // where the groups were found

	maxIndex int                // largest index that a feature may have in the file
	tooLong  error              // of lines that need too much memory
	progress *parallel.Progress // nil for none
}

// newLETOR applies the defaults of options.
func newLETOR(options Options) *reader {
	o := &reader{Options: options}
	o.MaxFeature = o.maxFeature()
	o.MaxLineLength = bounded(o.MaxLineLength, defaultMaxLineLength, largestLineLength)
	o.MaxValues = max(o.MaxValues, 0)
	o.Columns = max(o.Columns, 0)
	o.settleQueries()
	o.maxIndex = o.MaxFeature
	if o.Columns > 0 {
		o.maxIndex = o.Columns - 1 + o.base()
	}
	return o
}

// namesQueries reports whether rows must name their queries.
func (o *Options) namesQueries() bool { return o.Groups == nil && !o.NoQueries }

func (o *Options) threads() int { return parallel.Threads(o.Threads) }

// base returns the index of the first feature.
func (o *reader) base() int {
	if o.ZeroBased {
		return 0
	}
	return 1
}

// indexError says why an index is larger than maxIndex.
func (o *reader) indexError() error {
	if o.Columns > 0 {
		return allowed("Columns", "feature index exceeds the requested %d columns", o.Columns)
	}
	return allowed("MaxFeature", "feature index exceeds the limit of %d", o.MaxFeature)
}

// lengthError says that a line is longer than MaxLineLength.
func (o *reader) lengthError() error {
	if o.tooLong != nil {
		return o.tooLong
	}
	return allowed("MaxLineLength", "line is longer than %d bytes", o.MaxLineLength)
}

// readWithGroups reads all of a text, again with the sizes of the queries that stand next to the
// file if its rows name no queries.
func (o *reader) readWithGroups(in *Input) (*rank.Dataset, error) {
	d, err := o.read(in.r, in.name)
	if !in.again || !errors.Is(err, errNoQids) {
		return d, err
	}
	if found, err := o.findGroups(in.name); err != nil {
		return nil, err
	} else if found {
		return files.Load(in.name, func(r io.Reader) (*rank.Dataset, error) { return o.read(r, in.name) })
	}
	return nil, err
}

// piecesWithGroups is readWithGroups in pieces.
func (o *reader) piecesWithGroups(in *Input) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		found := false
		for d, err := range o.pieces(in.r, in.name, pieceSize) {
			if in.again && errors.Is(err, errNoQids) {
				var groupErr error
				if found, groupErr = o.findGroups(in.name); found {
					break
				}
				if groupErr != nil {
					err = groupErr
				}
			}
			if !yield(d, err) {
				return
			}
		}
		if !found {
			return
		}
		f, err := os.Open(in.name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		o.pieces(f, in.name, pieceSize)(yield)
	}
}

// findGroups looks for the sizes of the queries beside a file.
func (o *reader) findGroups(path string) (found bool, err error) {
	for _, stem := range []string{path, strings.TrimSuffix(path, ".gz")} {
		for _, ext := range []string{".query", ".group"} {
			sizes, err := loadGroups(stem + ext)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return false, err
			}
			o.Groups, o.groupFile = sizes, stem+ext
			return true, nil
		}
	}
	return false, nil
}
