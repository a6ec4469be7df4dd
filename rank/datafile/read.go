package datafile

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A File is an open data file.
type File struct {
	*rank.Dataset
	file *memory.File
}

// Open memory-maps a data file if the operating system supports this, and otherwise reads it.
// Features, labels, weights, positions and document IDs are used in place. Their pages are loaded
// when they are accessed, and the system can release them at any time, so data may be larger than
// RAM. They must not be written to. Row offsets, query offsets and query IDs are copied.
//
// Open checks all offsets and lengths in the file. With dense features the time does not depend on
// the number of features. With sparse features Open checks the column of each value. If the file
// breaks the rules of the format, Open returns an *fs.PathError. In errors about rows of the
// dataset, the line is the row number, counted from 1.
//
// A file must not change while it is open, because results would then mix old and new content. An
// access may fail because the file was truncated, the disk fails, or new content is outside of the
// checked range. Functions of this module that return an error then return an *fs.PathError with
// the path of the file. Other code that accesses a truncated part crashes the program, unless
// debug.SetPanicOnFault turns the fault into a panic.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // a mapping remains valid after the file is closed
	m, d, err := open(f)
	if err != nil {
		if pathErr := (*fs.PathError)(nil); !errors.As(err, &pathErr) {
			err = &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return nil, err
	}
	d.File = path
	return &File{d, m}, nil
}

func open(f *os.File) (m *memory.File, d *rank.Dataset, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("the file is not a regular file and cannot be memory-mapped")
	}
	h, _, err := readHeader(f, info.Size())
	if err != nil {
		return nil, nil, err
	}
	if m, err = memory.Open(f, info.Size()); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			m.Close()
		}
	}()
	defer memory.Begin().End(&err)
	for _, s := range h.sections {
		if s.kind == denseFeatures || s.kind == columns || s.kind == values {
			memory.Sequential(m.Bytes[s.offset:][:s.size])
		}
	}
	d, err = h.dataset(m.Bytes, m.Foreign())
	return m, d, err
}

// Close unmaps the file. The dataset is then empty. Slices and strings from the dataset, such as
// features, labels or document IDs, must no longer be accessed.
func (f *File) Close() error {
	*f.Dataset = rank.Dataset{}
	return f.file.Close()
}

// Read reads a data file, optionally compressed with gzip, into memory. If the file can be mapped,
// prefer [Open]. If the data need more than MemoryLimit, the error wraps a *rank.OptionError.
func Read(r io.Reader, o ...rank.ReadOptions) (*rank.Dataset, error) {
	size, budget := files.Size(r), files.NewBudget(r, o...)
	r, err := budget.Uncompressed(r)
	if err != nil {
		return nil, errs.Op("datafile", err)
	}
	d, err := read(r, size, budget)
	if err != nil {
		return nil, errs.Op("datafile", err)
	}
	return d, nil
}

// read reads a whole data file. size is an estimate of the file size.
func read(r io.Reader, size int64, budget *files.Budget) (*rank.Dataset, error) {
	h, start, err := readHeader(r, -1)
	if err != nil {
		return nil, err
	}
	if h.size > math.MaxInt-8 {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", h.size)
	}
	// Grow with the data that is read, because the size in the header may be wrong.
	first := int64(min(h.size, uint64(max(size, 1<<16))))
	if err := budget.Hold("the data", first); err != nil {
		return nil, err
	}
	b := memory.Buffer(int(first))
	for n := copy(b, start); ; {
		k, err := io.ReadFull(r, b[n:])
		n += k
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return nil, truncated(uint64(n), h.size)
		case err != nil:
			return nil, err
		case uint64(n) < h.size:
			larger := int64(min(h.size, 2*uint64(n)))
			if err := budget.Hold("the data", larger); err != nil {
				return nil, err
			}
			more := memory.Buffer(int(larger))
			budget.Release(int64(copy(more, b)))
			b = more
			continue
		}
		if k, _ := io.ReadFull(r, make([]byte, 1)); k > 0 {
			return nil, fmt.Errorf("the file is longer than the %d bytes that its header records", h.size)
		}
		if err := budget.Hold("the identifiers and names", h.copied()); err != nil {
			return nil, err
		}
		return h.dataset(b, false)
	}
}

