package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	peer "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// A document is a row of the tests' files, with a column of every type and encoding.
type document struct {
	Label    int32    `parquet:"label"`
	QID      string   `parquet:"qid,dict"`
	Weight   float64  `parquet:"Weight"`
	Position uint32   `parquet:"position,delta"`
	Doc      *string  `parquet:"doc,optional"`
	Float    float32  `parquet:"float"`
	Dict     float32  `parquet:"dict,dict,snappy"`
	Split    float64  `parquet:"split,split,zstd"`
	Optional *float64 `parquet:"optional,optional,gzip"`
	Bool     bool     `parquet:"bool,lz4"`
	Brotli   float32  `parquet:"brotli,brotli"`
	Int      int64    `parquet:"int,delta,optional"`
	Small    *int8    `parquet:"small,optional,dict,zstd"`
	Big      uint64   `parquet:"big,snappy"`
}

// documents returns n rows and the expected dataset.
func documents(n int) ([]document, *rank.Dataset) {
	rows := make([]document, n)
	d := rank.NewDataset(n, 9)
	d.Names = []string{"float", "dict", "split", "optional", "bool", "brotli", "int", "small", "big"}
	nan := float32(math.NaN())
	for i := range rows {
		r := &rows[i]
		r.Label, r.QID, r.Weight, r.Position = int32(i%5), fmt.Sprint("q", i/7), float64(i)/4, uint32(i+1)
		r.Float, r.Dict, r.Split, r.Bool = float32(i)/3, float32(i%9), float64(i)*.1, i%3 == 0
		r.Int, r.Big = int64(i*i)-1000, 1<<63+uint64(i)<<50
		x := d.Row(i)
		r.Brotli = float32(i * i % 11)
		copy(x, []float32{r.Float, r.Dict, float32(r.Split), nan, 0, r.Brotli, float32(r.Int), nan, float32(r.Big)})
		if r.Int == 0 { // the writer treats it as null
			x[6] = nan
		}
		if r.Bool {
			x[4] = 1
		}
		doc, optional, small := "", float64(i)/8, int8(i%100-50)
		if i%4 > 0 {
			doc = fmt.Sprint("d", i)
			r.Doc = &doc
		}
		if i%5 > 1 {
			r.Optional = &optional
			x[3] = float32(optional)
		}
		if i%1000 < 500 {
			r.Small = &small
			x[7] = float32(small)
		}
		d.Labels[i] = float64(r.Label)
		d.DocIDs, d.Weights, d.Positions = append(d.DocIDs, doc), append(d.Weights, r.Weight),
			append(d.Positions, int32(i+1))
		if i%7 == 0 {
			d.QueryIDs = append(d.QueryIDs, r.QID)
		}
		if i%7 == 6 || i == n-1 {
			d.Offsets = append(d.Offsets, i+1)
		}
	}
	return rows, d
}

// writeRows returns a file of the rows.
func writeRows[T any](t testing.TB, rows []T, options ...peer.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := peer.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// difference describes the difference between two datasets. It is empty if they are equal.
func difference(a, b *rank.Dataset) string {
	if a.Rows() != b.Rows() || a.Cols != b.Cols {
		return fmt.Sprintf("%d × %d and %d × %d", a.Rows(), a.Cols, b.Rows(), b.Cols)
	}
	for i := range a.Rows() {
		row := b.Row(i)
		for j, v := range a.Row(i) {
			if w := row[j]; math.Float32bits(v) != math.Float32bits(w) && (v == v || w == w) {
				return fmt.Sprintf("row %d, column %d: %v and %v", i, j, v, w)
			}
		}
	}
	for what, pair := range map[string][2]any{
		"labels": {a.Labels, b.Labels}, "offsets": {a.Offsets, b.Offsets}, "queries": {a.QueryIDs, b.QueryIDs},
		"documents": {a.DocIDs, b.DocIDs}, "weights": {a.Weights, b.Weights}, "positions": {a.Positions, b.Positions},
		"names": {a.Names, b.Names},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			return fmt.Sprintf("%s: %v and %v", what, pair[0], pair[1])
		}
	}
	return ""
}

func TestRead(t *testing.T) {
	rows, want := documents(5000)
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			for _, size := range []int{500, 1 << 20} {
				for _, group := range []int64{1700, 1 << 20} {
					b := writeRows(t, rows, peer.DataPageVersion(version), peer.PageBufferSize(size),
						peer.MaxRowsPerRowGroup(group))
					for _, threads := range []int{1, 3} {
						d, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{Threads: threads})
						if err != nil {
							t.Fatalf("pages of %d, groups of %d: %v", size, group, err)
						}
						if diff := difference(d, want); diff != "" {
							t.Errorf("pages of %d, groups of %d: %s", size, group, diff)
						}
						if err := d.Validate(); err != nil || d.Line(4) != 5 {
							t.Errorf("%v, line %d", err, d.Line(4))
						}
					}
				}
			}
		})
	}
}

