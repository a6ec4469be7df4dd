package lambdamart

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A reading is the way in which splits read a feature. Splits with the same reading share a row of
// ranks or keys.
type reading struct {
	feature                  int32
	missingLeft, zeroMissing bool
	tree, split              int32 // of a split that is evaluated separately; otherwise tree is −1
}

// readings contains the readings of a list of trees.
type readings struct {
	list []Tree
	rows []reading // sorted by compare
	of   [][]int32 // index of the reading of each split, by tree
}

func newReadings(list []Tree) *readings {
	r := &readings{list: list, of: make([][]int32, len(list))}
	at := map[reading]int32{}
	for i := range list {
		t := &list[i]
		r.of[i] = make([]int32, len(t.Feature))
		for s, f := range t.Feature {
			v := reading{f, t.missingLeft(s), t.zeroMissing(s), -1, 0}
			if !t.compares(s) {
				v = reading{f, false, false, int32(i), int32(s)}
			}
			n, known := at[v]
			if !known {
				n = int32(len(r.rows))
				at[v], r.rows = n, append(r.rows, v)
			}
			r.of[i][s] = n
		}
	}
	unsorted := slices.Clone(r.rows)
	slices.SortFunc(r.rows, func(a, b reading) int { return a.compare(b) })
	for n, v := range r.rows {
		at[v] = int32(n)
	}
	place := make([]int32, len(unsorted))
	for n, v := range unsorted {
		place[n] = at[v]
	}
	for _, of := range r.of {
		for s, n := range of {
			of[s] = place[n]
		}
	}
	return r
}

// compares reports whether a search can evaluate a split as a comparison. Other splits, such as
// categorical ones, are evaluated separately.
func (t *Tree) compares(s int) bool {
	return !t.categorical(s) && trees.RankSearchable(t.Threshold[s])
}

// of returns the value in a document.
func (r *reading) of(x []float32) float32 {
	if int(r.feature) < len(x) {
		return x[r.feature]
	}
	return 0
}

// compare orders readings. Readings that only compare values come first.
func (r *reading) compare(other reading) int {
	return cmp.Or(cmp.Compare(r.tree, other.tree), r.flags()-other.flags(), cmp.Compare(r.feature, other.feature),
		cmp.Compare(r.split, other.split))
}

// flags returns the flags of a row of [trees.RankTableF32].
func (r *reading) flags() (flags int) {
	if r.zeroMissing {
		flags = 1
	}
	if r.missingLeft {
		flags |= 1 << trees.RankLanes
	}
	return flags
}

// requestTrees contains trees that are prepared for single documents and packs. Usually they have
// one of two forms. They have both forms if the current tier has packs but traverses trees for
// single documents. They have neither if a tree is very large or splits read very many features.
type requestTrees struct {
	trees  []Tree
	ranked []rankedTrees // in the order of the trees
	walked *walkedTrees
	single bool // whether ranked is for single documents
	least  int  // minimum number of documents for which a pack is faster than single documents
	most   int  // maximum number of documents for which a pack is faster than a block
}

// newRequestTrees prepares valid trees.
func newRequestTrees(list []Tree) *requestTrees {
	leaves := 0
	for i := range list {
		leaves = max(leaves, len(list[i].Leaf))
	}
	d := &requestTrees{trees: list, single: trees.UseRanks(), least: math.MaxInt, most: trees.WalkMost(leaves)}
	r := newReadings(list)
	packs := trees.UsePacks()
	if d.single || packs {
		d.ranked = newRankedTrees(r, d.single, packs)
	}
	if packs && d.ranked != nil {
		d.least, d.most = trees.PackLeast(), trees.PackMost()
	}
	if d.ranked == nil || !d.single {
		d.walked = newWalkedTrees(r)
	}
	return d
}

// A requestWork is the workspace of a call.
type requestWork struct {
	tables trees.RankTables
	leaves trees.RankLeaves
	values [trees.RankRows]float32
	pack   trees.PackTable
	sums   [trees.PackSize]float64
	keys   []uint32

	data rank.Dataset // rows of a request
}

var requestWorks = sync.Pool{New: func() any { return new(requestWork) }}

// lanes returns the number of documents that are scored at once, given the number of documents.
func (d *requestTrees) lanes(docs int) int {
	if docs >= d.least {
		return min(docs, trees.PackSize)
	}
	return min(docs, trees.RankLanes)
}

