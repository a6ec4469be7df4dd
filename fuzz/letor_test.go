package fuzz

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// letorDifference describes the first difference between two datasets, or returns "" if they are
// bit-identical.
func letorDifference(a, b *rank.Dataset) string {
	bits32 := func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }
	bits64 := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	switch {
	case a.Cols != b.Cols || a.Stride != b.Stride:
		return fmt.Sprintf("columns %d and %d", a.Cols, b.Cols)
	case !slices.EqualFunc(a.X, b.X, bits32):
		return fmt.Sprintf("features %v and %v", a.X, b.X)
	case (a.Sparse == nil) != (b.Sparse == nil):
		return fmt.Sprintf("sparse features %v and %v", a.Sparse, b.Sparse)
	case a.Sparse != nil && (!slices.Equal(a.Sparse.Offsets, b.Sparse.Offsets) ||
		!slices.Equal(a.Sparse.Columns, b.Sparse.Columns) ||
		!slices.EqualFunc(a.Sparse.Values, b.Sparse.Values, bits32)):
		return fmt.Sprintf("sparse features %v and %v", *a.Sparse, *b.Sparse)
	case !slices.EqualFunc(a.Labels, b.Labels, bits64):
		return fmt.Sprintf("labels %v and %v", a.Labels, b.Labels)
	case !slices.Equal(a.Offsets, b.Offsets) || !slices.Equal(a.QueryIDs, b.QueryIDs):
		return fmt.Sprintf("queries %q from %v and %q from %v", a.QueryIDs, a.Offsets, b.QueryIDs, b.Offsets)
	case !slices.Equal(a.DocIDs, b.DocIDs):
		return fmt.Sprintf("documents %q and %q", a.DocIDs, b.DocIDs)
	}
	return ""
}

// simpleLETOR parses text that ReadLETOR accepted with the standard library, without document IDs
// and in file order.
func simpleLETOR(text string, base, cols int) (*rank.Dataset, error) {
	type feature struct {
		column int
		value  float32
	}
	var rows [][]feature
	d := new(rank.Dataset)
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), "#")
		fields := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(fields) == 0 {
			continue
		}
		label, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			return nil, err
		}
		qid, found := strings.CutPrefix(fields[1], "qid:")
		if !found {
			return nil, errors.New("no qid")
		}
		if n := len(d.QueryIDs); n == 0 || d.QueryIDs[n-1] != qid {
			d.QueryIDs = append(d.QueryIDs, qid)
			d.Offsets = append(d.Offsets, len(rows))
		}
		var row []feature
		for _, field := range fields[2:] {
			index, value, _ := strings.Cut(field, ":")
			j, err := strconv.Atoi(index)
			if err != nil {
				return nil, err
			}
			v, err := strconv.ParseFloat(value, 32)
			if err != nil {
				return nil, err
			}
			row = append(row, feature{j - base, float32(v)})
			cols = max(cols, j-base+1)
		}
		d.Labels = append(d.Labels, label)
		rows = append(rows, row)
	}
	out := rank.NewDataset(len(rows), cols)
	out.Labels, out.QueryIDs, out.Offsets = d.Labels, d.QueryIDs, append(d.Offsets, len(rows))
	for i, row := range rows {
		for _, f := range row {
			out.Row(i)[f.column] = f.value
		}
	}
	return out, nil
}

// readBounded reads data and checks that allocations are proportional to the input: at most 256
// bytes per byte, plus 64 MiB, which exceeds the limit for compressed data.
func readBounded(t *testing.T, input []byte, o data.Options) (*rank.Dataset, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := data.Read(bytes.NewReader(input), o)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<26+256*uint64(len(input)) {
		t.Fatalf("%d bytes of memory for %d of input", n, len(input))
	}
	return d, err
}