func TestLoad(t *testing.T) {
	rows, want := documents(10)
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, writeRows(t, rows), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := Load(path, data.Options{})
	if err != nil || difference(d, want) != "" || d.File != path {
		t.Errorf("%v, from %s", err, d.File)
	}
	for want, o := range map[string]data.Options{
		path + ":1: column doc: the query ID is empty":                          {Query: "doc", Doc: "qid"},
		"read " + path + ": column qid contains text":                           {Query: "bool"},
		"read " + path + `: no column is named label (change the option Label)`: {Query: "label"},
	} {
		t.Run(strings.ReplaceAll(want, path, "FILE"), func(t *testing.T) {
			if _, err = Load(path, o); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	if _, err := Load(path+"?", data.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestRoles reads columns with usual names as features, and skips those that cannot be features.
func TestRoles(t *testing.T) {
	type row struct {
		Label  float64 `parquet:"label"`
		QID    int64   `parquet:"qid"`
		Weight float64 `parquet:"Weight"`
		Day    int32   `parquet:"day,date"`
		Text   string  `parquet:"text"`
		List   []int64 `parquet:"list"`
		X      float64 `parquet:"x"`
	}
	b := writeRows(t, []row{{1, 2, 3, 4, "five", []int64{6, 6}, 7}, {0, 2, 8, 9, "ten", nil, 11}})
	for _, c := range []struct {
		name     string
		o        data.Options
		features string
		byName   string
	}{
		{"by their names", data.Options{}, "[x] [11]", "label label, qid qid, weight Weight"},
		{"none", data.Options{Weight: "-"}, "[Weight x] [8 11]", "label label, qid qid"},
		{"of a model", data.Options{Features: []string{"x", "Weight"}}, "[Weight x] [8 11]", "label label, qid qid"},
		{"named", data.Options{Weight: "Weight", Label: "label", Query: "qid"}, "[x] [11]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var byName []string
			c.o.Ignore = []string{"day", "text", "list"}
			c.o.DefaultRole = func(role, column string) { byName = append(byName, role+" "+column) }
			d, err := Read(bytes.NewReader(b), int64(len(b)), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(d.Names, d.Row(1)); got != c.features || strings.Join(byName, ", ") != c.byName {
				t.Errorf("%s, by name %q; want %s, %q", got, byName, c.features, c.byName)
			}
		})
	}
}

// TestTextColumns reads text categories, dense and sparse, from several row groups.
func TestTextColumns(t *testing.T) {
	type row struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		X     float64 `parquet:"x"`
		Color *string `parquet:"color,dict"`
		Size  float32 `parquet:"size"`
		Brand string  `parquet:"brand"`
	}
	red, blue := "red", "blue"
	rows := []row{{0, 1, 1, &red, 1.5, "a"}, {1, 1, 0, nil, 2, "b"}, {1, 1, 4, &blue, 1.5, ""},
		{1, 1, 0, &red, float32(math.NaN()), "b"}}
	b := writeRows(t, rows, peer.MaxRowsPerRowGroup(3))
	o := data.Options{TextColumns: []string{"color", "size", "brand"}}
	d, err := Read(bytes.NewReader(b), int64(len(b)), o)
	if err != nil {
		t.Fatal(err)
	}
	const lists = `[[] ["red" "blue"] ["1.5" "2"] ["a" "b"]]`
	if got := fmt.Sprintf("%q", d.Categories); got != lists {
		t.Errorf("categories %s, want %s", got, lists)
	}
	const want = "[1 0 0 0] [0 NaN 1 1] [4 1 0 NaN] [0 0 NaN 1]"
	if got := fmt.Sprint(d.Row(0), d.Row(1), d.Row(2), d.Row(3)); got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	found := false // an error about the memory of texts
	for o.MemoryLimit = 1; err != nil || o.MemoryLimit == 1; o.MemoryLimit += 8 {
		_, err = Read(bytes.NewReader(b), int64(len(b)), o)
		found = found || err != nil && strings.Contains(err.Error(), "the text categories need")
	}
	if !found {
		t.Error("no error about the text categories")
	}
}

// TestSparseTextColumns reads a text column next to many columns of zeros.
func TestSparseTextColumns(t *testing.T) {
	group := peer.Group{"a text": peer.String(), "label": peer.Leaf(peer.DoubleType), "qid": peer.String()}
	const zeros = 200
	for i := range zeros {
		group[fmt.Sprintf("b%03d", i)] = peer.Leaf(peer.FloatType)
	}
	var b bytes.Buffer
	w := peer.NewWriter(&b, peer.NewSchema("data", group), peer.MaxRowsPerRowGroup(3))
	for _, s := range []string{"x", "y", "", "x", "z"} {
		row := peer.Row{peer.ByteArrayValue([]byte(s)).Level(0, 0, 0)}
		for i := range zeros {
			row = append(row, peer.FloatValue(0).Level(0, 0, 1+i))
		}
		row = append(row, peer.DoubleValue(1).Level(0, 0, zeros+1),
			peer.ByteArrayValue([]byte("q")).Level(0, 0, zeros+2))
		if _, err := w.WriteRows([]peer.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()), data.Options{TextColumns: []string{"a text"}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Sparse == nil || fmt.Sprintf("%q", d.Categories[0]) != `["x" "y" "z"]` ||
		fmt.Sprint(d.Sparse.Offsets, d.Sparse.Columns, d.Sparse.Values) != "[0 0 1 2 2 3] [0 0 0] [1 NaN 2]" {
		t.Errorf("%q, %v", d.Categories[0], d.Sparse)
	}
}

// TestTexts reads text in every encoding.
func TestTexts(t *testing.T) {
	for _, encode := range []encoding.Encoding{&peer.Plain, &peer.DeltaLengthByteArray, &peer.DeltaByteArray} {
		t.Run(encode.String(), func(t *testing.T) {
			text := peer.Encoded(peer.String(), encode)
			var b bytes.Buffer
			w := peer.NewWriter(&b, peer.NewSchema("data", peer.Group{"label": peer.Leaf(peer.DoubleType), "qid": text,
				"doc": text, "x": peer.Leaf(peer.FloatType)}), peer.PageBufferSize(2000))
			docs := make([]string, 1000)
			for i := range docs {
				if i%10 > 0 {
					docs[i] = fmt.Sprintf("clueweb09-en%04d-%d", i/3, i*i%100)[:i%17]
				}
				qid := fmt.Sprint("query ", i/10)
				row := peer.Row{peer.ByteArrayValue([]byte(docs[i])).Level(0, 0, 0), peer.DoubleValue(1).Level(0, 0, 1),
					peer.ByteArrayValue([]byte(qid)).Level(0, 0, 2), peer.FloatValue(2).Level(0, 0, 3)}
				if _, err := w.WriteRows([]peer.Row{row}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			d, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()), data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(d.DocIDs, docs) || d.QueryIDs[99] != "query 99" || len(d.QueryIDs) != 100 {
				t.Error("other texts")
			}
		})
	}
	// A few bytes must not fill the memory with text: each value is the value before it and one
	// byte.
	c := &cursor[string]{f: &file{budget: newBudget(rank.ReadOptions{MemoryLimit: 1 << 20}, 0, 0)}, with: new(buffers),
		leaf: &leaf{kind: format.ByteArray, meaning: characters}}
	n := 3000
	prefixes, lengths := make([]int32, n), make([]int32, n)
	for i := range n {
		prefixes[i], lengths[i] = int32(i), 1
	}
	var data []byte
	for _, integers := range [][]int32{prefixes, lengths} {
		b, err := peer.DeltaBinaryPacked.EncodeInt32(nil, integers)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, b...)
	}
	data = append(data, make([]byte, n)...)
	if _, err := c.values(make([]string, n), data, format.DeltaByteArray); !errors.As(err, new(*rank.OptionError)) {
		t.Errorf("%d texts of up to %d bytes: %v", n, n, err)
	}
	for size := 0; size < len(data)-1; size += 13 {
		if _, err := c.values(make([]string, n), data[:size], format.DeltaByteArray); err == nil {
			t.Errorf("%d of %d bytes: no error", size, len(data))
		}
	}
}

// writeHalves returns a file in which columns of two bytes are declared as float16.
func writeHalves[T any](t *testing.T, rows []T) []byte {
	t.Helper()
	b := writeRows(t, rows)
	n := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	var meta format.FileMetaData
	protocol := new(thrift.CompactProtocol)
	if err := thrift.Unmarshal(protocol, b[len(b)-8-n:len(b)-8], &meta); err != nil {
		t.Fatal(err)
	}
	for i := range meta.Schema {
		if e := &meta.Schema[i]; e.Type.Valid && e.Type.V == format.FixedLenByteArray {
			e.LogicalType.Value = new(format.Float16Type)
		}
	}
	footer, err := thrift.Marshal(protocol, meta)
	if err != nil {
		t.Fatal(err)
	}
	b = append(b[:len(b)-8-n], footer...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(footer))), "PAR1"...)
}

// Float16 columns are converted to float32: plain, dictionary-encoded, byte-stream-split, and with
// nulls.
func TestHalves(t *testing.T) {
	type half [2]byte
	type row struct {
		Label half  `parquet:"label"`
		QID   half  `parquet:"qid"`
		X     half  `parquet:"x"`
		Dict  half  `parquet:"dict,dict,snappy"`
		Split half  `parquet:"split,split"`
		Maybe *half `parquet:"maybe,optional,zstd"`
	}
	code := func(v uint16) (h half) {
		binary.LittleEndian.PutUint16(h[:], v)
		return h
	}
	var rows []row
	for _, v := range []uint16{0x3c00, 0xb555, 0x0001, 0x8000, 0x7bff, 0x7e00, 0xfe01} {
		r := row{code(0x4000), code(0x3e00), code(v), code(v), code(v), nil}
		if v != 0xb555 {
			r.Maybe = &r.X
		}
		rows = append(rows, r)
	}
	b := writeHalves(t, rows)
	d, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	want := rank.NewDataset(len(rows), 4)
	want.Names, want.QueryIDs = []string{"x", "dict", "split", "maybe"}, []string{"1.5"}
	want.Offsets = append(want.Offsets, len(rows))
	for i, v := range []float32{1, -0.333251953125, 0x1p-24, float32(math.Copysign(0, -1)), 65504, nan, nan} {
		want.Labels[i] = 2
		copy(want.Row(i), []float32{v, v, v, v})
		if rows[i].Maybe == nil {
			want.Row(i)[3] = nan
		}
	}
	if diff := difference(d, want); diff != "" {
		t.Error(diff)
	}
	rows[6].X = code(0xfc00)
	b = writeHalves(t, rows)
	const infinite = `line 7: column x: the value must not be infinite: "-Inf"`
	if _, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{}); err == nil || err.Error() != infinite {
		t.Errorf("%v, want %s", err, infinite)
	}
	type three struct {
		Label, QID half
		X          [3]byte
	}
	b = writeHalves(t, []three{{}})
	if _, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{}); err == nil ||
		!strings.Contains(err.Error(), "column X contains values of type FLOAT16") {
		t.Errorf("three bytes of float16: %v", err)
	}
}

// No changed byte before the footer changes the data without an error, because pages have
// checksums.
func TestChecksums(t *testing.T) {
	type row struct {
		Label float64 `parquet:"label"`
		QID   string  `parquet:"qid,dict"`
		X     float32 `parquet:"x,snappy"`
	}
	for _, version := range []int{1, 2} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			good := writeRows(t, []row{{1, "first", 0.5}, {0, "first", 3}}, peer.DataPageVersion(version))
			want, err := Read(bytes.NewReader(good), int64(len(good)), data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			footer := len(good) - 8 - int(binary.LittleEndian.Uint32(good[len(good)-8:]))
			bare, caught, changed := unsummed(t, bytes.Clone(good)), 0, 0
			for i := range footer {
				for _, file := range [][]byte{good, bare} {
					b := bytes.Clone(file)
					b[i] ^= 1
					d, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{})
					switch {
					case err != nil && strings.Contains(err.Error(), "row group 0: the page checksum is "):
						caught++
					case err == nil && difference(d, want) != "":
						if changed++; &file[0] == &good[0] {
							t.Errorf("byte %d: %s", i, difference(d, want))
						}
					}
				}
			}
			if least := 2*8 + len("first") + 2*4; caught < least || changed < least {
				t.Errorf("checksums catch %d bytes, and without them %d are read to other data, want at least %d",
					caught, changed, least)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	type row struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		X     float64 `parquet:"x"`
	}
	type odd[T any] struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		X     T       `parquet:"x"`
	}
	type optional struct {
		Label *float64 `parquet:"label,optional"`
		QID   *string  `parquet:"qid,optional"`
		X     float64  `parquet:"x"`
	}
	type index struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		Index int64   `parquet:"__index_level_0__"`
	}
	type day struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid"`
		X     int32   `parquet:"x,date"`
	}
	type weighted struct {
		Label    float64 `parquet:"label"`
		QID      int64   `parquet:"qid"`
		Weight   float64 `parquet:"weight"`
		Position int64   `parquet:"position"`
		X        float64 `parquet:"x"`
	}
	one := 1.
	good := writeRows(t, []row{{1, 1, 2}, {0, 1, 3}})
	many := make([]row, 2000)
	many[1777].X = math.Inf(1)
	for _, c := range []struct {
		file []byte
		o    data.Options
		want string
	}{
		{writeRows(t, []row{}), data.Options{}, "the file contains no documents"},
		{good, data.Options{Label: "rel"}, `no column is named "rel"`},
		{good, data.Options{Missing: []string{"?"}}, "the option Missing is not supported for Parquet files: nulls and " +
			`NaNs are their missing values (Missing contains ["?"])`},
		{good, data.Options{Groups: []int{2}}, "a query column cannot be combined"},
		{writeRows(t, []row{{1, 1, 2}, {1, 1, math.Inf(-1)}}), data.Options{},
			`line 2: column x: the value must not be infinite: "-Inf"`},
		{writeRows(t, []row{{1, 1, 1e99}}), data.Options{}, `line 1: column x: the value must not be infinite: "+Inf"`},
		{writeRows(t, []weighted{{1, 1, -2, 1, 3}}), data.Options{},
			`line 1: column weight: a weight must be finite and not negative (set the option Weight to "-"): "-2"`},
		{writeRows(t, []weighted{{1, 1, 2, 1, 3}}), data.Options{Features: []string{"qid"}},
			"column qid is used as a feature"},
		{writeRows(t, []row{{1, 1, 2}, {math.NaN(), 1, 1}}), data.Options{},
			`line 2: column label: the value is missing`},
		{writeRows(t, []optional{{&one, nil, 1}}), data.Options{}, "line 1: column qid: the query ID is empty"},
		{writeRows(t, []optional{{nil, nil, 1}}), data.Options{NoQueries: true},
			"line 1: column label: the value is missing"},
		{writeRows(t, []row{{1, 1, 2}, {1, 2, 1}, {1, 1, 1}}), data.Options{},
			"line 3: the query is not contiguous: its previous rows ended at line 1"},
		{writeRows(t, []odd[string]{{1, 1, "red"}}), data.Options{},
			`column x contains text (set the option TextColumns to "x")`},
		{writeRows(t, []odd[string]{{1, 1, "red"}}), data.Options{Label: "x"},
			"column x contains text: convert the column to numbers"},
		{writeRows(t, []odd[[]int64]{{1, 1, nil}}), data.Options{},
			`column x contains lists: convert the column to numbers or text (set the option Ignore to "x")`},
		{writeRows(t, []odd[struct{ A, B int }]{{}}), data.Options{}, "column x contains nested values"},
		{writeRows(t, []odd[[3]byte]{{}}), data.Options{}, "column x contains values of type FIXED_LEN_BYTE_ARRAY"},
		{writeRows(t, []day{{}}), data.Options{}, "column x contains values of type DATE"},
		{bytes.ReplaceAll(good, []byte("label"), []byte("lab\xe9l")), data.Options{},
			`the name of column 1 must be UTF-8, not "lab\xe9l" (re-encode`},
		{writeRows(t, []index{{}}), data.Options{}, "none is a feature"},
		{writeRows(t, many, peer.PageBufferSize(1600), peer.MaxRowsPerRowGroup(900)), data.Options{},
			"line 1778: column x: the value must not be infinite"},
		{nil, data.Options{}, "not a Parquet file"},
		{[]byte("PAR1 what is this? PAR1"), data.Options{}, "the file is not a Parquet file, or it is truncated"},
		{good[:len(good)-1], data.Options{}, "the file is not a Parquet file, or it is truncated"},
		{bytes.Replace(good, []byte("PAR1"), []byte("PARE"), 2), data.Options{}, "encrypted Parquet files are"},
		{append(good[:4:4], good[40:]...), data.Options{}, "malformed"},
	} {
		t.Run(c.want, func(t *testing.T) {
			d, err := Read(bytes.NewReader(c.file), int64(len(c.file)), c.o)
			if d != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if d, err := Read(bytes.NewReader(writeRows(t, []optional{{nil, nil, 1}})),
		int64(len(writeRows(t, []optional{{nil, nil, 1}}))),
		data.Options{NoQueries: true, Unlabeled: true}); err != nil || d.Labels[0] == d.Labels[0] {
		t.Error(err)
	}
	if _, err := Read(failing{bytes.NewReader(good)}, int64(len(good)), data.Options{}); err == nil ||
		!strings.Contains(err.Error(), "the disk is on fire") {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	rows, _ := documents(20_000)
	file := writeRows(t, rows)
	for _, threads := range []int{1, 8} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			calls, last := 0, int64(0) // the race detector finds calls that overlap
			o := data.Options{Threads: threads, Progress: func(done, total int64) {
				if calls++; done < last || done > total || total != int64(len(file)) {
					t.Errorf("%d of %d after %d", done, total, last)
				}
				last = done
			}}
			_, err := Read(bytes.NewReader(file), int64(len(file)), o)
			if err != nil || calls < 4 || last != int64(len(file)) {
				t.Errorf("%d calls, the last of %d of %d; %v", calls, last, len(file), err)
			}
		})
	}
}

