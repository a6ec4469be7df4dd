package sharded

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A fit is the state of a call of Fit.
type fit struct {
	*Training
	passes Passes

	grower *boost.Grower
	draw   boost.Draw
	watch  *boost.Watch
	out    *lambdamart.Result
}

// Fit grows the trees on rows in these bins. done contains the trees of an interrupted training, or
// is nil. If ctx is canceled, the result contains the trees that are complete.
func (t *Training) Fit(ctx context.Context, bins []boost.Binning, bias float64, done *Progress, p Passes) (
	*lambdamart.Result, error) {
	if math.IsNaN(bias) || math.IsInf(bias, 0) {
		return nil, errs.Errorf("lambdamart", "objective %v: the initial score is %v; it must be finite", t.objective,
			bias)
	}
	team := parallel.NewTeam(parallel.Threads(t.o.Threads))
	defer team.Close()
	model, b := *t.model, boost.BinsOf(bins)
	model.MissingFeatures = b.Missing(model.MissingFeatures)
	f := &fit{Training: t, passes: p, draw: boost.NewDraw(t.Params, nil),
		grower: boost.NewGrower(t.Params, b, team, nil, nil),
		out:    &lambdamart.Result{Model: &model}}
	if t.o.Start == nil {
		model.Bias = bias
	}
	for _, v := range t.o.Validation { // validation data in shards
		for _, m := range v.Evaluator.Metrics() {
			f.out.Curves = append(f.out.Curves, lambdamart.Curve{Set: v.Name, Metric: m.String()})
		}
	}
	f.watch = boost.NewWatch(len(f.out.Curves), t.o.EarlyStopping, false)
	stop := boost.StopTrees
	if done != nil {
		model.Trees = slices.Clone(done.Model.Trees)
		if f.watch.Replay(done.Trees, done.Values) {
			stop = boost.StopEarly
		}
		f.curves()
	}
	var err error
	if f.watch.Trees < t.o.Trees && stop == boost.StopTrees {
		var at *Stepped
		at, err = p.Step(ctx, nil, len(model.Trees))
		for err == nil && f.watch.Trees < t.o.Trees && stop == boost.StopTrees {
			at, stop, err = f.step(ctx, at)
		}
	}
	if stop, err = f.watch.End(ctx, f.watch.Trees, t.o.Trees, stop, err); stop == "" {
		return nil, err
	}
	f.finish(stop)
	return f.out, err
}

// step grows one tree from the result of the previous step. It returns StopTrees unless training
// ends for another reason.
func (f *fit) step(ctx context.Context, at *Stepped) (_ *Stepped, stop string, err error) {
	model, number := f.out.Model, len(f.out.Model.Trees)
	sums := make([]boost.QuerySum, len(at.Sums)/2)
	for q := range sums {
		sums[q] = boost.QuerySum{Grad: at.Sums[2*q], Hess: at.Sums[2*q+1]}
	}
	unit, err := boost.UnitsOf(sums, number)
	if err != nil {
		return nil, "", err
	}
	f.draw.Features(f.grower, number)
	tree, err := f.grower.GrowAway(ctx, f.passes, number, at.Drawn, unit)
	if err != nil {
		return nil, "", err
	}
	if len(tree.Feature) == 0 { // the tree has no effect, but another sample may allow splits
		if tree.Leaf[0] = 0; !f.draw.Some() {
			return nil, boost.StopNoSplit, nil
		}
	}
	whole, next := f.grower.Cuts(number), number+1
	if whole.Leaf = tree.Leaf; f.watch.Trees+1 == f.o.Trees {
		next = -1
	}
	if at, err = f.passes.Step(ctx, &whole, next); err != nil {
		return nil, "", err
	}
	model.Trees = append(model.Trees, lambdamart.Tree(*tree))
	values := make([]float64, len(at.Values))
	for k, v := range at.Values {
		if values[k] = v.Mean; math.IsNaN(v.Mean) {
			return nil, "", errs.Errorf("lambdamart", "validation set 1 (%s): %v is undefined for all %d queries",
				f.out.Curves[k].Set, f.out.Curves[k].Metric, v.Skipped)
		}
	}
	stop = boost.StopTrees
	if _, last := f.watch.Note(values); last {
		stop = boost.StopEarly
	}
	f.curves()
	if err := f.passes.Grown(ctx, &Progress{model, f.watch.Values, f.watch.Trees}); err != nil {
		return nil, "", fmt.Errorf("after tree %d: %w", f.watch.Trees, err)
	}
	return at, f.tell(stop), ctx.Err()
}

// curves sets the curves of the result to the values so far.
func (f *fit) curves() {
	for k := range f.out.Curves {
		f.out.Curves[k].Values = f.watch.Values[k]
	}
}

// tell calls OnTree. It returns stop unless OnTree ends the training.
func (f *fit) tell(stop string) string {
	if f.o.OnTree == nil {
		return stop
	}
	f.out.Grown = f.watch.Trees
	return f.watch.Tell(stop, f.o.OnTree(f.out), lambdamart.ErrStop)
}

// finish completes the result.
func (f *fit) finish(stop string) {
	r, m := f.out, f.out.Model
	r.Stop, r.Grown, r.Best = stop, f.watch.Trees, f.watch.Trees
	if len(r.Curves) > 0 {
		r.Best = f.watch.Best
		m.Best = len(m.Trees) - r.Grown + r.Best
		if f.o.EarlyStopping > 0 {
			m.Trees = slices.Clip(m.Trees[:m.Best])
		}
	}
	r.TrainBytes = f.grower.Bytes()
}
