package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// scan replaces best by the best split of the leaf by feature f if its gain is higher. cells is the
// histogram of f, and minHess is the result of Grower.minHess for the leaf.
func (g *Grower) scan(l *leaf, f int32, minHess int64, cells []int64, best *candidate, order *categoryOrder) {
	b := &g.b.feature[f]
	var missing int64
	if b.Missing >= 0 {
		missing, cells = cells[b.Missing], cells[:b.Missing]
	}
	lambda, base := l.lambda, l.base
	least := max(best.bar(f), float64(math.Abs(base)*1e-12)) // rounding errors can cause such gains
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
		// The factor makes up for rounding: no gain up to this bar exceeds least.
		s = trees.BestSplitI64(cells, missing, l.total, alpha, lambda, minHess, (base+least)*(1-0x1p-40))
	}
	if s.Bin < 0 || !(s.Gain-base > least) {
		return
	}
	if missing == 0 { // the gain is the same on both sides; follow the median
		s.MissingLeft = b.Median <= s.Bin
	}
	*best = candidate{feature: f, bin: s.Bin, missingLeft: s.MissingLeft, total: s.Left, lambda: lambda,
		gain: s.Gain - base}
	for bin := 0; bin <= s.Bin; bin += 64 {
		best.left[bin/64] = math.MaxUint64 >> (63 - min(s.Bin-bin, 63))
	}
	if s.MissingLeft && b.Missing >= 0 {
		best.left[b.Missing/64] |= 1 << (b.Missing % 64)
	}
}

// undivided returns the L2 of a split of the leaf, and the loss reduction that its two sides must
// exceed. With PathSmooth, as in LightGBM, the value of the undivided leaf is smoothed once more
// towards itself. Unlike LightGBM, the bounds of Monotone apply to it, and it is the same for
// categorical features.
func (g *Grower) undivided(l *leaf) (lambda, base float64) {
	lambda = float64(g.o.L2 * g.unit.Hess)
	base = g.gainOf(totalsOf(l.total), lambda, l.bound)
	return lambda, base + float64(g.o.MinGain*g.unit.Grad)*g.unit.Grad/g.unit.Hess
}

// hopeless reports whether splitting a leaf into a part and the rest certainly gains less than
// best, with any rounding. If so, the feature need not be scanned. L1, bounds and the L2 of
// categories can only lower a gain.
func hopeless(total, part int64, lambda, base, best float64) bool {
	if base < 0 {
		return false
	}
	gl, hl := trees.GradHess(part)
	gr, hr := trees.GradHess(total - part)
	sl, sr := float64(gl), float64(gr)
	xl, xr := float64(hl)+lambda, float64(hr)+lambda
	// This is sl²/xl + sr²/xr < base + best without divisions.
	return float64(float64(sl*sl)*xr)+float64(float64(sr*sr)*xl) < float64((base+best)*(1-0x1p-40))*float64(xl*xr)
}

// minHess returns the minimum Hessian of a side of a split. The minimum follows from MinHessian and
// from MinRows, converted to a share of the leaf's Hessian.
func (g *Grower) minHess(l *leaf) int64 {
	_, hess := trees.GradHess(l.total)
	mean := float64(hess) / float64(l.rows)
	least := float64(g.o.MinHessian * g.unit.Hess)
	// Rounding to float32 may have lowered the Hessian of each row by half an ulp, and rounding to
	// a cell by half a unit. Tolerate this loss, but not the loss of a whole row.
	lost := float64(least*0x1p-24) + float64(least/max(mean, 1)/2)
	return max(ceil(least-min(lost, mean/2)), g.hessOf(l, hess, g.o.MinRows))
}

// hessOf returns the minimum Hessian of a side with an estimated number of rows. The estimate
// assumes that all rows of the leaf have the same Hessian. One row needs no minimum.
func (g *Grower) hessOf(l *leaf, hess int32, rows int) int64 {
	if rows <= 1 {
		return 0
	}
	return ceil(float64((float64(rows)-.5)*float64(hess)) / float64(l.rows))
}