// add adds the values of the first count trees to the scores of as many rows of x as lanes returns.
func (d *requestTrees) add(scores []float64, w *requestWork, x []float32, cols, stride, count int) {
	if len(scores) >= d.least {
		n := copy(w.sums[:], scores)
		for i := 0; i < len(d.ranked) && count > 0; i++ {
			r := &d.ranked[i]
			r.addPack(w, n, d.trees, x, cols, stride, min(count, r.count))
			count -= r.count
		}
		copy(scores, w.sums[:])
		return
	}
	if d.single && d.ranked != nil {
		for i := 0; i < len(d.ranked) && count > 0; i++ {
			r := &d.ranked[i]
			r.add(scores, w, d.trees, x, cols, stride, min(count, r.count))
			count -= r.count
		}
		return
	}
	for i := range scores {
		row := x[i*stride:][:cols]
		if d.walked != nil {
			scores[i] = d.walked.add(scores[i], w, row, count)
			continue
		}
		for k := range d.trees[:count] {
			t := &d.trees[k]
			scores[i] += t.Leaf[t.leafOf(row)]
		}
	}
}

// rankedTrees contains trees in the form of [trees.RankLeavesU8], of [trees.PackSumF64] or of both.
// One table of ranks decides all their splits.
type rankedTrees struct {
	count int

	features, groups []uint32 // for one document
	thresholds       []float32
	search           trees.RankSearch // for several documents
	sets             []set

	second            int // row at which the window of odd steps begins
	steps             []uint8
	slabs, widths     []uint32
	values            []float64
	stepsTo, valuesTo []int // end of the steps and values of each slab

	splits, pairs          []uint32 // for packs
	pairValues             []float64
	splitsTo, pairValuesTo []int // end of the splits and values of each pair
}

// A set is a row of a split that is evaluated separately: rank 0 goes left, and rank 1 goes right.
type set struct {
	row int
	*reading
}

// thresholds contains the thresholds of a table of ranks, indexed by reading.
type thresholds struct {
	*readings
	lists [][]float32 // in ascending order; empty for splits that are evaluated separately
	used  []int32     // readings of the table
	in    []bool      // whether a reading is in used
}

func (r *readings) thresholds() *thresholds {
	return &thresholds{r, make([][]float32, len(r.rows)), nil, make([]bool, len(r.rows))}
}

// add adds the thresholds of trees. It reports whether they all fit in a table of ranks.
func (h *thresholds) add(from, to int) bool {
	fit := true
	for i := from; i < to; i++ {
		t := &h.list[i]
		fit = fit && len(t.Leaf) <= math.MaxUint8
		for s, n := range h.of[i] {
			if !h.in[n] {
				h.in[n], h.used = true, append(h.used, n)
			}
			if h.rows[n].tree >= 0 {
				continue
			}
			if at, found := slices.BinarySearch(h.lists[n], t.Threshold[s]); !found {
				h.lists[n] = slices.Insert(h.lists[n], at, t.Threshold[s])
				fit = fit && len(h.lists[n]) <= math.MaxUint8
			}
		}
		fit = fit && len(h.used) <= trees.RankRows
		if !fit {
			return false
		}
	}
	return true
}

// newRankedTrees returns nil if no table of ranks can decide the splits of a slab, or if a tree has
// more than 255 leaves.
func newRankedTrees(all *readings, single, packs bool) []rankedTrees {
	var ranked []rankedTrees
	for from, to := 0, 0; from < len(all.list); from = to {
		h, fit := all.thresholds(), true
		for fit && to < len(all.list) {
			next := min(to+trees.RankSlab, len(all.list))
			if fit = h.add(to, next); fit {
				to = next
			}
		}
		if to == from {
			return nil
		}
		if !fit {
			h = all.thresholds()
			h.add(from, to)
		}
		r := rankedTrees{count: to - from}
		rowOf := r.table(h)
		for lo := from; single && lo < to; lo += trees.RankSlab {
			r.slab(lo, min(lo+trees.RankSlab, to), h, rowOf)
		}
		for lo := from; packs && lo < to; lo += 2 {
			r.pair(lo, min(lo+2, to), h, rowOf)
		}
		r.stepsTo, r.valuesTo = append(r.stepsTo, len(r.steps)), append(r.valuesTo, len(r.values))
		r.splitsTo, r.pairValuesTo = append(r.splitsTo, len(r.splits)), append(r.pairValuesTo, len(r.pairValues))
		ranked = append(ranked, r)
	}
	return ranked
}

