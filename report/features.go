package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// featureName returns the name of a feature of a model or, without names, its number from 1.
func featureName(names []string, j int) string {
	if j < len(names) {
		return names[j]
	}
	return strconv.Itoa(j + 1)
}

// shown is the maximum number of features in a figure.
const shown = 20

// contributions are the SHAP values of features for some documents.
type contributions struct {
	values   []float64     // documents × (features+1), as in [explain.Explainer.ContributionsInto]
	data     *rank.Dataset // the documents
	features int
}

// sampleContributions computes the contributions of features to the scores of a tree model for up
// to 1000 documents. Of n documents, it uses rows ⌊k·n/1000⌋. For models with more than 10,000
// features, the number of documents is limited to 10 million values, but is at least 20.
func sampleContributions(ctx context.Context, m *lambdamart.Model, d *rank.Dataset,
	progress func(done, total int64)) (*contributions, error) {
	n := d.Rows()
	if n == 0 {
		return nil, errs.New("report", "contributions: the data contains no documents")
	}
	width := m.NumFeatures + 1
	rows := make([]int, min(n, 1000, max(10_000_000/width, 20)))
	for i := range rows {
		rows[i] = int(int64(i) * int64(n) / int64(len(rows)))
	}
	data, err := d.SubsetRows(rows)
	if err != nil {
		return nil, err
	}
	e, err := explain.New(m)
	if err != nil {
		return nil, err
	}
	e.Progress = progress
	c := &contributions{values: make([]float64, len(rows)*width), data: data, features: m.NumFeatures}
	if err := e.ContributionsInto(ctx, c.values, c.data); err != nil {
		return nil, err
	}
	return c, nil
}