// failing fails to read anything except the end.
type failing struct{ io.ReaderAt }

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at < 50 {
		return 0, errors.New("the disk is on fire")
	}
	return f.ReaderAt.ReadAt(b, at)
}

func TestHybrid(t *testing.T) {
	got := make([]uint32, 14)
	// A run of three 5s, 8 values packed in 3 bits (0 to 7, as in the format specification), and a
	// run of two.
	src := []byte{6, 5, 3, 0b10001000, 0b11000110, 0b11111010, 20, 2}
	want := []uint32{5, 5, 5, 0, 1, 2, 3, 4, 5, 6, 7, 2, 2, 2}
	if err := hybrid(got, src, 3); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for n := range src {
		if err := hybrid(got, src[:n], 3); err == nil {
			t.Errorf("%d bytes: no error", n)
		}
	}
	if err := hybrid(got, []byte{200, 1}, 0); err != nil || got[13] != 0 {
		t.Errorf("no bits: %v, %v", got, err)
	}
	if err := hybrid(got[:1], []byte{3, 255, 255, 255, 127}, 32); err != nil || got[0] != 1<<31-1 {
		t.Errorf("32 bits: %v, %v", got[0], err)
	}
	if err := hybrid(got, []byte{28, 2}, 1); !errors.Is(err, errMalformed) {
		t.Errorf("a run of 2 in one bit: %v", err)
	}
}