// table builds the rows of ranks, and returns the row of each reading. Rows with similar numbers of
// thresholds form a group, because each row takes as long as the longest row of its group. Large
// groups are in the middle, so that any step can evaluate most splits.
func (r *rankedTrees) table(h *thresholds) []uint8 {
	slices.SortFunc(h.used, func(a, b int32) int { return cmp.Or(len(h.lists[a])-len(h.lists[b]), int(a-b)) })
	rowOf := make([]uint8, len(h.rows))
	groups := slices.Collect(slices.Chunk(h.used, trees.RankLanes))
	for g := range groups {
		from := trees.RankLanes * g
		group := groups[min(2*g, 2*(len(groups)-g)-1)]
		n := len(h.lists[group[len(group)-1]])
		var features [trees.RankLanes]uint32
		at := len(r.thresholds)
		// Pad the thresholds of shorter rows: no value is above +∞.
		r.thresholds = append(r.thresholds, slices.Repeat([]float32{float32(math.Inf(1))}, trees.RankLanes*n)...)
		flags := 0
		for i, number := range group {
			v := &h.rows[number]
			rowOf[number] = uint8(from + i)
			features[i] = uint32(v.feature)
			flags |= v.flags() << i
			for j, t := range h.lists[number] {
				r.thresholds[at+trees.RankLanes*j+i] = t
			}
			if v.tree >= 0 {
				r.sets = append(r.sets, set{from + i, v})
			}
		}
		r.features = append(r.features, features[:]...)
		r.groups = append(r.groups, uint32(n), uint32(flags))
	}
	r.second = max(len(r.features)-trees.RankWindow, 0)
	// Sort rows of a tile that are searched in the same way next to each other, so that branches
	// are predictable.
	slices.SortFunc(h.used, func(a, b int32) int {
		return cmp.Or(cmp.Compare(h.rows[a].feature/trees.RankLanes, h.rows[b].feature/trees.RankLanes),
			len(h.lists[a])-len(h.lists[b]), int(a-b))
	})
	for _, number := range h.used {
		v := &h.rows[number]
		r.search.Add(rowOf[number], uint32(v.feature), h.lists[number], v.missingLeft, v.zeroMissing)
	}
	return rowOf
}

// slab appends trees.
func (r *rankedTrees) slab(from, to int, h *thresholds, rowOf []uint8) {
	list := h.list
	width := 0
	for i := from; i < to; i++ {
		width = max(width, len(list[i].Leaf))
	}
	width = (width + 7) &^ 7 // values of a tree begin at a cache line
	r.stepsTo, r.valuesTo = append(r.stepsTo, len(r.steps)), append(r.valuesTo, len(r.values))
	r.widths = append(r.widths, uint32(width))
	var none [2 * trees.StepLength]uint8
	for i := range trees.RankSlab {
		none[trees.StepFirst+i] = trees.NoSplit
		none[trees.StepLength+trees.StepFirst+i] = trees.NoSplit
	}
	var steps []uint8
	values := make([]float64, trees.RankSlab*width)
	var w walk
	var ready []int32 // splits whose parents were processed, in preorder
	for i := from; i < to; i++ {
		t := &list[i]
		w.preorder(t)
		for n, leaf := range w.leaves {
			values[width*(i-from)+n] = t.Leaf[leaf]
		}
		place := make([]int32, len(w.splits)) // index of each split in preorder
		for n, s := range w.splits {
			place[s] = int32(n)
		}
		if ready = ready[:0]; len(w.splits) > 0 {
			ready = append(ready, 0)
		}
		for step := 0; len(ready) > 0; step++ {
			if step*trees.StepLength == len(steps) {
				steps = append(steps, none[:]...)
			}
			k := r.choose(ready, step%2*r.second, func(n int32) int { return int(rowOf[h.of[i][w.splits[n]]]) })
			if k < 0 {
				continue
			}
			n := ready[k]
			ready = slices.Delete(ready, k, k+1)
			s := w.splits[n]
			for _, child := range []int32{t.Left[s], t.Right[s]} {
				if child >= 0 {
					ready = append(ready, place[child])
				}
			}
			number := h.of[i][s]
			limit, _ := slices.BinarySearch(h.lists[number], t.Threshold[s])
			at := steps[step*trees.StepLength+i-from:]
			at[trees.StepRow] = rowOf[number] - uint8(step%2*r.second)
			at[trees.StepLimit] = uint8(limit)
			at[trees.StepFirst], at[trees.StepRight] = uint8(w.first[n]), uint8(w.first[n]+w.left[n])
		}
	}
	r.slabs = append(r.slabs, uint32(len(steps)/len(none)))
	r.steps, r.values = append(r.steps, steps...), append(r.values, values...)
}

