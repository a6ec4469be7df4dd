package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A System is a ranker that is shown in figures and pages.
type System struct {
	Name   string
	Model  rank.Model    // nil if only the scores are known
	Scores []float64     // the score of each row of Page.Data
	Data   *rank.Dataset // Page.Data with the columns of Model; nil means Page.Data itself

	// Curve is the training curve: metric values after each step, and a rule at the best step.
	// Values that the Y axis cannot show, such as NaN, are skipped. The title is set by Page. nil
	// means that there is no curve.
	Curve *Chart
	// Path shows how C of a RankSVM was selected: one line of a metric over C, and a rule at the
	// selected value. Values that are not finite are skipped. The title is set by Page. nil means
	// that there is no path.
	Path *Chart
}

// figureCurves draws training curves and marks the best round.
func figureCurves(c *Chart) (*Chart, error) {
	chart := &Chart{Title: "Training", X: c.X, Y: c.Y,
		description: fmt.Sprintf("%s over %s during training", c.Y.Label, c.X.Label)}
	for i, l := range c.Series {
		if len(l.X) != len(l.Y) {
			return nil, errs.Errorf("report", "curve %s: the number of values is %[3]d; it must be %[2]d, one per step", l.Name, len(l.X), len(l.Y))
		}
		s := Series{Name: l.Name, Color: i%nSeries + 1, Dashed: i >= nSeries}
		for k, v := range l.Y {
			if finite(v) && (!c.Y.Log || v > 0) {
				s.X, s.Y = append(s.X, l.X[k]), append(s.Y, v)
			}
		}
		if n := len(s.Y); n > 0 {
			chart.description += fmt.Sprintf("; %s: first %s, last %s", l.Name, number(s.Y[0]), number(s.Y[n-1]))
		}
		chart.Series = append(chart.Series, s)
	}
	if !slices.ContainsFunc(chart.Series, func(s Series) bool { return len(s.X) > 0 }) {
		return nil, errs.New("report", "curves: a figure requires at least one value")
	}
	for _, best := range c.Rules {
		if best.At > 0 {
			best.Name = fmt.Sprintf("%s: %s", cmp.Or(best.Name, "best"), number(best.At))
			chart.Rules = append(chart.Rules, best)
			chart.description += "; " + best.Name
		}
	}
	return chart, nil
}

// curvePoints is the maximum number of points of a model's curve.
const curvePoints = 100

// CurveOf returns a training curve for [System.Curve]. It computes the first metric of e on each
// dataset for increasing numbers of trees. The first dataset determines the best number of trees.
//
// progress, if not nil, receives the number of completed evaluations. The comment of package rank
// lists the rules for progress functions.
func CurveOf(ctx context.Context, m *lambdamart.Model, e *rank.Evaluator, sets []Set,
	progress func(done, total int64)) (*Chart, error) {
	if len(m.Trees) == 0 {
		return nil, errs.New("report", "a model without trees has no curve")
	}
	e, err := decisive(e)
	if err != nil {
		return nil, err
	}
	scorer, err := m.Scorer()
	if err != nil {
		return nil, err
	}
	step := (len(m.Trees) + curvePoints - 1) / curvePoints
	c := &Chart{X: Axis{Label: "trees"}, Y: Axis{Label: e.Metrics()[0].String()}}
	points := parallel.NewProgress(progress, int64(len(sets)*((len(m.Trees)+step-1)/step)))
	for _, set := range sets {
		line := Series{Name: set.Name}
		scores := make([]float64, set.Data.Rows())
		if err := scorer.StagesInto(ctx, scores, set.Data, step, func(trees int) error {
			r, err := e.EvalScores(ctx, scores, set.Data)
			if err != nil {
				return err
			}
			points.Add(1)
			line.X, line.Y = append(line.X, float64(trees)), append(line.Y, r.Metrics[0].Mean)
			return nil
		}); err != nil {
			return nil, err
		}
		c.Series = append(c.Series, line)
	}
	if len(c.Series) > 0 {
		best, rule := math.Inf(-1), Rule{Name: "best on " + c.Series[0].Name}
		for i, v := range c.Series[0].Y {
			if v > best {
				best, rule.At = v, c.Series[0].X[i]
			}
		}
		c.Rules = []Rule{rule}
	}
	return c, nil
}

