package main

import (
	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

// A trainPage is the page of train --report, with the data that training collects for it.
type trainPage struct {
	path       string
	curves     *report.Chart // nil if there are none
	cPath      *cli.CPath    // choice of C; nil without --c-path
	iterations []iteration
	before     rank.Model // model before --retrain, which is measured on --valid; nil without --retrain
}

// curves reports whether trees must be measured on the training data.
func (t *training) curves() bool {
	return t.model.value == "lambdamart" && (t.verbose || t.page.path != "")
}

// check returns an error if the page cannot be written.
func (p *trainPage) check(t *training) error {
	if p.path == "" {
		return nil
	}
	if p.path == t.output {
		return usagef("--output and --report must not name the same file")
	}
	if p.path == t.trees.trainer.Checkpoint {
		return usagef("--report and --checkpoint must not name the same file")
	}
	return checkFiles(p.path, t.inputs()...)
}

// grown collects the curves of the first metric.
func (p *trainPage) grown(f *lambdamart.Result, e *rank.Evaluator) {
	metric := e.Metrics()[0].String()
	p.curves = treeCurves(metric, f.Best)
	for _, curve := range f.Curves {
		if curve.Metric == metric {
			addCurve(p.curves, curve.Set, curve.Values)
		}
	}
}

// treeCurves returns an empty chart of a metric over the number of trees, with the best number
// marked.
func treeCurves(metric string, best int) *report.Chart {
	return &report.Chart{X: report.Axis{Label: "trees"}, Y: report.Axis{Label: metric},
		Rules: []report.Rule{{At: float64(best)}}}
}

// addCurve adds a line through the values after 1, 2, …, n trees.
func addCurve(c *report.Chart, name string, values []float64) {
	steps := make([]float64, len(values))
	for i := range steps {
		steps[i] = float64(i + 1)
	}
	c.Series = append(c.Series, report.Series{Name: name, X: steps, Y: values})
}

// gapCurves returns a chart of the training of a RankSVM.
func gapCurves(list []iteration) *report.Chart {
	line := report.Series{Name: "on all data"}
	for _, i := range list {
		if !i.Sampled {
			line.X, line.Y = append(line.X, float64(i.Passes)), append(line.Y, float64(i.Gap))
		}
	}
	return &report.Chart{X: report.Axis{Label: "passes over the data"},
		Y: report.Axis{Label: "maximum relative gap to the minimum", Log: true}, Series: []report.Series{line}}
}

// pathCurve returns the curve of the choice of C, or nil if C was not chosen.
func pathCurve(p *cli.CPath) *report.Chart {
	if p == nil {
		return nil
	}
	var line report.Series
	for _, point := range p.Points {
		line.X, line.Y = append(line.X, point.C), append(line.Y, float64(point.Score))
	}
	return &report.Chart{X: report.Axis{Label: "C", Log: true}, Y: report.Axis{Label: p.Metric},
		Series: []report.Series{line}, Rules: []report.Rule{{At: p.Best}}}
}

// write writes the page. It shows the validation data if there are any, and otherwise the training
// data.
func (p *trainPage) write(cmd *cobra.Command, t *training, m rank.Model, d, valid *rank.Dataset) error {
	e, err := t.metrics.evaluator()
	if err != nil {
		return err
	}
	page := &report.Page{Evaluator: e}
	system := report.System{Name: systemName(t.output, nil), Model: m, Path: pathCurve(p.cPath)}
	train := report.Set{Name: systemName(t.data.path, []string{t.valid}), Data: d}
	path := t.valid
	if valid != nil {
		page.Data, page.Train = report.Set{Name: systemName(t.valid, []string{t.data.path}), Data: valid}, train
	} else {
		path, page.Data = t.data.path, train
		page.Note = "All figures use the training data, so they are too optimistic. Use --valid to measure on other data."
	}
	if p.before != nil {
		system.Model = p.before
		page.Note = "All figures show the model before --retrain, which then trained on all data including --valid."
	}
	if t.model.value == "ranksvm" && p.cPath == nil {
		p.curves = gapCurves(p.iterations)
	}
	system.Curve = p.curves
	if system.Scores, err = score(cmd, system.Model, page.Data.Data, path); err != nil {
		return err
	}
	page.Systems = []report.System{system}
	if page.Facts, err = facts(cmd, t.metrics.policies, []string{t.output}, t.data.path, t.valid); err != nil {
		return err
	}
	text, err := makePage(cmd, p.path, page)
	if err != nil {
		return evalError(err, path, t.output)
	}
	return writeText(cmd, p.path, text)
}
