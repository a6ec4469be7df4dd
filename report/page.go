package report

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Page is a report on the rankings of a dataset by one or more systems. It is written as one
// self-contained HTML file.
type Page struct {
	Title   string   // "" means a title that lists the system names
	Note    string   // shown below the title
	Data    Set      // the ranked data, to which System.Scores refer
	Train   Set      // the training data; its Data may be nil
	Systems []System // at least one; the others are compared with the first

	// Evaluator computes the metrics. The first metric is used in figures and to rank queries. nil
	// means ndcg@10,ndcg,map,tau-b,pair-accuracy with their default options.
	Evaluator *rank.Evaluator

	// Groups is the group name of each query in Data. If it is not nil, Write also shows the
	// metrics and comparisons for each group.
	Groups []string

	// Facts are names and values that are listed at the end, for example versions and hashes.
	Facts [][2]string

	// Progress, if not nil, reports the number of page parts that Write has created, or the number
	// of completed steps of Figure. The comment of package rank lists the rules for progress
	// functions.
	Progress func(done, total int64)
}

// rounds is the number of rounds of the bootstrap and the randomization test of a page.
const rounds = 10_000

// A builder writes a page.
type builder struct {
	*Page
	ctx      context.Context
	metrics  []rank.Metric
	results  []compare.System
	body     bytes.Buffer
	contents []heading
	figures  int

	progress *parallel.Progress // of the parts
}

// part reports that a part of the page is done.
func (b *builder) part() { b.progress.Add(1) }

// count returns the approximate number of parts: evaluations and figures.
func (b *builder) count() (parts int64) {
	for _, s := range b.Systems {
		parts += 4 // metrics, their intervals, scores, queries
		switch s.Model.(type) {
		case *lambdamart.Model:
			parts += 4 + partialFigures
		case *rank.Linear:
			parts++
		}
	}
	return parts + 6 // quality and data
}

type heading struct{ id, text string }

