package modelfile

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"unsafe"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
)

// A document is JSON or UBJSON with a list of its values, in text order. An entry of the list
// contains the position of a value and the number of its descendants. Numbers and strings are
// decoded from the text when they are requested. An array without nested arrays and objects is one
// entry. The list therefore needs at most 6 bytes per byte of text, and far less for models.
type document struct {
	text    []byte
	binary  bool // whether the text is UBJSON
	chunks  []*[chunkLen]entry
	entries int
	indexes map[int]*index // indexes of objects with many members
	seed    maphash.Seed   // seed of the indexes
	budget  *files.Budget
	held    int64 // bytes counted in the budget
	err     error // the first error of its readers
}

const chunkLen = 1024

// An entry is a value. Its position is the start of the value or, for a member of an object, of its
// name.
type entry struct {
	at     uint32 // the low bits of the position
	count  uint32 // number of descendant entries, or of elements if an array is one entry
	atHigh uint8
	kind   kind
	marker uint8 // marker of UBJSON
	flags  uint8
}

// Flags of entries.
const (
	isMember   = 1 << iota // a member of an object
	hasEscapes             // an object with escapes in its names
	isBare                 // a UBJSON number without its marker
)

// A kind is the type of a value.
type kind uint8

const (
	absent kind = iota // a missing member, or a node that could not be read
	null
	boolean
	number
	str
	object
	array   // with nested arrays or objects
	scalars // without nested arrays and objects
	numbers // only numbers
)

// nested reports whether values of this kind have entries for other values.
func (k kind) nested() bool { return k == object || k == array }

func newDocument(data []byte, binary bool, budget *files.Budget) *document {
	return &document{text: data, binary: binary, budget: budget}
}

func (d *document) entry(i int) *entry { return &d.chunks[i/chunkLen][i%chunkLen] }

// place returns the position of an entry in the text.
func (e *entry) place() int { return int(int64(e.atHigh)<<32 | int64(e.at)) }

// next returns the entry after entry i and its descendants.
func (d *document) next(i int) int {
	if e := d.entry(i); e.kind.nested() {
		return i + int(e.count)
	}
	return i + 1
}

// hold counts memory of the list.
func (d *document) hold(bytes int64) error {
	if err := d.budget.Hold("the values of the file", bytes); err != nil {
		return err
	}
	d.held += bytes
	return nil
}

// release undoes hold.
func (d *document) release(bytes int64) {
	d.budget.Release(bytes)
	d.held -= bytes
}

// add appends an entry and returns its number.
func (d *document) add(e entry, at int) (int, error) {
	if d.entries == len(d.chunks)*chunkLen {
		if err := d.hold(chunkLen * int64(unsafe.Sizeof(entry{}))); err != nil {
			return 0, err
		}
		d.chunks = append(d.chunks, new([chunkLen]entry))
	}
	if uint64(at) >= 1<<40 || d.entries >= math.MaxInt32 {
		return 0, fmt.Errorf("the document contains more than %d values", math.MaxInt32)
	}
	e.at, e.atHigh = uint32(at), uint8(uint64(at)>>32)
	i := d.entries
	*d.entry(i) = e
	d.entries++
	return i, nil
}

// addArray appends an array as one entry.
func (d *document) addArray(e entry, at int, kind kind, count int) error {
	if uint64(count) > math.MaxUint32 {
		return fmt.Errorf("the array contains more than %d values", uint32(math.MaxUint32))
	}
	e.kind, e.count = kind, uint32(count)
	_, err := d.add(e, at)
	return err
}

// close ends the array or object with entry i.
func (d *document) close(i int) { d.entry(i).count = uint32(d.entries - i) }

// fewMembers is the maximum number of members whose names are compared one by one.
const fewMembers = 16

// An index finds the members of an object by hashing their names.
type index struct {
	slots []uint32 // entries, relative to the object; 0 if empty
}

// names are the member names of an object that is being read.
type names struct {
	of int // the entry of the object
	n  int
	*index
}

// add adds the name of the member that the next entry will be. It reports whether the name already
// exists.
func (m *names) add(d *document, name []byte, escaped bool) (again bool, err error) {
	if escaped {
		d.entry(m.of).flags |= hasEscapes
	}
	if d.find(m.of, d.entries, name, m.index) >= 0 {
		return true, nil
	}
	m.n++
	if m.n <= fewMembers {
		return false, nil
	}
	if m.index == nil || 2*m.n > len(m.slots) {
		if err := m.grow(d); err != nil {
			return false, err
		}
	}
	m.insert(d.hash(name), uint32(d.entries-m.of))
	return false, nil
}

// grow doubles the slots of the index and inserts all members that have entries.
func (m *names) grow(d *document) error {
	size := 4 * fewMembers
	if m.index != nil {
		size = 2 * len(m.slots)
	}
	if err := d.hold(4 * int64(size)); err != nil {
		return err
	}
	if m.index == nil {
		m.index = &index{}
		if d.indexes == nil {
			d.indexes, d.seed = map[int]*index{}, maphash.MakeSeed()
		}
		d.indexes[m.of] = m.index
	} else {
		d.release(4 * int64(len(m.slots)))
	}
	m.slots = make([]uint32, size)
	for i := m.of + 1; i < d.entries; i = d.next(i) {
		name, _, _ := d.name(i)
		m.insert(d.hash(name), uint32(i-m.of))
	}
	return nil
}

