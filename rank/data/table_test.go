package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// readCSV reads a table.
func readCSV(r io.Reader, o Options) (*rank.Dataset, error) {
	if o.Format == "" {
		o.Format = "csv"
	}
	return Read(r, o)
}

func TestReadTable(t *testing.T) {
	const text = "\xef\xbb\xbfbm25,Label,QID,\"page \"\"rank\"\"\",weight,position,doc\r\n" +
		"1.5,2,q 1,-0.25,1,3,D7\r\n" +
		"\r\n" +
		" 3 ,0,q 1,,0.5,1,\"D,\"\"8\"\"\nx\"\r\n" +
		"1e-3,1,\"q2\",NaN,2,2,\r\n" +
		"\"7\",1.5,q2,12345678.25,0,9,D9"
	d, err := readCSV(strings.NewReader(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	nan := missing
	for i, want := range [][]float32{{1.5, -.25}, {3, nan}, {1e-3, nan}, {7, 12345678.25}} {
		if got := d.Row(i); !slices.EqualFunc(got, want, func(a, b float32) bool {
			return math.Float32bits(a) == math.Float32bits(b)
		}) {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	for what, pair := range map[string][2]any{
		"labels":    {d.Labels, []float64{2, 0, 1, 1.5}},
		"offsets":   {d.Offsets, []int{0, 2, 4}},
		"queries":   {d.QueryIDs, []string{"q 1", "q2"}},
		"documents": {d.DocIDs, []string{"D7", "D,\"8\"\nx", "", "D9"}},
		"weights":   {d.Weights, []float64{1, .5, 2, 0}},
		"positions": {d.Positions, []int32{3, 1, 2, 9}},
		"names":     {d.Names, []string{"bm25", `page "rank"`}},
		"lines":     {[]int{d.Line(0), d.Line(1), d.Line(2), d.Line(3)}, []int{2, 4, 6, 7}},
		"absent":    {d.Absent, int64(0)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}

func TestReadOptions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // labels, queries, offsets, names, documents
	}{
		{"renamed", "rel;label;topic;url\n1;5;a;u\n",
			Options{Label: "rel", Query: "topic", Doc: "url", Delimiter: ';'},
			"[1] [a] [0 1] [label] [u]"},
		{"without labels", "qid,x\na,1\n", Options{Unlabeled: true}, "[NaN] [a] [0 1] [x] []"},
		{"without some labels", "qid,label,x\na,,1\na,2,1\n", Options{Unlabeled: true}, "[NaN 2] [a] [0 2] [x] []"},
		{"without queries", "label,x\n1,1\n0,2\n", Options{NoQueries: true, Groups: []int{7}},
			"[1 0] [1] [0 2] [x] []"},
		{"queries that do not matter", "label,qid,x\n1,a,1\n0,b,2\n1,a,3\n",
			Options{NoQueries: true, GatherQueries: true},
			"[1 0 1] [1] [0 3] [x] []"},
		{"group sizes", "label,x\n1,1\n0,2\n2,2\n", Options{Groups: []int{1, 2}}, "[1 0 2] [1 2] [0 1 3] [x] []"},
		{"gathered", "label,qid,x\n1,a,1\n2,b,2\n3,a,3\n4,c,4\n5,a,5\n6,b,6\n", Options{GatherQueries: true},
			"[1 3 5 2 6 4] [a b c] [0 3 5 6] [x] []"},
		{"tabs", "label\tqid\tx\n1\ta b\t\n", Options{Delimiter: '\t'}, "[1] [a b] [0 1] [x] []"},
		{"numbered columns", "label,qid,0,1\n1,a,2,3\n", Options{}, "[1] [a] [0 1] [0 1] []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := readCSV(strings.NewReader(c.text), c.o)
			if err != nil {
				t.Error(err)
				return
			}
			if got := fmt.Sprint(d.Labels, d.QueryIDs, d.Offsets, d.Names, d.DocIDs); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	d, err := readCSV(strings.NewReader("label,qid,x\n1,a,1\n2,b,2\n3,a,3\n"), Options{GatherQueries: true})
	if err != nil || d.Line(1) != 4 || d.Line(2) != 3 {
		t.Errorf("lines %d, %d of gathered rows, %v", d.Line(1), d.Line(2), err)
	}
}

// TestRoles says of columns with usual names that they are features, or nothing.
func TestRoles(t *testing.T) {
	const all = "label,qid,Weight,position,doc,x\n1,2,3,4,5,7\n"
	for _, c := range []struct {
		name, text string
		o          Options
		features   string
		byName     string
	}{
		{"by their names", all, Options{}, "[x]", "label label, qid qid, weight Weight, position position, doc doc"},
		{"named", all, Options{Label: "label", Query: "qid", Weight: "Weight", Position: "position", Doc: "doc"},
			"[x]", ""},
		{"none", all, Options{Weight: "-", Position: "-", Doc: "-"}, "[Weight position doc x]", "label label, qid qid"},
		{"none of what may be missing", all, Options{Label: "-", Query: "-", Unlabeled: true, NoQueries: true},
			"[label qid x]", "weight Weight, position position, doc doc"},
		{"none of groups", all, Options{Query: "-", Groups: []int{1}}, "[qid x]",
			"label label, weight Weight, position position, doc doc"},
		{"of a model", all, Options{Features: []string{"Weight", "position", "doc"}}, "[Weight position doc x]",
			"label label, qid qid"},
		{"of a model, in other letters", all, Options{Features: []string{"weight"}}, "[x]",
			"label label, qid qid, weight Weight, position position, doc doc"},
		{"of a model, with a flag", all, Options{Features: []string{"Weight"}, Weight: "Weight"}, "[x]",
			"label label, qid qid, position position, doc doc"},
		{"of a model with labels", "label,qid,x\n1,2,7\n",
			Options{Features: []string{"label", "qid"}, Unlabeled: true, NoQueries: true}, "[label qid x]", ""},
		{"ignored", all, Options{Ignore: []string{"Weight", "doc"}}, "[x]", "label label, qid qid, position position"},
		{"another is the label", all, Options{Label: "position", Doc: "-", Weight: "-"}, "[label Weight doc x]",
			"qid qid"},
		{"ignored text", "label,qid,x,day\n1,2,7,\"2,\n\"\"5\"\n", Options{Ignore: []string{"day"}}, "[x]",
			"label label, qid qid"},
		{"row numbers", ",Unnamed: 0,Unnamed: 0.1,label,qid,x\n0,1,2,3,4,7\n",
			Options{Ignore: []string{"Unnamed: 0", "Unnamed: 0.1"}}, "[x]", "label label, qid qid"},
		{"row numbers of a model", ",label,qid,x\n0,1,2,7\n", Options{Features: []string{"Unnamed: 0", "x"}},
			"[Unnamed: 0 x]", "label label, qid qid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var byName []string
			c.o.DefaultRole = func(role, column string) { byName = append(byName, role+" "+column) }
			d, err := readCSV(strings.NewReader(c.text), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(d.Names); got != c.features || strings.Join(byName, ", ") != c.byName {
				t.Errorf("features %s, by name %q; want %s, %q", got, byName, c.features, c.byName)
			}
			if last := d.Row(0)[d.Cols-1]; d.Validate() != nil || last != 7 {
				t.Errorf("%v, row %v, want 7 last", d.Validate(), d.Row(0))
			}
		})
	}
}

// TestHeader chooses roles by the numbers of columns.
func TestHeader(t *testing.T) {
	const text = ",rel,topic,x\n7,1,a,2\n"
	o := Options{Header: func(names []string, o *Options) error {
		if len(names) != 4 {
			return errors.New("too few columns")
		}
		o.Ignore, o.Label, o.Query = names[:1], names[1], names[2]
		return nil
	}}
	d, err := readCSV(strings.NewReader(text), o)
	if err != nil || d.Labels[0] != 1 || d.QueryIDs[0] != "a" || fmt.Sprint(d.Names, d.Row(0)) != "[x] [2]" {
		t.Errorf("%+v, %v", d, err)
	}
	_, err = readCSV(strings.NewReader("a,b\n1,2\n"), o)
	if err == nil || err.Error() != "line 1: too few columns" {
		t.Error(err)
	}
}

// TestSpellings reads numbers as programs write them.
func TestSpellings(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name, cells string // of the column x
		o           Options
		want        []float64
	}{
		{"booleans of pandas", "True,False,\"True\"", Options{}, []float64{1, 0, 1}},
		{"booleans of R", "TRUE,FALSE,", Options{}, []float64{1, 0, nan}},
		{"booleans of polars", "true,false", Options{}, []float64{1, 0}},
		{"booleans with decimal commas", "True,False", Options{Decimal: ','}, []float64{1, 0}},
		{"decimal commas", "2;2,5;-2,5;1e-3;123456789012,5;,5", Options{Delimiter: ';', Decimal: ','},
			[]float64{2, 2.5, -2.5, 1e-3, 123456789012.5, .5}},
		{"quoted decimal commas", "2,\"2,5\",3", Options{Decimal: ','}, []float64{2, 2.5, 3}},
		{"tabs and decimal commas", "2,5\t3", Options{Delimiter: '\t', Decimal: ','}, []float64{2.5, 3}},
		{"decimal points", "2;2.5", Options{Delimiter: ';', Decimal: '.'}, []float64{2, 2.5}},
		{"missing texts of pandas and others", "NA,N/A,n/a,<NA>,#N/A,NULL,null,None,\\N,-1.#IND,\" NA \"", Options{},
			slices.Repeat([]float64{nan}, 11)},
		{"missing with decimal commas", "NA;1.#QNAN;0,5", Options{Delimiter: ';', Decimal: ','},
			[]float64{nan, nan, .5}},
		{"booleans of PostgreSQL", "t,f,\\N", Options{}, []float64{1, 0, nan}},
		{"missing text", "NA,1,NULL,\"NA\", NA ", Options{Missing: []string{"NA", "NULL"}},
			[]float64{nan, 1, nan, nan, nan}},
		{"missing numbers", "-999,1,-9990,-99,99999", Options{Missing: []string{"-999", "99999"}},
			[]float64{nan, 1, -9990, -99, nan}},
		{"missing with a comma", "9,9;1,5", Options{Delimiter: ';', Decimal: ',', Missing: []string{"9,9"}},
			[]float64{nan, 1.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			delimiter := ","
			if c.o.Delimiter != 0 {
				delimiter = string(c.o.Delimiter)
			}
			names := make([]string, len(c.want))
			for i := range names {
				names[i] = fmt.Sprint("x", i)
			}
			c.o.Unlabeled, c.o.NoQueries = true, true
			d, err := readCSV(strings.NewReader(strings.Join(names, delimiter)+"\n"+c.cells+"\n"), c.o)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if got := d.Row(0)[i]; got != float32(want) && (got == got || want == want) {
					t.Errorf("cell %d: %v, want %v", i, got, want)
				}
			}
		})
	}
	d, err := readCSV(strings.NewReader("label,qid,doc,position,weight,x\nTrue,a,NA,1,0.5,1\nNA,a,b,2,1,1\n"),
		Options{Missing: []string{"NA"}, Unlabeled: true})
	if err != nil || d.Labels[0] != 1 || d.Labels[1] == d.Labels[1] || d.DocIDs[0] != "" || d.DocIDs[1] != "b" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"", Options{}, "line 1: the header is missing"},
		{"\n\n", Options{}, "line 1: the header is missing"},
		{"label,qid,x\n", Options{}, "line 1: the file contains no documents"},
		{"label,qid,x\n1,a,abc\n", Options{}, `line 2, column 5: column x: the value is not a number (set the option TextColumns to "x"): "abc"`},
		{"label,qid,x\n1,a,0x10\n", Options{}, `line 2, column 5: column x: the value is not a number: "0x10"`},
		{"label,qid,x\n1,a,1e99\n", Options{}, `line 2, column 5: column x: the value is out of range: "1e99"`},
		{"label,qid,x\n1,a,-inf\n", Options{}, `line 2, column 5: column x: the value must not be infinite: "-inf"`},
		{"label,qid,x\n1,a,1\nhigh,a,1\n", Options{}, `line 3, column 1: column label: the value is not a number: "high"`},
		{"label,qid,x\n,a,1\n", Options{}, "line 2, column 1: column label: the value is missing"},
		{"label,qid,x\n1,,1\n", Options{}, "line 2, column 3: column qid: the query ID is empty"},
		{"label,qid,x,weight\n1,a,1,-2\n", Options{},
			`column weight: a weight must be finite and not negative (set the option Weight to "-"): "-2"`},
		{"label,qid,x,w\n1,a,1,-2\n", Options{Weight: "w"}, `column w: a weight must be finite and not negative: "-2"`},
		{"label,qid,x,weight\n1,a,1,\n", Options{}, "column weight: a weight must be finite and not negative"},
		{"label,qid,x,position\n1,a,1,0\n", Options{}, `column position: a position must be a positive whole number (set the option Position to "-"): "0"`},
		{"label,qid,x,position\n1,a,1,1.5\n", Options{}, `column position: a position must be a positive whole number (set the option Position to "-"): "1.5"`},
		{"label,qid,x\n1,a\n", Options{}, "line 2, column 1: the row has 2 cells, but the table has 3 columns"},
		{"label,qid,x\n1,a,2,3\n", Options{}, "line 2, column 1: the row has one cell more than the header, like the rows of R's write.table"},
		{"label,qid,x\n1,a,2\n1,a,2,3\n", Options{}, "line 3, column 6: the row has more cells than the table has columns (3)"},
		{"\"label\" \"qid\"\n", Options{}, `line 1, column 1: the cell continues after its closing quote (set the option Delimiter to " ")`},
		{"label,qid,x\n1,a,2\n2,b,1\n3,a,1\n", Options{}, `line 4: the query is not contiguous: its previous rows ended at line 2`},
		{"label,qid,x\n1,a\"b,2\n", Options{}, `column qid: the cell contains a quote but does not begin with one: "a\"b"`},
		{"label,qid,x\n1,\"a\"b,2\n", Options{}, `column qid: the cell continues after its closing quote: "\"a\"b"`},
		{"label,qid,x\n1,a,1\n1,\"a,2\n", Options{}, `line 3, column 3: column qid: the quote is not closed`},
		{"label,qid,x\n1,\"a\n\",2\n1,b,y\n", Options{}, `line 4, column 5: column x`},
		{"label,qid,doc,x\n1,a,\"\n\n\",y\n", Options{}, `line 4, column 3: column x: the value is not a number: "y"`},
		{"qid,x\na,1\n", Options{}, "line 1: no column is named label (change the option Label)"},
		{"label,x\n1,1\n", Options{}, "line 1: no column is named qid (change the option Query)"},
		{"label,qid,x\n1,a,1\n", Options{Groups: []int{1}}, "line 1: a query column cannot be combined with"},
		{"label,x\n1,1\n", Options{Groups: []int{2}}, "line 2: the number of documents is 1, but the group sizes add up to 2"},
		{"label,x\n1,1\n", Options{Groups: []int{math.MaxInt, math.MaxInt, 3}},
			fmt.Sprintf("line 2: the number of documents is 1, but the group sizes up to query 2 add up to more than %d", math.MaxInt)},
		{"label,x\n1,1\n", Options{Groups: []int{0, 1}}, "the group size of query 1 is 0; it must be positive"},
		{"label,qid\n1,a\n", Options{}, "line 1: all columns have a role; none is a feature"},
		{"label,qid,x\n1,a,1\n", Options{Label: "rel"}, `line 1: no column is named "rel"`},
		{"label,qid,x\n1,a,1\n", Options{Label: "x", Weight: "x"},
			`line 1: column "x" has two roles: label and weight`},
		{"weight,x\n1,a\n", Options{Label: "weight"}, "line 1: no column is named qid"},
		{"label,qid,x,Label\n1,a,1\n", Options{}, "line 1: two columns have the role label (change the option Label)"},
		{"label,qid,x,x\n1,a,1\n", Options{}, `line 1: two columns are named "x"`},
		{",label,qid,x\n0,1,a,1\n", Options{}, `line 1: column 1 has no name, like the row numbers that pandas and R write (set the option Ignore to "Unnamed: 0")`},
		{"Unnamed: 0,label,qid,x\n0,1,a,1\n", Options{}, `line 1: column 1 is named "Unnamed: 0", like the row numbers`},
		{"label,Unnamed: 0.1,qid,x\n0,1,a,1\n", Options{}, `(set the option Ignore to "Unnamed: 0.1")`},
		{"label;qid;x\n1;a;1\n", Options{}, `line 1: the only column is "label;qid;x" (set the option Delimiter to ";")`},
		{"label;qid;x\n1;a;1\n", Options{Delimiter: '\t'}, `(set the option Delimiter to ";")`},
		{"x;y\n1;1\n", Options{Unlabeled: true, NoQueries: true}, `(set the option Delimiter to ";")`},
		{"x\n1;1\n", Options{Unlabeled: true, NoQueries: true}, `(set the option Delimiter to ";"): "1;1"`},
		{"label,qid,x\n1,a,1\n", Options{Delimiter: '\t'}, `(set the option Delimiter to ",")`},
		{"label\tqid\tx\n1\ta\t1\n", Options{}, `(set the option Delimiter to "\t")`},
		{"label|qid|x\n1|a|1\n", Options{}, `(set the option Delimiter to "|")`},
		{"label qid x\n1 a 1\n", Options{}, `no column is named label (set the option Delimiter to " ")`},
		{"label;price,EUR;qid\n1;2;3\n", Options{}, `no column is named label (set the option Delimiter to ";")`},
		{"label,qid,x\n1,a,\"2,5\"\n", Options{}, `(set the option Decimal to ","): "\"2,5\""`},
		{"label;qid;x\n1;a;-2,5e3\n", Options{Delimiter: ';'}, `(set the option Decimal to ","): "-2,5e3"`},
		{"label;qid;x\n1;a;2.5\n", Options{Delimiter: ';', Decimal: ','}, `(set the option Decimal to "."): "2.5"`},
		{"label;qid;x\n1;a;1.234,5\n", Options{Delimiter: ';', Decimal: ','}, `the value is not a number: "1.234,5"`},
		{"label,qid,x\n1,a,na\n", Options{}, `(set the option Missing to "na"): "na"`},
		{"label,qid,x\n1,a,\" ? \"\n", Options{}, `(set the option Missing to "?"): "\" ? \""`},
		{"label,qid,x\nNA,a,1\n", Options{}, `column label: the value is missing: "NA"`},
		{"label,qid,x\nNA,a,1\n", Options{Missing: []string{"NA"}}, `column label: the value is missing: "NA"`},
		{"label,qid,x\n1,NA,1\n", Options{Missing: []string{"NA"}}, `the query ID is empty: "NA"`},
		{"label,qid,x,weight\n1,a,1,NA\n", Options{Missing: []string{"NA"}},
			`a weight must be finite and not negative`},
		{"label,qid,x\n1,a,yes\n", Options{}, `(set the option TextColumns to "x"): "yes"`},
		{"label,qid,x\nyes,a,1\n", Options{}, `column label: the value is not a number: "yes"`},
		{"label,qid,x\n1,a,1\n", Options{Decimal: 'x'}, "data: the decimal mark is 'x'; it must be a point or a comma"},
		{"label,qid,x\n1,a,1\n", Options{Ignore: []string{"y"}}, `line 1: no column is named "y"`},
		{"label,qid,x\n1,a,1\n", Options{Label: "x", Ignore: []string{"x"}},
			`column "x" is the label, so it cannot be ignored`},
		{"label,qid,x\n1,a,1\n", Options{Features: []string{"qid"}}, "column qid is used as a feature, and no other column is the qid"},
		{"\xff\xfel\x00,\x00q\x00\n\x00", Options{}, "line 1: text must be UTF-8, not UTF-16"},
		{"\n\"label\",qid,\"a\nb\",caf\xe9\n", Options{}, `line 3: the name of column 4 must be UTF-8, not "caf\xe9" (re-encode`},
		{"caf\xe9,x\n1,2\n", Options{Label: "caf\xe9", NoQueries: true}, "line 1: the name of column 1 must be UTF-8"},
		{"l\x00,\x00q\x00\n\x00", Options{}, "line 1: column names contain zero bytes"},
		{"label,qid,x\n1,a,\"1,000\"\n", Options{}, `column x: the value is not a number: "\"1,000\""`},
		{"1,2,0.5\n1,3,1\n", Options{Unlabeled: true, NoQueries: true}, "line 1: the first line contains numbers"},
		{"1,q1,0.5\n1,q1,1\n", Options{}, "line 1: the first line contains numbers"},
		{"label,q1,0.5\n1,q1,1\n", Options{}, "line 1: the first line contains numbers"},
		{"\xfd7zXZ\x00abc", Options{}, "xz is not supported (use gzip)"},
		{"(\xb5/\xfe,qid,label\n1,2,3\n", Options{}, "must be UTF-8"},
		{"label,qid,x\n1,a,1\n", Options{Delimiter: 'a'}, "data: the delimiter is 'a'; it must not be a letter"},
		{"label,qid,x\n1,a,1\n", Options{Delimiter: '"'}, "the delimiter is"},
	} {
		t.Run(c.want, func(t *testing.T) {
			d, err := readCSV(strings.NewReader(c.text), c.o)
			if d != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q: %v, want %s", c.text, err, c.want)
			}
			var parse *rank.ParseError
			if !strings.HasPrefix(c.want, "data: ") && c.want != "the delimiter is" && !errors.As(err, &parse) {
				t.Errorf("%q: %T", c.text, err)
			}
		})
	}
}

// TestSparse reads a table whose values are mostly 0, and one with as many that are missing.
func TestSparse(t *testing.T) {
	for zero, want := range map[string]bool{"0": true, "-0": true, "": false} {
		t.Run(zero, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("label,qid")
			for j := range 120 {
				fmt.Fprintf(&b, ",x%d", j)
			}
			for i := range 40 {
				fmt.Fprintf(&b, "\n1,q%d", i%2)
				for j := range 120 {
					if v := zero; (i+j)%30 == 0 {
						fmt.Fprintf(&b, ",%d.5", i)
					} else {
						b.WriteString("," + v)
					}
				}
			}
			d, err := readCSV(strings.NewReader(b.String()), Options{GatherQueries: true})
			if err != nil || d.Validate() != nil {
				t.Fatal(err, d.Validate())
			}
			if (d.Sparse != nil) != want || d.Row(20)[29] != 1.5 || d.Line(1) != 4 || d.Names[119] != "x119" {
				t.Errorf("sparse is %t, want %t; %v, line %d", d.Sparse != nil, want, d.Row(20)[29], d.Line(1))
			}
		})
	}
}

