package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// indicators returns a file of rows × cols features and its dataset. All features are 0 except
// those of value.
func indicators(t *testing.T, rows, cols int, value func(row, col int) float32) ([]byte, *rank.Dataset) {
	t.Helper()
	group := peer.Group{"label": peer.Leaf(peer.Int32Type), "qid": peer.Leaf(peer.Int32Type)}
	for k := range cols {
		group[fmt.Sprintf("f%04d", k)] = peer.Encoded(peer.Leaf(peer.FloatType), &peer.RLEDictionary)
	}
	d := rank.NewDataset(rows, cols)
	var b bytes.Buffer
	w := peer.NewWriter(&b, peer.NewSchema("data", group), peer.Compression(&peer.Zstd), peer.PageBufferSize(4000),
		peer.MaxRowsPerRowGroup(int64(rows/3+1)))
	for i := range rows {
		var row peer.Row
		for k := range cols { // columns are sorted by name
			d.Row(i)[k] = value(i, k)
			row = append(row, peer.FloatValue(d.Row(i)[k]).Level(0, 0, k))
		}
		row = append(row, peer.Int32Value(1).Level(0, 0, cols), peer.Int32Value(7).Level(0, 0, cols+1))
		if _, err := w.WriteRows([]peer.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), d
}

// TestSparse reads features that are sparse, and features near the limit, with any number of
// threads. They must be sparse under the rule of all readers.
func TestSparse(t *testing.T) {
	const rows, cols = 4500, 90
	every := func(n int) func(int, int) float32 {
		return func(_, col int) float32 {
			if col%n == 0 {
				return 2
			}
			return 0
		}
	}
	for _, c := range []struct {
		name   string
		value  func(row, col int) float32
		sparse bool
	}{
		{"few", func(row, col int) float32 {
			switch (row*cols + col) % 1009 {
			case 0:
				return float32(row + 1)
			case 1:
				return float32(math.NaN())
			case 2:
				return float32(math.Copysign(0, -1))
			}
			return 0
		}, true},
		{"1 of 90", every(90), true},
		{"2 of 90", every(45), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, want := indicators(t, rows, cols, c.value)
			for _, threads := range []int{1, 3} {
				d, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if err := d.Validate(); err != nil || (d.Sparse != nil) != c.sparse {
					t.Errorf("sparse: %v, want %v; %v", d.Sparse != nil, c.sparse, err)
				}
				for i := range rows {
					for j, v := range d.AppendRow(nil, i)[:cols] {
						if w := want.Row(i)[j]; v != w && (v == v || w == w) {
							t.Fatalf("row %d, column %d: %v, want %v", i, j, v, w)
						}
					}
				}
				if c.sparse {
					if s := want.ToSparse().Sparse; !reflect.DeepEqual(d.Sparse.Offsets, s.Offsets) ||
						!reflect.DeepEqual(d.Sparse.Columns, s.Columns) {
						t.Error("other rows than of ToSparse")
					}
				}
			}
		})
	}
	b, _ := indicators(t, rows, cols, func(row, col int) float32 {
		if row >= 2000 && col > 70 {
			return float32(math.Inf(row%2*2 - 1))
		}
		return 0
	})
	if _, err := Read(bytes.NewReader(b), int64(len(b)), data.Options{}); err == nil ||
		!strings.Contains(err.Error(), "line 2001: column f0071: the value must not be infinite") {
		t.Error(err)
	}
}

// TestMemoryLimit reads data that requires up to the memory limit.
func TestMemoryLimit(t *testing.T) {
	const rows, cols = 3000, 120
	few, _ := indicators(t, rows, cols, func(row, col int) float32 { return float32(col / (cols - 1)) })
	dense, _ := indicators(t, rows, cols, func(row, col int) float32 { return 1 })
	for _, c := range []struct {
		name   string
		file   []byte
		needed int64
		err    string
	}{
		{"sparse", few, rows*(rowBytes+8) + queryBytes, "the features need at least 216192 bytes of memory, but the limit is 216191"},
		{"dense", dense, rows*(rowBytes+4*128) + queryBytes,
			"the features need at least 1728192 bytes of memory, but the limit is 1728191"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, less := range []int64{0, 1} {
				t.Run(fmt.Sprint(less), func(t *testing.T) {
					d, err := Read(bytes.NewReader(c.file), int64(len(c.file)),
						limited(c.needed-less))
					if less == 0 && (err != nil || d.Rows() != rows) {
						t.Error(err)
					}
					option := (*rank.OptionError)(nil)
					if less > 0 && (!errors.As(err, &option) || option.Option != "MemoryLimit" ||
						option.Err.Error() != c.err) {
						t.Errorf("%v, want %s", err, c.err)
					}
				})
			}
		})
	}
	if _, err := Read(bytes.NewReader(few), int64(len(few)), limited(1000)); err == nil ||
		!strings.Contains(err.Error(), "the rows need at least 192000 bytes of memory") {
		t.Error(err)
	}
	// Texts count with their uncompressed size.
	type row struct {
		Label float64 `parquet:"label"`
		QID   string  `parquet:"qid,zstd"`
		X     float64 `parquet:"x"`
	}
	long := strings.Repeat("query", 100_000)
	texts := writeRows(t, []row{{1, long, 1}, {1, long, 1}, {0, long, 2}, {2, long, 3}}, peer.PageBufferSize(1<<22))
	for _, limit := range []int64{0, 1 << 20} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			d, err := Read(bytes.NewReader(texts), int64(len(texts)), limited(limit))
			if limit == 0 && (err != nil || d.QueryIDs[0] != long) {
				t.Errorf("%d bytes: %v", len(texts), err)
			} else if limit > 0 && !errors.As(err, new(*rank.OptionError)) {
				t.Errorf("texts beyond the limit: %v", err)
			}
		})
	}
}

// limited returns options with a memory limit.
func limited(bytes int64) data.Options {
	return data.Options{ReadOptions: rank.ReadOptions{MemoryLimit: bytes}}
}
