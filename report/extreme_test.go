package report

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// extremes are values that figures must draw inside the picture or reject.
var extremes = []float64{0, 1, -1, 2.5, 1 + 0x1p-52, 1 - 0x1p-53, 1e-9, 1e16, 1e16 + 2, 1e17, 1e20, -1e20,
	math.MaxInt64, 1 << 62, 5e-324, -5e-324, 1e-320, 0x1p-1022,
	1e-300, 1.5e-300, 3e-300, 1e-299, 1e299, 1e300, -1e300, 1.1e300,
	8e307, -9e307, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

// A source returns values from fuzzer input. A byte selects an extreme value or starts a float64.
type source []byte

func (s *source) byte() (b byte) {
	if len(*s) > 0 {
		b, *s = (*s)[0], (*s)[1:]
	}
	return b
}

func (s *source) value() float64 {
	b := int(s.byte())
	if b < len(extremes) || len(*s) < 8 {
		return extremes[b%len(extremes)]
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(*s))
	*s = (*s)[8:]
	return v
}

func (s *source) values(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = s.value()
	}
	return all
}

// checkDrawn draws a valid figure. If it is not rejected, everything must be inside the picture,
// and the axes must have ticks.
func checkDrawn(t *testing.T, c *Chart) {
	t.Helper()
	s, err := c.draw(true)
	if err != nil {
		return
	}
	if len(s.items) > 5000 {
		t.Errorf("%d items", len(s.items))
	}
	for _, it := range s.items {
		for _, p := range it.points {
			if p.x < 0 || p.x > s.width*tenths || p.y < 0 || p.y > s.height*tenths {
				t.Errorf("kind %d, text %q lies at %v of %d×%d units: %+v", it.kind, it.text, p, s.width, s.height, c)
			}
		}
		if strings.Contains(it.text, "Inf") || strings.Contains(it.text, "NaN") {
			t.Errorf("a text is %q: %+v", it.text, c)
		}
	}
	for _, x := range []bool{true, false} {
		axis, err := c.axisOf(x)
		if err != nil {
			t.Fatal(err)
		}
		ticks := axis.ticks(4)
		if axis.names == nil && (len(ticks) < 2 || len(ticks) > 40) {
			t.Errorf("%d marks from %v to %v", len(ticks), axis.lo, axis.hi)
		}
	}
	c.table()
}

// chart returns a chart of values from s.
func (s *source) chart() *Chart {
	flags := s.byte()
	c := &Chart{Title: "t", X: Axis{Label: "x", Log: flags&1 != 0}, Y: Axis{Label: "y", Log: flags&2 != 0},
		Equal: flags&4 != 0}
	if flags&8 != 0 {
		c.X.Min, c.X.Max = s.value(), s.value()
	}
	if flags&16 != 0 {
		c.Y.Min, c.Y.Max = s.value(), s.value()
	}
	if flags&32 != 0 {
		c.Y.Names = []string{"a", "b", "c"}
	}
	if flags&64 != 0 {
		c.Rules = []Rule{{At: s.value(), Name: "r"}, {y: true, At: s.value(), Name: "s"}}
	}
	for range s.byte()%3 + 1 {
		kind := s.byte()
		n := int(s.byte()%4) + 1
		of := Series{Name: "s", Mark: []string{markLine, markDots, markBars}[kind%3], X: s.values(n), Y: s.values(n)}
		if kind&16 != 0 {
			of.Low, of.High = s.values(n), s.values(n)
		}
		if kind&32 != 0 {
			of.Shade, of.Size = []float64{s.value()}, s.value()
		}
		c.Series = append(c.Series, of)
	}
	return c
}

func FuzzChart(f *testing.F) {
	for i := range byte(64) {
		f.Add([]byte{i, 2, i % 3, 3, i, i + 1, i + 2, i + 3, i + 4, 1, i / 2, i / 3, 2, 1})
		f.Add([]byte{i * 4, 1, 16 | i, 3, i, 14, 15, 16, i / 2, 17, 18, 22, 23, i})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1000 {
			t.Skip()
		}
		s := source(data)
		c := s.chart()
		checkDrawn(t, c)
	})
}

