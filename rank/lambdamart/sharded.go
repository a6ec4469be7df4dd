package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/sharded"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

func init() {
	sharded.New = func(t any) sharded.Growing { return &growing{t.(*Trainer)} }
}

// growing trains on rows in shards, which know their bins, scores and derivatives.
type growing struct{ t *Trainer }

func (s *growing) Check(rows, cols int, names []string) error {
	o, err := s.t.filledFor(rows, cols, names)
	switch {
	case err != nil:
		return err
	case !o.DepthWise:
		return errors.New("lambdamart: trees grow level by level on shards: want DepthWise")
	case o.Dart:
		return errors.New("lambdamart: Dart is for training on one machine")
	case o.BinsFile != "":
		return errors.New("lambdamart: BinsFile is for training on one machine")
	case len(o.Measures) > 0:
		return errors.New("lambdamart: Measures are for training on one machine")
	case o.PositionBias != NoPositionBias:
		return errors.New("lambdamart: PositionBias is for training on one machine")
	case o.Checkpoint != "":
		return errors.New("lambdamart: Checkpoint is for training on one machine")
	case rows == 0 || cols == 0:
		return errNothing(rows, cols)
	}
	builtin, ours := o.Objective.(Builtin)
	if !ours {
		return fmt.Errorf("lambdamart: the objective %v is the program's own, which shards do not know", o.Objective)
	}
	for _, f := range o.Categorical {
		if err := checkFeature(f, cols); err != nil {
			return err
		}
	}
	_, err = builtin.loss(o, &rank.Dataset{Offsets: []int{0}})
	return err
}

// builtin returns the objective: Check lets no other pass.
func (s *growing) builtin() Builtin {
	b, _ := s.t.Objective.(Builtin)
	return b // NDCG where there is none
}

func (s *growing) Sample(rows int) []uint32 { return sampleRows(rows) }

