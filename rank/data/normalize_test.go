package data

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
)

func TestNormalize(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		by         string
		from, want []float32 // of one column of one query
	}{
		{"sum", []float32{1, -3, 0, 4}, []float32{.125, -.375, 0, .5}},
		{"sum", []float32{0, 0}, []float32{0, 0}},
		{"sum", []float32{1, nan, 3}, []float32{.25, nan, .75}},
		{"sum", []float32{nan, nan}, []float32{nan, nan}},
		{"sum", []float32{3e38, 3e38, -1e-45}, []float32{.5, .5, 0}}, // and not −0
		{"zscore", []float32{1, 2, 3}, []float32{-1, 0, 1}},
		{"zscore", []float32{2, 0, 0, 2}, []float32{.8660254, -.8660254, -.8660254, .8660254}},
		{"zscore", []float32{.1, .1, .1}, []float32{.1, .1, .1}}, // whose mean is not .1
		{"zscore", []float32{5}, []float32{5}},
		{"zscore", []float32{nan, 0, nan}, []float32{nan, 0, nan}},
		{"zscore", []float32{nan, 1, 2, 3}, []float32{nan, -1, 0, 1}},
		{"linear", []float32{1, 2, 5}, []float32{0, .25, 1}},
		{"linear", []float32{0, 2, 8}, []float32{0, .25, 1}},
		{"linear", []float32{-2, 0, 2}, []float32{0, .5, 1}},
		{"linear", []float32{-4, -2, -3}, []float32{0, 1, .5}},
		{"linear", []float32{7, 7}, []float32{0, 0}},
		{"linear", []float32{nan, 1, 3}, []float32{nan, 0, 1}},
		{"linear", []float32{nan, nan}, []float32{nan, nan}},
	} {
		t.Run(fmt.Sprint(c.by, " ", c.from), func(t *testing.T) {
			// Another query before it and another column beside it must make no difference.
			d := rank.NewDataset(2+len(c.from), 3)
			d.Offsets, d.QueryIDs = []int{0, 2, 2 + len(c.from)}, []string{"a", "b"}
			copy(d.Row(0), []float32{9, 9, 9})
			for i, v := range c.from {
				copy(d.Row(2+i), []float32{0, v, float32(i % 2)})
			}
			for _, d := range []*rank.Dataset{d, d.ToSparse()} {
				n, err := Normalize(d, c.by)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range c.want {
					got := n.AppendRow(nil, 2+i)[1]
					if math.Float32bits(got) != math.Float32bits(v) && (got == got || v == v) {
						t.Errorf("%v of %v: value %d is %v, want %v", c.by, c.from, i, got, v)
					}
					if n.Sparse == nil && math.Signbit(float64(n.Row(2 + i)[1])) && n.Row(2 + i)[1] == 0 {
						t.Errorf("%v of %v: value %d is −0", c.by, c.from, i)
					}
				}
			}
		})
	}
	d, err := Read(strings.NewReader("qid,label,x,y\na,1,0,1\na,0,2,3\n"), Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	d.Row(1)[1] = float32(math.Inf(-1))
	if _, err := Normalize(d, "sum"); err == nil || err.Error() != "data: line 3: feature 2 (y) is -Inf: features must be finite" {
		t.Error(err)
	}
	for _, by := range []string{"", "x"} {
		t.Run(by, func(t *testing.T) {
			if _, err := Normalize(d, by); err == nil || !strings.HasPrefix(err.Error(), "data: normalization") {
				t.Error(err)
			}
		})
	}
}

// TestNormalizeSparse compares dense and sparse results to the bit, also of data that list zeros.
func TestNormalizeSparse(t *testing.T) {
	draw := num.SplitMix(5)
	d := rank.NewDataset(60, 40)
	for q := range 6 {
		d.Offsets, d.QueryIDs = append(d.Offsets, 10*q+10), append(d.QueryIDs, fmt.Sprint(q))
	}
	for i := range d.Rows() {
		for j := range d.Cols {
			if r := draw.Next(); r%8 == 0 {
				d.Row(i)[j] = float32(int64(r>>40)-1<<22) / 1000
			}
		}
	}
	s := d.ToSparse()
	for k := range s.Sparse.Values {
		if k%9 == 0 {
			s.Sparse.Values[k] = 0
			i, _ := slices.BinarySearch(s.Sparse.Offsets, k+1)
			d.Row(i - 1)[s.Sparse.Columns[k]] = 0
		}
	}
	for _, by := range OptionWords("normalization") {
		t.Run(by, func(t *testing.T) {
			a, errA := Normalize(d, by)
			b, errB := Normalize(s, by)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			for i := range d.Rows() {
				if !slices.EqualFunc(a.Row(i), b.AppendRow(nil, i), func(x, y float32) bool {
					return math.Float32bits(x) == math.Float32bits(y)
				}) {
					t.Errorf("row %d: %v and %v", i, a.Row(i), b.AppendRow(nil, i))
				}
				if from, to := b.Sparse.Offsets[i], b.Sparse.Offsets[i+1]; !slices.IsSorted(b.Sparse.Columns[from:to]) {
					t.Errorf("columns %v", b.Sparse.Columns[from:to])
				}
			}
			if by == "sum" && len(b.Sparse.Values) > len(s.Sparse.Values) {
				t.Errorf("%v lists %d values of %d", by, len(b.Sparse.Values), len(s.Sparse.Values))
			}
		})
	}
}
