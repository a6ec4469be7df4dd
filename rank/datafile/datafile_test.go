package datafile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// asSparse returns d with sparse features.
func asSparse(d *rank.Dataset) *rank.Dataset {
	s := *d
	s.X, s.Stride, s.Sparse = nil, 0, &rank.CSR{Offsets: []int{0}}
	for i := range d.Rows() {
		for j, v := range d.Row(i) {
			if isValue(v) {
				s.Sparse.Columns, s.Sparse.Values = append(s.Sparse.Columns, int32(j)), append(s.Sparse.Values, v)
			}
		}
		s.Sparse.Offsets = append(s.Sparse.Offsets, len(s.Sparse.Values))
	}
	return &s
}

// full returns a dataset with everything that a file can hold.
func full(rows, cols int) *rank.Dataset {
	d := synth.Config{Seed: 3, Rows: rows, Cols: cols, MaxDocs: 20, Density: .5}.Dataset()
	d.Labels[0] = math.NaN()
	if cols > 0 {
		d.X[0] = float32(math.Copysign(0, -1))
	}
	for i := range rows {
		d.DocIDs = append(d.DocIDs, strings.Repeat("é", i%3)+fmt.Sprint(i))
		d.Weights = append(d.Weights, float64(i)/4)
		d.Positions = append(d.Positions, int32(i%10+1))
	}
	for q := range d.Queries() {
		d.QueryWeights = append(d.QueryWeights, float64(q))
	}
	for j := range cols {
		d.Names = append(d.Names, fmt.Sprintf("feature %d", j))
	}
	if cols > 3 {
		d.Categories = make([][]string, cols)
		d.Categories[1], d.Categories[2] = []string{"red", "grün", "?"}, []string{}
		d.Categories[cols-1] = []string{"red"}
	}
	d.Absent = 7
	return d
}

// cases are datasets of every shape.
func cases() map[string]*rank.Dataset {
	plain := synth.Config{Seed: 1, Rows: 300, Cols: 20}.Dataset()
	wide := full(100, 46)
	wide.Sparse = nil
	empty := &rank.Dataset{Offsets: []int{0}}
	none := rank.NewDataset(3, 0)
	none.Offsets, none.QueryIDs = []int{0, 0, 3, 3}, []string{"", "a", ""}
	return map[string]*rank.Dataset{"dense": plain, "sparse": asSparse(plain), "full": wide,
		"full sparse": asSparse(wide),
		"no rows":     empty, "no columns": none, "no columns, sparse": asSparse(none),
		"first columns": plain.WithColumns(3)}
}

// difference returns what differs between two datasets, to the bit.
func difference(got, want *rank.Dataset) string {
	if (got.Sparse != nil) != (want.Sparse != nil) {
		return "dense and sparse"
	}
	if got.Cols != want.Cols || got.Rows() != want.Rows() || got.Absent != want.Absent {
		return fmt.Sprintf("%d × %d, %d absent, and %d × %d, %d absent", got.Rows(), got.Cols, got.Absent, want.Rows(),
			want.Cols, want.Absent)
	}
	if want.Sparse == nil {
		if got.Stride != memory.Stride(want.Cols) || len(got.X) != got.Rows()*got.Stride {
			return fmt.Sprintf("%d values of stride %d", len(got.X), got.Stride)
		}
		for i := range want.Rows() {
			if !bytes.Equal(bytesOf(got.Row(i)), bytesOf(want.Row(i))) {
				return fmt.Sprintf("row %d: %v and %v", i, got.Row(i), want.Row(i))
			}
			for _, v := range got.X[i*got.Stride+got.Cols : (i+1)*got.Stride] {
				if v != 0 {
					return "padding"
				}
			}
		}
	} else if !slices.Equal(got.Sparse.Offsets, want.Sparse.Offsets) ||
		!slices.Equal(got.Sparse.Columns, want.Sparse.Columns) ||
		!bytes.Equal(bytesOf(got.Sparse.Values), bytesOf(want.Sparse.Values)) {
		return "sparse features"
	}
	for _, c := range []struct {
		name string
		same bool
	}{
		{"labels", bytes.Equal(bytesOf(got.Labels), bytesOf(want.Labels))},
		{"offsets", slices.Equal(got.Offsets, want.Offsets)},
		{"query ids", slices.Equal(got.QueryIDs, want.QueryIDs)},
		{"document ids", slices.Equal(got.DocIDs, want.DocIDs) && (got.DocIDs == nil) == (want.DocIDs == nil)},
		{"weights", slices.Equal(got.Weights, want.Weights)},
		{"query weights", slices.Equal(got.QueryWeights, want.QueryWeights)},
		{"positions", slices.Equal(got.Positions, want.Positions)},
		{"names", slices.Equal(got.Names, want.Names)},
		{"categories", reflect.DeepEqual(got.Categories, want.Categories)},
	} {
		if !c.same {
			return c.name
		}
	}
	return ""
}

