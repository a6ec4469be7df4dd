package rank

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
)

// ReadGroups reads the sizes of queries, one a line, as the .query files of LightGBM and
// the .group files of XGBoost hold them. Text compressed with gzip is recognised, empty
// lines are skipped. Errors are *ParseError.
func ReadGroups(r io.Reader) ([]int, error) { return readGroups(r, "") }

// LoadGroups reads a file as ReadGroups does.
func LoadGroups(path string) ([]int, error) { return load(path, readGroups) }

func readGroups(r io.Reader, file string) ([]int, error) {
	line := 0
	fail := func(text string, err error) error {
		return &ParseError{File: file, Line: max(line, 1), Text: excerpt([]byte(text)), Err: err}
	}
	r, err := uncompressed(r)
	if err != nil {
		return nil, fail("", err)
	}
	var sizes []int
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return nil, fail(text, errors.New("group size is not a positive number"))
		}
		sizes = append(sizes, int(n))
	}
	if err := lines.Err(); err != nil {
		line++
		return nil, fail("", err)
	}
	if len(sizes) == 0 {
		return nil, fail("", errors.New("no group sizes"))
	}
	return sizes, nil
}
