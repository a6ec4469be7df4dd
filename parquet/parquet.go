// Package parquet reads learning-to-rank data from Parquet files.
//
// It is a module of its own, so that those who do not read such files need not require what it
// does.
package parquet

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// Load reads a Parquet file, one document per row, by the rules of tables: the columns named
// label, qid, weight, position and doc are what they say (see [data.Options], of which Delimiter,
// Decimal and Missing have no effect), all others are features. Progress reports bytes of the file.
//
// Features, labels, weights and positions must be booleans, integers, floating-point numbers of 16
// to 64 bits, or decimals, and features are rounded to the nearest float32. Queries and documents
// can be text, numbers, UUIDs or dates, too. A null, or NaN, is a missing value. Columns with other
// values, such as times or nested values, are an error, as are encrypted files and columns. The
// compression must be Snappy, gzip, Brotli, Zstandard or LZ4_RAW.
//
// The index of a data frame is not a feature: pandas and Dask say which columns belong to it. Such
// a column is skipped unless it has a role, for example because it is named qid.
//
// The features become sparse as those of tables do, and are then never dense in memory.
//
// A value that breaks the rules is a *rank.ParseError whose line is the row, counted from 1; so are
// the lines of the dataset. Where the header of a page gives a checksum, a page that differs from
// it is an error. No file, however hostile, makes Load panic: sizes are checked against the file
// and each other before anything is allocated. The data may take the memory that
// [data.Options].MemoryLimit allows: by default 1 GiB, or 256 bytes for each byte of the file if
// that is more. Dense features count with 4 bytes for each value of rows that are padded to
// multiples of 64 bytes, sparse ones with 8 bytes for each value that is not 0, a row with 64
// bytes, and texts with their bytes.
func Load(path string, o data.Options) (*rank.Dataset, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	d, err := read(f, info.Size(), path, o)
	if err != nil && !errors.As(err, new(*rank.ParseError)) {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return d, err
}

// Read reads a file of so many bytes as Load does.
func Read(r io.ReaderAt, size int64, o data.Options) (*rank.Dataset, error) {
	return read(r, size, "", o)
}

// A file is one that is being read.
type file struct {
	r       io.ReaderAt
	size    int64
	meta    fileMetaData
	leaves  []leaf
	chunks  int // of a row group: those of nested columns, too
	rows    int
	limit   int64 // of the memory of what is read
	held    int64 // the memory of what was read
	options data.Options
	builder *data.Builder

	reporting sync.Mutex // one call of Progress at a time
	done      int64      // bytes that it knows of
}

func read(r io.ReaderAt, size int64, name string, o data.Options) (*rank.Dataset, error) {
	f := &file{r: r, size: size, options: o}
	d, err := f.dataset(name)
	if err == nil {
		f.report(size) // columns that were ignored, too
	}
	return d, err
}

// report reports that so many more bytes have been read, up to the size of the file: some may be
// read twice.
func (f *file) report(bytes int64) {
	if f.options.Progress == nil {
		return
	}
	f.reporting.Lock()
	defer f.reporting.Unlock()
	f.done = min(f.done+bytes, f.size)
	f.options.Progress(f.done, f.size)
}

// dataset reads the file.
func (f *file) dataset(name string) (*rank.Dataset, error) {
	o := &f.options
	if err := f.readFooter(); err != nil {
		return nil, err
	}
	names := make([]string, len(f.leaves))
	for i, l := range f.leaves {
		names[i] = l.name
	}
	var err error
	if f.builder, err = data.NewBuilder(name, names, f.index(), *o); err != nil {
		return nil, err
	}
	var features []int
	for i := range f.leaves {
		role := f.builder.Role(i)
		if role == "feature" {
			features = append(features, i)
		}
		if err := f.leaves[i].check(role); err != nil {
			return nil, f.builder.ColumnError(i, err)
		}
	}
	f.limit = cmp.Or(o.MemoryLimit, max(1<<30, 256*f.size))
	if err := f.hold("the rows", rowBytes*int64(f.rows)); err != nil {
		return nil, err
	}
	if err := f.readRoles(); err != nil {
		return nil, err
	}
	sparse, err := f.readSparse(features)
	if err != nil {
		return nil, err
	}
	if sparse != nil {
		return f.builder.Dataset(f.rows, sparse)
	}
	stride := rank.NewDataset(0, len(features)).Stride
	if err := f.hold("the features", 4*int64(f.rows)*int64(stride)); err != nil {
		return nil, err
	}
	x, stride := f.builder.Matrix(f.rows)
	if err := f.readFeatures(features, x, stride); err != nil {
		return nil, err
	}
	return f.builder.Dataset(f.rows, nil)
}

// hold counts bytes that will be held, and returns an error if all of them pass the limit.
func (f *file) hold(what string, bytes int64) error {
	f.held += bytes
	if f.held <= f.limit {
		return nil
	}
	return &rank.OptionError{Option: "MemoryLimit",
		Err: fmt.Errorf("%s need %d bytes of memory, and the limit is %d", what, f.held, f.limit)}
}

// rowBytes is the memory of a row without features: its label, where its query and its features
// begin, and the like.
const rowBytes = 64

// index returns the columns that hold the index of a data frame. pandas lists them in the metadata
// of the file, and gives names to those without one, as Dask does.
func (f *file) index() map[string]bool {
	index := map[string]bool{}
	for _, l := range f.leaves {
		number, found := strings.CutPrefix(l.name, "__index_level_")
		number, closed := strings.CutSuffix(number, "__")
		_, err := strconv.ParseUint(number, 10, 32)
		if found && closed && err == nil || l.name == "__null_dask_index__" {
			index[l.name] = true
		}
	}
	for _, pair := range f.meta.KeyValueMetadata {
		if pair.Key != "pandas" {
			continue
		}
		var pandas struct {
			Columns []any `json:"index_columns"` // objects describe an index that has no column
		}
		if json.Unmarshal([]byte(pair.Value), &pandas) != nil {
			continue // pandas itself would read the columns only
		}
		for _, column := range pandas.Columns {
			if name, ok := column.(string); ok {
				index[name] = true
			}
		}
	}
	return index
}

// readFooter reads the schema and where the columns are.
func (f *file) readFooter() error {
	var end [8]byte
	if f.size < 12 {
		return errors.New("not a Parquet file")
	}
	if err := f.readAt(end[:], f.size-8); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	switch magic := string(end[4:]); {
	case magic == "PARE":
		return errors.New("the file is encrypted")
	case magic != "PAR1" || length > f.size-12:
		return errors.New("not a Parquet file, or a truncated one")
	}
	footer := make([]byte, length)
	if err := f.readAt(footer, f.size-8-length); err != nil {
		return err
	}
	if _, err := decode(footer, &f.meta); err != nil {
		return fmt.Errorf("the footer is malformed: %w", err)
	}
	if err := f.readSchema(); err != nil {
		return err
	}
	for _, group := range f.meta.RowGroups {
		if group.NumRows < 0 || group.NumRows > math.MaxInt32-int64(f.rows) || len(group.Columns) != f.chunks {
			return errors.New("the footer is malformed: row groups do not fit the schema")
		}
		f.rows += int(group.NumRows)
	}
	return nil
}

// readAt fills b from a place in the file.
func (f *file) readAt(b []byte, at int64) error {
	n, err := f.r.ReadAt(b, at)
	f.report(int64(n))
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decode reads a structure from the start of b, and returns how long it is there.
func decode(b []byte, to any) (n int, err error) {
	defer recoverDecoder(&err)
	n, err = structLength(b) // which is what the decoder does not check
	if err == nil {
		err = thrift.NewDecoder(new(thrift.CompactProtocol).NewReaderFromBytes(b[:n])).Decode(to)
	}
	return n, err
}

// readRoles reads the columns that are no features.
func (f *file) readRoles() (err error) {
	for i := range f.leaves {
		switch f.builder.Role(i) {
		case "qid", "doc":
			err = readColumn(f, i, func(page []string) error { return f.builder.AppendTexts(i, page) })
		case "label", "weight", "position":
			err = readColumn(f, i, func(page []float64) error { return f.builder.AppendNumbers(i, page) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// nonfinite returns the missing value for any NaN, and an error for an infinite feature.
func (f *file) nonfinite(v float32, row, column int) (float32, error) {
	if v != v {
		return null[float32](), nil // without a NaN's payload
	}
	return 0, f.builder.CheckFeature(column, row, v)
}

// each calls do for the tasks 0 to n−1, several at once.
func (f *file) each(n int, do func(task int)) {
	threads := f.options.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(threads, n) {
		workers.Go(func() {
			for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
				do(task)
			}
		})
	}
	workers.Wait()
}

const (
	taskColumns = 16  // of a task: a cache line of each row
	blockRows   = 256 // of which the columns of a task are written at a time: 16 KiB
)

// readFeatures fills the matrix x.
func (f *file) readFeatures(features []int, x []float32, stride int) error {
	errs := make([]error, (len(features)+taskColumns-1)/taskColumns)
	f.each(len(errs), func(task int) {
		lo := task * taskColumns
		errs[task] = f.readTask(features[lo:min(lo+taskColumns, len(features))], x[lo:], stride)
	})
	for _, err := range errs { // the first, whichever task was first
		if err != nil {
			return err
		}
	}
	return nil
}

// readTask writes columns side by side into x.
func (f *file) readTask(columns []int, x []float32, stride int) (err error) {
	defer recoverDecoder(&err)
	row := 0
	pages := make([][]float32, len(columns)) // what is left of the page of each column
	for g := range f.meta.RowGroups {
		cursors := make([]*cursor[float32], len(columns))
		for k, column := range columns {
			if cursors[k], err = newCursor[float32](f, g, column); err != nil {
				return err
			}
		}
		for end := row + int(f.meta.RowGroups[g].NumRows); row < end; {
			n := min(blockRows, end-row)
			for k, column := range columns {
				for done := 0; done < n; {
					if len(pages[k]) == 0 {
						if pages[k], err = cursors[k].next(); err != nil {
							return err
						}
						continue
					}
					m := min(n-done, len(pages[k]))
					at := (row+done)*stride + k
					for i, v := range pages[k][:m] {
						if x[at] = v; v-v != 0 {
							if x[at], err = f.nonfinite(v, row+done+i, column); err != nil {
								return err
							}
						}
						at += stride
					}
					pages[k] = pages[k][m:]
					done += m
				}
			}
			row += n
		}
	}
	return nil
}
