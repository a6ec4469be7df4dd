package data

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// different returns what differs between two datasets, to the bit, or "".
func different(a, b *rank.Dataset) string {
	switch {
	case a.Cols != b.Cols || a.Stride != b.Stride:
		return fmt.Sprintf("columns %d and %d", a.Cols, b.Cols)
	case !slices.Equal(a.Offsets, b.Offsets):
		return fmt.Sprintf("offsets %v and %v", a.Offsets, b.Offsets)
	case !slices.Equal(a.QueryIDs, b.QueryIDs):
		return fmt.Sprintf("queries %q and %q", a.QueryIDs, b.QueryIDs)
	case !slices.Equal(a.DocIDs, b.DocIDs) || (a.DocIDs == nil) != (b.DocIDs == nil):
		return fmt.Sprintf("documents %q and %q", a.DocIDs, b.DocIDs)
	case len(a.X) != len(b.X):
		return fmt.Sprintf("%d and %d values", len(a.X), len(b.X))
	case (a.Sparse == nil) != (b.Sparse == nil):
		return "features of which some are sparse"
	}
	if a, b := a.Sparse, b.Sparse; a != nil && (!slices.Equal(a.Offsets, b.Offsets) ||
		!slices.Equal(a.Columns, b.Columns) || !slices.EqualFunc(a.Values, b.Values,
		func(v, w float32) bool { return math.Float32bits(v) == math.Float32bits(w) })) {
		return "sparse features"
	}
	for i := range a.Labels {
		if math.Float64bits(a.Labels[i]) != math.Float64bits(b.Labels[i]) {
			return fmt.Sprintf("label of row %d: %v and %v", i, a.Labels[i], b.Labels[i])
		}
	}
	for i := range a.X {
		if math.Float32bits(a.X[i]) != math.Float32bits(b.X[i]) {
			return fmt.Sprintf("row %d, column %d: %v and %v", i/a.Stride, i%a.Stride, a.X[i], b.X[i])
		}
	}
	return ""
}

// given returns the options, the defaults for nil.
func given(o *Options) Options {
	if o == nil {
		return Options{}
	}
	return *o
}

// withThreads returns the options with a number of threads.
func withThreads(o *Options, threads int) Options {
	options := given(o)
	options.Threads = threads
	return options
}

func float32p(v float32) *float32 { return &v }

// simpleRead is a second reader of well-formed files, by the standard library's means.
func simpleRead(t *testing.T, text []byte) *rank.Dataset {
	t.Helper()
	var rows [][]string
	cols := 0
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(strings.Split(line, "#")[0])
		if len(f) == 0 {
			continue
		}
		rows = append(rows, append(f, "", line))
		if len(f) > 2 {
			j, _ := strconv.Atoi(strings.Split(f[len(f)-1], ":")[0])
			cols = max(cols, j)
		}
	}
	d := rank.NewDataset(len(rows), cols)
	docs := make([]string, len(rows))
	for i, f := range rows {
		d.Labels[i], _ = strconv.ParseFloat(f[0], 64)
		qid := strings.TrimPrefix(f[1], "qid:")
		if n := len(d.QueryIDs); n == 0 || d.QueryIDs[n-1] != qid {
			d.QueryIDs = append(d.QueryIDs, qid)
			d.Offsets = append(d.Offsets, i)
		}
		d.Offsets[len(d.Offsets)-1] = i + 1
		for _, feature := range f[2 : len(f)-2] {
			index, value, _ := strings.Cut(feature, ":")
			j, err := strconv.Atoi(index)
			if err != nil {
				t.Fatal(err)
			}
			v, err := strconv.ParseFloat(value, 32)
			if err != nil {
				t.Fatal(err)
			}
			d.Row(i)[j-1] = float32(v)
		}
		if _, comment, ok := strings.Cut(f[len(f)-1], "docid = "); ok {
			docs[i] = strings.Fields(comment)[0]
			d.DocIDs = docs
		}
	}
	return d
}

