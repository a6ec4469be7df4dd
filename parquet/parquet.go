// Package parquet reads learning-to-rank data from Parquet files:
//
//	d, err := parquet.Load("train.parquet", data.Options{})
//
// It is a separate Go module, so programs that do not read Parquet files do not need its
// dependencies.
package parquet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// Load reads a Parquet file with one document per row. As in other tables, the columns named label,
// qid, weight, position and doc have these roles (see [data.Options]). All other columns are
// features. The options Delimiter and Decimal have no effect. The option Missing is not supported,
// because nulls and NaNs are the missing values of a Parquet file. Progress reports the number of
// bytes read from the file.
//
// Numeric features, labels, weights and positions must be booleans, integers, floating-point
// numbers of 16 to 64 bits, or decimals. Numeric features are rounded to the nearest float32. Query
// and document IDs, and the columns in Options.TextColumns, can also be text, UUIDs or dates. Load
// returns an error if a column has other values, such as times or nested values, or if the file or
// a column is encrypted. The supported codecs are Snappy, gzip, Brotli, Zstandard and LZ4_RAW.
//
// The index of a data frame is not a feature. The metadata that pandas and Dask write contains the
// names of the index columns. Index columns are skipped unless they have a role, for example
// because the name is qid.
//
// The features are stored as sparse under the same conditions as for other tables. In that case,
// they are never dense in memory.
//
// An invalid value causes a *rank.ParseError. Its line number is the row number, starting at 1. The
// line numbers of the dataset are also row numbers. If a page header contains a checksum that the
// page does not match, Load returns an error.
//
// Load accepts files from untrusted sources. It does not panic, and it checks that all sizes are
// consistent before it allocates memory. Column chunks must not overlap. Errors about the following
// limits wrap a *rank.OptionError.
//
// The size of the data is limited by MemoryLimit of [rank.ReadOptions]:
//
//   - A row counts as 64 bytes, and a query as 192 bytes.
//   - A dense feature counts as 4 bytes per row. Rows are padded to a multiple of 64 bytes.
//   - A nonzero value of a sparse feature counts as 8 bytes.
//   - A text counts as its length in bytes. Each different text category counts 96 bytes more.
//
// A second limit applies to the number of values, including zeros. At 4 bytes per value, their size
// must not exceed MemoryLimit plus 4096 times the size of the pages.
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

// Read is like [Load] but reads size bytes from r.
func Read(r io.ReaderAt, size int64, o data.Options) (*rank.Dataset, error) {
	return read(r, size, "", o)
}

// A file is the state of reading a file.
type file struct {
	r       io.ReaderAt
	size    int64
	end     int64 // end of the pages and start of the footer
	leaves  []leaf
	chunks  int           // per row group, including nested columns
	groups  []int         // rows per group
	largest int           // maximum rows of a group
	places  []columnChunk // chunks of the first group, then of the next
	pandas  [][]byte      // the metadata of pandas, in JSON
	rows    int
	budget  budget
	options data.Options
	builder *data.Builder
	codes   map[int][]float32 // features of text columns

	reporting sync.Mutex // one call of Progress at a time
	done      int64      // bytes that were reported
}

func read(r io.ReaderAt, size int64, name string, o data.Options) (*rank.Dataset, error) {
	f := &file{r: r, size: size, options: o}
	d, err := f.dataset(name)
	if err == nil {
		f.report(size) // including ignored columns
	}
	return d, err
}

