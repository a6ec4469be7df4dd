package compare

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// golden are values of scipy; bench/peers/metrics/golden.py makes them.
type golden struct {
	A, B           []float64
	T              float64
	TP             float64 `json:"t_p"`
	WilcoxonExactP float64 `json:"wilcoxon_exact_p"`
	WilcoxonTensP  float64 `json:"wilcoxon_tens_p"`
}

func loadGolden(t *testing.T) *golden {
	t.Helper()
	var g struct{ Significance golden }
	load(t, "metrics.json", &g)
	return &g.Significance
}

// load reads test data of package rank.
func load(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata", name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func near(a, b, tol float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || a == b || math.Abs(a-b) <= tol*math.Abs(b)
}

func named(metric string) rank.Metric {
	m, err := rank.ParseMetric(metric)
	if err != nil {
		panic(err)
	}
	return m
}

func TestSignificanceGolden(t *testing.T) {
	g := loadGolden(t)
	r, err := TTest(g.A, g.B)
	if err != nil || !near(r.Statistic, g.T, 1e-12) || !near(r.P, g.TP, 1e-12) {
		t.Errorf("t-test %+v, %v, want t %v, p %v", r, err, g.T, g.TP)
	}
	r, err = WilcoxonTest(g.A, g.B)
	if err != nil || r.N != len(g.A)-3 || !near(r.P, g.WilcoxonExactP, 1e-12) {
		t.Errorf("exact Wilcoxon %+v, %v, want p %v", r, err, g.WilcoxonExactP)
	}
	var a, b []float64
	for i := range g.A {
		a, b = append(a, math.RoundToEven(g.A[i]*10)), append(b, math.RoundToEven(g.B[i]*10))
	}
	r, err = WilcoxonTest(a, b)
	if err != nil || !near(r.P, g.WilcoxonTensP, 1e-12) {
		t.Errorf("Wilcoxon with ties %+v, %v, want p %v", r, err, g.WilcoxonTensP)
	}
	// The randomization test of many pairs approaches the t-test.
	r, err = RandomizationTest(g.A, g.B, 100_000, 1)
	if err != nil || math.Abs(r.P-g.TP) > 0.02 {
		t.Errorf("randomization %+v, %v, t-test p %v", r, err, g.TP)
	}
}

// Few pairs: all signs can be counted. Of the 2⁴ signs of 1, 2, 3, 4 the sums ±10 are as far out.
func TestRandomizationTest(t *testing.T) {
	a, b := []float64{2, 3, 4, 5, 7}, []float64{1, 1, 1, 1, 7}
	r, err := RandomizationTest(a, b, 400_000, 3)
	if err != nil || math.Abs(r.P-2./16) > 0.002 || r.Statistic != 2 {
		t.Errorf("%+v, %v, want p near 1/8", r, err)
	}
	again, _ := RandomizationTest(a, b, 400_000, 3)
	other, _ := RandomizationTest(a, b, 400_000, 4)
	if again != r || other == r {
		t.Errorf("seeds 3, 3 and 4: %v, %v, %v", r, again, other)
	}
	// Never 0: c = 0 of 9 rounds, unless a round hits one of 2 in 2⁶⁰.
	long := make([]float64, 60)
	ones := slices.Repeat([]float64{1}, 60)
	if r, _ := RandomizationTest(ones, long, 9, 1); r.P != 0.1 {
		t.Errorf("p = %v, want 1/10", r.P)
	}
	if r, _ := RandomizationTest(long, long, 9, 1); r.P != 1 {
		t.Errorf("no difference: p = %v, want 1", r.P)
	}
}

func TestBootstrapInterval(t *testing.T) {
	g := loadGolden(t)
	lo, hi, err := BootstrapInterval(g.A, g.B, 0.95, 20_000, 1)
	// Near the interval of the t distribution for a mean of 25 differences.
	d, _ := differences(g.A, g.B)
	se := mean(d) / g.T
	if err != nil || math.Abs(lo-(mean(d)-2*se)) > 0.3*se || math.Abs(hi-(mean(d)+2*se)) > 0.3*se {
		t.Errorf("[%v, %v], %v, mean %v, standard error %v", lo, hi, err, mean(d), se)
	}
	if lo, hi, err := BootstrapInterval([]float64{2, 3}, []float64{1, 2}, 0.5, 10, 1); lo != 1 || hi != 1 ||
		err != nil {
		t.Errorf("constant difference: [%v, %v], %v", lo, hi, err)
	}
}

func TestSignificanceEdges(t *testing.T) {
	if r, err := TTest([]float64{1, 2}, []float64{1, 2}); err != nil || r.P != 1 || r.Statistic != 0 {
		t.Errorf("no difference: %+v, %v", r, err)
	}
	if r, err := TTest([]float64{2, 3}, []float64{1, 2}); err != nil || r.P != 0 || !math.IsInf(r.Statistic, 1) {
		t.Errorf("the same difference: %+v, %v", r, err)
	}
	if r, err := WilcoxonTest([]float64{1, 2}, []float64{1, 2}); err != nil || r.P != 1 || r.N != 0 {
		t.Errorf("no difference: %+v, %v", r, err)
	}
	for _, c := range [][2][]float64{{{1}, {1}}, {{1, 2}, {1}}, {{1, math.NaN()}, {1, 2}}, {{1, math.Inf(1)}, {1, 2}}} {
		if _, err := TTest(c[0], c[1]); err == nil {
			t.Errorf("%v: no error", c)
		}
		if _, err := RandomizationTest(c[0], c[1], 10, 0); err == nil {
			t.Errorf("%v: no error", c)
		}
		if _, _, err := BootstrapInterval(c[0], c[1], .9, 10, 0); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		// the example of R's p.adjust page
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.6}, []float64{1, 1}},
		{[]float64{0.04, math.NaN(), 0.01}, []float64{0.04, math.NaN(), 0.02}},
		{nil, nil},
	} {
		got := Holm(c.p)
		for i := range c.want {
			if !near(got[i], c.want[i], 1e-15) {
				t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
				break
			}
		}
	}
}

