package modelfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

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