func unzipped(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRealData(t *testing.T) {
	for _, c := range []struct {
		name                string
		rows, queries, cols int
		labels              []int
	}{
		{"mq2008-fold1/train.txt.gz", 9630, 471, 46, []int{7820, 1223, 587}},
		{"mq2008-fold1/vali.txt.gz", 2707, 157, 46, []int{2140, 400, 167}},
		{"mq2008-fold1/test.txt.gz", 2874, 156, 46, []int{2319, 378, 177}},
		{"lightgbm-lambdarank/train.txt.gz", 3005, 201, 300, []int{645, 1211, 858, 222, 69}},
		{"lightgbm-lambdarank/test.txt.gz", 768, 50, 300, []int{206, 256, 252, 44, 10}},
		{"clueweb09-webis/S1.txt.gz", 5309, 12, 42, []int{4441, 722, 134, 7, 5}},
		{"clueweb09-webis/S2.txt.gz", 5584, 12, 42, []int{4448, 673, 279, 98, 86}},
		{"clueweb09-webis/S3.txt.gz", 4686, 12, 42, []int{3892, 603, 172, 12, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := testkit.DataPath(t, c.name)
			d, err := Load(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Rows() != c.rows || d.Queries() != c.queries || d.Cols != c.cols {
				t.Errorf("%d rows, %d queries, %d columns; want %d, %d, %d",
					d.Rows(), d.Queries(), d.Cols, c.rows, c.queries, c.cols)
			}
			labels := make([]int, len(c.labels))
			for _, y := range d.Labels {
				labels[int(y)]++
			}
			if !slices.Equal(labels, c.labels) {
				t.Errorf("labels %v, want %v", labels, c.labels)
			}
			if diff := different(d, simpleRead(t, unzipped(t, path))); diff != "" {
				t.Errorf("read, and read by simple means: %s", diff)
			}
			checkRoundTrip(t, d, Options{})
		})
	}
}

// checkRoundTrip writes d and reads it again.
func checkRoundTrip(t *testing.T, d *rank.Dataset, opts Options) {
	t.Helper()
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	var text bytes.Buffer
	if err := WriteLETOR(&text, d); err != nil {
		t.Errorf("Write: %v", err)
		return
	}
	again, err := Read(&text, opts)
	if err != nil {
		t.Errorf("reading what was written: %v", err)
	} else if diff := different(d, again); diff != "" {
		t.Errorf("written and read again: %s", diff)
	}
}

func TestReadLETOR(t *testing.T) {
	nan := math.NaN()
	docs := []string{"GX1", "", "x=1"}
	for _, c := range []struct {
		name, text string
		opts       *Options
		want       rank.Dataset
		x          [][]float32
	}{
		{"dense", "2 qid:10 1:0.5 2:-1.25\n0 qid:10 1:3 2:1e-3\n1 qid:9 1:0 2:12345678\n", nil,
			rank.Dataset{Labels: []float64{2, 0, 1}, Offsets: []int{0, 2, 3}, QueryIDs: []string{"10", "9"}},
			[][]float32{{.5, -1.25}, {3, .001}, {0, 12345678}}},
		{"sparse, empty row, no last newline", "1 qid:a 2:7 5:.5\n0 qid:a\n0 qid:a 1:1", nil,
			rank.Dataset{Labels: []float64{1, 0, 0}, Offsets: []int{0, 3}, QueryIDs: []string{"a"}, Absent: 12},
			[][]float32{{0, 7, 0, 0, .5}, {0, 0, 0, 0, 0}, {1, 0, 0, 0, 0}}},
		{"CR LF, tabs, blanks, blank lines, comments",
			"\ufeff# head\r\n\r\n  1\tqid:a  1:1 \t2:2 \r\n \t\n0 qid:a 1:3\t2:4\r\n#end\r", nil,
			rank.Dataset{Labels: []float64{1, 0}, Offsets: []int{0, 2}, QueryIDs: []string{"a"}},
			[][]float32{{1, 2}, {3, 4}}},
		{"gzip in two members", compressed("1 qid:a 1:1\n0 qid:") + compressed("a 1:2\n"), nil,
			rank.Dataset{Labels: []float64{1, 0}, Offsets: []int{0, 2}, QueryIDs: []string{"a"}},
			[][]float32{{1}, {2}}},
		{"docids", "1 qid:a 1:1 #docid = GX1 inc = 1 prob = 0.5\n1 qid:a 1:1#docid = \n1 qid:a 1:1 # docid=x=1\n", nil,
			rank.Dataset{Labels: []float64{1, 1, 1}, Offsets: []int{0, 3}, QueryIDs: []string{"a"}, DocIDs: docs},
			[][]float32{{1}, {1}, {1}}},
		{"labels and query tokens", "-1.5e1 qid:a:b/ü\n0.30000000000000004 qid:\"q\" 1:1\n+7 qid:-0\n", nil,
			rank.Dataset{Labels: []float64{-15, 0.30000000000000004, 7}, Offsets: []int{0, 1, 2, 3},
				QueryIDs: []string{"a:b/ü", `"q"`, "-0"}, Absent: 2},
			[][]float32{{0}, {1}, {0}}},
		{"zero-based", "1 qid:a 0:1 2:3\n1 qid:a 0:1 1:2\n", &Options{ZeroBased: true},
			rank.Dataset{Labels: []float64{1, 1}, Offsets: []int{0, 2}, QueryIDs: []string{"a"}, Absent: 2},
			[][]float32{{1, 0, 3}, {1, 2, 0}}},
		{"gathered", "1 qid:a 1:1\n2 qid:b 1:2\n3 qid:a 1:3 #docid = z\n4 qid:c 1:4\n5 qid:b 1:5\n",
			&Options{GatherQueries: true},
			rank.Dataset{Labels: []float64{1, 3, 2, 5, 4}, Offsets: []int{0, 2, 4, 5},
				QueryIDs: []string{"a", "b", "c"}, DocIDs: []string{"", "z", "", "", ""}},
			[][]float32{{1}, {3}, {2}, {5}, {4}}},
		{"NULL", "1 qid:a 1:NULL 2:1\n", &Options{NullAs: float32p(-9)},
			rank.Dataset{Labels: []float64{1}, Offsets: []int{0, 1}, QueryIDs: []string{"a"}},
			[][]float32{{-9, 1}}},
		{"fixed columns", "1 qid:a 1:1 2:2\n", &Options{Columns: 3},
			rank.Dataset{Labels: []float64{1}, Offsets: []int{0, 1}, QueryIDs: []string{"a"}, Absent: 1},
			[][]float32{{1, 2, 0}}},
		{"groups", "1 1:1\n2 1:2\n3\n", &Options{Groups: []int{1, 2}},
			rank.Dataset{Labels: []float64{1, 2, 3}, Offsets: []int{0, 1, 3}, QueryIDs: []string{"1", "2"}, Absent: 1},
			[][]float32{{1}, {2}, {0}}},
		{"no queries", "1 qid:b 1:1\n2 1:2\n3 qid:a\n4 qid:b 1:3\n",
			&Options{NoQueries: true, GatherQueries: true, Groups: []int{7}},
			rank.Dataset{Labels: []float64{1, 2, 3, 4}, Offsets: []int{0, 4}, QueryIDs: []string{"1"}, Absent: 1},
			[][]float32{{1}, {2}, {0}, {3}}},
		{"no labels", "qid:b 1:1 #docid = z\n2 qid:b 1:2\nqid:a\n", &Options{Unlabeled: true, AllowNonFinite: true},
			rank.Dataset{Labels: []float64{nan, 2, nan}, Offsets: []int{0, 2, 3}, QueryIDs: []string{"b", "a"},
				DocIDs: []string{"z", "", ""}, Absent: 1},
			[][]float32{{1}, {2}, {0}}},
		{"nothing but features", "\ufeff1:1\r\n\n 2:2 # 1:3\n# 1:1\n0 1:3 2:1\n-1\n",
			&Options{NoQueries: true, Unlabeled: true, AllowNonFinite: true},
			rank.Dataset{Labels: []float64{nan, nan, 0, -1}, Offsets: []int{0, 4}, QueryIDs: []string{"1"}, Absent: 4},
			[][]float32{{1, 0}, {0, 2}, {3, 1}, {0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := rank.NewDataset(len(c.x), len(c.x[0]))
			for i := range c.x {
				copy(want.Row(i), c.x[i])
			}
			want.Labels, want.Offsets, want.QueryIDs, want.DocIDs = c.want.Labels, c.want.Offsets, c.want.QueryIDs,
				c.want.DocIDs
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				d, err := Read(r, given(c.opts))
				if err != nil {
					t.Fatal(err)
				}
				if diff := different(d, want); diff != "" {
					t.Error(diff)
				}
				if d.Absent != c.want.Absent {
					t.Errorf("%d values are absent, want %d", d.Absent, c.want.Absent)
				}
				checkRoundTrip(t, d, Options{AllowNonFinite: true})
			}
		})
	}
}

func TestNonFinite(t *testing.T) {
	const text = "NaN qid:a 1:nan 2:-NaN 3:inf 4:-Infinity 5:-0\n-inf qid:a 1:0\n"
	if _, err := Read(strings.NewReader(text), Options{}); err == nil {
		t.Error("NaN accepted")
	}
	d, err := Read(strings.NewReader(text), Options{AllowNonFinite: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Row(0), d.Labels); got != "[NaN NaN +Inf -Inf -0] [NaN -Inf]" {
		t.Error(got)
	}
	checkRoundTrip(t, d, Options{AllowNonFinite: true})
}

// compressed returns text in gzip's format, stored, so that a cut is at a known line.
func compressed(text string) string {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestMalformed(t *testing.T) {
	long := strings.Repeat("0 qid:1 1:0.5 2:1\n", 100_000)
	packed := compressed("0 qid:1 1:0.5\n0 qid:1 1:0.25\n")
	for _, c := range []struct {
		name, text string
		opts       *Options
		want       string
	}{
		{"empty", "", nil, "line 1: the file contains no documents"},
		{"blank lines", "\n\n# x\n", nil, "line 3: the file contains no documents"},
		{"empty gzip", compressed(""), nil, "line 1: the file contains no documents"},
		{"word for a label", "1 qid:1 1:1\ngood qid:1 1:1\n", nil,
			`line 2, column 1: the label is not a number: "good"`},
		{"hexadecimal label", "0x1p2 qid:1\n", nil, `line 1, column 1: the label is not a number: "0x1p2"`},
		{"NaN label", "  nan qid:1\n", nil,
			`line 1, column 3: the label must be finite (change the option AllowNonFinite): "nan"`},
		{"large label", "1e999 qid:1\n", nil, `line 1, column 1: the label is out of range for float64: "1e999"`},
		{"no qid at all", "1 1:1\n", nil,
			`line 1, column 3: the rows have no qid:… after the label, and no group sizes are given (change the option Groups): "1:1"`},
		{"no qid", "1 qid:1 1:1\n1\n", nil, `line 2, column 2: qid:… is missing after the label`},
		{"empty qid", "1 qid: 1:1\n", nil, `line 1, column 3: the qid is empty: "qid:"`},
		{"qid and groups", "1 1:1\n1 qid:1\n", &Options{Groups: []int{2}},
			`line 2, column 3: a qid cannot be combined with group sizes: "qid:1"`},
		{"groups too few", "1 1:1\n1 1:1\n", &Options{Groups: []int{1}},
			"line 2: the number of documents is 2, but the group sizes add up to 1"},
		{"zero group", "1 1:1\n1 1:1\n", &Options{Groups: []int{2, 0}},
			"line 2: the group size of query 2 is 0; it must be positive"},
		{"groups that wrap around", "1 1:1\n1 1:1\n", &Options{Groups: []int{math.MaxInt, math.MaxInt, 4}},
			fmt.Sprintf("line 2: the number of documents is 2, but the group sizes up to query 2 add up to more than %d", math.MaxInt)},
		{"second qid", "1 qid:1 qid:2 1:1\n", nil, `line 1, column 9: the feature must have the form INDEX:VALUE: "qid:2"`},
		{"cut after the index", "1 qid:1 1:1 2", nil, `line 1, column 13: the feature must have the form INDEX:VALUE: "2"`},
		{"cut after the colon", "1 qid:1 1:1 2:", nil, `line 1, column 13: the feature value is not a number: "2:"`},
		{"cut before CR LF", "1 qid:1 1:1 2:\r\n", nil, `line 1, column 13: the feature value is not a number: "2:"`},
		{"bad value", "1 qid:1 1:0.5 2:0.5.5\n", nil, `line 1, column 15: the feature value is not a number: "2:0.5.5"`},
		{"comma", "1 qid:1 1:0,5\n", nil, `line 1, column 9: the feature value is not a number: "1:0,5"`},
		{"value with a unit", "1 qid:1 1:0.5 2:123456789x\n", nil,
			`line 1, column 15: the feature value is not a number: "2:123456789x"`},
		{"sign alone", "1 qid:1 1:- 2:1\n", nil, `line 1, column 9: the feature value is not a number: "1:-"`},
		{"point alone", "1 qid:1 1:. 2:1\n", nil, `line 1, column 9: the feature value is not a number: "1:."`},
		{"two signs", "1 qid:1 1:-+1\n", nil, `line 1, column 9: the feature value is not a number: "1:-+1"`},
		{"exponent alone", "1 qid:1 1:1e\n", nil, `line 1, column 9: the feature value is not a number: "1:1e"`},
		{"underscore", "1 qid:1 1:1_0\n", nil, `line 1, column 9: the feature value is not a number: "1:1_0"`},
		{"NULL", "1 qid:1 1:NULL\n", nil,
			`line 1, column 9: the feature value is NULL (change the option NullAs): "1:NULL"`},
		{"infinite value", "1 qid:1 1:1 2:-inf\n", nil,
			`line 1, column 13: the feature value must be finite (change the option AllowNonFinite): "2:-inf"`},
		{"value beyond float32", "1 qid:1 1:3.5e38\n", nil,
			`line 1, column 9: the feature value is out of range for float32: "1:3.5e38"`},
		{"negative index", "1 qid:1 -1:1\n", nil, `line 1, column 9: the feature must have the form INDEX:VALUE: "-1:1"`},
		{"index 0", "1 qid:1 0:1\n", nil, `line 1, column 9: the feature index is 0 (change the option ZeroBased): "0:1"`},
		{"decreasing index", "1 qid:1 1:1 3:1 2:1\n", nil,
			`line 1, column 17: the feature index must be greater than the previous index, 3: "2:1"`},
		{"index twice", "1 qid:1 1:1 1:1\n", nil, `line 1, column 13: the feature index must be greater than the previous index, 1: "1:1"`},
		{"large index", "1 qid:1 1:1 16777217:1\n", nil,
			`line 1, column 13: the feature index exceeds the limit of 16777216 (change the option MaxFeature): "16777217:1"`},
		{"huge index", "1 qid:1 184467440737095516171:1\n", nil,
			"line 1, column 9: the feature index exceeds the limit of 16777216 (change the option MaxFeature): " +
				`"184467440737095516171:1"`},
		{"index over the option", "1 qid:1 4:1\n", &Options{MaxFeature: 3},
			`line 1, column 9: the feature index exceeds the limit of 3 (change the option MaxFeature): "4:1"`},
		{"next index over the option", "1 qid:1 1:1 2:1 3:1 4:1\n", &Options{MaxFeature: 3},
			`line 1, column 21: the feature index exceeds the limit of 3 (change the option MaxFeature): "4:1"`},
		{"next index over the columns", "1 qid:1 1:1 2:1\n", &Options{Columns: 1},
			`line 1, column 13: the feature index exceeds the requested 1 columns (change the option Columns): "2:1"`},
		{"index over the columns", "1 qid:1 3:1 4:1\n", &Options{Columns: 3},
			`line 1, column 13: the feature index exceeds the requested 3 columns (change the option Columns): "4:1"`},
		{"zero-based index over the columns", "1 qid:1 2:1 3:1\n", &Options{Columns: 3, ZeroBased: true},
			`line 1, column 13: the feature index exceeds the requested 3 columns (change the option Columns): "3:1"`},
		{"no label", "1:1 2:1\n", &Options{NoQueries: true}, `line 1, column 1: the label is not a number: "1:1"`},
		{"no label and a wrong feature", "1:1\n1:one\n", &Options{NoQueries: true, Unlabeled: true},
			`line 2, column 1: the feature value is not a number: "1:one"`},
		{"no label and no feature", "1:1\na:1\n", &Options{NoQueries: true, Unlabeled: true},
			`line 2, column 1: the feature must have the form INDEX:VALUE: "a:1"`},
		{"no label and no qid", "qid:1 1:1\n1:1\n", &Options{Unlabeled: true},
			`line 2, column 1: qid:… is missing after the label: "1:1"`},
		{"words for labels", "1:1\nlabel 1:1\n", &Options{NoQueries: true, Unlabeled: true},
			`line 2, column 1: the label is not a number: "label"`},
		{"empty qid without queries", "1 qid: 1:1\n", &Options{NoQueries: true},
			`line 1, column 3: the qid is empty: "qid:"`},
		{"no value", "1 qid:1 1 2:3\n", nil, `line 1, column 9: the feature must have the form INDEX:VALUE: "1"`},
		{"no index", "1 qid:1 :3\n", nil, `line 1, column 9: the feature must have the form INDEX:VALUE: ":3"`},
		{"word", "1 qid:1 1:3 four\n", nil, `line 1, column 13: the feature must have the form INDEX:VALUE: "four"`},
		{"control character", "1 qid:1 1:3\x002:4\n", nil, `line 1, column 12: unexpected control character: "\x00"`},
		{"CR within a line", "1 qid:1 1:3\r2:4\n", nil, `line 1, column 12: unexpected control character: "\r"`},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00", nil, `line 1, column 1: the label is not a number: "\x7fELF"`},
		{"control characters", "\x01\x02 qid:1 1:1\n", nil,
			`line 1, column 1: unexpected control character: "\x01"`},
		{"nothing but NUL", strings.Repeat("\x00", 3*partSize), nil,
			`line 1, column 1: unexpected control character: "\x00"`},
		{"all bytes 255", strings.Repeat("\xff", 100), nil, `line 1, column 1: the label is not a number: "` +
			strings.Repeat(`\xff`, 48) + `…"`},
		{"query again", "1 qid:1\n1 qid:2\n\n1 qid:1\n", nil,
			`line 4: the query is not contiguous: its previous rows ended at line 1 (change the option GatherQueries): "1"`},
		{"query again, far away", long + "1 qid:2\n" + long, nil,
			`line 100002: the query is not contiguous: its previous rows ended at line 100000 (change the option GatherQueries): "1"`},
		{"error far away", long + "1 qid:1 2:a\nb\n", nil,
			`line 100001, column 9: the feature value is not a number: "2:a"`},
		{"long line", "1 qid:1 1:1\n1 qid:1 " + strings.Repeat(" ", 100) + "\n", &Options{MaxLineLength: 50},
			"line 2: the line is longer than 50 bytes (change the option MaxLineLength)"},
		{"long wrong line", "1 qid:1 1:1\n1 qid:1 oops" + strings.Repeat(" ", 100), &Options{MaxLineLength: 50},
			"line 2: the line is longer than 50 bytes (change the option MaxLineLength)"},
		{"long comment", "#" + strings.Repeat(" ", 100) + "\n", &Options{MaxLineLength: 100},
			"line 1: the line is longer than 100 bytes (change the option MaxLineLength)"},
		{"values too many", "1 qid:1 1:1\n1 qid:1 1000:1\n1 qid:1 5:1 6:0\n1 qid:1\n", &Options{MaxValues: 3},
			"line 3: 4 values exceed the limit of 3 (change the option MaxValues)"},
		{"gzip cut in its header", packed[:5], nil, "line 1: read error: unexpected EOF"},
		{"gzip cut", compressed(long)[:2000], nil, "line 111: read error: unexpected EOF"},
		{"gzip without its end", packed[:len(packed)-4], nil, "line 3: read error: unexpected EOF"},
		{"gzip with a wrong sum", packed[:len(packed)-8] + "\x00\x00\x00\x00" + packed[len(packed)-4:], nil,
			"line 3: read error: gzip: invalid checksum"},
		{"garbage after gzip", packed + "more garbage", nil, "line 3: read error: gzip: invalid header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, threads := range []int{1, 3} {
				d, err := Read(strings.NewReader(c.text), withThreads(c.opts, threads))
				var perr *rank.ParseError
				if d != nil || !errors.As(err, &perr) {
					t.Fatalf("%d threads: error %v, want a *rank.ParseError", threads, err)
				}
				if got := err.Error(); got != c.want {
					t.Errorf("%d threads:\n got %s\nwant %s", threads, got, c.want)
				}
			}
		})
	}
}

// endless is a reader of one byte over and over.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestEndlessLine(t *testing.T) {
	testkit.SkipShort64(t)
	for _, b := range []byte("0 #:a\xff\x00") {
		_, err := Read(io.LimitReader(endless(b), 1e9), Options{})
		if err == nil || !strings.Contains(err.Error(), "the line is longer than 16777216 bytes") {
			t.Errorf("1e9 × %q: %v", b, err)
		}
	}
}

func TestReadFailure(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat("0 qid:1 1:0.5\n", 50_000)
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			_, err := Read(io.MultiReader(strings.NewReader(text+"0 qid:1 1:"), iotest.ErrReader(broken)),
				Options{Threads: threads})
			if !errors.Is(err, broken) || err.Error() != "line 50001: read error: broken" {
				t.Error(err)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestParts reads random files cut into parts of every size, by any number of threads:
// the result is that of a file read in one part.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 80 {
		var text []byte
		for row := range 1 + rng.IntN(40) {
			switch rng.IntN(30) {
			case 0:
				text = append(text, "\n# a line of comment\r\n"...)
			case 1:
				if round%2 == 0 {
					text = append(text, "1 qid:7 1:oops\n"...)
				}
			}
			text = fmt.Appendf(text, "%d qid:%d", rng.IntN(5), (row+round%3*rng.IntN(9))/4)
			for j := 1; j < 12; j += 1 + rng.IntN(3)*rng.IntN(2) {
				text = fmt.Appendf(text, " %d:%.*f", j, rng.IntN(9), rng.NormFloat64())
			}
			if rng.IntN(3) == 0 {
				text = fmt.Appendf(text, " #docid = %d", rng.IntN(1000))
			}
			text = append(text, '\n')
		}
		gather := &Options{GatherQueries: round%4 == 0}
		want, wantErr := Read(bytes.NewReader(text), withThreads(gather, 1))
		if wantErr == nil {
			checkRoundTrip(t, want, Options{})
			checkLines(t, want, string(text))
		}
		for size := 300; size > 140; size -= 3 {
			got, err := Read(bytes.NewReader(text), Options{GatherQueries: round%4 == 0, Threads: 1 + size%4,
				MaxLineLength: size})
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("parts of %d bytes: error %v, want %v\n%s", size, err, wantErr, text)
			}
			if err == nil {
				if diff := different(got, want); diff != "" {
					t.Fatalf("parts of %d bytes: %s\n%s", size, diff, text)
				}
				if got.Absent != want.Absent {
					t.Fatalf("parts of %d bytes: %d values are absent, want %d\n%s", size, got.Absent, want.Absent,
						text)
				}
				checkLines(t, got, string(text))
			}
		}
	}
}