// report reports that more bytes have been read, up to the size of the file. Some bytes may be read
// twice.
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
	if len(o.Missing) > 0 {
		return nil, fmt.Errorf("the option Missing is not supported for Parquet files: "+
			"nulls and NaNs are their missing values (Missing contains %q)", o.Missing)
	}
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
	f.pandas = nil // a part of the footer
	var features, used []int
	for i := range f.leaves {
		role := f.builder.Role(i)
		if role == "feature" || role == "text" {
			features = append(features, i)
		}
		if err := f.leaves[i].check(role); err != nil {
			return nil, f.builder.ColumnError(i, err)
		}
		if role != "" {
			used = append(used, i)
		}
	}
	pages, err := f.checkPlaces(used)
	if err != nil {
		return nil, err
	}
	f.budget = newBudget(o.ReadOptions, f.size, pages)
	if err := f.budget.hold("the rows", rowBytes*int64(f.rows)); err != nil {
		return nil, err
	}
	if err := f.budget.decode(f.rows, len(used)); err != nil {
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
	if err := f.budget.hold("the features", 4*int64(f.rows)*int64(stride)); err != nil {
		return nil, err
	}
	x, stride := f.builder.Matrix(f.rows)
	if err := f.readFeatures(features, x, stride); err != nil {
		return nil, err
	}
	return f.builder.Dataset(f.rows, nil)
}

const (
	// rowBytes is the memory of a row without features, for example its label and offsets.
	rowBytes = 64
	// queryBytes is the memory of a query while the dataset is built, for its entries in tables of
	// identifiers and rows.
	queryBytes = 192
	// categoryBytes is the memory of a text category in addition to its text.
	categoryBytes = 96
)

// index returns the columns that contain the index of a data frame. pandas and Dask list them in
// the metadata of the file, and name unnamed columns.
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
	for _, metadata := range f.pandas {
		var pandas struct {
			Columns json.RawMessage `json:"index_columns"`
		}
		if json.Unmarshal(metadata, &pandas) != nil {
			continue // pandas itself would read only the columns
		}
		// The list contains names, and objects for index levels without a column. It is decoded one
		// element at a time, because a slice of arbitrary values needs several times the memory of
		// the list.
		names := json.NewDecoder(bytes.NewReader(pandas.Columns))
		if first, _ := names.Token(); first != json.Delim('[') {
			continue
		}
		for n := 0; n < len(f.leaves) && names.More(); n++ {
			var name indexName
			if names.Decode(&name) != nil {
				break
			}
			index[string(name)] = true
		}
	}
	return index
}

// An indexName is a JSON string, or "" for any other value.
type indexName string

func (n *indexName) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return nil
	}
	return json.Unmarshal(b, (*string)(n))
}

// checkPlaces returns the total size of the pages of the columns. It returns an error if two column
// chunks overlap, because then the same bytes could be decoded any number of times. It skips chunks
// that cursor.open rejects.
func (f *file) checkPlaces(columns []int) (bytes int64, err error) {
	type span struct {
		at, end       int64
		group, column int
	}
	var spans []span
	for g, rows := range f.groups {
		for _, column := range columns {
			p := f.place(g, f.leaves[column].chunk)
			if rows > 0 && f.inside(p) {
				spans = append(spans, span{p.at, p.at + p.size, g, column})
				bytes += p.size
			}
		}
	}
	byPlace := func(a, b span) int { return cmp.Compare(a.at, b.at) }
	if !slices.IsSortedFunc(spans, byPlace) {
		slices.SortStableFunc(spans, byPlace)
	}
	name := func(s span) string { return f.where(s.group, s.column) }
	for i := 1; i < len(spans); i++ {
		if before := spans[i-1]; spans[i].at < before.end {
			return 0, fmt.Errorf("%s: the pages begin at byte %d, but the pages of %s end at %d",
				name(spans[i]), spans[i].at, name(before), before.end)
		}
	}
	return bytes, nil
}

// inside reports whether the pages of a chunk are between the beginning of the file and its footer.
func (f *file) inside(p *columnChunk) bool {
	return !p.external && !p.encrypted && p.at >= 4 && p.size >= 0 && p.at <= f.end && p.size <= f.end-p.at
}

