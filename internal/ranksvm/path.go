package ranksvm

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
)

// A Selection evaluates the models of a path, with Validate or, if Folds is not 0, by
// cross-validation.
type Selection struct {
	Metric string // the name of the metric
	Folds  int

	// Validate evaluates weights on other data.
	Validate func(ctx context.Context, w []float64) (float64, error)

	// CrossValidate evaluates a list of models: query q is scored with the weights
	// models[k][fold[q]].
	CrossValidate func(ctx context.Context, fold []int, models [][]PackedWeights) ([]float64, error)
}

// A PathPoint is one value of C on a path. It is converted to a rank.CPoint, which has the same
// fields.
type PathPoint struct {
	C, Value    float64
	Unconverged int     // number of trainings with this value that ended before they reached Tol
	Gap         float64 // the largest gap of all trainings
}

// A Path is the result of several values of C.
type Path struct {
	Points []PathPoint // in ascending order of C
	Best   int         // the point with the highest score; of equal scores, the smallest C
	Fitted *Fitted     // with the best C

	options *Options
	by      *Selection
}

// DefaultCs returns the default values of C.
func DefaultCs() []float64 { return []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100} }

// FitPath trains with each value of C (nil means DefaultCs), and starts each training from the
// previous weights. It then trains with the best value from the start given in the options.
func FitPath(ctx context.Context, o *Options, d *Data, cs []float64, by *Selection) (*Path, error) {
	cs = slices.Clone(cs)
	if len(cs) == 0 {
		cs = DefaultCs()
	}
	slices.Sort(cs)
	cs = slices.Compact(cs)
	p := &Path{Points: make([]PathPoint, len(cs)), options: o, by: by}
	for k, c := range cs {
		if !(c > 0) || math.IsInf(c, 0) {
			return nil, errs.Errorf("rank", "the path contains the C value %v; C must be positive and finite", c)
		}
		p.Points[k].C = c
	}
	fit := p.validate
	if by.Folds > 0 {
		fit = p.crossValidate
	}
	if err := fit(ctx, d.narrowed()); err != nil {
		return nil, err
	}
	return p, nil
}

// along trains with the C of each point and passes each result to do.
func (p *Path) along(ctx context.Context, d *Data, do func(k int, f *Fitted) error) error {
	o := *p.options
	for k := range p.Points {
		f, err := p.Points[k].fit(ctx, &o, d)
		if err != nil {
			return err
		}
		if err := do(k, f); err != nil {
			return err
		}
		o.Start = &f.Weights
	}
	return nil
}

// fit trains with the C of the point and records how the training ended.
func (p *PathPoint) fit(ctx context.Context, o *Options, d *Data) (*Fitted, error) {
	of := *o
	of.C = p.C
	f, err := Fit(ctx, &of, d)
	if err != nil {
		return nil, errs.Op("rank", errs.Wrap(err, "at C = %g", p.C))
	}
	if f.Stop != StopConverged {
		p.Unconverged++
	}
	p.Gap = max(p.Gap, f.Gap)
	return f, nil
}

// validate evaluates the models of the path on other queries.
func (p *Path) validate(ctx context.Context, d *Data) error {
	w := make([]float64, d.Cols)
	err := p.along(ctx, d, func(k int, f *Fitted) (err error) {
		if k == 0 {
			p.Fitted = f
		}
		p.Points[k].Value, err = p.by.Validate(ctx, f.Weights.Unpack(w))
		return err
	})
	if err != nil {
		return err
	}
	if err := p.pick(); err != nil {
		return err
	}
	if p.Best == 0 { // the first training of the path, which started from Options.Start, is the result
		return nil
	}
	return p.refit(ctx, d)
}

// refit trains the best point again, independently of the path.
func (p *Path) refit(ctx context.Context, d *Data) (err error) {
	p.Fitted, err = p.Points[p.Best].fit(ctx, p.options, d)
	return err
}

// pick sets Best to the point with the highest value.
func (p *Path) pick() error {
	for k, point := range p.Points {
		if math.IsNaN(point.Value) {
			return errs.Errorf("rank", "cannot choose C: %s is undefined on the validation queries", p.by.Metric)
		}
		if point.Value > p.Points[p.Best].Value {
			p.Best = k
		}
	}
	return nil
}

// crossValidate evaluates each query with the models that were trained without its fold.
func (p *Path) crossValidate(ctx context.Context, d *Data) error {
	n, folds := d.queries(), p.by.Folds
	if folds < 2 || folds > n {
		return errs.Errorf("rank", "the number of folds is %d; it must be from 2 to the number of queries, %d", folds, n)
	}
	// Assign queries to folds at random, because files are often sorted.
	fold := make([]int, n)
	for q := range fold {
		fold[q] = q % folds
	}
	draw := num.SplitMix(folds)
	for i := range fold {
		j := i + draw.Below(len(fold)-i)
		fold[i], fold[j] = fold[j], fold[i]
	}
	models := make([][]PackedWeights, len(p.Points)) // trained with the C of point k without fold f: models[k][f]
	for f := range folds {
		err := p.along(ctx, d.without(fold, f), func(k int, f *Fitted) error {
			models[k] = append(models[k], f.Weights)
			return nil
		})
		if err != nil {
			return errs.Op("rank", errs.Wrap(err, "fold %d of %d", f+1, folds))
		}
	}
	means, err := p.by.CrossValidate(ctx, fold, models)
	if err != nil {
		return err
	}
	for k, mean := range means {
		p.Points[k].Value = mean
	}
	if err := p.pick(); err != nil {
		return err
	}
	return p.refit(ctx, d)
}
