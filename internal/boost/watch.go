package boost

import (
	"context"
	"errors"
	"math"

	"github.com/simdrank/simdrank/internal/errs"
)

// A Watch records the metric values after each tree, and decides when and how training ends.
type Watch struct {
	Values [][]float64 // one list per metric
	Trees  int
	Best   int // number of trees at the best value of the first metric; 0 if there is none

	patience int
	lower    bool
	value    float64 // the best value, negated if lower values are better
	failed   error   // the error of OnTree
}

// NewWatch returns a watch of the given number of metrics. Training ends if the first metric has
// not improved for patience consecutive trees; 0 disables this. lower means that lower values are
// better.
func NewWatch(metrics, patience int, lower bool) *Watch {
	return &Watch{Values: make([][]float64, metrics), patience: patience, lower: lower, value: math.Inf(-1)}
}

// Note adds the values after one more tree. It reports whether the first value is the best so far,
// and whether training must end.
func (w *Watch) Note(values []float64) (better, stop bool) {
	w.Trees++
	for k, v := range values {
		w.Values[k] = append(w.Values[k], v)
	}
	if len(values) == 0 {
		return false, false
	}
	first := values[0]
	if w.lower {
		first = -first
	}
	if better = first > w.value; better {
		w.Best, w.value = w.Trees, first
	}
	return better, w.patience > 0 && w.Trees-w.Best >= w.patience
}

// Replay notes the values of existing trees.
func (w *Watch) Replay(trees int, values [][]float64) (stop bool) {
	for i := range trees {
		row := make([]float64, len(w.Values))
		for k := range row {
			row[k] = values[k][i]
		}
		_, stop = w.Note(row)
	}
	return stop
}

// Tell handles the result of OnTree; the error enough ends the training without an error. It
// returns stop unless the training ends.
func (w *Watch) Tell(stop string, err, enough error) string {
	if err == nil {
		return stop
	}
	if !errors.Is(err, enough) {
		w.failed = err
	}
	return StopProgress
}

// End returns the reason why training ended after the given number of grown trees, out of trees,
// and the error to return. stop and err are the results of the last step. The reason is "" if there
// is no result.
func (w *Watch) End(ctx context.Context, grown, trees int, stop string, err error) (string, error) {
	switch {
	case err == nil:
		return stop, w.failed
	case ctx.Err() == nil:
		return "", err
	}
	return StopCanceled, errs.Errorf("lambdamart", "training stopped after %d of %d trees: %w", grown, trees, ctx.Err())
}
