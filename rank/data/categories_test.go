package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

func TestTextColumns(t *testing.T) {
	const table = "label,qid,color,x,size\n" +
		"1,a,red,1,1\n" +
		"0,a,,2,True\n" +
		"0,b,\"light, \"\"sky\"\"\",0,\n" +
		"1,b, red,4,1.0\n" +
		"1,b,NA,5,?\n" +
		"2,c,red,6,NaN\n"
	d, err := readCSV(strings.NewReader(table), Options{TextColumns: []string{"size", "color"}, Missing: []string{"?"}})
	if err != nil {
		t.Fatal(err)
	}
	const lists = `[["red" "light, \"sky\"" " red"] [] ["1" "True" "1.0"]]`
	if got := fmt.Sprintf("%q", d.Categories); got != lists || d.Validate() != nil {
		t.Errorf("categories %s, %v", got, d.Validate())
	}
	for i, want := range []string{"[0 1 0]", "[NaN 2 1]", "[1 0 NaN]", "[2 4 2]", "[NaN 5 NaN]", "[0 6 NaN]"} {
		t.Run(fmt.Sprint("row ", i), func(t *testing.T) {
			if got := fmt.Sprint(d.Row(i)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestTextThreads: numbers do not depend on the threads, on the storage, or on how queries are
// gathered.
func TestTextThreads(t *testing.T) {
	var table strings.Builder
	table.WriteString("label,qid,text,x\n")
	var want []string
	for i := range 60_000 {
		s := fmt.Sprint("t", i*i%40_000)
		fmt.Fprintf(&table, "0,%d,%s,%d\n", i/10, s, i%3)
		want = append(want, s)
	}
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"1 thread", Options{Threads: 1}},
		{"8 threads", Options{Threads: 8}},
		{"gathered", Options{Threads: 2, GatherQueries: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.TextColumns = []string{"text"}
			d, err := readCSV(strings.NewReader(table.String()), c.o)
			if err != nil {
				t.Fatal(err)
			}
			known := 0
			for i, s := range want {
				v := int(d.Row(i)[0])
				if v > known || d.Categories[0][v] != s {
					t.Fatalf("row %d: %d is %q, want %q", i, v, d.Categories[0][v], s)
				}
				known = max(known, v+1)
			}
			if known != len(d.Categories[0]) {
				t.Errorf("%d texts, want %d", len(d.Categories[0]), known)
			}
		})
	}
}

func TestTextColumnErrors(t *testing.T) {
	const table = "label,qid,color\n1,a,red\n0,a,\xff\n"
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{},
			`line 2, column 5: column color: the value is not a number (set the option TextColumns to "color"): "red"`},
		{Options{TextColumns: []string{"colour"}}, `no column is named "colour"`},
		{Options{TextColumns: []string{"color"}}, "line 3, column 5: column color: a text category must be UTF-8"},
		{Options{TextColumns: []string{"qid"}}, `column "qid" has two roles: qid and text category`},
		{Options{TextColumns: []string{"color"}, Ignore: []string{"color"}},
			`column "color" contains text categories, so it cannot be ignored`},
	} {
		t.Run(c.want, func(t *testing.T) {
			if _, err := readCSV(strings.NewReader(table), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestTextBudget: the memory for texts counts.
func TestTextBudget(t *testing.T) {
	var table strings.Builder
	table.WriteString("label,qid,text\n")
	for i := range 20_000 {
		fmt.Fprintf(&table, "0,a,%0500d\n", i)
	}
	o := Options{TextColumns: []string{"text"}}
	o.MemoryLimit = 8 << 20
	_, err := readCSV(strings.NewReader(table.String()), o)
	option := (*rank.OptionError)(nil)
	if !errors.As(err, &option) || option.Option != "MemoryLimit" ||
		!strings.Contains(err.Error(), "the text categories need") {
		t.Errorf("error %v", err)
	}
	o.MemoryLimit = 24 << 20
	if _, err := readCSV(strings.NewReader(table.String()), o); err != nil {
		t.Error(err)
	}
}

// TestManyTexts reads a column with a million different texts.
func TestManyTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows = 1_000_000
	var table strings.Builder
	table.WriteString("label,qid,brand\n")
	for i := range rows {
		fmt.Fprintf(&table, "0,a,brand-%d\n", i*7919%rows)
	}
	o := Options{TextColumns: []string{"brand"}}
	o.MemoryLimit = 400 << 20
	d, err := readCSV(strings.NewReader(table.String()), o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.Categories[0]); n != rows || d.Row(rows - 1)[0] != rows-1 || d.Categories[0][2] != "brand-15838" {
		t.Errorf("%d texts, last row %v", n, d.Row(rows-1))
	}
	o.MemoryLimit = 150 << 20
	_, err = readCSV(strings.NewReader(table.String()), o)
	if err == nil || !strings.Contains(err.Error(), "need at least") {
		t.Errorf("error %v", err)
	}
}

func TestNormalizeTexts(t *testing.T) {
	d, err := readCSV(strings.NewReader("label,qid,color,x\n1,a,red,1\n0,a,blue,2\n0,a,green,3\n"),
		Options{TextColumns: []string{"color"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range normalizations {
		t.Run(by, func(t *testing.T) {
			for _, d := range []*rank.Dataset{d, d.ToSparse()} {
				n, err := Normalize(d, by)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 3 {
					if row := n.Row(i); row[0] != float32(i) || row[1] == float32(i+1) {
						t.Errorf("row %d is %v", i, row)
					}
				}
			}
		})
	}
}

func TestAppendCodes(t *testing.T) {
	b, err := NewBuilder("f", []string{"qid", "x", "color", "brand", "label"}, nil,
		Options{TextColumns: []string{"brand", "color"}})
	if err != nil {
		t.Fatal(err)
	}
	codes, err := b.AppendCodes(nil, 3, 0, []string{"b", "", "a"})
	if err != nil || b.Role(3) != "text" {
		t.Fatal(b.Role(3), err)
	}
	if codes, err = b.AppendCodes(codes, 3, 3, []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(codes[2:], []float32{1, 1, 0}) || !math.IsNaN(float64(codes[1])) {
		t.Errorf("codes %v", codes)
	}
	if _, err := b.AppendCodes(nil, 2, 5, []string{"x", "\xff"}); err == nil ||
		!strings.HasPrefix(err.Error(), `f:7: column color: a text category must be UTF-8`) {
		t.Errorf("error %v", err)
	}
}
