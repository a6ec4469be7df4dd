package lambdamart

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// Fit trains a model on d.
//
// If ctx ends, Fit returns the trees so far and an error that wraps the context's error. With early
// stopping the result contains the trees up to the best one. Before training, Fit returns an error
// if the options contradict each other or the data.
func (t *Trainer) Fit(ctx context.Context, d *rank.Dataset) (*Result, error) {
	return t.fit(ctx, d, nil)
}

// fit is like Fit, but accepts binned features. If binned is nil, fit bins the features of d.
func (t *Trainer) fit(ctx context.Context, d *rank.Dataset, binned *boost.Bins) (_ *Result, err error) {
	defer memory.Begin().End(&err)
	team := parallel.NewTeam(parallel.Threads(t.Threads))
	defer team.Close()
	c, err := t.checkpoint(ctx, d)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var tr *training
	if err == nil {
		tr, err = c.from(t).begin(ctx, d, binned, team)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, errs.Errorf("lambdamart", "training stopped before the first tree: %w", ctx.Err())
	case err != nil:
		return nil, err
	}
	defer tr.bins.Close()
	stop, err := c.resume(ctx, tr)
	for tr.out.Grown < tr.o.Trees && stop == boost.StopTrees && err == nil {
		if stop, err = tr.step(ctx); err == nil && stop != boost.StopNoSplit {
			err = c.save(tr, false)
		}
	}
	if err != nil && ctx.Err() != nil { // save all trees, before finish removes the trees after the best one
		if err := c.save(tr, true); err != nil {
			return nil, err
		}
	}
	if stop, err = tr.watch.End(ctx, tr.out.Grown, tr.o.Trees, stop, err); stop == "" {
		return nil, err
	}
	tr.finish(stop)
	return tr.out, err
}

// A training is the state of one call of Fit or Refit.
type training struct {
	o    *Trainer // options with defaults filled in
	d    *rank.Dataset
	team *parallel.Team

	objective  *objective
	positions  *positions // nil without a position bias
	bins       *boost.Bins
	grower     *boost.Grower
	draw       boost.Draw
	watch      watch
	dart       *dart // nil without Dart
	scores     []float64
	grad, hess []float32
	sums       []boost.QuerySum

	model *Model
	out   *Result
}

// begin prepares a training. It checks the options, bins the features unless b contains them, and
// scores the rows with the initial model.
func (t *Trainer) begin(ctx context.Context, d *rank.Dataset, b *boost.Bins, team *parallel.Team) (tr *training,
	err error) {
	var o *Trainer
	if b == nil {
		o, err = t.filled(d)
	} else {
		o, err = t.filledFor(d.Rows(), d.Cols, d.Names, d.Categories)
	}
	if err != nil {
		return nil, err
	}
	tr = o.training(d, team)
	if tr.objective, err = newObjective(o, d, team.Workers()); err != nil {
		return nil, err
	}
	if tr.positions, err = newPositions(o, d, tr.model, team.Workers()); err != nil {
		return nil, err
	}
	if o.PositionBias == pairwiseBias {
		p, ok := tr.objective.loss.(*pairs)
		if !ok {
			return nil, errs.Errorf("lambdamart", "the position bias %v requires an objective of pairs, such as ndcg, not %v",
				o.PositionBias, o.Objective)
		}
		p.positions = tr.positions
	}
	given := b != nil
	if !given {
		if b, err = boost.NewBins(ctx, d, o.binOptions()); err != nil {
			return nil, err
		}
		defer func() {
			if err != nil {
				b.Close()
			}
		}()
	}
	tr.out.BinBytes = b.Bytes()
	for _, dropped := range b.Dropped {
		tr.out.Dropped = append(tr.out.Dropped, DroppedCategories(dropped))
	}
	tr.model.MissingFeatures = b.Missing(tr.model.MissingFeatures)
	rows := d.Rows()
	tr.scores = make([]float64, rows)
	tr.grad, tr.hess = make([]float32, rows), make([]float32, rows)
	tr.bins, tr.grower = b, boost.NewGrower(o.params(), b, team, tr.grad, tr.hess)
	tr.sums = make([]boost.QuerySum, d.Queries())
	if o.Start == nil {
		tr.model.Bias = tr.objective.bias
		for i := range tr.scores {
			tr.scores[i] = tr.model.Bias
		}
	} else if err = tr.model.ScoreInto(ctx, tr.scores, d); err != nil {
		return nil, err
	}
	if err = tr.watch.begin(ctx, tr); err != nil {
		return nil, err
	}
	if o.Dart {
		tr.dart = &dart{o: o, first: len(tr.model.Trees), rows: newLeafTables(tr.scores)}
	}
	return tr, nil
}

