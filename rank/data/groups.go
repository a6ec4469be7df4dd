package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// ReadGroups reads query sizes, one per line, as in LightGBM's .query files and XGBoost's .group
// files. Gzip compression is detected automatically, and empty lines are skipped. Errors are
// *rank.ParseError.
func ReadGroups(r io.Reader, o ...rank.ReadOptions) ([]int, error) { return readGroups(r, "", o) }

// loadGroups is like ReadGroups, but reads the file at the given path.
func loadGroups(path string, o ...rank.ReadOptions) ([]int, error) {
	return files.Load(path, func(r io.Reader) ([]int, error) { return readGroups(r, path, o) })
}

func readGroups(r io.Reader, file string, o []rank.ReadOptions) ([]int, error) {
	line := 0
	fail := func(size string, err error) error {
		return &rank.ParseError{File: file, Line: max(line, 1), Text: text.Excerpt(size), Err: err}
	}
	budget := files.NewBudget(r, o...)
	r, err := budget.Uncompressed(r)
	if err == nil {
		r, err = text.Plain(budget.Reader(r, "the sizes", 12))
	}
	if err != nil {
		return nil, fail("", fmt.Errorf("read error: %w", err))
	}
	var sizes []int
	sum := 0
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line++
		size := strings.TrimSpace(lines.Text())
		if size == "" {
			continue
		}
		n, err := strconv.ParseInt(size, 10, 32)
		if err != nil || n < 1 {
			return nil, fail(size, errors.New("the group size is not a positive number"))
		}
		var ok bool
		if sum, ok = memory.Sum(sum, int(n)); !ok {
			return nil, fail(size, fmt.Errorf("the sum of the group sizes exceeds %d", math.MaxInt))
		}
		sizes = append(sizes, int(n))
	}
	if err := lines.Err(); err != nil {
		line++
		return nil, fail("", text.ScanError(err))
	}
	if len(sizes) == 0 {
		return nil, fail("", errors.New("the file contains no group sizes"))
	}
	return sizes, nil
}
