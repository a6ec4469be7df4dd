package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// A watch evaluates the model on the validation sets after each tree.
type watch struct {
	*boost.Watch
	sets   []watched
	curves []Curve

	positions *PositionFactors // factors after the best tree
}

// watched is a validation set with its scores.
type watched struct {
	Validation
	scores []float64
	own    bool       // whether the scores are separate from the scores of the training rows
	rows   leafTables // leaves of the rows; used only by Dart
}

// defaultMetric is the metric of a validation set if neither an evaluator nor CustomMetrics is set.
const defaultMetric = "ndcg@10"

// metricNames returns the names of v's metrics, in the order of its curves.
func (t *Trainer) metricNames(v Validation) (names []string) {
	for _, m := range t.CustomMetrics {
		names = append(names, m.Name)
	}
	switch {
	case v.Evaluator != nil:
		for _, m := range v.Evaluator.Metrics() {
			names = append(names, m.String())
		}
	case len(names) == 0:
		names = append(names, defaultMetric)
	}
	return names
}

// begin checks the validation sets, and scores them with the initial model.
func (w *watch) begin(ctx context.Context, tr *training) error {
	w.positions = tr.model.PositionFactors
	for i, v := range tr.o.Validation {
		fail := func(err error) error {
			return errs.Op("lambdamart", errs.Wrap(err, "validation set %d (%s)", i+1, v.Name))
		}
		if v.Data == nil {
			return fail(fmt.Errorf("the data is missing"))
		}
		if v.Data.Cols != tr.d.Cols {
			return fail(fmt.Errorf("the set has %d features, but the training data has %d", v.Data.Cols, tr.d.Cols))
		}
		for _, m := range tr.o.CustomMetrics {
			if m.Value == nil {
				return fail(fmt.Errorf("custom metric %q has no Value function", m.Name))
			}
			w.curves = append(w.curves, Curve{Set: v.Name, Metric: m.Name})
		}
		if v.Evaluator == nil && len(tr.o.CustomMetrics) == 0 {
			var err error
			if v.Evaluator, err = rank.NewEvaluator(defaultMetric, rank.Options{Threads: tr.o.Threads}); err != nil {
				return fail(err)
			}
		}
		s := watched{Validation: v, scores: tr.scores}
		if v.Data != tr.d {
			if err := v.Data.Validate(); err != nil {
				return fail(err)
			}
			s.own, s.scores = true, make([]float64, v.Data.Rows())
			if err := tr.model.ScoreInto(ctx, s.scores, v.Data); err != nil {
				return fail(err)
			}
			if tr.o.Dart {
				s.rows = newLeafTables(s.scores)
			}
		}
		w.sets = append(w.sets, s)
		if v.Evaluator == nil {
			continue
		}
		for _, m := range v.Evaluator.Metrics() {
			w.curves = append(w.curves, Curve{Set: v.Name, Metric: m.String()})
		}
	}
	lower := len(tr.o.CustomMetrics) > 0 && tr.o.CustomMetrics[0].Lower
	w.Watch = boost.NewWatch(len(w.curves), tr.o.EarlyStopping, lower)
	return ctx.Err()
}

// tree evaluates the model after another tree. It returns the reason if training must end.
func (w *watch) tree(ctx context.Context, tr *training, t *Tree) (string, error) {
	values, err := w.measure(ctx, tr, t)
	if err != nil {
		return "", err
	}
	return w.note(tr, values), nil
}

// measure adds the tree to the scores of the validation sets and returns the metric means.
func (w *watch) measure(ctx context.Context, tr *training, t *Tree) ([]float64, error) {
	for i := range w.sets {
		s := &w.sets[i]
		if s.own {
			rows := len(s.scores)
			dart := tr.dart
			if dart != nil {
				s.rows.grow(rows, len(t.Leaf))
			}
			err := tr.team.For(ctx, (rows+boost.RowTask-1)/boost.RowTask, func(_, task int) {
				lo, hi := task*boost.RowTask, min((task+1)*boost.RowTask, rows)
				if dart != nil {
					dart.add(&s.rows, dart.was, lo, hi)
				}
				for r := lo; r < hi; r++ {
					l := t.leafOfRow(s.Data, r)
					if s.scores[r] += t.Leaf[l]; dart != nil {
						s.rows.set(r, l)
					}
				}
				if dart != nil {
					dart.add(&s.rows, dart.is, lo, hi)
					s.rows.score(s.scores, lo, hi)
				}
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return w.values(ctx, tr)
}

// values returns the metric means at the current scores.
func (w *watch) values(ctx context.Context, tr *training) (values []float64, err error) {
	for i := range w.sets {
		s := &w.sets[i]
		for _, m := range tr.o.CustomMetrics {
			v, err := m.Value(s.scores, s.Data)
			if err == nil && math.IsNaN(v) {
				err = errors.New("the value is NaN; it must be a number")
			}
			if err != nil {
				return nil, errs.Op("lambdamart", errs.Wrap(err, "validation set %d (%s), %s after tree %d", i+1,
					s.Name, m.Name, tr.out.Grown))
			}
			values = append(values, v)
		}
		if s.Evaluator == nil {
			continue
		}
		res, err := s.Evaluator.EvalScores(ctx, s.scores, s.Data)
		if err != nil {
			return nil, errs.Op("lambdamart", errs.Wrap(err, "validation set %d (%s)", i+1, s.Name))
		}
		for _, m := range res.Metrics {
			if math.IsNaN(m.Mean) {
				return nil, errs.Errorf("lambdamart", "validation set %d (%s): %v is undefined for all %d queries", i+1,
					s.Name, m.Metric, m.Skipped)
			}
			values = append(values, m.Mean)
		}
	}
	return values, nil
}

// note adds the metric means after another tree to the curves. It returns the reason if training
// must end.
func (w *watch) note(tr *training, values []float64) string {
	better, stop := w.Note(values)
	if better {
		w.positions = tr.model.PositionFactors
	}
	return w.stop(stop)
}

// stop updates the curves. It returns the reason if training must end, and boost.StopTrees
// otherwise.
func (w *watch) stop(now bool) string {
	for k := range w.curves {
		w.curves[k].Values = w.Values[k]
	}
	if now {
		return boost.StopEarly
	}
	return boost.StopTrees
}

// Retrain trains a new model on d with r.Best trees and no validation sets. Use it after early
// stopping to train the final model on all data. It uses t.Start if that is set. [Trainer.Refit]
// differs: it keeps the trees and updates their leaf values.
func (t *Trainer) Retrain(ctx context.Context, r *Result, d *rank.Dataset) (*Result, error) {
	if r.Best == 0 {
		return nil, errs.Errorf("lambdamart", "the result to retrain has no trees")
	}
	o := *t
	o.Trees, o.Validation, o.CustomMetrics, o.EarlyStopping, o.Checkpoint = r.Best, nil, nil, 0, ""
	return o.Fit(ctx, d)
}