// Resolve returns a copy of t in which each limit of 0 is replaced with its effective value. It
// also returns the initial model for training on this number of rows and these columns. The initial
// model contains the trees of Start. Its MissingFeatures do not yet reflect missing values in the
// new data. Resolve returns an error if the options contradict each other or the data.
func (t *Trainer) Resolve(rows, cols int, names []string, categories [][]string) (*Trainer, *Model, error) {
	o, err := t.filledFor(rows, cols, names, categories)
	if err != nil {
		return nil, nil, err
	}
	return o, o.model(cols, names, categories), nil
}

// model returns the initial model for training. The defaults of t must be filled in.
func (t *Trainer) model(cols int, names []string, categories [][]string) *Model {
	m := &Model{NumFeatures: cols, FeatureNames: slices.Clone(names), Settings: t.settings(names),
		MissingFeatures: make([]bool, cols)}
	if text.HasCategories(categories) {
		m.Categories = slices.Clone(categories)
	}
	if t.Objective == Binary {
		m.Sigmoid, _ = t.sigmoid() // Begin of the objective reports the error
	}
	if t.Start != nil {
		m.Bias, m.CategoryCodes = t.Start.Bias, t.Start.CategoryCodes
		for f, list := range t.Start.Categories {
			if len(list) > len(text.CategoriesOf(m.Categories, f)) { // the data has only the first texts
				m.Categories[f] = list
			}
		}
		if t.Start.FeatureNames != nil {
			m.FeatureNames = t.Start.FeatureNames
		}
		if m.Trees = append(m.Trees, t.Start.Trees...); len(m.Trees) > 0 {
			m.MissingFeatures = t.Start.MissingFeatures
		}
		if t.Start.UnknownZeros {
			m.SetZeroMissing(t.ZeroMissing)
		}
	}
	return m
}

// training returns the initial state of training on d. The defaults of t must be filled in.
func (t *Trainer) training(d *rank.Dataset, team *parallel.Team) *training {
	return &training{o: t, d: d, team: team, draw: boost.NewDraw(t.params(), d.Offsets),
		model: t.model(d.Cols, d.Names, d.Categories), out: &Result{}}
}

// step grows one tree. It returns the reason if training must end, and boost.StopTrees otherwise.
func (tr *training) step(ctx context.Context) (string, error) {
	g := tr.grower
	n := tr.draw.Tree(g, len(tr.model.Trees))
	if tr.dart != nil {
		tr.dart.begin(tr)
	}
	if err := tr.differentiate(ctx); err != nil {
		return "", err
	}
	unit, err := tr.measure()
	if err != nil {
		return "", err
	}
	total, err := g.Scale(ctx, n, unit)
	var factors *PositionFactors
	if err == nil && tr.positions != nil {
		factors, err = tr.positions.next(ctx, tr)
	}
	if err != nil {
		return "", err
	}
	grown, err := g.Grow(ctx, n, total)
	if err != nil {
		return "", err
	}
	tree := (*Tree)(grown)
	if tr.ends(tree) {
		return boost.StopNoSplit, nil
	}
	if tr.dart != nil {
		tr.dart.round(tree.Leaf)
	}
	tr.add(tree)
	if tr.dart != nil {
		tr.dart.end(tr, tree)
	}
	tr.model.Trees = append(tr.model.Trees, *tree)
	if tr.positions != nil {
		tr.positions.take(factors)
	}
	tr.out.Grown++
	// Ignore cancellation: the model already contains the tree, so a checkpoint must contain the
	// tree's metric values.
	stop, err := tr.watch.tree(context.WithoutCancel(ctx), tr, tree)
	if err != nil {
		return "", err
	}
	return tr.tell(stop), ctx.Err()
}

// tell calls OnTree. It returns the reason if OnTree ends the training, and stop otherwise.
func (tr *training) tell(stop string) string {
	if tr.o.OnTree == nil {
		return stop
	}
	tr.out.Curves = tr.watch.curves
	return tr.watch.Tell(stop, tr.o.OnTree(tr.out), ErrStop)
}

