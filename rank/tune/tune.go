// Package tune searches for the hyperparameters of a ranker by random search (Bergstra and Bengio
// 2012). It samples them from ranges, and evaluates each sample by cross-validation over queries.
//
// Start with a [Study]: set RankSVM or LambdaMART, call [Study.Search], and train the best trial
// with [Study.Fit].
//
// Searches are deterministic. Trials, values and the model are bit-identical for any number of
// threads and on every processor. An interrupted and resumed search gives the same result as an
// uninterrupted search.
//
// Error messages name the trial and the fold. If the context ends, Search returns its error
// together with the trials so far.
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

// A Study is a search for the hyperparameters of one kind of ranker. Either RankSVM or LambdaMART
// must be set.
type Study struct {
	// RankSVM contains the settings that all trials share, except the parameters in Space. The
	// folds share Threads. OnIteration is not called. Start must be nil.
	RankSVM *rank.RankSVM

	// LambdaMART contains the settings that all trials of tree models share. The field Trees is the
	// maximum number of trees per trial. With EarlyStopping, a trial ends after that number of
	// consecutive trees without an improvement of the metric's mean over the folds; see [Trial].
	// Validation, CustomMetrics, Start, BinsFile and Checkpoint must not be set. OnTree is not
	// called.
	LambdaMART *lambdamart.Trainer

	// Space contains the ranges that trials sample parameters from. nil means DefaultSpace. If it
	// is empty but not nil, there is one trial.
	Space []Range
	// Trials is the number of trials. It must be positive. The default is 20.
	Trials int
	// Folds is the number of cross-validation folds; see [rank.Dataset.Folds]. It must be at least
	// 2. The default is 5.
	Folds int
	// Seed is the random seed for the folds and the samples.
	Seed uint64

	// Evaluator computes the metric by which trials are compared. It must have exactly one metric;
	// the higher its value, the better. nil means NDCG@10 with default options.
	Evaluator *rank.Evaluator
	// Metric is your own metric, which replaces Evaluator. Its name identifies it in File.
	// Goroutines call Value concurrently with the test queries of a fold, which include their
	// Pairs. Lower is not supported.
	Metric *lambdamart.CustomMetric

	// Halving enables successive halving (Jamieson and Talwalkar 2016): all trials are evaluated
	// with a few folds and trees, then the best 1/Halving of them with more folds and trees by this
	// factor, and so on. The last rung uses all folds and trees. For RankSVM, rungs only differ in
	// folds. It must be from 2 to Folds. 0, the default, evaluates all trials with all folds and
	// trees.
	//
	// Early rungs favor trials that improve fast. A small learning rate, which needs more trees,
	// can lose there although it would win with all trees.
	Halving int

	// File is the path of a file that stores the trials. It is written atomically after each trial.
	// If the file exists, Search resumes from its trials. Search returns an error if the file
	// belongs to other data, settings, ranges, folds, seed or metric. "" means that there is no
	// file.
	File string

	// OnTrial is called before each trial by the goroutine that called Search. It receives the
	// trials so far, which it must not modify.
	OnTrial func(sofar *Result)
	// Progress reports the progress of Search in thousandths of a trial; see the comment of package
	// rank.
	Progress func(done, total int64)
}

// A Trial is one sample of parameters and its cross-validation result. With Halving, Folds contains
// only the first folds if later rungs omitted the trial, and MaxTrees is less than the number of
// trees in the study.
//
// Tree models of all folds are trained together, tree by tree. Trees is the smallest number of
// trees with the highest mean of the metric over the folds. Without EarlyStopping it is the number
// of all trees. Value and Folds are the results at that number. A fold's model stops growing when
// no split reduces the loss any more.
type Trial struct {
	Parameters []float64 `json:"parameters"`          // one value per range of the space
	Value      float64   `json:"value"`               // mean of Folds
	Folds      []float64 `json:"folds"`               // mean of the metric over the queries of each fold
	Trees      int       `json:"trees,omitempty"`     // number of trees; 0 for RankSVM
	MaxTrees   int       `json:"max_trees,omitempty"` // limit of Trees; 0 for RankSVM
}

// A Result contains the trials of a search.
type Result struct {
	Trials []Trial
	// Best is the index of the trial with the highest Value on the largest number of folds; the
	// first one if several are equal.
	Best int
}

// Search runs the trials.
//
// It copies features one fold at a time. For trees it needs memory for a second copy of d and for
// the bins of (Folds−1)·d.Rows() rows. For RankSVM it needs memory for one copy of d per thread.
//
// If ctx ends, Search returns the trials so far and an error that wraps the context's error.
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
	file, err := o.file(ctx, d, c.metric())
	if err != nil {
		return nil, err
	}
	const steps = 1000 // number of progress steps per evaluation
	evaluations := 0
	for _, rung := range o.rungs() {
		evaluations += rung.trials
	}
	r := &Result{}
	var done []Trial // evaluations in the order of the rungs
	progress := parallel.NewProgress(o.Progress, int64(steps*evaluations))
	for {
		n := len(done)
		i, rung, more := o.next(done)
		if !more {
			break
		}
		if n < len(file.list) {
			done = append(done, file.list[n])
			r.add(i, file.list[n])
			continue
		}
		if o.OnTrial != nil {
			o.OnTrial(r)
		}
		tell := func(share float64) { progress.Reach(int64(steps * (float64(n) + share))) }
		tell(0)
		trial, err := c.measure(ctx, draw(o.Space, o.Seed, i), rung, tell)
		if err != nil && ctx.Err() != nil {
			return r, errs.Errorf("tune", "search stopped after %d of %d trials: %w", n, evaluations, ctx.Err())
		}
		if err != nil {
			return nil, errs.Op("tune", errs.Wrap(err, "trial %d%s", i+1, o.describe(i)))
		}
		done = append(done, *trial)
		r.add(i, *trial)
		if err := file.save(done); err != nil {
			return nil, err
		}
	}
	progress.Finish()
	return r, nil
}