// checkLines checks that each row of d is the next one of its query in the lines of text.
func checkLines(t *testing.T, d *rank.Dataset, text string) {
	t.Helper()
	rows := map[string][]int{} // lines of each query
	for i, line := range strings.Split(text, "\n") {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "#" {
			rows[f[1]] = append(rows[f[1]], i+1)
		}
	}
	for q, id := range d.QueryIDs {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			if got, want := d.Line(i), rows["qid:"+id][i-lo]; got != want {
				t.Fatalf("row %d is in line %d, not %d, of\n%s", i, want, got, text)
			}
		}
	}
	if twice := rank.Concat(d, d); twice.Line(d.Rows()) != d.Line(0) {
		t.Fatalf("the first row stands in line %d, and %d when there are more", d.Line(0), twice.Line(d.Rows()))
	}
}

// TestGrowth reads files whose rows get wider and more with each part, from readers of
// known and of unknown size.
func TestGrowth(t *testing.T) {
	var text strings.Builder
	rows := 0
	for width := 1; width < 200; width += 28 {
		for range partSize / 12 / width {
			fmt.Fprintf(&text, "%d qid:%d", rows%5, width)
			for j := range width {
				fmt.Fprintf(&text, " %d:%d.5", j+1, (rows+j)%1000)
			}
			text.WriteString("\n")
			rows++
		}
	}
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprint(known), func(t *testing.T) {
			var r io.Reader = strings.NewReader(text.String())
			if !known {
				r = io.MultiReader(r)
			}
			d, err := Read(r, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Rows() != rows || d.Cols != 197 || d.Validate() != nil || d.Queries() != 8 {
				t.Fatalf("%d rows of %d, %d columns, %d queries, %v", d.Rows(), rows, d.Cols, d.Queries(), d.Validate())
			}
			d = d.ToDense()
			for q, id := range d.QueryIDs {
				width, _ := strconv.Atoi(id)
				lo, hi := d.Query(q)
				for i := lo; i < hi; i++ {
					for j, v := range d.X[i*d.Stride : (i+1)*d.Stride] {
						want := float32(0)
						if j < width {
							want = float32((i+j)%1000) + .5
						}
						if v != want {
							t.Fatalf("row %d, column %d: %v, want %v", i, j, v, want)
						}
					}
				}
			}
		})
	}
}