// pageReader reads a file by docs/reference/data-format.md only: it shares no code with the
// package.
func pageReader(b []byte) (*rank.Dataset, error) {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	u64 := func(at int) int { return int(binary.LittleEndian.Uint64(b[at:])) }
	sections := u32(56)
	start := slices.Clone(b[:64+24*sections])
	clear(start[12:16])
	if string(b[:8]) != "\x89\x53\x44\x52\x0d\x0a\x1a\x0a" || u32(8) != 1 || u64(16) != len(b) || u32(60) != 0 ||
		// 1EDC6F41, reflected
		crc32.Checksum(start, crc32.MakeTable(0x82f63b78)) != uint32(u32(12)) {
		return nil, errors.New("header")
	}
	rows, queries, cols := u64(24), u64(32), u64(40)
	at, size := map[int]int{}, map[int]int{}
	for i := range sections {
		kind := u32(64 + 24*i)
		at[kind], size[kind] = u64(64+24*i+8), u64(64+24*i+16)
		if at[kind]%64 != 0 || (kind == 1 || kind == 3 || kind == 4) && at[kind]%4096 != 0 {
			return nil, errors.New("alignment")
		}
	}
	has := func(kind int) bool { return at[kind] != 0 }
	float := func(kind, i int) float32 { return math.Float32frombits(uint32(u32(at[kind] + 4*i))) }
	double := func(kind, i int) float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(b[at[kind]+8*i:]))
	}
	list := func(kind, n int) (list []string) {
		from := 0
		for i := range n {
			to := u64(at[kind] + 8*i)
			list = append(list, string(b[at[kind+1]+from:at[kind+1]+to]))
			from = to
		}
		return list
	}
	d := rank.NewDataset(rows, cols)
	d.Absent = int64(u64(48))
	if has(1) {
		stride := (cols + 15) / 16 * 16
		for i := range rows {
			for j := range cols {
				d.Row(i)[j] = float(1, i*stride+j)
			}
		}
	} else {
		d.X, d.Stride, d.Sparse = nil, 0, new(rank.CSR)
		for i := range rows + 1 {
			d.Sparse.Offsets = append(d.Sparse.Offsets, u64(at[2]+8*i))
		}
		for k := range size[4] / 4 {
			d.Sparse.Columns = append(d.Sparse.Columns, int32(u32(at[3]+4*k)))
			d.Sparse.Values = append(d.Sparse.Values, float(4, k))
		}
	}
	for i := range rows {
		d.Labels[i] = double(5, i)
	}
	for q := range queries {
		d.Offsets = append(d.Offsets, u64(at[6]+8*(q+1)))
	}
	d.QueryIDs = list(7, queries)
	if has(9) {
		d.DocIDs = list(9, rows)
	}
	for i := range rows {
		if has(11) {
			d.Weights = append(d.Weights, double(11, i))
		}
		if has(13) {
			d.Positions = append(d.Positions, int32(u32(at[13]+4*i)))
		}
	}
	for q := range queries {
		if has(12) {
			d.QueryWeights = append(d.QueryWeights, double(12, q))
		}
	}
	if has(14) {
		d.Names = list(14, cols)
	}
	if has(16) {
		all, from := list(18, size[18]/8), 0
		d.Categories = make([][]string, cols)
		for i := range size[16] / 4 {
			to := u64(at[17] + 8*i)
			d.Categories[u32(at[16]+4*i)] = slices.Clip(all[from:to])
			from = to
		}
	}
	return d, nil
}

