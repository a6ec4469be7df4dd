package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
)

// A CSelection says how [RankSVM.FitPath] measures the models of a path: on Valid,
// or by cross-validation where that is nil.
type CSelection struct {
	// Evaluator computes the metric that decides, its first; the higher the better.
	// nil means NDCG@10 with its default options.
	Evaluator *Evaluator

	Valid *Dataset // queries to measure on, which training does not see
	Folds int      // parts of a cross-validation by query; 0 means 5
}

// A CPoint is one value of C on a path.
type CPoint struct {
	C float64
	// mean of the metric over the queries measured on; a cross-validation measures on all
	Score float64
	Model *Linear // trained on all of the data; nil in a cross-validation but for the best

	Unconverged int     // trainings that this value took, and that ended before they reached Tol
	Gap         float64 // the largest [FitReport.Gap] of them all
}

// A CPath is what [RankSVM.FitPath] returns.
type CPath struct {
	Points []CPoint // by ascending C
	Best   int      // index of the point with the highest score, of the smallest C among equals
	Metric string   // the name of the metric that decided
}

// Model returns the model of the best C.
func (p *CPath) Model() *Linear { return p.Points[p.Best].Model }

// DefaultCValues returns the values of C that [RankSVM.FitPath] tries by default: 1e-5, 1e-4, …
// 1e2.
func DefaultCValues() []float64 { return []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100} }

// FitPath trains with each value of C (nil means [DefaultCValues]; the field C is
// not used) and picks the one whose model ranks best by sel, each training starting from the
// model of the next smaller C.
//
// With sel.Valid the models are measured on that. Otherwise the queries are dealt into sel.Folds
// parts, and each query is scored by the model that was trained on the other parts. Either way the
// model of the best C is then trained once more on all of d, from the field Start, so that it has
// the bits that [RankSVM.Fit] gives for this C. No data are copied.
//
// When ctx ends FitPath returns the context's error and no path.
func (s *RankSVM) FitPath(ctx context.Context, d *Dataset, cs []float64, sel CSelection) (_ *CPath, err error) {
	defer memory.Begin().End(&err)
	if err := s.check(d); err != nil {
		return nil, err
	}
	data := &svmData{d, parallel.Threads(s.Threads), sel.Valid, sel.Evaluator}
	if data.evaluator == nil {
		if data.evaluator, err = NewEvaluator(MustParseMetrics("ndcg@10")); err != nil {
			return nil, err
		}
	}
	folds := 0
	if sel.Valid == nil {
		folds = cmp.Or(sel.Folds, 5)
	} else if err := cmp.Or(sel.Valid.Validate(), CheckScoring(sel.Valid, d.Cols)); err != nil {
		return nil, err
	}
	return s.FitPathOn(ctx, data, cs, folds, data.evaluator.Metrics()[0].String())
}

// FitPathOn is [RankSVM.FitPath] on data that others hold, with a cross-validation unless folds is
// 0, and the name of the metric that decides. It is there for package rankbeam: the type of its
// argument is internal.
func (s *RankSVM) FitPathOn(ctx context.Context, data ranksvm.Data, cs []float64, folds int, metric string) (
	*CPath, error) {
	cs = slices.Clone(cs)
	if len(cs) == 0 {
		cs = DefaultCValues()
	}
	slices.Sort(cs)
	cs = slices.Compact(cs)
	p := &CPath{Points: make([]CPoint, len(cs)), Metric: metric}
	for k, c := range cs {
		if !(c > 0) || math.IsInf(c, 0) {
			return nil, fmt.Errorf("rank: C is %v on the path, want positive numbers", c)
		}
		p.Points[k].C = c
	}
	var err error
	if folds > 0 {
		err = s.crossValidate(ctx, data, folds, p)
	} else {
		err = s.validate(ctx, data, p)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// along trains at each point of the path, handing each model to do.
func (s *RankSVM) along(ctx context.Context, data ranksvm.Data, p *CPath, do func(k int, m *Linear) error) error {
	t := *s
	for k := range p.Points {
		t.C = p.Points[k].C
		m, err := t.FitOn(ctx, data)
		if err != nil {
			return errs.Wrap(err, "rank: at C = %g", t.C)
		}
		p.Points[k].note(m)
		if err := do(k, m); err != nil {
			return err
		}
		t.Start = m
	}
	return nil
}

// validate measures the models of the path on other queries.
func (s *RankSVM) validate(ctx context.Context, data ranksvm.Data, p *CPath) error {
	err := s.along(ctx, data, p, func(k int, m *Linear) (err error) {
		p.Points[k].Model = m
		p.Points[k].Score, err = data.Validate(ctx, m.Weights)
		return err
	})
	if err != nil {
		return err
	}
	if err := p.pick(); err != nil {
		return err
	}
	if p.Best == 0 { // the path began with it
		return nil
	}
	return s.refit(ctx, data, p)
}

// refit trains the model of the best point on its own.
func (s *RankSVM) refit(ctx context.Context, data ranksvm.Data, p *CPath) error {
	t, best := *s, &p.Points[p.Best]
	t.C = best.C
	m, err := t.FitOn(ctx, data)
	if err != nil {
		return errs.Wrap(err, "rank: at C = %g", t.C)
	}
	best.note(m)
	best.Model = m
	return nil
}

// note enters how the training of m ended.
func (p *CPoint) note(m *Linear) {
	if m.Report.Stop != StopConverged {
		p.Unconverged++
	}
	p.Gap = max(p.Gap, m.Report.Gap)
}

// pick sets the best point.
func (p *CPath) pick() error {
	for k, point := range p.Points {
		if math.IsNaN(point.Score) {
			return fmt.Errorf("rank: %s is not defined on the queries to choose C by", p.Metric)
		}
		if point.Score > p.Points[p.Best].Score {
			p.Best = k
		}
	}
	return nil
}

// crossValidate measures each query with the models that were trained without its fold.
func (s *RankSVM) crossValidate(ctx context.Context, data ranksvm.Data, folds int, p *CPath) error {
	n := data.Queries()
	if folds < 2 || folds > n {
		return fmt.Errorf("rank: %d folds, want a number from 2 to that of the queries, which is %d", folds, n)
	}
	// Deal out the queries in random order: files are often sorted.
	fold := make([]int, n)
	for q := range fold {
		fold[q] = q % folds
	}
	draw := num.SplitMix(folds)
	for i := range fold {
		j := i + draw.Below(len(fold)-i)
		fold[i], fold[j] = fold[j], fold[i]
	}
	models := make([][]ranksvm.PackedWeights, len(p.Points)) // of each point, of each fold
	for f := range folds {
		err := s.along(ctx, data.Without(fold, f), p, func(k int, m *Linear) error {
			models[k] = append(models[k], ranksvm.Pack(m.Weights))
			return nil
		})
		if err != nil {
			return errs.Wrap(err, "rank: fold %d of %d", f+1, folds)
		}
	}
	means, err := data.CrossValidate(ctx, fold, models)
	if err != nil {
		return err
	}
	for k, mean := range means {
		p.Points[k].Score = mean
	}
	if err := p.pick(); err != nil {
		return err
	}
	return s.refit(ctx, data, p)
}
