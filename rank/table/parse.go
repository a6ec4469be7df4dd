package table

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/tabular"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// What may be wrong with a cell.
var (
	errNumber = errors.New("the value is not a number")
	errRange  = errors.New("the value is out of range")
	errQuote  = errors.New("the cell has a quote and does not begin with one")
	errAfter  = errors.New("the cell goes on after its closing quote")
	errOpen   = errors.New("the quote is not closed")
)

// A part is what a piece of a table holds. It serves one piece after another.
type part struct {
	tabular.Batch
	config  *tabular.Config
	columns *tabular.Columns
	long    bool // whether numbers are all parsed by longNumber

	docText  []byte // identifiers of documents, one after another
	docEnds  []int
	unquoted []byte // content of the last cell that was quoted

	err *rank.ParseError // why parsing stopped, with its line counted from the start of the piece
}

// names returns the cells of the first record of b, and where it ends.
func (p *part) names(b []byte) (names []string, end int, err *rank.ParseError) {
	p.Bytes = len(b) - text.Slack
	i := 0
	for i < p.Bytes && lineEnd(b, i) > 0 { // lines that are empty
		i += lineEnd(b, i)
		p.AllLines++
	}
	if i == p.Bytes {
		return nil, 0, &rank.ParseError{Line: 1, Err: errors.New("no header")}
	}
	for line := i; ; i++ {
		content, at, wrong := p.cell(b, i)
		if wrong != nil {
			p.fail(b, line, i, wrong, -1)
			return nil, 0, p.err
		}
		names = append(names, string(bytes.Trim(content, " \t")))
		i = at
		if n := lineEnd(b, i); n > 0 {
			p.AllLines += 1 + bytes.Count(b[line:i], newline)
			return names, i + n, nil
		}
	}
}

var newline = []byte{'\n'}

// lineEnd returns the length of the end of a line that is at i, or 0.
func lineEnd(b []byte, i int) int {
	switch {
	case b[i] == '\n':
		return 1
	case b[i] == '\r' && b[i+1] == '\n':
		return 2
	}
	return 0
}

// parse fills the part from the text b, whole records that end with a newline, followed by
// text.Slack more bytes. It stops at the first error.
func (p *part) parse(b []byte) {
	p.Reset()
	p.Bytes, p.err = len(b)-text.Slack, nil
	p.docText, p.docEnds = p.docText[:0], p.docEnds[:0]
	p.parseRecords(b)
	if docs := string(p.docText); len(p.docEnds) > 0 {
		from := 0
		for _, to := range p.docEnds {
			p.Docs = append(p.Docs, docs[from:to])
			from = to
		}
	}
}

func (p *part) parseRecords(b []byte) {
	stride, roles := rank.Stride(len(p.columns.Features)), p.columns.Roles
	delimiter := p.config.Delimiter
	quotes := bytes.IndexByte(b[:p.Bytes], '"') >= 0 // between which records may hold newlines
	for i := 0; i < p.Bytes; {
		line := i // where the record begins
		if n := lineEnd(b, i); n > 0 {
			i += n
			p.AllLines++
			continue
		}
		at := p.Rows * stride
		if len(p.X) < at+stride {
			p.X = slices.Grow(p.X[:at], max(stride, len(p.X)))
			p.X = p.X[:cap(p.X)/stride*stride]
		}
		row := p.X[at : at+stride]
		feature := 0
		id := []byte{}
		for c, role := range roles {
			if c > 0 {
				if b[i] != delimiter {
					err := fmt.Errorf("the row has %d cells, and the table %d columns", c, len(roles))
					p.fail(b, line, line, err, -1)
					return
				}
				i++
			}
			if role != tabular.Feature {
				end, err := p.special(b, i, role, &id)
				if err != nil {
					p.fail(b, line, i, err, c)
					return
				}
				i = end
				continue
			}
			// Most values are digits, perhaps with a point among them, in at most eight characters.
			digits := text.Word(b, i) ^ text.Zeros
			stops := text.NonDigits(digits)
			whole := bits.TrailingZeros64(stops) / 8 // digits before the first other byte
			size, fraction := whole, 0
			if b[i+whole] == '.' {
				stops &= stops - 1
				stop := bits.TrailingZeros64(stops) / 8
				// Take the point out: the digits after it move down a byte.
				before := uint64(1)<<(8*whole&63) - 1
				digits = digits&before | digits>>8&^before
				size, fraction = stop, stop-whole-1
				whole = stop - 1
			}
			if e := b[i+size]; uint(whole-1) < 7 && (e == delimiter || e == '\n') && !p.long {
				row[feature] = float32(int32(text.EightDigits(digits<<(64-8*whole&63)))) / text.Pow10F32[fraction&7]
				i += size
			} else {
				v, end, err := p.value(b, i)
				if err != nil {
					p.fail(b, line, i, err, c)
					return
				}
				row[feature], i = v, end
			}
			feature++
		}
		n := lineEnd(b, i)
		if n == 0 {
			p.fail(b, line, i, fmt.Errorf("the row has more cells than the %d columns of the table", len(roles)), -1)
			return
		}
		clear(row[feature:])
		p.Lines = append(p.Lines, int32(p.AllLines+1))
		p.AddRow(id)
		p.AllLines++
		if quotes {
			p.AllLines += bytes.Count(b[line:i], newline)
		}
		i += n
	}
}