func TestStructLength(t *testing.T) {
	for _, c := range []struct {
		b    string
		n    int
		want error
	}{
		{"\x00rest", 1, nil},
		{"\x15\x02\x11\x28\x02ab\x00rest", 8, nil},         // an integer, true, two bytes
		{"\x19\x25\x02\x04\x00", 5, nil},                   // a list of two integers
		{"\x1b\x01\x55\x02\x04\x00", 6, nil},               // a map with one pair
		{"\x1c\x15\x02\x00\x00", 5, nil},                   // a structure
		{"\x05\x0e\x02\x00", 4, nil},                       // field 7 by its number
		{"\x19\xf3\xff\xff\xff\x7f\x00", 0, errShort},      // a list of a billion bytes
		{"\x18\xff\xff\xff\xff\xff\xff\xff", 0, errShort},  // endless text
		{"\x1d\x00", 0, errMalformed},                      // unknown type
		{strings.Repeat("\x1c", 100), 0, errMalformed},     // nested without end
		{strings.Repeat("\x19\x19", 100), 0, errMalformed}, // lists, too
		{"", 0, errShort},
	} {
		t.Run(fmt.Sprintf("%q", c.b), func(t *testing.T) {
			if n, err := structLength([]byte(c.b)); err != c.want || err == nil && n != c.n {
				t.Errorf("%d, %v, want %d, %v", n, err, c.n, c.want)
			}
		})
	}
}

