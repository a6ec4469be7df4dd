package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

var (
	errMalformed = errors.New("malformed data")
	errShort     = errors.New("malformed data: unexpected end")
)

// maxDepth is how deep structures may be nested; those of Parquet are not half as deep.
const maxDepth = 32

// structLength returns the length of the structure of Thrift's compact protocol that b starts with.
// It finds lists that claim more elements than there are bytes, and nesting without end, so that
// the decoder does not have to.
func structLength(b []byte) (int, error) {
	w := walker{b: b}
	w.walkStruct(0)
	return w.at, w.err
}

// A walker walks over a structure.
type walker struct {
	b   []byte
	at  int
	err error
}

// fail keeps the first error.
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

// fields walks over the fields of a structure. It calls read for each, which reads the field and
// returns true, or returns false for a field that is to be skipped.
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
			continue // of booleans, the value is in the type
		}
		w.walk(kind, depth+1)
	}
}

// binary returns bytes that their length precedes.
func (w *walker) binary() []byte {
	n := w.uvarint()
	if w.skip(n); w.err != nil {
		return nil
	}
	return w.b[w.at-int(n) : w.at]
}

// listHead reads how many elements of which kind a list has.
func (w *walker) listHead() (n uint64, kind byte) {
	head := w.byte()
	if n = uint64(head >> 4); n == 15 {
		n = w.uvarint()
	}
	return n, head & 15
}

// list reads how many elements a list of structures has, each of which takes at least so many
// bytes. Elements for which there are not enough bytes are an error before any of them is read.
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

// walkAll walks over n elements, or pairs of them.
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
