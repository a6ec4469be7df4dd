package lambdamart

import (
	"math/bits"
	"slices"
	"testing"
)

// restrained uses whatever decides what single leaves are split by and worth.
var restrained = Trainer{Trees: 5, MinRows: 4, Categorical: []int{3}, Monotone: []int8{1}, ExtraTrees: true,
	NodeFeatureFraction: .7, Interactions: [][]int{{0, 1, 2, 3}, {3, 4, 5, 6}, {7, 0}}, MaxDeltaStep: .8, PathSmooth: 3,
	Seed: 9}

// What nodes draw does not depend on the order in which they are split.
func TestNodesOfAnyOrder(t *testing.T) {
	d := ranking(60, 8, 1)
	deep := restrained
	deep.DepthWise, deep.Depth = true, 5
	leaves := restrained
	leaves.Leaves, leaves.Depth = 32, 5
	want, err := deep.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := leaves.Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := want.Model.Trees[0], got.Model.Trees[0]; slices.Equal(a.Feature, b.Feature) {
		t.Error("both trees list their splits in the same order")
	}
	for i := range d.Rows() {
		if a, b := want.Model.Score(d.Row(i)), got.Model.Score(d.Row(i)); a != b {
			t.Fatalf("row %d: score %v level by level, %v leaf by leaf", i, a, b)
		}
	}
}

// A share of the tree's features is drawn for each leaf, from those that may be there, and not the
// same for all.
func TestAllowedFeatures(t *testing.T) {
	d := ranking(20, 10, 1)
	for _, c := range []struct {
		o     Trainer
		above []int32
		want  int    // features
		may   uint64 // places of those that may be drawn
	}{
		{Trainer{NodeFeatureFraction: .25}, nil, 3, 1<<10 - 1},
		{Trainer{NodeFeatureFraction: .25, FeatureFraction: .5}, nil, 2, 1<<10 - 1},
		{Trainer{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, nil, 4, 0xf},
		{Trainer{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, []int32{1}, 4, 0xf},
		{Trainer{Interactions: [][]int{{0, 1}, {1, 2, 3}}}, []int32{3, 1}, 3, 0xe},
		{Trainer{Interactions: [][]int{{0, 1}, {1, 2, 3}}, NodeFeatureFraction: .5}, []int32{0}, 2, 0x3},
		{Trainer{Interactions: [][]int{{0, 1, 4}, {1, 2, 3}}, NodeFeatureFraction: .2}, []int32{0, 4}, 1, 0x13},
	} {
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
	}
}

// Every threshold is as likely as any other.
func TestDrawnThresholds(t *testing.T) {
	g := &grower{o: &Trainer{ExtraTrees: true}}
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
	d := ranking(60, 4, 1)
	grad, hess := make([]int64, d.Rows()), make([]int64, d.Rows())
	for i, y := range d.Labels {
		grad[i], hess[i] = 10-int64(10*y), 5
		for f := range 3 {
			d.Row(i)[f] = 0 // the category is all there is
		}
	}
	sizes := map[int]bool{}
	for seed := range uint64(40) {
		o := Trainer{ExtraTrees: true, Categorical: []int{3}, OneHot: 1, Leaves: 2, MinRows: 1, CategoryRows: 1,
			CategorySmooth: -1, Seed: seed}
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

// No leaf has a larger value than MaxDeltaStep allows, and some have that.
func TestMaxDeltaStep(t *testing.T) {
	o := Trainer{Trees: 3, MaxDeltaStep: .3, LearningRate: .1, MinRows: 3}
	r, err := o.Fit(t.Context(), ranking(60, 8, 2))
	if err != nil {
		t.Fatal(err)
	}
	most := o.MaxDeltaStep * o.LearningRate
	for _, tree := range r.Model.Trees {
		if least, greatest := slices.Min(tree.Leaf), slices.Max(tree.Leaf); least != -most || greatest != most {
			t.Errorf("leaves from %v to %v, want −%v to %v", least, greatest, most, most)
		}
	}
}

// Values that exact sums put in the wrong order meet in the middle.
func TestSidesInOrder(t *testing.T) {
	g := &grower{o: &Trainer{}, unit: units{1, 1}}
	root := g.rootWorth(totals{0, 1})
	for order, want := range map[int][2]float64{-1: {3, 1}, 0: {3, 1}, 1: {2, 2}} {
		l, r := g.sides(&root, &division{order: order}, totals{-3, 1}, totals{-1, 1})
		if got := [2]float64{l.value, r.value}; got != want {
			t.Errorf("order %d: the values %v, want %v", order, got, want)
		}
	}
}
