package vectorfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unsafe"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/vectors"
)

// npyMagic is the start of an .npy file. A version of two bytes and the length of the header
// follow. The length has 2 bytes in version 1, and 4 bytes in versions 2 and 3. Version 3 also
// allows more characters in field names.
const npyMagic = "\x93NUMPY"

// longestHeader is the maximum length of a header. It is far above the length of headers of numeric
// arrays, and above NumPy's own limit of 10000.
const longestHeader = 1 << 16

var errEndsInHeader = errors.New("the header is truncated")

// parseNPY parses the .npy format, which numpy.lib.format specifies.
func parseNPY(b []byte) (*File, error) {
	le := binary.LittleEndian
	if len(b) < 10 {
		return nil, errEndsInHeader
	}
	start, length := 10, uint32(le.Uint16(b[8:]))
	switch major, minor := b[6], b[7]; {
	case major == 2 || major == 3:
		if len(b) < 12 {
			return nil, errEndsInHeader
		}
		start, length = 12, le.Uint32(b[8:])
	case major != 1:
		return nil, fmt.Errorf(".npy version %d.%d is not supported; it must be 1, 2 or 3", major, minor)
	}
	if length > longestHeader {
		return nil, fmt.Errorf("the header has %d bytes; it must have at most %d", length, longestHeader)
	}
	if len(b)-start < int(length) {
		return nil, errEndsInHeader
	}
	text, data := strings.TrimSpace(string(b[start:][:length])), b[start+int(length):]
	h, err := parseHeader(text)
	if err != nil {
		return nil, fmt.Errorf("invalid header %.200q: %w", text, err)
	}
	f, err := h.file(data)
	if err != nil {
		return nil, fmt.Errorf("invalid header %.200q: %w", text, err)
	}
	return f, nil
}

// A header is the content of an .npy file's header.
type header struct {
	descr   string
	fortran bool
	shape   []uint64
}

// parseHeader parses a Python dictionary literal with the three keys of an .npy header.
func parseHeader(text string) (h header, err error) {
	p := literal(text)
	seen := map[string]bool{}
	if !p.take("{") {
		return h, errors.New("the header is not a dictionary")
	}
	for !p.take("}") {
		key, ok := p.quoted()
		if !ok || !p.take(":") {
			return h, fmt.Errorf("missing key at %.20q", p)
		}
		if seen[key] {
			return h, fmt.Errorf("duplicate key %q", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			if h.descr, ok = p.quoted(); !ok {
				return h, errors.New("elements must be numbers, not records")
			}
		case "fortran_order":
			if h.fortran = p.take("True"); !h.fortran && !p.take("False") {
				return h, fmt.Errorf("fortran_order must be True or False at %.20q", p)
			}
		case "shape":
			if h.shape, ok = p.numbers(); !ok {
				return h, fmt.Errorf("shape must be a tuple of numbers at %.20q", p)
			}
		default:
			return h, fmt.Errorf("unknown key %q", key)
		}
		if !p.take(",") && !strings.HasPrefix(strings.TrimLeft(string(p), " \t\n"), "}") {
			return h, fmt.Errorf("missing comma at %.20q", p)
		}
	}
	if strings.TrimSpace(string(p)) != "" {
		return h, fmt.Errorf("unexpected text after the dictionary: %.20q", p)
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return h, fmt.Errorf("missing key %q", key)
		}
	}
	return h, nil
}

// A literal is the unparsed part of a Python literal.
type literal string

// take skips white space. If the literal continues with word, take also skips the word and returns
// true.
func (p *literal) take(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(string(*p), " \t\n"), word)
	if ok {
		*p = literal(rest)
	}
	return ok
}

