package rankbeam

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
)

const _ = cli.ThisModuleNeedsSimdrankV0_1_0

// Data describes input files: LETOR text, optionally compressed with gzip, or binary data files
// (.simdrank). The format is detected from the first bytes. All files together are one dataset, in
// the order of their names. All rows of a query must be in the same file.
type Data struct {
	// Glob is a file name pattern for Beam's file systems, for example dir/train-*.txt.gz or
	// gs://bucket/train-*. The program must import the file system.
	Glob string

	ZeroBased  bool     // text: feature indices start at 0, not 1
	MaxFeature int      // maximum feature index; 0 means 2²⁴
	NullAs     *float32 // text: value of NULL features; nil rejects them
}

// A file is an input file and its options. NullAs has at most one value. It is a list because gob
// decodes a pointer to 0 as nil.
type file struct {
	Path       string
	ZeroBased  bool
	MaxFeature int
	NullAs     []float32
}

func (f *file) options() data.Options {
	o := data.Options{Format: "letor", ZeroBased: f.ZeroBased, MaxFeature: f.MaxFeature}
	if len(f.NullAs) > 0 {
		o.NullAs = &f.NullAs[0]
	}
	return o
}

// files returns the files, sorted by their names.
func (d *Data) files(ctx context.Context) ([]file, error) {
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
	slices.Sort(names)
	var list []file
	for _, name := range slices.Compact(names) {
		if !remoteName(name) && files.Special(name) {
			return nil, fmt.Errorf("%s: must be a regular file, because it is read more than once", name)
		}
		f := file{Path: name, ZeroBased: d.ZeroBased, MaxFeature: d.MaxFeature}
		if d.NullAs != nil {
			f.NullAs = []float32{*d.NullAs}
		}
		list = append(list, f)
	}
	return list, nil
}

// pieceValues is the approximate number of dense features in a chunk of a data file, which have 16
// MiB. (A chunk of text has 16 MiB of text.)
var pieceValues = 4 << 20

// pieces reads an open file in chunks of whole queries. Errors name the file. Errors of the file
// system are an *ioError; all others are about the data.
func (s *source) pieces(o data.Options) iter.Seq2[*rank.Dataset, error] {
	if s.isData() {
		return s.dataPieces(o)
	}
	return func(yield func(*rank.Dataset, error) bool) {
		in, err := data.NewInput(s.content, o)
		if err != nil {
			yield(nil, s.failure(err))
			return
		}
		for p, err := range in.Pieces() {
			if err != nil {
				yield(nil, s.failure(err))
				return
			}
			if p.File = s.path; !yield(p, nil) {
				return
			}
		}
	}
}

// dataPieces is like pieces but for a data file.
func (s *source) dataPieces(o data.Options) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		d, done, err := s.dataset()
		if err != nil {
			yield(nil, err)
			return
		}
		defer done()
		if err := o.CheckColumns(d.Cols); err != nil {
			yield(nil, cli.FileError(s.path, err))
			return
		}
		if text.HasCategories(d.Categories) {
			yield(nil, cli.FileError(s.path, errors.New("text categories are not supported on a cluster")))
			return
		}
		d.File = s.path
		for lo := 0; lo < d.Queries(); {
			hi, width := lo+1, max(d.Stride, 1)
			if d.Sparse != nil {
				width = max(len(d.Sparse.Values)/max(d.Rows(), 1), 1)
			}
			for hi < d.Queries() && (d.Offsets[hi+1]-d.Offsets[lo])*width <= pieceValues {
				hi++
			}
			if !yield(queries(d, lo, hi), nil) {
				return
			}
			lo = hi
		}
	}
}

// queries returns the queries of d from lo to hi−1. They share memory with d. The number of omitted
// features is only known for all of d; it is counted in the first chunk.
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

// A source is an open file of any file system. It keeps the error that stopped a reader, which
// parsers would treat as an error of the data.
type source struct {
	ctx     context.Context
	path    string
	system  filesystem.Interface
	file    io.ReadCloser
	content *bufio.Reader // buffered, so that start can peek; nil before
	err     error         // not io.EOF
}

// open opens a file. Its errors are an *ioError.
func open(ctx context.Context, path string) (*source, error) {
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, &ioError{err}
	}
	f, err := system.OpenRead(ctx, path)
	if err != nil {
		system.Close()
		return nil, &ioError{cli.FileError(path, err)}
	}
	return &source{ctx: ctx, path: path, system: system, file: f}, nil
}

func (s *source) Read(p []byte) (n int, err error) {
	if err = s.ctx.Err(); err == nil {
		n, err = s.file.Read(p)
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// Close closes the file.
func (s *source) Close() {
	s.file.Close()
	s.system.Close()
}

// failure adds the file name to a read error. The result is an *ioError if the file system caused
// it.
func (s *source) failure(err error) error {
	if s.err != nil {
		return &ioError{cli.FileError(s.path, s.err)}
	}
	return cli.FileError(s.path, err)
}

// start returns the first n bytes of the file without consuming them. The next read returns an
// error again.
func (s *source) start(n int) []byte {
	if s.content == nil {
		s.content = bufio.NewReaderSize(s, 1<<20)
	}
	b, _ := s.content.Peek(n)
	return b
}

// isData reports whether the first bytes are the start of a data file, compressed or not.
func (s *source) isData() bool {
	const header = 1 << 16 // the maximum length of a gzip header in practice
	plain, err := files.BudgetOf(0).Uncompressed(bytes.NewReader(s.start(header)))
	if err != nil {
		return false
	}
	var magic [8]byte
	io.ReadFull(plain, magic[:])
	return datafile.IsData(magic[:])
}

// mappable returns the local file if it can be memory-mapped. It is nil if the file must be copied
// first, because it is compressed or in another file system.
func (s *source) mappable() *os.File {
	compressed := files.Compressed(s.start(files.MagicSize))
	if local, ok := s.file.(*os.File); ok && !compressed {
		return local
	}
	return nil
}

// dataset memory-maps the file, which must be a data file.
func (s *source) dataset() (d *rank.Dataset, done func(), err error) {
	local, remove := s.mappable(), func() {}
	if local == nil {
		if local, err = copyOf(s.content); err != nil {
			return nil, nil, s.failure(err)
		}
		defer local.Close()
		remove = func() { os.Remove(local.Name()) }
	}
	m, err := datafile.Open(local.Name())
	if err != nil {
		remove()
		return nil, nil, s.failure(err)
	}
	return m.Dataset, func() { m.Close(); remove() }, nil
}

// openData memory-maps a data file of any file system.
func openData(ctx context.Context, path string) (d *rank.Dataset, done func(), err error) {
	s, err := open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	return s.dataset()
}

// copyOf copies the decompressed content of r to a file that can be memory-mapped.
func copyOf(r io.Reader) (*os.File, error) {
	content, err := files.BudgetOf(0).Uncompressed(r)
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
