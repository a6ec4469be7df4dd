package modelfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/text"
)

// A Node is a value of a JSON or UBJSON document and the path to it, which errors name. The value
// is one of map[string]any, []any, numbers, Number, string, bool and nil. Numbers stay text, or
// bytes, until they are asked for: so float32 and int64 are read without a detour, and what a
// document takes in memory is a small multiple of its length.
//
// Methods that read return zero values where they cannot, and [Node.Err] the first error of the
// document. So a reader of a model asks for it once, before it relies on what it has read.
type Node struct {
	Path  string
	Value any
	err   *error // of the document
}

// absent is the value of a member that is not there, or of a node that could not be read: reading
// it is no error.
type absent struct{}

// A Number is a JSON number, or one of the words NaN, Infinity and -Infinity.
type Number string

// numbers is an array that holds nothing else. each calls f with the text of each, until an error.
type numbers interface {
	len() int
	each(f func(i int, text string) error) error
}

// Err returns the first error of the document.
func (n Node) Err() error { return *n.err }

// Fail sets the error of the document, unless it has one or err is nil.
func (n Node) Fail(err error) {
	if *n.err == nil {
		*n.err = err
	}
}

// Failf is Fail for an error at the path of the node.
func (n Node) Failf(format string, args ...any) {
	if n.Err() == nil {
		n.Fail(n.errorf(format, args...))
	}
}

func (n Node) errorf(format string, args ...any) error {
	path := n.Path
	if path == "" {
		path = "the document"
	}
	return fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...))
}

// fails sets the error that the value is not what is wanted, unless the node is absent.
func (n Node) fails(want string) {
	if n.Value != (absent{}) {
		n.Failf("%s, want %s", n.kind(), want)
	}
}

// kind returns what errors call the value.
func (n Node) kind() string {
	switch v := n.Value.(type) {
	case map[string]any:
		return "an object"
	case []any, numbers:
		return "an array"
	case Number:
		return "the number " + text.Excerpt(string(v))
	case string:
		return fmt.Sprintf("the string %q", text.Excerpt(v))
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

// Has reports whether an object has a member that is not null.
func (n Node) Has(key string) bool {
	m, _ := n.Value.(map[string]any)
	return m[key] != nil
}

// HasKey reports whether an object has a member, which may be null.
func (n Node) HasKey(key string) bool {
	m, _ := n.Value.(map[string]any)
	_, ok := m[key]
	return ok
}

// Get returns a member of an object.
func (n Node) Get(key string) Node {
	if n.Value == (absent{}) {
		return n
	}
	if v, ok := n.object()[key]; ok {
		path := key
		if n.Path != "" {
			path = n.Path + "." + key
		}
		return Node{path, v, n.err}
	}
	n.Failf("no %q", key)
	return Node{n.Path, absent{}, n.err}
}

// Optional is Get for a member that may be absent or null, and then is read as a zero value.
func (n Node) Optional(key string) Node {
	if !n.Has(key) {
		return Node{n.Path, absent{}, n.err}
	}
	return n.Get(key)
}

func (n Node) object() map[string]any {
	m, ok := n.Value.(map[string]any)
	if !ok {
		n.fails("an object")
	}
	return m
}

// IsArray reports whether the value is an array.
func (n Node) IsArray() bool {
	switch n.Value.(type) {
	case []any, numbers:
		return true
	}
	return false
}

// List returns the elements of an array.
func (n Node) List() (list []Node) {
	switch v := n.Value.(type) {
	case []any:
		list = make([]Node, len(v))
		for i, e := range v {
			list[i] = n.element(i, e)
		}
	case numbers:
		list = make([]Node, 0, v.len())
		v.each(func(i int, text string) error {
			list = append(list, n.element(i, Number(text)))
			return nil
		})
	default:
		n.fails("an array")
	}
	return list
}

func (n Node) element(i int, v any) Node { return Node{n.Path + "[" + strconv.Itoa(i) + "]", v, n.err} }

// Text returns a string.
func (n Node) Text() string {
	s, ok := n.Value.(string)
	if !ok {
		n.fails("a string")
	}
	return s
}

// Texts returns an array of strings.
func (n Node) Texts() []string {
	list := n.List()
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Text()
	}
	return out
}

// TextsByName returns the members of an object, which are strings, by their names.
func (n Node) TextsByName() map[string]string {
	members := n.object()
	if members == nil {
		return nil
	}
	texts := make(map[string]string, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) { // so that errors name the first
		texts[name] = n.Get(name).Text()
	}
	return texts
}

// Number returns a number, or one in a string, as XGBoost writes its parameters.
func (n Node) Number() float64 { return one(n, "a number", parse64) }

// Number32 is Number for a float32.
func (n Node) Number32() float32 { return one(n, "a number", parse32) }

// Whole returns a whole number from lo to hi, which may stand in a string.
func (n Node) Whole(lo, hi int64) int64 { return one(n, "a whole number", whole(lo, hi)) }

// one returns a number, or one in a string, as parse reads it. want is what errors call it.
func one[T any](n Node, want string, parse func(text string) (T, error)) (v T) {
	digits, ok := n.Value.(string)
	if number, is := n.Value.(Number); is {
		digits, ok = string(number), true
	}
	if !ok {
		n.fails(want)
		return v
	}
	v, err := parse(digits)
	if err != nil {
		n.Failf("%w", err)
	}
	return v
}

func parse64(digits string) (float64, error) {
	v, err := text.ParseNumber(digits, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", text.Excerpt(digits))
	}
	return v, nil
}

func parse32(digits string) (float32, error) {
	v, err := text.ParseNumber(digits, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", text.Excerpt(digits))
	}
	return float32(v), nil
}

// whole returns a parser of whole numbers from lo to hi.
func whole(lo, hi int64) func(digits string) (int64, error) {
	return func(digits string) (int64, error) { return ParseWhole(digits, lo, hi) }
}

// ParseWhole parses a whole number from lo to hi.
func ParseWhole(digits string, lo, hi int64) (int64, error) {
	v, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || v < lo || v > hi {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text.Excerpt(digits), lo, hi)
	}
	return v, nil
}