// pieces returns the queries of d in pieces of some queries each.
func pieces(d *rank.Dataset, queries int) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		for q := 0; q < max(d.Queries(), 1); q += queries {
			end := min(q+queries, d.Queries())
			lo, hi := d.Offsets[q], d.Offsets[end]
			p := &rank.Dataset{Cols: d.Cols, Stride: d.Stride, Labels: d.Labels[lo:hi], QueryIDs: d.QueryIDs[q:end],
				Names: d.Names, Categories: d.Categories}
			if x := d.Sparse; x != nil {
				from, to := x.Offsets[lo], x.Offsets[hi]
				p.Sparse = &rank.CSR{Columns: x.Columns[from:to], Values: x.Values[from:to]}
				for _, o := range x.Offsets[lo : hi+1] {
					p.Sparse.Offsets = append(p.Sparse.Offsets, o-from)
				}
			} else {
				p.X = d.X[lo*d.Stride : hi*d.Stride]
			}
			for _, o := range d.Offsets[q : end+1] {
				p.Offsets = append(p.Offsets, o-lo)
			}
			if d.DocIDs != nil {
				p.DocIDs = d.DocIDs[lo:hi]
			}
			if d.Weights != nil {
				p.Weights, p.QueryWeights, p.Positions = d.Weights[lo:hi], d.QueryWeights[q:end], d.Positions[lo:hi]
			}
			if q == 0 {
				p.Absent = d.Absent
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// TestRoundTrip writes datasets whole and in pieces, and reads them back in every way.
func TestRoundTrip(t *testing.T) {
	for name, d := range cases() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.simdrank")
			var whole bytes.Buffer
			if err := Write(&whole, d); err != nil {
				t.Fatal(err)
			}
			if got := Size(d); got != int64(whole.Len()) {
				t.Errorf("a size of %d bytes, %d were written", got, whole.Len())
			}
			for _, queries := range []int{0, 1, 3, 1 << 20} {
				var err error
				if queries == 0 {
					err = Save(path, d)
				} else {
					err = SavePieces(path, pieces(d, queries))
				}
				if err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(b, whole.Bytes()) {
					t.Errorf("pieces of %d queries make another file", queries)
				}
			}
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Validate(); err != nil {
				t.Error(err)
			}
			check := func(way string, got *rank.Dataset, err error) {
				if err != nil {
					t.Fatalf("%s: %v", way, err)
				}
				if diff := difference(got, d); diff != "" {
					t.Errorf("%s: %s", way, diff)
				}
			}
			check("mapped", f.Dataset, nil)
			got, err := Read(bytes.NewReader(whole.Bytes()))
			check("read", got, err)
			got, err = Read(struct{ *iotestReader }{&iotestReader{whole.Bytes()}})
			check("read a byte at a time", got, err)
			got, err = pageReader(whole.Bytes())
			check("read by the page", got, err)
			packed := bytes.NewBufferString(testkit.Gzip(whole.String()))
			got, err = Read(packed)
			check("compressed", got, err)
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if f.Rows() != 0 {
				t.Error("closed with rows")
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("left %v", entries)
			}
		})
	}
}

