package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/counterfactual"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// clickFlags holds the flags of eval for labels that are clicks.
type clickFlags struct {
	propensities string
	maxWeight    float64
}

func addClickFlags(cmd *cobra.Command) *clickFlags {
	f := &clickFlags{}
	section(cmd, "Clicks", func() {
		cmd.Flags().StringVar(&f.propensities, "propensities", "",
			"propensity `file`, one per position, or a trained model")
		cmd.Flags().Float64Var(&f.maxWeight, "max-weight", 0, "maximum click `weight` (default: no limit)")
	})
	exclude(cmd, "propensities", "run", "qrels", "per-query", "preset", "gain", "ties", "empty", "max-label",
		"by", "by-column", "interval", "rounds", "seed", "save")
	return f
}

// check returns a usage error if the flags, the metrics or the format are wrong.
func (f *clickFlags) check(metrics *metricFlags, format string) error {
	if metrics.changed("max-weight") {
		switch {
		case f.propensities == "":
			return usagef("--max-weight requires --propensities")
		case !(f.maxWeight > 0):
			return usagef("--max-weight %v: must be greater than 0", f.maxWeight)
		}
	}
	if f.propensities == "" {
		return nil
	}
	if format == "markdown" || format == "latex" {
		return usagef("--format %s cannot be combined with --propensities (use text, json or csv)", format)
	}
	if !metrics.changed("metric") {
		metrics.list = "dcg@10,average-rank"
	}
	for name := range strings.SplitSeq(metrics.list, ",") {
		name = strings.TrimSpace(name)
		m, err := rank.ParseMetric(name)
		if kind, _, _ := strings.Cut(m.String(), "@"); name != "average-rank" && (err != nil || kind != "dcg") {
			return usagef("--metric %s cannot be combined with --propensities: the metrics must be dcg, dcg@k or average-rank",
				cmp.Or(name, `""`))
		}
	}
	return nil
}

// measureClicks estimates metrics of the model or the score file from the clicks in the data.
func (f *evalFlags) measureClicks(cmd *cobra.Command) (*clickResult, error) {
	o := counterfactual.Options{MaxWeight: f.clicks.maxWeight}
	var err error
	if o.Propensities, err = f.clicks.read(cmd); err != nil {
		return nil, err
	}
	m, d, err := f.load(cmd)
	if err != nil {
		return nil, err
	}
	if d.Positions == nil {
		return nil, fmt.Errorf("%s has no positions (use --positions or --position-column)", inputName(f.data.path))
	}
	scores, err := systemScores(cmd, m, cmp.Or(f.model, f.scores), d, f.data.path)
	if err != nil {
		return nil, err
	}
	r, err := counterfactual.Evaluate(cmd.Context(), scores, d, f.metrics.list, o)
	if err != nil {
		return nil, readError(f.data.path, err)
	}
	return &clickResult{r}, nil
}

// read returns the propensities in a file of numbers, or those that a model has learned.
func (f *clickFlags) read(cmd *cobra.Command) ([]float64, error) {
	learned, err := begins(cmd, f.propensities, modelfile.Begins)
	if err != nil {
		return nil, err
	}
	if !learned {
		return readNumbers(cmd, f.propensities, func(v float64) error {
			if !(v > 0 && v <= math.MaxFloat64) {
				return errors.New("propensities must be positive and finite")
			}
			return nil
		})
	}
	m, err := loadModel(cmd, f.propensities)
	if err != nil {
		return nil, err
	}
	trees, ok := m.(*lambdamart.Model)
	if !ok {
		return nil, usagef("--propensities requires a tree model or a file of numbers, but %s is a linear model",
			inputName(f.propensities))
	}
	propensities, err := trees.Propensities()
	return propensities, readError(f.propensities, err)
}

// clickResult is the result of eval with --propensities.
type clickResult struct{ *counterfactual.Results }

func (r *clickResult) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "metric\testimator\testimate\tstandard error\t95% interval")
	for _, e := range r.Estimates {
		fmt.Fprintf(t, "%s\t%s\t%.4f\t%.4f\t[%.4f, %.4f]\n", e.Metric, e.Estimator, e.Value, e.StandardError, e.Low,
			e.High)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s in %s; as informative as %.1f clicks with equal weights\n",
		cli.Count(r.Clicks, "click", "clicks"), cli.Count(r.Queries, "query", "queries"), r.EffectiveClicks)
	if err == nil && r.Limited > 0 {
		_, err = fmt.Fprintf(w, "--max-weight limited the weight of %s\n", cli.Count(r.Limited, "click", "clicks"))
	}
	return err
}

// csv has a row for each estimate.
func (r *clickResult) csv(t *csvTable) {
	t.row("metric", "estimator", "value", "standard_error", "low", "high", "queries", "clicks", "limited_clicks",
		"effective_clicks")
	for _, e := range r.Estimates {
		t.row(e.Metric, e.Estimator, e.Value, e.StandardError, e.Low, e.High, r.Queries, r.Clicks, r.Limited,
			r.EffectiveClicks)
	}
}
