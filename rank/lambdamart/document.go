package lambdamart

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A reading is how splits read a feature. Those that read it alike look at one row, of ranks or of
// keys.
type reading struct {
	feature                  int32
	missingLeft, zeroMissing bool
	tree, split              int32 // of a categorical split; the tree is −1 for others
}

func readingOf(list []Tree, tree, split int) reading {
	t := &list[tree]
	if t.categorical(split) {
		return reading{t.Feature[split], false, false, int32(tree), int32(split)}
	}
	return reading{t.Feature[split], t.missingLeft(split), t.zeroMissing(split), -1, 0}
}

// of returns the value in a document.
func (r *reading) of(x []float32) float32 {
	if int(r.feature) < len(x) {
		return x[r.feature]
	}
	return 0
}

// compare orders readings: those that only compare values come first.
func (r *reading) compare(other reading) int {
	return cmp.Or(cmp.Compare(r.tree, other.tree), r.flags()-other.flags(), cmp.Compare(r.feature, other.feature),
		cmp.Compare(r.split, other.split))
}

// flags returns those of a row of [trees.DocumentRanksF32].
func (r *reading) flags() (flags int) {
	if r.zeroMissing {
		flags = 1
	}
	if r.missingLeft {
		flags |= 1 << trees.DocumentLanes
	}
	return flags
}

// documents are trees made ready for single documents: in one of two forms, or in none where a tree
// is very large or splits read very many features.
type documents struct {
	trees  []Tree
	ranked []rankedTrees // one after the other
	walked *walkedTrees
}

// newDocuments makes valid trees ready.
func newDocuments(list []Tree) *documents {
	d := &documents{trees: list}
	if trees.DocumentByRanks() {
		d.ranked = newRankedTrees(list)
	}
	if d.ranked == nil {
		d.walked = newWalkedTrees(list)
	}
	return d
}

// A documentWork is the memory of a call.
type documentWork struct {
	ranks  [trees.DocumentBlock][trees.DocumentRows]uint8
	leaves [trees.DocumentBlock][trees.DocumentTrees]uint8
	values [trees.DocumentRows]float32
	keys   []uint32

	scores []float64
	order  rank.OrderWorkspace
}

var documentWorks = sync.Pool{New: func() any { return new(documentWork) }}