// TestIdentifiers reads identifiers that are integers with all of their digits.
func TestIdentifiers(t *testing.T) {
	type row struct {
		Label float64 `parquet:"label"`
		QID   int64   `parquet:"qid,dict"`
		Doc   uint64  `parquet:"doc,delta"`
		X     float64 `parquet:"x"`
	}
	const large = math.MinInt64
	b := writeRows(t, []row{{1, large + 1, math.MaxUint64, 2}, {0, large + 2, math.MaxUint64 - 1, 3}})
	d, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"-9223372036854775807", "-9223372036854775806"}; !slices.Equal(d.QueryIDs, want) {
		t.Errorf("queries %s, want %s", d.QueryIDs, want)
	}
	if want := []string{"18446744073709551615", "18446744073709551614"}; !slices.Equal(d.DocIDs, want) {
		t.Errorf("documents %s, want %s", d.DocIDs, want)
	}
	// Identifiers of other types are their shortest decimal.
	for _, c := range []struct {
		kind  format.Type
		width int
		data  string
		want  []string
	}{
		{format.Boolean, 0, "\x02", []string{"0", "1"}},
		{format.Int32, 4, "\xff\xff\xff\xff\x07\x00\x00\x00", []string{"-1", "7"}},
		{format.Float, 4, "\x00\x00\xc0\x3f\x00\x00\xc0\x7f", []string{"1.5", ""}},
		{format.Double, 8, "\x00\x00\x00\x00\x84\xd7\x97\x41\x00\x00\x00\x00\x00\x00\xf8\xff", []string{"100000000", ""}},
	} {
		t.Run(fmt.Sprintf("%q", c.data), func(t *testing.T) {
			got, err := plain(make([]string, 2), []byte(c.data), &leaf{kind: c.kind, width: c.width})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v: %q, %v, want %q", c.kind, got, err, c.want)
			}
		})
	}
}

