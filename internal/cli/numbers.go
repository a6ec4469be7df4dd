package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// maxLine is the maximum length of a line in a file of numbers.
const maxLine = 1 << 20

// ReadNumbers reads n columns of numbers, such as scores or weights, separated by blanks, tabs or
// commas. The file may be compressed with gzip. Blank lines and lines that start with # are
// skipped. ReadNumbers calls add for each number with its column, counted from 0, and its text.
// Errors, including those of add, are [rank.ParseError]s with line, column and text, unless the
// file contains no numbers.
func ReadNumbers(r io.Reader, n int, add func(column int, text string, v float64) error, o ...rank.ReadOptions) error {
	rows := 0
	var fields []cell
	err := eachLine(r, "the numbers", o, func(line int, content string) error {
		fail := func(column int, err error) error {
			return &rank.ParseError{Line: line, Column: column, Err: err}
		}
		fields = splitFields(fields[:0], content)
		for k, field := range fields {
			if k == n {
				return fail(field.at+1, fmt.Errorf("unexpected %.40q after %s", field.text,
					Count(n, "column", "columns")))
			}
			v, err := number(field.text)
			if err != nil {
				return fail(field.at+1, err)
			}
			if err := add(k, field.text, v); err != nil {
				return fail(field.at+1, fmt.Errorf("%.40q: %w", field.text, err))
			}
		}
		switch len(fields) {
		case 0:
			return nil
		case n:
			rows++
			return nil
		}
		return fail(0, fmt.Errorf("found %s; each line must have %d", Count(len(fields), "column", "columns"), n))
	})
	if err == nil && rows == 0 {
		err = errs.New("data", "the file contains no numbers")
	}
	return err
}

// eachLine calls add for each line of a text, which may be compressed and may begin with a byte
// order mark. Lines are counted from 1.
func eachLine(r io.Reader, what string, o []rank.ReadOptions, add func(line int, content string) error) error {
	r, err := plain(r, what, 8, o)
	if err != nil {
		return err
	}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxLine)
	line := 0
	for s.Scan() {
		line++
		if err := add(line, s.Text()); err != nil {
			return err
		}
	}
	if err = s.Err(); errors.Is(err, bufio.ErrTooLong) {
		return &rank.ParseError{Line: line + 1, Err: fmt.Errorf("the line is longer than %d bytes", maxLine)}
	}
	return err
}

// A cell is a field of a line, without quotes and blanks around it.
type cell struct {
	text string
	at   int // position in the line, in bytes, counted from 0
}

// splitFields appends the fields of a line, which are separated by blanks, tabs or commas. A line
// that starts with # has none.
func splitFields(fields []cell, line string) []cell {
	for at := 0; ; {
		start := at + strings.IndexFunc(line[at:], isText)
		if start < at || len(fields) == 0 && line[start] == '#' {
			return fields
		}
		if at = start + strings.IndexFunc(line[start:], isSeparator); at < start {
			at = len(line)
		}
		fields = append(fields, cell{line[start:at], start})
	}
}

func isSeparator(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' }
func isText(r rune) bool      { return !isSeparator(r) }

// plain returns a reader of text, which may be compressed and may begin with a byte order mark.
// each is the memory that a byte of the text needs.
func plain(r io.Reader, what string, each int64, o []rank.ReadOptions) (io.Reader, error) {
	budget := files.NewBudget(r, o...)
	r, err := budget.Uncompressed(r)
	if err != nil {
		return nil, err
	}
	return text.Plain(budget.Reader(r, what, each))
}

// ReadNames reads feature names, one per line. The file may be compressed. Names must be UTF-8 and
// unique; blanks around them are ignored.
func ReadNames(r io.Reader, o ...rank.ReadOptions) ([]string, error) {
	return readNames(r, "feature name", func(string) error { return nil }, o)
}

// ReadIDs is like [ReadNames] but reads identifiers, which must not contain blanks.
func ReadIDs(r io.Reader, o ...rank.ReadOptions) ([]string, error) {
	return readNames(r, "identifier", func(id string) error {
		if what := text.FieldFault(id); what != "" {
			return errors.New("the identifier " + what)
		}
		return nil
	}, o)
}

// readNames reads unique texts, one per line. what describes a text, and check returns the error of
// an invalid text.
func readNames(r io.Reader, what string, check func(name string) error, o []rank.ReadOptions) ([]string, error) {
	r, err := plain(r, "the names", 64, o)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	s := bufio.NewScanner(r)
	for s.Scan() {
		name := strings.Trim(s.Text(), " \t\r")
		fail := &rank.ParseError{Line: len(names) + 1}
		switch err := check(name); {
		case name == "":
			fail.Err = errors.New("the line is empty; each line must contain one " + what)
		case !utf8.ValidString(name):
			fail.Err = text.NotUTF8("the "+what, name)
		case err != nil:
			fail.Err, fail.Text = err, name
		case seen[name]:
			fail.Err, fail.Text = errors.New("the "+what+" is given twice"), name
		}
		if fail.Err != nil {
			return nil, fail
		}
		seen[name] = true
		names = append(names, name)
	}
	if err := s.Err(); err != nil {
		return nil, &rank.ParseError{Line: len(names) + 1, Err: text.ScanError(err)}
	}
	if names == nil {
		return nil, errs.Errorf("data", "the file contains no %ss", what)
	}
	return names, nil
}