// importance returns the mean absolute contribution of each feature, in units of the score.
func (c *contributions) importance() []float64 {
	sums := make([]float64, c.features)
	for i := range c.data.Rows() {
		for j, v := range c.values[i*(c.features+1):][:c.features] {
			sums[j] += math.Abs(v)
		}
	}
	for j := range sums {
		sums[j] /= float64(c.data.Rows())
	}
	return sums
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// order returns the features with a positive value, by descending value.
func order(values []float64) []int {
	var list []int
	for j, v := range values {
		if v > 0 {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return list
}

// figureImportance draws the importance of the top twenty features of a tree model. Each feature
// has its share of the gain of all splits, of their number and, unless c is nil, of the mean
// absolute contributions. Features are sorted by descending gain.
func figureImportance(m *lambdamart.Model, c *contributions) (*Chart, error) {
	gains, numbers := m.Importance()
	splits := make([]float64, m.NumFeatures)
	for j, n := range numbers {
		splits[j] = float64(n)
	}
	measures := []struct {
		name   string
		values []float64
	}{{"gain", gains}, {"splits", splits}}
	if c != nil {
		if c.features != m.NumFeatures {
			return nil, errs.Errorf("report", "importance: the contributions have %d features, but the model has %d",
				c.features, m.NumFeatures)
		}
		measures = append(measures, struct {
			name   string
			values []float64
		}{"SHAP", c.importance()})
	}
	list := order(measures[0].values)
	if len(list) == 0 { // gains are unknown
		list = order(splits)
	}
	if len(list) == 0 {
		return nil, errs.New("report", "importance: the trees have no splits")
	}
	few := list[:min(len(list), shown)]
	chart := &Chart{Title: "Feature importance", Y: Axis{Label: "feature"}, X: Axis{Label: "share of all features (%)"},
		description: "feature importance by"}
	chart.data = &table{columns: []string{"feature"}}
	for _, j := range few {
		chart.Y.Names = append(chart.Y.Names, featureName(m.FeatureNames, j))
	}
	rows := list[:min(len(list), tableRows)]
	if len(list) > len(rows) {
		chart.data.note = fmt.Sprintf("top %d of %d features", len(rows), len(list))
	}
	for _, j := range rows {
		chart.data.rows = append(chart.data.rows, []string{featureName(m.FeatureNames, j)})
	}
	for i, of := range measures {
		total := sum(of.values)
		if err := checkRange(0, total); err != nil {
			return nil, errs.Errorf("report", "importance: %s: %w", of.name, err)
		}
		if total <= 0 { // gains are unknown
			continue
		}
		s := Series{Name: of.name, Mark: markDots, Size: 7, Color: i + 1}
		for y, j := range few {
			s.X, s.Y = append(s.X, 100*of.values[j]/total), append(s.Y, float64(y))
		}
		chart.Series = append(chart.Series, s)
		chart.data.columns = append(chart.data.columns, of.name, of.name+" (%)")
		for r, j := range rows {
			chart.data.rows[r] = append(chart.data.rows[r], number(of.values[j]), number(100*of.values[j]/total))
		}
		chart.description += fmt.Sprintf(" %s;", of.name)
	}
	most := 0.0
	for _, s := range chart.Series {
		most = max(most, slices.Max(s.X))
	}
	chart.X.Max = most * 1.04
	chart.description += fmt.Sprintf(" the most important of %d features is %s", len(list), chart.Y.Names[0])
	return chart, nil
}

// swarmDots is the maximum number of dots per feature.
const swarmDots = 300

// figureSHAP draws the contributions of the top twenty features, by their mean absolute value. Each
// dot is a document, colored by the value of the feature.
func figureSHAP(m *lambdamart.Model, c *contributions) (*Chart, error) {
	importance := c.importance()
	if err := checkRange(0, sum(importance)); err != nil {
		return nil, errs.Errorf("report", "SHAP: %w", err)
	}
	list := order(importance)
	if len(list) == 0 {
		return nil, errs.New("report", "SHAP: no feature contributes to the scores")
	}
	list = list[:min(len(list), shown)]
	chart := &Chart{Title: "SHAP values", Y: Axis{Label: "feature"}, X: Axis{Label: "contribution to the score"},
		scale: "feature value",
		data: &table{columns: []string{"feature", "mean |SHAP|", "minimum", "first quartile", "median",
			"third quartile", "maximum"}},
		description: fmt.Sprintf("contributions of %d features to the scores of %d documents", len(list),
			c.data.Rows())}
	s := Series{Mark: markDots, Size: 3.4}
	lo, hi := 0.0, 0.0
	columns := make([][]float64, len(list))
	for y, j := range list {
		for i := range c.data.Rows() {
			columns[y] = append(columns[y], c.values[i*(c.features+1)+j])
		}
		lo, hi = min(lo, slices.Min(columns[y])), max(hi, slices.Max(columns[y]))
	}
	if err := checkRange(lo, hi); err != nil {
		return nil, errs.Errorf("report", "SHAP: %w", err)
	}
	values := make([][]float64, len(list))
	var row []float32
	for i := range c.data.Rows() {
		row = c.data.AppendRow(row[:0], i)
		for y, j := range list {
			v := 0.0
			if j < len(row) {
				v = float64(row[j])
			}
			values[y] = append(values[y], v)
		}
	}
	for y, j := range list {
		name := featureName(m.FeatureNames, j)
		chart.Y.Names = append(chart.Y.Names, name)
		shades := ranks(values[y])
		drawn := min(c.data.Rows(), swarmDots)
		var at []float64
		for k := range drawn {
			i := k * c.data.Rows() / drawn
			at = append(at, columns[y][i])
			s.Shade = append(s.Shade, shades[i])
		}
		s.X = append(s.X, at...)
		for _, off := range swarm(at, lo, hi) {
			s.Y = append(s.Y, float64(y)+off)
		}
		q := slices.Clone(columns[y])
		slices.Sort(q)
		n := len(q)
		chart.data.rows = append(chart.data.rows, []string{name, number(importance[j]), number(q[0]),
			number(q[(n-1)/4]),
			number(q[(n-1)/2]), number(q[3*(n-1)/4]), number(q[n-1])})
	}
	chart.Series = []Series{s}
	chart.Rules = []Rule{{At: 0}}
	chart.description += ", largest for " + chart.Y.Names[0]
	return chart, nil
}

// ranks returns the rank of each value among the others, from 0 to 1. Ties share the mean rank, and
// NaN has rank NaN.
func ranks(values []float64) []float64 {
	byValue := make([]int, 0, len(values))
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = math.NaN(); !math.IsNaN(v) {
			byValue = append(byValue, i)
		}
	}
	slices.SortStableFunc(byValue, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for lo := 0; lo < len(byValue); {
		hi := lo
		for hi < len(byValue) && values[byValue[hi]] == values[byValue[lo]] {
			hi++
		}
		for _, i := range byValue[lo:hi] {
			out[i] = float64(lo+hi-1) / float64(2*max(len(byValue)-1, 1))
			if len(byValue) == 1 {
				out[i] = 0.5
			}
		}
		lo = hi
	}
	return out
}

// swarm returns the offset of each value from the middle of its row, so that few dots overlap.
// Values in the same 150th of the range are placed side by side, and closer together if there are
// many.
func swarm(values []float64, lo, hi float64) []float64 {
	const parts, widest, usual = 150, 0.42, 0.11
	var counts, seen [parts]int
	for _, v := range values {
		counts[partOf(v, lo, hi, parts)]++
	}
	off := make([]float64, len(values))
	for i, v := range values {
		p := partOf(v, lo, hi, parts)
		step := min(usual, 2*widest/float64(counts[p]))
		k := (seen[p] + 1) / 2
		if seen[p]%2 == 1 {
			k = -k
		}
		off[i] = float64(float64(k) * step)
		seen[p]++
	}
	return off
}

// Sizes of the samples of a partial dependence.
const (
	partialRows   = 300
	partialPoints = 20
)

// figurePartial draws the mean score of documents as a function of feature j of a model, counting
// from 0, while all other features stay the same (Friedman 2001). It uses up to 300 evenly spaced
// documents, and the quantiles of the feature or its most frequent texts. name is the name of the
// feature.
func figurePartial(ctx context.Context, m rank.Model, d *rank.Dataset, j int, name string) (*Chart, error) {
	if j < 0 || j >= m.Features() {
		return nil, errs.Errorf("report", "partial dependence: feature %d is out of range; it must be from 0 to %d", j, m.Features()-1)
	}
	all := slices.DeleteFunc(column(d, j), func(v float64) bool { return !finite(v) })
	slices.Sort(all)
	values := slices.Compact(slices.Clone(all))
	if len(values) < 2 {
		return nil, errs.Errorf("report", "partial dependence of %s: the feature has fewer than two distinct finite values in the data", name)
	}
	grid, texts := values, textsOf(m, j)
	switch {
	case texts != nil:
		if grid = mostFrequent(all, len(texts), partialPoints); len(grid) == 0 {
			return nil, errs.Errorf("report", "partial dependence of %s: the model contains none of the categories of the data", name)
		}
	case len(values) > partialPoints:
		grid = nil
		for k := range partialPoints {
			grid = append(grid, all[k*(len(all)-1)/(partialPoints-1)])
		}
		grid = slices.Compact(grid)
		if len(grid) < 2 { // nearly all values are equal
			grid = []float64{values[0], values[len(values)-1]}
		}
	}
	score := m.Score
	if trees, ok := m.(*lambdamart.Model); ok {
		scorer, err := trees.Scorer()
		if err != nil {
			return nil, err
		}
		score = scorer.Score
	}
	sums := make([]float64, len(grid))
	rows := min(d.Rows(), partialRows)
	row := make([]float32, 0, max(d.Cols, j+1))
	for k := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row = d.AppendRow(row[:0], int(int64(k)*int64(d.Rows())/int64(rows)))
		for len(row) <= j {
			row = append(row, 0)
		}
		for g, v := range grid {
			row[j] = float32(v)
			sums[g] += score(row)
		}
	}
	for g := range sums {
		sums[g] /= float64(rows)
	}
	if err := checkRange(slices.Min(sums), slices.Max(sums)); err != nil {
		return nil, errs.Errorf("report", "partial dependence of %s: %w", name, err)
	}
	c := &Chart{Title: name, width: 300, Height: 200, X: Axis{Label: name}, Y: Axis{Label: "mean score"},
		Series: []Series{{X: grid, Y: sums, Color: 1}},
		description: fmt.Sprintf("mean score over %s, from %s to %s", name, number(slices.Min(sums)),
			number(slices.Max(sums)))}
	if texts != nil {
		c.X, c.Y = c.Y, c.X
		s := Series{Mark: markDots, Size: 7, X: sums, Color: 1}
		for y, code := range grid {
			c.Y.Names, s.Y = append(c.Y.Names, texts[int(code)]), append(s.Y, float64(y))
		}
		c.Series = []Series{s}
	}
	return c, nil
}

// textsOf returns the text categories of feature j of a model, or nil if it has none.
func textsOf(m rank.Model, j int) []string {
	if trees, ok := m.(*lambdamart.Model); ok {
		return text.CategoriesOf(trees.Categories, j)
	}
	return nil
}

// mostFrequent returns the most frequent codes below codes, at most most of them. values contains
// codes in ascending order.
func mostFrequent(values []float64, codes, most int) []float64 {
	count := map[float64]int{}
	for _, v := range values {
		count[v]++
	}
	list := slices.Compact(slices.Clone(values))
	list = slices.DeleteFunc(list, func(v float64) bool { return v < 0 || v >= float64(codes) || v != math.Trunc(v) })
	slices.SortStableFunc(list, func(a, b float64) int { return count[b] - count[a] })
	return list[:min(len(list), most)]
}

// column returns the values of a feature, or zeros if d does not have it.
func column(d *rank.Dataset, j int) []float64 {
	values := make([]float64, d.Rows())
	if j >= d.Cols {
		return values
	}
	for i := range values {
		if d.Sparse == nil {
			values[i] = float64(d.Row(i)[j])
			continue
		}
		columns, of := d.Sparse.Row(i)
		if k, listed := slices.BinarySearch(columns, int32(j)); listed {
			values[i] = float64(of[k])
		}
	}
	return values
}

// listed calls do with the nonzero features of row i.
func listed(d *rank.Dataset, i int, do func(j int, v float32)) {
	if d.Sparse != nil {
		columns, values := d.Sparse.Row(i)
		for k, j := range columns {
			if values[k] != 0 {
				do(int(j), values[k])
			}
		}
		return
	}
	for j, v := range d.Row(i) {
		if v != 0 {
			do(j, v)
		}
	}
}

// Spreads returns the population standard deviation of each feature.
func Spreads(d *rank.Dataset) []float64 {
	n := float64(d.Rows())
	means, squares := make([]float64, d.Cols), make([]float64, d.Cols)
	zeros := slices.Repeat([]float64{n}, d.Cols)
	for i := range d.Rows() {
		listed(d, i, func(j int, v float32) { means[j] += float64(v) })
	}
	for j := range means {
		means[j] /= n
	}
	for i := range d.Rows() {
		listed(d, i, func(j int, v float32) {
			c := float64(v) - means[j]
			squares[j] += float64(c * c)
			zeros[j]--
		})
	}
	for j, s := range squares {
		squares[j] = math.Sqrt((s + float64(zeros[j]*float64(means[j]*means[j]))) / n)
	}
	return squares
}

// figureWeights draws the twenty most influential features of a linear model: the weight times the
// standard deviation of the feature in the data.
func figureWeights(m *rank.Linear, d *rank.Dataset) (*Chart, error) {
	if d.Rows() == 0 {
		return nil, errs.New("report", "weights: the data contains no documents")
	}
	m, d, err := usedByRows(m, d)
	if err != nil {
		return nil, err
	}
	sd := Spreads(d)
	effects, sizes := make([]float64, len(sd)), make([]float64, len(sd))
	for j := range sd {
		if j < len(m.Weights) {
			effects[j] = float64(m.Weights[j] * sd[j])
			sizes[j] = math.Abs(effects[j])
		}
		name := featureName(m.FeatureNames, j)
		if !finite(sd[j]) {
			return nil, errs.Errorf("report", "weights: values of feature %s must be finite", name)
		}
		if err := checkRange(effects[j], effects[j]); err != nil {
			return nil, errs.Errorf("report", "weights: feature %s: %w", name, err)
		}
	}
	list := order(sizes)
	if len(list) == 0 {
		return nil, errs.New("report", "weights: no feature affects the scores: all weights are 0 or all features are constant")
	}
	few := list[:min(len(list), shown)]
	c := &Chart{Title: "Weights", Y: Axis{Label: "feature"},
		X:    Axis{Label: "score change per standard deviation"},
		data: &table{columns: []string{"feature", "weight", "standard deviation", "weight × standard deviation"}}}
	s := Series{Mark: markBars}
	for y, j := range few {
		c.Y.Names = append(c.Y.Names, featureName(m.FeatureNames, j))
		s.X, s.Y = append(s.X, effects[j]), append(s.Y, float64(y))
	}
	c.Series = []Series{s}
	rows := list[:min(len(list), tableRows)]
	if len(list) > len(rows) {
		c.data.note = fmt.Sprintf("top %d of %d features", len(rows), len(list))
	}
	for _, j := range rows {
		c.data.rows = append(c.data.rows, []string{featureName(m.FeatureNames, j), number(m.Weights[j]),
			number(sd[j]), number(effects[j])})
	}
	c.description = fmt.Sprintf("weight times standard deviation of %d features, largest for %s", len(few), c.Y.Names[0])
	return c, nil
}

// figurePositions draws the position-bias factors that a tree model has learned: the additive bias,
// or t⁺ and t⁻.
func figurePositions(m *lambdamart.Model) (*Chart, error) {
	f := m.PositionFactors
	if f == nil || len(f.Position) == 0 {
		return nil, errs.New("report", "positions: the model was trained without a position bias")
	}
	c := &Chart{Title: "Positions", X: Axis{Label: "position"}, Y: Axis{Label: "factor"}}
	at := make([]float64, len(f.Position))
	for i, p := range f.Position {
		at[i] = float64(p)
	}
	for _, s := range []Series{
		{Name: "bias added to scores", Y: f.Bias}, {Name: "t⁺ (clicked)", Y: f.Plus},
		{Name: "t⁻ (not clicked)", Y: f.Minus},
	} {
		if len(s.Y) == len(at) {
			s.X = at
			c.Series = append(c.Series, s)
		}
	}
	if len(c.Series) == 0 {
		return nil, errs.New("report", "positions: the model has no position-bias factors")
	}
	first, last := c.Series[0].Y[0], c.Series[0].Y[len(at)-1]
	c.description = fmt.Sprintf("factors of %d positions: %s from %s to %s", len(at), c.Series[0].Name, number(first),
		number(last))
	return c, nil
}