func (x *index) insert(hash uint64, entry uint32) {
	mask := uint64(len(x.slots) - 1)
	for hash &= mask; x.slots[hash] != 0; hash = (hash + 1) & mask {
	}
	x.slots[hash] = entry
}

func (d *document) hash(name []byte) uint64 { return maphash.Bytes(d.seed, name) }

// find returns the entry of a member of object i, which ends before entry end. It returns −1 if
// there is no member with this name.
func (d *document) find(i, end int, name []byte, x *index) int {
	if x != nil {
		mask := uint64(len(x.slots) - 1)
		for hash := d.hash(name) & mask; x.slots[hash] != 0; hash = (hash + 1) & mask {
			if c := i + int(x.slots[hash]); d.named(c, name, true) {
				return c
			}
		}
		return -1
	}
	decode := d.binary || d.entry(i).flags&hasEscapes != 0 || bytes.IndexByte(name, '"') >= 0
	for c := i + 1; c < end; c = d.next(c) {
		if d.named(c, name, decode) {
			return c
		}
	}
	return -1
}

// named reports whether a member has the given name. Without escapes, JSON names need not be
// decoded.
func (d *document) named(i int, name []byte, decode bool) bool {
	if decode {
		has, _, _ := d.name(i)
		return bytes.Equal(has, name)
	}
	has := d.text[d.entry(i).place()+1:]
	return len(has) > len(name) && has[len(name)] == '"' && string(has[:len(name)]) == string(name)
}

// name returns the name of a member, its end in the text, and whether it has escapes.
func (d *document) name(i int) (name []byte, end int, escaped bool) {
	at := d.entry(i).place()
	if d.binary {
		p := ubjsonParser{data: d.text, at: at}
		name, _ = p.string()
		return name, p.at, false
	}
	raw := rawString(d.text[at:])
	name, escaped = content(raw)
	return name, at + len(raw), escaped
}

// rawString returns the string at the start of valid JSON, with its quotes.
func rawString(b []byte) []byte {
	for i := 1; ; i++ {
		switch b[i] {
		case '"':
			return b[:i+1]
		case '\\':
			i++
		}
	}
}

// content returns the content of a valid JSON string, and whether it has escapes.
func content(raw []byte) (b []byte, escaped bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], false
	}
	s, _ := text.Unquote(raw) // the error is nil because the string was parsed before
	return []byte(s), true
}

// node returns a value.
func (d *document) node(i int) Node {
	e := d.entry(i)
	n := Node{doc: d, entry: i, scalar: scalar{kind: e.kind, marker: e.marker}}
	if e.kind.nested() {
		return n
	}
	at := e.place()
	if e.flags&isMember != 0 {
		_, at, _ = d.name(i)
	}
	if d.binary {
		p := ubjsonParser{data: d.text, at: at}
		if e.flags&isBare == 0 {
			p.marker()
		}
		n.at = p.at
		if e.kind < object {
			n.scalar, _ = p.scalar(e.marker)
		}
		return n
	}
	p := jsonParser{text: d.text, at: at}
	if p.space(); e.flags&isMember != 0 {
		p.at++ // the colon
		p.space()
	}
	n.at = p.at
	if e.kind < object {
		n.scalar = p.validScalar()
	}
	return n
}

// members returns the members of an object in text order.
func (d *document) members(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := i + 1; c < d.next(i) && yield(c); c = d.next(c) {
		}
	}
}

// path returns the path to a value, or to an element of an array that is one entry.
func (d *document) path(n Node) string {
	var path []byte
	for i := 0; i != n.entry; {
		inside := d.entry(i).kind
		k := 0
		for i++; d.next(i) <= n.entry; i = d.next(i) {
			k++
		}
		if inside == object {
			if name, _, _ := d.name(i); len(path) > 0 {
				path = append(append(path, '.'), name...)
			} else {
				path = append(path, name...)
			}
		} else {
			path = fmt.Appendf(path, "[%d]", k)
		}
	}
	if n.element > 0 {
		path = fmt.Appendf(path, "[%d]", n.element-1)
	}
	return string(path)
}

// each calls f with the elements of an array that is one entry, until it returns false.
func (d *document) each(n Node, f func(k int, s scalar) bool) {
	count := int(d.entry(n.entry).count)
	if !d.binary {
		p := jsonParser{text: d.text, at: n.at}
		for k := range count {
			p.at++ // the bracket or comma
			p.space()
			if !f(k, p.validScalar()) {
				return
			}
			p.space()
		}
		return
	}
	p := ubjsonParser{data: d.text, at: n.at}
	typed, _, _ := p.container(0)
	if size := ubjsonSize(typed); size > 0 {
		list := d.text[p.at : p.at+count*size]
		for k := 0; len(list) > 0 && f(k, scalar{number, typed, list[:size]}); k++ {
			list = list[size:]
		}
		return
	}
	for k := range count {
		marker, _ := p.marker()
		if s, _ := p.scalar(marker); !f(k, s) {
			return
		}
	}
}

// sorted returns the members of an object, sorted by name.
func (d *document) sorted(i int) []int {
	type member struct {
		name  []byte
		entry int
	}
	var list []member
	for c := range d.members(i) {
		name, _, _ := d.name(c)
		list = append(list, member{name, c})
	}
	slices.SortFunc(list, func(a, b member) int { return bytes.Compare(a.name, b.name) })
	out := make([]int, len(list))
	for k, m := range list {
		out[k] = m.entry
	}
	return out
}
