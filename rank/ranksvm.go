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

// RankSVM trains a linear ranker on pairs of documents that belong to the same query and have
// different labels (Joachims 2002; Herbrich, Graepel, Obermayer 1999). It minimizes
//
//	f(w) = ½‖w‖² + C · Σ over queries, over pairs with yᵢ > yⱼ, of loss(w·xᵢ − w·xⱼ)
//
// over all pairs, to within the relative gap Tol and without materializing the pairs. The zero
// value is ready for use: it has the squared hinge loss and C = 1.
//
// QueryWeights of the dataset multiply the loss of each query; a query of weight 0 is ignored.
// Weights of the dataset multiply the loss of each pair by the weight of the document with the
// higher label. If the weights of clicked documents are inverse propensities, this is
// Propensity SVM-Rank (Joachims, Swaminathan and Schnabel 2017).
//
// If Pairs of the dataset are set, the objective is the sum over exactly these pairs, in which the
// better document counts as the document with the higher label. Labels are not used, and Gain is
// not supported. A pass needs time and memory in proportion to the number of pairs.
//
// Training is deterministic: the model is bit-identical for any number of threads, on every
// processor.
type RankSVM struct {
	// C is the weight of the pair losses relative to the penalty. It must be positive. The default
	// is 1.
	C float64 `file:"c"`

	// Loss is the loss of a pair, as a function of the score difference z = s(xᵢ)−s(xⱼ), where i
	// has the higher label:
	//
	//	squared-hinge  max(0, 1−z)². The default ("").
	//	hinge          max(0, 1−z)
	//	logistic       ln(1+exp(−z)), the loss of RankNet. The time of a pass is proportional to
	//	               the number of pairs, even in long queries.
	Loss string `file:"loss" word:"squared-hinge"`

	// PerQuery divides the loss of each query by its number of pairs. Then C is the weight of a
	// query, and long queries do not dominate short ones.
	PerQuery bool `file:"per_query"`

	// Gain weights pairs by label: a pair with yᵢ > yⱼ has the weight Gain(yᵢ)−Gain(yⱼ). Gain must
	// not decrease. If it is nil, all pairs have the weight 1. [ExpGain] weights pairs as NDCG
	// does; the identity function weights them by label difference.
	Gain func(label float64) float64 `file:"gain"`

	// Standardize measures ‖w‖ as if each feature had been divided by its standard deviation over
	// the rows. The penalty then does not depend on units. The weights of the model still apply to
	// the original features.
	Standardize bool `file:"standardize"`

	// Unpenalized lists features, counted from 0, whose weights are not part of the penalty ½‖w‖².
	Unpenalized []int `file:"unpenalized"`
	// NonNegative lists features, counted from 0, whose weights must not be negative.
	NonNegative []int `file:"non_negative"`

	// Start is the model to start from. It must have the same features as the data. If it is nil,
	// training starts from zero weights. Start does not change the optimum.
	Start *Linear `file:"-"`

	// Tol is the relative gap (f(w) − min f)/f(w) at which training stops. It must be greater than
	// 0 and less than 1. The default is 1e-6. The gap is proved by duality, up to rounding; see
	// [FitReport.Gap].
	Tol float64 `file:"tol"`
	// MaxPasses is the maximum number of passes over the data. It must be positive. The default is
	// 10000.
	MaxPasses int `file:"max_passes"`
	// Threads is the number of goroutines. If it is 0 or negative, GOMAXPROCS goroutines are used.
	// The model does not depend on it.
	Threads int `file:"-"`

	// OnIteration is called after every iteration with the current report, in which the gap is an
	// estimate. The goroutine that called Fit calls it.
	OnIteration func(FitReport) `file:"-"`
}

// A FitReport describes a finished or a running training.
type FitReport struct {
	C float64

	// Stop is the reason why training ended. It is "converged" if the gap is at most Tol, and
	// "passes" if MaxPasses was reached. It is "precision" if no step lowers the objective in
	// float64, and "canceled" if the context ended. It is "" while training runs.
	Stop string

	Objective float64 // f(w) of the model

	// Gap is an upper bound of (f(w) − min f)/f(w), up to rounding. It is at most Tol if training
	// converged, and an estimate if training was canceled. It is computed from a dual point. It
	// assumes that the optimal weights of unpenalized features are about as large as the weights
	// that training found.
	Gap float64

	// Sampled reports whether the objective is computed on a sample, to find a starting point.
	Sampled bool

	Queries int   // number of queries that have pairs
	Pairs   int64 // number of pairs in these queries

	Iterations int
	Passes     int // number of passes over the data

	Elapsed time.Duration // time since Fit was called
	Full    time.Duration // time spent in passes over the data
}

// Converged reports whether training ended because the gap is at most Tol.
func (r *FitReport) Converged() bool { return r.Stop == ranksvm.StopConverged }

