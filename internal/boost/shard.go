package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// Training on shards works like training on one machine, but the trainer chooses splits from
// histograms and has no rows. Workers process the rows in pieces. Each piece knows the numbers of
// its first row and query, counted over all shards.

// A Feature contains the statistics of a feature over all rows.
type Feature struct {
	Missing    bool          // whether a row lacks the feature
	Categories map[int32]int // number of rows per category; nil for a numerical feature
	Negative   int           // number of rows with a negative value, which is not a category
}

// Merge adds the statistics of other rows.
func (f *Feature) Merge(other *Feature) {
	f.Missing = f.Missing || other.Missing
	f.Negative += other.Negative
	for c, n := range other.Categories {
		if f.Categories == nil {
			f.Categories = map[int32]int{}
		}
		f.Categories[c] += n
	}
}

// Count adds dense rows to the statistics of each feature.
func (o *BinOptions) Count(features []Feature, d *rank.Dataset) error {
	for i := range d.Rows() {
		for f, v := range d.Row(i) {
			if v != v || v == 0 && o.ZeroMissing {
				features[f].Missing = true
			}
		}
	}
	for _, f := range o.Categorical {
		about := &features[f]
		if about.Categories == nil {
			about.Categories = map[int32]int{}
		}
		for i, v := range rowsOf(d, f) {
			if v < 0 {
				about.Negative++
			}
			if isMissingCategory(v, o.ZeroMissing) {
				about.Missing = true
			} else if err := checkCategory(d, i, f, v); err != nil {
				return err
			} else {
				about.Categories[int32(v)]++
			}
		}
	}
	return nil
}

// Numerical returns the bins of a feature, given its values in the sample, which it reorders.
// missing reports whether any row lacks the feature.
func (o *BinOptions) Numerical(values []float32, missing bool) Binning {
	scratch := boundScratch{tmp: make([]float32, len(values)), values: make([]float32, len(values)),
		counts: make([]int, len(values))}
	b, sampled := scratch.numerical(values, 0, *o)
	if missing || sampled {
		b.addMissing()
	}
	return b
}

// Categorize returns the bins of categorical feature f, and the categories that training does not
// distinguish.
func (o *BinOptions) Categorize(f int, about *Feature) (Binning, Dropped) {
	missing := 0
	if about.Missing {
		missing = 1
	}
	c := categoryBins{dropped: Dropped{Feature: f, Negative: about.Negative}}
	b := c.settle(about.Categories, missing, *o)
	if about.Missing {
		b.addMissing()
	} else if b.Other < 0 && b.Bins > 1 {
		b.Bins++ // on the right, for categories that occur only in validation data
	}
	return b, c.dropped
}

// BinsOf returns Bins with the given features and without rows.
func BinsOf(list []Binning) *Bins {
	b := &Bins{features: len(list), feature: slices.Clone(list)}
	dense := make([]int32, len(list))
	for f := range list {
		if l := &b.feature[f]; l.Bounds == nil && l.Categories == nil { // gob decodes an empty list as nil
			l.Categories = []int32{}
		}
		dense[f] = int32(f)
	}
	b.join(dense)
	b.arrange()
	return b
}

// A Cut divides the rows of a leaf by the bins of a feature. Rows whose bin is in Left stay. Cut i
// moves the others to leaf i+1.
type Cut struct {
	Leaf    int
	Feature int32
	Left    [4]uint64
}

// A CutTree is a tree that is being grown.
type CutTree struct {
	Number int // number of the tree in the model
	Cuts   []Cut
	Leaf   []float64 // values of the leaves, once the tree is complete
}

// Growth is a request for histograms.
type Growth struct {
	Tree      CutTree
	Unit      Units
	Groups    []int // groups of eight columns that are needed
	Histogram []int // leaves whose histograms are requested
}

// Histograms are sums over the rows that the tree is grown on.
type Histograms struct {
	Leaves []Leaf
	Total  int64     // the sum of all cells
	Cells  [][]int64 // one list per requested leaf
}

