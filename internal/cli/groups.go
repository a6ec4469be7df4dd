package cli

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// ReadQueryGroups reads the group of each query. A line contains a query ID and a group name. They
// are separated by a tab, as in CSV by a comma, or by blanks. Blank lines and lines that start with
// # are skipped. The file may be compressed. Group names must be UTF-8.
func ReadQueryGroups(r io.Reader, o ...rank.ReadOptions) (map[string]string, error) {
	r, err := plain(r, "the groups", 64, o)
	if err != nil {
		return nil, err
	}
	groups := map[string]string{}
	line := 0
	s := bufio.NewScanner(r)
	for s.Scan() {
		line++
		content := strings.TrimRight(s.Text(), " \t\r")
		if content == "" || content[0] == '#' {
			continue
		}
		query, group, err := queryGroup(content)
		if before, known := groups[query]; err == nil && known && before != group {
			err = fmt.Errorf("the query is already in group %.40q", before)
		}
		if err != nil {
			return nil, &rank.ParseError{Line: line, Text: text.Excerpt(content), Err: err}
		}
		groups[query] = group
	}
	if err := s.Err(); err != nil {
		return nil, &rank.ParseError{Line: line + 1, Err: text.ScanError(err)}
	}
	if len(groups) == 0 {
		return nil, errs.New("data", "the file contains no groups")
	}
	return groups, nil
}

// queryGroup splits a line into the ID and the group of a query.
func queryGroup(line string) (query, group string, err error) {
	fields := strings.Fields(line)
	switch {
	case strings.Contains(line, "\t"):
		fields = strings.Split(line, "\t")
	case strings.Contains(line, ","):
		if fields, err = csv.NewReader(strings.NewReader(line)).Read(); err != nil {
			return "", "", errors.New("the line is not valid CSV")
		}
	}
	for i := range fields {
		fields[i] = strings.Trim(fields[i], " ")
	}
	switch {
	case len(fields) != 2:
		return "", "", fmt.Errorf("found %s; each line must contain a query and its group",
			Count(len(fields), "column", "columns"))
	case fields[0] == "" || fields[1] == "":
		return "", "", errors.New("the query and the group must not be empty")
	case !utf8.ValidString(fields[1]):
		return "", "", text.NotUTF8("the group", fields[1])
	}
	return fields[0], fields[1], nil
}

// ColumnGroups returns the value of a feature for each query, as text. It is "" if the value is
// missing. A query with several values is an error.
func ColumnGroups(d *rank.Dataset, column int, name string) ([]string, error) {
	value := func(row int) string {
		v := valueOf(d, row, column)
		if d.Categories != nil && v >= 0 && int(v) < len(d.Categories[column]) {
			return d.Categories[column][int(v)]
		}
		if math.IsNaN(float64(v)) {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	groups := make([]string, d.Queries())
	for q := range groups {
		lo, hi := d.Query(q)
		if lo == hi {
			continue
		}
		groups[q] = value(lo)
		for row := lo + 1; row < hi; row++ {
			if v := value(row); v != groups[q] {
				shown := func(v string) string {
					if v == "" {
						return "missing"
					}
					return strconv.Quote(text.Excerpt(v))
				}
				id := strconv.Itoa(q + 1)
				if q < len(d.QueryIDs) {
					id = d.QueryIDs[q]
				}
				return nil, d.RowError(row, fmt.Errorf(
					"column %s is %s, but %s for another document of query %.40q; each query requires one value",
					name, shown(v), shown(groups[q]), id))
			}
		}
	}
	return groups, nil
}
