package lambdamart

import (
	"math"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A forest is a list of trees in the form of [trees.ForestAddF64], for datasets of a number of
// columns. The keys of a block are, feature by feature, those of the dataset's columns as far as
// trees look at them, then a row of zeros for all features that the dataset lacks, then the rows
// that variants make of these.
type forest struct {
	trees    []Tree
	cols     int // of the dataset
	used     int // of these
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
func newForest(list []Tree, cols int) *forest {
	f := &forest{trees: list, cols: cols, nodesTo: make([]int, len(list)), wordsTo: make([]int, len(list))}
	for i := range list {
		for _, j := range list[i].Feature {
			if int(j) < cols {
				f.used = max(f.used, int(j)+1)
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

// source returns the row of a feature's own keys.
func (f *forest) source(feature int32) int { return min(int(feature), f.used) }

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

// addBlock adds the values of the trees from up to to, without it, to the scores of up to 32 rows
// of d from lo on. keys has room for all rows of keys; the first call finds it zero.
func (f *forest) addBlock(dst []float64, keys []int32, d *rank.Dataset, lo, from, to int) {
	f.fill(keys, d, lo, len(dst))
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
				scores[row] += t.Leaf[t.leafOf(d.Row(lo+row))]
			}
			i++
			continue
		}
		for i++; i < to && f.wordsTo[i] > f.wordsTo[i-1]; i++ {
		}
		nodes, words, leaves := f.nodes[nodesFrom:f.nodesTo[i-1]], f.words[wordsFrom:f.wordsTo[i-1]],
			f.leaves[32*wordsFrom:32*f.wordsTo[i-1]]
		trees.ForestAddF64(scores, keys, nodes, words, leaves)
	}
	if len(dst) < trees.ForestRows {
		copy(dst, scores)
	}
}

// fill makes the keys of rows of d from lo on.
func (f *forest) fill(keys []int32, d *rank.Dataset, lo, rows int) {
	const block = trees.ForestRows
	nan := trees.ForestKeysF32(keys[:f.used*block], d.X[lo*d.Stride:], rows, f.used, d.Stride)
	for n, v := range f.variants {
		row := (*[block]int32)(keys[(f.used+1+n)*block:])
		source := f.source(v.feature)
		if v.tree >= 0 {
			t := &f.trees[v.tree]
			for i := range rows {
				var value float32
				if source < f.used {
					value = d.X[(lo+i)*d.Stride+source]
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