// Fit returns the model that minimizes the objective on d. Its field Report describes the training.
//
// If ctx ends, Fit returns the best model so far and an error that wraps the context's error; the
// report describes the progress. Fit returns an error if no query has a pair or if a feature or
// label is NaN. Queries without pairs are ignored.
//
// Fit does not copy the features, with two exceptions. If features are dense and at most about a
// tenth of them are nonzero, it trains on a sparse copy. The copy uses up to a fifth of the memory
// of the data, and training is faster. The model is bit-identical. In addition to the data, Fit
// needs memory for the rows and, with up to 2048 features, for several Hessian matrices.
//
// A feature that is 0 in all rows has the weight 0, or the weight of Start if it is unpenalized. A
// feature occurs if it is nonzero in some row. If the data has more than 65,536 features, at most a
// quarter of them occur, and they have few values, Fit copies the features that occur. Time and
// memory then depend only on the features that occur, except that the model has a weight for each
// feature.
func (s *RankSVM) Fit(ctx context.Context, d *Dataset) (_ *Linear, err error) {
	defer memory.Begin().End(&err)
	if err := s.check(d); err != nil {
		return nil, err
	}
	o := s.options()
	o.Started = time.Now() // include the time of making a sparse copy of the features
	f, err := ranksvm.Fit(ctx, o, s.data(d))
	if f == nil {
		return nil, err
	}
	return s.model(f, d.Names), err
}

// options converts the fields of s to options of internal/ranksvm.
func (s *RankSVM) options() *ranksvm.Options {
	o := &ranksvm.Options{
		C: s.C, Loss: s.Loss, PerQuery: s.PerQuery, Gain: s.Gain, Standardize: s.Standardize,
		Unpenalized: s.Unpenalized, NonNegative: s.NonNegative,
		Tol: s.Tol, MaxPasses: s.MaxPasses, Threads: s.Threads,
	}
	if s.Start != nil {
		start := ranksvm.Pack(s.Start.Weights)
		o.Start = &start
	}
	if s.OnIteration != nil {
		o.OnIteration = func(r ranksvm.Report) { s.OnIteration(FitReport(r)) }
	}
	return o
}

// model converts the result of training to a model that contains its report.
func (s *RankSVM) model(f *ranksvm.Fitted, names []string) *Linear {
	o := *s
	o.C, o.Tol, o.MaxPasses = f.C, f.Tol, f.MaxPasses
	r := FitReport(f.Report)
	return &Linear{Weights: f.Weights.Unpack(nil), FeatureNames: slices.Clone(names), Report: &r,
		Settings: text.Settings("ranksvm", o, names)}
}

// check returns an error if the loss is unknown or if d cannot be used for training.
func (s *RankSVM) check(d *Dataset) error {
	if _, err := ranksvm.ParseLoss(s.Loss); err != nil {
		return err
	}
	if err := d.Validate(); err != nil {
		return err
	}
	if err := d.onlyNumbers(); err != nil {
		return err
	}
	switch {
	case d.Rows() > math.MaxInt32:
		return errs.Errorf("rank", "the data has %d rows; at most %d rows are supported", d.Rows(), math.MaxInt32)
	}
	if d.Pairs != nil {
		if s.Gain != nil {
			return errs.New("rank", "Gain cannot be combined with Pairs of the dataset, which have weights")
		}
		return nil // labels are not used
	}
	for i, y := range d.Labels {
		if math.IsNaN(y) {
			return errs.Op("rank", d.RowError(i, errors.New("the label is NaN; it must be a number")))
		}
	}
	return s.checkGain(d)
}

// checkGain returns an error if a gain is not finite, or if a higher label has a lower gain.
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
			return errs.Errorf("rank", "the gain of label %v is %v; gains must be finite", y, g)
		}
		if i > 0 && g < s.Gain(labels[i-1]) {
			return errs.Errorf("rank", "gain of label %v is %v, which is less than the gain of label %v; gains must not decrease", y, g, labels[i-1])
		}
	}
	return nil
}

// listed returns the pairs of each query that have a positive weight. A row weight multiplies the
// weights of the pairs in which the row is better.
func listed(d *Dataset) [][]ranksvm.Pair {
	all := make([]ranksvm.Pair, 0, len(d.Pairs))
	queries := make([][]ranksvm.Pair, d.Queries())
	for q := range queries {
		from, first := len(all), int32(d.Offsets[q])
		for _, p := range d.QueryPairs(q) {
			if d.Weights != nil {
				p.Weight *= d.Weights[p.Better]
			}
			if p.Weight > 0 {
				all = append(all, ranksvm.Pair{Better: p.Better - first, Worse: p.Worse - first, Weight: p.Weight})
			}
		}
		queries[q] = all[from:len(all):len(all)]
	}
	return queries
}

// data converts the dataset to the data type of internal/ranksvm.
func (s *RankSVM) data(d *Dataset) *ranksvm.Data {
	data := &ranksvm.Data{Cols: d.Cols, Features: *d.matrix(), Labels: d.Labels, Queries: d.Offsets,
		Weights: d.Weights, QueryWeights: d.QueryWeights,
		NotFinite: func(context.Context) error { return notFinite(d) }}
	if d.Pairs != nil {
		data.Pairs, data.Weights = listed(d), nil
	}
	x, nonzeros := sparse(d, parallel.Threads(s.Threads))
	if data.Nonzeros = nonzeros; x != nil {
		data.Features.Offsets, data.Features.Columns, data.Features.Values = x.Offsets, x.Columns, x.Values
	}
	return data
}
