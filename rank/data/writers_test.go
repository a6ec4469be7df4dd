package data

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// TestWriters reads the files that testdata/writers/make.py and make.R write with other programs.
// All contain the same table. Some need an option, which the error without it must name.
func TestWriters(t *testing.T) {
	options := map[string]struct {
		o      Options
		option string // of the error without o
	}{
		"pandas_index.csv":  {Options{Ignore: []string{"Unnamed: 0"}}, "Ignore"},
		"r_names.csv":       {Options{Ignore: []string{"Unnamed: 0"}}, "Ignore"},
		"pandas_europe.csv": {Options{Delimiter: ';', Decimal: ','}, "Delimiter"},
		"r_europe.csv":      {Options{Delimiter: ';', Decimal: ','}, "Delimiter"},
		"duckdb_null.csv":   {Options{Delimiter: '|'}, "Delimiter"},
	}
	refused := map[string]string{
		"spark.csv":   `spark.csv:3:6: column doc: quotes must be doubled, not escaped with a backslash (in Spark, set the option`,
		"r_table.csv": "r_table.csv:2:1: the row has one cell more than the header, like the rows of R's write.table",
	}
	nan := math.NaN()
	want := fmt.Sprint([]float64{2, 0, 1, 0}, []string{"q1", "NA"}, []int{0, 2, 4},
		[]string{"a,b", `say "hi"`, "c;d", "Zürich"}, []string{"price", "stock", "new"},
		[]float32{.25, 3, 1}, []float32{float32(nan), float32(nan), 0}, []float32{1e5, 0, float32(nan)},
		[]float32{-1e-7, 16777215, 1})
	paths, err := filepath.Glob("testdata/writers/*.?sv")
	if err != nil || len(paths) != 16 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			if text := refused[name]; text != "" {
				if _, err := Load(path, Options{}); err == nil || !strings.Contains(err.Error(), text) {
					t.Errorf("%v, want %s", err, text)
				}
				return
			}
			c := options[name]
			option := (*rank.OptionError)(nil)
			_, err := Load(path, Options{})
			if c.option != "" && (!errors.As(err, &option) || option.Option != c.option) {
				t.Errorf("%v does not name %s", err, c.option)
			}
			d, err := Load(path, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(d.Labels, d.QueryIDs, d.Offsets, d.DocIDs, d.Names, d.Row(0), d.Row(1), d.Row(2),
				d.Row(3)); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// TestExcel reads lines that Excel writes or reads, and rejects its other encodings.
func TestExcel(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // names and the first row, or an error
	}{
		{"separator", "sep=;\r\nlabel;qid;a\r\n1;1;2,5\r\n", Options{Decimal: ','}, "[a] [2.5] line 3"},
		{"quoted separator", "\ufeff\"sep=\t\"\nlabel\tqid\ta\n1\t1\tTRUE\n", Options{}, "[a] [1] line 3"},
		{"the usual separator", "sep=,\nlabel,qid,a\n1,1,#N/A\n", Options{}, "[a] [NaN] line 3"},
		{"another delimiter is given", "sep=;\nlabel,qid,a\n1,1,2\n", Options{Delimiter: ','}, "[a] [2] line 3"},
		{"a column like a separator", "sep=,label,qid\n1,2,3\n", Options{}, "[sep=] [1] line 2"},
		{"only a separator", "sep=,\n", Options{}, "the header is missing"},
		{"cell with an error", "sep=,\nlabel,qid,a\n1,1,#DIV/0!\n", Options{},
			`line 3, column 5: column a: the value is not a number (set the option Missing to "#DIV/0!"): "#DIV/0!"`},
		{"lines of old Macs", "label,qid,a\r1,1,2\r", Options{}, "line 1, column 11: lines must end with LF or CR LF"},
		{"Unicode text", "\xff\xfel\x00a\x00", Options{}, "line 1: text must be UTF-8, not UTF-16 (re-encode the file, for " +
			"example with iconv -f UTF-16 -t UTF-8)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := readCSV(strings.NewReader(c.text), c.o)
			got := fmt.Sprint(err)
			if err == nil {
				got = fmt.Sprint(d.Names, d.Row(0), " line ", d.Line(0))
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestIDsKeepTheirText: an identifier such as NA or null may be a country or a search query.
func TestIDsKeepTheirText(t *testing.T) {
	d, err := readCSV(strings.NewReader("label,qid,doc,x\n1,null,NA,t\n0,None,\\N,f\n"), Options{})
	if err != nil || !slices.Equal(d.QueryIDs, []string{"null", "None"}) ||
		!slices.Equal(d.DocIDs, []string{"NA", `\N`}) || d.Row(0)[0] != 1 || d.Row(1)[0] != 0 {
		t.Errorf("%+v, %v", d, err)
	}
}
