package lambdamart

import (
	"math"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A forest is a list of trees in the form of [trees.ForestAddF64], for datasets of any number of
// columns, dense or sparse. The keys of a block are those of the columns in spans, feature by
// feature, then the rows that variants make of these. Features that a dataset lacks have keys of 0.
type forest struct {
	trees    []Tree
	spans    []columnRange // in ascending order
	place    []int32       // number of each feature's row of keys; −1 for those outside of the spans
	columns  int           // rows of keys of all spans
	variants []variant

	nodes, words     []uint32
	leaves           []float64
	nodesTo, wordsTo []int // where those of each tree end
}

// A columnRange is a range of columns that trees look at, with gaps of less than spanGap columns
// between them.
type columnRange struct {
	from, to int // columns, to is not one of them
	row      int // of the keys of the first
}

const spanGap = 16 // columns that the kernel of keys takes at once

// A variant is a row of keys for splits that a feature's own row does not fit, in which missing is
// greatest and goes right.
type variant struct {
	feature           int32
	missingLeft, zero bool // missing is least; so is, or greatest, 0
	// of a categorical split, whose row has 0 for left and 1 for right; the tree is −1 for others
	tree, split int
}

// newForest brings valid trees into order.
func newForest(list []Tree) *forest {
	f := &forest{trees: list, nodesTo: make([]int, len(list)), wordsTo: make([]int, len(list))}
	f.findSpans()
	rowOf := map[variant]uint32{}
	var w walk
	for i := range list {
		t := &list[i]
		if len(t.Leaf) <= trees.ForestLeaves() && w.preorder(t) == nil {
			f.addTree(i, t, &w, rowOf)
		}
		f.nodesTo[i], f.wordsTo[i] = len(f.nodes), len(f.words)
	}
	return f
}

// findSpans gives each feature that a tree looks at a row of keys.
func (f *forest) findSpans() {
	features := int32(0)
	for i := range f.trees {
		for _, j := range f.trees[i].Feature {
			features = max(features, j+1)
		}
	}
	looked := make([]bool, features)
	for i := range f.trees {
		for _, j := range f.trees[i].Feature {
			looked[j] = true
		}
	}
	f.place = make([]int32, features)
	for j, ok := range looked {
		if f.place[j] = -1; !ok {
			continue
		}
		if n := len(f.spans); n == 0 || j-f.spans[n-1].to >= spanGap {
			f.spans = append(f.spans, columnRange{j, j, f.columns})
		}
		s := &f.spans[len(f.spans)-1]
		for ; s.to <= j; s.to++ {
			f.place[s.to] = int32(f.columns)
			f.columns++
		}
	}
}

// rows returns the number of rows of keys.
func (f *forest) rows() int { return f.columns + len(f.variants) }

// addTree appends a tree.
func (f *forest) addTree(i int, t *Tree, w *walk, rowOf map[variant]uint32) {
	row, limit := make([]uint32, len(w.splits)), make([]uint32, len(w.splits))
	for n, s := range w.splits {
		s := int(s)
		v := variant{t.Feature[s], t.missingLeft(s), t.zeroMissing(s), -1, 0}
		limit[n] = uint32(trees.ForestKey(t.Threshold[s]) + 1)
		if t.categorical(s) {
			v, limit[n] = variant{t.Feature[s], false, false, i, s}, 1
		}
		if !v.missingLeft && !v.zero && v.tree < 0 {
			row[n] = uint32(f.place[v.feature])
			continue
		}
		r, ok := rowOf[v]
		if !ok {
			r = uint32(f.rows())
			rowOf[v] = r
			f.variants = append(f.variants, v)
		}
		row[n] = r
	}
	for lo := int32(0); lo < int32(len(w.leaves)); lo += 32 {
		splits := uint32(0)
		for n := range w.splits {
			first, end := max(w.first[n], lo), min(w.first[n]+w.left[n], lo+32)
			if first < end {
				below := uint32(1<<(end-first)-1) << (first - lo)
				f.nodes = append(f.nodes, row[n]*trees.ForestRows, limit[n], ^below)
				splits++
			}
		}
		if lo == 0 {
			splits |= trees.ForestFirst
		}
		f.words = append(f.words, splits)
		var leaves [32]float64
		for b, l := range w.leaves[lo:min(lo+32, int32(len(w.leaves)))] {
			leaves[b] = t.Leaf[l]
		}
		f.leaves = append(f.leaves, leaves[:]...)
	}
}

// A block is the memory of a worker that scores a dataset.
type block struct {
	keys []int32 // 0 from one block of rows to the next where the dataset has no value
	row  denseRow
}

// addBlock adds the values of the trees from up to to, without it, to the scores of up to 32 rows
// of d from lo on. b is a new block, or was used for this forest and d before.
func (f *forest) addBlock(dst []float64, b *block, d *rank.Dataset, lo, from, to int) {
	if b.keys == nil {
		b.keys = make([]int32, f.rows()*trees.ForestRows)
	}
	f.fill(b.keys, d, lo, len(dst))
	scores := dst
	if len(dst) < trees.ForestRows {
		scores = make([]float64, trees.ForestRows)
		copy(scores, dst)
	}
	for i := from; i < to; {
		nodesFrom, wordsFrom := 0, 0
		if i > 0 {
			nodesFrom, wordsFrom = f.nodesTo[i-1], f.wordsTo[i-1]
		}
		if f.wordsTo[i] == wordsFrom { // too large a tree
			t := &f.trees[i]
			for row := range dst {
				scores[row] += t.Leaf[t.leafOf(b.row.of(d, lo+row))]
			}
			i++
			continue
		}
		for i++; i < to && f.wordsTo[i] > f.wordsTo[i-1]; i++ {
		}
		nodes, words, leaves := f.nodes[nodesFrom:f.nodesTo[i-1]], f.words[wordsFrom:f.wordsTo[i-1]],
			f.leaves[32*wordsFrom:32*f.wordsTo[i-1]]
		trees.ForestAddF64(scores, b.keys, nodes, words, leaves)
	}
	if len(dst) < trees.ForestRows {
		copy(dst, scores)
	}
	f.listed(d, lo, len(dst), func(at int, _ float32) { b.keys[at] = 0 })
}

// listed calls do with the place of the key and the value of everything that rows of a sparse
// dataset list in columns of spans.
func (f *forest) listed(d *rank.Dataset, lo, rows int, do func(at int, v float32)) {
	if d.Sparse == nil {
		return
	}
	for i := range rows {
		columns, values := d.Sparse.Row(lo + i)
		for k, j := range columns {
			if int(j) < len(f.place) && f.place[j] >= 0 {
				do(int(f.place[j])*trees.ForestRows+i, values[k])
			}
		}
	}
}

// fill makes the keys of rows of d from lo on.
func (f *forest) fill(keys []int32, d *rank.Dataset, lo, rows int) {
	const block = trees.ForestRows
	nan := false
	if d.Sparse == nil {
		for _, s := range f.spans {
			if cols := min(s.to, d.Cols) - s.from; cols > 0 {
				dst := keys[s.row*block : (s.row+cols)*block]
				nan = trees.ForestKeysF32(dst, d.X[lo*d.Stride+s.from:], rows, cols, d.Stride) || nan
			}
		}
	} else {
		f.listed(d, lo, rows, func(at int, v float32) {
			keys[at] = trees.ForestKey(v)
			nan = nan || v != v
		})
	}
	for n, v := range f.variants {
		row := (*[block]int32)(keys[(f.columns+n)*block:])
		if v.tree >= 0 {
			t := &f.trees[v.tree]
			for i := range rows {
				var value float32
				if int(v.feature) < d.Cols {
					value = valueOf(d, lo+i, v.feature)
				}
				row[i] = 1
				if t.goesLeft(v.split, value) {
					row[i] = 0
				}
			}
			continue
		}
		*row = [block]int32(keys[f.place[v.feature]*block:])
		if !nan && !v.zero {
			continue
		}
		missing := int32(trees.ForestKeyMissing)
		if v.missingLeft {
			missing = math.MinInt32
		}
		for i, key := range row {
			if key == trees.ForestKeyMissing || key == 0 && v.zero {
				row[i] = missing
			}
		}
	}
}
