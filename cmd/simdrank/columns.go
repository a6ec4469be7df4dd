package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/summary"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// maxLine is the longest line of a column file.
const maxLine = 1 << 20

// readColumns reads n columns of numbers, separated by blanks, tabs or commas, from
// a file or standard input, gzipped or not. Blank lines and those that start with
// # are skipped. NaN is refused: it has no rank. Errors name file, line, column and text.
func readColumns(cmd *cobra.Command, path string, n int) ([][]float64, error) {
	return readInput(cmd, path, func(r io.Reader) ([][]float64, error) { return parseColumns(r, n, nil) })
}

// readNumbers reads a column of numbers that pass a check.
func readNumbers(cmd *cobra.Command, path string, check func(v float64) error) ([]float64, error) {
	columns, err := readInput(cmd, path, func(r io.Reader) ([][]float64, error) { return parseColumns(r, 1, check) })
	if err != nil {
		return nil, err
	}
	return columns[0], nil
}

func parseColumns(f io.Reader, n int, check func(v float64) error) ([][]float64, error) {
	r, err := files.Uncompressed(f)
	if err == nil {
		r, err = text.Plain(r)
	}
	if err != nil {
		return nil, err
	}
	line := 0
	fail := func(column int, format string, args ...any) ([][]float64, error) {
		return nil, &rank.ParseError{Line: line, Column: column, Err: fmt.Errorf(format, args...)}
	}
	columns := make([][]float64, n)
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), maxLine)
	for s.Scan() {
		line++
		text := s.Text()
		at, k := 0, 0
		for {
			start := at + strings.IndexFunc(text[at:], isText)
			if start < at || k == 0 && text[start] == '#' {
				break
			}
			end := start + strings.IndexFunc(text[start:], isSeparator)
			if end < start {
				end = len(text)
			}
			if k == n {
				return fail(start+1, "%.40q after %s, want no more", text[start:end], counted(n, "column"))
			}
			v, err := strconv.ParseFloat(text[start:end], 64)
			switch {
			case errors.Is(err, strconv.ErrRange):
				return fail(start+1, "%.40q is out of the range of float64", text[start:end])
			case err != nil:
				return fail(start+1, "%.40q is not a number", text[start:end])
			case math.IsNaN(v) && check == nil:
				return fail(start+1, "%.40q has no rank", text[start:end])
			}
			if check != nil {
				if err := check(v); err != nil {
					return fail(start+1, "%.40q: %w", text[start:end], err)
				}
			}
			columns[k] = append(columns[k], v)
			at, k = end, k+1
		}
		if k != 0 && k != n {
			return fail(0, "%s, want %d", counted(k, "column"), n)
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		line++
		return fail(0, "the line is longer than %d bytes", maxLine)
	case err != nil:
		return nil, err
	case len(columns[0]) == 0:
		return nil, errors.New("no numbers")
	}
	return columns, nil
}

func isSeparator(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' }
func isText(r rune) bool      { return !isSeparator(r) }

// counted is "1 row", "2 rows".
func counted[N int | int64](n N, what string) string { return summary.Count(n, what, what+"s") }