// figures are all figures, of values from s.
func (s *source) figures(ctx context.Context) map[string]func() (*Chart, error) {
	const rows, cols = 12, 3
	d := rank.NewDataset(rows, cols)
	d.Offsets, d.QueryIDs = []int{0, 6, rows}, []string{"a", "b"}
	d.Labels = s.values(rows)
	for i := range d.Rows() {
		for j := range d.Row(i) {
			d.Row(i)[j] = float32(s.value())
		}
	}
	systems := []System{{Name: "a", Scores: s.values(rows)}, {Name: "b", Scores: s.values(rows)}}
	results := func() compare.System {
		return compare.System{Name: "a", Results: &rank.Results{QueryIDs: []string{"a", "b", "c"},
			Metrics: []rank.MetricResult{{Metric: metricOf("ndcg@10"), Values: s.values(3)}}}}
	}
	one, two := results(), results()
	m := &lambdamart.Model{NumFeatures: cols, PositionFactors: &lambdamart.PositionFactors{Position: []int32{1, 2, 3},
		Bias: s.values(3)}}
	m.Trees = []lambdamart.Tree{{Feature: []int32{0, 1}, Threshold: []float32{float32(s.value()), 2},
		Left: []int32{1, ^0}, Right: []int32{^2, ^1}, Leaf: s.values(3), Gain: s.values(2)}}
	explained := &contributions{values: s.values(4 * (cols + 1)), features: cols}
	explained.data, _ = d.SubsetRows([]int{0, 3, 6, 9})
	linear := &rank.Linear{Weights: s.values(cols)}
	curves := &Chart{X: Axis{Label: "x"}, Y: Axis{Label: "y", Log: s.byte()&1 != 0}, Rules: []Rule{{At: s.value()}},
		Series: []Series{{Name: "a", X: s.values(4), Y: s.values(4)},
			{Name: "b", X: s.values(1), Y: s.values(1)}}}
	path := &Chart{X: Axis{Label: "C", Log: true}, Y: Axis{Label: "m"},
		Series: []Series{{X: s.values(3), Y: s.values(3)}}}
	path.Rules = []Rule{{At: path.Series[0].X[1]}}
	description := &data.Description{}
	for i := range rows + 2 {
		description.Labels = append(description.Labels, data.LabelCount{Label: d.Labels[i%rows], Rows: 1 << i})
	}
	return map[string]func() (*Chart, error){
		"curve":       func() (*Chart, error) { return figureCurves(curves) },
		"path":        func() (*Chart, error) { return figurePath(path) },
		"ndcg":        func() (*Chart, error) { return figureNDCG(ctx, d, systems, rank.Options{}, nil) },
		"query":       func() (*Chart, error) { return figureQueries(one) },
		"queries":     func() (*Chart, error) { return figureQueries(one, two) },
		"scores":      func() (*Chart, error) { return figureScores(d.Labels, systems[0].Scores) },
		"pairs":       func() (*Chart, error) { return figurePairs(d, systems) },
		"calibration": func() (*Chart, error) { return figureCalibration(d.Labels, systems) },
		"labels":      func() (*Chart, error) { return figureLabels(description) },
		"sizes":       func() (*Chart, error) { return figureSizes(d) },
		"importance":  func() (*Chart, error) { return figureImportance(m, explained) },
		"gain":        func() (*Chart, error) { return figureImportance(m, nil) },
		"shap":        func() (*Chart, error) { return figureSHAP(m, explained) },
		"partial":     func() (*Chart, error) { return figurePartial(ctx, linear, d, 0, "f") },
		"trees":       func() (*Chart, error) { return figurePartial(ctx, m, d, 0, "f") },
		"weights":     func() (*Chart, error) { return figureWeights(linear, d) },
		"positions":   func() (*Chart, error) { return figurePositions(m) },
	}
}

func FuzzFigures(f *testing.F) {
	for i := range byte(len(extremes)) {
		f.Add([]byte{i})
		mixed := make([]byte, 200)
		for k := range mixed {
			mixed[k] = byte(k) * (i + 1) % (i + 2)
		}
		f.Add(mixed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			t.Skip()
		}
		s := source(data)
		for _, figure := range s.figures(t.Context()) {
			if c, err := figure(); err == nil {
				checkDrawn(t, c)
			}
		}
	})
}

