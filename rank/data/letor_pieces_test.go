package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// join reads all pieces of about so many bytes, and checks that queries are whole.
func join(o *reader, r io.Reader, size int) (all *rank.Dataset, pieces int, err error) {
	var list []*rank.Dataset
	for d, err := range o.pieces(r, "", size) {
		if err != nil {
			return nil, len(list), err
		}
		list = append(list, d)
	}
	all = rank.Concat(list...)
	all.DocIDs = nil
	for _, d := range list {
		if d.DocIDs != nil {
			all.DocIDs = make([]string, all.Rows())
		}
	}
	row := 0
	for _, d := range list {
		for i := range d.Rows() {
			if d.Line(i) != all.Line(row+i) {
				return nil, 0, fmt.Errorf("line %d of a piece is line %d of all", d.Line(i), all.Line(row+i))
			}
		}
		copy(all.DocIDs[min(row, len(all.DocIDs)):], d.DocIDs)
		row += d.Rows()
	}
	if o.NoQueries {
		all.Offsets, all.QueryIDs = []int{0, all.Rows()}, all.QueryIDs[:1]
	}
	return all, len(list), nil
}

// loadPieces reads a file in pieces.
func loadPieces(path string, o Options) iter.Seq2[*rank.Dataset, error] {
	return func(yield func(*rank.Dataset, error) bool) {
		in, err := Open(path, o)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		in.Pieces()(yield)
	}
}

// TestPieces reads texts whole and in pieces of every size: datasets and errors are the same.
func TestPieces(t *testing.T) {
	var text strings.Builder
	if err := WriteLETOR(&text, synth.Config{Seed: 1, Rows: 300, Cols: 5, MaxDocs: 20}.Dataset()); err != nil {
		t.Fatal(err)
	}
	long := text.String()
	packed := bytes.NewBufferString(testkit.Gzip(long))
	for _, c := range []struct {
		name, text string
		opts       *Options
	}{
		{"many queries", long, nil},
		{"compressed", packed.String(), nil},
		{"cut short", packed.String()[:packed.Len()-50], nil},
		{"no end", strings.TrimSuffix(long, "\n"), nil},
		{"byte order mark, blanks and comments",
			"\xef\xbb\xbf# start\n\n1  qid:a\t1:1#x\r\n \r\n2 qid:a 2:2\n#\n3 qid:b 1:1\n0 qid:c\n\n# end\n", nil},
		{"a mark later", "1 qid:a 1:1\n\xef\xbb\xbf2 qid:b 1:1\n", nil},
		{"gzip's magic later", "1 qid:a 1:1\n\x1f\x8b qid:b 1:1\n", nil},
		{"one query", strings.Repeat("1 qid:a 1:1\n", 50), nil},
		{"empty", "", nil},
		{"comments alone", "#\n#\n", nil},
		{"a query that begins again", "1 qid:a 1:1\n2 qid:b 1:1\n\n3 qid:c 1:1\n2 qid:a 3:1\n", nil},
		{"one that begins again at once", "1 qid:a 1:1\n2 qid:b 1:1\n2 qid:a 3:1\n", nil},
		{"gathered", "1 qid:a 1:1\n2 qid:b 1:1\n2 qid:a 3:1\n", &Options{GatherQueries: true}},
		{"scattered to score", "1 qid:a 1:1\n2 qid:b 1:1\n2 qid:a 3:1\n", &Options{NoQueries: true}},
		{"comments, to score", "#\n#\n1 1:1\n#\n2 1:1\n#\n#\n", &Options{NoQueries: true}},
		{"comments alone, to score", "#\n#\n", &Options{NoQueries: true}},
		{"a wrong value to score", "1 1:1\n#\n2 1:x\n", &Options{NoQueries: true}},
		{"rows to score", long, &Options{NoQueries: true}},
		{"no qid", "1 1:1\n", nil},
		{"a late row without qid", "1 qid:a 1:1\n2 qid:b 1:1\n2 3:1\n3 qid:d 1:x\n", nil},
		{"a wrong value", "1 qid:a 1:1\n2 qid:b 1:1\n2 qid:c 3:x\n3 qid:d 1:x\n", nil},
		{"an index too many", "1 qid:a 1:1\n2 qid:b 1:1\n2 qid:c 9:1\n3 qid:d 1:1\n", &Options{Columns: 5}},
		{"no labels", "qid:a 1:1\nqid:a 1:1\n7 qid:b 1:1\nqid:c 1:1\nqid:c 2:1\n", &Options{Unlabeled: true}},
		{"a long line", "1 qid:a 1:1\n2 qid:b 1:1\n3 qid:c " + strings.Repeat(" ", 400) + "\n",
			&Options{MaxLineLength: 100}},
		{"a long last line", "1 qid:a 1:1\n2 qid:b 1:1\n3 qid:c " + strings.Repeat(" ", 400),
			&Options{MaxLineLength: 100}},
		{"groups", "1 1:1\n\n2 1:1\n#\n2 2:1\n3 1:1\n4 1:4\n1 1:1\n# end\n", &Options{Groups: []int{1, 2, 1, 2}}},
		{"groups and too few rows", "1 1:1\n2 1:1\n2 2:1\n", &Options{Groups: []int{1, 1, 5}}},
		{"groups and a group too many", "1 1:1\n2 1:1\n2 2:1\n", &Options{Groups: []int{1, 1, 1, 1}}},
		{"groups and a qid", "1 1:1\n2 1:1\n2 qid:2 2:1\n", &Options{Groups: []int{1, 1, 1}}},
		{"document ids", "1 qid:a 1:1 # docid = x\n2 qid:b 1:1 # docid = y\n3 qid:c 1:1\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, wantErr := Read(strings.NewReader(c.text), given(c.opts))
			most := 0
			for _, size := range []int{1, 7, 20, 33, 200, 1000, 1 << 20} {
				for _, r := range []io.Reader{strings.NewReader(c.text), iotest.HalfReader(strings.NewReader(c.text))} {
					got, n, err := join(newLETOR(given(c.opts)), r, size)
					if fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Fatalf("pieces of %d bytes: %v\nwhole: %v", size, err, wantErr)
					}
					if err != nil {
						continue
					}
					most = max(most, n)
					if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // labels may be NaN
						t.Fatalf("pieces of %d bytes: %+v\nwhole: %+v", size, got, want)
					}
				}
			}
			if c.text == long && most < 10 {
				t.Errorf("%d pieces at most", most)
			}
		})
	}
	for _, c := range []struct {
		groups []int
		want   string
	}{{[]int{1, 1}, "but the group sizes add up to 2"}, {[]int{1, -1, 3}, "query 2 is -1; it must be positive"},
		{[]int{1, 1, math.MaxInt, math.MaxInt, 4}, "but the group sizes up to query 3 add up to more than "}} {
		t.Run(c.want, func(t *testing.T) {
			o := newLETOR(Options{Groups: c.groups})
			if _, _, err := join(o, strings.NewReader("1 1:1\n2 1:1\n3 1:1\n4 1:1\n"), 8); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	broken := errors.New("broken")
	_, n, err := join(newLETOR(Options{}), io.MultiReader(strings.NewReader(long), iotest.ErrReader(broken)), 1000)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "line 301: read error") || n == 0 {
		t.Errorf("%v after %d pieces", err, n)
	}
}

func TestProgress(t *testing.T) {
	path := testkit.DataPath(t, "mq2008-fold1/train.txt.gz")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			calls := testkit.NewProgress(t)
			o := Options{Progress: calls.Report, Threads: threads}
			if _, err := Load(path, o); err != nil || calls.Total != info.Size() {
				t.Errorf("total %d, want %d; %v", calls.Total, info.Size(), err)
			}
			calls.Check(5)
			calls = testkit.NewProgress(t)
			o.Progress = calls.Report
			for range loadPieces(path, o) {
			}
			if calls.Check(1); calls.Total != info.Size() {
				t.Errorf("pieces: total %d, want %d", calls.Total, info.Size())
			}
			calls = testkit.NewProgress(t)
			table := "label,x\n" + strings.Repeat("1,2\n", 1<<17)
			if _, err := Read(strings.NewReader(table),
				Options{Format: "csv", NoQueries: true, Threads: threads, Progress: calls.Report}); err != nil {
				t.Error(err)
			}
			calls.Check(4)
		})
	}
}

