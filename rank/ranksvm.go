package rank

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
)

// RankSVM trains a linear ranker on the pairs of documents of one query that
// differ in label (Joachims 2002; Herbrich, Graepel, Obermayer 1999). It minimizes
//
//	f(w) = ½‖w‖² + C · Σ over queries, over pairs with yᵢ > yⱼ, of loss(w·xᵢ − w·xⱼ)
//
// over all pairs, to a stated gap, without ever writing a pair down. The zero value
// is ready for use: squared hinge, C = 1.
//
// QueryWeights of the dataset multiply the loss of each query; one of weight 0 is left out. Weights
// of rows are an error: a pair has two rows, and no weight of a pair that would follow from theirs
// is in common use. XGBoost's rankers take weights of queries alone, too; LightGBM's multiply
// gradients of rows, which then are those of no loss of pairs.
//
// The model has the same bits for any number of threads, on every processor.
type RankSVM struct {
	// C is the weight of the pairs against the penalty, a positive number. 0 means 1.
	C float64 `file:"c"`

	// Loss is what a pair of documents costs, as a function of the difference z = s(xᵢ)−s(xⱼ) of
	// their scores, where i has the higher label:
	//
	//	squared-hinge  max(0, 1−z)². The default ("").
	//	hinge          max(0, 1−z)
	//	logistic       ln(1+exp(−z)): RankNet's. A pass takes time in proportion to the pairs,
	//	               also in long queries.
	Loss string `file:"loss" word:"squared-hinge"`

	// PerQuery divides the loss of each query by the number of its pairs, so that
	// C is the weight of a query and long queries do not outvote short ones.
	PerQuery bool `file:"per_query"`

	// Gain weighs pairs by label: a pair weighs Gain(yᵢ)−Gain(yⱼ), where yᵢ > yⱼ.
	// Gain must not decrease. nil means that all pairs weigh 1; [ExpGain] weighs them as
	// NDCG does, and a function that returns the label by the difference of labels.
	Gain func(label float64) float64 `file:"gain"`

	// Standardize measures ‖w‖ as if each feature had been divided by its standard deviation
	// over the rows, so that the penalty does not depend on units. The weights of the model are
	// those of the features as they are.
	Standardize bool `file:"standardize"`

	Unpenalized []int `file:"unpenalized"`  // features, from 0, whose weights the term ½‖w‖² leaves out
	NonNegative []int `file:"non_negative"` // features, from 0, whose weights must not fall below 0

	// Start is the model to start from, which must have the features of the data;
	// nil starts from nothing. The optimum is the same.
	Start *Linear `file:"-"`

	// Tol is the relative gap (f(w) − min f)/f(w) within which training ends, proved by duality up
	// to rounding: a number between 0 and 1. 0 means 1e-6. [FitReport.Gap] is a bound of the gap.
	Tol float64 `file:"tol"`
	// MaxPasses is the number of passes over the data after which training ends at the latest, a
	// positive number. 0 means 10000.
	MaxPasses int `file:"max_passes"`
	// Threads is the number of goroutines. 0 or less means GOMAXPROCS. The model does not depend on
	// it.
	Threads int `file:"-"`

	// OnIteration is called after every iteration, from the goroutine that called Fit, with what a
	// report would say so far. The gap is an estimate then.
	OnIteration func(FitReport) `file:"-"`
}

// A FitReport tells how a training went, or how far it is.
type FitReport struct {
	C float64

	// Stop is the reason for which the training ended: "converged" if the gap is at most Tol,
	// "passes" after MaxPasses passes, "precision" if no step lowers the objective in float64,
	// "canceled" if the context ended, and "" while it is running.
	Stop string

	Objective float64 // f(w) of the model

	// Gap is an upper bound of (f(w) − min f)/f(w), up to rounding: at most Tol if the training
	// converged, and an estimate if it was canceled. It follows from a dual point, except that the
	// optimal weights of unpenalized features are taken to be of the order of those found.
	Gap float64

	Sampled bool // the objective is that of a sample: a starting point is being sought

	Queries int   // that have pairs
	Pairs   int64 // of those

	Iterations int
	Passes     int // passes over the data

	Elapsed time.Duration // since Fit was called
	Full    time.Duration // passes over the data
}

// Converged reports whether the training ended because the gap is at most Tol.
func (r *FitReport) Converged() bool { return r.Stop == ranksvm.StopConverged }

