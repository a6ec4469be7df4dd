package lambdamart

import (
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
)

// restrained uses all options that affect the splits and values of single leaves.
var restrained = *with(Trainer{Trees: 5, MinRows: 4, Categorical: []int{3}, Monotone: []int8{1}, ExtraTrees: true,
	NodeFeatureFraction: .7, Interactions: [][]int{{0, 1, 2, 3}, {3, 4, 5, 6}, {7, 0}}, MaxDeltaStep: .8, PathSmooth: 3,
	Seed: 9})

// Random choices of nodes do not depend on the order in which nodes are split.
func TestNodesOfAnyOrder(t *testing.T) {
	d := synth.Ranking(60, 8, 1)
	deep := restrained
	deep.DepthWise, deep.Leaves, deep.Depth = true, 0, 5
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

// No leaf value exceeds MaxDeltaStep, and some reach it.
func TestMaxDeltaStep(t *testing.T) {
	o := *with(Trainer{Trees: 3, MaxDeltaStep: .3, LearningRate: .1, MinRows: 3})
	r, err := o.Fit(t.Context(), synth.Ranking(60, 8, 2))
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
