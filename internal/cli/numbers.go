package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
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
	r, err := plain(r, "the numbers", 8, o)
	if err != nil {
		return err
	}
	line, rows := 0, 0
	fail := func(column int, format string, args ...any) error {
		return &rank.ParseError{Line: line, Column: column, Err: fmt.Errorf(format, args...)}
	}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxLine)
	for s.Scan() {
		line++
		content := s.Text()
		at, k := 0, 0
		for {
			start := at + strings.IndexFunc(content[at:], isText)
			if start < at || k == 0 && content[start] == '#' {
				break
			}
			end := start + strings.IndexFunc(content[start:], isSeparator)
			if end < start {
				end = len(content)
			}
			token := content[start:end]
			if k == n {
				return fail(start+1, "unexpected %.40q after %s", token, Count(n, "column", "columns"))
			}
			v, err := text.ParseNumber(token, 64)
			switch {
			case errors.Is(err, strconv.ErrRange):
				return fail(start+1, "%.40q is out of range for float64", token)
			case err != nil:
				return fail(start+1, "%.40q is not a number", token)
			}
			if err := add(k, token, v); err != nil {
				return fail(start+1, "%.40q: %w", token, err)
			}
			at, k = end, k+1
		}
		if k > 0 {
			rows++
		}
		if k != 0 && k != n {
			return fail(0, "found %s; each line must have %d", Count(k, "column", "columns"), n)
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		line++
		return fail(0, "the line is longer than %d bytes", maxLine)
	case err != nil:
		return err
	case rows == 0:
		return errs.New("data", "the file contains no numbers")
	}
	return nil
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