func (s *growing) Count(features []sharded.Feature, labels *num.ExactMean, d *rank.Dataset) error {
	s.builtin().addLabels(labels, d)
	zeroMissing := s.t.ZeroMissing
	for i := range d.Rows() {
		for f, v := range d.Row(i) {
			if v != v || v == 0 && zeroMissing {
				features[f].Missing = true
			}
		}
	}
	for _, f := range s.t.Categorical {
		about := &features[f]
		if about.Categories == nil {
			about.Categories = map[int32]int{}
		}
		for i, v := range rowsOf(d, f) {
			if v < 0 {
				about.Negative++
			}
			if isMissingCategory(v, zeroMissing) {
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

func (s *growing) Bias(labels *num.ExactMean) float64 { return s.builtin().bias(s.t, labels) }

func (s *growing) Numerical(values []float32, missing bool) sharded.Binning {
	scratch := boundScratch{tmp: make([]float32, len(values)), values: make([]float32, len(values)),
		counts: make([]int, len(values))}
	b, sampled := scratch.numerical(values, 0, s.t.binOptions())
	if missing || sampled {
		b.addMissing()
	}
	return sharded.Binning{Bounds: b.bounds, Other: b.other, Missing: b.missing, Bins: b.bins}
}

func (s *growing) Categorical(f int, about *sharded.Feature) (sharded.Binning, sharded.Dropped) {
	missing := 0
	if about.Missing {
		missing = 1
	}
	c := categoryBins{dropped: DroppedCategories{Feature: f, Negative: about.Negative}}
	b := c.settle(about.Categories, missing, s.t.binOptions())
	if about.Missing {
		b.addMissing()
	} else if b.other < 0 && b.bins > 1 {
		b.bins++ // on the right, for what only validation data hold
	}
	return sharded.Binning{Categories: b.categories, Other: b.other, Missing: b.missing, Bins: b.bins},
		sharded.Dropped(c.dropped)
}

// binsOf returns the bins of features, of no rows.
func binsOf(list []sharded.Binning) *bins {
	b := &bins{features: len(list), feature: make([]binning, len(list))}
	dense := make([]int32, len(list))
	for f, l := range list {
		b.feature[f] = binning{bounds: l.Bounds, categories: l.Categories, other: l.Other, missing: l.Missing,
			bins: l.Bins}
		if l.Bounds == nil && l.Categories == nil { // as gob leaves an empty list
			b.feature[f].categories = []int32{}
		}
		dense[f] = int32(f)
	}
	b.join(dense)
	b.arrange()
	return b
}

// A shardWorker does the work of passes on pieces.
type shardWorker struct {
	o      *Trainer
	loss   Builtin
	b      *bins // without rows
	lookup []*categoryBins
	draw   draw

	nodes  nodes
	cuts   []sharded.Cut // those that nodes are of
	slot   []int         // of each leaf: place of its histograms, −1 for none
	rows   [][]uint32    // of those leaves
	gh     [][]int64
	tile   []uint8
	leaves []int32 // of the rows of a piece
}

func (s *growing) Worker(list []sharded.Binning) sharded.Worker {
	o, err := s.t.filledFor(1, len(list), nil)
	if err != nil {
		panic(err) // Check has found none
	}
	o.Threads = 1 // for one goroutine
	w := &shardWorker{o: o, loss: s.builtin(), b: binsOf(list), lookup: make([]*categoryBins, len(list)),
		draw: draw{o: o}}
	w.tile = make([]uint8, trees.HistogramTile*w.b.stride)
	for _, f := range o.Categorical {
		w.lookup[f] = &categoryBins{}
		w.lookup[f].index(&w.b.feature[f])
	}
	return w
}

func (w *shardWorker) Cells() int { return w.b.stride * trees.HistogramCells }

func (w *shardWorker) Check(d *rank.Dataset) error {
	_, err := w.loss.loss(w.o, d)
	return err
}

func (w *shardWorker) Fill(d *rank.Dataset, other bool) []byte {
	if other && len(w.o.Categorical) > 0 {
		d = w.categories(d)
	}
	b := *w.b
	b.rows = d.Rows()
	b.wide = make([]uint8, b.rows*b.stride)
	scratch := make([]uint8, 9*binBlock)
	for i := 0; i < b.rows; i += binBlock {
		// The last bin of a feature that lacks one of missing values is on the right of all splits.
		b.fill(d, i, min(i+binBlock, b.rows), w.o.ZeroMissing, w.lookup, nil, scratch)
	}
	return b.wide
}

// categories returns d with the categories that a split takes its values for: see contains. What
// none is goes right as negative numbers do.
func (w *shardWorker) categories(d *rank.Dataset) *rank.Dataset {
	c := *d
	c.X = slices.Clone(d.X)
	for _, f := range w.o.Categorical {
		for i := range d.Rows() {
			v := &c.X[i*d.Stride+f]
			switch t := math.Trunc(float64(*v)); {
			case t == 0 && *v != 0 && w.o.ZeroMissing: // 0 has no bin: on the right
				*v = -1
			case t >= maxCategory:
				*v = -1
			case t == t:
				*v = float32(t) + 0 // never −0
			}
		}
	}
	return &c
}

// nodes are the cuts of a tree as a binary tree over columns of bins.
type nodes []node

type node struct {
	column int
	left   [4]uint64 // bytes that go left
	to     [2]int32  // left and right: a node, or ^leaf
}

// prepare makes w.nodes those of the cuts.
func (w *shardWorker) prepare(cuts []sharded.Cut) {
	if w.nodes != nil && slices.Equal(cuts, w.cuts) {
		return
	}
	w.cuts, w.nodes = cuts, make(nodes, len(cuts))
	type end struct{ node, side int }
	at := []end{{-1, 0}} // of each leaf: where it hangs
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

var errOtherState = errors.New("lambdamart: the files of a shard are not of the same rows")

// place finds the leaves of the rows of a piece.
func (w *shardWorker) place(p *sharded.Piece, cuts []sharded.Cut) ([]int32, error) {
	rows := p.Data.Rows()
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

// drawn calls do with the rows of a piece that a tree is grown on.
func (w *shardWorker) drawn(p *sharded.Piece, tree int, do func(i int)) {
	w.draw.begin(tree)
	for q := range p.Data.Queries() {
		if !w.draw.query(p.FirstQuery + q) {
			continue
		}
		lo, hi := p.Data.Query(q)
		for i := lo; i < hi; i++ {
			if w.draw.row(p.FirstRow + i) {
				do(i)
			}
		}
	}
}

func (w *shardWorker) Add(p *sharded.Piece, t *sharded.Tree) error {
	leaves, err := w.place(p, t.Cuts)
	if err != nil {
		return err
	}
	for i, l := range leaves {
		p.Scores[i] += t.Leaf[l]
	}
	return nil
}

func (w *shardWorker) Derive(p *sharded.Piece, tree int, sums []float64) ([]float64, int, error) {
	loss, err := w.loss.loss(w.o, p.Data)
	if err != nil {
		return nil, 0, err
	}
	o := &objective{d: p.Data, loss: loss, seed: w.o.Seed, first: p.FirstQuery}
	n := p.Data.Rows()
	p.Grad, p.Hess = make([]float32, n), make([]float32, n)
	w.draw.begin(tree)
	for q := range p.Data.Queries() {
		var s querySum
		if w.draw.query(p.FirstQuery + q) {
			lo, hi := p.Data.Query(q)
			o.derivatives(0, tree, q, p.Scores[lo:hi], p.Grad[lo:hi], p.Hess[lo:hi])
			s = w.draw.sum(p.FirstRow+lo, p.Grad[lo:hi], p.Hess[lo:hi])
		}
		sums = append(sums, s.grad, s.hess)
	}
	n = 0
	w.drawn(p, tree, func(int) { n++ })
	return sums, n, nil
}

func (w *shardWorker) Histograms(p *sharded.Piece, g *sharded.Growth, h *sharded.Histograms) error {
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
	unit := units{g.UnitGrad, g.UnitHess}
	w.drawn(p, g.Tree.Number, func(i int) {
		cell := unit.cell(p.Grad[i], p.Hess[i])
		h.Total += cell
		l := &h.Leaves[leaves[i]]
		l.Rows++
		unit.add(l, p.Grad[i], p.Hess[i])
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

// away is the growing of a tree on rows in shards.
type away struct {
	passes sharded.Passes
	tree   int                 // its number
	first  *sharded.Histograms // those of the root, until they are searched
}

// ask has shards build the histograms of leaves.
func (a *away) ask(ctx context.Context, g *grower, leaves []int) (*sharded.Histograms, error) {
	growth := &sharded.Growth{Tree: g.soFar(a.tree), UnitGrad: g.unit.grad, UnitHess: g.unit.hess, Groups: g.groups,
		Histogram: leaves}
	h := &sharded.Histograms{Leaves: make([]sharded.Leaf, len(growth.Tree.Cuts)+1)}
	for range leaves {
		cells := g.take()
		clear(cells)
		h.Cells = append(h.Cells, cells[:g.b.stride*trees.HistogramCells])
	}
	return h, a.passes.Grow(ctx, growth, h)
}

// soFar returns the tree that is being grown.
func (g *grower) soFar(number int) sharded.Tree {
	t := sharded.Tree{Number: number}
	for _, c := range g.cuts {
		t.Cuts = append(t.Cuts, sharded.Cut{Leaf: c.leaf, Feature: c.feature, Left: c.left})
	}
	return t
}

// root returns the sum of all rows. Their histograms are there when the root is searched.
func (a *away) root(ctx context.Context, g *grower) (total int64, err error) {
	g.cuts = g.cuts[:0]
	if a.first, err = a.ask(ctx, g, []int{0}); err != nil {
		return 0, err
	}
	return a.first.Total, nil
}

// fetch counts the rows of leaves, and gets the histograms of the smaller ones of pairs, and of
// those larger ones that hold none of both together. Leaves that are too deep to be split need
// neither.
func (a *away) fetch(ctx context.Context, g *grower, pairs []siblings) error {
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
func (a *away) sums(ctx context.Context, g *grower) ([]sharded.Leaf, error) {
	h, err := a.ask(ctx, g, nil)
	return h.Leaves, err
}

func (s *growing) Fit(ctx context.Context, d *rank.Dataset, rows int, list []sharded.Binning, bias float64,
	done *sharded.Progress, p sharded.Passes) (any, error) {
	started := time.Now()
	o, err := s.t.filledFor(rows, d.Cols, d.Names)
	if err == nil {
		err = checkBias(o.Objective, bias)
	}
	if err != nil {
		return nil, err
	}
	team := parallel.NewTeam(parallel.Threads(o.Threads))
	defer team.Close()
	tr := o.training(d, team)
	tr.started = started
	tr.grower = newGrower(o, binsOf(list), team)
	tr.grower.away = &away{passes: p}
	if o.Start == nil {
		tr.model.Bias = bias
	}
	stop := tr.watch.resume(tr, done)
	if tr.out.Grown < o.Trees && stop == StopTrees {
		var at *sharded.Stepped
		at, err = p.Step(ctx, nil, len(tr.model.Trees))
		for err == nil && tr.out.Grown < o.Trees && stop == StopTrees {
			at, stop, err = tr.stepAway(ctx, at)
		}
	}
	return tr.end(ctx, stop, err)
}

// resume makes the watch, and the training, those after the trees that are there.
func (w *watch) resume(tr *training, done *sharded.Progress) Stop {
	w.value = math.Inf(-1)
	for _, v := range tr.o.Validation { // whose data are in shards
		w.sets = append(w.sets, watched{Validation: v})
		for _, m := range v.Evaluator.Metrics() {
			w.curves = append(w.curves, Curve{Set: v.Name, Metric: m})
		}
	}
	if done == nil {
		return StopTrees
	}
	tr.model.Trees = slices.Clone(done.Model.(*Model).Trees)
	return w.replay(tr, done.Trees, done.Values)
}

// stepAway grows one tree on rows in shards, of which the step before it has found what is there to
// know. It does what step does.
func (tr *training) stepAway(ctx context.Context, at *sharded.Stepped) (_ *sharded.Stepped, stop Stop, err error) {
	g, number := tr.grower, len(tr.model.Trees)
	tr.draw.features(g, tr.draw.begin(number))
	tr.sums = tr.sums[:0]
	for i := 0; i < len(at.Sums); i += 2 {
		tr.sums = append(tr.sums, querySum{at.Sums[i], at.Sums[i+1]})
	}
	if err := tr.measure(); err != nil {
		return nil, "", err
	}
	clock := time.Now()
	g.away.tree = number
	tree, err := g.grow(ctx, at.Drawn, 0)
	tr.out.Growing += time.Since(clock)
	if err != nil {
		return nil, "", err
	}
	if tr.ends(tree) {
		return nil, StopNoSplit, nil
	}
	whole, next := g.soFar(number), number+1
	if whole.Leaf = tree.Leaf; tr.out.Grown+1 == tr.o.Trees {
		next = -1
	}
	clock = time.Now()
	if at, err = tr.grower.away.passes.Step(ctx, &whole, next); err != nil {
		return nil, "", err
	}
	tr.out.Gradients += time.Since(clock)
	tr.model.Trees = append(tr.model.Trees, *tree)
	tr.out.Grown++
	values := make([]float64, len(at.Values))
	for k, v := range at.Values {
		if values[k] = v.Mean; math.IsNaN(v.Mean) {
			return nil, "", undefined(0, tr.watch.sets[0].Name, tr.watch.curves[k].Metric, v.Skipped)
		}
	}
	stop = tr.watch.note(tr, values)
	progress := &sharded.Progress{Model: tr.model, Trees: tr.out.Grown}
	for _, c := range tr.watch.curves {
		progress.Values = append(progress.Values, c.Values)
	}
	if err := g.away.passes.Grown(ctx, progress); err != nil {
		return nil, "", fmt.Errorf("after tree %d: %w", tr.out.Grown, err)
	}
	return at, tr.tell(stop), ctx.Err()
}
