package data

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// These are limits of line lengths, in bytes.
const (
	defaultMaxLineLength = 16 << 20
	largestLineLength    = 1 << 30
)

// A reader reads data with the given options. Defaults are filled in.
type reader struct {
	Options
	groupFile string // file from which the groups were read

	maxIndex int                // the largest valid feature index
	tooLong  error              // error for lines that need too much memory
	progress *parallel.Progress // nil if progress is not reported
}

// newLETOR returns a reader with the given options, and fills in their defaults.
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

// namesQueries reports whether every row must contain the ID of its query.
func (o *Options) namesQueries() bool { return o.Groups == nil && !o.NoQueries }

func (o *Options) threads() int { return parallel.Threads(o.Threads) }

// base returns the index of the first feature in the text: 0 or 1.
func (o *reader) base() int {
	if o.ZeroBased {
		return 0
	}
	return 1
}

// indexError returns the error for an index above maxIndex.
func (o *reader) indexError() error {
	if o.Columns > 0 {
		return allowed("Columns", "the feature index exceeds the requested %d columns", o.Columns)
	}
	return allowed("MaxFeature", "the feature index exceeds the limit of %d", o.MaxFeature)
}

// lengthError returns the error for a line longer than MaxLineLength.
func (o *reader) lengthError() error {
	if o.tooLong != nil {
		return o.tooLong
	}
	return allowed("MaxLineLength", "the line is longer than %d bytes", o.MaxLineLength)
}

// readWithGroups reads a whole text. If the rows do not contain query IDs, it searches for a file
// with query sizes next to the text, and reads the text again with these sizes.
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

// piecesWithGroups is like readWithGroups, but yields chunks.
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

// findGroups searches for a file with query sizes next to the given file, and reads the sizes.
func (o *reader) findGroups(path string) (found bool, err error) {
	for _, stem := range []string{path, files.Stem(path)} {
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
