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

	splittable []bool    // features with different sampled values that Interactions do not rule out
	drawn      []bool    // features that the tree may look at
	sets       [][]int   // Interactions, as features of b
	groups     []int     // words of eight columns that hold one of those
	stripes    []*stripe // stripes of sparse columns that do

	// The rows that the tree is grown on, and the cell of each. They are cut into parts for
	// threads, and each part into leaves: the sums of a leaf are those of its spans in all parts.
	rows, tmpRows []uint32
	gh, tmpGH     []int64
	grad, hess    []float32 // of all rows, as the loss has them
	whole         bool      // rows are all rows in order
	parts         int
	marks         []uint8 // a row each, 0 between divisions; see column
	away          *away   // the rows are in shards, and nothing of them is here; else nil

	// Where the bins have no columns, those that divided most rows are kept for partitions.
	kept    [][]uint8
	keptOf  []int // numbers of the columns, −1 for none
	divided []int // of each column: rows that it divided

	key  uint64  // that the root draws by
	Rate float64 // learning rate of the tree

	unit   Units
	leaves []leaf
	spans  []span // of leaf l in part p at l·parts+p
	cuts   []division
	level  []siblings // leaves of the next level, which are searched when this one is split
	free   [][]int64  // histograms that no leaf holds
	gains  []float64  // scratch of releaseRest
	found  []found    // one a worker
	held   int64      // bytes of histograms
	keep   int64      // bytes above which leaves do not keep theirs
}

// A leaf of the tree that is being grown.
type leaf struct {
	id    int
	rows  int
	total int64 // the sum of its rows, a cell
	worth
	depth  int
	key    uint64  // that it draws by: of its way from the root alone
	above  []int32 // features of the splits above it, where Interactions asks for them
	parent int32   // split that it hangs on, −1 for the root
	right  bool    // as the right child
	hist   []int64
	built  bool    // hist has come from shards
	lambda float64 // of a split, and what it has to gain more than; see Grower.undivided
	base   float64
	best   candidate
}

// A candidate is a way to split a leaf.
type candidate struct {
	feature     int32
	bin         int // of a numerical feature: bins 0 to bin go left
	missingLeft bool
	categorical bool
	left        [4]uint64 // bins that go left
	total       int64     // cell of the left side
	lambda      float64   // L2 of its leaves
	gain        float64   // over the undivided leaf; 0 when there is none
}

// bar returns what a candidate of feature f has to gain more than: of equal gains the first feature
// counts, in whatever order they are looked at.
func (c *candidate) bar(f int32) float64 {
	if f < c.feature {
		return math.Nextafter(c.gain, 0)
	}
	return c.gain
}

// A division is a split that was made.
type division struct {
	leaf    int // that became the left child; the right one is a new leaf
	feature int32
	left    [4]uint64
	lambda  float64 // L2 of the two leaves
	order   int     // of their values: see trees.SplitBound
}

// A span is a part of the rows.
type span struct{ lo, hi int }

// found is the memory of a worker.
type found struct {
	best  []candidate // of the leaves that are searched
	order categoryOrder
	tile  []uint8  // scratch of trees.HistogramU8
	share []int64  // histograms of some of a leaf's rows
	at    []int    // of each leaf and part: rows before this are in the histograms
	_     [64]byte // keeps workers apart in the cache
}

// siblings are the numbers of two leaves, the one of fewer rows first, or of the root and −1.
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

// sums returns the sums of the leaves of a tree that was grown on the first n rows.
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

// may reports whether the tree may look at feature f, and to an end.
func (g *Grower) may(f int32) bool { return g.drawn[f] && g.splittable[f] }

// next returns the leaf to split, −1 when none is left. With DepthWise, those that have been
// searched are of one level.
func (g *Grower) next() int {
	best, most := -1, 0.0
	for i := range g.leaves {
		if gain := g.leaves[i].best.gain; gain > most {
			best, most = i, gain
		}
	}
	return best
}

// split divides leaf i by its best candidate, writes the split into t, and searches the two new
// leaves.
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
	// A split at the last bound, which separates missing values from all others, orders nothing.
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
	if g.away == nil { // shards divide rows when the next level is searched
		l.rows = g.partition(i, len(g.leaves))
	}
	r := leaf{id: len(g.leaves), rows: old.rows - l.rows, total: old.total - c.total, depth: old.depth + 1,
		key: num.Mix(old.key + 2), above: above, parent: s, right: true}
	l.worth, r.worth = g.sides(&old.worth, &cut, totalsOf(l.total), totalsOf(r.total))
	g.leaves[i] = l
	g.leaves = append(g.leaves, r)
	if len(g.leaves) == g.o.Leaves {
		g.leaves[i].hist = old.hist // to be released
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

// releaseRest releases the histograms of leaves that will not be split, for as many as there are
// splits left gain more.
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

// size returns the number of rows of leaf i or, as long as only shards know that, their Hessian.
func (g *Grower) size(i int) int {
	if g.away == nil {
		return g.leaves[i].rows
	}
	_, hess := trees.GradHess(g.leaves[i].total)
	return int(hess)
}

// searchLevel searches the leaves of the next level, as many at once as may hold their histograms.
func (g *Grower) searchLevel(ctx context.Context) error {
	// Where no feature can be split, histograms have no cells.
	most := max(int(g.keep/int64(8*max(g.b.cells, 1)))/2, 1)
	for i := 0; i < len(g.level); i += most {
		if err := g.search(ctx, g.level[i:min(i+most, len(g.level))]); err != nil {
			return err
		}
	}
	g.level = g.level[:0]
	return nil
}

// write appends the best split of the leaf, number i, to t.
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

// order returns 1 or −1 when the score must rise or fall with the feature, else 0.
func (g *Grower) order(f int32) int {
	if j := int(g.b.columnOf(f)); j < len(g.o.Monotone) {
		return int(g.o.Monotone[j])
	}
	return 0
}

// maySplit reports whether the leaf is large enough to be split and not too deep.
func (g *Grower) maySplit(l *leaf) bool {
	return l.rows >= 2 && l.rows/2 >= g.o.MinRows && (g.o.Depth == 0 || l.depth < g.o.Depth)
}
