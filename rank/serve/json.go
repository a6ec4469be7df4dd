package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// AppendJSON is like [Columns.AppendRow] but reads the values from a JSON object, for example
// {"bm25": 12.5, "color": "red", "clicks": null}. A null value is missing. The value of a feature
// with text categories is a string. A number or boolean counts as its text in CSV, such as 5 or
// True; see [Columns.Category] for unknown texts.
//
// It returns dst unchanged and an error under the same conditions as AppendRow, and if object is
// not a valid JSON object. It also returns an error if a name appears twice, or if the value of
// a numeric feature is neither null nor a number in the range of float32. Ignored names may have
// values of any type.
func (c Columns) AppendJSON(dst []float32, object []byte) ([]float32, error) {
	long, row, err := c.appendUnset(dst)
	if err != nil {
		return dst, err
	}
	s := scanner{text: object}
	if err := s.members(func(raw []byte) error { return c.member(row, &s, raw) }); err != nil {
		return dst, errs.Op("serve", err)
	}
	return long, nil
}

// member reads the value of the feature with the given name into row. raw is the name in JSON, with
// quotes.
func (c *Columns) member(row []float32, s *scanner, raw []byte) error {
	name := raw[1 : len(raw)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		decoded, err := text.Unquote(raw)
		if err != nil {
			return fmt.Errorf("the name %s %w", text.Excerpt(raw), err)
		}
		name = []byte(decoded)
	}
	j, known := c.column(string(name))
	if !known {
		if !c.IgnoreUnknown {
			return unknown(string(name))
		}
		return s.skip()
	}
	v := missing
	if c.texts[j] != nil {
		var err error
		if v, err = c.texts[j].member(s, name); err != nil {
			return err
		}
	} else if !s.word("null") {
		digits := s.number()
		if digits == nil {
			if s.at == len(s.text) {
				return s.expected("a number or null")
			}
			return fmt.Errorf("feature %q is %s; it must be a number or null", text.Excerpt(name), s.value())
		}
		f, err := text.ParseNumber(digits, 32)
		if err != nil {
			return fmt.Errorf("feature %q is %s, which is out of range for float32", text.Excerpt(name),
				text.Excerpt(digits))
		}
		v = float32(f)
	}
	if !set(row, j, v) {
		return c.twice(j)
	}
	return nil
}

// member reads the value of a feature with text categories.
func (c categories) member(s *scanner, name []byte) (float32, error) {
	switch {
	case s.word("null"):
		return missing, nil
	case s.word("true"):
		return c.of([]byte("True")), nil
	case s.word("false"):
		return c.of([]byte("False")), nil
	}
	if digits := s.number(); digits != nil {
		return c.of(digits), nil
	}
	if s.at < len(s.text) && s.text[s.at] != '"' {
		return 0, fmt.Errorf("feature %q is %s; it must be a string or null", text.Excerpt(name), s.value())
	}
	raw := s.string()
	if raw == nil {
		return 0, s.expected("a string or null")
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return c.of(raw[1 : len(raw)-1]), nil
	}
	decoded, err := text.Unquote(raw)
	if err != nil {
		return 0, fmt.Errorf("feature %q: the value %s %w", text.Excerpt(name), text.Excerpt(raw), err)
	}
	return c.of([]byte(decoded)), nil
}

// A scanner reads a JSON object.
type scanner struct {
	text []byte
	at   int
}

// members reads an object, after which the text must end. It calls read for each member with the
// name, including its quotes. read must read or skip the value.
func (s *scanner) members(read func(name []byte) error) error {
	if !s.next('{') {
		return s.expected("an object")
	}
	if !s.next('}') {
		for more := true; more; more = s.next(',') {
			s.space()
			name := s.string()
			if name == nil {
				return s.expected("a name in quotes")
			}
			if !s.next(':') {
				return s.expected("a colon")
			}
			s.space()
			if err := read(name); err != nil {
				return err
			}
		}
		if !s.next('}') {
			return s.expected("a comma or a closing brace")
		}
	}
	if s.space(); s.at < len(s.text) {
		return s.expected("the end of the object")
	}
	return nil
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// next skips white space. If the next byte is c, it also skips this byte and returns true.
func (s *scanner) next(c byte) bool {
	s.space()
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

// word skips w if the text continues with w, and reports whether it does.
func (s *scanner) word(w string) bool {
	if !bytes.HasPrefix(s.text[s.at:], []byte(w)) {
		return false
	}
	s.at += len(w)
	return true
}

// string skips a string and returns it with its quotes. It returns nil if the text does not
// continue with a complete string. It does not check escape sequences.
func (s *scanner) string() []byte {
	b := s.text[s.at:]
	if len(b) == 0 || b[0] != '"' {
		return nil
	}
	for i := 1; i < len(b) && b[i] >= ' '; i++ {
		switch b[i] {
		case '"':
			s.at += i + 1
			return b[:i+1]
		case '\\':
			i++
		}
	}
	return nil
}

// number skips a number and returns it. It returns nil if the text does not continue with a number.
func (s *scanner) number() []byte {
	b := s.text[s.at:]
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i++
	}
	n := digits(b[i:])
	if n == 0 || n > 1 && b[i] == '0' {
		return nil
	}
	i += n
	if i < len(b) && b[i] == '.' {
		if n = digits(b[i+1:]); n == 0 {
			return nil
		}
		i += 1 + n
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if n = digits(b[i:]); n == 0 {
			return nil
		}
		i += n
	}
	s.at += i
	return b[:i]
}

// digits returns the number of digits at the start of b.
func digits(b []byte) (n int) {
	for n < len(b) && b[n]-'0' <= 9 {
		n++
	}
	return n
}

// skip skips a value of any type.
func (s *scanner) skip() error {
	start := s.at
	if raw := s.string(); raw != nil && bytes.IndexByte(raw, '\\') < 0 || s.number() != nil {
		return nil // common values need no decoder, which allocates memory
	}
	s.at = start
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(s.text[s.at:]))
	if err := d.Decode(&value); err != nil {
		return s.expected("a value")
	}
	s.at += int(d.InputOffset())
	return nil
}

func (s *scanner) expected(what string) error {
	if s.at == len(s.text) {
		return fmt.Errorf("byte %d: the object ends too early: expected %s", s.at+1, what)
	}
	return fmt.Errorf("byte %d: found %q, expected %s", s.at+1, text.Excerpt(s.text[s.at:]), what)
}

// value describes the next value for an error message.
func (s *scanner) value() string {
	rest := s.text[s.at:]
	switch rest[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	if raw := s.string(); raw != nil {
		return strconv.Quote(text.Excerpt(raw[1 : len(raw)-1]))
	}
	if end := bytes.IndexAny(rest, ",} \n\t\r"); end > 0 {
		rest = rest[:end]
	}
	return strconv.Quote(text.Excerpt(rest))
}