// deltasOf returns DELTA_BINARY_PACKED integers. The deltas of each part, minus the smallest delta
// of the block, have the given number of bits.
func deltasOf(values []int64, block, parts, width int) []byte {
	b := binary.AppendUvarint(nil, uint64(block))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(parts)), uint64(len(values)))
	b = binary.AppendVarint(b, values[0])
	for at := 1; at < len(values); at += block {
		b = binary.AppendVarint(b, 0)
		b = append(b, bytes.Repeat([]byte{byte(width)}, parts)...)
		size := block / parts
		needed := (min(block, len(values)-at) + size - 1) / size // parts without values use no bytes
		packed, bit := make([]byte, needed*size*width/8), 0
		for i := at; i < min(at+block, len(values)); i++ {
			for k := range width {
				packed[bit/8] |= byte((values[i]-values[i-1])>>k&1) << (bit % 8)
				bit++
			}
		}
		b = append(b, packed...)
	}
	return b
}

// TestDeltas reads integers with deltas of every number of bits.
func TestDeltas(t *testing.T) {
	for width := range 65 {
		for _, n := range []int{1, 2, 34, 70} {
			want := make([]int64, n)
			for i := range want {
				want[i] = -5
				if i > 0 {
					delta := 0xfedc_ba98_7654_3210 * uint64(i+1) << (64 - width) >> (64 - width)
					if i%5 == 0 {
						delta = 1<<width - 1
					}
					want[i] = want[i-1] + int64(delta)
				}
			}
			b := append(deltasOf(want, 64, 2, width), "rest"...)
			got, rest, err := deltas(make([]int64, n), b)
			if err != nil || !slices.Equal(got, want) || string(rest) != "rest" {
				t.Errorf("%d integers of %d bits: %v, %d bytes are left, other integers", n, width, err, len(rest))
			}
		}
	}
	if _, _, err := deltas(make([]int64, 9), deltasOf(make([]int64, 9), 8, 1, 65)); !errors.Is(err, errMalformed) {
		t.Errorf("65 bits: %v", err)
	}
}

