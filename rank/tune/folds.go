package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A crossValidation evaluates trials on the folds of a dataset.
type crossValidation struct {
	*Study
	d         *rank.Dataset
	train     [][]int         // training queries of each fold
	tests     []*rank.Dataset // test queries of each fold
	evaluator *rank.Evaluator // evaluates one fold

	// binned contains the training data of each fold in bins, which the trials of tree models
	// share. An element is nil until a trial has binned the fold. bins is the option Bins of these
	// trials.
	binned []*lambdamart.Binned
	bins   int
}

func (s *Study) crossValidation(d *rank.Dataset) (*crossValidation, error) {
	c := &crossValidation{Study: s, d: d}
	o := s.Evaluator.Options()
	o.Threads, o.Progress = 1, nil // folds are evaluated concurrently, each with one thread
	var err error
	if c.evaluator, err = rank.NewEvaluator(s.Evaluator.String(), o); err != nil {
		return nil, err
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	folds, err := d.Folds(s.Folds, s.Seed)
	if err != nil {
		return nil, err
	}
	for train, test := range folds {
		t, err := d.SubsetQueries(test)
		if err != nil {
			return nil, err
		}
		c.train, c.tests = append(c.train, train), append(c.tests, t)
	}
	c.binned = make([]*lambdamart.Binned, len(c.tests))
	return c, nil
}

// measure runs a trial with the given parameters on the first folds, with the trees of its rung.
func (c *crossValidation) measure(ctx context.Context, parameters []float64, r rung, tell func(share float64)) (
	*Trial, error) {
	if c.LambdaMART != nil {
		if bins := c.trees(parameters).Bins; bins != c.bins {
			clear(c.binned) // release the old bins before a fold allocates new ones
			c.bins = bins
		}
	}
	part := *c
	part.train, part.tests, part.binned = c.train[:r.folds], c.tests[:r.folds], c.binned[:r.folds]
	return part.trial(ctx, parameters, r.trees, tell)
}

// trial runs a trial on all folds of c with at most the given number of trees.
func (c *crossValidation) trial(ctx context.Context, parameters []float64, trees int, tell func(share float64)) (
	*Trial, error) {
	trial := &Trial{Parameters: parameters, MaxTrees: trees}
	var err error
	if c.RankSVM != nil {
		trial.Folds, err = c.svmFolds(ctx, c.svm(parameters), tell)
	} else {
		t := c.trees(parameters)
		t.Trees = trees
		trial.Folds, trial.Trees, err = c.treeFolds(ctx, t, tell)
	}
	trial.Value = mean(trial.Folds)
	return trial, err
}

// mean returns the mean of values. It adds them in order.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// share divides threads among the folds. It returns the number of folds that run concurrently and
// the number of threads per fold.
func (c *crossValidation) share(threads int) (folds, each int) {
	threads = parallel.Threads(threads)
	return min(threads, len(c.tests)), max(threads/len(c.tests), 1)
}

// svmFolds trains s on each fold and returns the metric value of each fold.
func (c *crossValidation) svmFolds(ctx context.Context, s *rank.RankSVM, tell func(share float64)) ([]float64, error) {
	values, problems := make([]float64, len(c.tests)), make([]error, len(c.tests))
	workers, threads := c.share(s.Threads)
	s.Threads = threads
	progress := parallel.NewProgress(func(done, total int64) { tell(float64(done) / float64(total)) },
		int64(len(c.tests)))
	fit := func(f int) error {
		train, err := c.d.SubsetQueries(c.train[f])
		if err != nil {
			return err
		}
		m, err := s.Fit(ctx, train)
		if err != nil {
			return err
		}
		values[f], err = c.value(ctx, f, m)
		return err
	}
	err := parallel.For(ctx, workers, len(c.tests), func(_, f int) {
		problems[f] = fit(f)
		progress.Add(1)
	})
	return values, cmp.Or(err, firstOf(problems))
}

// value returns the metric value of a model on the test queries of fold f.
func (c *crossValidation) value(ctx context.Context, f int, m rank.Model) (float64, error) {
	scores := make([]float64, c.tests[f].Rows())
	if err := m.ScoreInto(ctx, scores, c.tests[f]); err != nil {
		return 0, err
	}
	if c.Metric != nil {
		v, err := c.Metric.Value(scores, c.tests[f])
		if err == nil && math.IsNaN(v) {
			err = errors.New("the value is NaN")
		}
		if err != nil {
			return 0, errs.Wrap(err, "metric %s", c.Metric.Name)
		}
		return v, nil
	}
	r, err := c.evaluator.EvalScores(ctx, scores, c.tests[f])
	if err != nil {
		return 0, err
	}
	of := r.Metrics[0]
	if math.IsNaN(of.Mean) {
		return 0, fmt.Errorf("%v is undefined for all %d queries", of.Metric, of.Skipped)
	}
	return of.Mean, nil
}

// firstOf returns the error of the first fold that failed.
func firstOf(problems []error) error {
	for f, err := range problems {
		if err != nil {
			return errs.Op("tune", errs.Wrap(err, "fold %d of %d", f+1, len(problems)))
		}
	}
	return nil
}

// treeFolds trains trees on each fold. It returns the best number of trees, or the number grown if
// EarlyStopping is 0, and the metric value of each fold with this number of trees.
//
// A goroutine trains each fold. After each tree, it waits until all folds that still grow have this
// number of trees, so that all of them can stop at the same tree. A goroutine needs a slot while it
// grows trees. The number of slots limits the number of folds that run concurrently.
func (c *crossValidation) treeFolds(ctx context.Context, t *lambdamart.Trainer, tell func(share float64)) (
	values []float64, trees int, err error) {
	growing, stop := context.WithCancel(ctx)
	defer stop()
	s := &steps{curves: make([][]float64, len(c.tests)), none: make([]float64, len(c.tests)),
		ended: make([]bool, len(c.tests)), patience: t.EarlyStopping,
		tell: func(trees int) { tell(float64(trees) / float64(t.Trees)) }, ctx: growing, stop: stop}
	s.changed.L = &s.mu
	defer context.AfterFunc(growing, s.wake)()

	atOnce, threads := c.share(t.Threads)
	slots := make(chan struct{}, atOnce)
	grow := func(f int) error {
		slots <- struct{}{}
		defer func() { <-slots }()
		o := *t
		o.Threads, o.EarlyStopping = threads, 0
		train, err := c.bin(growing, f, &o)
		if err != nil {
			return err
		}
		o.Validation = []lambdamart.Validation{{Name: "test", Data: c.tests[f], Evaluator: c.evaluator}}
		if c.Metric != nil {
			o.CustomMetrics, o.Validation[0].Evaluator = []lambdamart.CustomMetric{*c.Metric}, nil
		}
		o.OnTree = func(sofar *lambdamart.Result) error {
			v := sofar.Curves[0].Values
			s.add(f, v[len(v)-1])
			<-slots
			s.wait(f)
			slots <- struct{}{}
			return nil
		}
		r, err := o.FitBinned(growing, train)
		if err != nil {
			return err
		}
		none := 0.0
		if r.Grown == 0 {
			if none, err = c.value(growing, f, r.Model); err != nil {
				return err
			}
		}
		s.end(f, none)
		return nil
	}
	problems := make([]error, len(c.tests))
	var folds sync.WaitGroup
	for f := range c.tests {
		folds.Go(func() {
			if err := grow(f); err != nil && !errors.Is(err, context.Canceled) {
				problems[f] = err
				s.end(f, 0) // the other folds continue, so that firstOf always returns the same error
			}
		})
	}
	folds.Wait()
	if err := cmp.Or(ctx.Err(), firstOf(problems)); err != nil {
		return nil, 0, err
	}
	return s.at(s.trees), s.trees, nil
}

// bin returns the binned training data of fold f, which trials with the same Bins share.
func (c *crossValidation) bin(ctx context.Context, f int, t *lambdamart.Trainer) (*lambdamart.Binned, error) {
	if c.binned[f] != nil {
		return c.binned[f], nil
	}
	train, err := c.d.SubsetQueries(c.train[f])
	if err != nil {
		return nil, err
	}
	c.binned[f], err = t.Bin(ctx, train)
	return c.binned[f], err
}

// steps synchronizes folds that grow trees concurrently.
type steps struct {
	mu      sync.Mutex
	changed sync.Cond

	curves [][]float64 // metric values of each fold, one per tree
	none   []float64   // metric value of each fold that has no trees
	ended  []bool      // whether each fold has stopped growing trees

	grown    int     // number of trees for which the metric values of all folds are known
	trees    int     // best number of trees, or grown if patience is 0
	top      float64 // mean metric value with this number of trees
	patience int     // number of trees without improvement after which training ends; 0 means no limit

	tell func(trees int)
	ctx  context.Context
	stop func()
}

// at returns the metric value of each fold with n trees, or with all of its trees if it has fewer.
func (s *steps) at(n int) []float64 {
	values := make([]float64, len(s.curves))
	for f, curve := range s.curves {
		if values[f] = s.none[f]; min(n, len(curve)) > 0 {
			values[f] = curve[min(n, len(curve))-1]
		}
	}
	return values
}

// add records the metric value of fold f after another tree.
func (s *steps) add(f int, value float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.curves[f] = append(s.curves[f], value)
	s.advance()
}

// end records that fold f has stopped growing trees. none is the metric value of the fold without
// trees.
func (s *steps) end(f int, none float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.none[f], s.ended[f] = none, true
	s.advance()
}

// advance updates grown, trees and top if all folds that still grow have another tree.
func (s *steps) advance() {
	for s.ctx.Err() == nil {
		growing := false // whether a fold has another tree
		for f, curve := range s.curves {
			if len(curve) > s.grown {
				growing = true
			} else if !s.ended[f] {
				return
			}
		}
		if !growing {
			return
		}
		s.grown++
		if m := mean(s.at(s.grown)); s.trees == 0 || m > s.top || s.patience == 0 {
			s.trees, s.top = s.grown, m
		}
		if s.patience > 0 && s.grown-s.trees >= s.patience {
			s.stop()
		}
		s.changed.Broadcast()
		s.tell(s.grown)
	}
}

// wait returns when all folds that still grow have as many trees as fold f, or when training has
// ended.
func (s *steps) wait(f int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.curves[f]) > s.grown && s.ctx.Err() == nil {
		s.changed.Wait()
	}
}

// wake wakes all folds that wait, because training has ended.
func (s *steps) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.Broadcast()
}
