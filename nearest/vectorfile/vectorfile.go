// Package vectorfile reads the files that vectors come in: NumPy's .npy, and .fvecs, .bvecs and
// .ivecs, those of the TEXMEX collections such as SIFT1M. Large files are mapped into memory, for
// package nearest to search in place:
//
//	f, err := vectorfile.Open("base.fvecs")
//	vectors, ok := f.Data.([]float32)
//	index, err := nearest.New[float32](vectors, f.Rows, f.Cols, f.Stride, "l2")
package vectorfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/vectors"
)

// A File is a matrix of vectors, its rows, in a file.
type File struct {
	// Data holds the elements, of which those of row i start at i·Stride. It is a []float64,
	// []float32, []vectors.F16, []int8, []uint8, []int32, []int64 or []uint64, and must not be
	// written to.
	Data any

	Rows, Cols, Stride int

	file *memory.File // nil when it was read
}

// Type returns the name of the elements' type: "float32", or "float16" for vectors.F16.
func (f *File) Type() string {
	if _, ok := f.Data.([]vectors.F16); ok {
		return "float16"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", f.Data), "[]")
}

// Open maps a file into memory, where the operating system can, and else reads it, as it does with
// one that is compressed by gzip. An .npy file is known by its first bytes, others by their names:
// .fvecs holds float32, .bvecs uint8 and .ivecs int32, the number of a row's elements before each
// row. Arrays of .npy have one dimension, which is that of one row, or two in C order, and elements
// as [File.Data] has them, in either byte order.
//
// An error is an *fs.PathError; one about an array of .npy quotes its header. A file must not
// change while it is open. Should it be cut, or its disk fail, then searches of package nearest
// return an error; other code that reads Data crashes the program, unless debug.SetPanicOnFault
// makes it panic.
func Open(path string, o ...rank.ReadOptions) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close() // a mapping stays
	f, err := open(r, o)
	if err != nil {
		if pathErr := (*fs.PathError)(nil); !errors.As(err, &pathErr) {
			err = &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return nil, err
	}
	return f, nil
}

func open(r *os.File, o []rank.ReadOptions) (f *File, err error) {
	info, err := r.Stat()
	if err != nil {
		return nil, err
	}
	start := make([]byte, 2)
	if !info.Mode().IsRegular() {
		return read(r, r.Name(), o)
	}
	if n, err := r.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, err
	} else if files.Gzipped(start[:n]) {
		return read(r, r.Name(), o)
	}
	m, err := memory.Open(r, info.Size())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			m.Close()
		}
	}()
	defer memory.Begin().End(&err)
	memory.Sequential(m.Bytes)
	if f, err = parse(m.Bytes, r.Name()); err != nil {
		return nil, err
	}
	f.file = m
	return f, nil
}

// Close gives the file back. Data is nil then, and what was taken from it must no longer be
// touched.
func (f *File) Close() error {
	f.Data = nil
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Read reads a file into memory, compressed with gzip or not, whose name tells the format where the
// first bytes do not; see [Open].
func Read(r io.Reader, name string, o ...rank.ReadOptions) (*File, error) {
	f, err := read(r, name, o)
	if err != nil {
		return nil, errs.Op("vectorfile", err)
	}
	return f, nil
}

func read(r io.Reader, name string, o []rank.ReadOptions) (*File, error) {
	budget, size := files.NewBudget(r, o...), files.Size(r)
	r, err := files.Uncompressed(r)
	if err != nil {
		return nil, err
	}
	content, err := budget.ReadAll(r, "the vectors", size)
	if err != nil {
		return nil, err
	}
	return parse(content, name)
}

// parse returns the vectors of a file, which share memory with it.
func parse(b []byte, name string) (*File, error) {
	if strings.HasPrefix(string(b[:min(len(b), len(npyMagic))]), npyMagic) {
		return parseNPY(b)
	}
	switch ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")); ext {
	case ".fvecs":
		return parseVecs[float32](b)
	case ".bvecs":
		return parseVecs[uint8](b)
	case ".ivecs":
		return parseVecs[int32](b)
	case ".npy":
		return nil, fmt.Errorf("does not start as an .npy file, but with %q", b[:min(len(b), len(npyMagic))])
	}
	return nil, errors.New("is of no known format: want .npy, or a file named .fvecs, .bvecs or .ivecs")
}
