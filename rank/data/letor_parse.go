package data

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

// A queryRun is a sequence of adjacent rows of the same query in a part.
type queryRun struct {
	qid  string
	rows int

	query, dest int // index of the query and destination row, set when the part is merged
}

// A stretch is the parsed content of a part of a file: whole lines of LETOR text, or whole records
// of a table. Its slices are reused for later parts.
type stretch struct {
	opts *reader

	size   int // size of the text in bytes
	lines  int
	before int // number of lines before the part, set when it is merged
	labels []float64
	places []int32 // line of each row within the part, counted from 1

	weights   []float64 // weights and positions of rows; used only for tables with such columns
	positions []int32
	runs      []queryRun

	// Row i contains the values from ends[i-1]>>1 to ends[i]>>1. If the low bit of ends[i] is set,
	// columns contains the column of each of these values. Otherwise, the values belong to the
	// first columns.
	ends    []uint32
	values  []float32
	columns []int32
	nonzero int // number of nonzero values

	docText []byte  // concatenated document IDs
	docEnds []int32 // end of each row's ID in docText; empty if the rows have no IDs

	texts []textColumn // text columns of a table; values are the numbers of their texts

	width int // number of columns of the widest row

	err *rank.ParseError // error that ended parsing; its line is counted from the start of the part
}

// These are errors about lines.
var (
	errLabel       = errors.New("the label is not a number")
	errLabelFinite = allowed("AllowNonFinite", "the label must be finite")
	errLabelRange  = errors.New("the label is out of range for float64")
	errNoQid       = errors.New("qid:… is missing after the label")
	errEmptyQid    = errors.New("the qid is empty")
	errExtraQid    = errors.New("a qid cannot be combined with group sizes")
	errFeature     = errors.New("the feature must have the form INDEX:VALUE")
	errIndexZero   = allowed("ZeroBased", "the feature index is 0")
	errValue       = errors.New("the feature value is not a number")
	errValueFinite = allowed("AllowNonFinite", "the feature value must be finite")
	errValueRange  = errors.New("the feature value is out of range for float32")
	errValueNull   = allowed("NullAs", "the feature value is NULL")
	errByte        = errors.New("unexpected control character")
)

// parse parses b. b must consist of whole lines, the last of which ends with a newline, and of
// text.Slack more bytes. parse stops at the first error.
func (p *stretch) parse(b []byte) {
	size := len(b) - text.Slack
	p.reset(size)
	// A feature has at least four bytes, as in " 1:1".
	if n := size/4 + 1; len(p.values) < n {
		p.values = make([]float32, n)
		p.columns = make([]int32, n)
	}
	values, columns := p.parseLines(b, size)
	p.values = p.values[:values]
	p.columns = p.columns[:columns]
	if n := len(p.runs); n > 0 && p.runs[n-1].rows == 0 {
		p.runs = p.runs[:n-1] // the run was started for a row that turned out to be invalid
	}
	p.finish()
	if len(p.docEnds) > 0 {
		p.padDocs()
	}
}

// reset empties p for a text of the given size, and keeps its memory.
func (p *stretch) reset(size int) {
	*p = stretch{
		opts:      p.opts,
		size:      size,
		labels:    p.labels[:0],
		places:    p.places[:0],
		weights:   p.weights[:0],
		positions: p.positions[:0],
		runs:      p.runs[:0],
		ends:      p.ends[:0],
		values:    p.values[:cap(p.values)],
		columns:   p.columns[:cap(p.columns)],
		docText:   p.docText[:0],
		docEnds:   p.docEnds[:0],
		texts:     p.texts,
	}
}

// finish counts the nonzero values. If rows need no query IDs, it combines all rows into one run.
func (p *stretch) finish() {
	p.nonzero = countNonzeros(p.values)
	// Count places instead of labels, because an invalid table row may have a label but no place.
	if rows := len(p.places); !p.opts.namesQueries() && rows > 0 {
		p.runs = append(p.runs, queryRun{rows: rows})
	}
}

