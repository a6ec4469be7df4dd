// Package text contains shared code of text parsers and writers: decimal numbers, eight-byte words,
// lines, quoted strings, and the names of enumerations and options.
package text

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Slack is the number of readable bytes that a buffer needs after the text, with any content,
// because numbers are read eight digits at a time.
const Slack = 8

// ByteOrderMark may appear at the start of a text, and is not part of it.
const ByteOrderMark = "\xef\xbb\xbf"

// Unmarked returns a text, or its start, without the byte order mark. It returns an error for the
// byte order mark of UTF-16, which Windows PowerShell writes.
func Unmarked(b []byte) ([]byte, error) {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return nil, errors.New("text must be UTF-8, not UTF-16 (re-encode the file, for example with iconv -f UTF-16 -t UTF-8)")
	}
	return bytes.TrimPrefix(b, []byte(ByteOrderMark)), nil
}

// Plain returns a reader that removes the byte order mark like [Unmarked].
func Plain(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(len(ByteOrderMark))
	if err != nil && err != io.EOF {
		return nil, err
	}
	rest, err := Unmarked(head)
	b.Discard(len(head) - len(rest))
	return b, err
}

const (
	Zeros    = 0x3030303030303030 // eight times the digit 0
	HighBits = 0x8080808080808080 // the high bit of each byte
	lowBits  = 0x7f7f7f7f7f7f7f7f
)

// These constants of the number parsing loops are variables. An instruction with a 64-bit immediate
// takes two entries in the processor's micro-op cache; variables make reading sparse text 10%
// faster (AMD EPYC, Zen 5).
var (
	below80 uint64 = lowBits
	to80    uint64 = 0x7676767676767676 // sets the high bit of a byte when added, if the byte is at least 10
	high    uint64 = HighBits

	quarters uint64 = 0x000000ff000000ff
	leading  uint64 = 100 + 1_000_000<<32
	trailing uint64 = 1 + 10_000<<32
)

// Word returns the eight bytes of b from i, with the first byte as the lowest.
func Word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8]) }

// NonDigits sets the high bit of each byte of w that is not a digit value from 0 to 9. w must be
// text xor Zeros.
func NonDigits(w uint64) uint64 { return (w&below80 + to80 | w) & high }

// EightDigits returns the number whose decimal digits are the bytes of d, with the first digit in
// the lowest byte. It combines pairs, then fours, then all (after Lemire, "Quickly parsing eight
// digits", 2018).
func EightDigits(d uint64) uint64 {
	d = d*10 + d>>8
	return ((d&quarters)*leading + (d>>16&quarters)*trailing) >> 32
}

// Pow10F32 contains the powers of ten that are exact in float32.
var Pow10F32 = [...]float32{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}

// Powers of ten that are exact in their type.
var (
	pow10f64 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	pow10u64 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}
)

// LongDecimal parses the number at i, which must have a point, eight to fifteen characters and an
// optional minus sign. It returns the nearest float32 and the index of the first byte after the
// number. It returns false for any other text, and if narrow does.
func LongDecimal(b []byte, i int) (v float32, end int, ok bool) {
	sign := 0
	if b[i] == '-' {
		sign = 1 // no branch: signs are almost random in standardized data
	}
	i += sign
	head := Word(b, i) ^ Zeros
	stops := NonDigits(head)
	whole := bits.TrailingZeros64(stops) / 8
	if stops == 0 || stops&(stops-1) != 0 || b[i+whole] != '.' {
		return 0, 0, false
	}
	tail := Word(b, i+8) ^ Zeros
	n := bits.TrailingZeros64(NonDigits(tail)) / 8
	if n == 8 {
		return 0, 0, false
	}
	before := uint64(1)<<(8*whole&63) - 1
	m := EightDigits((head&before | head>>8&^before) << 8)
	m = m*pow10u64[n] + EightDigits(tail<<(8*(7-n)&63)<<8)
	v, ok = narrow(float64(int64(m)) / pow10f64[7-whole+n])
	return math.Float32frombits(math.Float32bits(v) | uint32(sign)<<31), i + 8 + n, ok
}

// ScanDecimal reads an unsigned decimal number m·10^exp of at most 19 digits, with an optional
// fraction and exponent, and returns the index of the first byte after it. It returns false if
// there is no such number at i; a longer number is possible.
func ScanDecimal(b []byte, i int) (m uint64, exp, end int, ok bool) {
	start := i
	for ; b[i]-'0' <= 9; i++ {
		m = m*10 + uint64(b[i]-'0')
	}
	digits := i - start
	if b[i] == '.' {
		i++
		start = i
		for digits <= 19 {
			d := Word(b, i) ^ Zeros
			stop := NonDigits(d)
			n := bits.TrailingZeros64(stop) / 8
			if n == 8 {
				m = m*100_000_000 + EightDigits(d)
				i += 8
				digits += 8
				continue
			}
			m = m*pow10u64[n] + EightDigits(d<<(8*(7-n))<<8)
			i += n
			digits += n
			break
		}
		exp = start - i
	}
	if digits == 0 || digits > 19 {
		return 0, 0, i, false
	}
	if b[i]|0x20 == 'e' {
		i++
		negative := b[i] == '-'
		if negative || b[i] == '+' {
			i++
		}
		e := 0
		for start = i; b[i]-'0' <= 9 && i-start < 4; i++ {
			e = e*10 + int(b[i]-'0')
		}
		if i == start {
			return 0, 0, i, false
		}
		if negative {
			e = -e
		}
		exp += e
	}
	return m, exp, i, true
}

