package rankbeam

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
)

const _ = cli.ThisModuleNeedsSimdrankV0_1_0

// Data are the files that a pass reads: LETOR text, compressed with gzip or not, or binary data
// files (.simdrank), as their first bytes tell. Together they are one dataset, in the order of
// their names. The rows of a query stand in one file.
type Data struct {
	// Glob is a pattern of file names, as the file systems of Beam take it: dir/train-*.txt.gz,
	// gs://bucket/train-*. The file systems that the program imports can be read.
	Glob string

	ZeroBased  bool     // text: the first feature has the index 0, not 1
	MaxFeature int      // the largest index to accept; 0 means 2²⁴
	NullAs     *float32 // text: value of a feature that is NULL; nil makes it an error

	unlabeled bool // text: rows need no label
}

// sentData are Data for workers: gob decodes a pointer to 0 as nil.
type sentData struct {
	Data Data
	Null []float32
}

// sent returns d for workers.
func (d Data) sent() sentData {
	s := sentData{Data: d}
	if d.NullAs != nil {
		s.Data.NullAs, s.Null = nil, []float32{*d.NullAs}
	}
	return s
}

// data returns the Data that was sent.
func (s sentData) data() Data {
	d := s.Data
	if len(s.Null) > 0 {
		d.NullAs = &s.Null[0]
	}
	return d
}

// files returns the files, sorted by their names.
func (d *Data) files(ctx context.Context) ([]string, error) {
	system, err := filesystem.New(ctx, d.Glob)
	if err != nil {
		return nil, err
	}
	defer system.Close()
	names, err := system.List(ctx, d.Glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Glob, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no such file", d.Glob)
	}
	for _, name := range names {
		if !strings.Contains(name, "://") && files.Special(name) {
			return nil, fmt.Errorf("%s: is not a regular file, and files are read more than once", name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// pieceValues is about how many dense features a piece of a data file holds: 16 MiB of them. (A
// piece of text has 16 MiB of text.)
var pieceValues = 4 << 20

// pieces reads a file some whole queries at a time. To score, rows need no labels and no queries.
// Errors name the file. Those of the file system are an *ioError, the others are about the data.
func (d *Data) pieces(ctx context.Context, path string, toScore bool) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		stopped := false
		err := d.read(ctx, path, toScore, func(p *rank.Dataset) bool {
			stopped = !yield(p, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// read is pieces with a function to call; it ends early where that says no.
func (d *Data) read(ctx context.Context, path string, toScore bool, do func(*rank.Dataset) bool) error {
	f, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := data.NewInput(bufio.NewReaderSize(f, 1<<20), d.options(toScore))
	if err != nil {
		return f.failure(err)
	}
	if in.Format == data.DataFile {
		return d.readFile(ctx, path, do)
	}
	for p, err := range in.Pieces() {
		if err != nil {
			return f.failure(err)
		}
		if p.File = path; !do(p) {
			return nil
		}
	}
	return nil
}

func (d *Data) options(toScore bool) data.Options {
	return data.Options{Format: data.LETOR, MaxFeature: d.MaxFeature, ZeroBased: d.ZeroBased, NullAs: d.NullAs,
		NoQueries: toScore, Unlabeled: toScore || d.unlabeled}
}

// openData maps a data file of any file system. A file that is compressed or not on this machine is
// copied first.
func openData(ctx context.Context, path string) (d *rank.Dataset, done func(), err error) {
	f, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	content := bufio.NewReaderSize(f, 1<<20)
	start, _ := content.Peek(2) // an error comes again
	local, ok := f.file.(*os.File)
	remove := func() {}
	if !ok || files.Gzipped(start) {
		if local, err = copyOf(content); err != nil {
			return nil, nil, f.failure(err)
		}
		defer local.Close()
		remove = func() { os.Remove(local.Name()) }
	}
	m, err := datafile.Open(local.Name())
	if err != nil {
		remove()
		return nil, nil, f.failure(err)
	}
	return m.Dataset, func() { m.Close(); remove() }, nil
}

// copyOf puts what r holds, decompressed, into a file that can be mapped into memory.
func copyOf(r io.Reader) (*os.File, error) {
	content, err := files.Uncompressed(r)
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "simdrank-*.simdrank")
	if err != nil {
		return nil, &ioError{err}
	}
	if _, err = io.Copy(f, content); err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, err
	}
	return f, nil
}

// readFile reads a data file in pieces.
func (d *Data) readFile(ctx context.Context, path string, do func(*rank.Dataset) bool) error {
	f, done, err := openData(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	o := d.options(false)
	if err := o.CheckColumns(f.Cols); err != nil {
		return cli.FileError(path, err)
	}
	f.File = path
	for lo := 0; lo < f.Queries(); {
		hi, width := lo+1, max(f.Stride, 1)
		if f.Sparse != nil {
			width = max(len(f.Sparse.Values)/max(f.Rows(), 1), 1)
		}
		for hi < f.Queries() && (f.Offsets[hi+1]-f.Offsets[lo])*width <= pieceValues {
			hi++
		}
		if !do(queries(f, lo, hi)) {
			return nil
		}
		lo = hi
	}
	return nil
}

// queries returns the queries of d from lo to hi−1, which share memory with d. What rows leave out
// is known of all of d alone: it is counted in the first piece.
func queries(d *rank.Dataset, lo, hi int) *rank.Dataset {
	a, b := d.Offsets[lo], d.Offsets[hi]
	p := d.FeatureRows(a, b)
	p.Names, p.Labels, p.DocIDs = d.Names, cut(d.Labels, a, b), cut(d.DocIDs, a, b)
	p.QueryIDs, p.QueryWeights = cut(d.QueryIDs, lo, hi), cut(d.QueryWeights, lo, hi)
	p.Weights, p.Positions = cut(d.Weights, a, b), cut(d.Positions, a, b)
	for _, o := range d.Offsets[lo : hi+1] {
		p.Offsets = append(p.Offsets, o-a)
	}
	p.File = d.File
	p.SetLine(0, d.Line(a))
	if lo == 0 {
		p.Absent = d.Absent
	}
	return p
}

// cut returns s[lo:hi], nil of nil.
func cut[T any](s []T, lo, hi int) []T {
	if s == nil {
		return nil
	}
	return s[lo:hi]
}

// An ioError is a failure of a file system, after which another attempt may succeed.
type ioError struct{ err error }

func (e *ioError) Error() string { return e.err.Error() }
func (e *ioError) Unwrap() error { return e.err }

// A watched file remembers what stopped a reader, which parsers take for an error of the data.
type watched struct {
	ctx    context.Context
	path   string
	system filesystem.Interface
	file   io.ReadCloser
	err    error // not io.EOF
}

// open opens a file of any file system. Its errors are an *ioError.
func open(ctx context.Context, path string) (*watched, error) {
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, &ioError{err}
	}
	f, err := system.OpenRead(ctx, path)
	if err != nil {
		system.Close()
		return nil, &ioError{cli.FileError(path, err)}
	}
	return &watched{ctx: ctx, path: path, system: system, file: f}, nil
}

func (w *watched) Read(p []byte) (n int, err error) {
	if err = w.ctx.Err(); err == nil {
		n, err = w.file.Read(p)
	}
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// Close closes the file.
func (w *watched) Close() {
	w.file.Close()
	w.system.Close()
}

// failure completes an error of reading the file. It is an *ioError if the file system caused it.
func (w *watched) failure(err error) error {
	if w.err != nil {
		return &ioError{cli.FileError(w.path, w.err)}
	}
	return cli.FileError(w.path, err)
}