// special parses a cell that is not a feature at i.
func (p *part) special(b []byte, i int, role tabular.Role, id *[]byte) (end int, err error) {
	if role == tabular.Query || role == tabular.Doc || role == tabular.Ignored {
		content, end, err := p.cell(b, i)
		if err != nil || role == tabular.Ignored {
			return end, err
		}
		if p.isMissing(content) {
			content = nil
		}
		switch {
		case role == tabular.Doc:
			p.docText = append(p.docText, content...)
			p.docEnds = append(p.docEnds, len(p.docText))
		case len(content) == 0 && !p.config.NoQueries:
			return 0, tabular.ErrQuery
		default:
			*id = content
			if b[i] == '"' {
				*id = bytes.Clone(content) // the next cell that is quoted overwrites it
			}
		}
		return end, nil
	}
	v, end, err := p.number(b, i)
	if err != nil {
		return 0, err
	}
	if err := p.config.Check(role, v); err != nil {
		return 0, err
	}
	switch role {
	case tabular.Label:
		p.Labels = append(p.Labels, v)
	case tabular.Weight:
		p.Weights = append(p.Weights, v)
	case tabular.Position:
		p.Positions = append(p.Positions, int32(v))
	}
	return end, nil
}

// ends reports whether a cell ends at i.
func (p *part) ends(b []byte, i int) bool { return b[i] == p.config.Delimiter || lineEnd(b, i) > 0 }

