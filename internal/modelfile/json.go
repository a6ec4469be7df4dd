package modelfile

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/text"
)

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
