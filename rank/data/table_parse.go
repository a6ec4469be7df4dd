package data

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

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// These are errors about cells.
var (
	errNumber = errors.New("the value is not a number")
	errRange  = errors.New("the value is out of range")
	errQuote  = errors.New("the cell contains a quote but does not begin with one")
	errAfter  = errors.New("the cell continues after its closing quote")
	errEscape = errors.New("quotes must be doubled, not escaped with a backslash (in Spark, set the option escape to '\"')")
	// errRowNames means that the first row has one more cell than the header.
	errRowNames = errors.New("the row has one cell more than the header, like the rows of R's write.table " +
		"(set its col.names to NA, or its row.names to FALSE)")
	errCR   = errors.New("lines must end with LF or CR LF, not with CR only")
	errOpen = errors.New("the quote is not closed")
)

// A part is the parsed content of a piece of a table. Its memory is reused for later pieces.
type part struct {
	stretch
	columns *tableColumns
	long    bool // whether longNumber must parse all numbers, because the fast path does not support their form

	unquoted []byte // content of the last quoted cell
}

// separator returns the delimiter that the first line specifies, and the end of this line. Some
// programs write a line such as "sep=;" before the header, because Excel reads it. separator
// returns 0 if there is no such line.
func separator(b []byte) (delimiter byte, end int) {
	line, _, _ := bytes.Cut(b[:len(b)-text.Slack], newline)
	content := bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if c, found := bytes.CutPrefix(content, []byte("sep=")); found && len(c) == 1 && text.IsDelimiter(c[0]) {
		return c[0], len(line) + 1
	}
	return 0, 0
}

// header returns the cells of the first record of b, and the end of the record. It counts the
// memory of the cells in the budget.
func (p *part) header(b []byte, budget *files.Budget) (names []string, end int, err *rank.ParseError) {
	p.size = len(b) - text.Slack
	i := 0
	for i < p.size && lineEnd(b, i) > 0 { // skip empty lines
		i += lineEnd(b, i)
		p.lines++
	}
	if i == p.size {
		return nil, 0, &rank.ParseError{Line: 1, Err: errors.New("the header is missing")}
	}
	for line := i; ; i++ {
		content, at, wrong := p.cell(b, i)
		if wrong != nil {
			record, _, _ := bytes.Cut(b[line:p.size], newline)
			if d := p.opts.otherDelimiter(string(record), delimiters+" "); wrong == errAfter && d != 0 {
				wrong = &rank.OptionError{Option: "Delimiter", Value: string(d), Err: wrong}
			}
			p.fail(b, line, i, wrong, -1)
			return nil, 0, p.err
		}
		if full := budget.Hold("the columns", columnBytes+2*int64(len(content))); full != nil {
			return nil, 0, &rank.ParseError{Line: p.lines + 1, Err: full}
		}
		if bytes.IndexByte(content, '\r') >= 0 && b[i] != '"' {
			p.fail(b, line, i, errCR, -1)
			return nil, 0, p.err
		}
		names = append(names, string(bytes.Trim(content, " \t")))
		i = at
		if n := lineEnd(b, i); n > 0 {
			p.lines += 1 + bytes.Count(b[line:i], newline)
			return names, i + n, nil
		}
	}
}

var newline = []byte{'\n'}

// lineEnd returns the length of the line ending at i, or 0 if there is no line ending.
func lineEnd(b []byte, i int) int {
	switch {
	case b[i] == '\n':
		return 1
	case b[i] == '\r' && b[i+1] == '\n':
		return 2
	}
	return 0
}

// parse parses b. b must consist of whole records, the last of which ends with a newline, and of
// text.Slack more bytes. parse stops at the first error.
func (p *part) parse(b []byte) {
	p.reset(len(b) - text.Slack)
	p.width = len(p.columns.features)
	if p.texts == nil {
		p.texts = p.columns.textColumns()
	}
	for k := range p.texts {
		p.texts[k].reset()
	}
	p.parseRecords(b)
	p.values = p.values[:len(p.ends)*p.width]
	p.finish()
}

