package rank

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/text"
)

// A Loss is what a pair of documents costs, as a function of the difference
// z = s(xᵢ)−s(xⱼ) of their scores, where i has the higher label.
type Loss int

const (
	SquaredHinge Loss = iota // max(0, 1−z)²
	Hinge                    // max(0, 1−z)
	// ln(1+exp(−z)): RankNet's; a pass takes time in proportion to the pairs, also in long queries
	Logistic
)

var lossNames = []string{SquaredHinge: "squared-hinge", Hinge: "hinge", Logistic: "logistic"}

// String returns the name that [ParseLoss] reads.
func (l Loss) String() string { return text.EnumName("Loss", lossNames, l) }

// ParseLoss returns the loss of a name: squared-hinge, hinge or logistic.
func ParseLoss(name string) (Loss, error) { return text.ParseEnum[Loss]("rank: loss", lossNames, name) }

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
	C    float64 // weight of the pairs against the penalty; 0 means 1
	Loss Loss

	// PerQuery divides the loss of each query by the number of its pairs, so that
	// C is the weight of a query and long queries do not outvote short ones.
	PerQuery bool

	// Gain weighs pairs by label: a pair weighs Gain(yᵢ)−Gain(yⱼ), where yᵢ > yⱼ.
	// Gain must not decrease. nil means that all pairs weigh 1; GainLinear.Of weighs them by
	// the difference of their labels, GainExp.Of and Of of a [GainTable] as NDCG does.
	Gain func(label float64) float64

	// Standardize measures ‖w‖ as if each feature had been divided by its standard deviation
	// over the rows, so that the penalty does not depend on units. The weights of the model are
	// those of the features as they are.
	Standardize bool

	Unpenalized []int // features, from 0, whose weights the term ½‖w‖² leaves out
	NonNegative []int // features, from 0, whose weights must not fall below 0

	// Start is the model to start from, which must have the features of the data;
	// nil starts from nothing. The optimum is the same.
	Start *Linear

	// Tol is the relative gap (f(w) − min f)/f(w) within which training ends, proved by duality up
	// to rounding; 0 means 1e-6. What [FitReport.Gap] tells of it is a bound.
	Tol       float64
	MaxPasses int // passes over the data at which it ends at the latest; 0 means 10000
	Threads   int // goroutines; 0 or less means GOMAXPROCS. The model does not depend on it

	// Progress is called after every iteration, from the goroutine that called Fit.
	Progress func(Progress)
}

// Progress is the state of a training.
type Progress struct {
	Iteration int
	Passes    int           // passes over the data so far
	Sampled   bool          // the objective is that of a sample: a starting point is being sought
	Objective float64       // f(w)
	Gap       float64       // estimate of (f(w) − min f)/f(w); that of the report is a bound
	Elapsed   time.Duration // since Fit was called
}

// A Stop is the reason for which a training ended.
type Stop string

const (
	StopConverged Stop = "converged" // the gap is at most Tol
	StopPasses    Stop = "passes"    // MaxPasses passes were made
	StopPrecision Stop = "precision" // no step lowers the objective in float64
	StopCanceled  Stop = "canceled"  // the context ended
)

// A FitReport tells how a training went.
type FitReport struct {
	Loss      Loss
	C         float64
	Stop      Stop
	Objective float64 // f(w) of the model

	// Gap is an upper bound of (f(w) − min f)/f(w), up to rounding: at most Tol where Stop is
	// StopConverged, and an estimate where it is StopCanceled. It follows from a dual point, except
	// that the optimal weights of unpenalized features are taken to be of the order of those found.
	Gap float64

	Queries int   // that have pairs
	Pairs   int64 // of those
	Sparse  bool  // whether Fit worked on sparse features: those of the data, or a copy

	Iterations int
	Passes     int // passes over the data
	Hessians   int // Hessians taken of a sample of it

	Total   time.Duration // all of Fit
	Prepare time.Duration // sorting the labels of the queries
	Sample  time.Duration // finding a starting point on a sample
	Full    time.Duration // passes over the data
	Hessian time.Duration // taking and factorizing Hessians
}

// Fit returns the model that minimizes the objective on d, and its report.
//
// When ctx ends it returns the best model so far together with an error that wraps the context's;
// the report says how far it came. Data without a single pair, and a feature or label that is not a
// number, are errors; queries without pairs are left out.
//
// The features are not copied, and beside them Fit needs memory for the rows and, up to 2048
// features, for some Hessian matrices. Only where features are dense and [PrefersSparse], it works
// on a copy of those that are not zero, which takes up to a fifth of the memory of the data: the
// model has the same bits, sooner.
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
	return s.FitOn(ctx, &svmData{Dataset: d, threads: parallel.Threads(s.Threads)})
}

