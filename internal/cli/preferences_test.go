package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

func TestReadPairs(t *testing.T) {
	d := rank.NewDataset(5, 1)
	d.Offsets, d.QueryIDs = []int{0, 3, 5}, []string{"a", "b"}
	named := *d
	named.DocIDs = []string{"x", "y", "y", "x", "z"}
	for _, c := range []struct {
		name, in string
		d        *rank.Dataset
		want     []rank.Pair
	}{
		{"rows", "# query better worse\n\nb,2,1\na 1 3 0.5\r\nb\t1\t2\t0\n", d, []rank.Pair{
			{Better: 0, Worse: 2, Weight: 0.5}, {Better: 4, Worse: 3, Weight: 1}, {Better: 3, Worse: 4, Weight: 0}}},
		{"identifiers", testkit.Gzip("b z x 3"), &named, []rank.Pair{{Better: 4, Worse: 3, Weight: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadPairs(strings.NewReader(c.in), c.d)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, error %v, want %v", got, err, c.want)
			}
		})
	}
	for _, c := range []struct {
		in, want string
		d        *rank.Dataset
	}{
		{"a 1 2\na 1\n", "line 2: found 2 fields; each line must have a query, a better document, a worse document", d},
		{"a 1 2 1 5\n", `line 1, column 9: unexpected "5" after the weight`, d},
		{"c 1 2\n", `line 1, column 1: query "c" is not in the data`, d},
		{"a 1 4\n", `line 1, column 5: "4" must be a row in query "a", from 1 to 3, because the data contains no document IDs`, d},
		{"a 0 1\n", `line 1, column 3: "0" must be a row in query "a"`, d},
		{"a 2 2\n", `line 1, column 5: document "2" cannot be better than itself`, d},
		{"a 1 2 nan\n", `line 1, column 7: the weight is NaN; it must be finite and not negative`, d},
		{"a 1 2 -1\n", `line 1, column 7: the weight is -1; it must be finite and not negative`, d},
		{"a 1 2 x\n", `line 1, column 7: the weight "x" is not a number`, d},
		{"a x w\n", `line 1, column 5: document "w" is not in query "a"`, &named},
		{"a y x\n", `line 1, column 3: document "y" occurs several times in query "a"`, &named},
		{"# none\n", "data: the file contains no pairs", d},
		{strings.Repeat("1", maxLine), "line 1: ", d},
		{"\x1f\x8b\x08", "unexpected EOF", d},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := ReadPairs(strings.NewReader(c.in), c.d)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