// What has no size, or another one, is read into buffers that grow.
func TestReadGrows(t *testing.T) {
	d := synth.Config{Seed: 1, Rows: 4000, Cols: 20}.Dataset()
	var whole, packed bytes.Buffer
	if err := Write(&whole, d); err != nil {
		t.Fatal(err)
	}
	if whole.Len() < 4<<16 {
		t.Fatalf("%d bytes fit in buffers that hardly grow", whole.Len())
	}
	z := gzip.NewWriter(&packed)
	z.Write(whole.Bytes())
	z.Close()
	for _, c := range []struct {
		name string
		open func(t *testing.T) io.Reader
	}{
		{"pipe", func(t *testing.T) io.Reader {
			r, w := io.Pipe()
			go func() {
				w.Write(whole.Bytes())
				w.Close()
			}()
			return r
		}},
		{"gzipped file", func(t *testing.T) io.Reader {
			path := filepath.Join(t.TempDir(), "a.simdrank.gz")
			if err := os.WriteFile(path, packed.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return f
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(c.open(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(got, d); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// iotestReader reads a byte at a time.
type iotestReader struct{ b []byte }

func (r *iotestReader) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, errors.New("the end, by another name")
	}
	if len(p) == 0 {
		return 0, nil
	}
	p[0] = r.b[0]
	r.b = r.b[1:]
	return 1, nil
}

// TestPieces puts pieces of several shapes together.
func TestPieces(t *testing.T) {
	narrow, wide := full(120, 15), synth.Config{Seed: 5, Rows: 90, Cols: 200, Density: .3}.Dataset()
	narrow.Names, narrow.Positions, narrow.Categories, narrow.Absent = nil, nil, nil, 5
	for q := range wide.QueryIDs {
		wide.QueryIDs[q] = "w" + wide.QueryIDs[q]
	}
	late := full(40, 60)
	late.Names, late.Positions, late.Categories = nil, nil, nil
	want := rank.Concat(narrow, wide, late)
	want.DocIDs = slices.Concat(narrow.DocIDs, make([]string, 90), late.DocIDs)
	ones := func(n int) []float64 { return slices.Repeat([]float64{1}, n) }
	want.Weights = slices.Concat(narrow.Weights, ones(90), late.Weights)
	want.QueryWeights = slices.Concat(narrow.QueryWeights, ones(wide.Queries()), late.QueryWeights)
	moved := rank.Concat(wide, late) // nothing is known of the first rows
	moved.DocIDs = slices.Concat(make([]string, 90), late.DocIDs)
	moved.Weights = slices.Concat(ones(90), late.Weights)
	moved.QueryWeights = slices.Concat(ones(wide.Queries()), late.QueryWeights)
	// Pieces of more rows than are moved at once, of which the last ones make sparse features
	// smaller.
	empty, first, second := rank.NewDataset(5, 0), synth.Config{Seed: 6, Rows: 40_000, Cols: 10}.Dataset(),
		synth.Config{Seed: 7, Rows: 9000, Cols: 40, Density: .7}.Dataset()
	empty.Offsets, empty.QueryIDs = []int{0, 5}, []string{"e"}
	after := synth.Config{Seed: 8, Rows: 50, Cols: 20}.Dataset()
	last := rank.NewDataset(1, 1000)
	last.Offsets, last.QueryIDs, last.X[999] = []int{0, 1}, []string{"l"}, 1
	for i, d := range []*rank.Dataset{first, second, after} {
		for q := range d.QueryIDs {
			d.QueryIDs[q] = fmt.Sprint(i, "-", q)
		}
	}
	for _, c := range []struct {
		name   string
		pieces []*rank.Dataset
		want   *rank.Dataset
	}{
		{"dense", []*rank.Dataset{narrow, wide, late}, want},
		{"dense, then sparse", []*rank.Dataset{narrow, asSparse(wide), late}, want},
		{"sparse", []*rank.Dataset{asSparse(narrow), asSparse(wide), asSparse(late)}, asSparse(want)},
		{"sparse, then dense", []*rank.Dataset{asSparse(narrow), wide, late}, asSparse(want)},
		{"late weights", []*rank.Dataset{wide, late}, moved},
		{"many rows", []*rank.Dataset{empty, first, second}, rank.Concat(empty, first, second)},
		{"many rows, then sparse", []*rank.Dataset{empty, first, second, last, after},
			asSparse(rank.Concat(empty, first, second, last, after))},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.simdrank")
			all := func(yield func(*rank.Dataset, error) bool) {
				for _, d := range c.pieces {
					if !yield(d, nil) {
						return
					}
				}
			}
			if err := SavePieces(path, all); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := difference(f.Dataset, c.want); diff != "" {
				t.Error(diff)
			}
			f.Close()
		})
	}

	broken := errors.New("broken")
	positioned, named := full(10, 15), full(10, 15)
	named.Positions, named.Categories, positioned.Categories = nil, nil, nil
	texts := full(10, 15)
	texts.Names, texts.Positions = nil, nil
	short := *narrow
	short.Weights = short.Weights[1:]
	for _, c := range []struct {
		want   string
		pieces []*rank.Dataset
	}{
		{"broken", []*rank.Dataset{narrow, nil}},
		{"a data file requires at least one piece", []*rank.Dataset{}},
		{"the column names change at row", []*rank.Dataset{narrow, named}},
		{"positions must be set for all rows or for no row, but this changes at row 10", []*rank.Dataset{positioned, named}},
		{"positions must be set for all rows or for no row, but this changes at row 10", []*rank.Dataset{named, positioned}},
		{"the number of names is 15", []*rank.Dataset{named,
			{Cols: 20, Stride: 32, Offsets: []int{0}, Names: named.Names}}},
		{"the number of weights is 119", []*rank.Dataset{&short}},
		{"at row 120, feature 2 changes between numbers and text categories", []*rank.Dataset{narrow, texts}},
		{"at row 10, feature 2 changes between numbers and text categories", []*rank.Dataset{texts, narrow}},
		{"the stride is 0; it must be", []*rank.Dataset{{Cols: 1, Labels: []float64{1}}}},
	} {
		t.Run(c.want, func(t *testing.T) {
			dir := t.TempDir()
			err := SavePieces(filepath.Join(dir, "a.simdrank"), func(yield func(*rank.Dataset, error) bool) {
				for _, d := range c.pieces {
					if d == nil && !yield(nil, broken) || d != nil && !yield(d, nil) {
						return
					}
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 0 {
				t.Errorf("left %v", entries)
			}
		})
	}
	if err := SavePieces(os.DevNull, pieces(narrow, 1)); err == nil {
		t.Error("pieces written to a device")
	}
}

// TestTextPieces writes pieces that number their texts differently.
func TestTextPieces(t *testing.T) {
	piece := func(id string, list ...string) *rank.Dataset {
		d := rank.NewDataset(len(list), 16)
		for i := range d.X {
			d.X[i] = 1
		}
		for i := range list {
			d.Row(i)[0] = float32(i)
		}
		d.Offsets, d.QueryIDs, d.Categories = []int{0, len(list)}, []string{id}, make([][]string, 16)
		d.Categories[0] = list
		return d
	}
	for _, sparse := range []bool{false, true} {
		t.Run(fmt.Sprint(sparse), func(t *testing.T) {
			all := []*rank.Dataset{piece("a", "x", "y"), piece("b", "z", "x"), piece("c", "x")}
			if sparse {
				for i := range all {
					all[i] = asSparse(all[i])
				}
			}
			path := filepath.Join(t.TempDir(), "a.simdrank")
			if err := SavePieces(path, func(yield func(*rank.Dataset, error) bool) {
				for _, d := range all {
					if !yield(d, nil) {
						return
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if diff := difference(f.Dataset, rank.Concat(all...)); diff != "" {
				t.Error(diff)
			}
			if got := fmt.Sprintf("%q", f.Categories[0]); got != `["x" "y" "z"]` {
				t.Errorf("categories %s", got)
			}
		})
	}
}

// reseal sets the size and the checksum of a file that was changed.
func reseal(b []byte) []byte {
	binary.LittleEndian.PutUint64(b[16:], uint64(len(b)))
	n := headerSize + entrySize*int(binary.LittleEndian.Uint32(b[56:]))
	if n > len(b) {
		return b
	}
	clear(b[12:16])
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[:n], castagnoli))
	return b
}

// TestHostile changes files, and opens and reads them.
// Counts of pieces that wrap around are an error, not a small file.
func TestManyPieces(t *testing.T) {
	d := synth.Config{Seed: 1, Rows: 10, Cols: 3, Density: .5}.Dataset()
	for _, c := range []struct {
		name string
		set  func(w *writer)
		fits bool
	}{
		{"few", func(w *writer) { w.before.rows, w.queries, w.before.values = 5, 6, 7 }, true},
		{"rows", func(w *writer) { w.before.rows = math.MaxInt - d.Rows() + 1 }, false},
		{"queries", func(w *writer) { w.queries = math.MaxInt - d.Queries() + 1 }, false},
		{"values", func(w *writer) { w.before.values = math.MaxInt }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			w := &writer{path: path, f: f}
			defer w.close()
			if err := w.add(d.ToSparse()); err != nil {
				t.Fatal(err)
			}
			c.set(w)
			if err := w.add(d.ToSparse()); (err == nil) != c.fits ||
				err != nil && !strings.Contains(err.Error(), "rows, queries or values") {
				t.Error(err)
			}
		})
	}
}

func TestHostile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.simdrank")
	encode := func(d *rank.Dataset) []byte {
		var b bytes.Buffer
		if err := Write(&b, d); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	// both opens and reads b, and returns the error.
	both := func(t *testing.T, b []byte) (err error) {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		d, readErr := Read(bytes.NewReader(b))
		if (err == nil) != (readErr == nil) {
			t.Errorf("opened: %v; read: %v", err, readErr)
		}
		if err == nil {
			if diff := difference(f.Dataset, d); diff != "" {
				t.Error(diff)
			}
			f.Close()
		} else if !strings.HasPrefix(err.Error(), "open "+path+": ") {
			t.Errorf("%v does not name the file", err)
		}
		return err
	}
	named := &rank.Dataset{Cols: 2, Stride: 16, X: make([]float32, 16), Labels: []float64{1}, Offsets: []int{0, 1},
		QueryIDs: []string{"\xe9"}, Names: []string{"a", "caf!"}}
	latin := bytes.Replace(encode(named), []byte("caf!"), []byte("caf\xe9"), 1)
	const notUTF8 = `the name of feature 2 must be UTF-8, not "caf\xe9"`
	if err := both(t, latin); err == nil || !strings.Contains(err.Error(), notUTF8) {
		t.Errorf("a name in Latin-1: %v", err)
	}
	dense, csr := encode(full(30, 20)), encode(asSparse(full(30, 20)))
	for k, b := range [][]byte{dense, csr} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			for _, n := range []int{0, 1, 7, 8, 63, 64, 100, 4095, 4096, len(b) - 1} {
				if err := both(t, b[:n]); err == nil || n >= 8 && !strings.Contains(err.Error(), "truncated") {
					t.Errorf("%d of %d bytes: %v", n, len(b), err)
				}
			}
			if err := both(t, append(slices.Clone(b), 0)); err == nil {
				t.Error("a byte too many")
			}
			h, start, err := readHeader(bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			for i := range len(start) { // the checksum sees every change of a byte
				c := slices.Clone(b)
				c[i] ^= 0x10
				if _, err := Read(bytes.NewReader(c)); err == nil {
					t.Errorf("byte %d changed", i)
				}
			}
			// With the checksum made right: every count and every entry of the table.
			for at := 24; at < len(start); at += 4 {
				for _, v := range []uint32{0, 1, 2, 5, 64, 1 << 16, 1 << 31, math.MaxUint32} {
					c := slices.Clone(b)
					binary.LittleEndian.PutUint32(c[at:], v)
					if d, err := Read(bytes.NewReader(reseal(c))); err == nil && d.Rows() > len(b) {
						t.Errorf("%d rows in %d bytes", d.Rows(), len(b))
					}
				}
			}
			// And every number by which readers find their way.
			for _, s := range h.sections {
				wide := 8
				switch s.kind {
				case columns, textColumns:
					wide = 4
				case rowOffsets, queryOffsets, queryIDEnds, docIDEnds, nameEnds, listEnds, categoryEnds:
				default:
					continue
				}
				for k := 0; k < int(s.size); k += wide {
					for _, v := range []byte{0x00, 0x7f, 0x80, 0xff} {
						c := slices.Clone(b)
						at := int(s.offset) + k
						for i := range wide {
							c[at+i] = v
						}
						if bytes.Equal(c, b) || wide == 4 && v == 0 {
							continue
						}
						if _, err := Read(bytes.NewReader(c)); err == nil && v != 0 {
							t.Errorf("%v: number %d is taken for %x…", s.kind, k/wide, v)
						}
					}
				}
			}
		})
	}
	for _, c := range []struct {
		want   string
		change func(b []byte)
	}{
		{"version 2 is not supported; this release reads version 1", func(b []byte) { b[8] = 2 }},
		{"it has 20 sections, but at most 19", func(b []byte) { b[56] = 20 }},
		{"kind 20, which is unknown in version 1", func(b []byte) { b[64] = 20 }},
		{"two sections contain the dense features", func(b []byte) { b[64+24] = 1 }},
		{"is not a valid range in a file of", func(b []byte) { b[64+8+7] = 0x80 }},
		{"exceed the limits", func(b []byte) { b[24+7] = 0x80 }},
		{"absent values exceed the size of 30 rows × 20 columns", func(b []byte) { b[48+2] = 1 }},
		{"the dense features have 3840 bytes, which do not match 31 rows", func(b []byte) { b[24] = 31 }},
		{"the features are both dense and sparse", func(b []byte) { b[64+24*9] = 4 }},
		{"the section with the document ID texts is missing", func(b []byte) {
			copy(b[64+24*6:],
				b[64+24*7:64+24*16])
			b[56]--
		}},
		{"the section with the text columns is missing", func(b []byte) {
			copy(b[64+24*12:], b[64+24*13:64+24*16])
			b[56]--
		}},
		{`feature 2 (feature 1) has the text category "red" twice`, func(b []byte) {
			copy(b[bytes.Index(b, []byte("redgrün?")):], "redred")
			b[bytes.LastIndex(b, []byte{8, 0, 0, 0, 0, 0, 0, 0, 9})] = 6
		}},
		{"the text category of feature 2 (feature 1) must be UTF-8", func(b []byte) {
			b[bytes.Index(b, []byte("redgrün"))] = 0xff
		}},
	} {
		t.Run(c.want, func(t *testing.T) {
			b := slices.Clone(dense)
			c.change(b)
			if err := both(t, reseal(b)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
	if !IsData(dense[:8]) || IsData(dense[:7]) || IsData(nil) {
		t.Error("IsData")
	}
}

// TestMemoryLimit reads a data file up to the limit, compressed or not, from a reader of a known
// size or not.
func TestMemoryLimit(t *testing.T) {
	d := rank.NewDataset(3000, 20)
	d.Offsets, d.QueryIDs = []int{0, 3000}, []string{"q"}
	d.DocIDs = slices.Repeat([]string{"doc"}, d.Rows())
	var file bytes.Buffer
	if err := Write(&file, d); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(file.Bytes())
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	copied := int64(2*8*(d.Rows()+1) + 2*8 + 1)
	whole := int64(file.Len())
	for name, c := range map[string]struct {
		r    func() io.Reader
		held int64
	}{
		"buffer": {func() io.Reader { return bytes.NewReader(file.Bytes()) }, whole + copied},
		// Of a pipe, the last two buffers are held at once.
		"pipe": {func() io.Reader { return io.MultiReader(bytes.NewReader(file.Bytes())) }, whole + 4<<16},
		"gzip": {func() io.Reader { return bytes.NewReader(packed.Bytes()) }, whole + 4<<16},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(c.r(), rank.ReadOptions{MemoryLimit: c.held}); err != nil {
				t.Error(err)
			}
			option := (*rank.OptionError)(nil)
			_, err := Read(c.r(), rank.ReadOptions{MemoryLimit: c.held - 1})
			if !errors.As(err, &option) || option.Option != "MemoryLimit" {
				t.Errorf("one byte less: %v", err)
			}
		})
	}
}

// Data files cannot store preference pairs, so writing them is an error.
func TestPairs(t *testing.T) {
	d := rank.NewDataset(2, 1)
	d.Offsets, d.QueryIDs, d.Pairs = []int{0, 2}, []string{"a"}, []rank.Pair{{Better: 0, Worse: 1, Weight: 1}}
	const want = "Pairs of a dataset are not supported"
	if err := Write(io.Discard, d); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
