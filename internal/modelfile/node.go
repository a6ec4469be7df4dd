package modelfile

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"unsafe"

	"github.com/simdrank/simdrank/internal/text"
)

// A Node is a value of a JSON or UBJSON document, and errors name its path. Numbers are kept as
// text or bytes until they are requested, so that float32 and int64 are read without a detour.
//
// If a method cannot read a value, it returns the zero value, and [Node.Err] returns the first
// error of the document. A model reader therefore checks Err once, before it relies on the values.
type Node struct {
	doc     *document
	entry   int // entry of the value, of its array, or, if absent, of the object that lacks it
	element int // number from 1 in an array that is one entry; else 0
	at      int // position of such an array in the text
	scalar
}

// A scalar is a value that is not an array or object. For these, it contains only the kind and the
// marker.
type scalar struct {
	kind   kind
	marker byte   // marker of UBJSON, or 0 for JSON
	raw    []byte // text in the document
}

// text returns the content of a string, or the text of a number. The result may be appended to
// b[:0].
func (s scalar) text(b []byte) []byte {
	switch {
	case s.kind == str && s.marker == 0:
		b, _ = content(s.raw)
		return b
	case s.kind == str || s.marker == 0:
		return s.raw
	}
	return appendNumber(b[:0], s.marker, s.raw)
}

// isTrue returns the value of a boolean.
func (s scalar) isTrue() bool { return s.marker == 'T' || s.marker == 0 && s.raw[0] == 't' }

// Err returns the first error of the document.
func (n Node) Err() error { return n.doc.err }

// Fail sets the error of the document, unless it already has one or err is nil.
func (n Node) Fail(err error) {
	if n.doc.err == nil {
		n.doc.err = err
	}
}

// Failf is like Fail but for an error at the path of the node.
func (n Node) Failf(format string, args ...any) {
	if n.Err() == nil {
		n.Fail(n.errorf(format, args...))
	}
}

// Hold counts bytes of data that are built from the document, before they are allocated. It returns
// false and sets the error of the document if they exceed the memory limit.
func (n Node) Hold(what string, bytes int64) bool {
	err := n.doc.budget.Hold(what, bytes)
	n.Fail(err)
	return err == nil
}

// Path returns the path to the node.
func (n Node) Path() string { return n.doc.path(n) }

func (n Node) errorf(format string, args ...any) error {
	path := n.Path()
	if path == "" {
		path = "the document"
	}
	return fmt.Errorf("%s: %w", path, fmt.Errorf(format, args...))
}

// fails sets an error that the value has the wrong type, unless the node is absent.
func (n Node) fails(want string) {
	if n.kind != absent {
		n.Failf("found %s, expected %s", n.called(), want)
	}
}

// called returns the description of the value in errors.
func (n Node) called() string {
	switch n.kind {
	case object:
		return "an object"
	case array, scalars, numbers:
		return "an array"
	case number:
		return "the number " + text.Excerpt(n.text(nil))
	case str:
		return fmt.Sprintf("the string %q", text.Excerpt(n.text(nil)))
	case boolean:
		return strconv.FormatBool(n.isTrue())
	}
	return "null"
}

// member returns the entry of a member, or −1 if there is none.
func (n Node) member(key string) int {
	if n.kind != object {
		return -1
	}
	return n.doc.find(n.entry, n.doc.next(n.entry), []byte(key), n.doc.indexes[n.entry])
}

// Has reports whether an object has a member that is not null.
func (n Node) Has(key string) bool {
	i := n.member(key)
	return i >= 0 && n.doc.entry(i).kind != null
}

// HasKey reports whether an object has a member, which may be null.
func (n Node) HasKey(key string) bool { return n.member(key) >= 0 }

// Get returns a member of an object.
func (n Node) Get(key string) Node {
	if n.kind == absent {
		return n
	}
	if n.kind != object {
		n.fails("an object")
	}
	if i := n.member(key); i >= 0 {
		return n.doc.node(i)
	}
	n.Failf("the field %q is missing", key)
	return n.absent()
}

// Optional is like Get but for a member that may be absent or null, which is read as the zero
// value.
func (n Node) Optional(key string) Node {
	if i := n.member(key); i >= 0 && n.doc.entry(i).kind != null {
		return n.doc.node(i)
	}
	return n.absent()
}

