// Package datafile reads and writes simdrank's binary data files (.simdrank). Such a file contains
// a dataset that can be memory-mapped and used in place. The file docs/reference/data-format.md
// specifies the format.
package datafile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
)

// magic is the first 8 bytes of every data file.
const magic = "\x89SDR\r\n\x1a\n"

// IsData reports whether content is a data file. It requires at least the first 8 bytes.
func IsData(start []byte) bool { return bytes.HasPrefix(start, []byte(magic)) }

const (
	version    = 1
	headerSize = 64
	entrySize  = 24
	alignment  = 64   // alignment of sections
	pageAlign  = 4096 // alignment of dense features and sparse values
	checksumAt = 12
)

// A kind is the type of a section's content.
type kind uint32

const (
	denseFeatures kind = 1 + iota
	rowOffsets
	columns
	values
	labels
	queryOffsets
	queryIDEnds
	queryIDText
	docIDEnds
	docIDText
	rowWeights
	queryWeights
	positions
	nameEnds
	nameText
	textColumns
	listEnds
	categoryEnds
	categoryText

	kinds = iota
)

func (k kind) String() string {
	return [...]string{"dense features", "row offsets", "columns", "values", "labels", "query offsets",
		"query ID ends", "query ID texts", "document ID ends", "document ID texts", "row weights", "query weights",
		"positions", "column name ends", "column name texts", "text columns", "category list ends",
		"category ends", "category texts"}[k-1]
}

// categoryKinds are the sections of text categories, which occur together.
var categoryKinds = []kind{textColumns, listEnds, categoryEnds, categoryText}

// A section is an entry of the section table.
type section struct {
	kind         kind
	offset, size uint64
}

// A header is the start of a data file: the first 64 bytes and the section table.
type header struct {
	size, rows, queries, cols, absent uint64
	sections                          []section // in ascending order of offset
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the bytes of the header.
func (h *header) encode() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte(magic), version)
	b = le.AppendUint32(b, 0)
	for _, v := range []uint64{h.size, h.rows, h.queries, h.cols, h.absent, uint64(len(h.sections))} {
		b = le.AppendUint64(b, v)
	}
	for _, s := range h.sections {
		for _, v := range []uint64{uint64(s.kind), s.offset, s.size} {
			b = le.AppendUint64(b, v)
		}
	}
	le.PutUint32(b[checksumAt:], crc32.Checksum(b, castagnoli))
	return b
}

// readHeader reads and checks the header. It also returns the bytes of the header. size is the file
// size, or −1 if the size is unknown.
func readHeader(r io.Reader, size int64) (*header, []byte, error) {
	b := make([]byte, headerSize, headerSize+kinds*entrySize)
	n, err := io.ReadFull(r, b)
	switch {
	case err != nil && err != io.ErrUnexpectedEOF && err != io.EOF:
		return nil, nil, err
	case n < len(magic) || !IsData(b):
		return nil, nil, errors.New("the file is not a simdrank data file: its first bytes differ")
	case err != nil:
		return nil, nil, fmt.Errorf("the file is truncated: it contains %d bytes, but a data file contains at least %d", n, headerSize)
	}
	le := binary.LittleEndian
	if v := le.Uint32(b[8:]); v != version {
		return nil, nil, fmt.Errorf("data file version %d is not supported; this release reads version %d", v, version)
	}
	h := &header{size: le.Uint64(b[16:]), rows: le.Uint64(b[24:]), queries: le.Uint64(b[32:]),
		cols: le.Uint64(b[40:]), absent: le.Uint64(b[48:])}
	sections := le.Uint64(b[56:])
	if sections > kinds {
		return nil, nil, fmt.Errorf("the header is damaged: it has %d sections, but at most %d are allowed", sections, kinds)
	}
	b = b[:headerSize+entrySize*sections]
	if n, err := io.ReadFull(r, b[headerSize:]); err != nil {
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, nil, err
		}
		return nil, nil, truncated(uint64(headerSize+n), h.size)
	}
	sum := le.Uint32(b[checksumAt:])
	le.PutUint32(b[checksumAt:], 0)
	if got := crc32.Checksum(b, castagnoli); got != sum {
		return nil, nil, fmt.Errorf("the header is damaged: its checksum is %08x, but it records %08x", got, sum)
	}
	le.PutUint32(b[checksumAt:], sum)
	switch {
	case size >= 0 && uint64(size) < h.size:
		return nil, nil, truncated(uint64(size), h.size)
	case size >= 0 && uint64(size) > h.size:
		return nil, nil, fmt.Errorf("the file contains %d bytes, but its header records %d", size, h.size)
	}
	for i := range sections {
		e := b[headerSize+entrySize*i:]
		if k := le.Uint64(e); k < 1 || k > kinds {
			return nil, nil, fmt.Errorf("section %d has the kind %d, which is unknown in version %d", i, k, version)
		}
		h.sections = append(h.sections, section{kind(le.Uint32(e)), le.Uint64(e[8:]), le.Uint64(e[16:])})
	}
	return h, b, h.check()
}