// A Piece is a sequence of whole queries.
type Piece struct {
	FirstRow, FirstQuery int    // numbers of the first row and query among all shards
	Offsets              []int  // offsets of the queries
	Bins                 []byte // one row after the other
	Scores               []float64
	Grad, Hess           []float32 // derivatives of the rows whose query is sampled
}

// rows returns the number of rows.
func (p *Piece) rows() int { return p.Offsets[len(p.Offsets)-1] }

// A Worker executes passes on pieces. It is for one goroutine.
type Worker struct {
	o      *Params
	b      *Bins // has no rows
	lookup []*categoryBins
	draw   Draw

	nodes  nodes
	cuts   []Cut      // the cuts from which nodes was made
	slot   []int      // for each leaf, the index of its histograms; −1 for none
	rows   [][]uint32 // for each requested leaf, its rows
	gh     [][]int64
	tile   []uint8
	leaves []int32 // for each row of a piece, its leaf
}

// NewWorker returns a worker for rows in these bins.
func NewWorker(o *Params, list []Binning) *Worker {
	w := &Worker{o: o, b: BinsOf(list), lookup: make([]*categoryBins, len(list)), draw: Draw{o: o}}
	w.tile = make([]uint8, trees.HistogramTile*w.b.stride)
	for _, f := range o.Categorical {
		w.lookup[f] = &categoryBins{}
		w.lookup[f].index(&w.b.feature[f])
	}
	return w
}

// Cells returns the length of a leaf's histograms.
func (w *Worker) Cells() int { return w.b.stride * trees.HistogramCells }

// Fill returns the bins of dense rows. Set other if the bins were built from other data: rows may
// then contain invalid categories, and missing values of features without a bin for them. Such
// missing values get the bin of the median, so that they go to the same sides as in the model.
func (w *Worker) Fill(d *rank.Dataset, other bool) []byte {
	if other && len(w.o.Categorical) > 0 {
		d = w.categories(d)
	}
	b := *w.b
	b.rows = d.Rows()
	b.wide = make([]uint8, b.rows*b.stride)
	scratch := make([]uint8, 9*binBlock)
	for i := 0; i < b.rows; i += binBlock {
		b.fill(d, i, min(i+binBlock, b.rows), w.o.ZeroMissing, w.lookup, nil, scratch)
	}
	return b.wide
}

// categories returns d with each value replaced by the category that a split of a lambdamart.Tree
// would use. Values that are not categories go right, like negative numbers.
func (w *Worker) categories(d *rank.Dataset) *rank.Dataset {
	c := *d
	c.X = slices.Clone(d.X)
	for _, f := range w.o.Categorical {
		for i := range d.Rows() {
			v := &c.X[i*d.Stride+f]
			switch t := math.Trunc(float64(*v)); {
			case t == 0 && *v != 0 && w.o.ZeroMissing: // 0 has no bin, so the value goes right
				*v = -1
			case t >= maxCategory:
				*v = -1
			case t == t:
				*v = float32(t) + 0 // turns −0 into +0
			}
		}
	}
	return &c
}

// nodes represents the cuts of a tree as a binary tree over columns of bins.
type nodes []node

type node struct {
	column int
	left   [4]uint64 // the bytes that go left
	to     [2]int32  // left and right child: a node, or ^leaf
}

// prepare sets w.nodes to the tree of the cuts.
func (w *Worker) prepare(cuts []Cut) {
	if w.nodes != nil && slices.Equal(cuts, w.cuts) {
		return
	}
	w.cuts, w.nodes = cuts, make(nodes, len(cuts))
	type end struct{ node, side int }
	at := []end{{-1, 0}} // for each leaf, its parent and side
	for i, c := range cuts {
		w.nodes[i] = node{column: w.b.digits[c.Feature].column, left: w.b.leftOf(c.Feature, &c.Left),
			to: [2]int32{^int32(c.Leaf), ^int32(i + 1)}}
		if e := at[c.Leaf]; e.node >= 0 {
			w.nodes[e.node].to[e.side] = int32(i)
		}
		at[c.Leaf] = end{i, 0}
		at = append(at, end{i, 1})
	}
}

