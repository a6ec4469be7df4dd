package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/sharded"
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
	}
	builtin, ours := o.Objective.(Builtin)
	if !ours {
		return fmt.Errorf("lambdamart: the objective %v is the program's own, which shards do not know", o.Objective)
	}
	binning := o.binOptions()
	if err := binning.Check(rows, cols); err != nil {
		return err
	}
	_, err = builtin.loss(o, &rank.Dataset{Offsets: []int{0}})
	return err
}

// builtin returns the objective: Check lets no other pass.
func (s *growing) builtin() Builtin {
	b, _ := s.t.Objective.(Builtin)
	return b // NDCG where there is none
}

func (s *growing) Sample(rows int) []uint32 { return boost.SampleRows(rows) }

func (s *growing) Count(features []boost.Feature, labels *num.ExactMean, d *rank.Dataset) error {
	s.builtin().addLabels(labels, d)
	o := s.t.binOptions()
	return categoryError(d, o.Count(features, matrix(d)))
}

func (s *growing) Bias(labels *num.ExactMean) float64 { return s.builtin().bias(s.t, labels) }

func (s *growing) Numerical(values []float32, missing bool) boost.Binning {
	o := s.t.binOptions()
	return o.Numerical(values, missing)
}

func (s *growing) Categorical(f int, about *boost.Feature) (boost.Binning, boost.Dropped) {
	o := s.t.binOptions()
	return o.Categorize(f, about)
}

// A shardWorker does the work of passes on pieces.
type shardWorker struct {
	*boost.Worker
	o    *Trainer
	loss Builtin
}

func (s *growing) Worker(list []boost.Binning) sharded.Worker {
	o, err := s.t.filledFor(1, len(list), nil)
	if err != nil {
		panic(err) // Check has found none
	}
	o.Threads = 1 // for one goroutine
	return &shardWorker{boost.NewWorker(o.params(), list), o, s.builtin()}
}

func (w *shardWorker) Check(d *rank.Dataset) error {
	_, err := w.loss.loss(w.o, d)
	return err
}

func (w *shardWorker) Fill(d *rank.Dataset, other bool) []byte {
	return w.Worker.Fill(matrix(d), other)
}

func (w *shardWorker) Add(p *sharded.Piece, t *boost.CutTree) error { return w.Worker.Add(&p.Piece, t) }

func (w *shardWorker) Derive(p *sharded.Piece, tree int, sums []float64) ([]float64, int, error) {
	loss, err := w.loss.loss(w.o, p.Data)
	if err != nil {
		return nil, 0, err
	}
	o := &objective{d: p.Data, loss: loss, seed: w.o.Seed, first: p.FirstQuery}
	sums, n := w.Worker.Derive(&p.Piece, tree, sums, func(q int, scores []float64, grad, hess []float32) {
		o.derivatives(0, tree, q, scores, grad, hess)
	})
	return sums, n, nil
}

func (w *shardWorker) Histograms(p *sharded.Piece, g *boost.Growth, h *boost.Histograms) error {
	return w.Worker.Histograms(&p.Piece, g, h)
}

func (s *growing) Fit(ctx context.Context, d *rank.Dataset, rows int, list []boost.Binning, bias float64,
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
	params := o.params()
	tr.draw = boost.NewDraw(params, nil)
	tr.grower = boost.NewGrower(params, boost.BinsOf(list), team, nil, nil)
	if o.Start == nil {
		tr.model.Bias = bias
	}
	stop := tr.watch.resume(tr, done)
	if tr.out.Grown < o.Trees && stop == StopTrees {
		var at *sharded.Stepped
		at, err = p.Step(ctx, nil, len(tr.model.Trees))
		for err == nil && tr.out.Grown < o.Trees && stop == StopTrees {
			at, stop, err = tr.stepAway(ctx, p, at)
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
func (tr *training) stepAway(ctx context.Context, p sharded.Passes, at *sharded.Stepped) (_ *sharded.Stepped,
	stop Stop, err error) {
	g, number := tr.grower, len(tr.model.Trees)
	tr.draw.Features(g, number)
	tr.sums = tr.sums[:0]
	for i := 0; i < len(at.Sums); i += 2 {
		tr.sums = append(tr.sums, boost.QuerySum{Grad: at.Sums[i], Hess: at.Sums[i+1]})
	}
	unit, err := tr.measure()
	if err != nil {
		return nil, "", err
	}
	clock := time.Now()
	grown, err := g.GrowAway(ctx, p, number, at.Drawn, unit)
	tr.out.Growing += time.Since(clock)
	if err != nil {
		return nil, "", err
	}
	tree := (*Tree)(grown)
	if tr.ends(tree) {
		return nil, StopNoSplit, nil
	}
	whole, next := g.Cuts(number), number+1
	if whole.Leaf = tree.Leaf; tr.out.Grown+1 == tr.o.Trees {
		next = -1
	}
	clock = time.Now()
	if at, err = p.Step(ctx, &whole, next); err != nil {
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
	if err := p.Grown(ctx, progress); err != nil {
		return nil, "", fmt.Errorf("after tree %d: %w", tr.out.Grown, err)
	}
	return at, tr.tell(stop), ctx.Err()
}