// Write writes the page to w. If a figure would be empty, the page shows the reason instead. Write
// returns an error if the metrics reject the scores or labels, if ctx is canceled, or if writing to
// w fails.
func (p *Page) Write(ctx context.Context, w io.Writer) (err error) {
	defer memory.Begin().End(&err)
	b := &builder{Page: p, ctx: ctx}
	b.progress = parallel.NewProgress(p.Progress, b.count())
	if err := b.check(); err != nil {
		return err
	}
	for _, section := range []func() error{b.quality, b.training, b.queries, b.scores, b.features, b.data, b.facts} {
		if err := section(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if _, err := w.Write(b.page()); err != nil {
		return err
	}
	b.progress.Finish()
	return nil
}

// check checks the page and computes the metrics.
func (b *builder) check() (err error) {
	if b.Data.Data == nil || len(b.Systems) == 0 {
		return errs.New("report", "a page requires Data and at least one system")
	}
	if err := b.Data.Data.Validate(); err != nil {
		return err
	}
	if n := b.Data.Data.Queries(); b.Groups != nil && len(b.Groups) != n {
		return errs.Errorf("report", "the number of group names is %d; it must be %d, one per query", len(b.Groups), n)
	}
	e, err := b.evaluator()
	if err != nil {
		return err
	}
	b.metrics = e.Metrics()
	b.results, err = measure(b.ctx, e, b.Systems, b.Data.Data, nil)
	for range b.results {
		b.part()
	}
	return err
}

// evaluator returns the evaluator of the page's metrics.
func (p *Page) evaluator() (*rank.Evaluator, error) {
	if p.Evaluator != nil {
		return p.Evaluator, nil
	}
	return rank.NewEvaluator("ndcg@10,ndcg,map,tau-b,pair-accuracy", rank.Options{})
}

// options returns the options of the page's metrics.
func (p *Page) options() rank.Options {
	if p.Evaluator == nil {
		return rank.Options{}
	}
	return p.Evaluator.Options()
}

// decisive returns an evaluator of the first metric only.
func decisive(e *rank.Evaluator) (*rank.Evaluator, error) {
	return rank.NewEvaluator(e.Metrics()[0].String(), e.Options())
}

// measure returns the metrics of systems on d.
func measure(ctx context.Context, e *rank.Evaluator, systems []System, d *rank.Dataset,
	progress func(done, total int64)) ([]compare.System, error) {
	var results []compare.System
	for i, s := range systems {
		o := e.Options()
		o.Progress = parallel.Part(progress, i, len(systems))
		e, err := rank.NewEvaluator(e.String(), o)
		if err != nil {
			return nil, err
		}
		r, err := e.EvalScores(ctx, s.Scores, d)
		if err != nil {
			return nil, err
		}
		results = append(results, compare.System{Name: s.Name, Results: r})
	}
	return results, nil
}

// quality writes the metrics of the systems.
func (b *builder) quality() error {
	first := b.metrics[0].String()
	b.section("metrics", "Metrics", "Each value is the mean over the queries for which the metric is defined. Brackets contain the 95% bootstrap interval.")
	t := &table{columns: []string{"metric", "queries"}}
	for _, s := range b.results {
		t.columns = append(t.columns, s.Name)
	}
	means, err := b.means()
	if err != nil {
		return err
	}
	for m, metric := range b.metrics {
		row := []string{metric.String(), fmt.Sprint(b.results[0].Results.Metrics[m].Counted)}
		for _, system := range means {
			row = append(row, meanCell(system.Systems[0].Metrics[m]))
		}
		t.rows = append(t.rows, row)
	}
	b.part()
	b.table(t)
	groups := means[0].ByGroup
	if len(b.results) > 1 {
		b.subtitle("Comparison with " + b.results[0].Name)
		c, err := b.compared(first)
		if err != nil {
			return err
		}
		if c != nil {
			groups = c.ByGroup
		}
	}
	if groups != nil {
		b.byGroup(groups, means)
	}
	return b.figure(func() (*Chart, error) { return figureNDCG(b.ctx, b.Data.Data, b.Systems, b.options(), nil) },
		func() (*Chart, error) { return figurePairs(b.Data.Data, b.Systems) },
		func() (*Chart, error) { return figureCalibration(b.Data.Data.Labels, b.Systems) })
}

// decimal formats a value of a metric.
func decimal(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return minus(fmt.Sprintf("%.4f", v))
}

// interval formats an interval that is not broken across lines.
func interval(lo, hi string) string { return "[" + lo + ",\u00a0" + hi + "]" }

// signed is like decimal but with the sign of a difference.
func signed(v float64) string {
	if v > 0 {
		return "+" + decimal(v)
	}
	return decimal(v)
}

// means returns the means of each system, with intervals unless values are infinite.
func (b *builder) means() ([]*compare.Table, error) {
	var means []*compare.Table
	for _, s := range b.results {
		o := compare.Options{Rounds: rounds, Seed: 1, Groups: b.Groups}
		t, err := compare.Means(b.ctx, s, o)
		if err != nil && b.ctx.Err() == nil {
			o.Interval = "none"
			t, err = compare.Means(b.ctx, s, o)
		}
		if err != nil {
			return nil, err
		}
		means = append(means, t)
	}
	return means, nil
}

// meanCell formats a mean and its interval, if there is one.
func meanCell(c compare.Cell) string {
	if math.IsNaN(c.Low) {
		return decimal(c.Mean)
	}
	return decimal(c.Mean) + " " + interval(decimal(c.Low), decimal(c.High))
}

// compared writes the differences from the first system. It returns nil if the systems cannot be
// compared.
func (b *builder) compared(first string) (*compare.Table, error) {
	systems := make([]compare.System, len(b.results))
	for i, s := range b.results { // pooled metrics have no per-query values
		r := *s.Results
		r.Metrics = slices.DeleteFunc(slices.Clone(r.Metrics),
			func(m rank.MetricResult) bool { return m.Metric.Pooled() })
		systems[i] = compare.System{Name: s.Name, Results: &r}
	}
	c, err := compare.Compare(b.ctx, systems, compare.Options{Rounds: rounds, Seed: 1, Groups: b.Groups})
	if b.ctx.Err() != nil {
		return nil, b.ctx.Err()
	}
	if err != nil {
		b.paragraph("No comparison: " + errs.Bare(err) + ".")
		return nil, nil
	}
	t := &table{columns: slices.Clone(differenceColumns),
		note: fmt.Sprintf("Significance is computed by a two-sided randomization test with %d rounds and Holm's "+
			"correction for the number of systems: * p < 0.05, ** p < 0.01. d is Cohen's d, the mean of the "+
			"differences divided by their standard deviation.", rounds)}
	for _, s := range c.Systems[1:] {
		for _, m := range s.Metrics {
			t.rows = append(t.rows, differenceRow(s.Name, m))
		}
		if len(s.Metrics) > 0 && s.Metrics[0].Metric.String() == first {
			d := &s.Metrics[0].Differences[0]
			word := "no significant difference in"
			if d.CorrectedP < 0.05 && d.Mean > 0 {
				word = "significantly better"
			} else if d.CorrectedP < 0.05 {
				word = "significantly worse"
			}
			b.paragraph(fmt.Sprintf("%s compared with %s: %s %s (%s, Holm p = %.3g).", s.Name, c.Systems[0].Name, word,
				first, signed(d.Mean), d.CorrectedP))
		}
	}
	b.table(t)
	return c, nil
}

// training draws training curves, paths of C and position-bias factors.
func (b *builder) training() error {
	var draw []func() (*Chart, error)
	for _, s := range b.Systems {
		of := func(c *Chart, err error) (*Chart, error) {
			if err == nil && len(b.Systems) > 1 {
				c.Title += ", " + s.Name
			}
			return c, err
		}
		if m, ok := s.Model.(*lambdamart.Model); ok && m.PositionFactors != nil {
			draw = append(draw, func() (*Chart, error) { return of(figurePositions(m)) })
		}
		if s.Curve != nil {
			draw = append(draw, func() (*Chart, error) { return of(figureCurves(s.Curve)) })
		}
		if s.Path != nil {
			draw = append(draw, func() (*Chart, error) { return of(figurePath(s.Path)) })
		}
	}
	if draw == nil {
		return nil
	}
	b.section("training", "Training", "")
	return b.figure(draw...)
}

// queries writes the queries on which systems win and lose.
func (b *builder) queries() error {
	name := b.metrics[0].String()
	b.section("queries", "Queries", "")
	if b.metrics[0].Pooled() {
		b.paragraph("No figure: " + name + " has no per-query values.")
		return nil
	}
	pairs := [][]compare.System{b.results}
	if len(b.results) > 1 {
		pairs = nil
		for _, s := range b.results[1:] {
			pairs = append(pairs, []compare.System{b.results[0], s})
		}
	}
	for _, systems := range pairs {
		if err := b.figure(func() (*Chart, error) { return figureQueries(systems...) }); err != nil {
			return err
		}
		all, err := queryValues(systems...)
		if err != nil {
			continue // the figure has reported it
		}
		const most = 10
		n := min(most, len(all)/2)
		worst := slices.Clone(all[len(all)-n:])
		slices.Reverse(worst)
		b.body.WriteString("<div class=\"figures\">\n")
		for _, side := range []struct {
			title string
			list  []queryValue
		}{{"Best queries", all[:n]}, {"Worst queries", worst}} {
			t := &table{columns: []string{"query", name}}
			if len(systems) == 2 {
				t.columns = []string{"query", systems[0].Name, systems[1].Name, "difference"}
			}
			for _, v := range side.list {
				row := []string{v.id, decimal(v.value)}
				if len(systems) == 2 {
					row = []string{v.id, decimal(v.base), decimal(v.value), signed(v.gain)}
				}
				t.rows = append(t.rows, row)
			}
			fmt.Fprintf(&b.body, "<div class=\"list\"><h4>%s</h4>", side.title)
			b.table(t)
			b.body.WriteString("</div>\n")
		}
		b.body.WriteString("</div>\n")
	}
	return nil
}

// scores draws the scores of each system.
func (b *builder) scores() error {
	b.section("scores", "Scores", "")
	var draw []func() (*Chart, error)
	for _, s := range b.Systems {
		draw = append(draw, func() (*Chart, error) {
			c, err := figureScores(b.Data.Data.Labels, s.Scores)
			if err == nil {
				c.Title += ", " + s.Name
			}
			return c, err
		})
	}
	return b.figure(draw...)
}

// features draws the importance of features.
func (b *builder) features() error {
	begun := false
	for _, s := range b.Systems {
		if s.Model == nil {
			continue
		}
		if !begun {
			begun = true
			b.section("features", "Features", "")
		}
		b.subtitle(s.Name)
		var err error
		switch m := s.Model.(type) {
		case *lambdamart.Model:
			err = b.trees(m, b.dataOf(s))
		case *rank.Linear:
			err = b.figure(func() (*Chart, error) { return figureWeights(b.named(m), b.dataOf(s)) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dataOf returns the data with the columns of a system's model.
func (p *Page) dataOf(s System) *rank.Dataset { return cmp.Or(s.Data, p.Data.Data) }

// named returns a linear model with the feature names of the data if it has none.
func (b *builder) named(m *rank.Linear) *rank.Linear {
	if m.FeatureNames != nil || len(b.Data.Data.Names) != len(m.Weights) {
		return m
	}
	with := *m
	with.FeatureNames = b.Data.Data.Names
	return &with
}

// partialFigures is the number of partial dependence figures.
const partialFigures = 6

// trees draws the importance of features of trees.
func (b *builder) trees(m *lambdamart.Model, d *rank.Dataset) error {
	if m.FeatureNames == nil && len(d.Names) == m.NumFeatures {
		with := *m
		with.FeatureNames = d.Names
		m = &with
	}
	title := ""
	if m.FeatureNames == nil {
		title = "feature "
	}
	m, d, err := usedByTrees(m, d)
	if err != nil {
		return err
	}
	explained, err := sampleContributions(b.ctx, m, d, nil)
	b.part()
	if b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	if err != nil { // for example for a model without counts
		b.paragraph("No SHAP values: " + errs.Bare(err) + ".")
	} else if n := explained.data.Rows(); n < d.Rows() {
		b.paragraph(fmt.Sprintf("SHAP values are computed for %d of the %d documents, which are evenly spaced.", n, d.Rows()))
	}
	draw := []func() (*Chart, error){func() (*Chart, error) { return figureImportance(m, explained) }}
	values, _ := m.Importance()
	if explained != nil {
		values = explained.importance()
		draw = append(draw, func() (*Chart, error) { return figureSHAP(m, explained) })
	}
	if err := b.figure(draw...); err != nil {
		return err
	}
	list := order(values)
	if list = list[:min(len(list), partialFigures)]; len(list) == 0 {
		return nil
	}
	b.paragraph(fmt.Sprintf("Partial dependence: the mean score of up to %d documents when one feature changes and all others stay the same.", partialRows))
	draw = nil
	for _, j := range list {
		draw = append(draw, func() (*Chart, error) {
			return figurePartial(b.ctx, m, d, j, title+featureName(m.FeatureNames, j))
		})
	}
	b.body.WriteString("<div class=\"small\">")
	defer b.body.WriteString("</div>\n")
	return b.figure(draw...)
}

// data describes the data.
func (b *builder) data() error {
	b.section("data", "Data", "")
	sets := []Set{{cmp.Or(b.Data.Name, "Data"), b.Data.Data}}
	if b.Train.Data != nil && b.Train.Data != b.Data.Data {
		sets = append(sets, Set{cmp.Or(b.Train.Name, "Training data"), b.Train.Data})
	}
	for _, set := range sets {
		r, err := data.Describe(b.ctx, set.Data, nil)
		if err != nil {
			return err
		}
		b.subtitle(set.Name)
		b.list(describe(r, set.Data))
		if err := b.figure(func() (*Chart, error) { return figureLabels(r) },
			func() (*Chart, error) { return figureSizes(set.Data) }); err != nil {
			return err
		}
	}
	return nil
}

// describe lists properties of a dataset.
func describe(r *data.Description, d *rank.Dataset) [][2]string {
	s := r.RowsPerQuery
	label := func(i int) string { return fmt.Sprintf("%s: %d", number(r.Labels[i].Label), r.Labels[i].Rows) }
	constant := func(i int) string { return featureName(d.Names, r.Constant[i]) }
	duplicates := duplicateColumns(d)
	equal := func(i int) string {
		p := duplicates[i]
		return fmt.Sprintf("%s = %s", featureName(d.Names, p[1]), featureName(d.Names, p[0]))
	}
	facts := [][2]string{
		{"queries", fmt.Sprint(r.Queries)},
		{"documents", fmt.Sprint(r.Rows)},
		{"documents per query", fmt.Sprintf("%d to %d; quartiles %d, %d, %d", s[0], s[4], s[1], s[2], s[3])},
		{"labels", cli.List(len(r.Labels), label)},
		{"features", fmt.Sprint(r.Cols)},
		{"nonzero values", fmt.Sprintf("%d of %d (%.3g%%)", r.NonZero, int64(r.Rows)*int64(r.Cols), 100*r.Density())},
		{"omitted values", fmt.Sprint(r.Absent)},
		{"missing values (NaN)", fmt.Sprint(r.NaN)},
		{"constant features", cli.List(len(r.Constant), constant)},
		{"duplicate features", cli.List(len(duplicates), equal)},
		{"duplicate rows", fmt.Sprint(r.Duplicates)},
	}
	if d.Weights != nil || d.QueryWeights != nil {
		facts = append(facts, [2]string{"weights", "yes"})
	}
	if d.Positions != nil {
		facts = append(facts, [2]string{"positions", "yes"})
	}
	return facts
}

// facts lists the training settings of the models and the origin of the page.
func (b *builder) facts() error {
	if len(b.Facts) == 0 && !slices.ContainsFunc(b.Systems, func(s System) bool { return s.Model != nil }) {
		return nil
	}
	b.section("facts", "Settings", "")
	for _, s := range b.Systems {
		if s.Model == nil {
			continue
		}
		b.subtitle("Training of " + s.Name)
		settings := cli.Settings(s.Model)
		if len(settings) == 0 {
			b.paragraph("The model contains no training settings.")
			continue
		}
		var facts [][2]string
		for _, name := range slices.Sorted(maps.Keys(settings)) {
			facts = append(facts, [2]string{name, settings[name]})
		}
		b.body.WriteString("<div class=\"settings\">")
		b.list(facts)
		b.body.WriteString("</div>\n")
	}
	if len(b.Facts) > 0 {
		b.subtitle("This page")
		b.list(b.Facts)
	}
	return nil
}