// Decimal32 returns m·10^exp rounded to the nearest float32. It returns false if its fast method
// cannot determine the result.
//
// Two small integers are divided with exact rounding. Otherwise the quotient or product in float64
// is off by at most 2 units in the last place: one from rounding m, and one from the operation.
func Decimal32(m uint64, exp int) (float32, bool) {
	if exp <= 0 && m < 1<<24 && -exp < len(Pow10F32) {
		return float32(int32(m)) / Pow10F32[-exp], true
	}
	var v float64
	switch {
	case m == 0:
		return 0, true
	case exp <= 0 && -exp < len(pow10f64):
		v = float64(m) / pow10f64[-exp]
	case exp > 0 && exp < len(pow10f64):
		v = float64(m) * pow10f64[exp]
	default:
		return 0, false
	}
	return narrow(v)
}

// narrow rounds v, which is off by at most 2 units in the last place, to the float32 nearest to the
// exact value. It returns false if it cannot determine this float32, because the 29 lower bits are
// too close to the midpoint of two float32 values.
func narrow(v float64) (float32, bool) {
	const half, margin = 1 << 28, 3
	if low := math.Float64bits(v) & (2*half - 1); low-(half-margin) <= 2*margin {
		return 0, false
	}
	if v < 0x1p-126 || v > math.MaxFloat32 {
		return 0, false
	}
	return float32(v), true
}

// Decimal64 returns m·10^exp rounded to the nearest float64. It returns false if this needs more
// than one exactly rounded operation.
func Decimal64(m uint64, exp int) (float64, bool) {
	switch {
	case m >= 1<<53:
		return 0, false
	case exp <= 0 && -exp < len(pow10f64):
		return float64(m) / pow10f64[-exp], true
	case exp > 0 && exp < len(pow10f64):
		return float64(m) * pow10f64[exp], true
	}
	return 0, false
}

// ParseNumber is like strconv.ParseFloat but for the numbers of text formats and flags: decimal
// numbers, NaN and infinities, with an optional sign. It rejects hexadecimal numbers and
// underscores.
func ParseNumber[T string | []byte](token T, bitSize int) (float64, error) {
	digits := token
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) == 3 && digits[0]|0x20 == 'n' && digits[1]|0x20 == 'a' && digits[2]|0x20 == 'n' {
		return math.NaN(), nil
	}
	for i := range len(digits) {
		if c := digits[i]; c == '_' || c|0x20 == 'x' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseFloat(string(token), bitSize)
}

// Excerpt returns text, shortened if necessary, for an error message.
func Excerpt[T string | []byte](text T) string {
	const limit = 48
	if len(text) <= limit {
		return string(text)
	}
	return string(text[:limit]) + "…"
}

// ScanError returns the error of a [bufio.Scanner] with its own buffer. It rewords the error for a
// line that is too long.
func ScanError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("the line is longer than %d bytes", bufio.MaxScanTokenSize)
	}
	return err
}

// Lines returns the lines of a text and counts them.
type Lines struct {
	// Rest is the text after the last line.
	Rest []byte
	// Line is the number of the last line, from 1.
	Line int
	// Last is the last line with its surrounding spaces.
	Last []byte
}

// Next returns the next line without surrounding spaces. It returns false at the end.
func (l *Lines) Next() (string, bool) {
	if len(l.Rest) == 0 {
		return "", false
	}
	line, rest, _ := bytes.Cut(l.Rest, []byte("\n"))
	l.Rest, l.Last = rest, bytes.TrimSuffix(line, []byte("\r"))
	l.Line++
	return string(bytes.TrimSpace(line)), true
}

// AppendQuoted appends s as a JSON string. It escapes only the characters that JSON requires, in
// ways that XGBoost understands: XGBoost reads \u0026 as plain letters.
func AppendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ':
			b = fmt.Appendf(b, `\u%04x`, r)
		default: // an invalid byte becomes U+FFFD; writers reject it earlier
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// IsDelimiter reports whether a character can separate the cells of a table.
func IsDelimiter(c byte) bool {
	return c < 0x7f && (c >= ' ' || c == '\t') && strings.IndexByte(`"+-.`, c) < 0 && c-'0' > 9 &&
		(c|0x20 < 'a' || c|0x20 > 'z')
}

// Cell returns a text as a CSV cell for the output of the commands. A spreadsheet treats text that
// begins with =, +, -, @, a tab or a carriage return as a formula, unless it is a number. Such text
// gets a leading ', also if it already starts with any number of '. Readers drop one '.
func Cell(s string) string {
	rest := strings.TrimLeft(s, "'")
	if rest == "" || strings.IndexByte("=+-@\t\r", rest[0]) < 0 {
		return s
	}
	if _, err := ParseNumber(s, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return s
	}
	return "'" + s
}
