// Package vectorfile reads vector files: NumPy .npy files, the .fvecs, .bvecs and .ivecs files of
// the TEXMEX collections, such as SIFT1M, and the .fbin, .u8bin, .i8bin, .ibin and .bin files of
// big-ann-benchmarks. Large files are memory-mapped, so package nearest can search them without
// loading them:
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

// A File is a vector file. Its vectors are the rows of a matrix.
type File struct {
	// Data contains the elements. Row i starts at i·Stride. Data is a []float64, []float32,
	// []vectors.F16, []int8, []uint8, []int32, []int64 or []uint64. It is read-only.
	Data any

	Rows, Cols, Stride int

	file *memory.File // nil if the contents were read into memory
}

// Type returns the name of the element type, for example "float32". For vectors.F16 it returns
// "float16".
func (f *File) Type() string {
	if _, ok := f.Data.([]vectors.F16); ok {
		return "float16"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", f.Data), "[]")
}

// Open opens a vector file. If the operating system supports it, the file is memory-mapped.
// Otherwise, or if the file is compressed with gzip, it is read into memory. The formats are:
//
//   - .npy, which is recognized by its first bytes. The array must have one dimension (a single
//     row), or two dimensions in C order. The element type must be one of the types of [File.Data],
//     in either byte order.
//   - .fvecs (float32), .bvecs (uint8) and .ivecs (int32), which are recognized by their names.
//     Each row is preceded by the number of its elements.
//   - .fbin (float32), .u8bin (uint8), .i8bin (int8) and .ibin (int32), which are recognized by
//     their names. The row and column counts precede the rows.
//   - .bin and .ibin with the true neighbors of queries, as in big-ann-benchmarks: int32 IDs, and
//     then their distances as float32, which are ignored.
//
// An error is an *fs.PathError. If an .npy header is invalid, the error quotes it.
//
// Do not change a file while it is open. If the file is truncated or the disk fails, searches of
// package nearest return an error. Other code that reads Data crashes the program, unless
// debug.SetPanicOnFault makes it panic.
func Open(path string, o ...rank.ReadOptions) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close() // the mapping remains valid
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
	start := make([]byte, files.MagicSize)
	if !info.Mode().IsRegular() {
		return read(r, r.Name(), o)
	}
	if n, err := r.ReadAt(start, 0); err != nil && err != io.EOF {
		return nil, err
	} else if files.Compressed(start[:n]) {
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

// Close unmaps the file and sets Data to nil. Do not use slices of Data afterwards.
func (f *File) Close() error {
	f.Data = nil
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// Read is like [Open] but reads a file from r into memory. The format is detected from the first
// bytes if possible, and otherwise from the extension of name. The file may be compressed with
// gzip.
func Read(r io.Reader, name string, o ...rank.ReadOptions) (*File, error) {
	f, err := read(r, name, o)
	if err != nil {
		return nil, errs.Op("vectorfile", err)
	}
	return f, nil
}

func read(r io.Reader, name string, o []rank.ReadOptions) (*File, error) {
	budget, size := files.NewBudget(r, o...), files.Size(r)
	r, err := budget.Uncompressed(r)
	if err != nil {
		return nil, err
	}
	content, err := budget.ReadAll(r, "the vectors", size)
	if err != nil {
		return nil, err
	}
	return parse(content, name)
}

// parse returns the vectors in the content of a file with the given name. They share memory with b.
func parse(b []byte, name string) (*File, error) {
	if strings.HasPrefix(string(b[:min(len(b), len(npyMagic))]), npyMagic) {
		return parseNPY(b)
	}
	switch ext := filepath.Ext(files.Stem(strings.ToLower(name))); ext {
	case ".fvecs":
		return parseVecs[float32](b)
	case ".bvecs":
		return parseVecs[uint8](b)
	case ".ivecs":
		return parseVecs[int32](b)
	case ".fbin":
		return parseBin[float32](b)
	case ".u8bin":
		return parseBin[uint8](b)
	case ".i8bin":
		return parseBin[int8](b)
	case ".ibin", ".bin":
		return parseIDs(b, ext)
	case ".npy":
		return nil, fmt.Errorf("the file is not an .npy file: it starts with %q", b[:min(len(b), len(npyMagic))])
	}
	return nil, errors.New("unknown vector format: use .npy, .fvecs, .bvecs, .ivecs, .fbin, .u8bin, .i8bin, .ibin or .bin")
}