// ceil rounds up. It limits v to a number that no sum reaches, because the conversion of numbers
// outside of the range of int64 differs between processors.
func ceil(v float64) int64 { return int64(math.Ceil(min(v, 1<<40))) }

// totals contains sums of gradients and Hessians, in the units of cells.
type totals struct{ grad, hess float64 }

// totalsOf returns the sums in a cell.
func totalsOf(cell int64) totals {
	grad, hess := trees.GradHess(cell)
	return totals{float64(grad), float64(hess)}
}

// leafTotals returns the sums of a leaf.
func leafTotals(l Leaf) totals {
	return totals{float64(float64(l.Grad) / finer), float64(float64(l.Hess) / finer)}
}

// valueOf returns the value within the bound that minimizes the loss of a leaf, in units of scaled
// gradient divided by Hessian.
func (g *Grower) valueOf(t totals, lambda float64, bound trees.SplitBound) float64 {
	s, x := g.shrunk(t, lambda)
	if x == 0 {
		return bound.Limit(0, 0)
	}
	return bound.Limit((0-s)/x, t.hess) // 0−s avoids −0
}

// bounded reports whether a bound may change the value of a leaf.
func bounded(b trees.SplitBound) bool {
	return b.Lo > math.Inf(-1) || b.Hi < math.Inf(1) || b.Smooth > 0
}

// gainOf returns twice the loss reduction of a leaf by the best value within the bound.
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

// shrunk returns the gradient of a leaf, reduced by L1, and its Hessian, increased by L2.
func (g *Grower) shrunk(t totals, lambda float64) (s, x float64) {
	s = math.Copysign(max(math.Abs(t.grad)-float64(g.o.L1*g.unit.Grad), 0), t.grad)
	return s, t.hess + lambda
}

// A categoryOrder finds splits by categorical features. It is the scratch memory of one worker.
type categoryOrder struct {
	bins []int
	key  [256]float64
}

