package ranksvm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
)

// Options are the options of rank.RankSVM; see there.
type Options struct {
	C           float64 // 0 means 1
	Loss        string  // one of LossWords; "" means the first one
	PerQuery    bool
	Gain        func(label float64) float64
	Standardize bool
	Unpenalized []int
	NonNegative []int
	Start       *PackedWeights // initial weights; nil if there are none
	Tol         float64        // 0 means 1e-6
	MaxPasses   int            // 0 means 10000
	Threads     int
	OnIteration func(Report) // called after every iteration, unless nil
	Started     time.Time    // start of the training; zero means when Fit is called
}

// Data is the training data: local features and labels, or a Source of data that other processes
// hold.
type Data struct {
	Cols     int // number of features
	Features Matrix
	Nonzeros int // number of nonzero features, at least 1, if the data are sparse; otherwise 0
	Labels   []float64
	Queries  []int // query q has the rows Queries[q] to Queries[q+1]-1; starts with 0

	// Columns lists the columns of the data that Features contains, in ascending order: all rows
	// are 0 in the others. nil means all columns. Unless there is a Source, NewProblem sets it and
	// narrows Features to it.
	Columns []int32

	Source Source // the source of features and labels; nil if they are local
	Sizes  []Size // the queries of a Source
	Rows   int    // the number of rows of a Source

	// Pairs lists the pairs of each query. nil means all pairs of documents with different labels.
	// Labels and Weights are then not used, except for the number of rows.
	Pairs [][]Pair

	Weights      []float64 // the weight of each row, for pairs in which it has the higher label; nil means 1 each
	QueryWeights []float64 // the weight of each query; nil means 1 each

	// NotFinite returns an error that names the cause of a non-finite objective.
	NotFinite func(ctx context.Context) error
}

// The reasons why training ended.
const (
	StopConverged = "converged"
	StopPasses    = "passes"
	StopPrecision = "precision"
	StopCanceled  = "canceled"
)

// A Fitted is the result of a training.
type Fitted struct {
	Report
	Weights   PackedWeights
	Tol       float64 // the option, or its default
	MaxPasses int
}

// Fit trains a model. If ctx is canceled, it returns the current weights and an error.
func Fit(ctx context.Context, o *Options, d *Data) (*Fitted, error) {
	started := o.Started
	if started.IsZero() {
		started = time.Now()
	}
	p, w, err := NewProblem(ctx, o, d)
	if err != nil {
		return nil, err
	}
	t := New(p, w)
	t.started = started
	if t.Report.Queries == 0 && d.Pairs != nil {
		return nil, errs.New("rank", "cannot train: no pair has a positive weight")
	}
	if t.Report.Queries == 0 {
		return nil, errs.New("rank", "cannot train: no query with a positive weight has documents with different labels")
	}
	t.Report.C = p.C
	err = t.Run(ctx, o.Start == nil)
	t.Report.Elapsed = time.Since(started)
	f := &Fitted{Report: t.Report, Weights: t.Weights(), Tol: p.Tol, MaxPasses: p.MaxPasses}
	switch {
	case err == nil:
		f.Stop = StopConverged
	case err == ErrStopped:
		f.Stop = StopPasses
	case err == ErrPrecision:
		f.Stop = StopPrecision
	case ctx.Err() != nil:
		f.Stop = StopCanceled
		return f, errs.Errorf("rank", "training stopped after %d passes at a relative gap of about %.2g: %w",
			f.Passes, f.Gap, ctx.Err())
	case err == ErrNotFinite:
		return nil, d.NotFinite(ctx)
	default:
		return nil, err
	}
	return f, nil
}

// NewProblem checks the options against the data. It also returns the initial weights of the
// columns of Features.
func NewProblem(ctx context.Context, o *Options, d *Data) (p *Problem, w []float64, err error) {
	loss, err := ParseLoss(o.Loss)
	if err != nil {
		return nil, nil, err
	}
	p = &Problem{
		Data: *d.narrowed(), Loss: loss, Gain: o.Gain, C: cmp.Or(o.C, 1), PerQuery: o.PerQuery,
		Tol: cmp.Or(o.Tol, 1e-6), MaxPasses: cmp.Or(o.MaxPasses, 10000), Threads: parallel.Threads(o.Threads),
		OnIteration: o.OnIteration,
	}
	cols := d.Cols
	switch {
	case !(p.C > 0) || math.IsInf(p.C, 0):
		return nil, nil, errs.Errorf("rank", "C is %v; it must be positive", p.C)
	case !(p.Tol > 0) || p.Tol >= 1:
		return nil, nil, errs.Errorf("rank", "Tol is %v; it must be greater than 0 and less than 1", p.Tol)
	case p.MaxPasses < 0:
		return nil, nil, errs.Errorf("rank", "MaxPasses is %d; it must be positive", p.MaxPasses)
	case o.Start != nil && o.Start.Cols != cols:
		return nil, nil, errs.Errorf("rank", "the starting model has %d weights, but the data has %d features",
			o.Start.Cols, cols)
	case cols == 0:
		return nil, nil, errs.New("rank", "the dataset has no features")
	}
	if err := p.penalize(ctx, o); err != nil {
		return nil, nil, err
	}
	if o.Start == nil {
		return p, make([]float64, p.Features.Cols), nil
	}
	w, err = p.start(o)
	return p, w, err
}

