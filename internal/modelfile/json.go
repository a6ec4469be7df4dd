package modelfile

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
)

// maxDepth is the maximum nesting depth of arrays and objects. Tree dumps have two levels per
// split.
const maxDepth = 1024

// A jsonParser reads a JSON document (RFC 8259). It also accepts the words NaN, Infinity and
// -Infinity as numbers, because XGBoost writes them.
type jsonParser struct {
	text []byte
	at   int
	doc  *document
}

// ParseJSON parses data as a JSON document. data must not change afterwards. The memory of the
// document is counted in the budget.
func ParseJSON(data []byte, budget *files.Budget) (Node, error) {
	p := &jsonParser{text: data, doc: newDocument(data, false, budget)}
	if err := p.value(0, -1); err != nil {
		return Node{}, err
	}
	if p.space(); p.at < len(data) {
		return Node{}, p.errorf("unexpected %q after the end of the document", text.Excerpt(string(data[p.at:])))
	}
	return p.doc.node(0), nil
}

// first returns the first member of a JSON object whose key is in keys: the key, and the value if
// it is a string. If there is no such member, the key is "". The text after the member is not read.
func first(data []byte, budget *files.Budget, keys ...string) (key, value string, err error) {
	p := &jsonParser{text: data, doc: newDocument(data, false, budget)}
	defer func() { p.doc.release(p.doc.held) }()
	found := errors.New("found")
	err = p.members(func(name []byte, _ int, _ bool) error {
		if !slices.Contains(keys, string(name)) {
			return p.value(1, -1)
		}
		if key = string(name); p.peek() == '"' {
			raw, err := p.string()
			if err != nil {
				return err
			}
			b, _ := content(raw)
			value = string(b)
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

// peek returns the next byte after spaces, or 0 at the end.
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
		return p.errorf("the file ends too early: expected %s", want)
	}
	return p.errorf("found %q, expected %s", text.Excerpt(string(p.text[p.at:min(len(p.text), p.at+80)])), want)
}

// value adds a value to the document. If the value is a member of an object, name is the position
// of its name; otherwise name is negative.
func (p *jsonParser) value(depth, name int) error {
	if depth > maxDepth {
		return p.tooDeep()
	}
	c := p.peek()
	e, at := entry{flags: isMember}, name
	if name < 0 {
		e, at = entry{}, p.at
	}
	switch c {
	case '{':
		e.kind = object
		return p.object(depth, e, at)
	case '[':
		return p.array(depth, e, at)
	}
	var err error
	if e.kind, err = p.scalar(c); err == nil {
		_, err = p.doc.add(e, at)
	}
	return err
}

func (p *jsonParser) tooDeep() error {
	return p.errorf("arrays and objects are nested more than %d deep", maxDepth)
}

// scalar skips a value that is not an array or object and begins with c.
func (p *jsonParser) scalar(c byte) (kind, error) {
	switch {
	case c == '"':
		_, err := p.string()
		return str, err
	case c == 't' && p.word("true"), c == 'f' && p.word("false"):
		return boolean, nil
	case c == 'n' && p.word("null"):
		return null, nil
	}
	return number, p.number()
}

// validScalar returns the next value of valid JSON, which must not be an array or object.
func (p *jsonParser) validScalar() scalar {
	start := p.at
	s := scalar{kind: number}
	switch p.text[start] {
	case '"':
		s.kind = str
		s.raw = rawString(p.text[start:])
		p.at += len(s.raw)
		return s
	case 't', 'f':
		s.kind = boolean
	case 'n':
		s.kind = null
	}
	for p.at < len(p.text) && !delimiter[p.text[p.at]] {
		p.at++
	}
	s.raw = p.text[start:p.at]
	return s
}

// delimiter marks the bytes that end a number or word.
var delimiter = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ']': true, '}': true}

// word skips a word if it comes next.
func (p *jsonParser) word(w string) bool {
	if len(p.text)-p.at < len(w) || string(p.text[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *jsonParser) object(depth int, e entry, at int) error {
	i, err := p.doc.add(e, at)
	if err != nil {
		return err
	}
	m := names{of: i}
	if err = p.members(func(name []byte, at int, escaped bool) error {
		again, err := m.add(p.doc, name, escaped)
		if again {
			return p.errorf("the field %q appears twice", text.Excerpt(name))
		}
		if err != nil {
			return err
		}
		return p.value(depth+1, at)
	}); err != nil {
		return err
	}
	p.doc.close(i)
	return nil
}

// members skips an object. For each name and its position it calls read, which skips the value,
// until an error.
func (p *jsonParser) members(read func(name []byte, at int, escaped bool) error) error {
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
		at := p.at
		raw, err := p.string()
		if err == nil {
			err = p.expect(':')
		}
		if err == nil {
			name, escaped := content(raw)
			err = read(name, at, escaped)
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

func (p *jsonParser) array(depth int, e entry, at int) error {
	p.at++
	if p.peek() == ']' {
		p.at++
		return p.doc.addArray(e, at, numbers, 0)
	}
	start := p.at
	n, kind, err := p.scalars(depth)
	if err != nil {
		return err
	}
	if n > 0 {
		return p.doc.addArray(e, at, kind, n)
	}
	p.at = start
	e.kind = array
	i, err := p.doc.add(e, at)
	if err != nil {
		return err
	}
	for {
		if err := p.value(depth+1, -1); err != nil {
			return err
		}
		if p.peek() != ',' {
			p.doc.close(i)
			return p.expect(']')
		}
		p.at++
	}
}

// scalars skips the rest of an array and returns the number of its values, or 0 if one is an array
// or object.
func (p *jsonParser) scalars(depth int) (n int, kind kind, err error) {
	start := p.at
	for kind = numbers; ; p.at++ {
		c := p.peek()
		if c == '[' || c == '{' {
			return 0, array, nil
		}
		if is := c == '"' || c == 't' || c == 'f' || c == 'n'; is || n == 0 && !startsNumber(c) {
			if kind = scalars; depth == maxDepth {
				p.at = start
				return 0, 0, p.tooDeep()
			}
		}
		if _, err := p.scalar(c); err != nil {
			return 0, 0, err
		}
		n++
		if p.peek() != ',' {
			return n, kind, p.expect(']')
		}
	}
}

// startsNumber reports whether a number, or a word for one, may begin with c.
func startsNumber(c byte) bool { return c == '-' || c >= '0' && c <= '9' || c == 'N' || c == 'I' }

// number skips a number.
func (p *jsonParser) number() error {
	start := p.at
	if p.word("NaN") || p.word("Infinity") || p.word("-Infinity") {
		return nil
	}
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	first := p.at
	if p.digits() == 0 || p.text[first] == '0' && p.at > first+1 {
		p.at = start
		return p.unexpected("a value")
	}
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		if p.digits() == 0 {
			return p.unexpected("a digit")
		}
	}
	if p.at < len(p.text) && p.text[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.text) && (p.text[p.at] == '+' || p.text[p.at] == '-') {
			p.at++
		}
		if p.digits() == 0 {
			return p.unexpected("a digit")
		}
	}
	return nil
}

// digits skips digits and returns their number.
func (p *jsonParser) digits() int {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

// string skips a string and returns it with its quotes.
func (p *jsonParser) string() ([]byte, error) {
	start := p.at
	p.at++
	plain, control, ascii := true, byte(' '), true
	for {
		if p.at >= len(p.text) {
			return nil, p.errorf("the file ends within a string")
		}
		c := p.text[p.at]
		p.at++
		if c == '"' {
			break
		}
		switch {
		case c == '\\':
			plain = false
			p.at++
		case c < ' ' && control == ' ':
			control = c
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	raw := p.text[start:p.at]
	if plain && (ascii || utf8.Valid(raw)) {
		if control != ' ' {
			p.at = start
			return nil, p.errorf("a string contains the control character %q", control)
		}
		return raw, nil
	}
	_, err := text.Unquote(raw)
	if err == nil {
		return raw, nil
	}
	p.at = start
	if err == text.ErrUTF8 {
		return nil, p.errorf("%w", text.NotUTF8("text", string(raw[1:len(raw)-1])))
	}
	return nil, p.errorf("%q %w", text.Excerpt(string(raw)), err)
}