// systems makes results of a baseline, of a better and of an equal ranker on 40 queries, one
// skipped.
func systems() []System {
	metric := named("map")
	ids := make([]string, 40)
	values := [3][]float64{}
	for q := range ids {
		ids[q] = string(rune('a'+q%26)) + string(rune('a'+q/26))
		v := 0.3 + 0.01*float64(q*7%11)
		if q == 5 {
			values[1] = append(values[1], math.NaN())
		} else {
			values[1] = append(values[1], v+0.05+0.01*float64(q%3))
		}
		values[0], values[2] = append(values[0], v), append(values[2], v+0.02*float64(q%2)-0.01)
	}
	var s []System
	for i, name := range []string{"base|line_1", "better & more", "equal"} {
		s = append(s, System{name, &rank.Results{QueryIDs: ids,
			Metrics: []rank.MetricResult{{Metric: metric, Values: values[i]}}}})
	}
	return s
}

func TestCompare(t *testing.T) {
	for _, test := range []Test{Randomization, StudentT, Wilcoxon} {
		c, err := Compare(context.Background(), systems(), Options{Test: test, Rounds: 5000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		better, equal := c.Systems[1].Metrics[0], c.Systems[2].Metrics[0]
		if c.Systems[0].Metrics[0].Difference != nil || better.Queries != 39 {
			t.Errorf("%v: baseline %+v, %d queries", test, c.Systems[0].Metrics[0], better.Queries)
		}
		d := better.Difference
		if d.Better != 39 || d.Worse != 0 || d.Mark() != "**" ||
			!(d.Low > .05 && d.High < .07 && d.Low < d.Mean && d.Mean < d.High) || d.HolmP < d.P {
			t.Errorf("%v: better: %+v", test, d)
		}
		if equal.Difference.Mark() != "" {
			t.Errorf("%v: equal: %+v", test, equal.Difference)
		}
		var text, md, tex, js strings.Builder
		for _, err := range []error{c.WriteText(&text), c.WriteMarkdown(&md), c.WriteLaTeX(&tex), c.WriteJSON(&js)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range []struct{ got, want string }{
			{text.String(), "better & more  0.4108**\n"},
			{text.String(), test.String() + " test against base|line_1, two-sided, Holm-corrected for 2 systems"},
			{md.String(), "| base\\|line\\_1 | 0.3513 |\n| better & more | 0.4108\\*\\* |\n"},
			{tex.String(), "base|line\\_1 & 0.3513 \\\\\nbetter \\& more & \\textbf{0.4108}$^{**}$ \\\\\n"},
		} {
			if !strings.Contains(s.got, s.want) {
				t.Errorf("%v: want %q in\n%s", test, s.want, s.got)
			}
		}
		var back Table
		if err := json.Unmarshal([]byte(js.String()), &back); err != nil ||
			back.Systems[1].Metrics[0].Metric != better.Metric || *back.Systems[1].Metrics[0].Difference != *d {
			t.Errorf("%v: JSON: %v\n%s", test, err, js.String())
		}
	}
}

func TestCompareErrors(t *testing.T) {
	for name, change := range map[string]func(s []System) []System{
		"one":     func(s []System) []System { return s[:1] },
		"queries": func(s []System) []System { s[1].Results.QueryIDs = s[1].Results.QueryIDs[1:]; return s },
		"ids": func(s []System) []System {
			s[1].Results.QueryIDs = slices.Clone(s[1].Results.QueryIDs)
			s[1].Results.QueryIDs[3] = "other"
			return s
		},
		"metrics": func(s []System) []System { s[2].Results.Metrics[0].Metric = named("ndcg"); return s },
		"skipped": func(s []System) []System {
			s[2].Results.Metrics[0].Values = slices.Repeat([]float64{math.NaN()}, 40)
			return s
		},
	} {
		if _, err := Compare(context.Background(), change(systems()), Options{Rounds: 10}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, systems(), Options{}); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
	if _, err := ParseTest("z"); err == nil {
		t.Error("unknown test: no error")
	}
}

// TestProgress counts rounds, and ends them by the context.
func TestProgress(t *testing.T) {
	results := func(values ...float64) *rank.Results {
		return &rank.Results{QueryIDs: make([]string, len(values)), Metrics: []rank.MetricResult{
			{Metric: rank.MustParseMetrics("ndcg")[0], Values: values}}}
	}
	systems := []System{{"a", results(0, .5, 1)}, {"b", results(1, .5, .5)}, {"c", results(0, 1, .5)}}
	for _, c := range []struct {
		test  Test
		total int
	}{{Randomization, 40_000}, {StudentT, 20_000}} {
		last := 0
		o := Options{Test: c.test, Rounds: 10_000, Progress: func(done, total int) {
			if done <= last || done > total || total != c.total {
				t.Errorf("%v: %d of %d rounds after %d", c.test, done, total, last)
			}
			last = done
		}}
		if _, err := Compare(t.Context(), systems, o); err != nil || last != c.total {
			t.Errorf("%v: %d rounds of %d, %v", c.test, last, c.total, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	rounds := 0
	_, err := Compare(ctx, systems, Options{Rounds: 1 << 30, Progress: func(done, _ int) {
		rounds = done
		cancel()
	}})
	if err != context.Canceled || rounds != tickRounds {
		t.Errorf("%v after %d rounds", err, rounds)
	}
}