// A Set is a named dataset.
type Set struct {
	Name string
	Data *rank.Dataset
}

// figurePath draws a metric over C of a RankSVM and marks the selected value.
func figurePath(p *Chart) (*Chart, error) {
	if len(p.Series) != 1 || len(p.Series[0].X) != len(p.Series[0].Y) {
		return nil, errs.New("report", "choice of C: Path must have one series with a value for each C")
	}
	metric := p.Y.Label
	c := &Chart{Title: "Choice of C", X: p.X, Y: p.Y}
	s := Series{Mark: markLine}
	for i, score := range p.Series[0].Y {
		if finite(score) {
			s.X, s.Y = append(s.X, p.Series[0].X[i]), append(s.Y, score)
		}
	}
	dots := s
	dots.Mark, dots.Size, dots.Color = markDots, 7, 1
	c.Series = []Series{s, dots}
	c.description = fmt.Sprintf("%s over C, %d values", metric, len(s.X))
	c.data = &table{columns: []string{"C", metric}}
	for i, v := range s.X {
		c.data.rows = append(c.data.rows, []string{number(v), number(s.Y[i])})
	}
	for _, best := range p.Rules {
		c.Rules = append(c.Rules, Rule{At: best.At, Name: "selected: " + number(best.At)})
		c.description += "; C = " + number(best.At) + " was selected"
	}
	return c, nil
}

// deepest is the maximum k of NDCG@k.
const deepest = 20

// figureNDCG draws NDCG@k of each system over k, up to 20, with the given options.
func figureNDCG(ctx context.Context, d *rank.Dataset, systems []System, o rank.Options,
	progress func(done, total int64)) (*Chart, error) {
	largest := 0
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		largest = max(largest, hi-lo)
	}
	largest = min(largest, deepest)
	if largest < 2 {
		return nil, errs.New("report", "NDCG over k: no query has two or more documents")
	}
	var metrics []string
	for k := 1; k <= largest; k++ {
		metrics = append(metrics, fmt.Sprintf("ndcg@%d", k))
	}
	e, err := rank.NewEvaluator(strings.Join(metrics, ","), o)
	if err != nil {
		return nil, err
	}
	c := &Chart{Title: "NDCG@k over k", X: Axis{Label: "cutoff k"},
		Y: Axis{Label: "mean NDCG@k"}}
	measured, err := measure(ctx, e, systems, d, progress)
	if err != nil {
		return nil, err
	}
	for i, system := range measured {
		s := Series{Name: system.Name, Color: i%nSeries + 1, Dashed: i >= nSeries}
		for k, m := range system.Results.Metrics {
			if finite(m.Mean) {
				s.X, s.Y = append(s.X, float64(k+1)), append(s.Y, m.Mean)
			}
		}
		if n := len(s.Y); n > 0 {
			c.description += fmt.Sprintf("%s: %s at k = 1, %s at k = %d. ", system.Name, number(s.Y[0]),
				number(s.Y[n-1]), largest)
		}
		c.Series = append(c.Series, s)
	}
	return c, nil
}

// A queryValue is the value of a query, or a difference of two.
type queryValue struct {
	id          string
	base, value float64
	gain        float64 // value − base, or value if there is no base
}

// queryValues returns the queries for which the metric of all systems is defined, by descending
// gain. There are one or two systems.
func queryValues(systems ...compare.System) ([]queryValue, error) {
	base := systems[0].Results
	var all []queryValue
	for q, id := range base.QueryIDs {
		v := queryValue{id: id, base: math.NaN(), value: base.Metrics[0].Values[q]}
		if v.gain = v.value; len(systems) == 2 {
			v.base, v.value = v.value, systems[1].Results.Metrics[0].Values[q]
			v.gain = v.value - v.base
		}
		if !math.IsNaN(v.gain) {
			all = append(all, v)
		}
	}
	if len(all) < 2 {
		return nil, errs.Errorf("report", "queries: the number of queries with a value of %v is %d; it must be at least 2",
			base.Metrics[0].Metric, len(all))
	}
	slices.SortStableFunc(all, func(a, b queryValue) int { return cmp.Compare(b.gain, a.gain) })
	return all, nil
}