// Elements returns an array of numbers as parse reads them. A number larger than its type is
// infinite.
func Elements[T any](n Node, parse func(text string) (T, error)) (out []T) {
	switch v := n.Value.(type) {
	case numbers:
		out = make([]T, 0, v.len())
		n.Fail(v.each(func(i int, text string) error {
			e, err := parse(text)
			if err != nil {
				return fmt.Errorf("element %d of %w", i, n.errorf("%w", err))
			}
			out = append(out, e)
			return nil
		}))
	case []any:
		out = make([]T, len(v))
		for i, e := range v {
			e := n.element(i, e)
			text, ok := e.Value.(Number)
			if !ok {
				e.fails("a number")
				break
			}
			var err error
			if out[i], err = parse(string(text)); err != nil {
				e.Failf("%w", err)
				break
			}
		}
	default:
		n.fails("an array of numbers")
	}
	return out
}

func (n Node) Floats() []float64   { return Elements(n, parse64) }
func (n Node) Floats32() []float32 { return Elements(n, parse32) }

// Ints returns an array of whole numbers from lo to hi.
func (n Node) Ints(lo, hi int64) []int64 { return Elements(n, whole(lo, hi)) }

// Ints32 is Ints for numbers that fit.
func (n Node) Ints32(lo, hi int32) []int32 {
	return Elements(n, func(digits string) (int32, error) {
		v, err := ParseWhole(digits, int64(lo), int64(hi))
		return int32(v), err
	})
}

func (n Node) Bool() bool {
	v, ok := n.Value.(bool)
	if !ok {
		n.fails("true or false")
	}
	return v
}

// Bools returns an array of booleans, or of numbers 0 and 1.
func (n Node) Bools() []bool {
	if list, ok := n.Value.([]any); ok && len(list) > 0 && (list[0] == true || list[0] == false) {
		out := make([]bool, len(list))
		for i, e := range list {
			out[i] = n.element(i, e).Bool()
		}
		return out
	}
	return Elements(n, func(digits string) (bool, error) {
		v, err := ParseWhole(digits, 0, 1)
		return v != 0, err
	})
}

// Only sets the error of the document if an object has a member that is not named.
func (n Node) Only(keys ...string) {
	for _, key := range slices.Sorted(maps.Keys(n.object())) {
		if !slices.Contains(keys, key) {
			n.Failf("unknown field %q", text.Excerpt(key))
			return
		}
	}
}

// maxDepth bounds how deep arrays and objects may lie in each other. Dumps of trees have two levels
// per split.
const maxDepth = 1024

// A jsonParser reads a JSON document (RFC 8259). It takes the words NaN, Infinity and -Infinity for
// numbers too, as XGBoost writes them.
type jsonParser struct {
	text []byte
	at   int
}

// ParseJSON returns the document that data hold.
func ParseJSON(data []byte) (Node, error) {
	p := &jsonParser{text: data}
	v, err := p.value(0)
	if err != nil {
		return Node{}, err
	}
	if p.space(); p.at < len(data) {
		return Node{}, p.errorf("%q after the end of the document", text.Excerpt(string(data[p.at:])))
	}
	return Node{"", v, new(error)}, nil
}

// first returns the first member of a JSON object that has one of the keys: its key, and its value
// if that is a string. The key is "" when there is no such member. What follows it is not read.
func first(data []byte, keys ...string) (key, value string, err error) {
	p := &jsonParser{text: data}
	found := errors.New("found")
	err = p.members(func(k string) (err error) {
		if !slices.Contains(keys, k) {
			_, err = p.value(1)
			return err
		}
		if key = k; p.peek() == '"' {
			if value, err = p.string(); err != nil {
				return err
			}
		}
		return found
	})
	if err != nil && err != found {
		return "", "", err
	}
	return key, value, nil
}

func (p *jsonParser) errorf(format string, args ...any) error {
	return fmt.Errorf("byte %d: %w", p.at+1, fmt.Errorf(format, args...))
}