// ends reports whether training must end after the tree, because neither it nor any later tree can
// have a split. If later trees may have splits because they use other rows or features, training
// continues, and a tree without splits adds 0 to the scores.
func (tr *training) ends(t *Tree) bool {
	if len(t.Feature) > 0 {
		return false
	}
	t.Leaf[0] = 0
	return !tr.draw.Some() && (tr.dart == nil || len(tr.dart.dropped) == 0)
}

// queryTask is the number of queries that a goroutine processes per task.
const queryTask = 16

// differentiate computes the derivatives of all queries that the next tree is fitted to, and sums
// the derivatives of each query.
func (tr *training) differentiate(ctx context.Context) error {
	queries, tree := tr.d.Queries(), len(tr.model.Trees)
	return tr.team.For(ctx, (queries+queryTask-1)/queryTask, func(worker, task int) {
		for q := task * queryTask; q < min((task+1)*queryTask, queries); q++ {
			tr.sums[q] = boost.QuerySum{}
			if !tr.draw.Query(q) {
				continue
			}
			lo, hi := tr.d.Query(q)
			grad, hess := tr.grad[lo:hi], tr.hess[lo:hi]
			scores := tr.scores[lo:hi]
			if tr.positions != nil {
				scores = tr.positions.begin(worker, lo, scores)
			}
			tr.objective.derivatives(ctx, worker, tree, q, scores, grad, hess)
			tr.sums[q] = tr.draw.Sum(lo, grad, hess)
		}
	})
}

// measure chooses the units in which the next tree sums derivatives. The units depend on the sums
// of the queries.
func (tr *training) measure() (boost.Units, error) {
	unit, err := boost.UnitsOf(tr.sums, len(tr.model.Trees))
	if err != nil {
		err = cmp.Or(tr.wrong(), err)
	}
	return unit, err
}

// wrong returns an error about the first row with an invalid derivative. It returns nil if all
// derivatives are valid, or if they are invalid because the scores overflowed float32.
func (tr *training) wrong() error {
	for q := range tr.sums {
		if s := tr.sums[q]; finite(s.Grad) && finite(s.Hess) {
			continue
		}
		lo, hi := tr.d.Query(q)
		for i := lo; i < hi; i++ {
			if !(math.Abs(tr.scores[i]) <= math.MaxFloat32) {
				return nil
			}
			if g, h := float64(tr.grad[i]), float64(tr.hess[i]); !finite(g) || !finite(h) || h < 0 {
				return errs.Op("lambdamart", tr.d.RowError(i, fmt.Errorf(
					"query %s: the objective %v returned the derivatives %v and %v for tree %d: "+
						"both must be finite and the second must not be negative",
					tr.d.QueryIDs[q], tr.o.Objective, g, h, len(tr.model.Trees)+1)))
			}
		}
	}
	return nil
}

// add adds the leaf values of the tree to the scores of the training rows. With Dart, it also
// stores the leaf of each row.
func (tr *training) add(t *Tree) {
	rows := len(tr.scores)
	if tr.dart != nil {
		tr.dart.rows.grow(rows, len(t.Leaf))
	}
	// Ignore cancellation, which could leave only some of the scores updated.
	tr.team.For(context.Background(), (rows+boost.RowTask-1)/boost.RowTask, func(_, task int) {
		lo, hi := task*boost.RowTask, min((task+1)*boost.RowTask, rows)
		leaves := tr.grower.LeafOf()[lo:hi]
		addLeaves(tr.scores[lo:hi], leaves, t.Leaf)
		if tr.dart != nil {
			for i, l := range leaves {
				tr.dart.rows.set(lo+i, int(l))
			}
		}
	})
}

// finish completes the model and the result.
func (tr *training) finish(stop string) {
	r := tr.out
	r.Stop, r.Curves = stop, tr.watch.curves
	r.Best, r.Model = r.Grown, tr.model
	if len(tr.watch.sets) > 0 {
		if !tr.o.Dart { // in Dart, later trees change the values of earlier ones
			r.Best = tr.watch.Best
			r.Model.Best = len(r.Model.Trees) - r.Grown + r.Best
		}
		if tr.o.EarlyStopping > 0 {
			r.Model.Trees = slices.Clip(r.Model.Trees[:r.Model.Best])
			r.Model.PositionFactors = tr.watch.positions
		}
	}
	const row = 2*(4+8) + 2*4 + 8 // bytes per row: row numbers and cells, both with scratch memory, derivatives, score
	r.TrainBytes = r.BinBytes + tr.grower.Bytes() + row*int64(tr.d.Rows())
	if tr.dart != nil {
		r.TrainBytes += tr.dart.rows.bytes()
	}
}
