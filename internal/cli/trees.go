package cli

import (
	"fmt"
	"io"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Boosting tells how a training of trees went. A command embeds it before what it alone knows.
type Boosting struct {
	Objective string `json:"objective"`
	Trees     int    `json:"trees"`  // of the model, those of --start too
	Leaves    int    `json:"leaves"` // of all of them
	Grown     int    `json:"grown"`
	Resumed   int    `json:"resumed,omitempty"` // of those, from --checkpoint
	Best      int    `json:"best"`              // trees of those that were kept
	Stop      string `json:"stop"`
	Retrain   bool   `json:"retrain"`
}

// NewBoosting returns what is known of a training on the objective, whose model is m.
func NewBoosting(objective fmt.Stringer, r *lambdamart.Result, m *lambdamart.Model, retrain bool) Boosting {
	return Boosting{Objective: objective.String(), Trees: len(m.Trees), Leaves: Leaves(m), Grown: r.Grown,
		Resumed: r.Resumed, Best: r.Best, Stop: r.Stop, Retrain: retrain}
}

// Text writes a line about the training.
func (b *Boosting) Text(w io.Writer) {
	again := ""
	if b.Resumed > 0 {
		again = fmt.Sprintf(", %d of them before", b.Resumed)
	}
	if b.Retrain {
		again += ", again on all data"
	}
	fmt.Fprintf(w, "%s, %s with %s; %d grown (%s)%s\n", b.Objective, Count(b.Trees, "tree", "trees"),
		Count(b.Leaves, "leaf", "leaves"), b.Grown, b.Stop, again)
}

// A Curve is a metric after the first tree of a training, the second, …
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

// Dropped returns what to warn of the values of categorical features that a training on bins of
// these did not tell apart. first is the number of the first feature.
func Dropped(r *lambdamart.Result, bins, first int) (warnings []string) {
	for _, c := range r.Dropped {
		if c.Categories > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"feature %d: %s of %s have no bin of their own (--bins %d): every split sends them right", c.Feature+first,
				Count(c.Categories, "category", "categories"), Count(c.Rows, "document", "documents"), bins))
		}
		if c.Negative > 0 {
			warnings = append(warnings, fmt.Sprintf("feature %d: the negative numbers of %s are missing, and no categories",
				c.Feature+first, Count(c.Negative, "document", "documents")))
		}
	}
	return warnings
}