// FitOn is [RankSVM.Fit] on data that others hold. It is there for package rankbeam: the type of
// its argument is internal.
func (s *RankSVM) FitOn(ctx context.Context, data ranksvm.Data) (*Linear, error) {
	started := time.Now()
	s = s.filled()
	p, w, err := s.problem(ctx, data)
	if err != nil {
		return nil, err
	}
	t := ranksvm.New(p, w)
	if t.Stats.Queries == 0 {
		return nil, errors.New("rank: nothing to learn: no query has two documents with different labels and a weight")
	}
	prepared := time.Since(started)
	if s.Progress != nil {
		p.Progress = func(r *ranksvm.Stats) {
			s.Progress(Progress{Iteration: r.Iterations, Passes: r.Passes, Sampled: r.Sampled,
				Objective: r.Objective, Gap: r.Gap, Elapsed: time.Since(started)})
		}
	}
	err = t.Run(ctx, s.Start == nil)
	r := t.Stats
	_, names := data.Columns()
	m := &Linear{Weights: t.Weights(), FeatureNames: slices.Clone(names), Report: &FitReport{
		Loss: s.Loss, C: s.C, Objective: r.Objective, Gap: r.Gap,
		Queries: r.Queries, Pairs: r.Pairs, Sparse: p.Nonzeros > 0 || p.Features.Offsets != nil,
		Iterations: r.Iterations, Passes: r.Passes, Hessians: r.Hessians,
		Total: time.Since(started), Prepare: prepared, Sample: r.Sample, Full: r.Full, Hessian: r.Hessian,
	}, Settings: text.Settings("ranksvm", *s, names, "Threads")}
	switch {
	case err == nil:
		m.Report.Stop = StopConverged
	case err == ranksvm.ErrStopped:
		m.Report.Stop = StopPasses
	case err == ranksvm.ErrPrecision:
		m.Report.Stop = StopPrecision
	case ctx.Err() != nil:
		m.Report.Stop = StopCanceled
		return m, fmt.Errorf("rank: training stopped after %d passes at a relative gap of about %.2g: %w",
			r.Passes, r.Gap, ctx.Err())
	case err == ranksvm.ErrNotFinite:
		return nil, data.NotFinite(ctx)
	default:
		return nil, err
	}
	return m, nil
}

// filled returns the options with their defaults in place of zeros.
func (s *RankSVM) filled() *RankSVM {
	o := *s
	o.C, o.Tol, o.MaxPasses = cmp.Or(s.C, 1), cmp.Or(s.Tol, 1e-6), cmp.Or(s.MaxPasses, 10000)
	return &o
}

// check returns an error unless d can be trained on.
func (s *RankSVM) check(d *Dataset) error {
	if err := d.Validate(); err != nil {
		return err
	}
	switch {
	case d.Weights != nil:
		return ranksvm.ErrRowWeights
	case d.Rows() > math.MaxInt32:
		return fmt.Errorf("rank: %d rows; at most %d can be trained on", d.Rows(), math.MaxInt32)
	}
	for i, y := range d.Labels {
		if math.IsNaN(y) {
			return fmt.Errorf("rank: %w", d.RowError(i, errors.New("label is NaN")))
		}
	}
	return s.checkGain(d)
}

