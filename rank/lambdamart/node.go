package lambdamart

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/random"
	"github.com/simdrank/simdrank/internal/trees"
)

// What single nodes draw and are allowed. A node draws by a key that is made of the key of the tree
// and the way from the root to the node, so that the order in which leaves are split does not
// matter.

// checkInteractions returns an error unless the sets hold features of the data.
func (t *Trainer) checkInteractions(cols int) error {
	for i, set := range t.Interactions {
		if len(set) == 0 {
			return fmt.Errorf("lambdamart: set %d of Interactions is empty", i)
		}
		for _, f := range set {
			if f < 0 || f >= cols {
				return fmt.Errorf("lambdamart: set %d of Interactions holds feature %d: features are 0 to %d", i, f, cols-1)
			}
		}
	}
	return nil
}

// allowed returns the features that the leaf may be split by, nil for all those of the tree.
func (g *grower) allowed(l *leaf) []bool {
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
		for _, set := range g.o.Interactions {
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
	keep(kept, all, g.o.NodeFeatureFraction, number, random.Mix(l.key+3))
	return kept
}

// may reports whether the leaf of that side may be split by feature f.
func (t *task) may(side int, f int32) bool { return t.allowed[side] == nil || t.allowed[side][f] }

// drawnOf returns the number from 0 to n−1 that the leaf draws for a feature, or −1 without
// ExtraTrees.
func (g *grower) drawnOf(l *leaf, f int32, n int) int {
	if !g.o.ExtraTrees {
		return -1
	}
	hi, _ := bits.Mul64(random.Mix(random.Mix(l.key+4)+uint64(f)*random.Golden), uint64(n))
	return int(hi)
}

// drawnSplit returns the split of the leaf at the threshold that it draws for a numerical feature.
// Missing values go to either side. It takes what trees.BestSplitBoundI64 does.
func (g *grower) drawnSplit(l *leaf, f int32, minHess int64, cells []int64, missing int64, lambda float64,
	bound trees.SplitBound) trees.Split {
	// Where values may be missing, a threshold above all others tells them from the rest.
	s := trees.Split{Bin: -1, Gain: math.Inf(-1)}
	bin := g.drawnOf(l, f, g.b.feature[f].bins-1)
	try := func(left int64, missingLeft bool) {
		_, hl := trees.GradHess(left)
		_, hr := trees.GradHess(l.total - left)
		if int64(min(hl, hr)) < max(minHess, 1) {
			return
		}
		vl, vr := g.valueOf(left, lambda, bound), g.valueOf(l.total-left, lambda, bound)
		if bin < len(cells)-1 && !bound.Ordered(vl, vr) {
			return
		}
		gain := g.gainOf(left, lambda, bound) + g.gainOf(l.total-left, lambda, bound)
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

// smooth makes the bound of a leaf that is searched that of the sides of its splits.
func (g *grower) smooth(l *leaf) {
	if g.o.PathSmooth > 0 {
		_, hess := trees.GradHess(l.total)
		share := float64(l.rows) / float64(max(hess, 1))
		l.bound.Parent, l.bound.Smooth = l.value, min(max(share/g.o.PathSmooth, 0x1p-1000), 0x1p500)
	}
}

// capped limits a value to MaxDeltaStep, of which rounding may have led away.
func (g *grower) capped(v float64) float64 {
	if m := g.o.MaxDeltaStep; m > 0 {
		return min(max(v, -m), m)
	}
	return v
}
