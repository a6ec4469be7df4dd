package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
)

// A Grower grows one tree after another on the same bins. Its sums are integers, so that neither
// threads nor the way in which a histogram came about change a bit.
type Grower struct {
	o    *Params
	b    *Bins
	team *parallel.Team

	splittable []bool    // features that have two bins or more, and that Interactions do not rule out
	drawn      []bool    // features that the tree may look at
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

// NewGrower returns the grower of trees on the rows of b, by derivatives that the caller sets
// before each tree.
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
		g.splittable[f] = b.feature[f].Bins > 1 && len(o.Interactions) == 0
	}
	for _, set := range o.Interactions {
		for _, f := range set {
			g.splittable[f] = b.feature[f].Bins > 1
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

// Grow grows a tree on the first n rows, of which total is the sum. Only features that are drawn
// are looked at. The tree has no split when none is allowed.
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

// label finds the leaf of each row, and clears the derivatives of the rows after the first n, on
// which the tree was not grown.
func (g *Grower) label(n int) {
	var others []span
	if n < len(g.rows) {
		others = g.place(n)
	}
	leafOf := g.LeafOf()
	// The context is not asked, because no row may keep a leaf of another tree.
	g.team.For(context.Background(), len(g.spans), func(_, task int) {
		for _, r := range g.rows[g.spans[task].lo:g.spans[task].hi] {
			leafOf[r] = uint32(task / g.parts)
		}
	})
	for l, s := range others {
		for _, r := range g.rows[s.lo:s.hi] {
			leafOf[r] = uint32(l)
			g.grad[r], g.hess[r] = 0, 0
		}
	}
}

// LeafOf returns the leaf of each row in the tree that was grown last. They are in the scratch of
// partitions, which a complete tree no longer needs.
func (g *Grower) LeafOf() []uint32 { return g.tmpRows }

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

// partRows is the number of rows from which two parts are better than one.
const partRows = 1 << 14

// partition sorts the rows of leaf l by the division made last into those of l and those of leaf r,
// and returns how many stay in l.
func (g *Grower) partition(l, r int) int {
	left, right := g.spans[l*g.parts:(l+1)*g.parts], g.spans[r*g.parts:(r+1)*g.parts]
	c := &g.cuts[len(g.cuts)-1]
	col, stride, set := g.column(c, g.leaves[l].rows)
	defer g.unmark(c)
	do := func(p int) {
		m := g.divide(left[p], col, stride, &set)
		left[p].hi, right[p].lo = m, m
	}
	if rows := g.leaves[l].rows; g.parts > 1 && rows >= serialRows {
		g.team.Run(g.parts, do)
	} else {
		for p := range g.parts {
			do(p)
		}
	}
	n := 0
	for _, s := range left {
		n += s.hi - s.lo
	}
	return n
}

// serialRows is the number of rows of a leaf from which partitions are shared among threads.
const serialRows = 4096

// keptColumns is how many columns there are for each that is kept.
const keptColumns = 8

// keptColumn returns column k, which divides n rows, if it is kept. It takes the place of another
// one when it has divided half as many rows more as there are: a copy takes the time of dividing
// all of them without.
func (g *Grower) keptColumn(k, n int) []uint8 {
	g.divided[k] += n
	least := 0 // kept column
	for i, of := range g.keptOf {
		if of == k {
			return g.kept[i]
		}
		if last := g.keptOf[least]; last >= 0 && (of < 0 || g.divided[of] < g.divided[last]) {
			least = i
		}
	}
	most := 0
	if of := g.keptOf[least]; of >= 0 {
		most = g.divided[of]
	}
	if g.divided[k] < most+g.b.rows/2 {
		return nil
	}
	if g.kept[least] == nil {
		g.kept[least] = make([]uint8, g.b.rows)
	}
	g.keptOf[least] = k
	col, parts := g.kept[least], g.team.Workers()
	g.team.Run(parts, func(p int) {
		for i := g.b.rows * p / parts; i < g.b.rows*(p+1)/parts; i++ {
			col[i] = g.b.wide[i*g.b.stride+k]
		}
	})
	return col
}

// column returns a column that tells the sides of a division of n rows, from one row to the next at
// a stride, and the values in it that go left. Of a sparse feature it is one of marks: 0 for the
// side of the usual bin, 1 for the other one.
func (g *Grower) column(c *division, n int) (col []uint8, stride int, left [4]uint64) {
	k, sparse := g.b.place(c.feature)
	if !sparse {
		d := g.b.digits[c.feature]
		left = g.b.leftOf(c.feature, &c.left)
		if g.b.cols != nil {
			return g.b.cols[d.column*g.b.rows:][:g.b.rows], 1, left
		}
		if col = g.keptColumn(d.column, n); col != nil {
			return col, 1, left
		}
		return g.b.wide[d.column:], g.b.stride, left
	}
	s := &g.b.sparse
	usual := c.goesLeft(s.usual[k])
	left[0] = 2
	if usual {
		left[0] = 1
	}
	rows, bins := s.of(k)
	for i, r := range rows {
		if c.goesLeft(bins[i]) != usual {
			g.marks[r] = 1
		}
	}
	return g.marks, 1, left
}

// unmark makes all marks 0 after a division.
func (g *Grower) unmark(c *division) {
	if k, sparse := g.b.place(c.feature); sparse {
		rows, _ := g.b.sparse.of(k)
		for _, r := range rows {
			g.marks[r] = 0
		}
	}
}

func (c *division) goesLeft(bin uint8) bool { return inSet(&c.left, bin) }

// divide sorts a span of rows by their values in a column, of which a set goes left, and returns
// where the right side begins.
func (g *Grower) divide(s span, col []uint8, stride int, left *[4]uint64) int {
	return s.lo + trees.PartitionRows(g.rows[s.lo:s.hi], g.gh[s.lo:s.hi], g.tmpRows[s.lo:s.hi], g.tmpGH[s.lo:s.hi], col,
		stride, left)
}

// write appends the best split of the leaf, number i, to t.
func (g *Grower) write(t *Tree, l *leaf, i int) {
	c := &l.best
	t.Feature = append(t.Feature, c.feature)
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
	if int(f) < len(g.o.Monotone) {
		return int(g.o.Monotone[f])
	}
	return 0
}

// maySplit reports whether the leaf is large enough to be split and not too deep.
func (g *Grower) maySplit(l *leaf) bool {
	return l.rows >= 2 && l.rows/2 >= g.o.MinRows && (g.o.Depth == 0 || l.depth < g.o.Depth)
}

// search finds the best splits of leaves. When the larger of two siblings holds the histograms of
// both together it gets its own by subtraction.
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
			// A leaf that will not be split needs its histograms no more, and it can be split
			// without.
			if l.best.gain <= 0 || g.full() {
				g.release(l)
			}
		}
	}
	return ctx.Err()
}

