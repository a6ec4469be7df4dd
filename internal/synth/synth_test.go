package synth

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// hash covers every bit of a dataset that the generator decides.
func hash(d *rank.Dataset) uint64 {
	h := fnv.New64a()
	var b []byte
	for _, v := range d.X {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	for _, v := range d.Labels {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, o := range d.Offsets {
		b = binary.LittleEndian.AppendUint64(b, uint64(o))
	}
	h.Write(b)
	return h.Sum64()
}

func TestBits(t *testing.T) {
	for _, c := range []struct {
		name   string
		config Config
		want   uint64
	}{
		{"default", Config{Seed: 1, Rows: 3000, Cols: 13}, 0x3441e93c725304a8},
		{"part", Config{Seed: 1, Part: 1, Rows: 3000, Cols: 13}, 0x4f362bcbf2aff936},
		{"unscaled", Config{Seed: 1, Rows: 500, Cols: 46, Unscaled: true}, 0xf065cfb318b7bfde},
		{"sparse", Config{Seed: 2, Rows: 500, Cols: 300, Density: .25}, 0xdb6cdc1023f264ca},
		{"one query", OneQuery(3, 2000, 12), 0x6107d4dd59b10894},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.config.Dataset()
			if err := d.Validate(); err != nil {
				t.Error(err)
			}
			if got := hash(d); got != c.want {
				t.Errorf("hash %#x, want %#x", got, c.want)
			}
		})
	}
}

func TestGrades(t *testing.T) {
	d := Config{Seed: 1, Rows: 50_000, Cols: 10}.Dataset()
	var count [5]float64
	for _, y := range d.Labels {
		count[int(y)]++
	}
	for g, want := range []float64{.52, .32, .13, .02, .01} {
		if got := count[g] / 50_000; math.Abs(got-want) > .01 {
			t.Errorf("share of grade %d is %.3f, want %.2f", g, got, want)
		}
	}
	for q := range d.Queries() - 1 {
		if lo, hi := d.Query(q); hi-lo < 10 || hi-lo > 200 {
			t.Errorf("query %d has %d documents, want 10 to 200", q, hi-lo)
		}
	}
}

func TestOneQuery(t *testing.T) {
	d := OneQuery(1, 20_000, 12).Dataset()
	if d.Queries() != 1 || d.Rows() != 20_000 {
		t.Fatalf("%d queries, %d rows", d.Queries(), d.Rows())
	}
	seen := map[float64]bool{}
	for i, y := range d.Labels {
		if seen[y] {
			t.Fatalf("row %d repeats the target %v", i, y)
		}
		seen[y] = true
	}
}

func TestDensity(t *testing.T) {
	d := Config{Seed: 1, Rows: 1000, Cols: 100, Density: .1}.Dataset()
	var n float64
	for _, v := range d.X {
		if v != 0 {
			n++
		}
	}
	if share := n / 100_000; math.Abs(share-.1) > .01 {
		t.Errorf("%.3f of the features are not zero, want .1", share)
	}
}

// Sparse features are those of the dense dataset.
func TestSparse(t *testing.T) {
	c := Config{Seed: 1, Rows: 300, Cols: 40, Density: .1}
	dense := c.Dataset()
	c.Sparse = true
	sparse := c.Dataset()
	for i := range c.Rows {
		row := make([]float32, c.Cols)
		for k := sparse.Sparse.Offsets[i]; k < sparse.Sparse.Offsets[i+1]; k++ {
			row[sparse.Sparse.Columns[k]] = sparse.Sparse.Values[k]
		}
		if !slices.Equal(row, dense.Row(i)) {
			t.Fatalf("row %d is %v, dense %v", i, row, dense.Row(i))
		}
	}
	if !slices.Equal(sparse.Labels, dense.Labels) {
		t.Error("labels differ")
	}
}

func TestWords(t *testing.T) {
	d := Words{Seed: 1, Rows: 300, Cols: 5000}.Dataset()
	if err := d.Validate(); err != nil {
		t.Fatal(err)
	}
	x := d.Sparse
	if n := len(x.Values); d.Rows() != 300 || d.Queries() != 3 || n < 300*70 || n > 300*100 {
		t.Errorf("%d rows, %d queries, %d values", d.Rows(), d.Queries(), n)
	}
	h := hash(d)
	for k, v := range x.Values {
		h = h*31 + uint64(x.Columns[k])<<32 + uint64(math.Float32bits(v))
	}
	if want := uint64(0xdb9e2a2c052555eb); h != want {
		t.Errorf("hash %#x, want %#x", h, want)
	}
}