// Two reads of a text, of which the second knows the queries' sizes, are one in progress.
func TestProgressAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	text := strings.Repeat("# a comment\n", 1<<14) + strings.Repeat("1 1:1\n", 1<<15)
	for name, content := range map[string]string{path: text, path + ".query": fmt.Sprint(1 << 15)} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	calls := testkit.NewProgress(t)
	if _, err := Load(path, Options{Threads: 1, Progress: calls.Report}); err != nil {
		t.Error(err)
	}
	calls.Check(2)
}

// TestLoadPieces reads files with the sizes of queries beside them.
func TestLoadPieces(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("sized.query", "2\n1\n")
	write("wrong.group", "x\n")
	for _, path := range []string{write("named", "1 qid:a 1:1\n2 qid:b 1:1\n"), write("sized", "1 1:1\n2 1:1\n3 1:1\n"),
		write("wrong", "1 1:1\n"), write("alone", "1 1:1\n"), filepath.Join(dir, "none")} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want, wantErr := Load(path, Options{})
			var got *rank.Dataset
			var err error
			n := 0
			for got, err = range loadPieces(path, Options{}) {
				n++
			}
			if n != 1 || fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
				t.Errorf("%d pieces, %+v, %v\nwhole: %+v, %v", n, got, err, want, wantErr)
			}
			for range loadPieces(path, Options{}) {
				break
			}
		})
	}
}

// TestPiecesOfRealData reads MQ2008 in pieces.
func TestPiecesOfRealData(t *testing.T) {
	path := testkit.DataPath(t, "mq2008-fold1/train.txt.gz")
	want, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, n, err := join(newLETOR(Options{}), f, 100_000)
	if err != nil || n < 10 {
		t.Fatal(n, err)
	}
	want.File = ""
	if !reflect.DeepEqual(got, want) {
		t.Error("pieces hold other data")
	}
}

// The space for a chunk does not depend on whether the text is compressed.
func TestPiecesReserve(t *testing.T) {
	text := "1 qid:a 1:1\n2 qid:b 1:1\n"
	reserved := func(content string) int {
		n := 0
		for d, err := range newLETOR(Options{}).pieces(strings.NewReader(content), "", 16<<20) {
			if err != nil {
				t.Fatal(err)
			}
			n += cap(d.Labels)
		}
		return n
	}
	if plain, packed := reserved(text), reserved(testkit.Gzip(text)); packed > plain {
		t.Errorf("%d rows are reserved for compressed text, and %d for plain text", packed, plain)
	}
}
