package lambdamart

import (
	"math"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A forest is a list of trees in the form of [trees.ForestAddF64], for datasets of a number of
// columns. The keys of a block are, feature by feature, those of the columns that are used, then a
// row of zeros for all features that the dataset lacks, then the rows that variants make of these.
// Used are, of dense datasets, the columns up to the last one that trees look at, and of sparse
// ones, which may be very wide, those that trees look at.
type forest struct {
	trees    []Tree
	cols     int     // of the dataset
	used     int     // of these
	place    []int32 // of sparse columns: number among the used ones, or −1; nil for dense ones
	variants []variant

	nodes, words     []uint32
	leaves           []float64
	nodesTo, wordsTo []int // where those of each tree end
}

// A variant is a row of keys for splits that a feature's own row does not fit, in which missing is
// greatest and goes right.
type variant struct {
	feature           int32
	missingLeft, zero bool // missing is least; so is, or greatest, 0
	// of a categorical split, whose row has 0 for left and 1 for right; the tree is −1 for others
	tree, split int
}

// newForest brings valid trees into order.
func newForest(list []Tree, cols int, sparse bool) *forest {
	f := &forest{trees: list, cols: cols, nodesTo: make([]int, len(list)), wordsTo: make([]int, len(list))}
	var looked []bool // by any tree at each column
	if sparse {
		looked = make([]bool, cols)
	}
	for i := range list {
		for _, j := range list[i].Feature {
			if int(j) < cols {
				f.used = max(f.used, int(j)+1)
				if sparse {
					looked[j] = true
				}
			}
		}
	}
	if sparse {
		f.used, f.place = 0, make([]int32, cols)
		for j, ok := range looked {
			if f.place[j] = -1; ok {
				f.place[j] = int32(f.used)
				f.used++
			}
		}
	}
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

// rows returns the number of rows of keys.
func (f *forest) rows() int { return f.used + 1 + len(f.variants) }

// fits reports whether the forest is for datasets like d.
func (f *forest) fits(d *rank.Dataset) bool {
	return f.cols == d.Cols && (f.place != nil) == (d.Sparse != nil)
}

// source returns the row of a feature's own keys.
func (f *forest) source(feature int32) int {
	if f.place != nil && int(feature) < f.cols {
		return int(f.place[feature])
	}
	return min(int(feature), f.used)
}

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
			row[n] = uint32(f.source(v.feature))
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

// A block is the memory of a worker that scores.
type block struct {
	keys []int32 // of sparse datasets 0 from one block of rows to the next, but for those of variants
	row  denseRow
}

// addBlock adds the values of the trees from up to to, without it, to the scores of up to 32 rows
// of d from lo on. b is a new block, or was used for this forest before.
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
// dataset list in used columns.
func (f *forest) listed(d *rank.Dataset, lo, rows int, do func(at int, v float32)) {
	if f.place == nil {
		return
	}
	for i := range rows {
		columns, values := d.Sparse.Row(lo + i)
		for k, j := range columns {
			if p := f.place[j]; p >= 0 {
				do(int(p)*trees.ForestRows+i, values[k])
			}
		}
	}
}

// fill makes the keys of rows of d from lo on.
func (f *forest) fill(keys []int32, d *rank.Dataset, lo, rows int) {
	const block = trees.ForestRows
	nan := false
	if f.place == nil {
		nan = trees.ForestKeysF32(keys[:f.used*block], d.X[lo*d.Stride:], rows, f.used, d.Stride)
	} else {
		f.listed(d, lo, rows, func(at int, v float32) {
			keys[at] = trees.ForestKey(v)
			nan = nan || v != v
		})
	}
	for n, v := range f.variants {
		row := (*[block]int32)(keys[(f.used+1+n)*block:])
		source := f.source(v.feature)
		if v.tree >= 0 {
			t := &f.trees[v.tree]
			for i := range rows {
				var value float32
				if int(v.feature) < f.cols {
					value = valueOf(d, lo+i, v.feature)
				}
				row[i] = 1
				if t.goesLeft(v.split, value) {
					row[i] = 0
				}
			}
			continue
		}
		*row = [block]int32(keys[source*block:])
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