func truncated(have, want uint64) error {
	return fmt.Errorf("the file is truncated: it contains %d of %d bytes", have, want)
}

// check returns an error unless each required section is present once, has the size that the counts
// in the header imply, and lies within the file without overlapping another section.
func (h *header) check() error {
	stride := (h.cols + 15) &^ 15
	var found [kinds + 1]bool
	end := uint64(headerSize + entrySize*len(h.sections))
	for _, s := range h.sections {
		switch {
		case found[s.kind]:
			return fmt.Errorf("two sections contain the %v", s.kind)
		case s.offset%alignment != 0 || s.offset < end || s.size > h.size || s.offset > h.size-s.size:
			return fmt.Errorf("the %v are in bytes %d to %d, which is not a valid range in a file of %d bytes", s.kind, s.offset,
				s.offset+s.size, h.size)
		}
		found[s.kind] = true
		end = s.offset + s.size
	}
	if h.cols > modelfile.LargestMaxFeature || max(h.rows, h.queries, stride) > math.MaxInt-1 {
		return fmt.Errorf("the header is damaged: %d rows, %d queries and %d columns exceed the limits of the format", h.rows, h.queries, h.cols)
	}
	if hi, all := bits.Mul64(h.rows, h.cols); hi == 0 && h.absent > all || h.absent > math.MaxInt64 {
		return fmt.Errorf("%d absent values exceed the size of %d rows × %d columns", h.absent, h.rows, h.cols)
	}
	must := []kind{labels, queryOffsets, queryIDEnds, queryIDText}
	if found[denseFeatures] {
		if found[rowOffsets] || found[columns] || found[values] {
			return errors.New("the features are both dense and sparse")
		}
	} else {
		must = append(must, rowOffsets, columns, values)
	}
	for _, together := range [][]kind{{docIDEnds, docIDText}, {nameEnds, nameText}, categoryKinds} {
		if slices.ContainsFunc(together, func(k kind) bool { return found[k] }) {
			must = append(must, together...)
		}
	}
	for _, k := range must {
		if !found[k] {
			return fmt.Errorf("the section with the %v is missing", k)
		}
	}
	var n, texts uint64 // values and text columns
	for _, s := range h.sections {
		switch s.kind {
		case values:
			n = s.size / 4
		case textColumns:
			texts = min(s.size/4, h.cols)
		}
	}
	for _, s := range h.sections {
		count, wide := uint64(0), uint64(8)
		switch s.kind {
		case denseFeatures:
			hi, elements := bits.Mul64(h.rows, stride)
			if count, wide = elements, 4; hi > 0 {
				count = math.MaxUint64
			}
		case rowOffsets:
			count = h.rows + 1
		case columns, values:
			count, wide = n, 4
		case labels, docIDEnds, rowWeights:
			count = h.rows
		case queryOffsets:
			count = h.queries + 1
		case queryIDEnds, queryWeights:
			count = h.queries
		case positions:
			count, wide = h.rows, 4
		case nameEnds:
			count = h.cols
		case textColumns:
			count, wide = texts, 4
		case listEnds:
			count = texts
		case categoryEnds:
			count = s.size / 8
		default:
			count, wide = s.size, 1
		}
		if s.size%wide != 0 || s.size/wide != count {
			return fmt.Errorf("the %v have %d bytes, which do not match %d rows, %d queries and %d columns", s.kind, s.size, h.rows,
				h.queries, h.cols)
		}
	}
	return nil
}

// native is true if the processor is little-endian, so that the numbers of a file can be used in
// place.
var native = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// An element is a type of the numbers in a section.
type element interface {
	int32 | uint64 | float32 | float64
}

// bytesOf returns the memory of s as bytes, without copying.
func bytesOf[T element | int](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// validate returns an error if d is invalid or too large for a data file.
func validate(d *rank.Dataset) error {
	if d.Cols > modelfile.LargestMaxFeature {
		return errs.Errorf("datafile", "%d columns exceed the limit of %d", d.Cols, modelfile.LargestMaxFeature)
	}
	if d.Pairs != nil {
		return errs.New("datafile", "Pairs of a dataset are not supported")
	}
	return d.Validate()
}