// pair appends one or two trees.
func (r *rankedTrees) pair(from, to int, h *thresholds, rowOf []uint8) {
	width, steps := 0, 0
	for _, t := range h.list[from:to] {
		width, steps = max(width, len(t.Leaf)), max(steps, len(t.Feature))
	}
	r.splitsTo, r.pairValuesTo = append(r.splitsTo, len(r.splits)), append(r.pairValuesTo, len(r.pairValues))
	none := trees.PackSplit(0, 0, trees.NoSplit, 0)
	splits := slices.Repeat([]uint32{none}, 2*steps)
	values := make([]float64, 2*width)
	var w walk
	for i, t := range h.list[from:to] {
		w.preorder(&t)
		for n, leaf := range w.leaves {
			values[width*i+n] = t.Leaf[leaf]
		}
		for n, s := range w.splits {
			number := h.of[from+i][s]
			limit, _ := slices.BinarySearch(h.lists[number], t.Threshold[s])
			splits[2*n+i] = trees.PackSplit(rowOf[number], uint8(limit+1), uint8(w.first[n]), uint8(w.left[n]))
		}
	}
	r.pairs = append(r.pairs, uint32(steps), uint32(width))
	r.splits, r.pairValues = append(r.splits, splits...), append(r.pairValues, values...)
}

// choose returns the index of a split whose row is in the window of a step, preferably outside the
// other window. It returns −1 if there is none.
func (r *rankedTrees) choose(ready []int32, window int, rowOf func(int32) int) int {
	best := -1
	for k, n := range ready {
		row := rowOf(n)
		if row < window || row >= window+trees.RankWindow {
			continue
		}
		if best = k; row < r.second || row >= trees.RankWindow {
			break
		}
	}
	return best
}

// rankedFew is the maximum number of documents for which it is faster to compute tables of ranks
// one by one than together.
const rankedFew = 4

func (r *rankedTrees) add(scores []float64, w *requestWork, list []Tree, x []float32, cols, stride, count int) {
	tables := w.tables.Ranks[:len(scores)]
	if len(scores) > rankedFew {
		trees.RankTablesF32(&w.tables, x, len(scores), cols, stride, &r.search)
	} else {
		for d := range tables {
			trees.RankTableF32(&tables[d], &w.values, x[d*stride:][:cols], r.features, r.groups, r.thresholds)
		}
	}
	for d := range tables {
		for _, v := range r.sets {
			tables[d][v.row] = 1
			if list[v.tree].GoesLeft(int(v.split), v.of(x[d*stride:][:cols])) {
				tables[d][v.row] = 0
			}
		}
	}
	const slabs = trees.RankTrees / trees.RankSlab
	for from := 0; from*trees.RankSlab < count; from += slabs {
		n := min(count-from*trees.RankSlab, trees.RankTrees)
		to := from + (n+trees.RankSlab-1)/trees.RankSlab
		steps, values := r.steps[r.stepsTo[from]:r.stepsTo[to]], r.values[r.valuesTo[from]:r.valuesTo[to]]
		trees.RankLeavesU8(w.leaves.Leaves[:len(scores)], tables, r.second, steps, r.slabs[from:to])
		trees.RankSumF64(scores, &w.leaves, r.widths[from:to], values, n)
	}
}

