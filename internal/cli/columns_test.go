package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// readColumns returns the names and the values that a reader adds, as text.
func readColumns(content string, reader ColumnReader) (string, int, error) {
	var s strings.Builder
	err := reader.Read(strings.NewReader(content), func(k int, token string, v float64) error {
		if v == 666 {
			return errors.New("refused")
		}
		fmt.Fprintf(&s, " %d:%s", k, token)
		return nil
	})
	return strings.Join(reader.Names, "|") + s.String(), reader.Dropped, err
}

func TestColumnReader(t *testing.T) {
	for _, c := range []struct {
		content string
		wanted  []string
		want    string
		dropped int
	}{
		{"1 2\n3 4\n", nil, "1|2 0:1 1:2 0:3 1:4", 0},
		{"# x\n\n \t\n  1   2  \r\n3 4\r\n", nil, "1|2 0:1 1:2 0:3 1:4", 0},
		{"a b\n3 4", nil, "a|b 0:3 1:4", 0},
		{"a b\tc\n3\t4", nil, "a b|c 0:3 1:4", 0},
		{",b\n3,4", nil, "1|b 0:3 1:4", 0},
		{"\"a, \"\"x\"\"\", b\n3,4\n", []string{"b", `a, "x"`}, `b|a, "x" 0:4 1:3`, 0},
		{"id,b,c\nx,1,2\ny, 3 ,4\n", []string{"3", "b"}, "c|b 0:2 1:1 0:4 1:3", 0},
		{"3,2,4\nx,1,2\n", []string{"3", "2"}, "3|2 0:4 1:2 0:2 1:1", 0}, // a number makes the first row data
		{"a,2,c\n1,3,4\n", []string{"c", "a"}, "", 0},
		{"1,2\n,3\n4,nan\n5,6", nil, "1|2 0:1 1:2 0:5 1:6", 2},
		{"1\t2\n\t3\n", nil, "1|2 0:1 1:2", 1},
		{"b 1\n,\n", nil, "", 0},
		{"x,y,z\n1,,2\n", []string{"x", "z"}, "x|z 0:1 1:2", 0},
		{"1,2,3\n", []string{"2", "2"}, "2|2 0:2 1:2", 0},
	} {
		t.Run(c.content, func(t *testing.T) {
			got, dropped, err := readColumns(c.content, ColumnReader{Wanted: c.wanted, DropNaN: true})
			if err == nil && (got != c.want || dropped != c.dropped) || (err != nil) != (c.want == "") {
				t.Errorf("%s, %d dropped, %v, want %s, %d", got, dropped, err, c.want, c.dropped)
			}
		})
	}
}

func TestColumnReaderErrors(t *testing.T) {
	for _, c := range []struct {
		content string
		wanted  []string
		drop    bool
		want    string
	}{
		{"1 2\n3 x\n", nil, false, `line 2, column 3: "x" is not a number`},
		{"1,2\n3,\"x\"\n", nil, false, `line 2, column 3: "x" is not a number`},
		{"1,2\n3, x\n", nil, true, `line 2, column 4: "x" is not a number`},
		{"1 2\n3 1e999\n", nil, false, `line 2, column 3: "1e999" is out of range for float64`},
		{"1 2\n3\n", nil, false, "line 2: found 1 column; each line must have 2"},
		{"1 2\n3 666\n", nil, false, `line 2, column 3: "666": refused`},
		{"1 2\n3 NaN\n", nil, false, `line 2, column 3: "NaN": NaN cannot be ranked (use --drop-nan to skip the row)`},
		{"1,2\n3,\n", nil, false, "line 2, column 3: the cell is empty (use --drop-nan to skip the row)"},
		{"a,b\n1,2\n", []string{"c"}, false, `no column is named "c"; the columns are a, b`},
		{"a,b\n1,2\n", []string{"3"}, false, `no column is named "3"`},
		{"1,2\n1,2\n", []string{"0"}, false, `no column is named "0"; the columns are 1, 2`},
		{"a,a\n1,2\n", []string{"a"}, false, `two columns are named "a" (use their numbers)`},
		{"a b\n", nil, false, "the file contains no numbers"},
		{"a,b\n1,\n", nil, true, "each row contains NaN or an empty cell"},
		{strings.Repeat("1", 1<<20) + "\n", nil, false, "line 1: the line is longer than 1048576 bytes"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, _, err := readColumns(c.content, ColumnReader{Wanted: c.wanted, DropNaN: c.drop})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	reader := ColumnReader{}
	err := reader.Read(strings.NewReader("1 2\n"), func(int, string, float64) error { return nil },
		rank.ReadOptions{MemoryLimit: 10})
	if option := (*rank.OptionError)(nil); !errors.As(err, &option) || option.Option != "MemoryLimit" {
		t.Errorf("memory limit: %v", err)
	}
}