// countNonzeros returns the number of nonzero values.
func countNonzeros(values []float32) (n int) {
	for _, v := range values {
		x := math.Float32bits(v) << 1
		n += int((x | -x) >> 31) // add 1 for nonzero x, without a branch
	}
	return n
}

// parseLines parses the lines in text[:size]. It stops at the first error. It returns the number of
// elements of p.values and p.columns that the lines use.
func (p *stretch) parseLines(text []byte, size int) (values, columns int) {
	var qid []byte // query ID of the previous row
	for i := 0; i < size; {
		line := i
		fail := func(at, end int, err error) (int, int) {
			p.err = p.lineError(text[:size], line, at, end, err)
			return values, columns
		}

		i = skipBlanks(text, i)
		if atLineEnd(text, i) || text[i] == '#' {
			i += bytes.IndexByte(text[i:], '\n') + 1
			if i-1-line > p.opts.MaxLineLength {
				return fail(line, line, nil)
			}
			p.lines++
			continue
		}

		// Parse the label.
		label := math.NaN()
		if !p.opts.Unlabeled || bytes.IndexByte(text[i:tokenEnd(text, i)], ':') < 0 {
			var end int
			var err error
			if label, end, err = p.label(text, i); err != nil {
				return fail(i, end, err)
			}
			i = skipBlanks(text, end)
		}

		// Parse the query ID.
		switch hasQid := string(text[i:i+4]) == "qid:"; {
		case hasQid && p.opts.Groups != nil:
			return fail(i, tokenEnd(text, i), errExtraQid)
		case !hasQid && p.opts.namesQueries():
			return fail(i, tokenEnd(text, i), errNoQid)
		case hasQid:
			end := tokenEnd(text, i)
			token := text[i+4 : end]
			if len(token) == 0 {
				return fail(i, end, errEmptyQid)
			}
			if !bytes.Equal(token, qid) && !p.opts.NoQueries {
				qid = token
				p.runs = append(p.runs, queryRun{qid: string(qid)})
			}
			i = end
			if text[i] == ' ' {
				i++
			}
		}

		// Parse the features.
		n, end, at, err := p.features(text, i, values, columns)
		if err != nil {
			return fail(at, end, err)
		}
		i = end
		width := 0
		if n > 0 {
			width = int(p.columns[columns+n-1]) + 1
		}
		p.width = max(p.width, width)
		values += n
		if width == n {
			p.ends = append(p.ends, uint32(values)<<1)
		} else {
			p.ends = append(p.ends, uint32(values)<<1|1)
			columns += n
		}

		// Parse the comment and the end of the line.
		if text[i] == '#' {
			end := i + bytes.IndexByte(text[i:], '\n')
			if id := docID(text[i+1 : end]); id != nil {
				p.padDocs()
				p.docText = append(p.docText, id...)
				p.docEnds = append(p.docEnds, int32(len(p.docText)))
			}
			i = end
		} else if text[i] == '\r' {
			i++
		}
		if i-line > p.opts.MaxLineLength {
			return fail(line, line, nil)
		}
		i++
		p.lines++
		p.labels = append(p.labels, label)
		p.places = append(p.places, int32(p.lines))
		if len(p.runs) > 0 {
			p.runs[len(p.runs)-1].rows++
		}
	}
	return values, columns
}

// rowWidth returns the number of columns of row i, whose columns start at the given index, and the
// start of the next row's columns.
func (p *stretch) rowWidth(i, column int) (width, next int) {
	n := int(p.ends[i] >> 1)
	if i > 0 {
		n -= int(p.ends[i-1] >> 1)
	}
	if p.ends[i]&1 == 0 {
		return n, column
	}
	return int(p.columns[column+n-1]) + 1, column + n
}

