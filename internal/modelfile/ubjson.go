package modelfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
)

// A ubjsonParser reads a UBJSON document (ubjson.org, draft 12).
type ubjsonParser struct {
	data []byte
	at   int
	doc  *document
}

// ParseUBJSON is like [ParseJSON] but for UBJSON.
func ParseUBJSON(data []byte, budget *files.Budget) (Node, error) {
	p := &ubjsonParser{data: data, doc: newDocument(data, true, budget)}
	marker, err := p.marker()
	if err != nil {
		return Node{}, err
	}
	if err := p.value(entry{marker: marker}, p.at-1, 0); err != nil {
		return Node{}, err
	}
	if p.at < len(data) {
		return Node{}, p.errorf("found %d unexpected bytes after the end of the document", len(data)-p.at)
	}
	return p.doc.node(0), nil
}

func (p *ubjsonParser) errorf(format string, args ...any) error {
	return fmt.Errorf("byte %d: %w", p.at+1, fmt.Errorf(format, args...))
}

// take returns the next n bytes.
func (p *ubjsonParser) take(n int) ([]byte, error) {
	if n > len(p.data)-p.at {
		return nil, p.errorf("the file ends within a value of %d bytes", n)
	}
	b := p.data[p.at : p.at+n]
	p.at += n
	return b, nil
}