// absent returns a node that is read as the zero value and has the path of n.
func (n Node) absent() Node {
	n.scalar = scalar{}
	return n
}

// IsNull reports whether the value is null.
func (n Node) IsNull() bool { return n.kind == null }

// IsAbsent reports whether the value is an optional member that is missing or null.
func (n Node) IsAbsent() bool { return n.kind == absent }

// IsArray reports whether the value is an array.
func (n Node) IsArray() bool { return n.kind >= array }

// Len returns the number of elements of an array.
func (n Node) Len() (count int) {
	switch n.kind {
	case scalars, numbers:
		return int(n.doc.entry(n.entry).count)
	case array:
		for range n.doc.members(n.entry) {
			count++
		}
	default:
		n.fails("an array")
	}
	return count
}

// List returns the elements of an array.
func (n Node) List() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) {
		switch n.kind {
		case scalars, numbers:
			n.doc.each(n, func(k int, s scalar) bool {
				return yield(k, Node{doc: n.doc, entry: n.entry, element: k + 1, scalar: s})
			})
		case array:
			k := 0
			for i := range n.doc.members(n.entry) {
				if !yield(k, n.doc.node(i)) {
					return
				}
				k++
			}
		default:
			n.fails("an array")
		}
	}
}

// Members returns the members of an object, sorted by name. It returns none for other values.
func (n Node) Members() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		if n.kind != object {
			return
		}
		for _, i := range n.doc.sorted(n.entry) {
			if name, _, _ := n.doc.name(i); !yield(string(name), n.doc.node(i)) {
				return
			}
		}
	}
}

// IfText returns a string, and reports whether the value is one.
func (n Node) IfText() (s string, ok bool) {
	if n.kind != str {
		return "", false
	}
	return string(n.text(nil)), true
}

// IfScalar returns the text of a string, number or boolean, and reports whether the value is one.
func (n Node) IfScalar() (s string, ok bool) {
	switch n.kind {
	case str, number:
		return string(n.text(nil)), true
	case boolean:
		return strconv.FormatBool(n.isTrue()), true
	}
	return "", false
}

// IsText reports whether the value is this string.
func (n Node) IsText(s []byte) bool { return n.kind == str && bytes.Equal(n.text(nil), s) }

// Lists reports whether the value is an array of the strings that add appends for 0, 1 and so on.
func (n Node) Lists(add func(b []byte, i int) []byte) bool {
	var name []byte
	for i, e := range n.List() {
		if name = add(name[:0], i); !e.IsText(name) {
			return false
		}
	}
	return n.IsArray()
}

// WithText returns a copy of the node that contains a string.
func (n Node) WithText(s string) Node {
	n.scalar = scalar{kind: str, marker: 'S', raw: []byte(s)}
	return n
}

// IsNumber reports whether the value is a number with this text.
func (n Node) IsNumber(digits string) bool {
	return n.kind == number && string(n.text(nil)) == digits
}

// IsBool reports whether the value is this boolean.
func (n Node) IsBool(v bool) bool { return n.kind == boolean && n.isTrue() == v }

// Text returns a string.
func (n Node) Text() string {
	s, ok := n.IfText()
	if !ok {
		n.fails("a string")
	}
	return s
}

// textBytes is the overhead of a string, and memberBytes the overhead of a map entry.
const (
	textBytes   = 16
	memberBytes = 64
)

// Texts returns an array of strings.
func (n Node) Texts() []string {
	count := n.Len()
	if !n.IsArray() || !n.Hold("the names", textBytes*int64(count)) {
		return nil
	}
	out := make([]string, count)
	for i, e := range n.List() {
		if !n.Hold("the names", int64(len(e.raw))) {
			break
		}
		out[i] = e.Text()
	}
	return out
}

// TextsByName returns the members of an object of strings by name.
func (n Node) TextsByName() map[string]string {
	if n.kind != object {
		n.fails("an object")
		return nil
	}
	texts := map[string]string{}
	for name, e := range n.Members() { // in sorted order, so that errors name the first
		if !n.Hold("the settings", memberBytes+int64(len(name)+len(e.raw))) {
			break
		}
		texts[name] = e.Text()
	}
	return texts
}

// Number returns a number. XGBoost writes parameters as strings, so a number in a string is
// accepted.
func (n Node) Number() float64 { return one(n, "a number", parse64) }

