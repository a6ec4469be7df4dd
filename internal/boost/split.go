package boost

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// scan replaces best by the best split of the leaf by feature f, of which cells are the histogram,
// if that gains more. minHess is that of the leaf.
func (g *Grower) scan(l *leaf, f int32, minHess int64, cells []int64, best *candidate, order *categoryOrder) {
	b := &g.b.feature[f]
	var missing int64
	if b.Missing >= 0 {
		missing, cells = cells[b.Missing], cells[:b.Missing]
	}
	lambda, base := l.lambda, l.base
	least := max(best.bar(f), float64(math.Abs(base)*1e-12)) // rounding alone may seem to gain that
	if b.Categories != nil {
		order.scan(g, l, f, minHess, cells[:len(b.Categories)], base, least, best)
		return
	}
	alpha := float64(g.o.L1 * g.unit.Grad)
	var s trees.Split
	bound := l.bound
	bound.Order = g.order(f)
	switch {
	case g.o.ExtraTrees:
		s = g.drawnSplit(l, f, minHess, cells, missing, lambda, bound)
	case bounded(bound) || bound.Order != 0:
		s = trees.BestSplitBoundI64(cells, missing, l.total, alpha, lambda, minHess, bound)
	default:
		// Whatever rounding does, a gain up to the bar is no better than least.
		s = trees.BestSplitI64(cells, missing, l.total, alpha, lambda, minHess, (base+least)*(1-0x1p-40))
	}
	if s.Bin < 0 || !(s.Gain-base > least) {
		return
	}
	*best = candidate{feature: f, bin: s.Bin, missingLeft: s.MissingLeft, total: s.Left, lambda: lambda,
		gain: s.Gain - base}
	for bin := 0; bin <= s.Bin; bin += 64 {
		best.left[bin/64] = math.MaxUint64 >> (63 - min(s.Bin-bin, 63))
	}
	if s.MissingLeft {
		best.left[b.Missing/64] |= 1 << (b.Missing % 64)
	}
}

// undivided returns the L2 of a split of the leaf, and what its two sides have to gain more than.
// With PathSmooth the value of the undivided leaf is smoothed once more, towards itself, as in
// LightGBM. Other than there, bounds of Monotone count here, too, and it is the same for
// categorical features.
func (g *Grower) undivided(l *leaf) (lambda, base float64) {
	lambda = float64(g.o.L2 * g.unit.Hess)
	base = g.gainOf(totalsOf(l.total), lambda, l.bound)
	return lambda, base + float64(g.o.MinGain*g.unit.Grad)*g.unit.Grad/g.unit.Hess
}

// hopeless reports whether splitting a leaf into a part and the rest gains less than best, whatever
// rounding does. The feature then needs no scan. L1, bounds and the L2 of categories only lower a
// gain.
func hopeless(total, part int64, lambda, base, best float64) bool {
	if base < 0 {
		return false
	}
	gl, hl := trees.GradHess(part)
	gr, hr := trees.GradHess(total - part)
	sl, sr := float64(gl), float64(gr)
	xl, xr := float64(hl)+lambda, float64(hr)+lambda
	// sl²/xl + sr²/xr < base + best, without divisions
	return float64(float64(sl*sl)*xr)+float64(float64(sr*sr)*xl) < float64((base+best)*(1-0x1p-40))*float64(xl*xr)
}

// minHess returns the minimum Hessian of a side when the leaf is split: MinHessian, and the share
// that MinRows rows have of the leaf's Hessian.
func (g *Grower) minHess(l *leaf) int64 {
	_, hess := trees.GradHess(l.total)
	mean := float64(hess) / float64(l.rows)
	least := float64(g.o.MinHessian * g.unit.Hess)
	// Rounding may have lowered the Hessian of each row by half a unit, after half a unit in the
	// last place of a float32. A whole row must not be missing.
	lost := float64(least*0x1p-24) + float64(least/max(mean, 1)/2)
	return max(ceil(least-min(lost, mean/2)), g.hessOf(l, hess, g.o.MinRows))
}

// hessOf returns the least Hessian of a side that is estimated to have a number of rows, by their
// share of the leaf's Hessian. Any Hessian is that of one row at least.
func (g *Grower) hessOf(l *leaf, hess int32, rows int) int64 {
	if rows <= 1 {
		return 0
	}
	return ceil(float64((float64(rows)-.5)*float64(hess)) / float64(l.rows))
}

// ceil rounds up, and what no sum reaches down to less than that: conversions of what int64 lacks
// differ between processors.
func ceil(v float64) int64 { return int64(math.Ceil(min(v, 1<<40))) }

// totals are the sums of the gradients and Hessians of rows, in the units of cells.
type totals struct{ grad, hess float64 }

// totalsOf returns the sums that a cell holds.
func totalsOf(cell int64) totals {
	grad, hess := trees.GradHess(cell)
	return totals{float64(grad), float64(hess)}
}

