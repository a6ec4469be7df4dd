package trec

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A span is the position of a field in a text.
type span struct{ lo, hi int }

func (s span) of(text []byte) []byte { return text[s.lo:s.hi] }

// A scanner splits the lines of a text into fields.
type scanner struct {
	form *form
	text []byte // ends with a newline and text.Slack bytes
	end  int    // end of the lines in text

	// i is the next byte to read. line and start are the number and the start of the current line.
	i, line, start int
	at             [6]span          // fields of the current line
	err            *rank.ParseError // error that ended the scan; nil at the end of the text
}

// next reads the next line that is neither empty nor a comment. It returns false at the end of the
// text, or if the line has a wrong number of fields, in which case it sets err.
func (s *scanner) next() bool {
	b, i := s.text, s.i
	for i < s.end {
		s.start = i
		s.line++
		n := 0
		for {
			if i = blanksEnd(b, i); b[i] == '\n' {
				break
			}
			if b[i] == '#' && n == 0 {
				i += bytes.IndexByte(b[i:], '\n')
				break
			}
			lo := i
			i = fieldEnd(b, i) // cannot go past the newline
			if n < len(s.at) {
				s.at[n] = span{lo, i}
			}
			n++
		}
		i++
		s.i = i
		if n >= s.form.fields && n <= s.form.most {
			return true
		}
		if n > 0 {
			hint := ""
			switch {
			case n >= runForm.fields:
				hint = " (runs have 6)"
			case n == qrelsForm.fields && s.form == runForm:
				hint = " (judgments have 4)"
			}
			many := "fields"
			if n == 1 {
				many = "field"
			}
			must := fmt.Sprint(s.form.fields)
			switch {
			case n == 3 && s.form.short != nil || s.form.fields == 3:
				hint = ", as in the first line"
			case s.form.short != nil:
				must += " or 3"
			}
			s.err = &rank.ParseError{Line: s.line, Text: text.Excerpt(bytes.TrimSpace(b[s.start : i-1])),
				Err: fmt.Errorf("found %d %s; there must be %s%s", n, many, must, hint)}
			return false
		}
	}
	return false
}

// fail ends the scan with an error about a field.
func (s *scanner) fail(f span, err error) {
	s.err = &rank.ParseError{Line: s.line, Column: f.lo - s.start + 1, Text: text.Excerpt(f.of(s.text)), Err: err}
}

// blanksEnd returns the index of the first byte at or after i that is a newline or is neither a
// blank nor a control character.
func blanksEnd(b []byte, i int) int {
	for b[i] <= ' ' && b[i] != '\n' {
		i++
	}
	return i
}

// fieldEnd returns the index of the first byte at or after i that is a blank or a control
// character. It tests eight bytes at a time, so it may read the text.Slack bytes at the end of b. A
// blank or control character must precede these bytes.
func fieldEnd(b []byte, i int) int {
	for {
		if n, ok := blankIn(text.Word(b, i)); ok {
			return i + n/8
		}
		i += 8
	}
}

// sameField reports whether the fields that start at a[i] and b[j] are equal. It compares eight
// bytes at a time.
func sameField(a []byte, i int, b []byte, j int) bool {
	for {
		x, y := text.Word(a, i), text.Word(b, j)
		if n, ok := blankIn(x); ok {
			return (x^y)<<(64-n) == 0 && byte(y>>n) <= ' '
		}
		if x != y {
			return false
		}
		i, j = i+8, j+8
	}
}

// blankIn finds the first blank or control character among eight bytes. It returns the number of
// bits before this byte, and whether there is one.
func blankIn(w uint64) (before int, ok bool) {
	const above = 0x2121212121212121 // the first byte after blanks and control characters
	low := (w - above) &^ w & text.HighBits
	return bits.TrailingZeros64(low) &^ 7, low != 0
}

func quickScore(b []byte, i int) (v float64, end int, ok bool) {
	negative := b[i] == '-'
	if negative {
		i++
	}
	m, exp, end, ok := text.ScanDecimal(b, i)
	if ok {
		v, ok = text.Decimal64(m, exp)
	}
	if negative {
		v = -v
	}
	return v, end, ok
}

func parseScore(field []byte) (float64, error) {
	v, err := text.ParseNumber(field, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(v) {
		return 0, errors.New("the score is not a number")
	}
	return v, nil // a score that overflows float64 is infinite, as in C
}

func jsonScore(field []byte) (float64, error) {
	v, err := parseScore(field)
	if err != nil || math.IsInf(v, 0) {
		return 0, errors.New("the score is not a finite number")
	}
	return v, nil
}

func quickRelevance(b []byte, i int) (v float64, end int, ok bool) {
	const digits = 9 // numbers with at most 9 digits fit in any int
	negative := b[i] == '-'
	if negative {
		i++
	}
	n, start := 0, i
	for ; b[i]-'0' <= 9 && i-start < digits; i++ {
		n = n*10 + int(b[i]-'0')
	}
	if negative {
		n = -n
	}
	return float64(n), i, i > start
}

// parseRelevance also accepts whole numbers with a decimal point, such as 1.0, because many
// programs write them.
func parseRelevance(field []byte) (float64, error) {
	if n, err := strconv.Atoi(string(field)); err == nil {
		return float64(n), nil
	}
	v, err := parseScore(field)
	if err != nil || v != math.Trunc(v) || !(math.Abs(v) < math.MaxInt+1) {
		return 0, errNoInteger
	}
	return v, nil
}

var errNoInteger = errors.New("the relevance is not an integer")
