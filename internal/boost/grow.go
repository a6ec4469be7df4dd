package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
)

// A Grower grows one tree after another on the same bins. Its sums are integers, so results depend
// neither on threads nor on how a histogram was computed.
type Grower struct {
	o    *Params
	b    *Bins
	team *parallel.Team

	splittable []bool    // features with different sampled values that Interactions does not exclude
	drawn      []bool    // features that the tree may use
	sets       [][]int   // Interactions, with feature numbers of b
	groups     []int     // groups of eight columns with features that the tree may use
	stripes    []*stripe // stripes of sparse features that the tree may use

	// The rows on which the tree is grown, and the cell of each. They are divided into parts for
	// threads, and each part is divided into spans by leaf. The rows of a leaf are its spans in all
	// parts.
	rows, tmpRows []uint32
	gh, tmpGH     []int64
	grad, hess    []float32 // derivatives of all rows, in the units of the loss
	whole         bool      // whether rows contains all rows in order
	parts         int
	marks         []uint8 // one per row; 0 between divisions; see column
	away          *away   // not nil if all rows are in shards and none are here

	// If the bins have no cols, the columns that have divided the most rows are kept for
	// partitions.
	kept    [][]uint8
	keptOf  []int // the column in each element of kept; −1 for none
	divided []int // for each column, the number of rows that it has divided

	key  uint64  // the key of the root's random draws
	Rate float64 // learning rate of the tree

	unit   Units
	leaves []leaf
	spans  []span // leaf l has the span l·parts+p in part p
	cuts   []division
	level  []siblings // leaves of the next level, which are searched when the first of them is split
	free   [][]int64  // histograms that no leaf uses
	gains  []float64  // scratch memory of releaseRest
	found  []found    // one per worker
	held   int64      // bytes of histograms
	keep   int64      // limit of held above which leaves do not keep histograms
}

// A leaf belongs to the tree that is being grown.
type leaf struct {
	id    int
	rows  int
	total int64 // the sum of its rows, as a cell
	worth
	depth  int
	key    uint64  // the key of its random draws, which depends only on the path from the root
	above  []int32 // features of the splits above the leaf, if Interactions needs them
	parent int32   // the split above the leaf; −1 for the root
	right  bool    // whether it is the right child
	hist   []int64
	built  bool    // whether hist has been built by shards
	lambda float64 // L2 of a split, and the loss reduction that it must exceed; see Grower.undivided
	base   float64
	best   candidate
}

// A candidate is a possible split of a leaf.
type candidate struct {
	feature     int32
	bin         int // for a numerical feature: bins 0 to bin go left
	missingLeft bool
	categorical bool
	left        [4]uint64 // bins that go left
	total       int64     // the sum of the left side, as a cell
	lambda      float64   // L2 of the two sides
	gain        float64   // compared with the undivided leaf; 0 if there is no candidate
}

// bar returns the gain that a candidate of feature f must exceed. Of candidates with equal gains,
// the one with the first feature wins, in whatever order features are searched.
func (c *candidate) bar(f int32) float64 {
	if f < c.feature {
		return math.Nextafter(c.gain, 0)
	}
	return c.gain
}

// A division is a split that was made.
type division struct {
	leaf    int // the leaf that became the left child; the right child is a new leaf
	feature int32
	left    [4]uint64
	lambda  float64 // L2 of the two leaves
	order   int     // required order of the two values: see trees.SplitBound
}

// A span is a range of Grower.rows.
type span struct{ lo, hi int }

// found is the scratch memory of a worker.
type found struct {
	best  []candidate // one per searched leaf
	order categoryOrder
	tile  []uint8  // scratch memory of trees.HistogramU8
	share []int64  // histograms of the worker's share of a leaf's rows
	at    []int    // for each leaf and part, the end of the rows in the histograms
	_     [64]byte // prevents false sharing between workers
}

// siblings are the numbers of two leaves, the one with fewer rows first; or of the root and −1.
type siblings [2]int

// NewGrower returns a grower of trees on the rows of b. The caller sets the derivatives before each
// tree.
func NewGrower(o *Params, b *Bins, team *parallel.Team, grad, hess []float32) *Grower {
	g := &Grower{
		o: o, b: b, team: team, grad: grad, hess: hess,
		splittable: make([]bool, b.features),
		drawn:      make([]bool, b.features),
		rows:       make([]uint32, b.rows),
		tmpRows:    make([]uint32, b.rows),
		gh:         make([]int64, b.rows),
		tmpGH:      make([]int64, b.rows),
		found:      make([]found, team.Workers()),
		keep:       KeepBytes,
		Rate:       o.LearningRate,
	}
	for w := range g.found {
		g.found[w].tile = make([]uint8, trees.HistogramTile*b.stride)
	}
	for f := range b.feature {
		g.splittable[f] = b.feature[f].splittable() && len(o.Interactions) == 0
	}
	for _, set := range o.Interactions {
		set = b.occurring(set)
		g.sets = append(g.sets, set)
		for _, f := range set {
			g.splittable[f] = b.feature[f].splittable()
		}
	}
	if len(b.sparse.features) > 0 {
		g.marks = make([]uint8, b.rows)
	}
	if b.cols == nil {
		n := (len(b.columns) + keptColumns - 1) / keptColumns
		g.kept, g.keptOf, g.divided = make([][]uint8, n), slices.Repeat([]int{-1}, n), make([]int, len(b.columns))
	}
	return g
}