// copied returns the number of bytes that [header.dataset] allocates in addition to the file. For
// each section of string ends, it allocates a slice of strings.
func (h *header) copied() (bytes int64) {
	for _, s := range h.sections {
		switch s.kind {
		case queryIDEnds, docIDEnds, nameEnds:
			bytes += 2 * int64(s.size)
		case categoryEnds: // strings, and a map of them while they are checked
			bytes += 10 * int64(s.size)
		case textColumns:
			bytes += 24 * int64(h.cols)
		case rowOffsets, queryOffsets, queryIDText, nameText, categoryText:
			bytes += int64(s.size)
		}
	}
	return bytes
}

// dataset returns the dataset in the file content b. The dataset shares memory with b. foreign
// means that the garbage collector does not manage this memory.
func (h *header) dataset(b []byte, foreign bool) (*rank.Dataset, error) {
	var in [kinds + 1][]byte
	for _, s := range h.sections {
		in[s.kind] = b[s.offset:][:s.size:s.size]
	}
	d := &rank.Dataset{Cols: int(h.cols), Labels: view[float64](in[labels]), Absent: int64(h.absent)}
	d.SetLine(0, 1) // error messages show row numbers as lines
	if in[denseFeatures] != nil {
		d.X, d.Stride = view[float32](in[denseFeatures]), memory.Stride(d.Cols)
	} else {
		x := &rank.CSR{Columns: view[int32](in[columns]), Values: view[float32](in[values])}
		var err error
		if x.Offsets, err = offsets(in[rowOffsets], len(x.Values)); err != nil {
			return nil, fmt.Errorf("%v: %w", rowOffsets, err)
		}
		if err := checkColumns(x, d.Cols); err != nil {
			return nil, err
		}
		d.Sparse = x
	}
	// Copy the offsets and IDs of queries, because results may outlive the file.
	var err error
	if d.Offsets, err = offsets(in[queryOffsets], int(h.rows)); err != nil {
		return nil, fmt.Errorf("%v: %w", queryOffsets, err)
	}
	if d.QueryIDs, err = list(in[queryIDEnds], string(in[queryIDText]), false); err != nil {
		return nil, fmt.Errorf("%v: %w", queryIDEnds, err)
	}
	if in[docIDEnds] != nil {
		text := unsafe.String(unsafe.SliceData(in[docIDText]), len(in[docIDText]))
		if d.DocIDs, err = list(in[docIDEnds], text, foreign); err != nil {
			return nil, fmt.Errorf("%v: %w", docIDEnds, err)
		}
	}
	if in[nameEnds] != nil {
		if d.Names, err = list(in[nameEnds], string(in[nameText]), false); err != nil {
			return nil, fmt.Errorf("%v: %w", nameEnds, err)
		}
		if err := text.CheckNames(d.Names, "feature", 1); err != nil {
			return nil, err
		}
	}
	if d.Categories, err = categories(&in, d.Cols); err != nil {
		return nil, err
	}
	for j, list := range d.Categories {
		if err := text.CheckCategories(list, d.FeatureName(j)); err != nil {
			return nil, err
		}
	}
	d.Weights, d.QueryWeights = view[float64](in[rowWeights]), view[float64](in[queryWeights])
	d.Positions = view[int32](in[positions])
	return d, nil
}

// categories returns the text categories of each column, or nil if there are none.
func categories(in *[kinds + 1][]byte, cols int) ([][]string, error) {
	if in[textColumns] == nil {
		return nil, nil
	}
	all, err := list(in[categoryEnds], string(in[categoryText]), false)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", categoryEnds, err)
	}
	lists, before, from := make([][]string, cols), int32(-1), 0
	ends := view[uint64](in[listEnds])
	for i, j := range view[int32](in[textColumns]) {
		if j <= before || int(j) >= cols {
			return nil, fmt.Errorf("%v: element %d is %d; it must be from %d to %d", textColumns, i, j, before+1,
				cols-1)
		}
		to := int(min(ends[i], math.MaxInt))
		if to < from || to > len(all) {
			return nil, fmt.Errorf("%v: element %d is %d; it must be from %d to %d", listEnds, i, to, from, len(all))
		}
		lists[j], before, from = all[from:to:to], j, to
	}
	if from != len(all) {
		return nil, fmt.Errorf("%v: the last element is %d; it must be %d", listEnds, from, len(all))
	}
	return lists, nil
}

