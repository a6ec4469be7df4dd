package lambdamart

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// Refit returns a copy of m with the same splits and new leaf values that fit d, like LightGBM's
// task refit. It updates one tree after the other. A leaf with the value v receives
//
//	decay·v + (1−decay)·LearningRate·u
//
// where u is the value with the lowest loss for the leaf's rows in d, given the earlier updated
// trees. If no row reaches the leaf, u is 0. decay is LightGBM's refit_decay_rate. It must be from
// 0 to 1; LightGBM's default is 0.9. If the Sigmoid of m is not 0, Objective must be [Binary] and
// must use the same Sigmoid.
//
// Refit uses the loss options (Objective, its parameters and Seed), L1, L2, MaxDeltaStep,
// LearningRate and Threads. LearningRate should be the learning rate that the model was trained
// with. Refit returns an error if Monotone is set, because the new values may violate it, or if
// PositionBias is set. As in LightGBM, the counts and Hessians of m do not change.
func (t *Trainer) Refit(ctx context.Context, m *Model, d *rank.Dataset, decay float64) (_ *Model, err error) {
	defer memory.Begin().End(&err)
	own := *t
	own.Start, own.Validation, own.CustomMetrics, own.EarlyStopping = nil, nil, nil, 0
	own.QueryFraction, own.RowFraction = 1, 1
	o, err := own.filled(d)
	switch {
	case err != nil:
		return nil, err
	case !(decay >= 0 && decay <= 1):
		return nil, errs.Errorf("lambdamart", "the decay is %v; it must be from 0 to 1", decay)
	case len(o.Monotone) > 0:
		return nil, errs.New("lambdamart", "Monotone cannot be combined with Refit")
	case o.PositionBias != noBias:
		return nil, errs.New("lambdamart", "PositionBias cannot be combined with Refit")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	sigmoid, err := o.sigmoid()
	if err != nil {
		return nil, err
	}
	if m.Sigmoid > 0 && (o.Objective != Binary || sigmoid != m.Sigmoid) { // Probabilities of the result would be wrong
		return nil, errs.Errorf("lambdamart", "refitting a log-loss model requires the objective binary and Sigmoid %v", m.Sigmoid)
	}
	if err := m.checkColumns(d.Cols, d.Names, d.Categories, "the model to refit"); err != nil {
		return nil, err
	}
	team := parallel.NewTeam(parallel.Threads(o.Threads))
	defer team.Close()
	params := o.params()
	tr := o.training(d, team)
	if tr.objective, err = newObjective(o, d, team.Workers()); err != nil {
		return nil, err
	}
	rows := d.Rows()
	tr.scores, tr.sums = slices.Repeat([]float64{m.Bias}, rows), make([]boost.QuerySum, d.Queries())
	tr.grad, tr.hess = make([]float32, rows), make([]float32, rows)
	fit := *m
	fit.Average = false      // a new value is fitted to the sum of the earlier trees
	fit.UnknownOrder = false // features get the order of the data
	fit.Calibration = nil    // the scores change
	fit.Trees = slices.Clone(m.Trees)
	leaves := make([]int32, rows)
	for i := range fit.Trees {
		tree := &fit.Trees[i]
		tr.draw.Begin(i)
		tr.model.Trees = fit.Trees[:i]
		if err := tr.differentiate(ctx); err != nil {
			return nil, refitStopped(i, len(fit.Trees), err)
		}
		unit, err := tr.measure()
		if err != nil {
			return nil, err
		}
		sums := make([][]boost.Leaf, team.Workers())
		for w := range sums {
			sums[w] = make([]boost.Leaf, len(tree.Leaf))
		}
		each := func(do func(worker, row int)) error {
			return team.For(ctx, (rows+boost.RowTask-1)/boost.RowTask, func(worker, task int) {
				for r := task * boost.RowTask; r < min((task+1)*boost.RowTask, rows); r++ {
					do(worker, r)
				}
			})
		}
		err = each(func(worker, r int) {
			l := tree.leafOfRow(d, r)
			leaves[r] = int32(l)
			unit.Add(&sums[worker][l], tr.grad[r], tr.hess[r])
		})
		if err != nil {
			return nil, refitStopped(i, len(fit.Trees), err)
		}
		values := make([]float64, len(tree.Leaf))
		for l, old := range tree.Leaf {
			var sum boost.Leaf
			for _, s := range sums {
				sum.Merge(s[l])
			}
			best := params.BestValue(unit, sum)
			values[l] = float64(decay*old) + float64((1-decay)*float64(best*o.LearningRate))
		}
		tree.Leaf = values
		if err := each(func(_, r int) { tr.scores[r] += values[leaves[r]] }); err != nil {
			return nil, refitStopped(i, len(fit.Trees), err)
		}
	}
	return &fit, nil
}

func refitStopped(done, of int, err error) error {
	return errs.Errorf("lambdamart", "refitting stopped after %d of %d trees: %w", done, of, err)
}
