package cli

import (
	"fmt"
	"io"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Boosting is the result of training trees.
type Boosting struct {
	Objective string `json:"objective"`
	Trees     int    `json:"trees"`  // trees of the model, including the trees of --start
	Leaves    int    `json:"leaves"` // leaves of all these trees
	Grown     int    `json:"grown"`
	Resumed   int    `json:"resumed,omitempty"` // grown trees that --checkpoint contained
	Best      int    `json:"best"`              // grown trees that were kept
	Stop      string `json:"stop"`
	Retrain   bool   `json:"retrain"`
}

// NewBoosting returns the result of a training on an objective. m is the model.
func NewBoosting(objective fmt.Stringer, r *lambdamart.Result, m *lambdamart.Model, retrain bool) Boosting {
	return Boosting{Objective: objective.String(), Trees: len(m.Trees), Leaves: Leaves(m), Grown: r.Grown,
		Resumed: r.Resumed, Best: r.Best, Stop: r.Stop, Retrain: retrain}
}

// Text writes a line about the training.
func (b *Boosting) Text(w io.Writer) {
	again := ""
	if b.Resumed > 0 {
		again = fmt.Sprintf(", %d of them before resuming", b.Resumed)
	}
	if b.Retrain {
		again += ", then retrained on all data"
	}
	fmt.Fprintf(w, "%s, %s with %s; %d grown (%s)%s\n", b.Objective, Count(b.Trees, "tree", "trees"),
		Count(b.Leaves, "leaf", "leaves"), b.Grown, b.Stop, again)
}

// NoSplit returns an error about a training in which no tree has a split.
func NoSplit(t *lambdamart.Trainer) error {
	return fmt.Errorf("cannot train: no split reduces the loss with --min-rows %d and --min-hessian %g; try smaller values",
		max(t.MinRows, 1), t.MinHessian)
}

// A Curve holds a metric after 1, 2, … trees of a training.
type Curve struct {
	Set    string   `json:"set"`
	Metric string   `json:"metric"`
	Values []Number `json:"values"`
}

// NewCurves returns the curves of a training.
func NewCurves(r *lambdamart.Result) (curves []Curve) {
	for _, c := range r.Curves {
		values := make([]Number, len(c.Values))
		for i, v := range c.Values {
			values[i] = Number(v)
		}
		curves = append(curves, Curve{c.Set, c.Metric, values})
	}
	return curves
}

// Dropped returns warnings about categories that have no bin of their own or are not categories.
// bins is the value of --bins, and first is the number of the first feature.
func Dropped(r *lambdamart.Result, bins, first int) (warnings []string) {
	for _, c := range r.Dropped {
		if c.Categories > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"feature %d: %s (%s) have no bin of their own with --bins %d, so every split sends them right", c.Feature+first,
				Count(c.Categories, "category", "categories"), Count(c.Rows, "document", "documents"), bins))
		}
		if c.Negative > 0 {
			warnings = append(warnings, fmt.Sprintf("feature %d: negative numbers are not categories and are treated as missing (%s)",
				c.Feature+first, Count(c.Negative, "document", "documents")))
		}
	}
	return warnings
}