// view returns the elements of a section, like [memory.View].
func view[T element](b []byte) []T { return memory.View[T](b, binary.LittleEndian) }

// offsets returns a copy of offsets. It checks that they start with 0, do not decrease and end with
// last. It copies before it checks, because the file may change after the check, and kernels rely
// on valid offsets. Columns do not need a copy, because kernels check every column that they read.
func offsets(b []byte, last int) ([]int, error) {
	raw := view[uint64](b)
	o := memory.Make[int](len(raw))
	before := 0
	for i := range raw {
		v := int(min(raw[i], math.MaxInt))
		if v < before || i == 0 && v != 0 {
			return nil, fmt.Errorf("element %d is %d; it must be at least %d", i, v, before)
		}
		o[i], before = v, v
	}
	if before != last {
		return nil, fmt.Errorf("the last element is %d; it must be %d", before, last)
	}
	return o, nil
}

// checkColumns returns an error unless the columns of each row are ascending and less than cols.
func checkColumns(x *rank.CSR, cols int) error {
	const block = 1 << 14
	rows := len(x.Offsets) - 1
	wrong := make([]error, (rows+block-1)/block)
	parallel.For(context.Background(), parallel.Threads(0), len(wrong), func(_, t int) {
		for i := t * block; i < min((t+1)*block, rows); i++ {
			before := int32(-1)
			for _, j := range x.Columns[x.Offsets[i]:x.Offsets[i+1]] {
				if j <= before {
					wrong[t] = fmt.Errorf("row %d: column %d follows column %d; columns must be in ascending order", i, j, before)
					return
				}
				before = j
			}
			if int(before) >= cols {
				wrong[t] = fmt.Errorf("row %d: column %d is out of range: there are %d columns", i, before, cols)
				return
			}
		}
	})
	for _, err := range wrong {
		if err != nil {
			return err
		}
	}
	return nil
}

// A word has the memory layout of a string, but the garbage collector does not treat its text as a
// pointer.
type word struct {
	text uintptr
	size int
}

// list returns the strings in text. ends contains the end of each string. If text is foreign, there
// may be millions of strings, so list stores them in memory that the garbage collector does not
// scan.
func list(ends []byte, text string, foreign bool) ([]string, error) {
	const block = 1 << 15
	n := len(ends) / 8
	var s []string
	var words []word
	if foreign {
		memory := memory.Buffer(n * int(unsafe.Sizeof(word{})))
		words = unsafe.Slice((*word)(unsafe.Pointer(unsafe.SliceData(memory))), n)
		s = unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(words))), n)
	} else {
		s = memory.Make[string](n)
	}
	first := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	end := func(i int) uint64 { // returns the end of string i−1
		if i == 0 {
			return 0
		}
		return binary.LittleEndian.Uint64(ends[8*i-8:])
	}
	wrong := make([]error, (n+block-1)/block)
	parallel.For(context.Background(), parallel.Threads(0), len(wrong), func(_, t int) {
		from := end(t * block)
		for i := t * block; i < min((t+1)*block, n); i++ {
			to := end(i + 1)
			if to < from || to > uint64(len(text)) {
				wrong[t] = fmt.Errorf("element %d is %d; it must be from %d to %d", i, to, from, len(text))
				return
			}
			if foreign {
				words[i] = word{first + uintptr(from), int(to - from)}
			} else {
				s[i] = text[from:to]
			}
			from = to
		}
	})
	for _, err := range wrong {
		if err != nil {
			return nil, err
		}
	}
	if last := end(n); last != uint64(len(text)) {
		return nil, fmt.Errorf("the last element is %d; it must be %d", last, len(text))
	}
	return s, nil
}