// Scale converts the derivatives of the first n rows to cells and returns their sum.
func (g *Grower) Scale(ctx context.Context, n int, unit Units) (total int64, err error) {
	g.unit = unit
	tasks := (n + RowTask - 1) / RowTask
	totals := make([]int64, tasks)
	err = g.team.For(ctx, tasks, func(_, task int) {
		lo, hi := task*RowTask, min((task+1)*RowTask, n)
		gh := g.gh[lo:hi]
		total := int64(0)
		for i, r := range g.rows[lo:hi] {
			gh[i] = unit.cell(g.grad[r], g.hess[r])
			total += gh[i]
		}
		totals[task] = total
	})
	for _, t := range totals {
		total += t
	}
	return total, err
}

// RowTask is the number of rows per task.
const RowTask = 1 << 14

// Grow grows a tree on the first n rows, whose cells sum to total. It uses only sampled features.
// The tree has no split if no split is allowed.
func (g *Grower) Grow(ctx context.Context, n int, total int64) (*Tree, error) {
	g.groups, g.stripes = g.groups[:0], g.stripes[:0]
	for k, fs := range g.b.columns {
		if (len(g.groups) == 0 || g.groups[len(g.groups)-1] != k/8) && slices.ContainsFunc(fs, g.may) {
			g.groups = append(g.groups, k/8)
		}
	}
	for i := range g.b.sparse.stripes {
		if s := &g.b.sparse.stripes[i]; slices.ContainsFunc(g.b.sparse.features[s.from:s.to], g.may) {
			g.stripes = append(g.stripes, s)
		}
	}
	for i := range g.leaves {
		g.release(&g.leaves[i])
	}
	if g.away != nil {
		var err error
		if total, err = g.away.root(ctx, g); err != nil {
			return nil, err
		}
	}
	g.cuts = g.cuts[:0]
	g.parts = min(g.team.Workers(), 1+n/partRows)
	g.spans = g.spans[:0]
	for p := range g.parts {
		g.spans = append(g.spans, span{n * p / g.parts, n * (p + 1) / g.parts})
	}
	g.leaves = append(g.leaves[:0], leaf{rows: n, total: total, parent: -1, key: g.key,
		worth: g.rootWorth(totalsOf(total))})
	t := &Tree{}
	g.level = append(g.level[:0], siblings{0, -1})
	for len(g.leaves) < g.o.Leaves {
		l := g.next()
		if l < 0 && len(g.level) > 0 {
			if err := g.searchLevel(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if l < 0 {
			break
		}
		if err := g.split(ctx, t, l); err != nil {
			return nil, err
		}
	}
	sums, err := g.sums(ctx, n)
	if err != nil {
		return nil, err
	}
	g.settle(t, sums)
	return t, nil
}

// sums returns the sums of the leaves of a tree, grown on the first n rows.
func (g *Grower) sums(ctx context.Context, n int) ([]Leaf, error) {
	if g.away != nil {
		return g.away.sums(ctx, g)
	}
	g.label(n)
	parts := make([][]Leaf, g.team.Workers())
	for i := range parts {
		parts[i] = make([]Leaf, len(g.leaves))
	}
	rows := len(g.rows)
	err := g.team.For(ctx, (rows+RowTask-1)/RowTask, func(worker, task int) {
		lo, hi := task*RowTask, min((task+1)*RowTask, rows)
		grad, hess := g.grad[lo:hi], g.hess[lo:hi]
		for i, l := range g.LeafOf()[lo:hi] {
			g.unit.Add(&parts[worker][l], grad[i], hess[i])
		}
	})
	sums := parts[0]
	for l := range sums {
		for _, other := range parts[1:] {
			sums[l].Merge(other[l])
		}
		sums[l].Rows = int64(g.leaves[l].rows)
	}
	return sums, err
}

// may reports whether the tree may use feature f and a split by f is possible.
func (g *Grower) may(f int32) bool { return g.drawn[f] && g.splittable[f] }

// next returns the leaf to split, or −1 if there is none. With DepthWise, all searched leaves are
// on one level.
func (g *Grower) next() int {
	best, most := -1, 0.0
	for i := range g.leaves {
		if gain := g.leaves[i].best.gain; gain > most {
			best, most = i, gain
		}
	}
	return best
}

// split splits leaf i by its best candidate, adds the split to t and searches the two new leaves.
func (g *Grower) split(ctx context.Context, t *Tree, i int) error {
	old := g.leaves[i]
	c := &old.best
	s := int32(len(t.Feature))
	if p := old.parent; p >= 0 {
		if old.right {
			t.Right[p] = s
		} else {
			t.Left[p] = s
		}
	}
	g.write(t, &old, i)
	cut := division{leaf: i, feature: c.feature, left: c.left, lambda: c.lambda}
	// A split at the last bound separates missing values from all others, so no order applies to
	// it.
	if !c.categorical && c.bin < len(g.b.feature[c.feature].Bounds)-1 {
		cut.order = g.order(c.feature)
	}
	g.cuts = append(g.cuts, cut)

	g.whole = false
	g.spans = append(g.spans, g.spans[i*g.parts:(i+1)*g.parts]...)
	above := old.above
	if len(g.o.Interactions) > 0 {
		above = append(slices.Clip(above), c.feature)
	}
	l := leaf{id: i, total: c.total, depth: old.depth + 1, key: num.Mix(old.key + 1), above: above, parent: s}
	if g.away == nil { // shards count the rows when the next level is searched
		l.rows = g.partition(i, len(g.leaves))
	}
	r := leaf{id: len(g.leaves), rows: old.rows - l.rows, total: old.total - c.total, depth: old.depth + 1,
		key: num.Mix(old.key + 2), above: above, parent: s, right: true}
	l.worth, r.worth = g.sides(&old.worth, &cut, totalsOf(l.total), totalsOf(r.total))
	g.leaves[i] = l
	g.leaves = append(g.leaves, r)
	if len(g.leaves) == g.o.Leaves {
		g.leaves[i].hist = old.hist // released with the leaf
		return ctx.Err()
	}
	small, large := i, len(g.leaves)-1
	if g.size(small) > g.size(large) {
		small, large = large, small
	}
	g.leaves[large].hist = old.hist
	g.level = append(g.level, siblings{small, large})
	if g.o.DepthWise {
		return ctx.Err()
	}
	err := g.searchLevel(ctx)
	g.releaseRest()
	return err
}

// releaseRest releases the histograms of leaves that will not be split: leaves with smaller gains
// than as many others as splits are left.
func (g *Grower) releaseRest() {
	left := g.o.Leaves - len(g.leaves)
	if len(g.leaves) <= left {
		return
	}
	g.gains = g.gains[:0]
	for i := range g.leaves {
		g.gains = append(g.gains, g.leaves[i].best.gain)
	}
	slices.Sort(g.gains)
	least := g.gains[len(g.gains)-left]
	for i := range g.leaves {
		if l := &g.leaves[i]; l.best.gain < least {
			g.release(l)
		}
	}
}

// size returns the number of rows of leaf i. With shards, which alone know the rows at first, it
// returns the Hessian of the leaf instead.
func (g *Grower) size(i int) int {
	if g.away == nil {
		return g.leaves[i].rows
	}
	_, hess := trees.GradHess(g.leaves[i].total)
	return int(hess)
}

// searchLevel searches the leaves of the next level. Each search covers as many leaves as may have
// histograms at the same time.
func (g *Grower) searchLevel(ctx context.Context) error {
	// If no feature can be split, histograms have no cells.
	most := max(int(g.keep/int64(8*max(g.b.cells, 1)))/2, 1)
	for i := 0; i < len(g.level); i += most {
		if err := g.search(ctx, g.level[i:min(i+most, len(g.level))]); err != nil {
			return err
		}
	}
	g.level = g.level[:0]
	return nil
}

// write appends the best split of leaf i to t.
func (g *Grower) write(t *Tree, l *leaf, i int) {
	c := &l.best
	t.Feature = append(t.Feature, g.b.columnOf(c.feature))
	t.MissingLeft = append(t.MissingLeft, c.missingLeft)
	t.ZeroMissing = append(t.ZeroMissing, g.o.ZeroMissing)
	t.Left = append(t.Left, int32(^i))
	t.Right = append(t.Right, int32(^len(g.leaves)))
	t.Gain = append(t.Gain, g.unit.gain(c.gain))
	t.Count = append(t.Count, int64(l.rows))
	var threshold float32
	var set []uint32
	if b := &g.b.feature[c.feature]; c.categorical {
		for bin, v := range b.Categories {
			if c.left[bin/64]>>(bin%64)&1 != 0 {
				for int(v/32) >= len(set) {
					set = append(set, 0)
				}
				set[v/32] |= 1 << (v % 32)
			}
		}
	} else {
		threshold = b.Bounds[c.bin]
	}
	t.Threshold = append(t.Threshold, threshold)
	if set != nil && t.Categories == nil {
		t.Categories = make([][]uint32, len(t.Feature)-1)
	}
	if t.Categories != nil {
		t.Categories = append(t.Categories, set)
	}
}

// order returns 1 if scores must increase with feature f, −1 if they must decrease, and 0
// otherwise.
func (g *Grower) order(f int32) int {
	if j := int(g.b.columnOf(f)); j < len(g.o.Monotone) {
		return int(g.o.Monotone[j])
	}
	return 0
}

// maySplit reports whether the leaf has enough rows for a split and is not too deep.
func (g *Grower) maySplit(l *leaf) bool {
	return l.rows >= 2 && l.rows/2 >= g.o.MinRows && (g.o.Depth == 0 || l.depth < g.o.Depth)
}
