// Package parquet reads learning-to-rank data from Parquet files.
//
// It is a module of its own, so that those who do not read such files need not require what it
// does.
package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/tabular"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/table"
)

// Load reads a Parquet file, one document per row, by the rules of package table: the columns named
// label, qid, weight, position and doc are what they say (see [table.Options], of which Delimiter,
// Decimal and Missing have no effect), all others are features.
//
// Columns of features, labels, weights and positions hold booleans, integers or floating-point
// numbers of 16 to 64 bits, and features are rounded to the nearest float32; queries and documents
// are strings or numbers. A null, or NaN, is a missing value. Nested columns, and dates, times and
// decimals, are an error, as are a compression but Snappy, gzip, Brotli, Zstandard and LZ4_RAW, and
// encryption.
//
// The features become sparse by the rule of package table.
//
// A value that breaks the rules is a *rank.ParseError whose line is the row, counted from 1; so are
// the lines of the dataset. Where the header of a page gives a checksum, a page that differs from
// it is an error. No file, however hostile, makes Load panic: sizes are checked against the file
// and each other before anything is allocated. The matrix may hold 64 values for each byte of the
// file, and 1<<26 in any case.
func Load(path string, o table.Options) (*rank.Dataset, error) {
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
func Read(r io.ReaderAt, size int64, o table.Options) (*rank.Dataset, error) {
	return read(r, size, "", o)
}

// A leaf is a column of the file.
type leaf struct {
	name     string
	kind     format.Type // FixedLenByteArray is of float16
	unsigned bool
	optional bool
	unfit    error // why the column can only be ignored
}

// A file is one that is being read.
type file struct {
	r      io.ReaderAt
	size   int64
	name   string
	meta   format.FileMetaData
	leaves []leaf
	rows   int
	config tabular.Config
}

func read(r io.ReaderAt, size int64, name string, o table.Options) (*rank.Dataset, error) {
	f := &file{r: r, size: size, name: name, config: tabular.Config(o)}
	if err := f.readFooter(); err != nil {
		return nil, err
	}
	names := make([]string, len(f.leaves))
	for i, l := range f.leaves {
		names[i] = l.name
		if l.name == "__index_level_0__" {
			return nil,
				errors.New("column __index_level_0__ is an index of pandas: to_parquet(index=False) leaves it out")
		}
	}
	columns, err := tabular.Classify(names, f.config)
	if err != nil {
		return nil, err
	}
	for i, l := range f.leaves {
		if l.unfit != nil && columns.Roles[i] != tabular.Ignored {
			return nil, &rank.OptionError{Option: "Ignore", Value: l.name, Err: l.unfit}
		}
	}
	stride := rank.Stride(len(columns.Features))
	if limit := max(1<<26, 64*float64(size)); float64(f.rows)*float64(stride) > limit {
		return nil, fmt.Errorf("a matrix of %d documents × %d features passes the limit of 64 values per byte of the file",
			f.rows, len(columns.Features))
	}
	b := tabular.NewBuilder(columns, &f.config, name)
	batch, err := f.readRoles(columns)
	if err != nil {
		return nil, err
	}
	x := b.Reserve(f.rows)
	if err := b.Add(batch); err != nil {
		err.File = name
		return nil, err
	}
	if err := f.readFeatures(columns, x, stride); err != nil {
		return nil, err
	}
	return b.Finish()
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
		if group.NumRows < 0 || group.NumRows > math.MaxInt32-int64(f.rows) || len(group.Columns) != len(f.leaves) {
			return errors.New("the footer is malformed: row groups do not fit the schema")
		}
		f.rows += int(group.NumRows)
	}
	return nil
}

