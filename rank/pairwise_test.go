package rank

import (
	"reflect"
	"testing"
)

func TestPairwiseTransform(t *testing.T) {
	d := NewDataset(6, 2)
	for i, r := range [][3]float64{{1, 10, 0}, {2, 20, 1}, {4, 40, 1}, {8, 80, 5}, {16, 160, 2}, {32, 320, 2}} {
		d.Row(i)[0], d.Row(i)[1], d.Labels[i] = float32(r[0]), float32(r[1]), r[2]
	}
	d.Offsets, d.QueryIDs = []int{0, 4, 6}, []string{"a", "b"} // query b has no pair
	for _, c := range []struct {
		opts []PairwiseOption
		y, x []float64 // x: the first feature
	}{
		{nil, []float64{-1, -1, -1, -1, -1}, []float64{-1, -3, -7, -6, -4}},
		{[]PairwiseOption{Balanced()}, []float64{1, -1, 1, -1, 1}, []float64{1, -3, 7, -6, 4}},
	} {
		x, y := PairwiseTransform(d, c.opts...)
		if !reflect.DeepEqual(y, c.y) {
			t.Errorf("signs %v, want %v", y, c.y)
		}
		for k, want := range c.x {
			if x.At(k, 0) != want || x.At(k, 1) != 10*want {
				t.Errorf("pair %d: %v, want %v and ten times that", k, x.RawRowView(k), want)
			}
		}
	}
	if x, y := PairwiseTransform(NewDataset(0, 2)); !x.IsEmpty() || len(y) != 0 {
		t.Errorf("no rows: %v, %v", x, y)
	}
}
