package pairwise

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"gonum.org/v1/gonum/mat"
)

func TestTransform(t *testing.T) {
	d := rank.NewDataset(6, 2)
	for i, r := range [][3]float64{{1, 10, 0}, {2, 20, 1}, {4, 40, 1}, {8, 80, 5}, {16, 160, 2}, {32, 320, 2}} {
		d.Row(i)[0], d.Row(i)[1], d.Labels[i] = float32(r[0]), float32(r[1]), r[2]
	}
	d.Offsets, d.QueryIDs = []int{0, 4, 6}, []string{"a", "b"} // query b has no pairs
	for _, c := range []struct {
		transform func(*rank.Dataset) (*mat.Dense, []float64)
		y, x      []float64 // x contains the first feature
	}{
		{Transform, []float64{-1, -1, -1, -1, -1}, []float64{-1, -3, -7, -6, -4}},
		{BalancedTransform, []float64{1, -1, 1, -1, 1}, []float64{1, -3, 7, -6, 4}},
	} {
		t.Run(fmt.Sprint(c.y), func(t *testing.T) {
			x, y := c.transform(d)
			if !reflect.DeepEqual(y, c.y) {
				t.Errorf("signs %v, want %v", y, c.y)
			}
			for k, want := range c.x {
				if x.At(k, 0) != want || x.At(k, 1) != 10*want {
					t.Errorf("pair %d: %v, want %v and ten times that", k, x.RawRowView(k), want)
				}
			}
		})
	}
	if x, y := Transform(rank.NewDataset(0, 2)); !x.IsEmpty() || len(y) != 0 {
		t.Errorf("no rows: %v, %v", x, y)
	}
}

// Sparse and dense features give the same pairs.
func TestTransformSparse(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	d := rank.NewDataset(60, 9)
	for i := range d.Labels {
		d.Labels[i] = float64(r.IntN(3))
		d.Row(i)[r.IntN(d.Cols)] = r.Float32()
	}
	d.Offsets, d.QueryIDs = []int{0, 25, 60}, []string{"a", "b"}
	x, y := BalancedTransform(d)
	sparseX, sparseY := BalancedTransform(d.ToSparse())
	if !slices.Equal(y, sparseY) || !mat.Equal(x, sparseX) {
		t.Error("sparse features make other pairs")
	}
}