// mostDots is the maximum number of dots of a figure with a dot per query or document.
const mostDots = 1000

// figureQueries draws a dot per query: the value of the first metric or, for two systems, its
// difference. Queries are sorted by descending value. If there are more than 1000, it draws 1000
// evenly spaced ones.
func figureQueries(systems ...compare.System) (*Chart, error) {
	if len(systems) < 1 || len(systems) > 2 {
		return nil, errs.Errorf("report", "queries: the number of systems is %d; it must be 1 or 2", len(systems))
	}
	for _, s := range systems {
		if r := s.Results; r == nil || len(r.Metrics) == 0 ||
			len(r.Metrics[0].Values) != len(r.QueryIDs) || len(r.QueryIDs) != len(systems[0].Results.QueryIDs) {
			return nil, errs.Errorf("report", "queries: %s has no per-query values", s.Name)
		}
	}
	all, err := queryValues(systems...)
	if err != nil {
		return nil, err
	}
	name := systems[0].Results.Metrics[0].Metric.String()
	c := &Chart{X: Axis{Label: "queries, sorted"}, data: &table{}}
	var sides [3]Series // better, worse, equal
	n := len(all)
	drawn := min(n, mostDots)
	counts := [3]int{}
	side := func(v queryValue) int {
		switch {
		case len(systems) == 1:
			return 0
		case v.gain > 0:
			return 0
		case v.gain < 0:
			return 1
		}
		return 2
	}
	for _, v := range all {
		counts[side(v)]++
	}
	for k := range drawn {
		i := k
		if drawn < n {
			i = k * (n - 1) / (drawn - 1)
		}
		s := &sides[side(all[i])]
		s.X, s.Y = append(s.X, float64(i+1)), append(s.Y, all[i].gain)
	}
	if len(systems) == 1 {
		c.Title, c.Y.Label = "Queries, "+systems[0].Name, name
		c.description = fmt.Sprintf("%s of %d queries, from %s to %s", name, n, number(all[0].gain),
			number(all[n-1].gain))
		c.data.columns = []string{"query", name}
	} else {
		c.Title = systems[1].Name + " vs. " + systems[0].Name
		c.Y.Label = name + " difference"
		c.description = fmt.Sprintf("%s of %s minus %s: better on %d queries, worse on %d, equal on %d", name,
			systems[1].Name, systems[0].Name, counts[0], counts[1], counts[2])
		c.data.columns = []string{"query", systems[0].Name, systems[1].Name, "difference"}
		for k, word := range []string{"better", "worse", "equal"} {
			sides[k].Name = fmt.Sprintf("%s (%d)", word, counts[k])
		}
		c.Rules = []Rule{{y: true}}
	}
	for k, color := range []int{1, 2, 3} {
		sides[k].Mark, sides[k].Color, sides[k].Size = markDots, color, 4
		if k == 2 {
			sides[k].Shade = []float64{math.NaN()}
		}
		if len(sides[k].X) > 0 {
			c.Series = append(c.Series, sides[k])
		}
	}
	for _, v := range all {
		row := []string{v.id, number(v.value)}
		if len(systems) == 2 {
			row = []string{v.id, number(v.base), number(v.value), number(v.gain)}
		}
		c.data.rows = append(c.data.rows, row)
	}
	c.data = c.data.thin()
	return c, nil
}

// mostLabels is the maximum number of labels that figures distinguish.
const mostLabels = 12

// labelsOf returns the distinct labels in ascending order.
func labelsOf(labels []float64) ([]float64, error) {
	distinct := slices.Clone(labels)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	if len(distinct) == 0 {
		return nil, errs.New("report", "the data contains no documents")
	}
	if err := checkRange(distinct[0], distinct[len(distinct)-1]); err != nil { // NaN is sorted first
		return nil, errs.Errorf("report", "labels: %w", err)
	}
	if len(distinct) > mostLabels {
		return nil, errs.Errorf("report", "the data has %d distinct labels; at most %d can be shown", len(distinct),
			mostLabels)
	}
	return distinct, nil
}