// penalize sets the penalty of the problem from the options.
func (p *Problem) penalize(ctx context.Context, o *Options) error {
	reg := make([]float64, p.Features.Cols)
	for k := range reg {
		reg[k] = 1
	}
	if o.Standardize {
		if err := p.variances(ctx, reg, p.Threads); err != nil {
			return err
		}
	}
	for _, j := range o.Unpenalized {
		if j < 0 || j >= p.Cols {
			return errs.Errorf("rank",
				"unpenalized feature %d does not exist: features are numbered 0 to %d", j, p.Cols-1)
		}
		if k := p.place(j); k >= 0 {
			reg[k] = 0
		}
	}
	var nonNegative []bool
	for _, j := range o.NonNegative {
		if j < 0 || j >= p.Cols {
			return errs.Errorf("rank",
				"non-negative feature %d does not exist: features are numbered 0 to %d", j, p.Cols-1)
		}
		if nonNegative == nil {
			nonNegative = make([]bool, len(reg))
		}
		if k := p.place(j); k >= 0 {
			nonNegative[k] = true
		}
	}
	p.Penalty = Penalty{R: reg, NonNegative: nonNegative}
	return nil
}

// start returns the initial weights of the columns of Features. In all other columns every row is
// 0: the weight keeps its initial value if it has no penalty, and otherwise its optimum is 0.
func (p *Problem) start(o *Options) (w []float64, err error) {
	w = make([]float64, p.Features.Cols)
	for i, j := range o.Start.Columns {
		v := o.Start.Values[i]
		if !isFinite(v) {
			return nil, errs.Errorf("rank", "weight %d of the starting model is %v; it must be finite", j, v)
		}
		if k := p.place(int(j)); k < 0 {
			if slices.Contains(o.Unpenalized, int(j)) && (v > 0 || !slices.Contains(o.NonNegative, int(j))) {
				p.kept.add(j, v)
			}
		} else if v > 0 || p.Penalty.NonNegative == nil || !p.Penalty.NonNegative[k] {
			w[k] = v
		}
	}
	return w, nil
}

// variances sets v to the variance of each column of Features over the rows, or to 1 if the
// variance is 0.
func (d *Data) variances(ctx context.Context, v []float64, threads int) error {
	if d.Source != nil {
		all := make([]float64, d.Cols)
		err := d.Source.Variances(ctx, all)
		for k := range v {
			j := k
			if d.Columns != nil {
				j = int(d.Columns[k])
			}
			v[k] = all[j]
		}
		return err
	}
	x, rows := d.Features, len(d.Labels)
	sums := NewVariances(x.Cols)
	sums.Sum(&x, rows)
	sums.Center()
	if err := sums.Square(ctx, &x, rows, threads); err != nil {
		return err
	}
	sums.Values(v)
	return nil
}

// queries returns the number of queries.
func (d *Data) queries() int {
	if d.Source != nil {
		return len(d.Sizes)
	}
	return len(d.Queries) - 1
}

// without returns the data with weights of 0 for the queries of fold f. Query q belongs to fold[q].
func (d *Data) without(fold []int, f int) *Data {
	rest := *d
	rest.QueryWeights = make([]float64, len(fold))
	for q := range fold {
		switch {
		case fold[q] == f:
		case d.QueryWeights != nil:
			rest.QueryWeights[q] = d.QueryWeights[q]
		default:
			rest.QueryWeights[q] = 1
		}
	}
	if rest.Source != nil {
		rest.Source = rest.Source.Weighted(rest.QueryWeights)
	}
	return &rest
}

// weight returns the weight of each pair of a query: C times the weight of the query and, with
// PerQuery, divided by the number of its pairs.
func (p *Problem) weight(q int, pairs int64) float64 {
	w := p.C
	if p.QueryWeights != nil {
		w *= p.QueryWeights[q]
	}
	if p.PerQuery {
		w /= float64(pairs)
	}
	return w
}

// A matrix is stored sparse if at most one feature in sparseRatio is nonzero, where each row counts
// as rowCost additional nonzero features. At this density, sparse and dense rows of some hundred
// features take the same time, and sparse rows take a fifth of the memory.
const (
	sparseRatio = 10
	rowCost     = 8
)

// PrefersSparse reports whether readers and trainers store features sparse: it does if values +
// 8·rows is at most a tenth of rows·cols. At that density, linear models take about the same time
// either way.
func PrefersSparse(values, rows, cols int) bool {
	return int64(values+rowCost*rows)*sparseRatio <= int64(rows)*int64(cols)
}

// DensityStep returns the distance between the rows that are sampled for a first estimate of the
// density, so that the estimate costs almost nothing for dense features.
func DensityStep(rows int) int { return max(rows/256, 1) }
