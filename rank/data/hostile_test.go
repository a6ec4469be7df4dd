package data

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// generated returns a reader of what next returns for 0, 1 and so on, which never ends.
func generated(next func(n int) string) io.Reader { return &generator{next: next} }

type generator struct {
	next func(n int) string
	n    int
	rest string
}

func (r *generator) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.rest == "" {
			r.rest = r.next(r.n)
			r.n++
		}
		k := copy(p[n:], r.rest)
		n, r.rest = n+k, r.rest[k:]
	}
	return n, nil
}

// repeated returns a reader of a start, and then of a text that is repeated without an end.
func repeated(start, text string) func() io.Reader {
	text = strings.Repeat(text, max(4096/len(text), 1))
	return func() io.Reader {
		return io.MultiReader(strings.NewReader(start), generated(func(int) string { return text }))
	}
}

// numbered returns a reader of a start, and then of numbers between two texts, without an end.
func numbered(start, before, after string) func() io.Reader {
	return func() io.Reader {
		return io.MultiReader(strings.NewReader(start),
			generated(func(n int) string { return fmt.Sprint(before, n, after) }))
	}
}

// bomb returns a compressed text that repeats another.
func bomb(start, text string, size int) func() io.Reader {
	return func() io.Reader {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, start)
		io.CopyN(z, repeated("", text)(), int64(size))
		z.Close()
		return bytes.NewReader(b.Bytes())
	}
}

// headerOf returns the start of a data file of so many rows without its features.
func headerOf(rows int) string {
	d := rank.NewDataset(0, 16)
	d.Labels, d.X = make([]float64, rows), make([]float32, 16*rows)
	d.Offsets, d.QueryIDs = []int{0, rows}, []string{"q"}
	var b bytes.Buffer
	datafile.Write(&b, d)
	return string(b.Bytes()[:4096])
}

// TestHostile reads data that are made to cost much: of every format a size that is declared, a
// compressed bomb, content without an end, and a huge width. Everything that is allocated counts,
// which is more than the memory at any time, and may be 64 MiB and four times the limit.
func TestHostile(t *testing.T) {
	testkit.SkipShort64(t)
	const limit, many = 32 << 20, 64 << 20
	const full = "bytes of memory, but the limit is 33554432"
	const long = "lines of more than 524288 bytes need"
	csv, letor := Options{Format: "csv"}, Options{}
	rows := headerOf(2 << 20)
	for _, c := range []struct {
		name    string
		options Options
		r       func() io.Reader
		want    string // the error; "" for none
	}{
		{"letor: rows without an end", letor, repeated("", "1 qid:1 1:1\n"), "the features need"},
		{"letor: wide rows", letor, repeated("1 qid:1 4000:1\n", "1 qid:1 1:1\n"), full},
		{"letor: queries without an end", letor, numbered("", "1 qid:", " 1:1\n"), full},
		{"letor: scattered queries", Options{GatherQueries: true}, numbered("", "1 qid:", " 1:1\n"), full},
		{"letor: rows between comments", letor, repeated("", "1 qid:1\n#\n"), full},
		{"letor: documents", letor, numbered("", "1 qid:1 #docid=", "\n"), full},
		{"letor: a line without an end", letor, repeated("1 qid:1", " "), long},
		{"letor: features without an end", letor, numbered("1 qid:1", " 1", ":1"), long},
		{"letor: zeros", letor, repeated("", "\x00"), long},
		{"letor: text without qid", letor, repeated("", "1 1:1\n"), "the rows have no qid"},
		{"letor: a bomb of rows", letor, bomb("", "1 qid:1 1:1\n", many), full},
		{"letor: a bomb of comments", letor, bomb("", "# comment\n", many), "the file contains no documents"},
		{"letor: a bomb of a line", letor, bomb("", "#", many), long},
		{"letor: a bomb without qid", letor, bomb("", "1 1:1\n", many), "the rows have no qid"},
		{"letor: a huge width", letor, bomb("", "1 qid:1 16777216:1\n", 19), ""},
		{"letor: too many columns", Options{Columns: 1<<27 + 1}, repeated("", "1 qid:1\n"),
			"134217729 columns exceed the limit of 134217728"},
		{"letor: many columns", Options{Columns: 1 << 27}, bomb("", "1 qid:1\n", 8), ""},
		{"csv: rows without an end", csv, repeated("label,qid,x\n", "1,1,1\n"), full},
		{"csv: queries without an end", csv, numbered("label,qid,x\n", "1,", ",1\n"), full},
		{"csv: columns without an end", csv, numbered("", "x", ","), long},
		{"csv: many columns", csv, bomb("", ",", 400_000), "the columns need"},
		{"csv: a cell without an end", csv, repeated("\"", "x"), long},
		{"csv: zeros", csv, repeated("", "\x00"), long},
		{"csv: a bomb of rows", csv, bomb("label,qid,x\n", "1,1,1\n", many), full},
		{"csv: a bomb of empty lines", csv, bomb("label,qid,x\n", "\n", many), "the file contains no documents"},
		{"simdrank: a declared size", letor, bomb(rows, "\x00", 1), "the file is truncated: it contains 4097 of"},
		{"simdrank: content without an end", letor, repeated(rows, "\x00"), "the data need"},
		{"simdrank: a bomb", letor, bomb(rows, "\x00", many), "the data need"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.options
			o.MemoryLimit, o.Threads = limit, 2
			r := c.r()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(r, o)
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 4*limit+1<<26 {
				t.Errorf("%d bytes allocated: %v", got, err)
			}
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestHostilePieces reads text in pieces, which are all that is held.
func TestHostilePieces(t *testing.T) {
	testkit.SkipShort64(t)
	const limit = 32 << 20
	for _, c := range []struct {
		name    string
		options Options
		r       func() io.Reader
		pieces  int // after which the test ends, if it comes so far
		want    string
	}{
		{"one query without an end", Options{}, repeated("", "1 qid:1 1:1\n"), 1, "the features need"},
		{"queries without an end", Options{}, numbered("", "1 qid:", " 1:1\n"), 8, ""},
		{"rows to score without an end", Options{NoQueries: true}, repeated("", "1 1:1\n"), 50, ""},
		{"groups without an end", Options{Groups: slices.Repeat([]int{100}, 100_000)}, repeated("", "1 1:1\n"), 50, ""},
		{"rows beyond the groups", Options{Groups: []int{1, 1}}, repeated("", "1 1:1\n"), 1,
			"the group sizes add up to 2"},
		{"text without qid", Options{}, repeated("", "1 1:1\n"), 1, "the rows have no qid"},
		{"zeros", Options{}, repeated("", "\x00"), 1, "lines of more than 524288 bytes need"},
		{"a wrong line", Options{}, repeated("x", "1 qid:1 1:1\n"), 1, "the label is not a number"},
		{"a bomb of comments", Options{}, bomb("", "# comment\n", 64<<20), 1, "the file contains no documents"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.options
			o.MemoryLimit, o.Threads = limit, 2
			in, err := NewInput(c.r(), o)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			var d *rank.Dataset
			for d, err = range in.Pieces() {
				if n++; err != nil || n == c.pieces {
					break
				}
				if n%10 == 0 {
					var now runtime.MemStats
					runtime.GC()
					if runtime.ReadMemStats(&now); now.HeapAlloc > limit+1<<26 {
						t.Fatalf("%d bytes held after %d pieces", now.HeapAlloc, n)
					}
				}
			}
			runtime.KeepAlive(d)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("after %d pieces: %v, want %s", n, err, c.want)
			}
		})
	}
}