// Number32 is like Number but for a float32.
func (n Node) Number32() float32 { return one(n, "a number", parse32) }

// Whole returns a whole number from lo to hi, which may be in a string.
func (n Node) Whole(lo, hi int64) int64 { return one(n, "a whole number", whole(lo, hi)) }

// one returns a number parsed by parse, which may be in a string. want describes it in errors.
func one[T any](n Node, want string, parse func(text []byte) (T, error)) (v T) {
	if n.kind != number && n.kind != str {
		n.fails(want)
		return v
	}
	v, err := parse(n.text(nil))
	if err != nil {
		n.Failf("%w", err)
	}
	return v
}

func parse64(digits []byte) (float64, error) {
	v, err := text.ParseNumber(digits, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", text.Excerpt(digits))
	}
	return v, nil
}

func parse32(digits []byte) (float32, error) {
	v, err := text.ParseNumber(digits, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", text.Excerpt(digits))
	}
	return float32(v), nil
}

// whole returns a parser of whole numbers from lo to hi.
func whole(lo, hi int64) func(digits []byte) (int64, error) {
	return func(digits []byte) (int64, error) { return ParseWhole(digits, lo, hi) }
}

// ParseWhole parses a whole number from lo to hi.
func ParseWhole[T string | []byte](digits T, lo, hi int64) (int64, error) {
	v, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || v < lo || v > hi {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text.Excerpt(digits), lo, hi)
	}
	return v, nil
}

// Elements returns an array of numbers, each read by parse, which must not keep its argument. A
// number that is too large for its type is infinite.
func Elements[T any](n Node, parse func(text []byte) (T, error)) []T {
	if !n.IsArray() {
		n.fails("an array of numbers")
		return nil
	}
	count := n.Len()
	if !n.Hold("the arrays of the model", int64(count)*int64(unsafe.Sizeof(*new(T)))) {
		return nil
	}
	out := make([]T, count)
	var err error
	if n.kind == numbers {
		var b [32]byte
		n.doc.each(n, func(i int, s scalar) bool {
			if out[i], err = parse(s.text(b[:])); err != nil {
				n.Fail(fmt.Errorf("element %d of %w", i, n.errorf("%w", err)))
			}
			return err == nil
		})
		return out
	}
	for i, e := range n.List() {
		if e.kind != number {
			e.fails("a number")
			break
		}
		if out[i], err = parse(e.text(nil)); err != nil {
			e.Failf("%w", err)
			break
		}
	}
	return out
}

func (n Node) Floats() []float64   { return Elements(n, parse64) }
func (n Node) Floats32() []float32 { return Elements(n, parse32) }

// Ints returns an array of whole numbers from lo to hi.
func (n Node) Ints(lo, hi int64) []int64 { return Elements(n, whole(lo, hi)) }

// Ints32 is like Ints but for int32.
func (n Node) Ints32(lo, hi int32) []int32 {
	return Elements(n, func(digits []byte) (int32, error) {
		v, err := ParseWhole(digits, int64(lo), int64(hi))
		return int32(v), err
	})
}

func (n Node) Bool() bool {
	if n.kind != boolean {
		n.fails("true or false")
		return false
	}
	return n.isTrue()
}

// Bools returns an array of booleans, or of numbers 0 and 1.
func (n Node) Bools() (out []bool) {
	if n.kind == scalars || n.kind == array {
		for i, e := range n.List() {
			if i == 0 && e.kind != boolean {
				break
			} else if i == 0 {
				count := n.Len()
				if !n.Hold("the arrays of the model", int64(count)) {
					return nil
				}
				out = make([]bool, count)
			}
			out[i] = e.Bool()
		}
		if out != nil {
			return out
		}
	}
	return Elements(n, func(digits []byte) (bool, error) {
		v, err := ParseWhole(digits, 0, 1)
		return v != 0, err
	})
}

// Only sets the error of the document if an object has a member that is not in keys.
func (n Node) Only(keys ...string) {
	if n.kind != object {
		n.fails("an object")
		return
	}
	unknown := ""
	found := false
	for i := range n.doc.members(n.entry) {
		name, _, _ := n.doc.name(i)
		if !slices.Contains(keys, string(name)) && (!found || string(name) < unknown) {
			unknown, found = string(name), true
		}
	}
	if found {
		n.Failf("unknown field %q", text.Excerpt(unknown))
	}
}