// Fit returns the model that minimizes the objective on d, and its report.
//
// When ctx ends it returns the best model so far together with an error that wraps the context's;
// the report says how far it came. Data without a single pair, and a feature or label that is not a
// number, are errors; queries without pairs are left out.
//
// The features are not copied, and beside them Fit needs memory for the rows and, up to 2048
// features, for some Hessian matrices. If features are dense and at most about a tenth of them are
// not 0, Fit works on a sparse copy, which takes up to a fifth of the memory of the data and is
// faster; the model has the same bits.
//
// A feature that is 0 in all rows has the weight 0, or that of Start if it is unpenalized. If the
// data have more than 65,536 features, of which at most a quarter occur, and few values for them,
// Fit trains a copy of the features that occur. Its time and memory depend on these, and only the
// weights on all.
func (s *RankSVM) Fit(ctx context.Context, d *Dataset) (_ *Linear, err error) {
	defer memory.Begin().End(&err)
	if err := s.check(d); err != nil {
		return nil, err
	}
	o := s.options()
	o.Started = time.Now() // before a copy of sparse features is made
	f, err := ranksvm.Fit(ctx, o, s.data(d))
	if f == nil {
		return nil, err
	}
	return s.model(f, d.Names), err
}

// options returns the options as those of internal/ranksvm.
func (s *RankSVM) options() *ranksvm.Options {
	o := &ranksvm.Options{
		C: s.C, Loss: s.Loss, PerQuery: s.PerQuery, Gain: s.Gain, Standardize: s.Standardize,
		Unpenalized: s.Unpenalized, NonNegative: s.NonNegative,
		Tol: s.Tol, MaxPasses: s.MaxPasses, Threads: s.Threads,
	}
	if s.Start != nil {
		o.Start = append([]float64{}, s.Start.Weights...)
	}
	if s.OnIteration != nil {
		o.OnIteration = func(r ranksvm.Report) { s.OnIteration(FitReport(r)) }
	}
	return o
}

// model returns what was trained, with its report.
func (s *RankSVM) model(f *ranksvm.Fitted, names []string) *Linear {
	o := *s
	o.C, o.Tol, o.MaxPasses = f.C, f.Tol, f.MaxPasses
	r := FitReport(f.Report)
	return &Linear{Weights: f.Weights, FeatureNames: slices.Clone(names), Report: &r,
		Settings: text.Settings("ranksvm", o, names)}
}

// check returns an error unless d can be trained on, with a loss that there is.
func (s *RankSVM) check(d *Dataset) error {
	if _, err := ranksvm.ParseLoss(s.Loss); err != nil {
		return err
	}
	if err := d.Validate(); err != nil {
		return err
	}
	switch {
	case d.Weights != nil:
		return ranksvm.ErrRowWeights
	case d.Rows() > math.MaxInt32:
		return errs.Errorf("rank", "%d rows; at most %d can be trained on", d.Rows(), math.MaxInt32)
	}
	for i, y := range d.Labels {
		if math.IsNaN(y) {
			return errs.Op("rank", d.RowError(i, errors.New("label is NaN")))
		}
	}
	return s.checkGain(d)
}

// checkGain checks that gains are numbers and do not decrease with the labels.
func (s *RankSVM) checkGain(d *Dataset) error {
	if s.Gain == nil {
		return nil
	}
	labels := append([]float64(nil), d.Labels...)
	slices.Sort(labels)
	labels = slices.Compact(labels)
	for i, y := range labels {
		g := s.Gain(y)
		if !isFinite(g) {
			return errs.Errorf("rank", "the gain of label %v is %v", y, g)
		}
		if i > 0 && g < s.Gain(labels[i-1]) {
			return errs.Errorf("rank", "the gain of label %v is %v, less than that of label %v", y, g, labels[i-1])
		}
	}
	return nil
}

// data returns the dataset as that of internal/ranksvm.
func (s *RankSVM) data(d *Dataset) *ranksvm.Data {
	data := &ranksvm.Data{Cols: d.Cols, Features: *d.matrix(), Labels: d.Labels, Queries: d.Offsets,
		QueryWeights: d.QueryWeights, NotFinite: func(context.Context) error { return notFinite(d) }}
	x, nonzeros := sparse(d, parallel.Threads(s.Threads))
	if data.Nonzeros = nonzeros; x != nil {
		data.Features.Offsets, data.Features.Columns, data.Features.Values = x.Offsets, x.Columns, x.Values
	}
	return data
}
