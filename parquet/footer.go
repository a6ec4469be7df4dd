package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The fields of the footer that are used, in a compact form. Package thrift does not decode the
// lists of the footer, because it allocates as many elements as a list claims to contain.
type (
	schemaElement struct {
		Type           thrift.Null[format.Type]
		TypeLength     int32
		RepetitionType format.FieldRepetitionType
		Name           string
		NumChildren    int32
		ConvertedType  thrift.Null[deprecated.ConvertedType]
		Scale          int32
		LogicalType    format.LogicalType
	}
	columnChunk struct {
		at, size  int64 // start and size of the pages
		kind      format.Type
		codec     format.CompressionCodec
		encrypted bool
		external  bool // in another file
	}
)

// The minimum bytes of a list element in a valid footer.
const (
	leastElement = 3 // a name
	leastChunk   = 8 // four numbers, or the metadata of an encrypted column
	leastGroup   = 5 // a list and the number of rows, without the chunks
)

const (
	// leafBytes is the maximum memory of a column and its entries in tables of names.
	leafBytes = 256
	// leafSlack and leafPerByte, for each byte of the footer, bound the memory of all columns. A
	// column of a valid file needs at least 30 bytes of the footer.
	leafSlack   = 8 << 20
	leafPerByte = 16
)

// readFooter reads the schema and the places of the columns.
func (f *file) readFooter() error {
	var end [8]byte
	if f.size < 12 {
		return errors.New("the file is not a Parquet file")
	}
	if err := f.readAt(end[:], f.size-8); err != nil {
		return err
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	switch magic := string(end[4:]); {
	case magic == "PARE":
		return errors.New("encrypted Parquet files are not supported")
	case magic != "PAR1" || length > f.size-12:
		return errors.New("the file is not a Parquet file, or it is truncated")
	}
	f.end = f.size - 8 - length
	footer := make([]byte, length)
	if err := f.readAt(footer, f.end); err != nil {
		return err
	}
	if err := f.parseFooter(footer); err != nil {
		return fmt.Errorf("the footer is malformed: %w", err)
	}
	return nil
}

// parseFooter reads a footer. It first finds the lists, because the row groups can only be read
// after the schema, whatever their order is.
func (f *file) parseFooter(footer []byte) error {
	w := &walker{b: footer}
	lists := map[int]int{}
	w.fields(0, func(id int, kind byte) bool {
		if kind == typeList {
			lists[id] = w.at
		}
		return false
	})
	if w.err != nil {
		return w.err
	}
	const schema, groups, pairs = 2, 4, 5
	for _, id := range []int{schema, groups} {
		if lists[id] == 0 {
			return fmt.Errorf("field %d is missing", id)
		}
	}
	w.at = lists[schema]
	if err := f.readSchema(w); err != nil {
		return err
	}
	w.at = lists[groups]
	if err := f.readGroups(w); err != nil {
		return err
	}
	if lists[pairs] > 0 {
		w.at = lists[pairs]
		f.readPairs(w)
	}
	return w.err
}

// readGroups reads the row groups.
func (f *file) readGroups(w *walker) error {
	errFit := errors.New("the row groups do not match the schema")
	n := w.list(leastGroup + leastChunk*f.chunks)
	f.groups, f.places = make([]int, n), make([]columnChunk, n*f.chunks)
	for g := range f.groups {
		chunks, rows := -1, int64(-1)
		w.fields(1, func(id int, kind byte) bool {
			switch {
			case id == 1 && kind == typeList:
				if chunks = w.list(leastChunk); chunks != f.chunks {
					w.fail(errFit)
				}
				for k := 0; k < chunks && w.err == nil; k++ {
					w.chunk(f.place(g, k))
				}
			case id == 3 && kind == typeI64:
				rows = w.varint()
			default:
				return false
			}
			return true
		})
		if w.err == nil && (chunks < 0 || rows < 0 || rows > math.MaxInt32-int64(f.rows)) {
			w.err = errFit
		}
		if w.err != nil {
			return w.err
		}
		f.groups[g] = int(rows)
		f.rows += int(rows)
		f.largest = max(f.largest, int(rows))
	}
	return w.err
}

// place returns the place of a chunk's pages.
func (f *file) place(group, chunk int) *columnChunk { return &f.places[group*f.chunks+chunk] }

// chunk reads the place of a column's pages in a row group.
func (w *walker) chunk(c *columnChunk) {
	*c = columnChunk{}
	w.fields(3, func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == typeBinary:
			c.external = len(w.binary()) > 0
			return true
		case id == 3 && kind == typeStruct:
			w.chunkMeta(c)
			return true
		case id == 8 && kind == typeStruct:
			c.encrypted = true
		}
		return false
	})
}

func (w *walker) chunkMeta(c *columnChunk) {
	var dictionary int64
	const required = 1<<1 | 1<<4 | 1<<7 | 1<<9
	var seen int
	w.fields(4, func(id int, kind byte) bool {
		switch {
		case id == 1 && kind == typeI32:
			c.kind = format.Type(w.varint())
		case id == 4 && kind == typeI32:
			c.codec = format.CompressionCodec(w.varint())
		case id == 7 && kind == typeI64:
			c.size = w.varint()
		case id == 9 && kind == typeI64:
			c.at = w.varint()
		case id == 11 && kind == typeI64:
			dictionary = w.varint()
		default:
			return false
		}
		seen |= 1 << id
		return true
	})
	if w.err == nil && seen&required != required {
		w.fail(errors.New("a column chunk lacks a required field"))
	}
	if dictionary > 0 && dictionary < c.at {
		c.at = dictionary
	}
}

// readPairs reads the key-value metadata. Only the metadata of pandas is used.
func (f *file) readPairs(w *walker) {
	for n := w.list(1); n > 0 && w.err == nil; n-- {
		var key, value []byte
		w.fields(1, func(id int, kind byte) bool {
			switch {
			case id == 1 && kind == typeBinary:
				key = w.binary()
			case id == 2 && kind == typeBinary:
				value = w.binary()
			default:
				return false
			}
			return true
		})
		if string(key) == "pandas" {
			f.pandas = append(f.pandas, value)
		}
	}
}

// element reads an element of the schema.
func (w *walker) element() (e schemaElement) {
	named := false
	w.fields(1, func(id int, kind byte) bool {
		switch {
		case id == 4 && kind == typeBinary:
			e.Name, named = string(w.binary()), true
		case id == 10 && kind == typeStruct:
			n, err := decode(w.b[w.at:], &e.LogicalType)
			w.fail(err)
			w.skip(uint64(n))
		case kind != typeI32:
			return false
		case id == 1:
			e.Type = thrift.New(format.Type(w.varint()))
		case id == 2:
			e.TypeLength = int32(w.varint())
		case id == 3:
			e.RepetitionType = format.FieldRepetitionType(w.varint())
		case id == 5:
			e.NumChildren = int32(w.varint())
		case id == 6:
			e.ConvertedType = thrift.New(deprecated.ConvertedType(w.varint()))
		case id == 7:
			e.Scale = int32(w.varint())
		default:
			return false
		}
		return true
	})
	if w.err == nil && !named {
		w.fail(errors.New("a column has no name"))
	}
	return e
}