func (p *part) parseRecords(b []byte) {
	roles, delimiter := p.columns.roles, p.opts.Delimiter
	quotes := bytes.IndexByte(b[:p.size], '"') >= 0 // whether there may be records with newlines between quotes
	for i := 0; i < p.size; {
		line := i // start of the record
		if n := lineEnd(b, i); n > 0 {
			i += n
			p.lines++
			continue
		}
		at := len(p.ends) * p.width
		if len(p.values) < at+p.width {
			p.values = slices.Grow(p.values[:at], max(p.width, len(p.values)))
			p.values = p.values[:cap(p.values)]
		}
		row := p.values[at : at+p.width]
		feature, texts := 0, p.texts
		id := []byte{}
		for c, role := range roles {
			if c > 0 {
				if b[i] != delimiter {
					err := fmt.Errorf("the row has %d cells, but the table has %d columns", c, len(roles))
					p.fail(b, line, line, err, -1)
					return
				}
				i++
			}
			if role == roleText {
				v, end, err := p.textValue(b, i, &texts[0])
				if err != nil {
					p.fail(b, line, i, err, c)
					return
				}
				row[feature], i, texts = v, end, texts[1:]
				feature++
				continue
			}
			if role != roleFeature {
				end, err := p.special(b, i, role, &id)
				if err != nil {
					p.fail(b, line, i, err, c)
					return
				}
				i = end
				continue
			}
			// Most values are digits with an optional point, and have at most eight characters.
			digits := text.Word(b, i) ^ text.Zeros
			stops := text.NonDigits(digits)
			whole := bits.TrailingZeros64(stops) / 8 // number of digits before the first other byte
			size, fraction := whole, 0
			if b[i+whole] == '.' {
				stops &= stops - 1
				stop := bits.TrailingZeros64(stops) / 8
				// Remove the point: shift the following digits by one byte.
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
			p.fail(b, line, i, fmt.Errorf("the row has more cells than the table has columns (%d)", len(roles)), -1)
			return
		}
		p.places = append(p.places, int32(p.lines+1))
		p.ends = append(p.ends, uint32(at+p.width)<<1)
		if !p.columns.has[roleLabel] {
			p.labels = append(p.labels, math.NaN())
		}
		p.addRow(id)
		p.lines++
		if quotes {
			p.lines += bytes.Count(b[line:i], newline)
		}
		i += n
	}
}

// addRow adds a row of the query with the given ID to the runs.
func (p *part) addRow(id []byte) {
	if !p.opts.namesQueries() {
		return
	}
	if n := len(p.runs); n == 0 || p.runs[n-1].qid != string(id) {
		p.runs = append(p.runs, queryRun{qid: string(id)})
	}
	p.runs[len(p.runs)-1].rows++
}

// special parses the cell at b[i], which has a role other than roleFeature.
func (p *part) special(b []byte, i int, role columnRole, id *[]byte) (end int, err error) {
	if role == roleQuery || role == roleDoc || role == roleIgnored {
		content, end, err := p.cell(b, i)
		if err != nil || role == roleIgnored {
			return end, err
		}
		if p.isMissing(content) {
			content = nil
		}
		switch {
		case role == roleDoc:
			p.docText = append(p.docText, content...)
			p.docEnds = append(p.docEnds, int32(len(p.docText)))
		case len(content) == 0 && !p.opts.NoQueries:
			return 0, errQuery
		default:
			*id = content
			if b[i] == '"' {
				*id = bytes.Clone(content) // copy the ID, because the next quoted cell overwrites it
			}
		}
		return end, nil
	}
	v, end, err := p.number(b, i)
	if err != nil {
		return 0, err
	}
	if err := p.opts.check(role, v); err != nil {
		return 0, err
	}
	switch role {
	case roleLabel:
		p.labels = append(p.labels, v)
	case roleWeight:
		p.weights = append(p.weights, v)
	case rolePosition:
		p.positions = append(p.positions, int32(v))
	}
	return end, nil
}

// atCellEnd reports whether a cell ends at i.
func (p *part) atCellEnd(b []byte, i int) bool { return b[i] == p.opts.Delimiter || lineEnd(b, i) > 0 }

// number parses a float64 at i. An empty cell is missing (NaN).
func (p *part) number(b []byte, i int) (v float64, end int, err error) {
	start := i
	negative := b[i] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && p.atCellEnd(b, end) && !p.long {
		if v, ok := text.Decimal64(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	return p.longNumber(b, start, 64)
}

// longNumber parses numbers that number and value do not support.
func (p *part) longNumber(b []byte, i, bitSize int) (v float64, end int, err error) {
	content, end, err := p.cell(b, i)
	if err != nil {
		return 0, 0, err
	}
	content = bytes.TrimSpace(content)
	if len(content) == 0 || p.isMissing(content) {
		return math.NaN(), end, nil
	}
	if v, known := words[string(content)]; known {
		return v, end, nil
	}
	number := content
	if p.opts.Decimal == ',' {
		number = withPoint(content)
	}
	v, err = text.ParseNumber(number, bitSize)
	switch {
	case err == nil:
		return v, end, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, 0, errRange
	}
	return 0, 0, errNumber
}

// words contains the numbers that texts represent. The texts for missing values are the defaults of
// pandas.read_csv and of MySQL and PostgreSQL. The texts for booleans are the spellings of pandas,
// R, Excel, polars, DuckDB, Spark and PostgreSQL.
var words = func() map[string]float64 {
	values := map[string]float64{"True": 1, "TRUE": 1, "true": 1, "t": 1, "False": 0, "FALSE": 0, "false": 0, "f": 0}
	for _, missing := range []string{"NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NULL", "null", "None",
		"1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", `\N`} {
		values[missing] = math.NaN()
	}
	return values
}()

// isMissing reports whether a cell contains one of the texts in Options.Missing.
func (p *part) isMissing(content []byte) bool {
	return p.opts.Missing != nil && slices.Contains(p.opts.Missing, string(bytes.TrimSpace(content)))
}

// withPoint returns a number with its decimal comma replaced by a point. It returns nil if the
// number already contains a point.
func withPoint(number []byte) []byte {
	if bytes.IndexByte(number, '.') >= 0 {
		return nil
	}
	return bytes.ReplaceAll(number, []byte{','}, []byte{'.'})
}

// value parses a feature at i. An empty cell is missing (NaN).
func (p *part) value(b []byte, i int) (v float32, end int, err error) {
	if p.atCellEnd(b, i) {
		return missing, i, nil
	}
	if v, end, ok := text.LongDecimal(b, i); ok && p.atCellEnd(b, end) && !p.long {
		return v, end, nil
	}
	start := i
	negative := b[i] == '-'
	if negative {
		i++
	}
	if m, exp, end, ok := text.ScanDecimal(b, i); ok && p.atCellEnd(b, end) && !p.long {
		if v, ok := text.Decimal32(m, exp); ok {
			if negative {
				v = -v
			}
			return v, end, nil
		}
	}
	x, end, err := p.longNumber(b, start, 32)
	if err == nil {
		err = p.opts.check(roleFeature, x)
	}
	if x != x {
		return missing, end, err
	}
	return float32(x), end, err
}

var missing = math.Float32frombits(0x7fc00000)

// cell returns the content and the end of the cell at i. The next quoted cell overwrites the
// content if the cell is quoted.
func (p *part) cell(b []byte, i int) (content []byte, end int, err error) {
	if b[i] != '"' {
		start := i
		for ; !p.atCellEnd(b, i); i++ {
			if b[i] == '"' {
				return nil, 0, errQuote
			}
		}
		return b[start:i], i, nil
	}
	p.unquoted = p.unquoted[:0]
	for i++; ; i += 2 {
		n := bytes.IndexByte(b[i:p.size], '"')
		if n < 0 {
			return nil, 0, errOpen
		}
		p.unquoted = append(p.unquoted, b[i:i+n]...)
		if i += n; b[i+1] != '"' {
			break
		}
		p.unquoted = append(p.unquoted, '"')
	}
	if i++; !p.atCellEnd(b, i) {
		if bytes.HasSuffix(p.unquoted, []byte{'\\'}) {
			return nil, 0, errEscape
		}
		return nil, 0, errAfter
	}
	return p.unquoted, i, nil
}

// fail records an error about b[at:], in the record that starts at b[line:]. column is the column
// of the cell, which the error names, or -1 if the error is about the whole record. If the first
// record of a part has one cell more than the table has columns, fail records errRowNames instead.
func (p *part) fail(b []byte, line, at int, err error, column int) {
	if p.columns != nil && len(p.ends) == 0 && p.cells(b, line) == len(p.columns.roles)+1 {
		err, at, column = errRowNames, line, -1
	}
	e := &rank.ParseError{Line: p.lines + 1 + bytes.Count(b[line:at], newline), Err: err}
	e.Column = at - (bytes.LastIndexByte(b[:at], '\n') + 1) + 1
	if column >= 0 {
		end := at
		if content, after, wrong := p.cell(b, at); wrong == nil {
			end = after
			if err == errNumber {
				err = p.advice(bytes.TrimSpace(content), column)
			}
		}
		e.Err = errs.Wrap(p.columns.valueError(column, err), "column %s", text.Excerpt(p.columns.names[column]))
		for end < p.size && !p.atCellEnd(b, end) {
			end++
		}
		e.Text = text.Excerpt(b[at:end])
	}
	p.err = e
}

// cells returns the number of cells in the record at i, not counting cells from the first invalid
// one on.
func (p *part) cells(b []byte, i int) (n int) {
	for {
		_, end, err := p.cell(b, i)
		if err != nil {
			return n
		}
		n++
		if lineEnd(b, end) > 0 {
			return n
		}
		i = end + 1
	}
}

// advice returns an error about a cell that is not a number. If an option would accept the cell,
// the error recommends it.
func (p *part) advice(cell []byte, column int) error {
	option := func(name, value string) error {
		return &rank.OptionError{Option: name, Value: value, Err: errNumber}
	}
	isNumber := func(cell []byte) bool {
		_, err := text.ParseNumber(cell, 64)
		return cell != nil && err == nil
	}
	switch {
	case p.opts.Decimal == ',' && isNumber(cell):
		return option("Decimal", ".")
	case p.opts.Decimal != ',' && isNumber(withPoint(cell)) && !thousands.Match(cell):
		return option("Decimal", ",")
	case len(p.columns.names) == 1 && p.opts.otherDelimiter(string(cell), delimiters) != 0:
		return option("Delimiter", string(p.opts.otherDelimiter(string(cell), delimiters)))
	case slices.Contains(missingTexts, strings.ToLower(string(cell))):
		return option("Missing", string(cell))
	case p.columns.roles[column] == roleFeature && word.Match(cell):
		return option("TextColumns", p.columns.names[column])
	}
	return errNumber
}

var (
	thousands = regexp.MustCompile(`^[-+]?[0-9]{1,3},[0-9]{3}$`)
	word      = regexp.MustCompile(`^\pL\pL`)
	// missingTexts are other common texts for missing values, in lower case. The default does not
	// include them, because some of them have other meanings too.
	missingTexts = []string{"na", "n/a", "null", "(null)", "none", "nil", "nat", "missing", "#null!", "#div/0!",
		"#value!", "#num!", "#ref!", "#name?", "?", "-", "."}
)
