package rank

import (
	"cmp"
	"context"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/ranksvm"
)

// A CSelection says how [RankSVM.FitPath] measures the models of a path: on Valid,
// or by cross-validation where that is nil.
type CSelection struct {
	// Evaluator computes the metric that decides, its first; the higher the better.
	// nil means NDCG@10 with its default options.
	Evaluator *Evaluator

	Valid *Dataset // queries to measure on, which training does not see
	Folds int      // parts of a cross-validation by query, 2 or more; 0 means 5
}

// A CPoint is one value of C on a path.
type CPoint struct {
	C float64
	// Value is the mean of the metric over the queries measured on, which are all queries in a
	// cross-validation.
	Value float64

	Unconverged int     // trainings that this value took, and that ended before they reached Tol
	Gap         float64 // the largest [FitReport.Gap] of them all
}

// FitPath trains with each value of C (nil means 1e-5, 1e-4, … 1e2; the field C is not used), each
// training starting from the model of the next smaller C. It returns a model with the C whose model
// ranks best by sel, the smallest of equals, and all points by ascending C. The report of the model
// says which C was chosen.
//
// With sel.Valid the models are measured on that. Otherwise the queries are dealt into sel.Folds
// parts, and each query is scored by the model that was trained on the other parts. Either way the
// model of the best C is then trained once more on all of d, from the field Start, so that it has
// the bits that [RankSVM.Fit] gives for this C. No data are copied.
//
// When ctx ends FitPath returns the context's error and no model.
func (s *RankSVM) FitPath(ctx context.Context, d *Dataset, cs []float64, sel CSelection) (_ *Linear, _ []CPoint,
	err error) {
	defer memory.Begin().End(&err)
	if err := s.check(d); err != nil {
		return nil, nil, err
	}
	evaluator := sel.Evaluator
	if evaluator == nil {
		if evaluator, err = NewEvaluator("ndcg@10", Options{}); err != nil {
			return nil, nil, err
		}
	}
	by := &ranksvm.Selection{Metric: evaluator.Metrics()[0].String()}
	if sel.Valid == nil {
		by.Folds = cmp.Or(sel.Folds, 5)
	} else if err := cmp.Or(sel.Valid.Validate(), CheckScoring(sel.Valid, d.Cols)); err != nil {
		return nil, nil, err
	}
	by.Validate = func(ctx context.Context, w []float64) (float64, error) {
		r, err := evaluator.evalModel(ctx, &Linear{Weights: w}, sel.Valid)
		if err != nil {
			return 0, err
		}
		return r.Metrics[0].Mean, nil
	}
	by.CrossValidate = func(ctx context.Context, fold []int, models [][]ranksvm.PackedWeights) ([]float64, error) {
		return crossValidate(ctx, d, evaluator, fold, models)
	}
	found, err := ranksvm.FitPath(ctx, s.options(), s.data(d), cs, by)
	if err != nil {
		return nil, nil, err
	}
	var points []CPoint
	for _, point := range found.Points {
		points = append(points, CPoint(point))
	}
	return s.model(found.Fitted, d.Names), points, nil
}

// crossValidate returns the mean of the metric for each list of models, of which query q is scored
// by the one of fold[q].
func crossValidate(ctx context.Context, d *Dataset, evaluator *Evaluator, fold []int,
	models [][]ranksvm.PackedWeights) ([]float64, error) {
	means, scores := make([]float64, len(models)), make([]float64, d.Rows())
	for k, folds := range models {
		for f, packed := range folds {
			m := &Linear{Weights: packed.Unpack()}
			for q, of := range fold {
				if of == f {
					lo, hi := d.Query(q)
					m.scoreRows(scores[lo:hi], d, lo)
				}
			}
		}
		r, err := evaluator.EvalScores(ctx, scores, d)
		if err != nil {
			return nil, err
		}
		means[k] = r.Metrics[0].Mean
	}
	return means, nil
}