// FuzzReadLETOR reads any input. Reading must return a valid dataset, or an error with a position
// in the text, and its memory must be bounded. The result must be the same for any number of
// threads and any split of the text into parts (limited by MaxLineLength). It must agree with a
// simple parser, and be bit-identical after WriteLETOR and Read.
func FuzzReadLETOR(f *testing.F) {
	f.Add([]byte("2 qid:10 1:0.5 2:-1.25 # docid = GX1 inc = 1\r\n0 qid:10 2:3\n\n# x\n1 qid:9 1:1e-3 4:12345678\n"),
		byte(0), uint16(60))
	f.Add([]byte("1 qid:a 0:1 2:NULL\n1 qid:b 0:inf 1:nan\n3 qid:a 7:0.123456789"), byte(15), uint16(20))
	f.Add([]byte("1 1:1\n2 1:2\n"), byte(32), uint16(10))
	f.Add([]byte("1:1\nqid:a 2:2\n3 qid:b 1:3\n4\n"), byte(64+128), uint16(10))
	f.Add([]byte("1 qid:a 3:-0 700:1\n1 qid:a 5:0 7:2\n1 qid:a\n3 qid:b 4:9 900:0\n"), byte(0), uint16(20))
	f.Fuzz(func(t *testing.T, text []byte, flags byte, size uint16) {
		o := data.Options{MaxFeature: 5000, MaxValues: 1 << 20, Threads: 1}
		var base, cols int
		if flags&1 != 0 {
			o.ZeroBased = true
		} else {
			base = 1
		}
		gather, finite, null := flags&2 != 0, flags&4 == 0, flags&8 != 0
		if gather {
			o.GatherQueries = true
		}
		if !finite {
			o.AllowNonFinite = true
		}
		if null {
			o.NullAs = new(float32)
			*o.NullAs = -1
		}
		if flags&16 != 0 {
			cols = 1 + int(size%50)
			o.Columns = cols
		}
		groups := flags&32 != 0
		if groups {
			o.Groups = []int{1, 2 + int(size%3)}
		}
		toScore := flags&(64+128) != 0
		if flags&64 != 0 {
			o.Unlabeled = true
		}
		if flags&128 != 0 {
			o.NoQueries = true
		}

		packed := bytes.HasPrefix(text, []byte{0x1f, 0x8b})
		if packed {
			o.MemoryLimit = 1 << 24
		}
		d, err := readBounded(t, text, o)
		lines := bytes.Split(text, []byte("\n"))
		if err != nil {
			var perr *rank.ParseError
			if d != nil || !errors.As(err, &perr) || perr.Line < 1 || perr.Column < 0 {
				t.Fatalf("dataset %v with the error %v", d, err)
			}
			if !packed && (perr.Line > len(lines) || perr.Column > len(lines[perr.Line-1])+1) {
				t.Fatalf("no such place: %v", err)
			}
		}

		// Use small parts and several threads.
		limit := 1 + int(size%300)
		longest := slices.MaxFunc(lines, func(a, b []byte) int { return len(a) - len(b) })
		limited := o
		limited.MaxLineLength = limit
		parts, partsErr := data.Read(bytes.NewReader(text), limited)
		limited.Threads = 3
		threads, threadsErr := data.Read(bytes.NewReader(text), limited)
		if fmt.Sprint(partsErr) != fmt.Sprint(threadsErr) {
			t.Fatalf("one thread: %v\nthree: %v", partsErr, threadsErr)
		}
		if packed && errors.As(cmp.Or(err, partsErr), new(*rank.OptionError)) {
			return // with more parts, the amounts held at once differ
		}
		if !packed && len(longest) <= limit && limit > 3 && fmt.Sprint(partsErr) != fmt.Sprint(err) {
			t.Fatalf("one part: %v\nmany: %v", err, partsErr)
		}
		if partsErr == nil {
			if diff := letorDifference(parts, threads); diff != "" {
				t.Fatalf("one thread and three: %s", diff)
			}
			if err != nil {
				t.Fatalf("one part: %v\nmany: no error", err)
			}
			if diff := letorDifference(d, parts); diff != "" {
				t.Fatalf("one part and many: %s", diff)
			}
		}
		if err != nil {
			return
		}

		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := data.WriteLETOR(&again, d); err != nil {
			t.Fatalf("cannot write what was read: %v", err)
		}
		d2, err := data.Read(&again, data.Options{AllowNonFinite: true, MaxValues: 1 << 20})
		if err != nil {
			t.Fatalf("cannot read what was written: %v", err)
		}
		if diff := letorDifference(d, d2); diff != "" {
			t.Fatalf("read, and written and read again: %s", diff)
		}
		if !packed && !gather && finite && !null && !groups && !toScore {
			simple, err := simpleLETOR(string(text), base, cols)
			if err != nil {
				t.Fatalf("accepted text that a simple reader does not: %v", err)
			}
			simple.DocIDs = d.DocIDs
			if d.Sparse != nil {
				simple = simple.ToSparse()
			}
			if diff := letorDifference(d, simple); diff != "" {
				t.Fatalf("read, and read by simple means: %s", diff)
			}
		}
	})
}

// FuzzDecimal compares feature values with strconv.ParseFloat's bits.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"0.123456", "-12345678901234567890e-10", "3.4028236e38", "1.1754943e-38", "33554433",
		".5", "5.", "1e5", "0.1234567", "16777217.000000000000000001"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Trim(text, "0123456789.eE+-") != "" {
			return
		}
		want, wantErr := strconv.ParseFloat(text, 32)
		d, err := data.Read(strings.NewReader("0 qid:0 1:"+text+" 2:7"), data.Options{Threads: 1})
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, strconv %v", text, err, wantErr)
		}
		if err == nil && (math.Float32bits(d.X[0]) != math.Float32bits(float32(want)) || d.X[1] != 7) {
			t.Fatalf("%q: read %v, want %v", text, d.Row(0), want)
		}
	})
}