func (p *jsonParser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte after spaces, 0 at the end.
func (p *jsonParser) peek() byte {
	if p.space(); p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// expect skips a byte.
func (p *jsonParser) expect(c byte) error {
	if p.peek() != c || p.at >= len(p.text) {
		return p.unexpected(fmt.Sprintf("%q", c))
	}
	p.at++
	return nil
}

func (p *jsonParser) unexpected(want string) error {
	if p.at >= len(p.text) {
		return p.errorf("the file ends where %s should stand", want)
	}
	return p.errorf("%q where %s should stand", text.Excerpt(string(p.text[p.at:min(len(p.text), p.at+80)])), want)
}

func (p *jsonParser) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, p.errorf("more than %d arrays and objects within each other", maxDepth)
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case p.word("true"):
		return true, nil
	case p.word("false"):
		return false, nil
	case p.word("null"):
		return nil, nil
	}
	text, err := p.number()
	return Number(text), err
}

// word skips a word when it comes next.
func (p *jsonParser) word(w string) bool {
	if len(p.text)-p.at < len(w) || string(p.text[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *jsonParser) object(depth int) (any, error) {
	out := map[string]any{}
	err := p.members(func(key string) (err error) {
		if _, ok := out[key]; ok {
			return p.errorf("%q is there twice", text.Excerpt(key))
		}
		out[key], err = p.value(depth + 1)
		return err
	})
	return out, err
}

// members skips an object and calls read for each key, to skip the value, until an error.
func (p *jsonParser) members(read func(key string) error) error {
	if err := p.expect('{'); err != nil {
		return err
	}
	if p.peek() == '}' {
		p.at++
		return nil
	}
	for {
		if p.peek() != '"' {
			return p.unexpected("a name in quotes")
		}
		key, err := p.string()
		if err == nil {
			err = p.expect(':')
		}
		if err == nil {
			err = read(key)
		}
		if err != nil {
			return err
		}
		if p.peek() != ',' {
			return p.expect('}')
		}
		p.at++
	}
}

func (p *jsonParser) array(depth int) (any, error) {
	p.at++
	if c := p.peek(); c == ']' {
		p.at++
		return textNumbers{}, nil
	} else if c == '-' || c >= '0' && c <= '9' || c == 'N' || c == 'I' {
		start := p.at
		n, err := p.numbers()
		if err != nil {
			return nil, err
		}
		if n > 0 {
			return textNumbers{p.text[start : p.at-1], n}, nil
		}
		p.at = start // not only numbers
	}
	var out []any
	for {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if p.peek() != ',' {
			return out, p.expect(']')
		}
		p.at++
	}
}

// numbers skips the rest of an array and returns how many numbers that is, 0 when a value is none.
func (p *jsonParser) numbers() (n int, err error) {
	for {
		if c := p.peek(); c == '"' || c == '[' || c == '{' || c == 't' || c == 'f' || c == 'n' {
			return 0, nil
		}
		if _, err := p.number(); err != nil {
			return 0, err
		}
		n++
		if p.peek() != ',' {
			return n, p.expect(']')
		}
		p.at++
	}
}

// textNumbers are numbers with commas between them.
type textNumbers struct {
	text []byte
	n    int
}

func (t textNumbers) len() int { return t.n }

func (t textNumbers) each(f func(i int, text string) error) error {
	p := jsonParser{text: t.text}
	for i := range t.n {
		p.space()
		text, err := p.number()
		if err != nil {
			return err
		}
		if err := f(i, text); err != nil {
			return err
		}
		p.peek()
		p.at++
	}
	return nil
}

// Number returns the text of a number.
func (p *jsonParser) number() (string, error) {
	start := p.at
	for _, w := range []string{"NaN", "Infinity", "-Infinity"} {
		if p.word(w) {
			return w, nil
		}
	}
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	first := p.at
	if p.digits() == 0 || p.text[first] == '0' && p.at > first+1 {
		p.at = start
		return "", p.unexpected("a value")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		if p.digits() == 0 {
			return "", p.unexpected("a digit")
		}
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return "", p.unexpected("a digit")
		}
	}
	return string(p.text[start:p.at]), nil
}

// digits skips digits and returns their number.
func (p *jsonParser) digits() int {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

func (p *jsonParser) string() (string, error) {
	start := p.at
	p.at++
	plain := true
	for {
		if p.at >= len(p.text) {
			return "", p.errorf("the file ends within a string")
		}
		c := p.text[p.at]
		p.at++
		if c == '"' {
			break
		}
		if c == '\\' {
			plain = false
			p.at++
		}
	}
	raw := p.text[start:p.at]
	if plain && utf8.Valid(raw) {
		for _, c := range raw {
			if c < ' ' {
				p.at = start
				return "", p.errorf("a string with the control character %q", c)
			}
		}
		return string(raw[1 : len(raw)-1]), nil
	}
	s, err := text.Unquote(raw)
	if err == nil {
		return s, nil
	}
	p.at = start
	if err == text.ErrUTF8 {
		return "", p.errorf("%w", text.NotUTF8("text", string(raw[1:len(raw)-1])))
	}
	return "", p.errorf("%q %w", text.Excerpt(string(raw)), err)
}
