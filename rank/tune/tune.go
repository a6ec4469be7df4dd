// Package tune chooses the settings of a ranker by random search (Bergstra and Bengio 2012): it
// draws them from ranges, and measures each draw by a cross-validation by query.
//
// A search gives the same trials, values and model, to the bit, for any number of threads, on every
// processor, and when it was interrupted and taken up again.
package tune

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Study is a search for the settings of one kind of ranker: either RankSVM or LambdaMART is set.
type Study struct {
	// What trials have in common: all fields that Space does not name. Threads are shared by the
	// folds; OnIteration is not called. RankSVM must have no Start.
	RankSVM *rank.RankSVM

	// The same for boosted trees. Its Trees are how many a trial grows at most. With EarlyStopping,
	// a trial ends when that many trees in a row have not raised the mean of the metric over the
	// folds: see [Trial]. There must be no Validation, CustomMetrics, Start, BinsFile or
	// Checkpoint, and OnTree is not called.
	LambdaMART *lambdamart.Trainer

	// Space has the ranges that trials draw parameters from. nil means those of DefaultSpace.
	// Without ranges there is one trial.
	Space []Range
	// Trials is the number of trials, a positive number. 0 means 20.
	Trials int
	// Folds is the number of parts of the cross-validation, 2 or more, which [rank.Dataset.Folds]
	// makes. 0 means 5.
	Folds int
	Seed  uint64 // of the folds and of what trials draw

	// Evaluator computes the one metric that decides, the higher the better. nil means NDCG@10 with
	// its default options.
	Evaluator *rank.Evaluator

	// File keeps the trials: it is written after each, whole or not at all. A search goes on from
	// the trials that are there. When they are of other data, settings, ranges, folds, seed or
	// metric, that is an error. "" keeps none.
	File string

	// OnTrial is called before each trial, from the goroutine that called Search, with the trials
	// so far, which it must not change.
	OnTrial func(sofar *Result)
	// Progress reports thousandths of trials; see the comment of package rank.
	Progress func(done, total int64)
}

// A Trial is a draw of parameters and what the cross-validation makes of it.
//
// The folds of trees grow together, tree by tree. Trees is the number of them at which the mean of
// the metric over the folds is highest, the smallest such number; without EarlyStopping it is that
// of all trees. Value and Folds are of that number. A fold in which no split lowers the loss any
// more keeps the trees that it has.
type Trial struct {
	Parameters []float64 `json:"parameters"`      // one per range of the space
	Value      float64   `json:"value"`           // mean over the folds, in their order
	Folds      []float64 `json:"folds"`           // mean of the metric over the queries of each
	Trees      int       `json:"trees,omitempty"` // 0 for RankSVM
}

// A Result is what a search has found.
type Result struct {
	Trials []Trial
	Best   int // index of the trial with the highest value, the first of equals
}

// Search makes the trials.
//
// Features are copied fold by fold: beside d, trees need memory for d once more, and for the bins
// of Folds−1 times its rows; RankSVM needs as much as d for each thread.
//
// When ctx ends Search returns the trials so far with an error that wraps the context's.
func (s *Study) Search(ctx context.Context, d *rank.Dataset) (_ *Result, err error) {
	defer memory.Begin().End(&err)
	o, err := s.filled()
	if err != nil {
		return nil, err
	}
	c, err := o.crossValidation(d)
	if err != nil {
		return nil, err
	}
	file, err := o.file(ctx, d, o.Evaluator.String())
	if err != nil {
		return nil, err
	}
	r := &Result{Trials: file.list[:min(len(file.list), o.Trials)]}
	for i := range r.Trials {
		r.note(i)
	}
	const steps = 1000 // of a trial
	progress := parallel.NewProgress(o.Progress, int64(steps*o.Trials))
	for len(r.Trials) < o.Trials {
		n := len(r.Trials)
		if o.OnTrial != nil {
			o.OnTrial(r)
		}
		tell := func(share float64) { progress.Reach(int64(steps * (float64(n) + share))) }
		tell(0)
		trial, err := c.measure(ctx, draw(o.Space, o.Seed, n), tell)
		if err != nil && ctx.Err() != nil {
			return r, errs.Errorf("tune", "search stopped after %d of %d trials: %w", n, o.Trials, ctx.Err())
		}
		if err != nil {
			return nil, errs.Op("tune", errs.Wrap(err, "trial %d%s", n+1, o.describe(n)))
		}
		r.Trials = append(r.Trials, *trial)
		r.note(n)
		if err := file.save(r.Trials); err != nil {
			return nil, err
		}
	}
	progress.Finish()
	return r, nil
}