// checkScores returns an error unless there is a finite score for each label.
func checkScores(labels, scores []float64) error {
	if len(labels) != len(scores) {
		return errs.Errorf("report", "the number of scores is %d; it must be %d, one per document", len(scores), len(labels))
	}
	for i, s := range scores {
		if !finite(s) {
			return errs.Errorf("report", "the score of document %d is %v; scores must be finite", i+1, s)
		}
	}
	return nil
}

// scoreBins is the number of bins of the score distribution.
const scoreBins = 30

// figureScores draws the score distribution of the documents of each label. The outermost bins
// include all scores outside of the middle 99%.
func figureScores(labels, scores []float64) (*Chart, error) {
	if err := checkScores(labels, scores); err != nil {
		return nil, err
	}
	distinct, err := labelsOf(labels)
	if err != nil {
		return nil, err
	}
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	n := len(sorted)
	lo, hi := sorted[n/200], sorted[n-1-n/200]
	if lo == hi {
		lo, hi = sorted[0], sorted[n-1]
	}
	if lo == hi {
		return nil, errs.Errorf("report", "all scores are equal: %v", lo)
	}
	if err := checkRange(lo, hi); err != nil {
		return nil, errs.Errorf("report", "scores: %w", err)
	}
	c := &Chart{Title: "Scores by label", X: Axis{Label: "score"}, Y: Axis{Label: "documents with the label (%)"}}
	for k, label := range distinct {
		counts, total := [scoreBins]int{}, 0
		for i, s := range scores {
			if labels[i] == label {
				counts[partOf(s, lo, hi, scoreBins)]++
				total++
			}
		}
		s := Series{Name: "label " + number(label), Shade: []float64{shadeOf(k, len(distinct))}}
		for bin, count := range counts {
			s.X = append(s.X, lo+float64((float64(bin)+0.5)*(hi-lo))/scoreBins)
			s.Y = append(s.Y, float64(100*count)/float64(total))
		}
		c.Series = append(c.Series, s)
	}
	c.description = fmt.Sprintf("score distribution for each of %d labels, in %d ranges from %s to %s",
		len(distinct), scoreBins, number(lo), number(hi))
	return c, nil
}

// shadeOf returns the shade of the k-th of n ordered items.
func shadeOf(k, n int) float64 {
	if n < 2 {
		return 1
	}
	return float64(k) / float64(n-1)
}