// TestExtremes draws values that overflow a range, or nearly do.
func TestExtremes(t *testing.T) {
	const big = math.MaxFloat64
	labels := []float64{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	scores := func(last ...float64) []float64 {
		return append([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}[:10-len(last)], last...)
	}
	d := rank.NewDataset(2, 1)
	d.Row(1)[0] = 2
	d.Offsets, d.QueryIDs = []int{0, 2}, []string{"a"}
	trees := &lambdamart.Model{NumFeatures: 1, Trees: []lambdamart.Tree{{Feature: []int32{0}, Threshold: []float32{1},
		Left: []int32{^0}, Right: []int32{^1}, Leaf: []float64{8e307, -9e307}, LeafCount: []int64{10, 10},
		Gain: []float64{big}, Count: []int64{20}, Weight: []float64{1}, LeafWeight: []float64{1, 1}}}}
	explained := func(values ...float64) *contributions {
		return &contributions{values: values, data: d, features: 1}
	}
	whole, err := sampleContributions(t.Context(), trees, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(log bool, y ...float64) *Chart {
		return &Chart{X: Axis{Label: "x"}, Y: Axis{Label: "y", Log: log}, Series: []Series{{X: []float64{1, 2}, Y: y}}}
	}
	for _, c := range []struct {
		name  string
		chart func() (*Chart, error)
		want  string // an error, "" for none
	}{
		{"SHAP of leaves", func() (*Chart, error) {
			return figureSHAP(trees, whole)
		}, "SHAP: values must be from -1e300 to 1e300"},
		{"SHAP", func() (*Chart, error) {
			return figureSHAP(trees, explained(big, 0, -big, 0))
		}, "SHAP: values must be from -1e300 to 1e300"},
		{"SHAP NaN", func() (*Chart, error) {
			return figureSHAP(trees, explained(math.NaN(), 0, 1, 0))
		}, "SHAP: values must not be NaN"},
		{"SHAP inside", func() (*Chart, error) { return figureSHAP(trees, explained(-1e300, 0, 1e299, 0)) }, ""},
		{"SHAP denormal", func() (*Chart, error) {
			return figureSHAP(trees, explained(-5e-324, 0, 5e-324, 0))
		}, ""},
		{"SHAP equal", func() (*Chart, error) { return figureSHAP(trees, explained(2, 0, 2, 0)) }, ""},
		{"importance", func() (*Chart, error) {
			return figureImportance(trees, nil)
		}, "importance: gain: values must be from -1e300 to 1e300"},
		{"scores", func() (*Chart, error) {
			return figureScores(labels, scores(-big, big))
		}, "scores: values must be from -1e300 to 1e300"},
		{"equal scores", func() (*Chart, error) {
			return figureScores(labels[:2], []float64{big, big})
		}, "all scores are equal: 1.79"},
		{"scores inside", func() (*Chart, error) { return figureScores(labels, scores(-1e300, 1e300)) }, ""},
		{"calibration", func() (*Chart, error) {
			return figureCalibration(scores(big), []System{{Scores: scores()}})
		}, "values must be from -1e300 to 1e300"},
		{"labels", func() (*Chart, error) {
			return figureLabels(&data.Description{Labels: []data.LabelCount{{Label: math.Inf(1), Rows: 1}}})
		}, "labels: values must be from -1e300 to 1e300"},
		{"weights", func() (*Chart, error) {
			return figureWeights(&rank.Linear{Weights: []float64{big}}, d)
		}, "weights: feature 1: values must be from"},
		{"partial dependence", func() (*Chart, error) {
			return figurePartial(t.Context(), &rank.Linear{Weights: []float64{big}}, d, 0, "x")
		}, "partial dependence of x: values must be from"},
		{"curve", func() (*Chart, error) {
			return figureCurves(lines(false, -big, big))
		}, "axis y: values must be from -1e300 to 1e300"},
		{"log", func() (*Chart, error) { return figureCurves(lines(true, 1, big)) },
			"axis y: values must be from -1e300 to 1e300"},
		{"denormal log", func() (*Chart, error) {
			return figureCurves(lines(true, 1, 5e-324))
		}, "axis y: values must be at least 1e-300"},
		{"narrow log", func() (*Chart, error) { return figureCurves(lines(true, 1, 1+0x1p-52)) }, ""},
		{"narrow log below 1e-299", func() (*Chart, error) { return figureCurves(lines(true, 1e-300, 2e-300)) }, ""},
		{"narrow", func() (*Chart, error) { return figureCurves(lines(false, 1e-300, 2.1e-300)) }, ""},
		{"path", func() (*Chart, error) {
			return figurePath(&Chart{X: Axis{Label: "C", Log: true},
				Series: []Series{{X: []float64{5e-324, 1}, Y: []float64{1, 2}}}})
		}, "axis C: values must be at least 1e-300"},
	} {
		t.Run(c.name, func(t *testing.T) {
			chart, err := c.chart()
			if err == nil {
				err = chart.WriteSVG(io.Discard)
			}
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("%v, want %q", err, c.want)
			case err == nil:
				checkDrawn(t, chart)
			}
		})
	}
}

// Scores far outside of the middle 99% are counted in the outermost bins, even if they exceed an
// integer.
func TestScoreOutliers(t *testing.T) {
	labels, scores := make([]float64, 1000), make([]float64, 1000)
	for i := range scores {
		scores[i] = float64(i)
	}
	for _, far := range []float64{1e18, 1e20, 1e308} {
		t.Run(fmt.Sprint(far), func(t *testing.T) {
			scores[0], scores[999] = -far/2, far
			c, err := figureScores(labels, scores)
			if err != nil {
				t.Fatal(err)
			}
			y := c.Series[0].Y
			if low, high := y[0], y[scoreBins-1]; low < 3.5 || low > 4.2 || high < 3.5 || high > 4.2 {
				t.Errorf("%v %% in the first range and %v %% in the last one", low, high)
			}
		})
	}
}

// The length of bars on a logarithmic axis matches their values. Nothing is drawn beyond an axis
// with a set range.
func TestInsideAxis(t *testing.T) {
	c := &Chart{Y: Axis{Log: true},
		Series: []Series{{Mark: markBars, X: []float64{1, 2, 3}, Y: []float64{1, 100, 10_000}}}}
	s, err := c.draw(true)
	if err != nil {
		t.Fatal(err)
	}
	var tops []int
	for _, it := range s.items {
		if it.kind == area {
			tops = append(tops, it.points[0].y)
		}
	}
	if len(tops) != 3 || tops[0]-tops[1] < 300 || max(tops[0]-2*tops[1]+tops[2], 2*tops[1]-tops[0]-tops[2]) > 1 {
		t.Errorf("1, 100 and 10,000 reach up to %v", tops)
	}
	c = &Chart{X: Axis{Min: 0, Max: 1}, Y: Axis{Min: 0, Max: 1},
		Rules: []Rule{{At: 2, Name: "right"}, {y: true, At: -3}},
		Series: []Series{{X: []float64{7}, Y: []float64{7}},
			{Mark: markDots, X: []float64{0.5, 0.5, 9}, Y: []float64{0.5, 5, 0.5},
				Low: []float64{-1e9, 4, 0}, High: []float64{1e9, 6, 1}},
			{X: []float64{0.5, 1e30}, Y: []float64{0.5, 1e30}}, {Mark: markBars, X: []float64{-3}, Y: []float64{0.5}}}}
	checkDrawn(t, c)
	if s, err = c.draw(true); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, it := range s.items {
		if it.text == "right" || it.kind == area {
			t.Errorf("something beyond the axes is drawn: %+v", it)
		}
		if it.kind == polyline && it.color >= series0 {
			lines++
		}
	}
	if lines != 2 { // the interval of the first dot, and half of the diagonal
		t.Errorf("%d lines", lines)
	}
	c = &Chart{X: Axis{Log: true}, Series: []Series{{Mark: markBars, X: []float64{1, 10}, Y: []float64{1, 2}}}}
	if _, err := c.draw(true); err == nil || !strings.Contains(err.Error(), "bars are not supported on") {
		t.Error(err)
	}
}