// note makes the best trial that of index i if it is better.
func (r *Result) note(i int) {
	if r.Trials[i].Value > r.Trials[r.Best].Value {
		r.Best = i
	}
}

// Fit trains the ranker with the parameters of a trial on all of d, which may be more than what was
// searched on. Of trees it grows as many as the trial tells. The model is a *rank.Linear or a
// *lambdamart.Model.
func (s *Study) Fit(ctx context.Context, d *rank.Dataset, t *Trial) (rank.Model, error) {
	o, err := s.filled()
	if err != nil {
		return nil, err
	}
	if len(t.Parameters) != len(o.Space) {
		return nil, errs.Errorf("tune", "a trial of %d parameters for a space of %d", len(t.Parameters), len(o.Space))
	}
	if o.RankSVM != nil {
		m, err := o.svm(t.Parameters).Fit(ctx, d)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	trainer := o.trees(t.Parameters)
	if trainer.Trees, trainer.EarlyStopping = t.Trees, 0; t.Trees <= 0 {
		return nil, errs.New("tune", "the trial has no trees: no split lowers the loss")
	}
	r, err := trainer.Fit(ctx, d)
	if err != nil {
		return nil, err
	}
	return r.Model, nil
}

// filled returns the study with its defaults in place of zeros, or why it makes no sense.
func (s *Study) filled() (*Study, error) {
	o := *s
	switch t := s.LambdaMART; {
	case (s.LambdaMART == nil) == (s.RankSVM == nil):
		return nil, errs.New("tune", "want either LambdaMART or RankSVM")
	case s.RankSVM != nil && s.RankSVM.Start != nil, t != nil && t.Start != nil:
		return nil, errs.New("tune", "the ranker has a Start, which may have seen what folds are measured on")
	case t != nil && len(t.Validation) > 0:
		return nil, errs.New("tune", "LambdaMART has Validation sets, in place of which there are the folds")
	case t != nil && len(t.CustomMetrics) > 0:
		return nil, errs.New("tune", "LambdaMART has CustomMetrics, in place of which Evaluator decides")
	case t != nil && t.Checkpoint != "":
		return nil, errs.New("tune", "LambdaMART has a Checkpoint, which folds cannot share: File keeps trials")
	case t != nil && t.BinsFile != "":
		return nil, errs.New("tune", "LambdaMART has a BinsFile, which folds cannot share")
	}
	if o.Evaluator == nil {
		var err error
		if o.Evaluator, err = rank.NewEvaluator("ndcg@10", rank.Options{}); err != nil {
			return nil, err
		}
	}
	if len(o.Evaluator.Metrics()) != 1 {
		return nil, errs.Errorf("tune", "Evaluator has the metrics %q, want one metric", o.Evaluator)
	}
	o.Trials, o.Folds = cmp.Or(s.Trials, 20), cmp.Or(s.Folds, 5)
	if o.Space == nil {
		o.Space = s.DefaultSpace()
	}
	if len(o.Space) == 0 {
		o.Trials = 1
	}
	if o.Trials < 1 {
		return nil, errs.Errorf("tune", "Trials is %d, want at least 1", o.Trials)
	}
	for _, r := range o.Space {
		if err := r.check(); err != nil {
			return nil, errs.Errorf("tune", "space: %s: %w", r.Name, err)
		}
		ranker := "ranksvm"
		if s.LambdaMART != nil {
			ranker = "lambdamart"
		}
		if names := ParameterNames(ranker); !slices.Contains(names, r.Name) {
			return nil, errs.Errorf("tune", "space: %s is no parameter of this ranker, which has %s", r.Name,
				strings.Join(names, ", "))
		}
	}
	return &o, checkTwice(o.Space)
}

// svm returns the RankSVM of a trial.
func (s *Study) svm(values []float64) *rank.RankSVM {
	m := *s.RankSVM
	m.OnIteration = nil
	for i, r := range s.Space {
		parameterOf(r.Name).svm(&m, values[i])
	}
	return &m
}

// trees returns the trainer of a trial.
func (s *Study) trees(values []float64) *lambdamart.Trainer {
	t := *s.LambdaMART
	t.OnTree = nil
	for i, r := range s.Space {
		parameterOf(r.Name).trees(&t, values[i])
	}
	return &t
}

// describe names the parameters of a trial and their values.
func (s *Study) describe(trial int) string {
	if len(s.Space) == 0 {
		return ""
	}
	var words []string
	for i, v := range draw(s.Space, s.Seed, trial) {
		words = append(words, s.Space[i].Name+" "+formatValue(v))
	}
	return " (" + strings.Join(words, ", ") + ")"
}