// leaf returns the leaf of a row of bins.
func (n nodes) leaf(row []byte) int32 {
	at := int32(0)
	if len(n) == 0 {
		at = ^0
	}
	for at >= 0 {
		n := &n[at]
		v := row[n.column]
		at = n.to[1-n.left[v/64]>>(v%64)&1]
	}
	return ^at
}

var errOtherState = errs.New("lambdamart", "the files of a shard do not contain the same rows")

// place finds the leaves of the rows of a piece.
func (w *Worker) place(p *Piece, cuts []Cut) ([]int32, error) {
	rows := p.rows()
	if len(p.Bins) != rows*w.b.stride || len(p.Scores) != rows {
		return nil, errOtherState
	}
	w.prepare(cuts)
	w.leaves = slices.Grow(w.leaves[:0], rows)[:rows]
	for i := range w.leaves {
		w.leaves[i] = w.nodes.leaf(p.Bins[i*w.b.stride:][:w.b.stride])
	}
	return w.leaves, nil
}

// drawn calls do for each row of a piece on which the tree is grown.
func (w *Worker) drawn(p *Piece, tree int, do func(i int)) {
	w.draw.Begin(tree)
	for q := range len(p.Offsets) - 1 {
		if !w.draw.Query(p.FirstQuery + q) {
			continue
		}
		for i := p.Offsets[q]; i < p.Offsets[q+1]; i++ {
			if w.draw.row(p.FirstRow + i) {
				do(i)
			}
		}
	}
}

// Add adds the leaf values of a tree to the scores.
func (w *Worker) Add(p *Piece, t *CutTree) error {
	leaves, err := w.place(p, t.Cuts)
	if err != nil {
		return err
	}
	for i, l := range leaves {
		p.Scores[i] += t.Leaf[l]
	}
	return nil
}

// Derive calls derivatives for the sampled queries of the tree with the given number. It appends
// two sums for each query and returns the number of sampled rows.
func (w *Worker) Derive(p *Piece, tree int, sums []float64, derivatives func(q int, scores []float64,
	grad, hess []float32)) ([]float64, int) {
	n := p.rows()
	p.Grad, p.Hess = make([]float32, n), make([]float32, n)
	w.draw.Begin(tree)
	for q := range len(p.Offsets) - 1 {
		var s QuerySum
		if w.draw.Query(p.FirstQuery + q) {
			lo, hi := p.Offsets[q], p.Offsets[q+1]
			derivatives(q, p.Scores[lo:hi], p.Grad[lo:hi], p.Hess[lo:hi])
			s = w.draw.Sum(p.FirstRow+lo, p.Grad[lo:hi], p.Hess[lo:hi])
		}
		sums = append(sums, s.Grad, s.Hess)
	}
	n = 0
	w.drawn(p, tree, func(int) { n++ })
	return sums, n
}

// Histograms adds rows to histograms and to leaf sums.
func (w *Worker) Histograms(p *Piece, g *Growth, h *Histograms) error {
	leaves, err := w.place(p, g.Tree.Cuts)
	if err != nil {
		return err
	}
	w.slot = slices.Repeat([]int{-1}, len(g.Tree.Cuts)+1)
	for k, l := range g.Histogram {
		w.slot[l] = k
	}
	for len(w.rows) < len(g.Histogram) {
		w.rows, w.gh = append(w.rows, nil), append(w.gh, nil)
	}
	for k := range g.Histogram {
		w.rows[k], w.gh[k] = w.rows[k][:0], w.gh[k][:0]
	}
	if len(p.Grad) != len(leaves) || len(p.Hess) != len(leaves) {
		return errOtherState
	}
	w.drawn(p, g.Tree.Number, func(i int) {
		cell := g.Unit.cell(p.Grad[i], p.Hess[i])
		h.Total += cell
		l := &h.Leaves[leaves[i]]
		l.Rows++
		g.Unit.Add(l, p.Grad[i], p.Hess[i])
		if k := w.slot[leaves[i]]; k >= 0 {
			w.rows[k], w.gh[k] = append(w.rows[k], uint32(i)), append(w.gh[k], cell)
		}
	})
	b := *w.b
	b.wide = p.Bins
	for k := range g.Histogram {
		b.addRows(h.Cells[k], g.Groups, 0, w.rows[k], w.gh[k], w.tile)
	}
	return nil
}

