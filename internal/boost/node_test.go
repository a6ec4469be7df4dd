package boost

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
)

// A share of the tree's features is drawn for each leaf, from those that may be there, and not the
// same for all.
func TestAllowedFeatures(t *testing.T) {
	d := synth.Ranking(20, 10, 1)
	for _, c := range []struct {
		o     Params
		above []int32
		want  int    // features
		may   uint64 // places of those that may be drawn
	}{
		{Params{NodeFeatureFraction: .25}, nil, 3, 1<<10 - 1},
		{Params{NodeFeatureFraction: .25, FeatureFraction: .5}, nil, 2, 1<<10 - 1},
		{Params{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, nil, 4, 0xf},
		{Params{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, []int32{1}, 4, 0xf},
		{Params{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, []int32{3, 1}, 3, 0xe},
		{Params{Interactions: [][]int{{0, 1}, {1, 2, 3}}, NodeFeatureFraction: .5}, []int32{0}, 2, 0x3},
		{Params{Interactions: [][]int{{0, 1, 4}, {1, 2, 3}}, NodeFeatureFraction: .2}, []int32{0, 4}, 1, 0x13},
	} {
		t.Run(fmt.Sprint(c.above, " ", c.want), func(t *testing.T) {
			c.o.MinRows, c.o.Leaves = 1, 2
			_, g := growOn(t, c.o, d, 1, make([]int64, d.Rows()), make([]int64, d.Rows()))
			sets := map[uint64]bool{}
			for key := range uint64(200) {
				set := uint64(0)
				for f, ok := range g.allowed(&leaf{key: key, above: c.above}) {
					if ok {
						set |= 1 << f
					}
				}
				sets[set] = true
				if bits.OnesCount64(set) != c.want || set&^c.may != 0 {
					t.Fatalf("%+v below %v: features %b, want %d of %b", c.o, c.above, set, c.want, c.may)
				}
			}
			if some := c.o.FeatureFraction == 0 && bits.OnesCount64(c.may) > c.want; some && len(sets) < 2 {
				t.Errorf("%+v below %v: always one of %d sets", c.o, c.above, len(sets))
			}
		})
	}
}

// Every threshold is as likely as any other.
func TestDrawnThresholds(t *testing.T) {
	g := &Grower{o: &Params{ExtraTrees: true}, b: &Bins{}}
	var counts [5]int
	for key := range uint64(5000) {
		counts[g.drawnOf(&leaf{key: key}, 3, len(counts))]++
	}
	for i, n := range counts {
		if n < 850 || n > 1150 {
			t.Errorf("threshold %d was drawn %d times of 5000", i, n)
		}
	}
}

// Of sets of categories, a leaf tries those of a size that it draws.
func TestDrawnSets(t *testing.T) {
	d := synth.Ranking(60, 4, 1)
	grad, hess := make([]int64, d.Rows()), make([]int64, d.Rows())
	for i, y := range d.Labels {
		grad[i], hess[i] = 10-int64(10*y), 5
		for f := range 3 {
			d.Row(i)[f] = 0 // the category is all there is
		}
	}
	sizes := map[int]bool{}
	for seed := range uint64(40) {
		o := Params{ExtraTrees: true, BinOptions: BinOptions{Categorical: []int{3}}, OneHot: 1, Leaves: 2,
			MinRows: 1, CategoryRows: 1, CategorySmooth: -1, Seed: seed}
		tree, g := growOn(t, o, d, 1, grad, hess)
		if len(tree.Feature) == 0 {
			t.Fatalf("seed %d: no split", seed)
		}
		got, want := bits.OnesCount32(tree.Categories[0][0]), g.drawnOf(&leaf{key: g.key}, 3, 6)+1
		if sizes[got] = true; got != want {
			t.Errorf("seed %d: %d of 12 categories go left, want %d", seed, got, want)
		}
	}
	if len(sizes) < 6 {
		t.Errorf("sizes of sets: %v", sizes)
	}
}

// Values that exact sums put in the wrong order meet in the middle.
func TestSidesInOrder(t *testing.T) {
	g := &Grower{o: &Params{}, unit: Units{1, 1}}
	root := g.rootWorth(totals{0, 1})
	for order, want := range map[int][2]float64{-1: {3, 1}, 0: {3, 1}, 1: {2, 2}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			l, r := g.sides(&root, &division{order: order}, totals{-3, 1}, totals{-1, 1})
			if got := [2]float64{l.value, r.value}; got != want {
				t.Errorf("the values %v, want %v", got, want)
			}
		})
	}
}