// TestForms reads texts that are sparse and dense in turn.
func TestForms(t *testing.T) {
	wide := func(query string, rows int) string {
		return strings.Repeat("1 "+query+" 7:2.5 50000:1 #docid = x\n", rows)
	}
	narrow := func(query string, rows int) string {
		return strings.Repeat("0 "+query+" 1:1 2:2 3:3 4:4 5:5 6:6\n0 "+query+" 2:7\n", rows)
	}
	full := func(query string, rows int) string {
		line := "2 " + query
		for j := range 150 {
			line += fmt.Sprint(" ", j+1, ":", j%3)
		}
		return strings.Repeat(line+"\n", rows)
	}
	few := func(query string, rows int) string { return strings.Repeat("1 "+query+" 149:0 150:1\n", rows) }
	for _, c := range []struct {
		name, text string
		sparse     bool
		opts       *Options
	}{
		{"wide", wide("qid:1", 99), true, nil},
		{"narrow", narrow("qid:1", 99), false, nil},
		{"wide at the end", narrow("qid:1", 20000) + wide("qid:2", 1), true, nil},
		{"wide at the start", wide("qid:1", 1) + narrow("qid:2", 20000), true, nil},
		{"full at the end", few("qid:1", 30000) + full("qid:2", 9000), false, nil},
		{"full at the start", full("qid:1", 700) + few("qid:2", 30000), true, nil},
		{"full, few, full", full("qid:1", 700) + few("qid:2", 30000) + full("qid:3", 3000), false, nil},
		{"near the limit", few("qid:1", 30000) + full("qid:2", 2000), false, nil},
		{"zeros", strings.Repeat("1 qid:1 1:0 2:0 300:0\n", 50), true, nil},
		{"columns", narrow("qid:1", 3), true, &Options{Columns: 5000}},
		{"gathered", few("qid:1", 900) + wide("qid:2", 9) + full("qid:1", 9), true, &Options{GatherQueries: true}},
		{"gathered full", few("qid:1", 9) + few("qid:2", 9) + full("qid:1", 900), false, &Options{GatherQueries: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want *rank.Dataset
			for _, threads := range []int{1, 3} {
				for _, known := range []bool{true, false} {
					if (testing.Short() || testkit.Race) && known == (threads == 1) ||
						testkit.Race && threads == 1 && want != nil {
						continue
					}
					var r io.Reader = strings.NewReader(c.text)
					if !known {
						r = io.MultiReader(r)
					}
					d, err := Read(r, withThreads(c.opts, threads))
					if err != nil {
						t.Fatal(err)
					}
					if is := d.Sparse != nil; is != c.sparse {
						t.Fatalf("sparse: %v", is)
					}
					if err := d.Validate(); err != nil {
						t.Fatal(err)
					}
					if d.Sparse != nil && slices.Contains(d.Sparse.Values, 0) {
						t.Fatal("zeros are listed")
					}
					absent := d.Absent
					if d = d.ToSparse(); want == nil {
						want = d
					} else if diff := different(d, want); diff != "" || absent != want.Absent {
						t.Fatalf("%d threads: %s; %d absent, want %d", threads, diff, absent, want.Absent)
					}
				}
			}
		})
	}
}