// number parses a float64 at i; a cell that is empty is NaN.
func (p *part) number(b []byte, i int) (v float64, end int, err error) {
	start := i
	negative := b[i] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && p.ends(b, end) && !p.long {
		if v, ok := text.Decimal64(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	return p.longNumber(b, start, 64)
}

// longNumber is number of what the quick ways do not take.
func (p *part) longNumber(b []byte, i, bitSize int) (v float64, end int, err error) {
	content, end, err := p.cell(b, i)
	if err != nil {
		return 0, 0, err
	}
	content = bytes.TrimSpace(content)
	if len(content) == 0 || p.isMissing(content) {
		return math.NaN(), end, nil
	}
	if p.config.Decimal == ',' {
		if content = withPoint(content); content == nil {
			return 0, 0, errNumber
		}
	}
	v, err = text.ParseNumber(content, bitSize)
	switch {
	case err == nil:
		return v, end, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, 0, errRange
	}
	switch string(content) { // as pandas, R and others write booleans
	case "True", "TRUE", "true":
		return 1, end, nil
	case "False", "FALSE", "false":
		return 0, end, nil
	}
	return 0, 0, errNumber
}

// isMissing reports whether a cell has a text of Options.Missing.
func (p *part) isMissing(content []byte) bool {
	return p.config.Missing != nil && slices.Contains(p.config.Missing, string(bytes.TrimSpace(content)))
}

// withPoint returns a number with a decimal comma as one with a point, nil if it has a point
// already.
func withPoint(number []byte) []byte {
	if bytes.IndexByte(number, '.') >= 0 {
		return nil
	}
	return bytes.ReplaceAll(number, []byte{','}, []byte{'.'})
}

// value parses any feature at i; a cell that is empty is NaN.
func (p *part) value(b []byte, i int) (v float32, end int, err error) {
	if p.ends(b, i) {
		return missing, i, nil
	}
	if v, end, ok := text.LongDecimal(b, i); ok && p.ends(b, end) && !p.long {
		return v, end, nil
	}
	start := i
	negative := b[i] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && p.ends(b, end) && !p.long {
		if v, ok := text.Decimal32(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	x, end, err := p.longNumber(b, start, 32)
	if err == nil {
		err = p.config.Check(tabular.Feature, x)
	}
	if x != x {
		return missing, end, err
	}
	return float32(x), end, err
}

var missing = math.Float32frombits(0x7fc00000)

// cell returns the content of the cell at i and the index of what follows it. That of a quoted one
// is overwritten by the next.
func (p *part) cell(b []byte, i int) (content []byte, end int, err error) {
	if b[i] != '"' {
		start := i
		for ; !p.ends(b, i); i++ {
			if b[i] == '"' {
				return nil, 0, errQuote
			}
		}
		return b[start:i], i, nil
	}
	p.unquoted = p.unquoted[:0]
	for i++; ; i += 2 {
		n := bytes.IndexByte(b[i:p.Bytes], '"')
		if n < 0 {
			return nil, 0, errOpen
		}
		p.unquoted = append(p.unquoted, b[i:i+n]...)
		if i += n; b[i+1] != '"' {
			break
		}
		p.unquoted = append(p.unquoted, '"')
	}
	if i++; !p.ends(b, i) {
		return nil, 0, errAfter
	}
	return p.unquoted, i, nil
}

// fail enters an error about what is at b[at:] in the record that begins at b[line:]. An error of a
// cell names its column, which is -1 for the whole record.
func (p *part) fail(b []byte, line, at int, err error, column int) {
	e := &rank.ParseError{Line: p.AllLines + 1 + bytes.Count(b[line:at], newline), Err: err}
	e.Column = at - (bytes.LastIndexByte(b[:at], '\n') + 1) + 1
	if column >= 0 {
		end := at
		if content, after, wrong := p.cell(b, at); wrong == nil {
			end = after
			if err == errNumber {
				err = p.advice(bytes.TrimSpace(content), column)
			}
		}
		e.Err = fmt.Errorf("column %s: %w", text.Excerpt(p.columns.Names[column]), p.columns.ValueError(column, err))
		for end < p.Bytes && !p.ends(b, end) {
			end++
		}
		e.Text = text.Excerpt(b[at:end])
	}
	p.err = e
}

// advice returns the error about a cell of a column that is not a number, with the option that
// would accept it.
func (p *part) advice(cell []byte, column int) error {
	option := func(name, value string) error {
		return &rank.OptionError{Option: name, Value: value, Err: errNumber}
	}
	isNumber := func(cell []byte) bool {
		_, err := text.ParseNumber(cell, 64)
		return cell != nil && err == nil
	}
	switch {
	case p.config.Decimal == ',' && isNumber(cell):
		return option("Decimal", ".")
	case p.config.Decimal != ',' && isNumber(withPoint(cell)) && !thousands.Match(cell):
		return option("Decimal", ",")
	case len(p.columns.Names) == 1 && p.config.OtherDelimiter(string(cell), tabular.Delimiters) != 0:
		return option("Delimiter", string(p.config.OtherDelimiter(string(cell), tabular.Delimiters)))
	case slices.Contains(missingTexts, strings.ToLower(string(cell))):
		return option("Missing", string(cell))
	case p.columns.Roles[column] == tabular.Feature && word.Match(cell):
		return option("Ignore", p.columns.Names[column])
	}
	return errNumber
}

var (
	thousands = regexp.MustCompile(`^[-+]?[0-9]{1,3},[0-9]{3}$`)
	word      = regexp.MustCompile(`^\pL\pL`)
	// missingTexts are how programs write missing values, in lower case.
	missingTexts = []string{"na", "n/a", "#n/a", "#na", "#n/a n/a", "<na>", "null", "(null)", "#null!", "none", "nil",
		"nat", "missing", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", `\n`, "?", "-", "."}
)