func TestLoadTable(t *testing.T) {
	dir := t.TempDir()
	packed := bytes.NewBufferString(testkit.Gzip("label\tqid\tx\n1\ta\t2\n1\ta\t?\n"))
	for name, text := range map[string]string{
		"a.csv": "label,qid,x\n1,a,2\n1,a,?\n", "a.TSV": "label\tqid\tx\n1\ta\t2\n1\ta\t?\n",
		"a.tab.gz": packed.String(),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(path, Options{}); err == nil ||
				err.Error() != path+`:3:5: column x: the value is not a number (set the option Missing to "?"): "?"` {
				t.Error(err)
			}
		})
	}
	for _, path := range []string{filepath.Join(dir, "a.csv"), "none.csv", "-"} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			const want = `data: format "xml": must be one of auto, letor, csv, tsv, parquet`
			if _, err := Load(path, Options{Format: "xml"}); err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
	if _, err := Load(filepath.Join(dir, "none.csv"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestThreads reads a table of many pieces, with quoted newlines where pieces may be cut, on any
// number of threads, and one with an error after another.
func TestThreads(t *testing.T) {
	var b strings.Builder
	b.WriteString("label,qid,x,doc,y\n")
	rows := 30_000
	for i := range rows {
		doc := fmt.Sprint("d", i)
		if i%7 == 0 {
			doc = fmt.Sprintf("\"d\"\"\n%d,\n\"", i)
		}
		fmt.Fprintf(&b, "%d,q%d,%d.5,%s,-0.12345678\n", i%5, i/40, i, doc)
	}
	want, err := readCSV(strings.NewReader(b.String()), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want.Rows() != rows || want.Queries() != rows/40 || want.Row(rows - 1)[0] != float32(rows)-.5 ||
		want.DocIDs[rows-2] != fmt.Sprintf("d\"\n%d,\n", rows-2) && (rows-2)%7 == 0 || want.Line(8) != 14 {
		t.Errorf("%d rows, %d queries, line %d", want.Rows(), want.Queries(), want.Line(8))
	}
	for _, threads := range []int{2, 3, 8} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			got, err := readCSV(strings.NewReader(b.String()), Options{Threads: threads})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("another dataset, %v", err)
			}
		})
	}
	bad := strings.Replace(b.String(), ",20000.5,", ",oops,", 1) + "1,q0,1,d,1\n1,z,z,z,z\n"
	for _, threads := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			_, err := readCSV(strings.NewReader(bad), Options{Threads: threads})
			if line := 2 + 20000 + 2*((20000+6)/7); err == nil ||
				err.Error() != fmt.Sprintf(`line %d, column 8: column x: the value is not a number (set the option TextColumns to "x"): "oops"`, line) {
				t.Errorf("%v, want line %d", err, line)
			}
		})
	}
}

// failing is a reader that ends with an error.
type failing struct{ text string }

func (f *failing) Read(p []byte) (int, error) {
	if f.text == "" {
		return 0, errors.New("the disk is on fire")
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

func TestReadFails(t *testing.T) {
	_, err := readCSV(&failing{"label,qid,x\n1,a,2\n1,a,"}, Options{})
	if err == nil || err.Error() != "line 3: read error: the disk is on fire" {
		t.Error(err)
	}
	if _, err = readCSV(&failing{}, Options{}); err == nil || !strings.Contains(err.Error(), "the disk is on fire") {
		t.Error(err)
	}
	if _, err = readCSV(strings.NewReader("\x1f\x8b???"), Options{}); err == nil {
		t.Error("no gzip")
	}
}