// A task is to find the best splits of two siblings, or of the root, which is small.
type task struct {
	small, large *leaf
	scan         [2]bool   // whether each may be split
	allowed      [2][]bool // features that each may be split by, nil for all that the tree may
	least        [2]int64  // Hessian of a side at least
	subtract     bool      // large holds the histograms of both
}

// searchDense searches the histograms of the groups in the tasks' leaves, of which some were built.
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

// searchFeature searches the histograms of a dense feature in the tasks' leaves.
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

// searchStripe builds the histograms of a stripe, and searches those of the tasks' leaves.
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
				// One side of a split has none of the usual bin.
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

// cells returns the histogram of feature f in a leaf.
func (g *Grower) cells(l *leaf, f int32) []int64 { return l.hist[g.b.at[f]:][:g.b.feature[f].Bins] }

// updates returns about how many cells are updated to search leaves of so many rows together: an
// entry of a row is one, and so are a few cells to sweep.
func (g *Grower) updates(rows, leaves int) int {
	n := len(g.groups) * 8 * (rows + 3*leaves*trees.HistogramCells)
	for _, s := range g.stripes {
		n += int(float64(len(s.entries))/float64(g.b.rows)*float64(rows)) + 3*leaves*s.cells
	}
	return n
}

// serialUpdates is the number of updates of histogram cells below which waking other threads does
// not pay.
const serialUpdates = 40_000

// KeepBytes is room for the histograms of all leaves in all but the largest trees. Tests change it.
var KeepBytes int64 = 1 << 30

// mappedRows is the number of rows whose bins are read for all leaves before the next when they are
// in a file.
const mappedRows = 1 << 16

// histograms builds the histograms of leaves for the groups, adjacent ones together. Where bins are
// in a file, the file is read once from its start to its end.
func (g *Grower) histograms(leaves []*leaf, groups []int, found *found) {
	step := g.b.rows
	if g.b.file != nil {
		step = mappedRows
	}
	found.at = found.at[:0]
	for _, l := range leaves {
		for _, group := range groups {
			clear(l.hist[group*8*trees.HistogramCells:][:8*trees.HistogramCells])
		}
		for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
			found.at = append(found.at, s.lo)
		}
	}
	for end := step; end < g.b.rows+step; end += step {
		for i, l := range leaves {
			for p, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
				from := found.at[i*g.parts+p]
				to := s.hi
				switch {
				case end >= g.b.rows:
				case g.whole:
					to = max(min(to, end), from)
				default:
					n, _ := slices.BinarySearch(g.rows[from:to], uint32(end))
					to = from + n
				}
				found.at[i*g.parts+p] = to
				g.addRows(l.hist, groups, from, to, found.tile)
			}
		}
	}
}

