package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

var (
	errMalformed = errors.New("the data is malformed")
	errShort     = errors.New("the data is malformed: unexpected end")
)

// maxDepth is the maximum nesting of structures. Structures of Parquet are less than half as deep.
const maxDepth = 32

// structLength returns the length of the structure of Thrift's compact protocol at the start of b.
// It detects lists that claim more elements than there are bytes, and unlimited nesting. The
// decoder therefore need not check them.
func structLength(b []byte) (int, error) {
	w := walker{b: b}
	w.walkStruct(0)
	return w.at, w.err
}

// A walker traverses a structure.
type walker struct {
	b   []byte
	at  int
	err error
}

// fail stores the first error.
func (w *walker) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *walker) skip(n uint64) {
	if w.err == nil && n > uint64(len(w.b)-w.at) {
		w.err = errShort
	}
	if w.err == nil {
		w.at += int(n)
	}
}

func (w *walker) byte() byte {
	if w.skip(1); w.err != nil {
		return 0
	}
	return w.b[w.at-1]
}

func (w *walker) uvarint() uint64 {
	if w.err != nil {
		return 0
	}
	v, n := binary.Uvarint(w.b[w.at:])
	if n <= 0 {
		w.err = errShort
		return 0
	}
	w.at += n
	return v
}

func (w *walker) varint() int64 {
	v := w.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// Types of the compact protocol.
const (
	typeStop = iota
	typeTrue
	typeFalse
	typeByte
	typeI16
	typeI32
	typeI64
	typeDouble
	typeBinary
	typeList
	typeSet
	typeMap
	typeStruct
)

func (w *walker) walkStruct(depth int) {
	w.fields(depth, func(int, byte) bool { return false })
}

// fields traverses the fields of a structure. It calls read for each field. read reads the field
// and returns true, or returns false to skip it.
func (w *walker) fields(depth int, read func(id int, kind byte) bool) {
	id := 0
	for w.err == nil {
		head := w.byte()
		kind := head & 15
		if head == typeStop {
			return
		}
		if delta := int(head >> 4); delta > 0 {
			id += delta
		} else {
			id = int(int16(w.varint()))
		}
		if w.err != nil || read(id, kind) || kind == typeTrue || kind == typeFalse {
			continue // the value of a boolean is in its type
		}
		w.walk(kind, depth+1)
	}
}

// binary returns bytes that are preceded by their length.
func (w *walker) binary() []byte {
	n := w.uvarint()
	if w.skip(n); w.err != nil {
		return nil
	}
	return w.b[w.at-int(n) : w.at]
}

// listHead reads the number and kind of the elements of a list.
func (w *walker) listHead() (n uint64, kind byte) {
	head := w.byte()
	if n = uint64(head >> 4); n == 15 {
		n = w.uvarint()
	}
	return n, head & 15
}

// list reads the number of elements of a list of structures. Each element has at least the given
// number of bytes. If there are not enough bytes, list fails before any element is read.
func (w *walker) list(least int) int {
	n, kind := w.listHead()
	if left := uint64(len(w.b) - w.at); w.err == nil && n > left/uint64(least) {
		w.err = fmt.Errorf("a list of %d elements requires %d bytes per element, but only %d bytes remain", n, least, left)
	}
	if n > 0 && kind != typeStruct {
		w.fail(errMalformed)
	}
	if w.err != nil {
		return 0
	}
	return int(n)
}

func (w *walker) walk(kind byte, depth int) {
	if depth > maxDepth {
		w.err = errMalformed
	}
	switch kind {
	case typeTrue, typeFalse, typeByte:
		w.skip(1)
	case typeI16, typeI32, typeI64:
		w.uvarint()
	case typeDouble:
		w.skip(8)
	case typeBinary:
		w.skip(w.uvarint())
	case typeList, typeSet:
		n, kind := w.listHead()
		w.walkAll(n, depth, kind)
	case typeMap:
		if n := w.uvarint(); n > 0 {
			head := w.byte()
			w.walkAll(n, depth, head>>4, head&15)
		}
	case typeStruct:
		w.walkStruct(depth)
	default:
		w.err = errMalformed
	}
}

// walkAll traverses n elements, or n pairs.
func (w *walker) walkAll(n uint64, depth int, kinds ...byte) {
	if n > math.MaxInt32 {
		w.err = errMalformed
	}
	for ; n > 0 && w.err == nil; n-- {
		for _, kind := range kinds {
			w.walk(kind, depth+1)
		}
	}
}
