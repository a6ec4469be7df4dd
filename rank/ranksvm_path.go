package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/mapped"
	"github.com/simdrank/simdrank/internal/random"
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
	defer mapped.Begin().End(&err)
	cs = slices.Clone(cs)
	if len(cs) == 0 {
		cs = DefaultCValues()
	}
	slices.Sort(cs)
	cs = slices.Compact(cs)
	for _, c := range cs {
		if !(c > 0) || math.IsInf(c, 0) {
			return nil, fmt.Errorf("rank: C is %v on the path, want positive numbers", c)
		}
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	e := sel.Evaluator
	if e == nil {
		var err error
		if e, err = NewEvaluator(MustParseMetrics("ndcg@10")); err != nil {
			return nil, err
		}
	}
	p := &CPath{Points: make([]CPoint, len(cs)), Metric: e.Metrics()[0].String()}
	for k, c := range cs {
		p.Points[k].C = c
	}
	if sel.Valid != nil {
		if err := cmp.Or(sel.Valid.Validate(), CheckScoring(sel.Valid, d.Cols)); err != nil {
			return nil, err
		}
		if err := s.validate(ctx, d, sel.Valid, e, p); err != nil {
			return nil, err
		}
	} else if err := s.crossValidate(ctx, d, sel.Folds, e, p); err != nil {
		return nil, err
	}
	return p, nil
}

// along trains at each point of the path, handing each model to do.
func (s *RankSVM) along(ctx context.Context, d *Dataset, p *CPath, do func(k int, m *Linear) error) error {
	t := *s
	for k := range p.Points {
		t.C = p.Points[k].C
		m, err := t.Fit(ctx, d)
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
func (s *RankSVM) validate(ctx context.Context, d, valid *Dataset, e *Evaluator, p *CPath) error {
	err := s.along(ctx, d, p, func(k int, m *Linear) error {
		p.Points[k].Model = m
		r, err := e.EvalModel(ctx, m, valid)
		if err == nil {
			p.Points[k].Score = r.Metrics[0].Mean
		}
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
	return s.refit(ctx, d, p)
}

// refit trains the model of the best point on its own.
func (s *RankSVM) refit(ctx context.Context, d *Dataset, p *CPath) error {
	t, best := *s, &p.Points[p.Best]
	t.C = best.C
	m, err := t.Fit(ctx, d)
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
func (s *RankSVM) crossValidate(ctx context.Context, d *Dataset, folds int, e *Evaluator, p *CPath) error {
	if folds == 0 {
		folds = 5
	}
	if folds < 2 || folds > d.Queries() {
		return fmt.Errorf("rank: %d folds for %d queries, want 2 or more and at most one a query", folds, d.Queries())
	}
	// Deal out the queries in random order: files are often sorted.
	fold := make([]int, d.Queries())
	for q := range fold {
		fold[q] = q % folds
	}
	draw := random.SplitMix(folds)
	for i := range fold {
		j := i + draw.Below(len(fold)-i)
		fold[i], fold[j] = fold[j], fold[i]
	}
	scores := make([][]float64, len(p.Points))
	for k := range scores {
		scores[k] = make([]float64, d.Rows())
	}
	weights := make([]float64, d.Queries())
	rest := *d // the queries of the other folds: those of this one weigh nothing
	rest.QueryWeights = weights
	for f := range folds {
		for q := range weights {
			switch {
			case fold[q] == f:
				weights[q] = 0
			case d.QueryWeights != nil:
				weights[q] = d.QueryWeights[q]
			default:
				weights[q] = 1
			}
		}
		err := s.along(ctx, &rest, p, func(k int, m *Linear) error {
			for q := range fold {
				if fold[q] == f {
					lo, hi := d.Query(q)
					m.scoreRows(scores[k][lo:hi], d, lo)
				}
			}
			return nil
		})
		if err != nil {
			return errs.Wrap(err, "rank: fold %d of %d", f+1, folds)
		}
	}
	for k := range p.Points {
		r, err := e.EvalScores(ctx, scores[k], d)
		if err != nil {
			return err
		}
		p.Points[k].Score = r.Metrics[0].Mean
	}
	if err := p.pick(); err != nil {
		return err
	}
	return s.refit(ctx, d, p)
}
