package rank

import (
	"cmp"
	"context"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/ranksvm"
)

// A CSelection configures how [RankSVM.FitPath] evaluates the models of a path. If Valid is set, it
// evaluates them on Valid. Otherwise it uses cross-validation.
type CSelection struct {
	// Evaluator computes the metric; the higher its value, the better. If it has several metrics,
	// the first one is used. nil means NDCG@10 with default options.
	Evaluator *Evaluator

	// Valid contains the queries to evaluate on. Training does not use them.
	Valid *Dataset
	// Folds is the number of cross-validation folds. It must be at least 2. The default is 5.
	Folds int
}

// A CPoint is the result for one value of C.
type CPoint struct {
	C float64
	// Value is the mean of the metric over the evaluated queries. In cross-validation, these are
	// all queries.
	Value float64

	// Unconverged is the number of training runs with this C that ended before they reached Tol.
	Unconverged int
	Gap         float64 // the largest [FitReport.Gap] of the training runs with this C
}

// FitPath trains with several values of C and returns a model with the best one. If cs is nil, the
// values are 1e-5, 1e-4, … 1e2. The field C is not used. Each training starts from the model of the
// next smaller C. FitPath also returns all points, sorted by C. If several values are equally good,
// it chooses the smallest. The report of the model contains the chosen C.
//
// If sel.Valid is set, the models are evaluated on it. Otherwise the queries are divided into
// sel.Folds folds, and each query is scored by the model that was trained on the other folds. In
// both cases FitPath then trains a final model with the best C on all of d, starting from the model
// Start. That model is bit-identical to the result of [RankSVM.Fit] for this C. FitPath does not
// copy the data.
//
// If ctx ends, FitPath returns the context's error and no model.
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

// crossValidate returns the mean of the metric for each element of models. An element contains one
// model per fold, and query q is scored by the model of fold[q].
func crossValidate(ctx context.Context, d *Dataset, evaluator *Evaluator, fold []int,
	models [][]ranksvm.PackedWeights) ([]float64, error) {
	means, scores := make([]float64, len(models)), make([]float64, d.Rows())
	m := &Linear{Weights: make([]float64, d.Cols)}
	for k, folds := range models {
		for f, packed := range folds {
			packed.Unpack(m.Weights)
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
