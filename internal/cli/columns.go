package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A ColumnReader reads some columns of a table of numbers.
type ColumnReader struct {
	Wanted  []string // names in the header, or numbers from 1; nil for all columns
	DropNaN bool     // whether to skip rows in which a wanted cell is empty or NaN

	Names   []string // set by Read: names in the header, or numbers from 1
	Dropped int      // set by Read: number of skipped rows

	indices []int // wanted columns in the order of Wanted
	width   int   // number of cells in each row; 0 before the first row
	cells   []cell
	values  []float64
}

// Read reads rows of cells, separated by commas, tabs or blanks. A line with a comma is split only
// at commas, and otherwise a line with a tab only at tabs. The file may be compressed. Blank lines
// and lines that start with # are skipped. If no cell of the first row is a number, the row is the
// header. Read calls add for each wanted cell of a row with its index in Names. Errors, including
// those of add, are [rank.ParseError]s with line, column and text, unless the file contains no
// numbers.
func (c *ColumnReader) Read(r io.Reader, add func(column int, text string, v float64) error,
	o ...rank.ReadOptions) error {
	rows := 0
	err := eachLine(r, "the numbers", o, func(line int, content string) error {
		if start := strings.TrimLeft(content, " \t\r"); start == "" || start[0] == '#' {
			return nil
		}
		c.cells = splitCells(c.cells[:0], content)
		added, fail := c.row(add)
		if fail != nil {
			fail.Line = line
			return fail
		}
		if added {
			rows++
		}
		return nil
	})
	switch {
	case err != nil || rows > 0:
		return err
	case c.Dropped > 0:
		return errs.New("data", "each row contains NaN or an empty cell")
	}
	return errs.New("data", "the file contains no numbers")
}

// row processes the cells of a row. It reports whether it added them.
func (c *ColumnReader) row(add func(column int, text string, v float64) error) (bool, *rank.ParseError) {
	if c.width == 0 {
		c.width = len(c.cells)
		header, err := c.header()
		if err != nil || header {
			return false, err
		}
	}
	if n := len(c.cells); n != c.width {
		err := fmt.Errorf("found %s; each line must have %d", Count(n, "column", "columns"), c.width)
		return false, &rank.ParseError{Err: err}
	}
	c.values = c.values[:0]
	missing := -1
	for k, i := range c.indices {
		v, err := number(c.cells[i].text)
		if err != nil {
			return false, &rank.ParseError{Column: c.cells[i].at + 1, Err: err}
		}
		if math.IsNaN(v) && missing < 0 {
			missing = k
		}
		c.values = append(c.values, v)
	}
	if missing >= 0 {
		if c.Dropped++; c.DropNaN {
			return false, nil
		}
		at := c.cells[c.indices[missing]]
		err := fmt.Errorf("%.40q: %w (use --drop-nan to skip the row)", at.text, rank.ErrNaN)
		if at.text == "" {
			err = errors.New("the cell is empty (use --drop-nan to skip the row)")
		}
		return false, &rank.ParseError{Column: at.at + 1, Err: err}
	}
	for k, i := range c.indices {
		at := c.cells[i]
		if err := add(k, at.text, c.values[k]); err != nil {
			return false, &rank.ParseError{Column: at.at + 1, Err: fmt.Errorf("%.40q: %w", at.text, err)}
		}
	}
	return true, nil
}

// number parses a cell. An empty cell is NaN.
func number(token string) (float64, error) {
	if token == "" {
		return math.NaN(), nil
	}
	v, err := text.ParseNumber(token, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%.40q is out of range for float64", token)
	case err != nil:
		return 0, fmt.Errorf("%.40q is not a number", token)
	}
	return v, nil
}

// header reports whether the first row is a header, and finds the wanted columns.
func (c *ColumnReader) header() (bool, *rank.ParseError) {
	filled := func(c cell) bool { return c.text != "" }
	isNumber := func(c cell) bool {
		_, err := text.ParseNumber(c.text, 64)
		return err == nil || errors.Is(err, strconv.ErrRange)
	}
	header := slices.ContainsFunc(c.cells, filled) && !slices.ContainsFunc(c.cells, isNumber)
	names := make([]string, len(c.cells))
	for i, cell := range c.cells {
		if names[i] = strconv.Itoa(i + 1); header && cell.text != "" {
			names[i] = strings.Clone(cell.text)
		}
	}
	if c.Wanted == nil {
		c.Names = names
		for i := range names {
			c.indices = append(c.indices, i)
		}
		return header, nil
	}
	for _, name := range c.Wanted {
		i := slices.Index(names, name)
		if n, err := strconv.Atoi(name); i < 0 && err == nil && n >= 1 && n <= len(names) {
			i = n - 1
		}
		if i < 0 {
			err := fmt.Errorf("no column is named %.40q; the columns are %.400s", name, strings.Join(names, ", "))
			return false, &rank.ParseError{Err: err}
		}
		if slices.Contains(names[i+1:], name) {
			return false, &rank.ParseError{Err: fmt.Errorf("two columns are named %.40q (use their numbers)", name)}
		}
		c.Names, c.indices = append(c.Names, names[i]), append(c.indices, i)
	}
	return header, nil
}

// splitCells appends the cells of a line.
func splitCells(cells []cell, line string) []cell {
	if !strings.ContainsAny(line, ",\t") {
		for at := 0; ; {
			start := len(line) - len(strings.TrimLeft(line[at:], " \r"))
			if start == len(line) {
				return cells
			}
			end := start + strings.IndexAny(line[start:], " \r")
			if end < start {
				end = len(line)
			}
			cells, at = append(cells, cell{line[start:end], start}), end
		}
	}
	separator := ","
	if !strings.Contains(line, separator) {
		separator = "\t"
	}
	if strings.Contains(line, `"`) {
		r := csv.NewReader(strings.NewReader(line))
		r.Comma, r.LazyQuotes = rune(separator[0]), true
		record, _ := r.Read() // with LazyQuotes, an unclosed quote is not an error
		for i, content := range record {
			_, column := r.FieldPos(i)
			cells = append(cells, cell{strings.Trim(content, " \t\r"), column - 1})
		}
		return cells
	}
	for at, more := 0, true; more; {
		var content string
		content, _, more = strings.Cut(line[at:], separator)
		start := at + len(content) - len(strings.TrimLeft(content, " \t\r"))
		cells = append(cells, cell{strings.Trim(content, " \t\r"), start})
		at += len(content) + len(separator)
	}
	return cells
}