// addPack adds values to w.sums for the given number of documents.
func (r *rankedTrees) addPack(w *requestWork, docs int, list []Tree, x []float32, cols, stride, count int) {
	trees.PackRanksF32(&w.pack, x, docs, cols, stride, &r.search)
	for _, v := range r.sets {
		for d := range docs {
			rank := uint8(1)
			if list[v.tree].GoesLeft(int(v.split), v.of(x[d*stride:][:cols])) {
				rank = 0
			}
			w.pack.Ranks[v.row][d] = trees.PackRank(rank)
		}
	}
	for from := 0; from < count; from += trees.RankTrees {
		n := min(count-from, trees.RankTrees)
		lo, hi := from/2, (from+n+1)/2
		trees.PackSumF64(w.sums[:(docs+7)&^7], &w.pack.Ranks, r.splits[r.splitsTo[lo]:r.splitsTo[hi]],
			r.pairs[2*lo:2*hi], r.pairValues[r.pairValuesTo[lo]:r.pairValuesTo[hi]], n)
	}
}

// walkedTrees contains trees in the form of [trees.WalkF64].
type walkedTrees struct {
	list     []Tree
	features []uint32  // key rows of readings that only compare values
	rows     []reading // the other rows
	cells    []uint64
	roots    []uint32
}

// newWalkedTrees returns nil if a tree has more than about 16,000 leaves or mostLevels levels, or
// if splits read more than 65,536 features.
func newWalkedTrees(all *readings) *walkedTrees {
	if len(all.rows) > math.MaxUint16+1 {
		return nil
	}
	w := &walkedTrees{list: all.list}
	for _, v := range all.rows {
		if v.tree < 0 && v.flags() == 0 {
			w.features = append(w.features, uint32(v.feature))
		}
	}
	w.rows = all.rows[len(w.features):]
	for i := range all.list {
		if !w.tree(i, all.of[i]) {
			return nil
		}
	}
	return w
}

// mostLevels is the maximum depth of walkedTrees. Their children are appended recursively, so
// chains of millions of splits would overflow the stack.
const mostLevels = math.MaxUint16

// tree appends a tree. It reports whether its cells are close enough to each other.
func (w *walkedTrees) tree(i int, rowOf []int32) bool {
	t := &w.list[i]
	root, levels, far := len(w.cells), 0, 0
	w.cells = append(w.cells, 0, 0, 0)
	var put func(at int, node int32, level int)
	put = func(at int, node int32, level int) {
		if levels = max(levels, level); levels > mostLevels {
			return
		}
		if node < 0 {
			w.cells[at], w.cells[at+2] = trees.WalkLeaf, math.Float64bits(t.Leaf[^node])
			return
		}
		s := int(node)
		limit := trees.WalkKey(t.Threshold[s])
		if !t.compares(s) {
			limit = 0
		}
		next := len(w.cells)
		far = max(far, next-at)
		w.cells[at] = trees.WalkCell(uint16(next-at), uint16(rowOf[s]), limit)
		w.cells = append(w.cells, 0, 0)
		if t.Left[s] < 0 || t.Right[s] < 0 {
			w.cells = append(w.cells, 0, 0) // room for the leaf values
		}
		put(next, t.Left[s], level+1)
		put(next+1, t.Right[s], level+1)
	}
	put(root, t.root(), 0)
	w.roots = append(w.roots, uint32(root), uint32(levels))
	return levels <= mostLevels && far <= math.MaxUint16 && uint64(len(w.cells)) <= math.MaxUint32
}

func (w *walkedTrees) add(score float64, work *requestWork, x []float32, count int) float64 {
	n := len(w.features)
	if need := max(n+len(w.rows), 1); cap(work.keys) < need { // cells of leaves read the first key
		work.keys = make([]uint32, need)
	}
	keys := work.keys[:cap(work.keys)]
	trees.WalkKeysF32(keys[:n], x, w.features)
	for i := range w.rows {
		r := &w.rows[i]
		v := r.of(x)
		switch {
		case r.tree >= 0:
			keys[n+i] = 1
			if w.list[r.tree].GoesLeft(int(r.split), v) {
				keys[n+i] = 0
			}
		case v == v && (v != 0 || !r.zeroMissing):
			keys[n+i] = trees.WalkKey(v)
		case r.missingLeft:
			keys[n+i] = 0
		default:
			keys[n+i] = trees.WalkMissing
		}
	}
	return trees.WalkF64(score, keys, w.cells, w.roots[:2*count])
}