// readAt fills b from a place in the file.
func (f *file) readAt(b []byte, at int64) error {
	if n, err := f.r.ReadAt(b, at); n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
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

// readSchema finds the columns.
func (f *file) readSchema() error {
	schema := f.meta.Schema
	if len(schema) == 0 || int(schema[0].NumChildren.V) != len(schema)-1 {
		for _, e := range schema[min(1, len(schema)):] {
			if e.NumChildren.Valid {
				return fmt.Errorf("column %s is nested", text.Excerpt(e.Name))
			}
		}
		return errors.New("the footer is malformed: no schema")
	}
	for _, e := range schema[1:] {
		l := leaf{name: e.Name, kind: e.Type.V, optional: e.RepetitionType.V == format.Optional}
		what, half := "", false
		switch e.LogicalType.Value.(type) {
		case *format.DecimalType, *format.DateType, *format.TimeType, *format.TimestampType, *format.UUIDType:
			what = e.LogicalType.String()
		case *format.Float16Type:
			if half = l.kind == format.FixedLenByteArray && e.TypeLength.V == 2; !half {
				what = e.LogicalType.String()
			}
		case *format.IntType:
			l.unsigned = !e.LogicalType.Value.(*format.IntType).IsSigned
		}
		if e.LogicalType.Value == nil && e.ConvertedType.Valid {
			switch c := e.ConvertedType.V; {
			case c >= deprecatedDecimal && c <= deprecatedTimestampMicros:
				what = "decimal, date or time"
			case c >= deprecatedUint8 && c <= deprecatedUint64:
				l.unsigned = true
			}
		}
		switch {
		case e.NumChildren.V > 0 || !e.Type.Valid:
			return fmt.Errorf("column %s is nested", text.Excerpt(e.Name))
		case e.RepetitionType.V == format.Repeated:
			l.unfit = fmt.Errorf("column %s is a list", text.Excerpt(e.Name))
		case what != "" || l.kind == format.FixedLenByteArray && !half || l.kind == format.Int96:
			if what == "" {
				what = l.kind.String()
			}
			l.unfit = fmt.Errorf("column %s holds values of type %s; convert them to numbers or strings",
				text.Excerpt(e.Name), what)
		}
		f.leaves = append(f.leaves, l)
	}
	return nil
}

// readRoles reads the columns that are no features.
func (f *file) readRoles(columns *tabular.Columns) (*tabular.Batch, error) {
	b := &tabular.Batch{Lines: make([]int32, f.rows), AllLines: f.rows}
	for i := range b.Lines {
		b.Lines[i] = int32(i + 1)
	}
	var queries []string
	for i, role := range columns.Roles {
		var err error
		switch role {
		case tabular.Query:
			queries, err = f.readStrings(i)
			for row, id := range queries {
				if id == "" && err == nil && !f.config.NoQueries {
					err = f.valueError(row, i, "", tabular.ErrQuery)
				}
			}
		case tabular.Doc:
			b.Docs, err = f.readStrings(i)
		case tabular.Label, tabular.Weight, tabular.Position:
			values := make([]float64, 0, f.rows)
			err = readColumn(f, i, func(page []float64) error {
				for _, v := range page {
					if err := f.config.Check(role, v); err != nil {
						return f.valueError(len(values), i, formatNumber(v), columns.ValueError(i, err))
					}
					values = append(values, v)
				}
				return nil
			})
			switch role {
			case tabular.Label:
				b.Labels = values
			case tabular.Weight:
				b.Weights = values
			case tabular.Position:
				for _, v := range values {
					b.Positions = append(b.Positions, int32(v))
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	var id []byte
	for row := range f.rows {
		if queries != nil {
			id = append(id[:0], queries[row]...)
		}
		b.AddRow(id)
	}
	return b, nil
}

// readStrings returns the values of a column as text, "" for nulls.
func (f *file) readStrings(column int) ([]string, error) {
	all := make([]string, 0, f.rows)
	err := readColumn(f, column, func(page []string) error {
		all = append(all, page...)
		return nil
	})
	return all, err
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// valueError is about the value of a row in a column.
func (f *file) valueError(row, column int, value string, err error) error {
	return &rank.ParseError{File: f.name, Line: row + 1, Text: text.Excerpt(value),
		Err: fmt.Errorf("column %s: %w", text.Excerpt(f.leaves[column].name), err)}
}

const (
	taskColumns = 16  // of a task: a cache line of each row
	blockRows   = 256 // of which the columns of a task are written at a time: 16 KiB
)

// readFeatures fills the matrix x.
func (f *file) readFeatures(columns *tabular.Columns, x []float32, stride int) error {
	var features []int
	for i, role := range columns.Roles {
		if role == tabular.Feature {
			features = append(features, i)
		}
	}
	errs := make([]error, (len(features)+taskColumns-1)/taskColumns)
	parallel.For(context.Background(), parallel.Threads(f.config.Threads), len(errs), func(_, task int) {
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
						if v-v != 0 && v == v {
							err := f.config.Check(tabular.Feature, float64(v))
							return f.valueError(row+done+i, column, formatNumber(float64(v)), err)
						}
						if v != v {
							v = null[float32]() // without what a NaN may carry
						}
						x[at] = v
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