// scan is Grower.scan for a categorical feature. The right side of a split gets missing values and
// unknown categories.
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
	// The best split is a prefix of the categories sorted by mean gradient, because the loss is
	// convex. The means of rare categories are noisy, so they are shrunk towards 0, and the rarest
	// categories are left out.
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
	for range 2 { // start with the lowest gradients, then with the highest
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

// search finds the best splits of leaves. If the larger of two siblings has the histograms of both
// together, it gets its own by subtraction.
func (g *Grower) search(ctx context.Context, pairs []siblings) error {
	if g.away != nil {
		if err := g.away.fetch(ctx, g, pairs); err != nil {
			return err
		}
	}
	tasks, build, rows := make([]task, 0, len(pairs)), make([]*leaf, 0, 2*len(pairs)), 0
	for _, p := range pairs {
		t := task{small: &g.leaves[p[0]]}
		t.scan[0] = g.maySplit(t.small)
		if p[1] >= 0 {
			t.large = &g.leaves[p[1]]
			t.scan[1] = g.maySplit(t.large)
		}
		if t.scan == [2]bool{} || len(g.groups)+len(g.stripes) == 0 {
			g.release(t.small)
			if t.large != nil {
				g.release(t.large)
			}
			continue
		}
		if !t.small.built {
			t.small.hist = g.take()
		}
		build = append(build, t.small)
		for side, l := range []*leaf{t.small, t.large} {
			if t.scan[side] {
				t.least[side], t.allowed[side] = g.minHess(l), g.allowed(l)
				g.smooth(&l.worth, l.rows, totalsOf(l.total).hess)
				l.lambda, l.base = g.undivided(l)
			}
		}
		if t.scan[1] {
			if t.subtract = t.large.hist != nil && !t.large.built; !t.subtract {
				if !t.large.built {
					t.large.hist = g.take()
				}
				build = append(build, t.large)
			}
		}
		tasks, rows = append(tasks, t), rows+t.small.rows
	}
	if len(tasks) == 0 {
		return ctx.Err()
	}
	workers := g.team.Workers()
	if g.updates(rows, len(tasks)) < serialUpdates {
		workers = 1
	}
	ws := g.found[:workers]
	shared := g.away == nil && len(build) == 1 && workers > 1 && rows >= workers*shareRows && g.b.file == nil
	if shared {
		g.team.Run(workers, func(w int) { g.histogramsOfShare(build[0], w, workers) })
	}
	g.team.Run(workers, func(w int) {
		found := &ws[w]
		found.best = append(found.best[:0], make([]candidate, 2*len(tasks))...)
		groups := g.groups[len(g.groups)*w/workers : len(g.groups)*(w+1)/workers]
		switch {
		case g.away != nil:
		case shared:
			g.addShares(build[0].hist, groups, ws[1:])
		default:
			g.histograms(build, groups, found)
		}
		g.searchDense(groups, tasks, build, found)
		for _, s := range g.stripes[len(g.stripes)*w/workers : len(g.stripes)*(w+1)/workers] {
			g.searchStripe(s, tasks, build, found)
		}
	})
	for i, t := range tasks {
		for side, l := range []*leaf{t.small, t.large} {
			if l == nil {
				continue
			}
			for w := range ws {
				if c := &ws[w].best[2*i+side]; c.gain > l.best.bar(c.feature) {
					l.best = *c
				}
			}
			// Release the histograms if the leaf will not be split, or if memory is full: the leaf
			// can be split without them.
			if l.best.gain <= 0 || g.full() {
				g.release(l)
			}
		}
	}
	return ctx.Err()
}

// A task finds the best splits of two siblings, or of the root, which is then small.
type task struct {
	small, large *leaf
	scan         [2]bool   // whether each leaf may be split
	allowed      [2][]bool // features that may split each leaf; nil for all features of the tree
	least        [2]int64  // minimum Hessian of a side
	subtract     bool      // whether large has the histograms of both
}

// searchDense searches the histograms of the groups for all tasks. For the leaves in build, it
// first computes the histograms of features that share a column.
func (g *Grower) searchDense(groups []int, tasks []task, build []*leaf, found *found) {
	for _, group := range groups {
		for k := group * 8; k < min(group*8+8, len(g.b.columns)); k++ {
			for _, l := range build {
				g.b.marginals(l.hist, k)
			}
			for _, f := range g.b.columns[k] {
				if g.may(f) {
					g.searchFeature(f, tasks, found)
				}
			}
		}
	}
}

// searchFeature searches the histograms of dense feature f for all tasks.
func (g *Grower) searchFeature(f int32, tasks []task, found *found) {
	for i := range tasks {
		t := &tasks[i]
		own := g.cells(t.small, f)
		if t.scan[1] {
			rest := g.cells(t.large, f)
			if t.subtract {
				trees.SubI64(rest, rest, own)
			}
			if t.may(1, f) {
				g.scan(t.large, f, t.least[1], rest, &found.best[2*i+1], &found.order)
			}
		}
		if t.scan[0] && t.may(0, f) {
			g.scan(t.small, f, t.least[0], own, &found.best[2*i], &found.order)
		}
	}
}

// searchStripe builds the histograms of the leaves in build for a stripe, and searches the
// histograms of the stripe for all tasks.
func (g *Grower) searchStripe(st *stripe, tasks []task, build []*leaf, found *found) {
	for _, l := range build {
		g.sparseHistograms(l, st)
	}
	s := &g.b.sparse
	for i := range tasks {
		t := &tasks[i]
		if t.subtract && t.scan[1] {
			rest := t.large.hist[st.at:][:st.cells]
			trees.SubI64(rest, rest, t.small.hist[st.at:][:st.cells])
		}
		for side, l := range []*leaf{t.small, t.large} {
			if !t.scan[side] {
				continue
			}
			least, best := max(t.least[side], 1), &found.best[2*i+side]
			for k := st.from; k < st.to; k++ {
				// One side of every split has no rows in the usual bin.
				lo, hi := s.at[k], s.at[k+1]
				others := l.total - l.hist[lo+int(s.usual[k])]
				if _, hess := trees.GradHess(others); int64(hess) < least ||
					hi-lo == 2 && hopeless(l.total, others, l.lambda, l.base, best.gain) {
					continue
				}
				if f := s.features[k]; g.may(f) && t.may(side, f) {
					g.scan(l, f, t.least[side], l.hist[lo:hi], best, &found.order)
				}
			}
		}
	}
}
