package modelfile

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/text"
)

// A ubjsonParser reads a UBJSON document (ubjson.org, draft 12).
type ubjsonParser struct {
	data []byte
	at   int
}

// ParseUBJSON returns the document that data holds.
func ParseUBJSON(data []byte) (Node, error) {
	p := &ubjsonParser{data: data}
	marker, err := p.marker()
	if err != nil {
		return Node{}, err
	}
	v, err := p.value(marker, 0)
	if err != nil {
		return Node{}, err
	}
	if p.at < len(data) {
		return Node{}, p.errorf("%d bytes after the end of the document", len(data)-p.at)
	}
	return Node{"", v, new(error)}, nil
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

// peek returns the next byte, 0 at the end.
func (p *ubjsonParser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

// IsUBJSON reports whether data begin an object in UBJSON, which is none in JSON.
func IsUBJSON(data []byte) bool {
	return len(data) > 1 && data[0] == '{' &&
		(ubjsonSize(data[1]) > 0 || data[1] == '$' || data[1] == '#' || data[1] == 'N')
}

// ubjsonSize returns the bytes of a number, 0 for the marker of anything else.
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

// ubjsonNumber returns a number as text. Floats have as many digits as it takes to read the same
// bits back.
func ubjsonNumber(marker byte, b []byte) string {
	switch marker {
	case 'U':
		return strconv.Itoa(int(b[0]))
	case 'd':
		return strconv.FormatFloat(float64(math.Float32frombits(binary.BigEndian.Uint32(b))), 'g', -1, 32)
	case 'D':
		return strconv.FormatFloat(math.Float64frombits(binary.BigEndian.Uint64(b)), 'g', -1, 64)
	}
	return strconv.FormatInt(ubjsonInt(marker, b), 10)
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

// length returns a length, which is a whole number with its marker. What it counts takes at least
// size bytes each.
func (p *ubjsonParser) length(size int) (int, error) {
	marker, err := p.marker()
	if err != nil {
		return 0, err
	}
	bytes := ubjsonSize(marker)
	if bytes == 0 || marker == 'd' || marker == 'D' {
		p.at--
		return 0, p.errorf("%q where a length should stand", marker)
	}
	b, err := p.take(bytes)
	if err != nil {
		return 0, err
	}
	n := ubjsonInt(marker, b)
	if n < 0 || n > int64((len(p.data)-p.at)/size) {
		return 0, p.errorf("%d elements in the %d bytes that are left", n, len(p.data)-p.at)
	}
	return int(n), nil
}

func (p *ubjsonParser) string() (string, error) {
	n, err := p.length(1)
	if err != nil {
		return "", err
	}
	b, err := p.take(n)
	if err == nil && !utf8.Valid(b) {
		return "", p.errorf("%q is not UTF-8", text.Excerpt(string(b)))
	}
	return string(b), err
}

func (p *ubjsonParser) value(marker byte, depth int) (any, error) {
	if depth > maxDepth {
		return nil, p.errorf("more than %d arrays and objects within each other", maxDepth)
	}
	if size := ubjsonSize(marker); size > 0 {
		b, err := p.take(size)
		if err != nil {
			return nil, err
		}
		return Number(ubjsonNumber(marker, b)), nil
	}
	switch marker {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	case 'S':
		return p.string()
	case 'C':
		b, err := p.take(1)
		return string(b), err
	case 'T':
		return true, nil
	case 'F':
		return false, nil
	case 'Z':
		return nil, nil
	}
	p.at--
	return nil, p.errorf("%q is no marker of a value that models have", marker)
}

// container reads what an array or object may begin with: the type of all elements (0 when each has
// its own) and their number (−1 when an end marker follows them). overhead is how many bytes an
// element takes at least beside its value.
func (p *ubjsonParser) container(overhead int) (marker byte, n int, err error) {
	size := 1
	if p.peek() == '$' {
		p.at++
		b, err := p.take(1)
		if err != nil {
			return 0, 0, err
		}
		marker = b[0]
		if size = ubjsonSize(marker); size == 0 { // others may take no byte at all
			return 0, 0, p.errorf("an array of the type %q", marker)
		}
		if p.peek() != '#' {
			return 0, 0, p.errorf("a type without a length")
		}
	}
	if p.peek() != '#' {
		return 0, -1, nil
	}
	p.at++
	n, err = p.length(size + overhead)
	return marker, n, err
}

func (p *ubjsonParser) object(depth int) (any, error) {
	typed, n, err := p.container(2)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for n < 0 || len(out) < n {
		for p.peek() == 'N' {
			p.at++
		}
		if n < 0 && p.peek() == '}' {
			p.at++
			break
		}
		key, err := p.string()
		if err != nil {
			return nil, err
		}
		if _, ok := out[key]; ok {
			return nil, p.errorf("%q is there twice", text.Excerpt(key))
		}
		marker := typed
		if marker == 0 {
			if marker, err = p.marker(); err != nil {
				return nil, err
			}
		}
		if out[key], err = p.value(marker, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *ubjsonParser) array(depth int) (any, error) {
	typed, n, err := p.container(0)
	if err != nil {
		return nil, err
	}
	if typed != 0 {
		b, err := p.take(n * ubjsonSize(typed))
		return byteNumbers{typed, b}, err
	}
	out := []any{}
	for n < 0 || len(out) < n {
		marker, err := p.marker()
		if err != nil {
			return nil, err
		}
		if n < 0 && marker == ']' {
			break
		}
		v, err := p.value(marker, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// byteNumbers are numbers of one type.
type byteNumbers struct {
	marker byte
	data   []byte
}

func (b byteNumbers) len() int { return len(b.data) / ubjsonSize(b.marker) }

func (b byteNumbers) each(f func(i int, text string) error) error {
	size := ubjsonSize(b.marker)
	for i := range b.len() {
		if err := f(i, ubjsonNumber(b.marker, b.data[i*size:])); err != nil {
			return err
		}
	}
	return nil
}

// AppendUBJSON appends a value of a document in UBJSON. Members of objects come in the order of
// their names. An array of nothing but numbers is of the type, a marker, that typeOf returns for
// the member that it is, and where that is 0 its elements have types of their own. Numbers whose
// text has a point, an exponent or a word are float32, others the shortest integer of l and L.
func AppendUBJSON(b []byte, n Node, typeOf func(key string) byte) ([]byte, error) {
	b = appendUBJSON(b, n, "", typeOf)
	return b, n.Err()
}

func appendUBJSON(b []byte, n Node, key string, typeOf func(key string) byte) []byte {
	switch v := n.Value.(type) {
	case nil:
		return append(b, 'Z')
	case bool:
		if v {
			return append(b, 'T')
		}
		return append(b, 'F')
	case string:
		return appendUBJSONText(append(b, 'S'), v)
	case Number:
		marker := byte('l')
		if strings.ContainsAny(string(v), ".eEINn") {
			marker = 'd'
		} else if i, err := strconv.ParseInt(string(v), 10, 64); err == nil && int64(int32(i)) != i {
			marker = 'L'
		}
		return appendUBJSONNumber(append(b, marker), n, string(v), marker)
	case map[string]any:
		b = append(b, '{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b = appendUBJSON(appendUBJSONText(b, key), n.Get(key), key, typeOf)
		}
		return append(b, '}')
	}
	if list, ok := n.Value.(numbers); ok && typeOf(key) != 0 {
		b = append(b, '[', '$', typeOf(key), '#', 'L')
		b = binary.BigEndian.AppendUint64(b, uint64(list.len()))
		n.Fail(list.each(func(_ int, text string) error {
			b = appendUBJSONNumber(b, n, text, typeOf(key))
			return nil
		}))
		return b
	}
	b = append(b, '[')
	for _, e := range n.List() {
		b = appendUBJSON(b, e, "", typeOf)
	}
	return append(b, ']')
}

func appendUBJSONText(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint64(append(b, 'L'), uint64(len(s))), s...)
}

// appendUBJSONNumber appends a number of a type without its marker.
func appendUBJSONNumber(b []byte, n Node, text string, marker byte) []byte {
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