// TestMemory reads small sparse text, beside which buffers must be small. What is allocated counts,
// though some of it is never touched and so takes no memory.
func TestMemory(t *testing.T) {
	var b bytes.Buffer
	for i := range 2500 {
		fmt.Fprintf(&b, "1 qid:%d", i/50)
		for j := range 50 {
			fmt.Fprintf(&b, " %d:%d.5", 1+1200*j+(i*31+j*17)%1200, j)
		}
		b.WriteByte('\n')
	}
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Read(bytes.NewReader(b.Bytes()), Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			csr := 8*len(d.Sparse.Offsets) + 8*len(d.Sparse.Values)
			if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(5*csr/2) {
				t.Errorf("%d bytes for %d of sparse features", spent, csr)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	dir := t.TempDir()
	write := func(t *testing.T, name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const rows = "1 1:1\n0 1:2\n2 1:3\n"
	for _, c := range []struct{ data, group string }{
		{"a.txt", "a.txt.query"}, {"b.txt", "b.txt.group"}, {"c.txt.gz", "c.txt.gz.query"}, {"d.txt.gz", "d.txt.group"},
	} {
		t.Run(c.data, func(t *testing.T) {
			text := rows
			if strings.HasSuffix(c.data, ".gz") {
				text = compressed(rows)
			}
			path := write(t, c.data, text)
			if _, err := Load(path, Options{}); err == nil ||
				!strings.Contains(err.Error(), path+":1:3: the rows have no qid") {
				t.Errorf("%s without groups: %v", c.data, err)
			}
			write(t, c.group, "2\r\n\n 1")
			d, err := Load(path, Options{})
			if err != nil {
				t.Error(err)
			} else if !slices.Equal(d.Offsets, []int{0, 2, 3}) || !slices.Equal(d.QueryIDs, []string{"1", "2"}) {
				t.Errorf("offsets %v, queries %q", d.Offsets, d.QueryIDs)
			}
		})
	}
	path := write(t, "e.txt", rows)
	group := write(t, "e.txt.query", "2\n2\n")
	if _, err := Load(path, Options{}); err == nil ||
		err.Error() != path+":3: the number of documents is 3, but the group sizes in "+group+" add up to 4" {
		t.Error(err)
	}
	wrong := map[string]string{
		"":                                 "line 1: the file contains no group sizes",
		"\n\n":                             "line 2: the file contains no group sizes",
		"3\n0\n":                           `line 2: the group size is not a positive number: "0"`,
		"3\n\n-1\n":                        `line 3: the group size is not a positive number: "-1"`,
		"3\n" + strings.Repeat(" ", 1<<16): `line 2: the line is longer than 65536 bytes`,
		"3 4\n":                            `line 1: the group size is not a positive number: "3 4"`,
		"3000000000":                       `line 1: the group size is not a positive number: "3000000000"`,
		"\x1f\x8b\x08":                     "line 1: read error: unexpected EOF",
	}
	if strconv.IntSize == 32 {
		wrong["2147483647\n\n2147483647\n"] =
			`line 3: the sum of the group sizes exceeds 2147483647: "2147483647"`
	}
	for text, want := range wrong {
		t.Run(text, func(t *testing.T) {
			if _, err := ReadGroups(strings.NewReader(text)); err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}

func TestWriteLETOR(t *testing.T) {
	make := func(change func(d *rank.Dataset)) *rank.Dataset {
		d := rank.NewDataset(2, 3)
		d.Offsets = []int{0, 1, 2}
		d.QueryIDs = []string{"a", "b"}
		change(d)
		return d
	}
	d := make(func(d *rank.Dataset) {
		copy(d.Row(0), []float32{1, 0, 0})
		copy(d.Row(1), []float32{float32(math.Copysign(0, -1)), 1e-20, 123456})
		d.Labels[1] = 1e-7
		d.DocIDs = []string{"", "#1"}
	})
	var text strings.Builder
	if err := WriteLETOR(&text, d); err != nil {
		t.Fatal(err)
	}
	if want := "0 qid:a 1:1 3:0\n1e-07 qid:b 1:-0 2:1e-20 3:123456 #docid = #1\n"; text.String() != want {
		t.Errorf("wrote %q, want %q", text.String(), want)
	}
	checkRoundTrip(t, d, Options{})

	for want, change := range map[string]func(d *rank.Dataset){
		"the file contains no documents":  func(d *rank.Dataset) { *d = *rank.NewDataset(0, 3) },
		`query "b" has no documents`:      func(d *rank.Dataset) { d.Offsets = []int{0, 2, 2} },
		`"a" is used by two`:              func(d *rank.Dataset) { d.QueryIDs[1] = "a" },
		`query ID "" must not be empty`:   func(d *rank.Dataset) { d.QueryIDs[0] = "" },
		`query ID "a b"`:                  func(d *rank.Dataset) { d.QueryIDs[0] = "a b" },
		`query ID "a#b"`:                  func(d *rank.Dataset) { d.QueryIDs[0] = "a#b" },
		`query ID "a\n0 qid:b"`:           func(d *rank.Dataset) { d.QueryIDs[0] = "a\n0 qid:b" },
		`document ID "x y" of row 1`:      func(d *rank.Dataset) { d.DocIDs = []string{"x", "x y"} },
		"the number of query IDs is 2":    func(d *rank.Dataset) { d.Offsets = []int{0, 2} },
		"the number of document IDs is 1": func(d *rank.Dataset) { d.DocIDs = []string{"x"} },
	} {
		t.Run(want, func(t *testing.T) {
			text.Reset()
			if err := WriteLETOR(&text, make(change)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
			if text.Len() > 0 {
				t.Errorf("wrote %q", text.String())
			}
		})
	}
}