// Shards are rows that are not in memory.
type Shards interface {
	// Grow adds the histograms of all shards to h, which has been allocated.
	Grow(ctx context.Context, g *Growth, h *Histograms) error
}

// away is the state of growing a tree on rows in shards.
type away struct {
	shards Shards
	tree   int         // number of the tree
	first  *Histograms // histograms of the root, until the root is searched
}

// GrowAway grows the tree with the given number on sampled rows of shards. g has no rows.
func (g *Grower) GrowAway(ctx context.Context, s Shards, number, rows int, unit Units) (*Tree, error) {
	g.away, g.unit = &away{shards: s, tree: number}, unit
	return g.Grow(ctx, rows, 0)
}

// Cuts returns the tree that is being grown, or the last tree.
func (g *Grower) Cuts(number int) CutTree {
	t := CutTree{Number: number}
	for _, c := range g.cuts {
		t.Cuts = append(t.Cuts, Cut{Leaf: c.leaf, Feature: c.feature, Left: c.left})
	}
	return t
}

// ask requests the histograms of leaves from the shards.
func (a *away) ask(ctx context.Context, g *Grower, leaves []int) (*Histograms, error) {
	growth := &Growth{Tree: g.Cuts(a.tree), Unit: g.unit, Groups: g.groups, Histogram: leaves}
	h := &Histograms{Leaves: make([]Leaf, len(growth.Tree.Cuts)+1)}
	for range leaves {
		cells := g.take()
		clear(cells)
		h.Cells = append(h.Cells, cells[:g.b.stride*trees.HistogramCells])
	}
	return h, a.shards.Grow(ctx, growth, h)
}

// root returns the sum of all rows. It keeps the histograms for the search of the root.
func (a *away) root(ctx context.Context, g *Grower) (total int64, err error) {
	g.cuts = g.cuts[:0]
	if a.first, err = a.ask(ctx, g, []int{0}); err != nil {
		return 0, err
	}
	return a.first.Total, nil
}

// fetch counts the rows of leaves and requests histograms: for the smaller leaf of each pair, and
// for the larger leaf if it does not have the histograms of both together. Leaves that are too deep
// to be split need no histograms.
func (a *away) fetch(ctx context.Context, g *Grower, pairs []siblings) error {
	var leaves []int
	for _, p := range pairs {
		if g.o.Depth > 0 && g.leaves[p[0]].depth >= g.o.Depth {
			continue
		}
		leaves = append(leaves, p[0])
		if p[1] >= 0 && g.leaves[p[1]].hist == nil {
			leaves = append(leaves, p[1])
		}
	}
	if len(leaves) == 0 {
		return nil
	}
	h := a.first
	if a.first = nil; h == nil {
		var err error
		if h, err = a.ask(ctx, g, leaves); err != nil {
			return err
		}
	}
	for i := range h.Leaves {
		g.leaves[i].rows = int(h.Leaves[i].Rows)
	}
	for k, i := range leaves {
		g.leaves[i].hist, g.leaves[i].built = h.Cells[k][:g.b.cells], true
	}
	return nil
}

// sums returns the sums of the leaves.
func (a *away) sums(ctx context.Context, g *Grower) ([]Leaf, error) {
	h, err := a.ask(ctx, g, nil)
	return h.Leaves, err
}
