package fuzz

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// FuzzReadTable reads any input as a table. The result must be a valid dataset, or an error with a
// position in the text, and the same for any number of threads. The memory of a dataset must be
// proportional to the text. The values must agree with a parser built on encoding/csv and strconv.
func FuzzReadTable(f *testing.F) {
	f.Add([]byte("label,qid,bm25,\"a \"\"b\"\"\"\n2,q1,11.5,-0.25\n\n0,q1,,NaN\r\n1,q2,1e-3,12345678.5"), byte(0))
	f.Add([]byte("weight;position;doc;x;label;qid\n1;2;\"d\n;1\";7;0;a\n0.5;1;d2;1;1;b\n1;1;;1;1;a\n"), byte(4+8))
	f.Add([]byte("label;qid;x;y\n1;a;2,5;NA\nTrue;a;-999;\"1,25\"\n"), byte(8+64+128))
	f.Add([]byte("x\ty\n1\t2\n\"3\"\t4\n"), byte(1+2+16))
	f.Add([]byte("Label,QID,x\n1,a,99999999999999999999\n1,a,0x1p3\n"), byte(0))
	f.Fuzz(func(t *testing.T, input []byte, flags byte) {
		o := data.Options{Format: "csv", Unlabeled: flags&1 != 0, NoQueries: flags&2 != 0,
			GatherQueries: flags&4 != 0, Threads: 1,
			Delimiter: []byte{',', ';', '\t', ' '}[flags>>3&3]}
		switch {
		case flags&32 != 0:
			o.Groups = []int{1, int(flags >> 6)}
		default:
			if flags&64 != 0 {
				o.Decimal = ','
			}
			if flags&128 != 0 {
				o.Missing = []string{"NA", "-999"}
			}
		}
		packed := bytes.HasPrefix(input, []byte{0x1f, 0x8b})
		if packed {
			o.MemoryLimit = 1 << 24
		}
		d, err := readBounded(t, input, o)
		o.Threads = 3
		again, errAgain := data.Read(bytes.NewReader(input), o)
		if fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("one thread: %v\nthree: %v", err, errAgain)
		}
		if err != nil {
			var place *rank.ParseError
			lines := bytes.Split(input, []byte("\n"))
			if d != nil || !errors.As(err, &place) || place.Line < 1 || place.Column < 0 ||
				!packed && (place.Line > len(lines) || place.Column > len(lines[place.Line-1])+1) {
				t.Fatalf("dataset %v with the error %v", d, err)
			}
			return
		}
		if diff := letorDifference(d, again); diff != "" {
			t.Fatalf("one thread and three: %s", diff)
		}
		for i := range d.Rows() {
			if d.Line(i) != again.Line(i) {
				t.Fatalf("row %d is in line %d with one thread, and %d with three", i, d.Line(i), again.Line(i))
			}
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		if packed {
			return
		}
		if len(d.X) > 16*len(input) {
			t.Fatalf("%d values of %d bytes", len(d.X), len(input))
		}
		if bytes.IndexByte(input, '\r') < 0 && !o.GatherQueries { // encoding/csv converts \r\n in cells to \n
			checkTable(t, d, input, o)
		}
	})
}

// checkTable compares a dataset with the output of encoding/csv.
func checkTable(t *testing.T, d *rank.Dataset, input []byte, o data.Options) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(input, []byte("\xef\xbb\xbf"))))
	r.Comma = rune(o.Delimiter)
	records, err := r.ReadAll()
	if err != nil {
		t.Fatalf("accepted what encoding/csv does not: %v", err)
	}
	if len(records)-1 != d.Rows() {
		t.Fatalf("%d rows, want %d", d.Rows(), len(records)-1)
	}
	number := func(cell string, size int) float64 {
		if cell = string(bytes.TrimSpace([]byte(cell))); cell == "" || slices.Contains(o.Missing, cell) {
			return math.NaN()
		}
		switch cell {
		case "True", "TRUE", "true":
			return 1
		case "False", "FALSE", "false":
			return 0
		}
		if o.Decimal == ',' {
			if strings.Contains(cell, ".") {
				t.Fatalf("accepted %s", cell)
			}
			cell = strings.ReplaceAll(cell, ",", ".")
		}
		v, err := strconv.ParseFloat(cell, size)
		if err != nil && !strings.EqualFold(strings.Trim(cell, "+-"), "nan") {
			t.Fatal(err)
		}
		if err != nil {
			return math.NaN()
		}
		return v
	}
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
	for i, record := range records[1:] {
		feature := 0
		for c, cell := range record {
			name := strings.Trim(records[0][c], " \t")
			ok := true
			switch strings.ToLower(name) {
			case "label":
				ok = same(d.Labels[i], number(cell, 64))
			case "weight":
				ok = same(d.Weights[i], number(cell, 64))
			case "position":
				ok = float64(d.Positions[i]) == number(cell, 64)
			case "doc":
				ok = d.DocIDs[i] == cell || d.DocIDs[i] == "" && slices.Contains(o.Missing, strings.TrimSpace(cell))
			case "qid":
			default:
				ok = d.Names[feature] == name && same(float64(d.Row(i)[feature]), number(cell, 32))
				feature++
			}
			if !ok {
				t.Fatalf("row %d, %s: read something else than %q", i, name, cell)
			}
		}
	}
}

// FuzzSplitter splits any text. The concatenated chunks must be the text. Each chunk must end with
// a newline, and only the last one may end inside quotes. UTF-16 must be an error.
func FuzzSplitter(f *testing.F) {
	f.Add([]byte("a,\"b\n\"\"c\",d\ne\nf"), uint16(9))
	f.Add([]byte("\xef\xbb\xbf\"\n\n\"\n"), uint16(3))
	f.Add([]byte("\xff\xfea"), uint16(3))
	f.Fuzz(func(t *testing.T, input []byte, limit uint16) {
		s := &text.Splitter{R: bytes.NewReader(input), Size: 128 << 10, Limit: 3 + int(limit%500)}
		want, refused := text.Unmarked(input)
		var got, piece []byte
		for {
			quotes := bytes.Count(got, []byte{'"'})
			var err error
			if piece, err = s.Next(piece); refused != nil {
				if err == nil || err.Error() != refused.Error() {
					t.Fatalf("%v, want %v", err, refused)
				}
				return
			} else if err != nil {
				if err == io.EOF && len(want) > 0 && len(bytes.TrimSuffix(got, []byte("\n"))) < len(want)-1 ||
					err != io.EOF && !strings.Contains(err.Error(), "record is longer than") {
					t.Fatalf("%v after %q of %q", err, got, want)
				}
				return
			}
			if quotes%2 != 0 {
				t.Fatalf("a piece ends between quotes: %q of %q", got, want)
			}
			got = append(got, piece[:len(piece)-text.Slack]...)
			if got[len(got)-1] != '\n' || !bytes.HasPrefix(want, bytes.TrimSuffix(got, []byte("\n"))) {
				t.Fatalf("pieces %q of %q", got, want)
			}
		}
	})
}