// TestIntegers reads integers of every annotation, plain and as deltas, which
// wrap around in 32 and 64 bits.
func TestIntegers(t *testing.T) {
	stored := map[format.Type][]int64{
		format.Int32: {math.MaxInt32, math.MinInt32, -1, 0, math.MaxInt32, 7, math.MinInt32},
		format.Int64: {math.MaxInt64, math.MinInt64, -1, 0, math.MaxInt64, 7, math.MinInt64},
	}
	signed := func(v int64) string { return fmt.Sprint(v) }
	for _, c := range []struct {
		converted deprecated.ConvertedType
		kind      format.Type
		text      func(v int64) string
	}{
		{deprecated.Uint8, format.Int32, func(v int64) string { return fmt.Sprint(uint32(v)) }},
		{deprecated.Uint16, format.Int32, func(v int64) string { return fmt.Sprint(uint32(v)) }},
		{deprecated.Uint32, format.Int32, func(v int64) string { return fmt.Sprint(uint32(v)) }},
		{deprecated.Uint64, format.Int64, func(v int64) string { return fmt.Sprint(uint64(v)) }},
		{deprecated.Int8, format.Int32, signed},
		{deprecated.Int16, format.Int32, signed},
		{deprecated.Int32, format.Int32, signed},
		{deprecated.Int64, format.Int64, signed},
	} {
		t.Run(fmt.Sprint(c.converted), func(t *testing.T) {
			values := stored[c.kind]
			l := newLeaf(&schemaElement{Name: "x", Type: thrift.New(c.kind), ConvertedType: thrift.New(c.converted)})
			if l.meaning != number {
				t.Errorf("converted type %d on %v: meaning %d", c.converted, c.kind, l.meaning)
				return
			}
			var plainBytes []byte
			for _, v := range values {
				plainBytes = binary.LittleEndian.AppendUint64(plainBytes, uint64(v))[:len(plainBytes)+l.width]
			}
			// Some writers compute deltas in 32 bits, in which they wrap around, and others in 64
			// bits.
			packed := map[string][]byte{"deltas of 64 bits": deltasOf(values, 8, 1, 64)}
			if c.kind == format.Int32 {
				wrapped := slices.Clone(values)
				for i := 1; i < len(values); i++ {
					wrapped[i] = wrapped[i-1] + int64(uint32(values[i]-values[i-1]))
				}
				packed["deltas of 32 bits"] = deltasOf(wrapped, 8, 1, 32)
			}
			check := func(how string, texts []string, numbers []float64, floats []float32, err error) {
				t.Helper()
				if err != nil {
					t.Errorf("converted type %d, %s: %v", c.converted, how, err)
					return
				}
				for i, v := range values {
					want, _ := new(big.Float).SetString(c.text(v))
					f64, _ := want.Float64()
					f32, _ := want.Float32()
					if texts[i] != c.text(v) || numbers[i] != f64 || floats[i] != f32 {
						t.Errorf("converted type %d, %s, value %d: %s, %v, %v, want %s", c.converted, how, i, texts[i],
							numbers[i], floats[i], c.text(v))
					}
				}
			}
			n := len(values)
			decode := func(how string, encoding format.Encoding, data []byte) {
				f := &file{leaves: []leaf{l}, budget: newBudget(rank.ReadOptions{MemoryLimit: 1 << 20}, 0, 0)}
				with := new(buffers)
				text := &cursor[string]{f: f, with: with, leaf: &l}
				number := &cursor[float64]{f: f, with: with, leaf: &l}
				float := &cursor[float32]{f: f, with: with, leaf: &l}
				texts, err := text.values(make([]string, n), data, encoding)
				numbers, err2 := number.values(make([]float64, n), data, encoding)
				floats, err3 := float.values(make([]float32, n), data, encoding)
				check(how, texts, numbers, floats, errors.Join(err, err2, err3))
			}
			decode("plain", format.Plain, plainBytes)
			for how, b := range packed {
				decode(how, format.DeltaBinaryPacked, b)
			}
		})
	}
}

// TestConvertedTypes reads old type annotations, and decimals of each precision that the format
// allows for their type.
func TestConvertedTypes(t *testing.T) {
	const none = 99
	for _, c := range []struct {
		kind      format.Type
		converted deprecated.ConvertedType
		width     int32
		scale     int32
		want      meaning
	}{
		{format.Int32, nulls, 0, 0, number},
		{format.Int32, none, 0, 0, opaque},
		{format.Int32, deprecated.TimeMillis, 0, 0, opaque},
		{format.Int64, deprecated.TimestampMicros, 0, 0, opaque},
		{format.Int32, deprecated.Date, 0, 0, date},
		{format.Int64, deprecated.Date, 0, 0, opaque},
		{format.ByteArray, deprecated.UTF8, 0, 0, characters},
		{format.Int64, deprecated.UTF8, 0, 0, opaque},
		{format.Int32, deprecated.Decimal, 0, 0, decimal},
		{format.Int32, deprecated.Decimal, 0, 9, decimal},
		{format.Int32, deprecated.Decimal, 0, 10, opaque},
		{format.Int32, deprecated.Decimal, 0, -1, opaque},
		{format.Int64, deprecated.Decimal, 0, 18, decimal},
		{format.Int64, deprecated.Decimal, 0, 19, opaque},
		{format.FixedLenByteArray, deprecated.Decimal, 16, 38, decimal},
		{format.FixedLenByteArray, deprecated.Decimal, 16, 39, opaque},
		{format.FixedLenByteArray, deprecated.Decimal, 65, 0, opaque},
		{format.ByteArray, deprecated.Decimal, 0, 153, decimal},
		{format.ByteArray, deprecated.Decimal, 0, 154, opaque},
		{format.Double, deprecated.Decimal, 0, 0, opaque},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			l := newLeaf(&schemaElement{Type: thrift.New(c.kind), TypeLength: c.width, Scale: c.scale,
				ConvertedType: thrift.New(c.converted)})
			if l.meaning != c.want || c.want == decimal && l.scale != int(c.scale) {
				t.Errorf("meaning %d, scale %d", l.meaning, l.scale)
			}
		})
	}
}

