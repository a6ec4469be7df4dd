package main

import (
	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

// A trainPage is what train --report writes, and what it notes for that.
type trainPage struct {
	path       string
	curves     *report.Chart // nil for none
	cPath      *cli.CPath    // how --c-path chose C; nil without
	iterations []iteration
	before     rank.Model // of --retrain, that --valid measures; nil without
}

// curves reports whether trees have to be measured on the data that they are trained on.
func (t *training) curves() bool {
	return t.model.value == "lambdamart" && (t.verbose || t.page.path != "")
}

// check refuses a page that cannot be written.
func (p *trainPage) check(t *training) error {
	if p.path == "" {
		return nil
	}
	if p.path == t.output {
		return usagef("--output and --report name the same file")
	}
	if p.path == t.trees.trainer.Checkpoint {
		return usagef("--report and --checkpoint name the same file")
	}
	return checkFiles(p.path, t.inputs()...)
}

// grown notes the curves of trees, of the first metric.
func (p *trainPage) grown(f *lambdamart.Result, e *rank.Evaluator) {
	metric := e.Metrics()[0].String()
	p.curves = treeCurves(metric, f.Best)
	for _, curve := range f.Curves {
		if curve.Metric == metric {
			addCurve(p.curves, curve.Set, curve.Values)
		}
	}
}

// treeCurves returns curves of a metric over trees, the best number of them marked, without lines.
func treeCurves(metric string, best int) *report.Chart {
	return &report.Chart{X: report.Axis{Label: "trees"}, Y: report.Axis{Label: metric},
		Rules: []report.Rule{{At: float64(best)}}}
}

// addCurve adds a line of the values after 1, 2, …, n trees.
func addCurve(c *report.Chart, name string, values []float64) {
	steps := make([]float64, len(values))
	for i := range steps {
		steps[i] = float64(i + 1)
	}
	c.Series = append(c.Series, report.Series{Name: name, X: steps, Y: values})
}

// gapCurves are those of a RankSVM.
func gapCurves(list []iteration) *report.Chart {
	line := report.Series{Name: "on all data"}
	for _, i := range list {
		if !i.Sampled {
			line.X, line.Y = append(line.X, float64(i.Passes)), append(line.Y, float64(i.Gap))
		}
	}
	return &report.Chart{X: report.Axis{Label: "passes over the data"},
		Y: report.Axis{Label: "relative gap to the minimum, at most", Log: true}, Series: []report.Series{line}}
}

// pathCurve returns the curve of a choice of C, or nil if there was no choice.
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

// write writes the page, about the validation data where there are some.
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
		page.Note = "All figures are of the data that the model was trained on, which flatter it: --valid measures on others."
	}
	if p.before != nil {
		system.Model = p.before
		page.Note = "All figures are of the model before --retrain, which trained once more on all data, those of --valid too."
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