// shareRows is the number of rows per worker from which the histograms of a leaf are built by rows:
// each worker has as many of them, and reads the whole of each, but their sums have to be added.
const shareRows = 1 << 13

// histogramsOfShare builds the histograms of a worker's share of a leaf's rows: the leaf's own by
// worker 0.
func (g *Grower) histogramsOfShare(l *leaf, worker, workers int) {
	found := &g.found[worker]
	hist := l.hist
	if worker > 0 {
		if found.share == nil {
			found.share = make([]int64, g.b.stride*trees.HistogramCells)
		}
		hist = found.share
	}
	for _, group := range g.groups {
		clear(hist[group*8*trees.HistogramCells:][:8*trees.HistogramCells])
	}
	lo, hi := l.rows*worker/workers, l.rows*(worker+1)/workers
	for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
		n := s.hi - s.lo
		if from, to := max(lo, 0), min(hi, n); from < to {
			g.addRows(hist, g.groups, s.lo+from, s.lo+to, found.tile)
		}
		lo, hi = lo-n, hi-n
	}
}

// addShares adds the histograms of other shares to those of worker 0's.
func (g *Grower) addShares(hist []int64, groups []int, others []found) {
	for _, group := range groups {
		lo, hi := group*8*trees.HistogramCells, (group+1)*8*trees.HistogramCells
		for i := range others {
			sum := hist[lo:hi]
			for k, v := range others[i].share[lo:hi] {
				sum[k] += v
			}
		}
	}
}

// addRows adds rows to histograms.
func (g *Grower) addRows(hist []int64, groups []int, from, to int, tile []uint8) {
	if g.whole {
		g.b.addRows(hist, groups, from, nil, g.gh[from:to], tile)
	} else {
		g.b.addRows(hist, groups, 0, g.rows[from:to], g.gh[from:to], tile)
	}
}

// sparseHistograms builds the histograms of a leaf for a stripe. A usual bin gets what the other
// bins leave of the leaf's sum.
func (g *Grower) sparseHistograms(l *leaf, st *stripe) {
	part := l.hist[st.at : st.at+st.cells]
	clear(part)
	for _, s := range g.spans[l.id*g.parts : (l.id+1)*g.parts] {
		if g.whole {
			trees.HistogramU16(part, st.entries, st.offsets[s.lo:s.hi+1], nil, g.gh[s.lo:s.hi])
		} else {
			trees.HistogramU16(part, st.entries, st.offsets, g.rows[s.lo:s.hi], g.gh[s.lo:s.hi])
		}
	}
	s := &g.b.sparse
	for k := st.from; k < st.to; k++ {
		lo, hi := s.at[k], s.at[k+1]
		l.hist[lo+int(s.usual[k])] = l.total - trees.SumI64(l.hist[lo:hi])
	}
}

// take returns room for the histograms of a leaf.
func (g *Grower) take() []int64 {
	if n := len(g.free); n > 0 {
		h := g.free[n-1]
		g.free = g.free[:n-1]
		return h
	}
	h := make([]int64, g.b.cells)
	g.held += int64(8 * len(h))
	return h
}

// full reports whether leaves hold more histograms than they may.
func (g *Grower) full() bool {
	if len(g.free) == 0 {
		return g.held > g.keep
	}
	return g.held-int64(8*len(g.free)*len(g.free[0])) > g.keep
}

func (g *Grower) release(l *leaf) {
	if l.hist != nil {
		g.free = append(g.free, l.hist)
		l.hist = nil
	}
}

// place sorts the rows that the tree was not grown on, which stand behind the first n, into its
// leaves.
func (g *Grower) place(n int) []span {
	at := make([]span, len(g.leaves))
	at[0] = span{n, len(g.rows)}
	for i := range g.cuts {
		s := &at[g.cuts[i].leaf]
		col, stride, left := g.column(&g.cuts[i], s.hi-s.lo)
		m := g.divide(*s, col, stride, &left)
		g.unmark(&g.cuts[i])
		at[i+1] = span{m, s.hi}
		s.hi = m
	}
	return at
}

// Scale turns the derivatives of the first n rows into cells, of which it returns the sum.
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

// RowTask is the number of rows that a worker takes at a time.
const RowTask = 1 << 14

// Bytes returns the memory of histograms and of copied columns.
func (g *Grower) Bytes() int64 {
	n := g.held
	for _, col := range g.kept {
		n += int64(len(col))
	}
	for i := range g.found {
		n += int64(len(g.found[i].tile) + 8*len(g.found[i].share))
	}
	return n
}
