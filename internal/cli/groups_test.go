package cli

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

func TestReadQueryGroups(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# comment\n1 a\n\n2   b\r\n", "map[1:a 2:b]"},
		{"1\tlong tail, rare\n2\tb\n2\tb\n", "map[1:long tail, rare 2:b]"},
		{"\ufeff\"1, x\",\"a\"\"\"\n2, b\n", `map[1, x:a" 2:b]`},
		{testkit.Gzip("1 a\n"), "map[1:a]"},
		{"", "data: the file contains no groups"},
		{"# a b\n", "data: the file contains no groups"},
		{"1 a\n2\n", `line 2: found 1 column; each line must contain a query and its group: "2"`},
		{"1 a b\n", `line 1: found 3 columns; each line must contain a query and its group: "1 a b"`},
		{"1\ta\tb\n", `line 1: found 3 columns; each line must contain a query and its group: "1\ta\tb"`},
		{"1,a,b\n", `line 1: found 3 columns; each line must contain a query and its group: "1,a,b"`},
		{"1,\"a\n", `line 1: the line is not valid CSV: "1,\"a"`},
		{",a\n", `line 1: the query and the group must not be empty: ",a"`},
		{"1, \n", `line 1: the query and the group must not be empty: "1,"`},
		{"1 a\n1 b\n", `line 2: the query is already in group "a": "1 b"`},
		{"1 \xff\n", "line 1: the group must be UTF-8"},
		{"1 " + strings.Repeat("a", 1<<17), "line 1: the line is longer than"},
	} {
		t.Run(c.want, func(t *testing.T) {
			groups, err := ReadQueryGroups(strings.NewReader(c.text))
			got := fmt.Sprint(groups)
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	_, err := ReadQueryGroups(strings.NewReader(strings.Repeat("1 a\n", 1000)), rank.ReadOptions{MemoryLimit: 1000})
	if err == nil || !strings.Contains(err.Error(), "the limit is 1000") {
		t.Errorf("beyond the memory limit: %v", err)
	}
}

func TestColumnGroups(t *testing.T) {
	nan := float32(math.NaN())
	columns := [][]float32{{1, 1, nan, nan, 7}, {0, 0.1, 0.1, 0.1, 0.1}, {0, 0, 1, 1, 5}, {2, 2, nan, 2, 2}}
	d := testkit.Must(rank.FromColumns(nil, columns, []float64{1, 0, 1, 0, 1}, []string{"a", "a", "b", "b", "c"}))
	d.Categories = [][]string{nil, nil, {"red", "blue"}, nil}
	for _, c := range []struct {
		column int
		want   string
	}{
		{0, `["1" "" "7"]`},
		{1, `row 1: column x is "0.1", but "0" for another document of query "a"; each query requires one value`},
		{2, `["red" "blue" "5"]`},
		{3, `row 3: column x is "2", but missing for another document of query "b"; each query requires one value`},
	} {
		t.Run(c.want, func(t *testing.T) {
			groups, err := ColumnGroups(d, c.column, "x")
			got := fmt.Sprintf("%q", groups)
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
