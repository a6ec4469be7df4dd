package boost

import (
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/trees"
)

// This file contains random draws and constraints of single nodes. The key of a node's draws is
// derived from the key of the tree and the path from the root to the node. So the order in which
// leaves are split does not matter.

// allowed returns the features that may split the leaf, or nil for all features of the tree.
func (g *Grower) allowed(l *leaf) []bool {
	if len(g.o.Interactions) == 0 && g.o.NodeFeatureFraction >= 1 {
		return nil
	}
	all := g.drawn
	if len(g.o.Interactions) > 0 {
		all = make([]bool, len(g.drawn))
		allow := func(f int) { all[f] = g.drawn[f] }
		for _, f := range l.above {
			allow(int(f))
		}
		for _, set := range g.sets {
			if !slices.ContainsFunc(l.above, func(f int32) bool { return !slices.Contains(set, int(f)) }) {
				for _, f := range set {
					allow(f)
				}
			}
		}
	}
	if g.o.NodeFeatureFraction >= 1 {
		return all
	}
	number := 0
	for _, ok := range g.drawn {
		if ok {
			number++
		}
	}
	kept := make([]bool, len(all))
	keep(kept, all, g.o.NodeFeatureFraction, number, num.Mix(l.key+3))
	return kept
}

// may reports whether feature f may split the leaf of the given side.
func (t *task) may(side int, f int32) bool { return t.allowed[side] == nil || t.allowed[side][f] }

// drawnOf returns a number from 0 to n−1 that the leaf draws for feature f, or −1 without
// ExtraTrees.
func (g *Grower) drawnOf(l *leaf, f int32, n int) int {
	if !g.o.ExtraTrees {
		return -1
	}
	hi, _ := bits.Mul64(num.Mix(num.Mix(l.key+4)+uint64(g.b.columnOf(f))*num.Golden), uint64(n))
	return int(hi)
}

// drawnSplit returns the split of the leaf at a random threshold of a numerical feature. Missing
// values go to the better side. The parameters are the same as those of trees.BestSplitBoundI64.
func (g *Grower) drawnSplit(l *leaf, f int32, minHess int64, cells []int64, missing int64, lambda float64,
	bound trees.SplitBound) trees.Split {
	// If there are missing values, a threshold above all other values separates them.
	s := trees.Split{Bin: -1, Gain: math.Inf(-1)}
	bin := g.drawnOf(l, f, g.b.feature[f].Bins-1)
	try := func(left int64, missingLeft bool) {
		_, hl := trees.GradHess(left)
		_, hr := trees.GradHess(l.total - left)
		if int64(min(hl, hr)) < max(minHess, 1) {
			return
		}
		tl, tr := totalsOf(left), totalsOf(l.total-left)
		vl, vr := g.valueOf(tl, lambda, bound), g.valueOf(tr, lambda, bound)
		if bin < len(cells)-1 && !bound.Ordered(vl, vr) {
			return
		}
		gain := g.gainOf(tl, lambda, bound) + g.gainOf(tr, lambda, bound)
		if gain > s.Gain {
			s = trees.Split{Bin: bin, MissingLeft: missingLeft, Gain: gain, Left: left}
		}
	}
	left := trees.SumI64(cells[:bin+1])
	try(left, false)
	if missing != 0 {
		try(left+missing, true)
	}
	return s
}

// A worth is the value of a node (scaled gradient divided by Hessian) and the bound on the values
// of its children.
type worth struct {
	value float64
	bound trees.SplitBound
}

// rootWorth returns the worth of a root.
func (g *Grower) rootWorth(t totals) worth {
	most := math.Inf(1)
	if g.o.MaxDeltaStep > 0 {
		most = float64(g.o.MaxDeltaStep*g.unit.Grad) / g.unit.Hess
	}
	bound := trees.SplitBound{Lo: -most, Hi: most, Cap: most}
	return worth{g.valueOf(t, float64(g.o.L2*g.unit.Hess), bound), bound}
}

// smooth adds the effect of PathSmooth to the bound on the children of a node.
func (g *Grower) smooth(w *worth, rows int, hess float64) {
	if g.o.PathSmooth > 0 {
		share := float64(rows) / hess
		w.bound.Parent, w.bound.Smooth = w.value, min(max(share/g.o.PathSmooth, 0x1p-1000), 0x1p500)
	}
}

// sides returns the worths of the two sides of a split of a node.
func (g *Grower) sides(w *worth, c *division, left, right totals) (l, r worth) {
	l = worth{g.valueOf(left, c.lambda, w.bound), w.bound}
	r = worth{g.valueOf(right, c.lambda, w.bound), w.bound}
	// All descendants of a side must remain on its side of the middle.
	switch middle := float64(l.value+r.value) / 2; {
	case c.order > 0:
		l.bound.Hi, r.bound.Lo = middle, middle
		l.value, r.value = min(l.value, middle), max(r.value, middle)
	case c.order < 0:
		l.bound.Lo, r.bound.Hi = middle, middle
		l.value, r.value = max(l.value, middle), min(r.value, middle)
	}
	return l, r
}

// settle appends the values and weights of a tree's leaves, and the weights of its splits, to t. It
// computes them from the sums of the leaves. The values that growing computes from histograms only
// serve to choose splits, because the unit of a cell is coarse when there are many rows.
func (g *Grower) settle(t *Tree, sums []Leaf) {
	for _, l := range sums {
		t.LeafWeight = append(t.LeafWeight, leafTotals(l).hess/g.unit.Hess)
		t.LeafCount = append(t.LeafCount, l.Rows)
	}
	below := make([][2]Leaf, len(g.cuts)) // for each split, the sums of its two sides
	for i := len(g.cuts) - 1; i >= 0; i-- {
		at := &sums[g.cuts[i].leaf]
		below[i] = [2]Leaf{*at, sums[i+1]}
		at.Merge(sums[i+1])
		t.Weight = append(t.Weight, leafTotals(*at).hess/g.unit.Hess)
	}
	slices.Reverse(t.Weight)
	nodes := make([]worth, len(sums))
	nodes[0] = g.rootWorth(leafTotals(sums[0]))
	for i := range g.cuts {
		c := &g.cuts[i]
		at, l, r := &nodes[c.leaf], leafTotals(below[i][0]), leafTotals(below[i][1])
		g.smooth(at, int(below[i][0].Rows+below[i][1].Rows), l.hess+r.hess)
		*at, nodes[i+1] = g.sides(at, c, l, r)
	}
	for i := range nodes {
		t.Leaf = append(t.Leaf, float64(g.capped(g.unit.value(nodes[i].value))*g.Rate))
	}
}

// capped limits a value to MaxDeltaStep, which rounding may have exceeded.
func (g *Grower) capped(v float64) float64 {
	if m := g.o.MaxDeltaStep; m > 0 {
		return min(max(v, -m), m)
	}
	return v
}