// TestOddPages reads legal files that the writer of the other tests does not write. They have
// dictionaries with more values than rows, compressed pages with only nulls, and row groups without
// rows.
func TestOddPages(t *testing.T) {
	const number = "\x01\x00\x00\x00" // each value of the dictionary but one
	for _, codec := range []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Brotli,
		format.Zstd, format.Lz4Raw} {
		t.Run(codec.String(), func(t *testing.T) {
			b := pageOf(t, &format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: 2, CompressedPageSize: 2,
				DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{NumValues: 3, NumNulls: 3, NumRows: 3,
					Encoding: format.DeltaBinaryPacked, DefinitionLevelsByteLength: 2})}, "\x06\x00")
			c := &cursor[float32]{f: fileOf(b), with: new(buffers), end: int64(len(b)),
				codec: codec, leaf: &leaf{kind: format.Int32, width: 4, optional: true}, rows: 3}
			if page, err := c.next(); err != nil || len(page) != 3 || page[2] == page[2] {
				t.Errorf("nulls: %v, %v", page, err)
			}
		})
	}
	for _, claimed := range []int32{7, 1 << 30} {
		t.Run(fmt.Sprint(claimed), func(t *testing.T) {
			b := pageOf(t, &format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 28,
				CompressedPageSize:   28,
				DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: claimed})},
				strings.Repeat(number, 6)+"\x05\x00\x00\x00")
			b = append(b, pageOf(t, &format.PageHeader{Type: format.DataPage, UncompressedPageSize: 3,
				CompressedPageSize: 3, DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 2,
					Encoding: format.RLEDictionary})}, "\x03\x04\x06")...)
			c := &cursor[float32]{f: fileOf(b), with: new(buffers), end: int64(len(b)),
				leaf: &leaf{kind: format.Int32, width: 4}, rows: 2}
			page, err := c.next()
			if want := []float32{5, 5}; claimed == 7 && (err != nil || !slices.Equal(page, want)) {
				t.Errorf("7 values for 2 rows: %v, %v", page, err)
			} else if claimed > 7 && !errors.Is(err, errShort) {
				t.Errorf("%d values of 28 bytes: %v", claimed, err)
			}
		})
	}
	// Amazon Athena writes repetition levels of columns that cannot repeat: a run of zeros.
	for _, skipped := range []int32{2, 9} {
		t.Run(fmt.Sprint(skipped), func(t *testing.T) {
			b := pageOf(t, &format.PageHeader{Type: format.DataPageV2, UncompressedPageSize: 8, CompressedPageSize: 8,
				DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{NumValues: 2, NumNulls: 1, NumRows: 2,
					IsCompressed:               thrift.New(false),
					RepetitionLevelsByteLength: skipped, DefinitionLevelsByteLength: 2})},
				"\x04\x00\x03\x02\x05\x00\x00\x00")
			c := &cursor[float32]{f: fileOf(b), with: new(buffers), end: int64(len(b)),
				leaf: &leaf{kind: format.Int32, width: 4, optional: true}, rows: 2}
			page, err := c.next()
			if skipped == 2 && (err != nil || page[0] == page[0] || page[1] != 5) {
				t.Errorf("repetition levels: %v, %v", page, err)
			} else if skipped > 2 && !errors.Is(err, errMalformed) {
				t.Errorf("repetition levels longer than the page: %v", err)
			}
		})
	}
	empty := &file{leaves: []leaf{{kind: format.Int32}}, chunks: 1, groups: []int{0}, places: make([]columnChunk, 1)}
	if err := readColumn(empty, 0, new(buffers), func([]float64) error { return nil }); err != nil {
		t.Errorf("no rows: %v", err)
	}
}

// TestUncounted reads a chunk with a size that does not include the header of its dictionary. Old
// writers produce such files.
func TestUncounted(t *testing.T) {
	dictionary := pageOf(t, &format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 8,
		CompressedPageSize: 8, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: 2})}, "")
	b := append(dictionary, "\x04\x00\x00\x00\x05\x00\x00\x00"...)
	b = append(b, pageOf(t, &format.PageHeader{Type: format.DataPage, UncompressedPageSize: 18, CompressedPageSize: 18,
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 2, Encoding: format.RLEDictionary})},
		"\x01\x03\x02"+strings.Repeat("\x00", 15))...)
	for lacking := range len(dictionary) + 2 {
		c := &cursor[float32]{f: fileOf(b), with: new(buffers), end: int64(len(b) - lacking),
			leaf: &leaf{kind: format.Int32, width: 4}, rows: 2}
		page, err := c.next()
		if lacking == 0 || lacking == len(dictionary) {
			if err != nil || page[0] != 4 || page[1] != 5 {
				t.Errorf("%d bytes lacking: %v, %v", lacking, page, err)
			}
		} else if err == nil {
			t.Errorf("%d bytes lacking: no error", lacking)
		}
	}
}

// fileOf returns a file of pages without a footer.
func fileOf(b []byte) *file {
	return &file{r: bytes.NewReader(b), size: int64(len(b)), end: int64(len(b)), leaves: make([]leaf, 1),
		budget: newBudget(rank.ReadOptions{MemoryLimit: 1 << 20}, 0, 0)}
}

// pageOf returns a page with its header.
func pageOf(t *testing.T, h *format.PageHeader, content string) []byte {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), *h)
	if err != nil {
		t.Fatal(err)
	}
	return append(b, content...)
}
