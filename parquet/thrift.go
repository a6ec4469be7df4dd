package parquet

import (
	"encoding/binary"
	"errors"
	"math"
)

var (
	errMalformed = errors.New("malformed data")
	errShort     = errors.New("malformed data: they end early")
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
	for w.err == nil {
		head := w.byte()
		kind := head & 15
		if head == typeStop {
			return
		}
		if head>>4 == 0 {
			w.uvarint() // the number of the field
		}
		if kind == typeTrue || kind == typeFalse {
			continue // the value is in the type
		}
		w.walk(kind, depth+1)
	}
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
		head := w.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = w.uvarint()
		}
		w.walkAll(n, depth, head&15)
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