// quoted parses a string without escapes.
func (p *literal) quoted() (string, bool) {
	for _, quote := range []string{"'", `"`} {
		if rest := *p; rest.take(quote) {
			s, rest, ok := strings.Cut(string(rest), quote)
			if ok = ok && !strings.Contains(s, `\`); ok {
				*p = literal(rest)
			}
			return s, ok
		}
	}
	return "", false
}

// numbers parses a tuple of numbers.
func (p *literal) numbers() (tuple []uint64, ok bool) {
	if !p.take("(") {
		return nil, false
	}
	for !p.take(")") {
		text := strings.TrimLeft(string(*p), " \t\n")
		n := len(text) - len(strings.TrimLeft(text, "0123456789"))
		v, err := strconv.ParseUint(text[:n], 10, 64)
		if err != nil {
			return nil, false
		}
		tuple, *p = append(tuple, v), literal(text[n:])
		p.take("L") // Python 2 writes long integers with the suffix L
		if !p.take(",") && !strings.HasPrefix(strings.TrimLeft(string(*p), " \t\n"), ")") {
			return nil, false
		}
	}
	return tuple, true
}

// file returns the array that has this header and the given data.
func (h *header) file(data []byte) (*File, error) {
	rows, cols := uint64(1), uint64(0)
	switch len(h.shape) {
	case 1:
		cols = h.shape[0]
	case 2:
		rows, cols = h.shape[0], h.shape[1]
	default:
		return nil, fmt.Errorf("the array has %d dimensions; it must have 1 or 2", len(h.shape))
	}
	if h.fortran && rows > 1 && cols > 1 {
		return nil, errors.New("arrays in Fortran order are not supported: use C order")
	}
	read := map[string]func([]byte, binary.ByteOrder) any{
		"f8": view[float64], "f4": view[float32], "f2": view[vectors.F16], "i1": view[int8], "u1": view[uint8],
		"i4": view[int32], "i8": view[int64], "u8": view[uint64],
	}[strings.TrimLeft(h.descr, "<>|=")]
	if read == nil || len(h.descr) != 3 {
		return nil, fmt.Errorf("element type %q is not supported: use float64, float32, float16, int8 or uint8, "+
			"uint64 for bits, or int32 or int64 for IDs", h.descr)
	}
	if err := checkSize(rows, cols, uint64(h.descr[2]-'0'), len(data)); err != nil {
		return nil, err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if h.descr[0] == '>' {
		order = binary.BigEndian
	}
	return &File{Data: read(data, order), Rows: int(rows), Cols: int(cols), Stride: int(cols)}, nil
}

// checkSize returns an error unless data has the length in bytes of a matrix with the given numbers
// of rows and columns. size is the size of an element.
func checkSize(rows, cols, size uint64, data int) error {
	hi, n := bits.Mul64(rows, cols)
	hi2, bytes := bits.Mul64(n, size)
	if hi != 0 || hi2 != 0 || bytes != uint64(data) {
		return fmt.Errorf("%d × %d elements of %d bytes do not match the %d bytes of data", rows, cols, size, data)
	}
	if max(rows, cols) > maxInt {
		return fmt.Errorf("%d rows and %d columns exceed the address space", rows, cols)
	}
	return nil
}

const maxInt = 1<<(strconv.IntSize-1) - 1

// An element is one of the types of [File.Data].
type element interface {
	float64 | float32 | vectors.F16 | int8 | uint8 | int32 | int64 | uint64
}

// view returns the elements in b, like [memory.View].
func view[T element](b []byte, order binary.ByteOrder) any { return memory.View[T](b, order) }

// parseBin parses the binary format of big-ann-benchmarks: the numbers of rows and columns as
// uint32, followed by the rows.
func parseBin[T float32 | int8 | uint8 | int32](b []byte) (*File, error) {
	le := binary.LittleEndian
	if len(b) < 8 {
		return nil, errEndsInHeader
	}
	rows, cols, data := uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), b[8:]
	if err := checkSize(rows, cols, uint64(unsafe.Sizeof(*new(T))), len(data)); err != nil {
		return nil, err
	}
	return &File{Data: view[T](data, le), Rows: int(rows), Cols: int(cols), Stride: int(cols)}, nil
}

// parseIDs parses int32 like parseBin. If the rows are followed by as many float32, which are the
// distances of neighbors, it ignores the latter. A .bin file must have this form, because its name
// does not define a type.
func parseIDs(b []byte, ext string) (*File, error) {
	le, pairs := binary.LittleEndian, false
	if len(b) >= 8 {
		pairs = checkSize(uint64(le.Uint32(b)), uint64(le.Uint32(b[4:])), 8, len(b)-8) == nil
	}
	switch {
	case pairs:
		b = b[:8+(len(b)-8)/2]
	case ext == ".bin":
		return nil, errors.New("a .bin file must contain neighbor IDs and their distances (rename vectors to .fbin, .u8bin or .i8bin)")
	}
	return parseBin[int32](b)
}

// parseVecs parses rows that each start with the number of their elements, an int32. The number
// must be the same for all rows.
func parseVecs[T float32 | uint8 | int32](b []byte) (*File, error) {
	if len(b) == 0 {
		return nil, errors.New("the file is empty")
	}
	if len(b) < 4 {
		return nil, errEndsInHeader
	}
	le, size := binary.LittleEndian, uint64(unsafe.Sizeof(*new(T)))
	cols := le.Uint32(b)
	row := 4 + uint64(cols)*size
	if cols < 1 || cols > 1<<31-1 {
		return nil, fmt.Errorf("the number of elements in row 0 is %d; it must be at least 1", int32(cols))
	}
	if uint64(len(b))%row != 0 {
		return nil, fmt.Errorf("row 0 has %d elements, so each row must have %d bytes, but the file size %d is not a multiple of "+
			"%[2]d", cols, row, len(b))
	}
	rows := len(b) / int(row)
	for i := range rows {
		if n := le.Uint32(b[i*int(row):]); n != cols {
			return nil, fmt.Errorf("row %d has %d elements, but row 0 has %d", i, int32(n), cols)
		}
	}
	f := &File{Rows: rows, Cols: int(cols), Stride: int(row / size)}
	f.Data = view[T](b[4:], le)
	return f, nil
}