// where returns the name of a chunk for errors.
func (f *file) where(group, column int) string {
	return fmt.Sprintf("column %s, row group %d", excerpt(f.leaves[column].name), group)
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

// decode reads a structure from the start of b and returns its length.
func decode(b []byte, to any) (n int, err error) {
	defer recoverDecoder(&err)
	n, err = structLength(b) // the decoder does not check this
	if err == nil {
		err = thrift.NewDecoder(new(thrift.CompactProtocol).NewReaderFromBytes(b[:n])).Decode(to)
	}
	return n, err
}

// readCodes reads the features of a text column.
func (f *file) readCodes(column int, with *buffers) error {
	if err := f.budget.hold("the features", 4*int64(f.rows)); err != nil {
		return err
	}
	codes, known := make([]float32, 0, f.rows), float32(0)
	number := f.leaves[column].meaning <= decimal
	err := readColumn(f, column, with, func(page []string) (err error) {
		for i, s := range page {
			if number && s == "NaN" {
				page[i] = ""
			}
		}
		before := len(codes)
		if codes, err = f.builder.AppendCodes(codes, column, before, page); err != nil {
			return err
		}
		added := int64(0)
		for _, v := range codes[before:] {
			if v == known {
				known++
				added++
			}
		}
		return f.budget.hold("the text categories", categoryBytes*added)
	})
	if f.codes == nil {
		f.codes = map[int][]float32{}
	}
	f.codes[column] = codes
	return err
}

// readRoles reads the columns that are not numeric features.
func (f *file) readRoles() (err error) {
	with := new(buffers)
	for i := range f.leaves {
		switch f.builder.Role(i) {
		case "qid":
			last := ""
			err = readColumn(f, i, with, func(page []string) error {
				queries := int64(0)
				for _, id := range page {
					if id != last {
						queries++
						last = id
					}
				}
				if err := f.budget.hold("the queries", queryBytes*queries); err != nil {
					return err
				}
				return f.builder.AppendTexts(i, page)
			})
		case "doc":
			err = readColumn(f, i, with, func(page []string) error { return f.builder.AppendTexts(i, page) })
		case "text":
			err = f.readCodes(i, with)
		case "label", "weight", "position":
			err = readColumn(f, i, with, func(page []float64) error { return f.builder.AppendNumbers(i, page) })
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
		return null[float32](), nil // without the payload of the NaN
	}
	return 0, f.builder.CheckFeature(column, row, v)
}

// each calls do for the tasks 0 to n−1, several at once, with buffers per goroutine. A task may
// need rowWork bytes per row of a row group. If the budget is too small, fewer tasks run at once.
func (f *file) each(n int, rowWork int64, do func(task int, with *buffers)) {
	threads := f.options.Threads
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	if work := rowWork * int64(f.largest); work > 0 {
		threads = int(min(int64(threads), max(1, (f.budget.limit-f.budget.held)/work)))
	}
	for range min(threads, n) {
		workers.Go(func() {
			with := new(buffers)
			for task := int(next.Add(1)) - 1; task < n; task = int(next.Add(1)) - 1 {
				do(task, with)
			}
		})
	}
	workers.Wait()
}

const (
	taskColumns = 16  // columns of a task: one cache line per row
	pageWork    = 16  // bytes of a task per row of a decoded page
	blockRows   = 256 // rows that a task writes at a time: 16 KiB
)

// readFeatures reads the dense features to x.
func (f *file) readFeatures(features []int, x []float32, stride int) error {
	errs := make([]error, (len(features)+taskColumns-1)/taskColumns)
	f.each(len(errs), 4*taskColumns+pageWork, func(task int, with *buffers) {
		lo := task * taskColumns
		errs[task] = f.readTask(features[lo:min(lo+taskColumns, len(features))], x[lo:], stride, with)
	})
	for _, err := range errs { // the first error in task order
		if err != nil {
			return err
		}
	}
	return nil
}

// readTask writes columns side by side into x.
func (f *file) readTask(columns []int, x []float32, stride int, with *buffers) (err error) {
	defer recoverDecoder(&err)
	row := 0
	pages := make([][]float32, len(columns)) // the unread values of the page of each column
	cursors := make([]cursor[float32], len(columns))
	for g, rows := range f.groups {
		for k, column := range columns {
			if codes := f.codes[column]; codes != nil {
				pages[k] = codes[row : row+rows]
				continue
			}
			if err := cursors[k].open(f, g, column, with); err != nil {
				return err
			}
		}
		for end := row + rows; row < end; {
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