// padDocs adds an empty document ID for each row without an ID.
func (p *stretch) padDocs() {
	for len(p.docEnds) < len(p.labels) {
		p.docEnds = append(p.docEnds, int32(len(p.docText)))
	}
}

// label parses the label at i and returns the index of the first byte after it.
func (p *stretch) label(b []byte, i int) (v float64, end int, err error) {
	at := i
	negative := b[i] == '-'
	if negative || b[i] == '+' {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && b[end] <= ' ' {
		if v, ok := text.Decimal64(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	end = tokenEnd(b, at)
	v, err = text.ParseNumber(b[at:end], 64)
	switch {
	case end == at:
		return 0, at + 1, errByte
	case errors.Is(err, strconv.ErrRange):
		return 0, end, errLabelRange
	case err != nil:
		return 0, end, errLabel
	case (math.IsNaN(v) || math.IsInf(v, 0)) && !p.opts.AllowNonFinite:
		return 0, end, errLabelFinite
	}
	return v, end, nil
}

// features parses the features of a row at b[i:]. It stores them in the part's values and columns,
// starting at the given indices. It returns the number of features and the end of the features: the
// index of the newline, of the carriage return before the newline, or of a comment. After an error,
// b[at:end] is the offending text.
//
// Most feature indices have the same number of digits as the previous index. features predicts this
// number, and a branch checks the prediction. Therefore, the processor can read the value before it
// has found the end of the index.
func (p *stretch) features(b []byte, i, values, columns int) (n, end, at int, err error) {
	vals, cols := p.values[values:], p.columns[columns:]
	base, limit := p.opts.base(), p.opts.maxIndex+1
	next := base      // smallest valid feature index
	length := 1       // predicted number of digits
	shift := uint(48) // number of bits of a word after these digits and the colon

	for {
		at = i
		word := (text.Word(b, i) ^ text.Zeros) << (shift & 63)
		index := int(text.EightDigits(word << 8))
		if i += length + 1; word>>56 != ':'^'0' || text.NonDigits(word) != 1<<63 ||
			uint(index-next) >= uint(limit-next) {
			index, at, i, err = p.index(b, at, next)
			if index < 0 || err != nil {
				return n, i, at, err
			}
			length = min(i-at-1, 7)
			shift = uint(56 - 8*length)
		}

		// Most values are digits with an optional point, and have at most eight characters.
		digits := text.Word(b, i) ^ text.Zeros
		stops := text.NonDigits(digits)
		first := stops & -stops
		size := bits.TrailingZeros64(stops) / 8 // number of digits before the first other byte
		fraction := 0
		whole := size
		if b[i+size] == '.' {
			// Remove the point: shift the following digits by one byte.
			before := first>>7 - 1
			digits = digits&before | digits>>8&^before
			size = bits.TrailingZeros64(stops^first) / 8
			fraction = size - whole - 1
			whole = size - 1
		}
		if c := b[i+size]; uint(whole-1) < 7 && (c <= ' ' || c == '#') {
			vals[n] = float32(int32(text.EightDigits(digits<<(uint(64-8*whole)&63)))) / text.Pow10F32[fraction&7]
			i += size
		} else if vals[n], end, err = p.value(b, i); err != nil {
			return n, end, at, err
		} else {
			i = end
		}
		cols[n] = int32(index - base)
		n++
		next = index + 1
		if b[i] == ' ' {
			i++
		}
	}
}

// index parses a feature index and the following colon at b[i:]. It returns an error if the index
// is less than next. If there is no further index, index returns -1 and the end of the features.
// After an error, b[at:end] is the offending text.
func (p *stretch) index(b []byte, i, next int) (index, at, end int, err error) {
	at = skipBlanks(b, i)
	i = at
	digit := b[i] - '0'
	if digit > 9 {
		switch {
		case b[i] == '#' || atLineEnd(b, i):
			return -1, at, i, nil
		case b[i] < ' ':
			return 0, at, i + 1, errByte
		}
		return 0, at, tokenEnd(b, at), errFeature
	}
	for ; digit <= 9 && index <= p.opts.maxIndex; digit = b[i] - '0' {
		index = index*10 + int(digit)
		i++
	}
	switch {
	case index > p.opts.maxIndex && digitsThenColon(b[at:]):
		err = p.opts.indexError()
	case b[i] != ':':
		err = errFeature
	case index < p.opts.base():
		err = errIndexZero
	case index < next:
		err = fmt.Errorf("the feature index must be greater than the previous index, %d", next-1)
	default:
		return index, at, i + 1, nil
	}
	return 0, at, tokenEnd(b, at), err
}

// value parses a feature value at i, in any form, and returns the index after it.
func (p *stretch) value(b []byte, i int) (v float32, end int, err error) {
	if v, end, ok := text.LongDecimal(b, i); ok && (b[end] <= ' ' || b[end] == '#') {
		return v, end, nil
	}
	at := i
	negative := b[i] == '-'
	if negative || b[i] == '+' {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && (b[end] <= ' ' || b[end] == '#') {
		if v, ok := text.Decimal32(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	end = tokenEnd(b, at)
	token := b[at:end]
	if string(token) == "NULL" {
		if p.opts.NullAs == nil {
			return 0, end, errValueNull
		}
		return *p.opts.NullAs, end, nil
	}
	x, err := text.ParseNumber(token, 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, end, errValueRange
	case err != nil:
		return 0, end, errValue
	case (math.IsNaN(x) || math.IsInf(x, 0)) && !p.opts.AllowNonFinite:
		return 0, end, errValueFinite
	case math.IsNaN(x):
		return math.Float32frombits(0x7fc00000), end, nil
	}
	return float32(x), end, nil
}

// lineError returns an error about the line that starts at b[line:]. b[at:end] is the offending
// text. If the line is too long, the error reports its length instead.
func (p *stretch) lineError(b []byte, line, at, end int, err error) *rank.ParseError {
	if bytes.IndexByte(b[line:], '\n') > p.opts.MaxLineLength {
		return &rank.ParseError{Line: p.lines + 1, Err: p.opts.lengthError()}
	}
	return &rank.ParseError{Line: p.lines + 1, Column: at - line + 1, Text: text.Excerpt(b[at:end]), Err: err}
}

// docID returns the ID in a comment that contains "docid = ID". It returns nil if there is no ID.
func docID(comment []byte) []byte {
	const key = "docid"
	k := bytes.Index(comment, []byte(key))
	if k < 0 || k > 0 && comment[k-1] > ' ' {
		return nil
	}
	rest, found := bytes.CutPrefix(bytes.TrimLeft(comment[k+len(key):], " \t"), []byte("="))
	if !found {
		return nil
	}
	rest = bytes.TrimLeft(rest, " \t")
	end := 0
	for end < len(rest) && rest[end] > ' ' {
		end++
	}
	if end == 0 {
		return nil
	}
	return rest[:end]
}

// skipBlanks returns the index of the first byte at or after i that is not a blank.
func skipBlanks(b []byte, i int) int {
	for b[i] == ' ' || b[i] == '\t' {
		i++
	}
	return i
}

// atLineEnd reports whether a line ending, LF or CR LF, is at i.
func atLineEnd(b []byte, i int) bool {
	return b[i] == '\n' || b[i] == '\r' && b[i+1] == '\n'
}

// tokenEnd returns the end of the token that starts at i.
func tokenEnd(b []byte, i int) int {
	for b[i] > ' ' && b[i] != '#' {
		i++
	}
	return i
}

// digitsThenColon reports whether b starts with digits and a colon.
func digitsThenColon(b []byte) bool {
	i := 0
	for b[i]-'0' <= 9 {
		i++
	}
	return i > 0 && b[i] == ':'
}