// add adds the values of the first trees, so many of them, to the scores of up to
// [trees.DocumentBlock] rows of x.
func (d *documents) add(scores []float64, w *documentWork, x []float32, cols, stride, count int) {
	for i := range d.ranked {
		if count <= 0 {
			return
		}
		r := &d.ranked[i]
		r.add(scores, w, d.trees, x, cols, stride, min(count, r.count))
		count -= r.count
	}
	for i := range scores {
		if d.ranked != nil {
			return
		}
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

// rankedTrees are trees in the form of [trees.DocumentLeavesU8]; one table of ranks decides all
// their splits.
type rankedTrees struct {
	count int

	features, groups []uint32
	thresholds       []float32
	sets             []int // rows of categorical splits: rank 0 goes left, 1 right
	rows             []reading

	steps             []uint8
	slabs, widths     []uint32
	values            []float64
	stepsTo, valuesTo []int // where those of the slabs before each one end
}

// thresholds has the thresholds of each reading, in ascending order, and none for categorical
// splits.
type thresholds map[reading][]float32

// add adds those of trees, and reports whether a table of ranks holds them all.
func (h thresholds) add(list []Tree, from, to int) bool {
	fit := true
	for i := from; i < to; i++ {
		t := &list[i]
		fit = fit && len(t.Leaf) <= math.MaxUint8
		for s := range t.Feature {
			r := readingOf(list, i, s)
			known := h[r]
			if r.tree < 0 {
				if at, found := slices.BinarySearch(known, t.Threshold[s]); !found {
					known = slices.Insert(known, at, t.Threshold[s])
				}
			}
			h[r] = known
			fit = fit && len(known) <= math.MaxUint8
		}
	}
	return fit && len(h) <= trees.DocumentRows
}

// newRankedTrees returns nil when no table of ranks decides the splits of a slab, or a tree has
// more than 255 leaves.
func newRankedTrees(list []Tree) []rankedTrees {
	var all []rankedTrees
	for from, to := 0, 0; from < len(list); from = to {
		h, fit := thresholds{}, true
		for fit && to < len(list) {
			if fit = h.add(list, to, min(to+trees.DocumentSlab, len(list))); fit {
				to = min(to+trees.DocumentSlab, len(list))
			}
		}
		if to == from {
			return nil
		}
		if !fit {
			h = thresholds{}
			h.add(list, from, to)
		}
		r := rankedTrees{count: to - from}
		rowOf := r.table(h)
		for lo := from; lo < to; lo += trees.DocumentSlab {
			r.slab(list, lo, min(lo+trees.DocumentSlab, to), h, rowOf)
		}
		r.stepsTo, r.valuesTo = append(r.stepsTo, len(r.steps)), append(r.valuesTo, len(r.values))
		all = append(all, r)
	}
	return all
}

// table makes the rows of ranks and returns their numbers. Rows of few thresholds come first, for
// those of a group take as long as the longest one.
func (r *rankedTrees) table(h thresholds) map[reading]uint8 {
	for v := range h {
		r.rows = append(r.rows, v)
	}
	slices.SortFunc(r.rows, func(a, b reading) int { return cmp.Or(len(h[a])-len(h[b]), a.compare(b)) })
	rowOf := map[reading]uint8{}
	for from := 0; from < len(r.rows); from += trees.DocumentLanes {
		group := r.rows[from:min(from+trees.DocumentLanes, len(r.rows))]
		n := len(h[group[len(group)-1]])
		features := [trees.DocumentLanes]uint32{}
		at := len(r.thresholds)
		// Values are not above the thresholds that a row has not.
		r.thresholds = append(r.thresholds, slices.Repeat([]float32{float32(math.Inf(1))}, trees.DocumentLanes*n)...)
		flags := 0
		for i, v := range group {
			rowOf[v] = uint8(from + i)
			features[i] = uint32(v.feature)
			flags |= v.flags() << i
			for j, t := range h[v] {
				r.thresholds[at+trees.DocumentLanes*j+i] = t
			}
			if v.tree >= 0 {
				r.sets = append(r.sets, from+i)
			}
		}
		r.features = append(r.features, features[:]...)
		r.groups = append(r.groups, uint32(n), uint32(flags))
	}
	return rowOf
}

// slab appends trees.
func (r *rankedTrees) slab(list []Tree, from, to int, h thresholds, rowOf map[reading]uint8) {
	steps, width := 0, 0
	for i := from; i < to; i++ {
		steps, width = max(steps, len(list[i].Feature)), max(width, len(list[i].Leaf))
	}
	r.stepsTo, r.valuesTo = append(r.stepsTo, len(r.steps)), append(r.valuesTo, len(r.values))
	r.slabs, r.widths = append(r.slabs, uint32(steps)), append(r.widths, uint32(width))
	all, values := make([]uint8, trees.DocumentStep*steps), make([]float64, trees.DocumentSlab*width)
	var w walk
	for i := from; i < to; i++ {
		t := &list[i]
		w.preorder(t)
		for n := range steps {
			step := all[trees.DocumentStep*n+i-from:]
			if n >= len(w.splits) {
				step[trees.DocumentFirst] = trees.DocumentNone
				continue
			}
			v := readingOf(list, i, int(w.splits[n]))
			limit, _ := slices.BinarySearch(h[v], t.Threshold[w.splits[n]])
			step[trees.DocumentRow], step[trees.DocumentLimit] = rowOf[v], uint8(limit)
			step[trees.DocumentFirst], step[trees.DocumentRight] = uint8(w.first[n]), uint8(w.first[n]+w.left[n])
		}
		for n, leaf := range w.leaves {
			values[width*(i-from)+n] = t.Leaf[leaf]
		}
	}
	r.steps, r.values = append(r.steps, all...), append(r.values, values...)
}

func (r *rankedTrees) add(scores []float64, w *documentWork, list []Tree, x []float32, cols, stride, count int) {
	for d := range scores {
		row := x[d*stride:][:cols]
		trees.DocumentRanksF32(&w.ranks[d], &w.values, row, r.features, r.groups, r.thresholds)
		for _, n := range r.sets {
			v := &r.rows[n]
			w.ranks[d][n] = 1
			if list[v.tree].goesLeft(int(v.split), v.of(row)) {
				w.ranks[d][n] = 0
			}
		}
	}
	const most = trees.DocumentTrees / trees.DocumentSlab
	for from := 0; from*trees.DocumentSlab < count; from += most {
		n := min(count-from*trees.DocumentSlab, trees.DocumentTrees)
		to := from + (n+trees.DocumentSlab-1)/trees.DocumentSlab
		steps, slabs := r.steps[r.stepsTo[from]:r.stepsTo[to]], r.slabs[from:to]
		for d := range scores {
			trees.DocumentLeavesU8(w.leaves[d][:(to-from)*trees.DocumentSlab], &w.ranks[d], steps, slabs)
		}
		trees.DocumentSumF64(scores, &w.leaves, r.widths[from:to], r.values[r.valuesTo[from]:r.valuesTo[to]], n)
	}
}

// walkedTrees are trees in the form of [trees.DocumentWalkF64].
type walkedTrees struct {
	list     []Tree
	features []uint32  // rows of keys of readings that only compare values
	rows     []reading // rows after these
	cells    []uint64
	roots    []uint32
}

// newWalkedTrees returns nil when a tree has more than about 16,000 leaves, or splits read more
// than 65,536 features.
func newWalkedTrees(list []Tree) *walkedTrees {
	w := &walkedTrees{list: list}
	rowOf := map[reading]int{}
	for i := range list {
		for s := range list[i].Feature {
			v := readingOf(list, i, s)
			if _, known := rowOf[v]; !known {
				rowOf[v], w.rows = 0, append(w.rows, v)
			}
		}
	}
	if len(w.rows) > math.MaxUint16+1 {
		return nil
	}
	slices.SortFunc(w.rows, func(a, b reading) int { return a.compare(b) })
	for row, v := range w.rows {
		if rowOf[v] = row; v.tree < 0 && v.flags() == 0 {
			w.features = append(w.features, uint32(v.feature))
		}
	}
	w.rows = w.rows[len(w.features):]
	for i := range list {
		if !w.tree(i, rowOf) {
			return nil
		}
	}
	return w
}

// tree appends a tree, and reports whether its cells are near enough to each other.
func (w *walkedTrees) tree(i int, rowOf map[reading]int) bool {
	t := &w.list[i]
	root, levels, far := len(w.cells), 0, 0
	w.cells = append(w.cells, 0, 0, 0)
	var put func(at int, node int32, level int)
	put = func(at int, node int32, level int) {
		if levels = max(levels, level); node < 0 {
			w.cells[at], w.cells[at+2] = trees.DocumentLeaf, math.Float64bits(t.Leaf[^node])
			return
		}
		s := int(node)
		limit := trees.DocumentKey(t.Threshold[s])
		if t.categorical(s) {
			limit = 0
		}
		next := len(w.cells)
		far = max(far, next-at)
		w.cells[at] = trees.DocumentCell(uint16(next-at), uint16(rowOf[readingOf(w.list, i, s)]), limit)
		w.cells = append(w.cells, 0, 0)
		if t.Left[s] < 0 || t.Right[s] < 0 {
			w.cells = append(w.cells, 0, 0) // their values
		}
		put(next, t.Left[s], level+1)
		put(next+1, t.Right[s], level+1)
	}
	node := int32(0)
	if len(t.Feature) == 0 {
		node = ^0
	}
	put(root, node, 0)
	w.roots = append(w.roots, uint32(root), uint32(levels))
	return far <= math.MaxUint16 && uint64(len(w.cells)) <= math.MaxUint32
}

func (w *walkedTrees) add(score float64, work *documentWork, x []float32, count int) float64 {
	n := len(w.features)
	if need := max(n+len(w.rows), 1); cap(work.keys) < need { // cells of leaves look at the first one
		work.keys = make([]uint32, need)
	}
	keys := work.keys[:cap(work.keys)]
	trees.DocumentKeysF32(keys[:n], x, w.features)
	for i := range w.rows {
		r := &w.rows[i]
		v := r.of(x)
		switch {
		case r.tree >= 0:
			keys[n+i] = 1
			if w.list[r.tree].goesLeft(int(r.split), v) {
				keys[n+i] = 0
			}
		case v == v && (v != 0 || !r.zeroMissing):
			keys[n+i] = trees.DocumentKey(v)
		case r.missingLeft:
			keys[n+i] = 0
		default:
			keys[n+i] = trees.DocumentMissing
		}
	}
	return trees.DocumentWalkF64(score, keys, w.cells, w.roots[:2*count])
}
