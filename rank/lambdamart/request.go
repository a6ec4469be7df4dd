package lambdamart

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A reading is the way in which splits read a feature. Splits with the same reading share a row of
// ranks or keys.
type reading struct {
	missingKey
	missing     uint32 // bits of the value that is compared in place of missing values
	tree, split int32  // a set, which is a split that does not compare values; otherwise tree is −1
}

// readings contains the readings of a list of trees.
type readings struct {
	list   []Tree
	rows   []reading // sorted by compare
	ranked int       // number of rows that compare values; the rest are sets
	of     [][]int32 // index of the reading of each split, by tree
}

func newReadings(list []Tree) *readings {
	r := &readings{list: list, of: make([][]int32, len(list))}
	sides := missingSides{}
	for i := range list {
		t := &list[i]
		for s, f := range t.Feature {
			if t.compares(s) {
				sides.add(missingKey{f, t.zeroMissing(s)}, t.Threshold[s], t.missingLeft(s))
			}
		}
	}
	at := map[reading]int32{}
	var distinct distinctSplits
	for i := range list {
		t := &list[i]
		r.of[i] = make([]int32, len(t.Feature))
		for s, f := range t.Feature {
			v := reading{missingKey: missingKey{feature: f}}
			if t.compares(s) {
				v.tree, v.zeroMissing = -1, t.zeroMissing(s)
				v.missing = math.Float32bits(sides[v.missingKey].value(t.missingLeft(s)))
			} else {
				same := distinct.splits[distinct.number(list, i, s)]
				v.tree, v.split = same.tree, same.split
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
		if v.tree < 0 {
			r.ranked++
		}
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
// categorical ones, are sets.
func (t *Tree) compares(s int) bool {
	return !t.categorical(s) && trees.RankSearchable(t.Threshold[s])
}

// compare orders readings. Readings that compare values come first. Among these, readings with
// missing zeros are last. Sets follow, sorted by feature.
func (r *reading) compare(other reading) int {
	return cmp.Or(int(min(r.tree, 0)-min(other.tree, 0)), compareBools(r.zeroMissing, other.zeroMissing),
		cmp.Compare(r.feature, other.feature), cmp.Compare(r.missing, other.missing),
		cmp.Compare(r.tree, other.tree), cmp.Compare(r.split, other.split))
}

// splitOf returns the split of a set.
func (r *reading) splitOf() splitOf { return splitOf{r.feature, r.tree, r.split} }

// missingValue returns the value that is compared in place of missing values.
func (r *reading) missingValue() float32 { return math.Float32frombits(r.missing) }

// key returns the key of missing values.
func (r *reading) key() uint32 {
	if v := r.missingValue(); v == v {
		return trees.WalkKey(v)
	}
	return trees.WalkMissing
}

// requestTrees contains trees that are prepared for single documents and packs. Usually they have
// one of two forms. They have both forms if the current tier has packs but traverses trees for
// single documents. They have neither if a tree is very large or splits read very many features.
type requestTrees struct {
	trees  []Tree
	ranked []rankedTrees // in the order of the trees
	sets   *categories   // sets of the splits in ranked
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
	sets := r.ranked < len(r.rows)
	packs := trees.UsePacks() && !(d.single && sets) // ranks evaluate sets faster than packs
	if d.single || packs {
		d.ranked, d.sets = newRankedTrees(r, d.single, packs)
	}
	if d.ranked != nil {
		d.most = trees.PackMost(sets)
	}
	if packs && d.ranked != nil {
		d.least = trees.PackLeast()
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
	sets   []uint8 // bits of sets, by document

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

// add adds the values of the first count trees to the scores of the first len(scores) rows of x.
// len(scores) must be a result of lanes.
func (d *requestTrees) add(scores []float64, w *requestWork, x []float32, cols, stride, count int) {
	pack := len(scores) >= d.least
	if d.ranked != nil && d.sets.size > 0 && (pack || d.single) {
		size := d.sets.size
		w.sets = slices.Grow(w.sets[:0], len(scores)*size)[:len(scores)*size]
		for i := range scores {
			d.sets.right(w.sets[i*size:][:size], x[i*stride:][:cols])
		}
	}
	if pack {
		n := copy(w.sums[:], scores)
		for i := 0; i < len(d.ranked) && count > 0; i++ {
			r := &d.ranked[i]
			r.addPack(w, n, x, cols, stride, min(count, r.count))
			count -= r.count
		}
		copy(scores, w.sums[:])
		return
	}
	if d.single && d.ranked != nil {
		for i := 0; i < len(d.ranked) && count > 0; i++ {
			r := &d.ranked[i]
			r.add(scores, w, x, cols, stride, min(count, r.count))
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

	features, groups    []uint32 // for one document
	missing, thresholds []float32
	search              trees.RankSearch // for several documents
	setRow              int              // first row after the ranks, which contains bits of eight sets
	firstSet, sets      int              // index of the first byte of these bits in a document, and number of bytes
	copied              bool             // whether the ranks are copied to the rows after the sets

	second            int // row at which the window of odd steps begins
	steps             []uint8
	slabs, widths     []uint32
	values            []float64
	stepsTo, valuesTo []int // end of the steps and values of each slab

	splits, pairs          []uint32 // for packs
	pairValues             []float64
	splitsTo, pairValuesTo []int // end of the splits and values of each pair
}

// thresholds contains the thresholds of a table of ranks, indexed by reading.
type thresholds struct {
	*readings
	lists [][]float32 // in ascending order; empty for sets
	used  []int32     // readings of the table that compare values
	sets  []int32     // the other readings of the table
	in    []bool      // whether a reading is in used or sets
}

func (r *readings) thresholds() *thresholds {
	return &thresholds{r, make([][]float32, len(r.rows)), nil, nil, make([]bool, len(r.rows))}
}

// add adds the thresholds of the trees in the range [from, to). It reports whether all thresholds
// and sets fit in a table of ranks, and whether these trees have at most 255 leaves.
func (h *thresholds) add(from, to int) bool {
	fit := true
	for i := from; i < to; i++ {
		t := &h.list[i]
		fit = fit && len(t.Leaf) <= math.MaxUint8
		for s, n := range h.of[i] {
			if int(n) >= h.ranked {
				if !h.in[n] {
					h.in[n], h.sets = true, append(h.sets, n)
				}
				continue
			}
			if !h.in[n] {
				h.in[n], h.used = true, append(h.used, n)
			}
			if at, found := slices.BinarySearch(h.lists[n], t.Threshold[s]); !found {
				h.lists[n] = slices.Insert(h.lists[n], at, t.Threshold[s])
				fit = fit && len(h.lists[n]) <= math.MaxUint8
			}
		}
		fit = fit && h.setRow()+(len(h.sets)+63)/64*8 <= trees.RankRows
		if !fit {
			return false
		}
	}
	return true
}

// setRow returns the row after the ranks.
func (h *thresholds) setRow() int {
	return (len(h.used) + trees.RankLanes - 1) / trees.RankLanes * trees.RankLanes
}

// rankedLeast is the minimum number of trees per slab. A slab has fewer than [trees.RankSlab] trees
// if the splits of RankSlab trees do not fit in a table.
const rankedLeast = 16

// newRankedTrees converts the trees to the form of rankedTrees, and returns the sets of their
// splits. It returns nil if no table of ranks can decide the splits of rankedLeast trees, or if a
// tree has more than 255 leaves.
func newRankedTrees(all *readings, single, packs bool) ([]rankedTrees, *categories) {
	var ranked []rankedTrees
	var sets []splitOf
	for from, to := 0, 0; from < len(all.list); from = to {
		size := trees.RankSlab
		h := all.thresholds()
		for to < len(all.list) && (to == from || size == trees.RankSlab) {
			next := min(to+size, len(all.list))
			if h.add(to, next) {
				to = next
				continue
			}
			if h = all.thresholds(); to > from {
				h.add(from, to)
				break
			}
			if size /= 2; size < rankedLeast {
				return nil, nil
			}
		}
		r := rankedTrees{count: to - from, firstSet: len(sets) / 8, sets: (len(h.sets) + 63) / 64 * 8}
		rowOf := r.table(h)
		for _, n := range h.sets {
			sets = append(sets, h.rows[n].splitOf())
		}
		for r.sets > 0 && len(sets) < 8*(r.firstSet+r.sets+8) { // a word of a table can exceed these bytes
			sets = append(sets, splitOf{feature: noFeature})
		}
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
	return ranked, newCategories(all.list, sets, 1)
}

// A rankRow is the row of a reading in a table of ranks, and the bits of the row that decide its
// splits: all bits of a rank, or the bit of a set.
type rankRow struct{ row, mask uint8 }

// table builds the rows of ranks, and returns the row of each reading. Rows with similar numbers of
// thresholds form a group, because each row takes as long as the longest row of its group. Large
// groups are in the middle, so that any step can evaluate most splits.
func (r *rankedTrees) table(h *thresholds) []rankRow {
	slices.SortFunc(h.used, func(a, b int32) int { return cmp.Or(len(h.lists[a])-len(h.lists[b]), int(a-b)) })
	rowOf := make([]rankRow, len(h.rows))
	groups := slices.Collect(slices.Chunk(h.used, trees.RankLanes))
	for g := range groups {
		from := trees.RankLanes * g
		group := groups[min(2*g, 2*(len(groups)-g)-1)]
		n := len(h.lists[group[len(group)-1]])
		var features [trees.RankLanes]uint32
		var missing [trees.RankLanes]float32
		at := len(r.thresholds)
		// Pad the thresholds of shorter rows: no value is above +∞.
		r.thresholds = append(r.thresholds, slices.Repeat([]float32{float32(math.Inf(1))}, trees.RankLanes*n)...)
		flags := 0
		for i, number := range group {
			v := &h.rows[number]
			rowOf[number] = rankRow{uint8(from + i), math.MaxUint8}
			features[i], missing[i] = uint32(v.feature), v.missingValue()
			if v.zeroMissing {
				flags |= 1 << i
			}
			for j, t := range h.lists[number] {
				r.thresholds[at+trees.RankLanes*j+i] = t
			}
		}
		r.features, r.missing = append(r.features, features[:]...), append(r.missing, missing[:]...)
		r.groups = append(r.groups, uint32(n), uint32(flags))
	}
	r.setRow = len(r.features)
	slices.Sort(h.sets)
	for bit, number := range h.sets {
		rowOf[number] = rankRow{uint8(r.setRow + bit/8), 1 << (bit % 8)}
	}
	rows := r.setRow + r.sets
	if r.copied = rows > trees.RankWindow && rows+r.setRow <= trees.RankRows; r.copied {
		rows += r.setRow
	}
	r.second = max(rows-trees.RankWindow, 0)
	// Sort rows of a tile that are searched in the same way next to each other, so that branches
	// are predictable.
	slices.SortFunc(h.used, func(a, b int32) int {
		return cmp.Or(cmp.Compare(h.rows[a].feature/trees.RankLanes, h.rows[b].feature/trees.RankLanes),
			len(h.lists[a])-len(h.lists[b]), int(a-b))
	})
	for _, number := range h.used {
		v := &h.rows[number]
		r.search.Add(rowOf[number].row, uint32(v.feature), h.lists[number], v.missingValue(), v.zeroMissing)
	}
	return rowOf
}

// slab appends the steps and the leaf values of a slab, which consists of the trees in the range
// [from, to).
func (r *rankedTrees) slab(from, to int, h *thresholds, rowOf []rankRow) {
	list := h.list
	width, length := 0, trees.StepLength
	if r.sets > 0 {
		length = trees.StepMasked
	}
	for i := from; i < to; i++ {
		width = max(width, len(list[i].Leaf))
	}
	width = (width + 7) &^ 7 // values of a tree begin at a cache line
	r.stepsTo, r.valuesTo = append(r.stepsTo, len(r.steps)), append(r.valuesTo, len(r.values))
	r.widths = append(r.widths, uint32(width))
	none := make([]uint8, 2*length)
	for i := range trees.RankSlab {
		none[trees.StepFirst+i] = trees.NoSplit
		none[length+trees.StepFirst+i] = trees.NoSplit
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
			if step*length == len(steps) {
				steps = append(steps, none...)
			}
			k := r.choose(ready, step%2, func(n int32) uint8 { return rowOf[h.of[i][w.splits[n]]].row })
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
			at := steps[step*length+i-from:]
			at[trees.StepRow] = uint8(r.window(rowOf[number].row, step%2))
			if r.sets > 0 {
				at[trees.StepMask] = rowOf[number].mask
			}
			at[trees.StepLimit] = uint8(limit)
			at[trees.StepFirst], at[trees.StepRight] = uint8(w.first[n]), uint8(w.first[n]+w.left[n])
		}
	}
	r.slabs = append(r.slabs, uint32(len(steps)/len(none)))
	r.steps, r.values = append(r.steps, steps...), append(r.values, values...)
}

// pair appends one or two trees.
func (r *rankedTrees) pair(from, to int, h *thresholds, rowOf []rankRow) {
	width, steps := 0, 0
	for _, t := range h.list[from:to] {
		width, steps = max(width, len(t.Leaf)), max(steps, len(t.Feature))
	}
	r.splitsTo, r.pairValuesTo = append(r.splitsTo, len(r.splits)), append(r.pairValuesTo, len(r.pairValues))
	none := trees.PackSplit(0, 0, trees.NoSplit, 0)
	length := 1
	if r.sets > 0 {
		length = 2
	}
	splits := slices.Repeat([]uint32{none}, 2*length*steps)
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
			row, first, left, at := rowOf[number], uint8(w.first[n]), uint8(w.left[n]), splits[length*(2*n+i):]
			switch {
			case int(number) >= h.ranked:
				at[0], at[1] = trees.PackSet(row.row, uint8(bits.TrailingZeros8(row.mask)), first, left)
			case r.sets > 0:
				at[1] = math.MaxUint8
				fallthrough
			default:
				at[0] = trees.PackSplit(row.row, uint8(limit+1), first, left)
			}
		}
	}
	r.pairs = append(r.pairs, uint32(steps), uint32(width))
	r.splits, r.pairValues = append(r.splits, splits...), append(r.pairValues, values...)
}

// window returns the place of a row in the window of even or odd steps, or −1 if the row is not in
// the window.
func (r *rankedTrees) window(row uint8, odd int) int {
	at := int(row) - odd*r.second
	if odd > 0 && r.copied && int(row) < r.setRow {
		at += r.setRow + r.sets
	}
	if at >= trees.RankWindow {
		return -1
	}
	return max(at, -1)
}

// choose returns the index of a split whose row is in the window of a step, preferably outside the
// other window. It returns −1 if there is none.
func (r *rankedTrees) choose(ready []int32, odd int, rowOf func(int32) uint8) int {
	best := -1
	for k, n := range ready {
		row := rowOf(n)
		if r.window(row, odd) < 0 {
			continue
		}
		if best = k; r.window(row, 1-odd) < 0 {
			break
		}
	}
	return best
}

// rankedFew is the maximum number of documents for which it is faster to compute tables of ranks
// one by one than together.
const rankedFew = 4

func (r *rankedTrees) add(scores []float64, w *requestWork, x []float32, cols, stride, count int) {
	tables := w.tables.Ranks[:len(scores)]
	if len(scores) > rankedFew {
		trees.RankTablesF32(&w.tables, x, len(scores), cols, stride, &r.search)
	} else {
		for d := range tables {
			trees.RankTableF32(&tables[d], &w.values, x[d*stride:][:cols], r.features, r.groups, r.missing,
				r.thresholds)
		}
	}
	for d := 0; d < len(tables) && r.sets > 0; d++ {
		copy(tables[d][r.setRow:], w.sets[d*(len(w.sets)/len(tables))+r.firstSet:][:r.sets])
		if r.copied {
			copy(tables[d][r.setRow+r.sets:], tables[d][:r.setRow])
		}
	}
	const slabs = trees.RankTrees / trees.RankSlab
	for from := 0; from*trees.RankSlab < count; from += slabs {
		n := min(count-from*trees.RankSlab, trees.RankTrees)
		to := from + (n+trees.RankSlab-1)/trees.RankSlab
		steps, values := r.steps[r.stepsTo[from]:r.stepsTo[to]], r.values[r.valuesTo[from]:r.valuesTo[to]]
		trees.RankLeavesU8(w.leaves.Leaves[:len(scores)], tables, r.second, steps, r.slabs[from:to],
			r.sets > 0)
		trees.RankSumF64(scores, &w.leaves, r.widths[from:to], values, n)
	}
}

// addPack adds values to w.sums for the given number of documents.
func (r *rankedTrees) addPack(w *requestWork, docs int, x []float32, cols, stride, count int) {
	trees.PackRanksF32(&w.pack, x, docs, cols, stride, &r.search)
	if r.sets > 0 {
		trees.PackSets(w.pack.Ranks[r.setRow:][:r.sets], w.sets[r.firstSet:], docs, len(w.sets)/docs)
	}
	for from := 0; from < count; from += trees.RankTrees {
		n := min(count-from, trees.RankTrees)
		lo, hi := from/2, (from+n+1)/2
		trees.PackSumF64(w.sums[:(docs+7)&^7], &w.pack.Ranks, r.splits[r.splitsTo[lo]:r.splitsTo[hi]],
			r.pairs[2*lo:2*hi], r.pairValues[r.pairValuesTo[lo]:r.pairValuesTo[hi]], n, r.sets > 0)
	}
}

// walkedTrees contains trees in the form of [trees.WalkF64].
type walkedTrees struct {
	list     []Tree
	features []uint32    // key rows of readings without missing zeros
	missing  []uint32    // keys of missing values in these readings
	rows     []reading   // key rows of the other readings that compare values
	sets     *categories // sets, whose bits have the key rows after rows
	cells    []uint64
	roots    []uint32
}

// newWalkedTrees converts the trees to the form of walkedTrees. It returns nil if a tree has more
// than about 16,000 leaves or mostLevels levels, if splits read more than 65,536 features, or if
// the trees have more than 2³² cells.
func newWalkedTrees(all *readings) *walkedTrees {
	if len(all.rows) > math.MaxUint16+1 {
		return nil
	}
	w := &walkedTrees{list: all.list}
	for _, v := range all.rows[:all.ranked] {
		if v.zeroMissing {
			break
		}
		w.features, w.missing = append(w.features, uint32(v.feature)), append(w.missing, v.key())
	}
	w.rows = all.rows[len(w.features):all.ranked]
	var sets []splitOf
	for i := range all.rows[all.ranked:] {
		sets = append(sets, all.rows[all.ranked+i].splitOf())
	}
	w.sets = newCategories(all.list, sets, 1)
	for i := range all.list {
		if !w.tree(i, all.of[i]) {
			return nil
		}
	}
	return w
}

// mostLevels is the maximum depth of walkedTrees. Children are appended recursively, so chains of
// millions of splits would overflow the stack.
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
	n, sets := len(w.features), len(w.features)+len(w.rows)
	if need := sets + 8*w.sets.size + 1; cap(work.keys) < need { // cells of leaves read the first key
		work.keys = make([]uint32, need)
	}
	keys := work.keys[:cap(work.keys)]
	trees.WalkKeysF32(keys[:n], x, w.features, w.missing)
	for i := range w.rows {
		r := &w.rows[i]
		if v := valueIn(x, r.feature); v == v && v != 0 {
			keys[n+i] = trees.WalkKey(v)
		} else {
			keys[n+i] = r.key()
		}
	}
	work.sets = slices.Grow(work.sets[:0], w.sets.size)[:w.sets.size]
	w.sets.right(work.sets, x)
	for i, b := range work.sets {
		*(*[8]uint32)(keys[sets+8*i:]) = setKeys[b]
	}
	return trees.WalkF64(score, keys, w.cells, w.roots[:2*count])
}

// setKeys contains the keys of eight sets, indexed by a byte. A bit of the byte is 1 if its set
// sends a document right.
var setKeys = func() (keys [256][8]uint32) {
	for bits := range keys {
		for i := range keys[bits] {
			keys[bits][i] = uint32(bits) >> i & 1
		}
	}
	return keys
}()