// leafTotals returns the sums of a leaf.
func leafTotals(l Leaf) totals {
	return totals{float64(float64(l.Grad) / finer), float64(float64(l.Hess) / finer)}
}

// valueOf returns the value that lowers the loss of a leaf most, within the bound, in units of the
// scaled gradient over the Hessian.
func (g *Grower) valueOf(t totals, lambda float64, bound trees.SplitBound) float64 {
	s, x := g.shrunk(t, lambda)
	if x == 0 {
		return bound.Limit(0, 0)
	}
	return bound.Limit((0-s)/x, t.hess) // never −0
}

// bounded reports whether a bound may change the value of a leaf.
func bounded(b trees.SplitBound) bool {
	return b.Lo > math.Inf(-1) || b.Hi < math.Inf(1) || b.Smooth > 0
}

// gainOf returns what the best value within the bound lowers the loss of a leaf by, doubled.
func (g *Grower) gainOf(t totals, lambda float64, bound trees.SplitBound) float64 {
	s, x := g.shrunk(t, lambda)
	switch {
	case bounded(bound):
		v := g.valueOf(t, lambda, bound)
		return -(float64(2*float64(s*v)) + float64(float64(x*v)*v))
	case x == 0:
		return 0
	}
	return float64(s*s) / x
}

// shrunk returns the gradient of a leaf, with L1 taken off, and the Hessian with L2.
func (g *Grower) shrunk(t totals, lambda float64) (s, x float64) {
	s = math.Copysign(max(math.Abs(t.grad)-float64(g.o.L1*g.unit.Grad), 0), t.grad)
	return s, t.hess + lambda
}

// A categoryOrder finds splits by categorical features. It is the memory of one worker.
type categoryOrder struct {
	bins []int
	key  [256]float64
}

// scan is Grower.scan of a categorical feature. The last side of both is the right one: it gets the
// missing values and categories that were never seen.
func (o *categoryOrder) scan(g *Grower, l *leaf, f int32, minHess int64, cells []int64, base, least float64,
	best *candidate) {
	lambda := float64(g.o.L2 * g.unit.Hess)
	minHess = max(minHess, 1)
	try := func(left int64) bool {
		_, hl := trees.GradHess(left)
		_, hr := trees.GradHess(l.total - left)
		if int64(hl) < minHess || int64(hr) < minHess {
			return false
		}
		gain := g.gainOf(totalsOf(left), lambda, l.bound) + g.gainOf(totalsOf(l.total-left), lambda, l.bound) - base
		if !(gain > least) {
			return false
		}
		least = gain
		*best = candidate{feature: f, categorical: true, total: left, lambda: lambda, gain: gain}
		return true
	}
	if len(cells) <= g.o.OneHot {
		only := g.drawnOf(l, f, len(cells))
		for bin, c := range cells {
			if (only < 0 || bin == only) && try(c) {
				best.left[bin/64] |= 1 << (bin % 64)
			}
		}
		return
	}
	// The best set of a sum of two convex losses is a prefix of the categories in the order of
	// their mean gradient. Rare ones, whose mean is noise, are pulled towards 0, and the rarest
	// left out.
	lambda += float64(g.o.CategoryL2 * g.unit.Hess)
	_, hess := trees.GradHess(l.total)
	rare := g.hessOf(l, hess, int(math.Ceil(g.o.CategorySmooth)))
	smooth := float64(g.o.CategorySmooth * g.unit.Hess)
	o.bins = o.bins[:0]
	for bin, c := range cells {
		if gr, h := trees.GradHess(c); h > 0 && int64(h) >= rare {
			o.bins = append(o.bins, bin)
			o.key[bin] = float64(gr) / (float64(h) + smooth)
		}
	}
	slices.SortStableFunc(o.bins, func(a, b int) int {
		switch {
		case o.key[a] < o.key[b]:
			return -1
		case o.key[a] > o.key[b]:
			return 1
		}
		return 0
	})
	step := g.hessOf(l, hess, g.o.CategoryRows)
	most := min(g.o.MaxCategories, (len(o.bins)+1)/2)
	only := g.drawnOf(l, f, most)
	for range 2 { // from the lowest gradients and from the highest
		var left int64
		since := int64(0)
		for i, bin := range o.bins[:most] {
			left += cells[bin]
			_, h := trees.GradHess(cells[bin])
			if since += int64(h); since < step {
				continue
			}
			_, hr := trees.GradHess(l.total - left)
			if int64(hr) < step {
				break
			}
			if _, hl := trees.GradHess(left); int64(hl) < minHess {
				continue
			}
			since = 0
			if (only < 0 || i == only) && try(left) {
				for _, b := range o.bins[:i+1] {
					best.left[b/64] |= 1 << (b % 64)
				}
			}
		}
		slices.Reverse(o.bins)
	}
}