// Fit trains the ranker with the parameters of a trial on all of d, which may contain more data
// than the search used. For tree models, the number of trees is the trial's field Trees. It returns
// a *rank.Linear or a *lambdamart.Model.
func (s *Study) Fit(ctx context.Context, d *rank.Dataset, t *Trial) (rank.Model, error) {
	o, err := s.filled()
	if err != nil {
		return nil, err
	}
	if len(t.Parameters) != len(o.Space) {
		return nil, errs.Errorf("tune", "the trial has %d parameters, but the space has %d", len(t.Parameters),
			len(o.Space))
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
		return nil, errs.New("tune", "the trial has no trees: no split reduces the loss")
	}
	r, err := trainer.Fit(ctx, d)
	if err != nil {
		return nil, err
	}
	return r.Model, nil
}

// filled returns a copy of the study in which zeros are replaced by defaults. It returns an error
// if the settings are invalid.
func (s *Study) filled() (*Study, error) {
	o := *s
	switch t := s.LambdaMART; {
	case (s.LambdaMART == nil) == (s.RankSVM == nil):
		return nil, errs.New("tune", "exactly one of LambdaMART and RankSVM must be set")
	case s.RankSVM != nil && s.RankSVM.Start != nil, t != nil && t.Start != nil:
		return nil, errs.New("tune", "Start must not be set: its training may have used the test queries of the folds")
	case t != nil && len(t.Validation) > 0:
		return nil, errs.New("tune", "LambdaMART.Validation must be empty: trials are evaluated on the folds")
	case t != nil && len(t.CustomMetrics) > 0:
		return nil, errs.New("tune", "LambdaMART.CustomMetrics must be empty: Evaluator computes the metric")
	case t != nil && t.Checkpoint != "":
		return nil, errs.New("tune", "LambdaMART.Checkpoint must not be set: folds cannot share it (use File to store trials)")
	case t != nil && t.BinsFile != "":
		return nil, errs.New("tune", "LambdaMART.BinsFile must not be set: folds cannot share it")
	}
	if err := s.checkMetric(); err != nil {
		return nil, err
	}
	if o.Evaluator == nil {
		var err error
		if o.Evaluator, err = rank.NewEvaluator("ndcg@10", rank.Options{}); err != nil {
			return nil, err
		}
	}
	if len(o.Evaluator.Metrics()) != 1 {
		return nil, errs.Errorf("tune", "the evaluator has the metrics %q; it must have exactly one metric", o.Evaluator)
	}
	o.Trials, o.Folds = cmp.Or(s.Trials, 20), cmp.Or(s.Folds, 5)
	if o.Space == nil {
		o.Space = s.DefaultSpace()
	}
	if len(o.Space) == 0 {
		o.Trials = 1
	}
	if o.Halving != 0 && (o.Halving < 2 || o.Halving > o.Folds) {
		return nil, errs.Errorf("tune", "Halving is %d; it must be from 2 to the number of folds, %d", o.Halving, o.Folds)
	}
	if o.Trials < 1 {
		return nil, errs.Errorf("tune", "Trials is %d; it must be at least 1", o.Trials)
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
			return nil, errs.Errorf("tune", "space: %s is not a parameter of this ranker, which has %s", r.Name,
				strings.Join(names, ", "))
		}
	}
	return &o, checkTwice(o.Space)
}

// checkMetric returns an error if Metric cannot be used.
func (s *Study) checkMetric() error {
	switch m := s.Metric; {
	case m == nil:
		return nil
	case s.Evaluator != nil:
		return errs.New("tune", "Metric cannot be combined with Evaluator")
	case m.Value == nil:
		return errs.Errorf("tune", "Metric %q has no Value function", m.Name)
	case m.Lower:
		return errs.Errorf("tune", "Lower of Metric %q is not supported: return the negated value", m.Name)
	}
	return nil
}

// metric returns the name of the metric.
func (s *Study) metric() string {
	if s.Metric != nil {
		return "custom " + s.Metric.Name
	}
	return s.Evaluator.String()
}

// svm returns a RankSVM with the parameters of a trial.
func (s *Study) svm(values []float64) *rank.RankSVM {
	m := *s.RankSVM
	m.OnIteration = nil
	for i, r := range s.Space {
		parameterOf(r.Name).svm(&m, values[i])
	}
	return &m
}

// trees returns a trainer with the parameters of a trial.
func (s *Study) trees(values []float64) *lambdamart.Trainer {
	t := *s.LambdaMART
	t.OnTree = nil
	for i, r := range s.Space {
		parameterOf(r.Name).trees(&t, values[i])
	}
	return &t
}

// describe returns the parameters of a trial and their values for messages.
func (s *Study) describe(trial int) string {
	if len(s.Space) == 0 {
		return ""
	}
	var words []string
	for i, v := range draw(s.Space, s.Seed, trial) {
		words = append(words, s.Space[i].Name+" "+s.Space[i].Format(v))
	}
	return " (" + strings.Join(words, ", ") + ")"
}
