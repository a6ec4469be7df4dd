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

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// maxLine is the longest line of a column file.
const maxLine = 1 << 20

// readNumbers reads a column of numbers. An error of check is an error about the number.
func readNumbers(cmd *cobra.Command, path string, check func(v float64) error) (numbers []float64, err error) {
	err = readColumns(cmd, path, 1, func(_ int, _ string, v float64) error {
		numbers = append(numbers, v)
		return check(v)
	})
	return numbers, err
}

// ranked returns an error if v cannot be ranked.
func ranked(v float64) error {
	if math.IsNaN(v) {
		return rank.ErrNaN
	}
	return nil
}

// readColumns reads n columns of numbers, separated by blanks, tabs or commas, from
// a file or standard input, gzipped or not. Blank lines and those that start with
// # are skipped. It calls add for each number. All errors, including those of add, name
// file, line, column and text.
func readColumns(cmd *cobra.Command, path string, n int, add func(column int, token string, v float64) error) error {
	_, err := readInput(cmd, path, func(r io.Reader) (struct{}, error) { return struct{}{}, parseColumns(r, n, add) })
	return err
}

func parseColumns(f io.Reader, n int, add func(column int, token string, v float64) error) error {
	r, err := files.Uncompressed(f)
	if err == nil {
		r, err = text.Plain(r)
	}
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
				return fail(start+1, "%.40q after %s, want no more", token, counted(n, "column"))
			}
			v, err := text.ParseNumber(token, 64)
			switch {
			case errors.Is(err, strconv.ErrRange):
				return fail(start+1, "%.40q is out of the range of float64", token)
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
			return fail(0, "%s, want %d", counted(k, "column"), n)
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		line++
		return fail(0, "the line is longer than %d bytes", maxLine)
	case err != nil:
		return err
	case rows == 0:
		return errors.New("no numbers")
	}
	return nil
}

func isSeparator(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' }
func isText(r rune) bool      { return !isSeparator(r) }

// counted is "1 row", "2 rows".
func counted[N int | int64](n N, what string) string { return cli.Count(n, what, what+"s") }
