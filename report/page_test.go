package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// small returns data of 30 queries with names, of which a column is constant and one a copy.
func small() *rank.Dataset {
	d := synth.Config{Seed: 1, Rows: 400, Cols: 8, MaxDocs: 20}.Dataset()
	for i := range d.Rows() {
		row := d.Row(i)
		row[5], row[6] = 3, row[2]
	}
	for j := range d.Cols {
		d.Names = append(d.Names, fmt.Sprintf("feature %d", j))
	}
	return d
}

// trees trains a small model.
func trees(t testing.TB, d *rank.Dataset) *lambdamart.Model {
	t.Helper()
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves = 5, 6
	r, err := trainer.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return r.Model
}

func system(t testing.TB, name string, m rank.Model, d *rank.Dataset) System {
	t.Helper()
	s := System{Name: name, Model: m, Scores: make([]float64, d.Rows())}
	if err := m.ScoreInto(context.Background(), s.Scores, d); err != nil {
		t.Fatal(err)
	}
	return s
}

// smallPage is a page about two models that uses all features of pages.
func smallPage(t testing.TB) *Page {
	t.Helper()
	d := small()
	linear := &rank.Linear{Weights: []float64{1, -0.5, 2, 0, 0.25, 1, 1, 0}}
	m := trees(t, d)
	first, second := system(t, "linear", linear, d), system(t, "trees", m, d)
	e := testkit.Must(rank.NewEvaluator("ndcg@10", rank.Options{}))
	curves, err := CurveOf(t.Context(), m, e, []Set{{"test", d}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first.Path = &Chart{X: Axis{Label: "C", Log: true}, Y: Axis{Label: "ndcg@10"}, Rules: []Rule{{At: 1}},
		Series: []Series{{X: []float64{0.1, 1, 10}, Y: []float64{0.5, 0.6, math.NaN()}}}}
	second.Curve = curves
	return &Page{Note: "A note.", Data: Set{"test.txt", d}, Train: Set{"train.txt", d}, Systems: []System{first,
		second},
		Facts: [][2]string{{"command", "simdrank report"}, {"kernels", "any"}}}
}

func pageHTML(t testing.TB, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestProgress(t *testing.T) {
	p := smallPage(t)
	m := p.Systems[1].Model.(*lambdamart.Model)
	for _, c := range []struct {
		name string
		do   func(progress func(done, total int64)) error
	}{
		{"page", func(progress func(done, total int64)) error {
			p.Progress = progress
			return p.Write(t.Context(), io.Discard)
		}},
		{"queries", func(progress func(done, total int64)) error {
			p.Progress = progress
			_, err := p.Figure(t.Context(), "queries")
			return err
		}},
		{"ndcg-at-k", func(progress func(done, total int64)) error {
			p.Progress = progress
			_, err := p.Figure(t.Context(), "ndcg-at-k")
			return err
		}},
		{"curve", func(progress func(done, total int64)) error {
			sets := []Set{{"test", p.Data.Data}, {"train", p.Data.Data}}
			e := testkit.Must(rank.NewEvaluator("ndcg@10", rank.Options{}))
			_, err := CurveOf(t.Context(), m, e, sets, progress)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := testkit.NewProgress(t)
			if err := c.do(calls.Report); err != nil {
				t.Error(err)
			}
			calls.Check(2)
		})
	}
}

// The same page has the same bytes on every processor.
func TestPageBits(t *testing.T) {
	text := pageHTML(t, smallPage(t))
	if again := pageHTML(t, smallPage(t)); again != text {
		t.Error("the page is another one when it is written again")
	}
	compareGolden(t, "testdata/page.txt", fmt.Sprintf("%x\n", sha256.Sum256([]byte(text))))
}

func TestPageFigure(t *testing.T) {
	p := smallPage(t)
	p.Systems[0].Curve = p.Systems[1].Curve
	linear, trees := *p, *p
	trees.Systems = p.Systems[1:]
	alone := &Page{Systems: []System{{Model: p.Systems[1].Model}}}
	for _, c := range []struct {
		page *Page
		name string
		want string // of the title or the error
	}{
		{&linear, "curve", "Training"},
		{&linear, "path", "Choice of C"},
		{&linear, "importance", "Weights"},
		{&linear, "scores", "Scores by label"},
		{&linear, "queries", "trees vs. linear"},
		{&linear, "ndcg-at-k", "NDCG@k over k"},
		{&linear, "calibration", "Mean label by score"},
		{&linear, "reliability", "report: reliability: linear is not calibrated"},
		{&trees, "importance", "Feature importance"},
		{&trees, "shap", "SHAP values"},
		{&trees, "queries", "Queries, trees"},
		{alone, "importance", "Feature importance"},
		{alone, "positions", "report: positions: the model was trained without"},
		{alone, "shap", `report: cannot draw the figure "shap": the name is unknown, or the page does not contain its data`},
		{alone, "scores", `report: cannot draw the figure "scores": the name is unknown, or the page does not contain its data`},
		{&trees, "path", `report: cannot draw the figure "path": the name is unknown, or the page does not contain its data`},
		{&linear, "shap", `report: cannot draw the figure "shap": the name is unknown, or the page does not contain its data`},
		{&linear, "none", `report: cannot draw the figure "none": the name is unknown, or the page does not contain its data`},
		{&Page{Data: p.Data}, "scores", "report: a figure requires a system"},
	} {
		t.Run(c.name+" "+c.want, func(t *testing.T) {
			f, err := c.page.Figure(t.Context(), c.name)
			got := ""
			if err != nil {
				got = err.Error()
			} else if got = f.Title; f.WriteSVG(io.Discard) != nil {
				t.Errorf("%s cannot be written", c.name)
			}
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// allowed are the HTML elements of a page. None of them loads or runs anything.
var allowed = strings.Fields("html head meta title style body header h1 h2 h3 h4 nav ul li a main section p div table thead tbody " +
	"tr th td dl dt dd figure figcaption svg desc path text details summary")

// checkPage checks that a page is well-formed and self-contained. It returns its words.
func checkPage(t *testing.T, text string) (all []string) {
	t.Helper()
	ids, links, figures, tables := map[string]bool{}, []string{}, 0, 0
	elements(t, text, func(e xml.StartElement, words string) {
		if words != "" {
			all = append(all, words)
			return
		}
		name := e.Name.Local
		if !slices.Contains(allowed, name) {
			t.Errorf("an element %s", name)
		}
		for _, a := range e.Attr {
			switch n := a.Name.Local; {
			case n == "href" && strings.HasPrefix(a.Value, "#"):
				links = append(links, a.Value[1:])
			case strings.HasPrefix(n, "on"), n == "src", n == "href":
				t.Errorf("%s has %s=%q", name, n, a.Value)
			case n == "id":
				if ids[a.Value] {
					t.Errorf("two elements have the id %s", a.Value)
				}
				ids[a.Value] = true
			case n == "aria-labelledby":
				links = append(links, strings.Fields(a.Value)...)
			}
		}
		switch name {
		case "svg":
			figures++
			if attribute(e, "role") != "img" {
				t.Error("a figure without role")
			}
		case "details":
			tables++
		}
	})
	for _, id := range links {
		if !ids[id] {
			t.Errorf("a link to %s, which is not there", id)
		}
	}
	if figures == 0 || figures != tables {
		t.Errorf("%d figures with %d tables of data", figures, tables)
	}
	return all
}

func TestPage(t *testing.T) {
	words := strings.Join(checkPage(t, pageHTML(t, smallPage(t))), "\n")
	for _, want := range []string{"linear, trees on test.txt", "A note.", "Comparison with linear", "NDCG@k over k",
		"Pair accuracy by label difference", "Mean label by score", "Training, trees", "Choice of C, linear",
		"trees vs. linear", "Best queries", "Worst queries", "Scores by label, trees", "Weights", "SHAP values",
		"feature 6 = feature 2", "feature 5", "Documents per query", "simdrank report",
		"Holm"} {
		if !strings.Contains(words, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(words, "No figure") {
		t.Error("a figure is left out")
	}
}

// Names are always escaped as text.
func TestNames(t *testing.T) {
	checkLongNames(t, "<script>alert(1)</script>")
}

// named is a page that is written in milliseconds, because its names are changed thousands of
// times.
var named = sync.OnceValue(func() Page {
	d := synth.Config{Seed: 1, Rows: 60, Cols: 3, MaxDocs: 20}.Dataset()
	d.Names = []string{"a", "b", "c"}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves, trainer.MinRows = 1, 3, 5
	r, err := trainer.Fit(context.Background(), d)
	if err != nil {
		panic(err)
	}
	decides, err := rank.NewEvaluator("ndcg@10", rank.Options{})
	if err != nil {
		panic(err)
	}
	p := Page{Data: Set{"test", d}, Train: Set{"train", d}, Evaluator: decides}
	for _, m := range []rank.Model{&rank.Linear{Weights: []float64{1, 2, 3}}, r.Model} {
		s := System{Model: m, Scores: make([]float64, d.Rows())}
		if err := m.ScoreInto(context.Background(), s.Scores, d); err != nil {
			panic(err)
		}
		p.Systems = append(p.Systems, s)
	}
	return p
})

func checkLongNames(t *testing.T, name string) {
	t.Helper()
	p := named()
	d := *p.Data.Data
	d.Names, d.QueryIDs, p.Systems = []string{name + "1", name + "2",
		name}, slices.Clone(d.QueryIDs), slices.Clone(p.Systems)
	p.Data.Data, p.Train.Data = &d, &d
	p.Data.Name, p.Train.Name, p.Title, p.Note = name, name, name, name
	p.Facts = append(p.Facts, [2]string{name, name})
	d.QueryIDs[1] = name
	for i := range p.Systems {
		p.Systems[i].Name = name
	}
	p.Systems[1].Curve = &Chart{X: Axis{Label: name}, Y: Axis{Label: name}, Rules: []Rule{{At: 1, Name: name}},
		Series: []Series{{Name: name, X: []float64{1, 2}, Y: []float64{1, 2}}}}
	m := *p.Systems[1].Model.(*lambdamart.Model)
	m.FeatureNames = d.Names
	p.Systems[1].Model = &m
	words := checkPage(t, pageHTML(t, &p))
	if want := clean(name); strings.TrimSpace(want) != "" && !slices.Contains(words, want) {
		t.Errorf("no text of the page is %q", want)
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "a&b;",
		"\x00\u202e", "]]>",
		"</title></style>", "' onload='x", strings.Repeat("名", 100), "{{.}}", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 1000 || !utf8.ValidString(name) { // which Validate rejects
			t.Skip()
		}
		checkLongNames(t, name)
	})
}

// If there is nothing to draw, the page says so and there is no error.
func TestPageDegenerate(t *testing.T) {
	d := small()
	one, err := d.SubsetQueries([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	constant := rank.NewDataset(10, 2)
	constant.Offsets, constant.QueryIDs = []int{0, 10}, []string{"q"}
	many := small()
	for i := range many.Labels {
		many.Labels[i] = float64(i % 40 / 2)
	}
	single := small()
	single.Offsets, single.QueryIDs = nil, nil
	for i := range single.Rows() + 1 {
		single.Offsets = append(single.Offsets, i)
	}
	for i := range single.Rows() {
		single.QueryIDs = append(single.QueryIDs, fmt.Sprint(i))
	}
	for name, c := range map[string]struct {
		data *rank.Dataset
		want string
	}{
		"one query":       {one, "No figure: queries: the number of queries with a value of"},
		"constant":        {constant, "No figure: all scores are equal: 0"},
		"many labels":     {many, "No figure: the data has 20 distinct labels"},
		"single document": {single, "No figure: NDCG over k: no query has two or more documents"},
	} {
		t.Run(name, func(t *testing.T) {
			linear := &rank.Linear{Weights: make([]float64, c.data.Cols)}
			if name != "constant" {
				linear.Weights[0] = 1
			}
			page := &Page{Data: Set{Data: c.data}, Systems: []System{system(t, "a", linear, c.data), system(t, "b",
				linear, c.data)}}
			if words := strings.Join(checkPage(t, pageHTML(t, page)), "\n"); !strings.Contains(words, c.want) {
				t.Errorf("the page lacks %q: %s", c.want, words)
			}
		})
	}
}

// SHAP values of many documents are sampled. Trees without counts have none.
func TestPageSHAP(t *testing.T) {
	d := synth.Config{Seed: 2, Rows: 1200, Cols: 3, MaxDocs: 20}.Dataset()
	m := trees(t, d)
	unknown := *m
	unknown.Trees = slices.Clone(m.Trees)
	for i := range unknown.Trees {
		tree := &unknown.Trees[i]
		tree.Count, tree.LeafCount, tree.Weight, tree.LeafWeight = nil, nil, nil, nil
	}
	for _, c := range []struct {
		name, want string
		m          *lambdamart.Model
		figure     bool
	}{
		{"sampled", "SHAP values are computed for 1000 of the 1200 documents, which are evenly spaced.", m, true},
		{"without counts", "No SHAP values: ", &unknown, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := &Page{Data: Set{Data: d}, Systems: []System{system(t, "a", c.m, d)}}
			words := strings.Join(checkPage(t, pageHTML(t, page)), "\n")
			if !strings.Contains(words, c.want) {
				t.Errorf("the page lacks %q: %s", c.want, words)
			}
			if got := strings.Contains(words, "mean |SHAP|"); got != c.figure {
				t.Errorf("a figure of SHAP values: %t", got)
			}
		})
	}
}

func TestPageErrors(t *testing.T) {
	d := small()
	good := System{Name: "a", Scores: make([]float64, d.Rows())}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		page Page
		want string
	}{
		{t.Context(), Page{}, "requires Data and at least one system"},
		{t.Context(), Page{Data: Set{Data: d}}, "requires Data and at least one system"},
		{t.Context(), Page{Data: Set{Data: d}, Systems: []System{{Name: "a"}}}, "the number of scores is 0"},
		{t.Context(), Page{Data: Set{Data: &rank.Dataset{Labels: []float64{1}}}, Systems: []System{good}}, "rank: "},
		{cancelled, Page{Data: Set{Data: d}, Systems: []System{good}}, context.Canceled.Error()},
	} {
		t.Run(c.want, func(t *testing.T) {
			err := c.page.Write(c.ctx, io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	full := errors.New("the disk is full")
	if err := smallPage(t).Write(t.Context(), failing{full}); !errors.Is(err, full) {
		t.Errorf("%v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Figures by hand.
func TestFigures(t *testing.T) {
	d := rank.NewDataset(6, 1)
	copy(d.Labels, []float64{0, 1, 2, 0, 1, 1})
	d.Offsets, d.QueryIDs = []int{0, 3, 6}, []string{"a", "b"}
	scores := []float64{1, 3, 2, 5, 5, 6}
	// For a difference of 1, the pair (0,1) is correct and (1,2) wrong, and in b, (0,1) is a tie
	// and correct. For 2, the pair is correct.
	c, err := figurePairs(d, []System{{Name: "s", Scores: scores}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Series[0].Y; !slices.Equal(got, []float64{62.5, 100}) {
		t.Errorf("pairs in the right order: %v", got)
	}
	labels := []float64{0, 0, 0, 0, 1, 0, 1, 1, 1, 1}
	up := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if c, err = figureCalibration(labels, []System{{Name: "s", Scores: up}}); err != nil {
		t.Fatal(err)
	}
	if s := c.Series[0]; !slices.Equal(s.X, []float64{25, 75}) || !slices.Equal(s.Y, []float64{0.2, 0.8}) {
		t.Errorf("calibration: %+v", s)
	}
	if c, err = figureScores(labels, up); err != nil {
		t.Fatal(err)
	}
	for i, s := range c.Series {
		sum := 0.0
		for _, y := range s.Y {
			sum += y
		}
		if math.Abs(sum-100) > 1e-9 {
			t.Errorf("the shares of label %d sum to %v", i, sum)
		}
	}
	results := func(values ...float64) *rank.Results {
		r := &rank.Results{QueryIDs: []string{"a", "b", "c", "d"}}
		r.Metrics = []rank.MetricResult{{Metric: metricOf("ndcg@10"), Values: values}}
		return r
	}
	c, err = figureQueries(compare.System{Name: "x", Results: results(0, 0.5, math.NaN(), 1)},
		compare.System{Name: "y", Results: results(1, 0.5, 1, 0.5)})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.data.rows); got != "[[a 0 1 1] [b 0.5 0.5 0] [d 1 0.5 −0.5]]" || len(c.Series) != 3 {
		t.Errorf("queries: %s in %d series", got, len(c.Series))
	}
	if got := ranks([]float64{5, 1, math.NaN(), 5}); got[0] != 0.75 || got[1] != 0 || !math.IsNaN(got[2]) ||
		got[3] != 0.75 {
		t.Errorf("ranks: %v", got)
	}
	sparse := small().ToSparse()
	for j, v := range Spreads(sparse) {
		sum, squares, n := 0.0, 0.0, float64(sparse.Rows())
		for _, x := range column(sparse, j) {
			sum, squares = sum+x, squares+float64(x*x)
		}
		if want := math.Sqrt(max(squares/n-float64(sum/n*sum/n), 0)); math.Abs(v-want) > 1e-6 {
			t.Errorf("standard deviation of feature %d: %v, want %v", j, v, want)
		}
	}
	if a, b := fmt.Sprint(duplicateColumns(sparse)), fmt.Sprint(duplicateColumns(small())); a != "[[2 6]]" || b != a {
		t.Errorf("duplicates: %s sparse, %s dense", a, b)
	}
}

func TestFigureErrors(t *testing.T) {
	ctx := t.Context()
	d := small()
	m := trees(t, d)
	zero := make([]float64, d.Rows())
	none := &rank.Dataset{Offsets: []int{0}}
	leaf := &lambdamart.Model{NumFeatures: 2, Trees: []lambdamart.Tree{{Leaf: []float64{1}}}}
	for name, figure := range map[string]func() (*Chart, error){
		"report: all scores":                     func() (*Chart, error) { return figureScores(d.Labels, zero) },
		"report: the number of scores is 1":      func() (*Chart, error) { return figureScores(d.Labels, zero[:1]) },
		"report: the data contains no documents": func() (*Chart, error) { return figureScores(nil, nil) },
		"report: labels: values must": func() (*Chart, error) {
			return figureScores([]float64{math.NaN()},
				[]float64{1})
		},
		"report: the score of": func() (*Chart, error) {
			return figureScores([]float64{1},
				[]float64{math.Inf(1)})
		},
		"report: calibration: all": func() (*Chart, error) {
			return figureCalibration(d.Labels,
				[]System{{Scores: zero}})
		},
		"report: calibration: the number": func() (*Chart, error) { return figureCalibration(zero[:3], nil) },
		"report: queries: the number":     func() (*Chart, error) { return figureQueries() },
		"report: queries: x has no per-query": func() (*Chart, error) {
			return figureQueries(compare.System{Name: "x"})
		},
		"report: NDCG over k": func() (*Chart, error) {
			return figureNDCG(ctx, none, nil, rank.Options{}, nil)
		},
		"report: query sizes":            func() (*Chart, error) { return figureSizes(none) },
		"report: importance: the tree":   func() (*Chart, error) { return figureImportance(leaf, nil) },
		"report: positions: the model w": func() (*Chart, error) { return figurePositions(leaf) },
		"report: positions: the model h": func() (*Chart, error) {
			of := lambdamart.PositionFactors{Position: []int32{1, 2}, Bias: []float64{0}}
			return figurePositions(&lambdamart.Model{PositionFactors: &of})
		},
		"report: importance: the contributions": func() (*Chart, error) {
			return figureImportance(leaf, &contributions{features: 8})
		},
		"report: partial dependence: feature 9":  func() (*Chart, error) { return figurePartial(ctx, m, d, 9, "x") },
		"report: partial dependence of x: the f": func() (*Chart, error) { return figurePartial(ctx, m, d, 5, "x") },
		"report: weights: no feature": func() (*Chart,
			error) {
			return figureWeights(&rank.Linear{Weights: make([]float64, 8)}, d)
		},
		"report: weights: the data contains no doc": func() (*Chart, error) {
			return figureWeights(&rank.Linear{},
				none)
		},
		"report: curve x": func() (*Chart, error) {
			return figureCurves(&Chart{Series: []Series{{Name: "x", X: zero[:1]}}})
		},
		"report: contributions: the data contains no doc": func() (*Chart, error) {
			_, err := sampleContributions(ctx, m, none, nil)
			return nil, err
		},
		"report: a model without": func() (*Chart, error) {
			e := testkit.Must(rank.NewEvaluator("map", rank.Options{}))
			_, err := CurveOf(ctx, &lambdamart.Model{}, e, nil, nil)
			return nil, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := figure(); err == nil || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%v, want %s…", err, name)
			}
		})
	}
}

// metricOf returns the metric of a name.
func metricOf(name string) (m rank.Metric) {
	if err := m.UnmarshalText([]byte(name)); err != nil {
		panic(err)
	}
	return m
}

// Partial dependence shows the texts of a feature, the most frequent first.
func TestPartialTexts(t *testing.T) {
	m := &lambdamart.Model{NumFeatures: 1, Categories: [][]string{{"red", "blue", "green"}},
		Trees: []lambdamart.Tree{{Feature: []int32{0}, Threshold: []float32{0}, Left: []int32{-1}, Right: []int32{-2},
			Categories: [][]uint32{{1 << 1}}, Leaf: []float64{5, 2}}}}
	d := rank.NewDataset(7, 1)
	for i, code := range []float32{2, 1, 1, 3, float32(math.NaN()), 2, 1} { // 3 is an unseen text
		d.Row(i)[0] = code
	}
	c, err := figurePartial(t.Context(), m, d, 0, "color")
	if err != nil {
		t.Fatal(err)
	}
	if s := c.Series[0]; !slices.Equal(c.Y.Names, []string{"blue", "green"}) || !slices.Equal(s.X, []float64{5, 2}) ||
		!slices.Equal(s.Y, []float64{0, 1}) || c.Y.Label != "color" || c.X.Label != "mean score" {
		t.Errorf("%+v", c)
	}
	for i := range d.Rows() {
		d.Row(i)[0] = float32(3 + i)
	}
	const want = "report: partial dependence of color: the model contains none of the categories of the data"
	if _, err := figurePartial(t.Context(), m, d, 0, "color"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