// figurePairs draws the share of document pairs of a query that each system orders correctly, by
// label difference. Ties count half.
func figurePairs(d *rank.Dataset, systems []System) (*Chart, error) {
	distinct, err := labelsOf(d.Labels)
	if err != nil {
		return nil, err
	}
	var gaps []float64
	for i, a := range distinct {
		for _, b := range distinct[:i] {
			gaps = append(gaps, a-b)
		}
	}
	slices.Sort(gaps)
	gaps = slices.Compact(gaps)
	c := &Chart{Title: "Pair accuracy by label difference", X: Axis{Label: "label difference"},
		Y: Axis{Label: "correctly ordered pairs (%)"}}
	for _, g := range gaps {
		c.X.Names = append(c.X.Names, number(g))
	}
	c.data = &table{columns: []string{"difference", "pairs"}}
	var pairs []int64
	for i, system := range systems {
		if err := checkScores(d.Labels, system.Scores); err != nil {
			return nil, err
		}
		right := make([]int64, len(gaps)) // twice the pairs
		pairs = make([]int64, len(gaps))
		groups := make([][]float64, len(distinct)) // scores of a query by label
		for q := range d.Queries() {
			for k := range groups {
				groups[k] = groups[k][:0]
			}
			lo, hi := d.Query(q)
			for r := lo; r < hi; r++ {
				k, _ := slices.BinarySearch(distinct, d.Labels[r])
				groups[k] = append(groups[k], system.Scores[r])
			}
			for k := range groups {
				slices.Sort(groups[k])
				for l := range k {
					if len(groups[k]) == 0 || len(groups[l]) == 0 {
						continue
					}
					g, _ := slices.BinarySearch(gaps, distinct[k]-distinct[l])
					right[g] += twiceAbove(groups[k], groups[l])
					pairs[g] += int64(len(groups[k])) * int64(len(groups[l]))
				}
			}
		}
		s := Series{Name: system.Name, Mark: markDots, Size: 8, Color: i%nSeries + 1}
		c.data.columns = append(c.data.columns, system.Name)
		for g, n := range pairs {
			if n > 0 {
				// side by side, because many are close together
				aside := float64(2*i+1-len(systems)) / float64(8*len(systems))
				s.X, s.Y = append(s.X, float64(g)+aside), append(s.Y, 50*float64(right[g])/float64(n))
			}
		}
		c.Series = append(c.Series, s)
	}
	row := 0
	for g, n := range pairs {
		if n == 0 {
			continue
		}
		cells := []string{number(gaps[g]), fmt.Sprint(n)}
		for _, s := range c.Series {
			cells = append(cells, number(s.Y[row]))
		}
		c.data.rows = append(c.data.rows, cells)
		row++
	}
	if row == 0 {
		return nil, errs.New("report", "pairs: no query has documents with different labels")
	}
	c.Rules = []Rule{{y: true, At: 50, Name: "random"}}
	c.description = fmt.Sprintf("share of correctly ordered document pairs for %d label differences", row)
	return c, nil
}

// twiceAbove returns twice the number of pairs with a value of a above a value of b, plus the
// number of ties. Both lists are sorted.
func twiceAbove(a, b []float64) (n int64) {
	below, upTo := 0, 0
	for _, v := range a {
		for below < len(b) && b[below] < v {
			below++
		}
		upTo = max(upTo, below)
		for upTo < len(b) && b[upTo] <= v {
			upTo++
		}
		n += int64(below + upTo)
	}
	return n
}

// calibrationParts is the number of parts into which documents are divided by score.
const calibrationParts = 20

// figureCalibration draws the mean label of documents by score, for each twentieth of the documents
// from the lowest scores to the highest. For a good ranker, it increases throughout.
func figureCalibration(labels []float64, systems []System) (*Chart, error) {
	n := len(labels)
	parts := min(calibrationParts, n/5)
	if parts < 2 {
		return nil, errs.Errorf("report", "calibration: the number of documents is %d; it must be at least 10", n)
	}
	if i := slices.IndexFunc(labels, func(y float64) bool { return !finite(y) }); i >= 0 {
		return nil, errs.Errorf("report", "calibration: the label of document %d is %v; labels must be finite", i+1, labels[i])
	}
	c := &Chart{Title: "Mean label by score", X: Axis{Label: "documents by ascending score (%)", Max: 100},
		Y: Axis{Label: "mean label"}}
	order := make([]int, n)
	for i, system := range systems {
		if err := checkScores(labels, system.Scores); err != nil {
			return nil, err
		}
		if slices.Min(system.Scores) == slices.Max(system.Scores) {
			return nil, errs.Errorf("report", "calibration: all scores of %s are equal: %v", system.Name,
				system.Scores[0])
		}
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(system.Scores[a], system.Scores[b]) })
		s := Series{Name: system.Name, Color: i%nSeries + 1, Dashed: i >= nSeries}
		for p := range parts {
			lo, hi := p*n/parts, (p+1)*n/parts
			sum := 0.0
			for _, k := range order[lo:hi] {
				sum += labels[k]
			}
			s.X, s.Y = append(s.X, 100*(float64(p)+0.5)/float64(parts)), append(s.Y, sum/float64(hi-lo))
		}
		c.Series = append(c.Series, s)
		c.description += fmt.Sprintf("%s: mean label %s at the lowest scores, %s at the highest. ", system.Name,
			number(s.Y[0]), number(s.Y[parts-1]))
	}
	return c, nil
}