// problem checks the options, filled, against the data. It returns the weights to start from, too.
func (s *RankSVM) problem(ctx context.Context, data ranksvm.Data) (p *ranksvm.Problem, w []float64, err error) {
	cols, _ := data.Columns()
	switch {
	case !(s.C > 0) || math.IsInf(s.C, 0):
		return nil, nil, fmt.Errorf("rank: C is %v, want a positive number", s.C)
	case !(s.Tol > 0) || s.Tol >= 1:
		return nil, nil, fmt.Errorf("rank: Tol is %v, want a number between 0 and 1", s.Tol)
	case s.MaxPasses < 0:
		return nil, nil, fmt.Errorf("rank: MaxPasses is %d, want a positive number", s.MaxPasses)
	case s.Loss < SquaredHinge || s.Loss > Logistic:
		return nil, nil, fmt.Errorf("rank: unknown %v", s.Loss)
	case s.Start != nil && len(s.Start.Weights) != cols:
		return nil, nil, fmt.Errorf("rank: the starting model has %d weights, the data %d features", len(s.Start.Weights),
			cols)
	case cols == 0:
		return nil, nil, errors.New("rank: the dataset has no features")
	}
	reg := make([]float64, cols)
	for j := range reg {
		reg[j] = 1
	}
	if s.Standardize {
		if err := data.Variances(ctx, reg); err != nil {
			return nil, nil, err
		}
	}
	for _, j := range s.Unpenalized {
		if j < 0 || j >= cols {
			return nil, nil, fmt.Errorf("rank: unpenalized feature %d of %d, counted from 0", j, cols)
		}
		reg[j] = 0
	}
	var nonNegative []bool
	for _, j := range s.NonNegative {
		if j < 0 || j >= cols {
			return nil, nil, fmt.Errorf("rank: non-negative feature %d of %d, counted from 0", j, cols)
		}
		if nonNegative == nil {
			nonNegative = make([]bool, cols)
		}
		nonNegative[j] = true
	}

	w = make([]float64, cols)
	if s.Start != nil {
		for j, v := range s.Start.Weights {
			if !isFinite(v) {
				return nil, nil, fmt.Errorf("rank: weight %d of the starting model is %v", j, v)
			}
			if nonNegative == nil || !nonNegative[j] || v > 0 {
				w[j] = v
			}
		}
	}
	p = &ranksvm.Problem{
		Loss: losses[s.Loss], Gain: s.Gain, Penalty: ranksvm.Penalty{R: reg, NonNegative: nonNegative},
		Tol: s.Tol, MaxPasses: s.MaxPasses, Threads: parallel.Threads(s.Threads),
	}
	data.Fill(p, s.C, s.PerQuery)
	return p, w, nil
}

var losses = []ranksvm.Loss{SquaredHinge: ranksvm.SquaredHinge, Hinge: ranksvm.Hinge, Logistic: ranksvm.Logistic}

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
			return fmt.Errorf("rank: the gain of label %v is %v", y, g)
		}
		if i > 0 && g < s.Gain(labels[i-1]) {
			return fmt.Errorf("rank: the gain of label %v is %v, less than that of label %v", y, g, labels[i-1])
		}
	}
	return nil
}

// svmData are a dataset as [ranksvm.Data], and what a path measures by.
type svmData struct {
	*Dataset
	threads   int
	valid     *Dataset
	evaluator *Evaluator
}

func (d *svmData) Columns() (int, []string) { return d.Cols, d.Names }

func (d *svmData) Fill(p *ranksvm.Problem, c float64, perQuery bool) {
	p.Features, p.Labels, p.Queries = *d.matrix(), d.Labels, d.Offsets
	p.Weight = ranksvm.Weights(c, d.QueryWeights, perQuery)
	x, nonzeros := sparse(d.Dataset, d.threads)
	if p.Nonzeros = nonzeros; x != nil {
		p.Features.Offsets, p.Features.Columns, p.Features.Values = x.Offsets, x.Columns, x.Values
	}
}

func (d *svmData) Variances(ctx context.Context, v []float64) error {
	sums, x := ranksvm.NewVariances(d.Cols), d.matrix()
	sums.Sum(x, d.Rows())
	sums.Center()
	if err := sums.Square(ctx, x, d.Rows(), d.threads); err != nil {
		return err
	}
	sums.Values(v)
	return nil
}

func (d *svmData) NotFinite(context.Context) error { return notFinite(d.Dataset) }

func (d *svmData) Without(fold []int, f int) ranksvm.Data {
	rest := *d.Dataset // the queries of this fold weigh nothing
	rest.QueryWeights = make([]float64, d.Dataset.Queries())
	for q := range rest.QueryWeights {
		switch {
		case fold[q] == f:
		case d.QueryWeights != nil:
			rest.QueryWeights[q] = d.QueryWeights[q]
		default:
			rest.QueryWeights[q] = 1
		}
	}
	return &svmData{Dataset: &rest, threads: d.threads}
}

func (d *svmData) Validate(ctx context.Context, w []float64) (float64, error) {
	r, err := d.evaluator.EvalModel(ctx, &Linear{Weights: w, FeatureNames: d.Names}, d.valid)
	if err != nil {
		return 0, err
	}
	return r.Metrics[0].Mean, nil
}

func (d *svmData) CrossValidate(ctx context.Context, fold []int, models [][]ranksvm.PackedWeights) ([]float64, error) {
	means, scores := make([]float64, len(models)), make([]float64, d.Rows())
	for k, folds := range models {
		for f, packed := range folds {
			m := &Linear{Weights: packed.Unpack()}
			for q, of := range fold {
				if of == f {
					lo, hi := d.Query(q)
					m.scoreRows(scores[lo:hi], d.Dataset, lo)
				}
			}
		}
		r, err := d.evaluator.EvalScores(ctx, scores, d.Dataset)
		if err != nil {
			return nil, err
		}
		means[k] = r.Metrics[0].Mean
	}
	return means, nil
}
