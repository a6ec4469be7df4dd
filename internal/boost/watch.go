package boost

import "math"

// A Watch keeps the values of metrics after each tree, and says when training is to end.
type Watch struct {
	Values [][]float64 // of each metric
	Trees  int
	Best   int // trees at the best value of the first metric; 0 without one

	patience int
	lower    bool
	value    float64 // the best, negated when lower ones are better
}

// NewWatch returns the watch of so many metrics. Training ends when so many trees in a row as
// patience says, 0 for any number, have not improved the first, of which lower values may be
// better.
func NewWatch(metrics, patience int, lower bool) *Watch {
	return &Watch{Values: make([][]float64, metrics), patience: patience, lower: lower, value: math.Inf(-1)}
}

// Note adds the values after one more tree. It reports whether the first is the best so far, and
// whether training is to end.
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

// Replay notes the values of trees that are there.
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