// marker returns the marker of the next value.
func (p *ubjsonParser) marker() (byte, error) {
	for {
		b, err := p.take(1)
		if err != nil {
			return 0, err
		}
		if b[0] != 'N' {
			return b[0], nil
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (p *ubjsonParser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

// IsUBJSON reports whether data starts with a UBJSON object that is not a JSON object.
func IsUBJSON(data []byte) bool {
	return len(data) > 1 && data[0] == '{' &&
		(ubjsonSize(data[1]) > 0 || data[1] == '$' || data[1] == '#' || data[1] == 'N')
}

// ubjsonSize returns the size of a number with the given marker, or 0 for other markers.
func ubjsonSize(marker byte) int {
	switch marker {
	case 'i', 'U':
		return 1
	case 'I':
		return 2
	case 'l', 'd':
		return 4
	case 'L', 'D':
		return 8
	}
	return 0
}

// appendNumber appends a number as text. Floats have the fewest digits that restore them exactly.
func appendNumber(text []byte, marker byte, b []byte) []byte {
	switch marker {
	case 'd':
		return strconv.AppendFloat(text, float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 'g', -1, 32)
	case 'D':
		return strconv.AppendFloat(text, math.Float64frombits(binary.BigEndian.Uint64(b)), 'g', -1, 64)
	}
	return strconv.AppendInt(text, ubjsonInt(marker, b), 10)
}

func ubjsonInt(marker byte, b []byte) int64 {
	switch marker {
	case 'i':
		return int64(int8(b[0]))
	case 'U':
		return int64(b[0])
	case 'I':
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 'l':
		return int64(int32(binary.BigEndian.Uint32(b)))
	}
	return int64(binary.BigEndian.Uint64(b))
}

// length returns a length, which is a whole number with its marker. Each counted element needs at
// least size bytes.
func (p *ubjsonParser) length(size int) (int, error) {
	marker, err := p.marker()
	if err != nil {
		return 0, err
	}
	bytes := ubjsonSize(marker)
	if bytes == 0 || marker == 'd' || marker == 'D' {
		p.at--
		return 0, p.errorf("found %q, expected a length", marker)
	}
	b, err := p.take(bytes)
	if err != nil {
		return 0, err
	}
	n := ubjsonInt(marker, b)
	if n < 0 || n > int64((len(p.data)-p.at)/size) {
		return 0, p.errorf("%d elements do not fit into the remaining %d bytes", n, len(p.data)-p.at)
	}
	return int(n), nil
}

func (p *ubjsonParser) string() ([]byte, error) {
	n, err := p.length(1)
	if err != nil {
		return nil, err
	}
	b, err := p.take(n)
	if err == nil && !utf8.Valid(b) {
		return nil, p.errorf("%q is not UTF-8", text.Excerpt(b))
	}
	return b, err
}

// value adds a value to the document; at is the position of its entry.
func (p *ubjsonParser) value(e entry, at, depth int) error {
	if depth > maxDepth {
		return p.tooDeep()
	}
	switch e.marker {
	case '{':
		e.kind = object
		return p.object(e, at, depth)
	case '[':
		return p.array(e, at, depth)
	}
	s, err := p.scalar(e.marker)
	if err == nil {
		e.kind = s.kind
		_, err = p.doc.add(e, at)
	}
	return err
}

func (p *ubjsonParser) tooDeep() error {
	return p.errorf("arrays and objects are nested more than %d deep", maxDepth)
}

// scalar returns the value with the given marker, which must not be an array or object.
func (p *ubjsonParser) scalar(marker byte) (s scalar, err error) {
	s.marker = marker
	if size := ubjsonSize(marker); size > 0 {
		s.kind = number
		s.raw, err = p.take(size)
		return s, err
	}
	switch marker {
	case 'S':
		s.kind = str
		s.raw, err = p.string()
	case 'C':
		s.kind = str
		s.raw, err = p.take(1)
	case 'T', 'F':
		s.kind = boolean
	case 'Z':
		s.kind = null
	default:
		p.at--
		return s, p.errorf("%q is not a supported type marker", marker)
	}
	return s, err
}

// container reads the optional header of an array or object: the type of all elements (0 if each
// has its own) and their number (−1 if an end marker follows them). overhead is the minimum number
// of bytes per element in addition to its value.
func (p *ubjsonParser) container(overhead int) (marker byte, n int, err error) {
	size := 1
	if p.peek() == '$' {
		p.at++
		b, err := p.take(1)
		if err != nil {
			return 0, 0, err
		}
		marker = b[0]
		if size = ubjsonSize(marker); size == 0 { // other types may need no bytes at all
			return 0, 0, p.errorf("arrays of type %q are not supported", marker)
		}
		if p.peek() != '#' {
			return 0, 0, p.errorf("a type must be followed by a length")
		}
	}
	if p.peek() != '#' {
		return 0, -1, nil
	}
	p.at++
	n, err = p.length(size + overhead)
	return marker, n, err
}

func (p *ubjsonParser) object(e entry, at, depth int) error {
	i, err := p.doc.add(e, at)
	if err != nil {
		return err
	}
	typed, n, err := p.container(2)
	if err != nil {
		return err
	}
	m := names{of: i}
	for k := 0; n < 0 || k < n; k++ {
		for p.peek() == 'N' {
			p.at++
		}
		if n < 0 && p.peek() == '}' {
			p.at++
			break
		}
		at := p.at
		name, err := p.string()
		if err != nil {
			return err
		}
		again, err := m.add(p.doc, name, false)
		if again {
			return p.errorf("the field %q appears twice", text.Excerpt(name))
		}
		if err != nil {
			return err
		}
		e := entry{marker: typed, flags: isMember | isBare}
		if typed == 0 {
			if e.marker, err = p.marker(); err != nil {
				return err
			}
			e.flags = isMember
		}
		if err := p.value(e, at, depth+1); err != nil {
			return err
		}
	}
	p.doc.close(i)
	return nil
}

func (p *ubjsonParser) array(e entry, at, depth int) error {
	start := p.at
	typed, n, err := p.container(0)
	if err != nil {
		return err
	}
	if typed != 0 {
		if _, err = p.take(n * ubjsonSize(typed)); err != nil {
			return err
		}
		return p.doc.addArray(e, at, numbers, n)
	}
	count, all, err := p.scalars(n, depth)
	if err != nil {
		return err
	}
	if all {
		return p.doc.addArray(e, at, scalars, count)
	}
	p.at = start
	p.container(0)
	e.kind = array
	i, err := p.doc.add(e, at)
	if err != nil {
		return err
	}
	for k := 0; n < 0 || k < n; k++ {
		marker, err := p.marker()
		if err != nil {
			return err
		}
		if n < 0 && marker == ']' {
			break
		}
		if err := p.value(entry{marker: marker}, p.at-1, depth+1); err != nil {
			return err
		}
	}
	p.doc.close(i)
	return nil
}

// scalars skips n values of an array, or all values up to its end if n is negative. It stops before
// the first array or object. It returns the number of skipped values, and whether these were all.
func (p *ubjsonParser) scalars(n, depth int) (count int, all bool, err error) {
	for ; n < 0 || count < n; count++ {
		marker, err := p.marker()
		if err != nil {
			return 0, false, err
		}
		switch {
		case n < 0 && marker == ']':
			return count, true, nil
		case depth == maxDepth:
			return 0, false, p.tooDeep()
		case marker == '[' || marker == '{':
			return 0, false, nil
		}
		if _, err := p.scalar(marker); err != nil {
			return 0, false, err
		}
	}
	return count, true, nil
}

// AppendUBJSON appends a value of a document as UBJSON. Members of objects are sorted by name. An
// array of numbers has the element type that typeOf returns for its member name, as a marker. If
// typeOf returns 0, each element has its own type. A number whose text has a point, an exponent or
// a word is float32. Other numbers are the shorter of the integer types l and L that fits.
func AppendUBJSON(b []byte, n Node, typeOf func(key string) byte) ([]byte, error) {
	b = appendUBJSON(b, n, "", typeOf)
	return b, n.Err()
}

func appendUBJSON(b []byte, n Node, key string, typeOf func(key string) byte) []byte {
	switch n.kind {
	case absent, null:
		return append(b, 'Z')
	case boolean:
		if n.isTrue() {
			return append(b, 'T')
		}
		return append(b, 'F')
	case str:
		return appendUBJSONText(append(b, 'S'), n.text(nil))
	case number:
		digits := n.text(nil)
		marker := byte('l')
		if bytes.ContainsAny(digits, ".eEINn") {
			marker = 'd'
		} else if i, err := strconv.ParseInt(string(digits), 10, 64); err == nil && int64(int32(i)) != i {
			marker = 'L'
		}
		return appendUBJSONNumber(append(b, marker), n, digits, marker)
	case object:
		b = append(b, '{')
		for key, e := range n.Members() {
			b = appendUBJSON(appendUBJSONText(b, []byte(key)), e, key, typeOf)
		}
		return append(b, '}')
	}
	if n.kind == numbers && typeOf(key) != 0 {
		b = append(b, '[', '$', typeOf(key), '#', 'L')
		b = binary.BigEndian.AppendUint64(b, uint64(n.Len()))
		var digits [32]byte
		n.doc.each(n, func(_ int, s scalar) bool {
			b = appendUBJSONNumber(b, n, s.text(digits[:]), typeOf(key))
			return true
		})
		return b
	}
	b = append(b, '[')
	for _, e := range n.List() {
		b = appendUBJSON(b, e, "", typeOf)
	}
	return append(b, ']')
}

func appendUBJSONText(b, s []byte) []byte {
	return append(binary.BigEndian.AppendUint64(append(b, 'L'), uint64(len(s))), s...)
}

// appendUBJSONNumber appends a number of the given type without its marker.
func appendUBJSONNumber(b []byte, n Node, text []byte, marker byte) []byte {
	if marker == 'd' {
		v, err := parse32(text)
		if err != nil {
			n.Failf("%w", err)
		}
		return binary.BigEndian.AppendUint32(b, math.Float32bits(v))
	}
	size := ubjsonSize(marker)
	lo, hi := int64(-1)<<(8*size-1), int64(uint64(1)<<(8*size-1)-1)
	if marker == 'U' {
		lo, hi = 0, math.MaxUint8
	}
	v, err := ParseWhole(text, lo, hi)
	if err != nil {
		n.Failf("%w", err)
	}
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(v>>(8*i)))
	}
	return b
}
