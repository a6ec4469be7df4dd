package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// groupsOf returns a group for each query of [systems]. Query 5, which is skipped, is alone in the
// group skipped, and query 6 is alone in the group one.
func groupsOf() []string {
	groups := make([]string, 40)
	for q := range groups {
		groups[q] = []string{"even", "odd"}[q%2]
	}
	groups[5], groups[6] = "skipped", "one"
	return groups
}

// subset returns the systems on the queries of a group.
func subset(s []System, groups []string, name string) []System {
	s = slices.Clone(s)
	for i := range s {
		from := s[i].Results
		to := &rank.Results{Metrics: []rank.MetricResult{{Metric: from.Metrics[0].Metric}}}
		for q, id := range from.QueryIDs {
			if groups[q] == name {
				to.QueryIDs = append(to.QueryIDs, id)
				to.Metrics[0].Values = append(to.Metrics[0].Values, from.Metrics[0].Values[q])
			}
		}
		s[i].Results = to
	}
	return s
}

// TestCompareGroups compares each group with a comparison of its queries only.
func TestCompareGroups(t *testing.T) {
	for _, o := range []Options{{}, {AllPairs: true}, {Correction: "bonferroni", Interval: "student", Test: "t"}} {
		t.Run(fmt.Sprint(o.AllPairs, o.Correction), func(t *testing.T) {
			o.Rounds = 2000
			s, groups := systems(), groupsOf()
			alone, err := Compare(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Groups = groups
			c, err := Compare(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(c.Systems), fmt.Sprint(alone.Systems); got != want {
				t.Errorf("all queries: %s, want %s", got, want)
			}
			var names []string
			var ps, corrected []float64
			o.Groups = nil
			for _, g := range c.ByGroup {
				names = append(names, fmt.Sprint(g.Name, g.Queries))
				if g.Queries == 1 {
					d := g.Systems[1].Metrics[0].Differences[0]
					if !math.IsNaN(d.P) || !math.IsNaN(d.CorrectedP) || !math.IsNaN(d.Low) || d.Stars() != "" ||
						math.IsNaN(d.Mean) != (g.Name == "skipped") {
						t.Errorf("%s: %+v", g.Name, d)
					}
					continue
				}
				want := testkit.Must(Compare(t.Context(), subset(s, groups, g.Name), o))
				for i, row := range g.Systems {
					for k, d := range row.Metrics[0].Differences {
						ps, corrected = append(ps, d.P), append(corrected, d.CorrectedP)
						d.CorrectedP = want.Systems[i].Metrics[0].Differences[k].CorrectedP
						if d != want.Systems[i].Metrics[0].Differences[k] {
							t.Errorf("%s: %+v, want %+v", g.Name, d, want.Systems[i].Metrics[0].Differences[k])
						}
					}
				}
			}
			want := holm(ps)
			if o.Correction == "bonferroni" {
				want = bonferroni(ps)
			}
			if !slices.Equal(corrected, want) {
				t.Errorf("corrected p-values of groups: %v, want %v", corrected, want)
			}
			// System equal loses most on the even queries, and nothing else is below the baseline.
			if fmt.Sprint(names) != "[even19 one1 odd19 skipped1]" {
				t.Errorf("groups: %s", names)
			}
		})
	}
}

// TestGroupTables writes groups in every format.
func TestGroupTables(t *testing.T) {
	o := Options{Rounds: 500, Groups: groupsOf(), Interval: "student"}
	o.Groups[8] = "50% & [more]"
	c := testkit.Must(Compare(t.Context(), systems(), o))
	for _, form := range []struct {
		format string
		want   []string
	}{
		{"text", []string{"\ngroup         queries  system         map\n", "50% & [more]  1        base|line_1    0.",
			"\nskipped       1        base|line_1    -\n", "group         difference     metric  mean ",
			"\nskipped       better & more  map     -        -                     -      -        -      0       0      0\n",
			"\ngroups: p is Holm-corrected for all systems and all groups of at least two queries\n"}},
		{"csv", []string{"group,system,against,", "\n,base|line_1,,map,39,0.35128205128205126,,,,,,,,,,,\n",
			"\nskipped,better & more,base|line_1,map,0,,,,,,false,,,,,0,0\n"}},
		{"markdown", []string{"| Group | System | map |\n|:--|:--|--:|\n| all queries | base", `| 50% \& \[more] | base`,
			"| skipped | better \\& more | - |\n"}},
		{"latex", []string{"\\midrule\n\\multicolumn{2}{l}{\\emph{50\\% \\& {[}more]} (1 query)} \\\\\n",
			"\\emph{odd} (19 queries)} \\\\\nbase", "better \\& more & $-$ \\\\\n"}},
		{"json", []string{`"name": "skipped",`, `"mean": null,`, `"p_corrected": null,`}},
	} {
		t.Run(form.format, func(t *testing.T) {
			var got strings.Builder
			if err := c.Write(&got, form.format); err != nil {
				t.Fatal(err)
			}
			for _, want := range form.want {
				if !strings.Contains(got.String(), want) {
					t.Errorf("want %q in\n%s", want, got.String())
				}
			}
		})
	}
}

// TestMeans compares the means and intervals of a system with the intervals of differences from 0.
func TestMeans(t *testing.T) {
	s := systems()[1]
	values := slices.DeleteFunc(slices.Clone(s.Results.Metrics[0].Values), math.IsNaN)
	for _, interval := range []string{"bootstrap", "student", "none"} {
		t.Run(interval, func(t *testing.T) {
			o := Options{Rounds: 3000, Interval: interval, Groups: groupsOf()}
			calls := testkit.NewProgress(t)
			o.Progress = calls.Report
			c, err := Means(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			calls.Check(0)
			o.Groups, o.Progress = nil, nil
			want := testkit.Must(Values(t.Context(), [][]float64{make([]float64, len(values)), values}, o))[1][0]
			got := c.Systems[0].Metrics[0]
			if got.Queries != 39 || got.Mean != want.Mean || !same(got.Low, want.Low) || !same(got.High, want.High) {
				t.Errorf("%+v, want %+v", got, want)
			}
			before := math.Inf(-1)
			for _, g := range c.ByGroup {
				m := g.Systems[0].Metrics[0]
				if math.IsNaN(m.Low) != (interval == "none" || g.Queries == 1) || m.Mean < before {
					t.Errorf("%s: %+v after %v", g.Name, m, before)
				}
				before = m.Mean
			}
			if g := c.ByGroup[3]; g.Name != "skipped" || g.Systems[0].Metrics[0].Queries != 0 {
				t.Errorf("the group without values is not last: %+v", c.ByGroup)
			}
			var text, js strings.Builder
			if err := c.Write(&text, "text"); err != nil {
				t.Fatal(err)
			}
			if note := strings.Contains(text.String(), interval+" interval of the mean\n") ||
				strings.Contains(text.String(), "Student interval of the mean\n"); note != (interval != "none") {
				t.Error(text.String())
			}
			err = c.Write(&js, "json")
			if err != nil || strings.Contains(js.String(), `"low"`) != (interval != "none") {
				t.Errorf("%v: %s", err, &js)
			}
		})
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// TestMeansPooled checks that a pooled metric is weighted and has no interval.
func TestMeansPooled(t *testing.T) {
	r := &rank.Results{QueryIDs: []string{"a", "b", "c"}, Metrics: []rank.MetricResult{{
		Metric: metricNamed("pair-accuracy-pooled"), Values: []float64{1, 0.5, math.NaN()},
		Weights: []float64{1, 3, 0}}}}
	c := testkit.Must(Means(t.Context(), System{"s", r}, Options{Groups: []string{"x", "x", "y"}}))
	for name, row := range map[string]Row{"all": c.Systems[0], "group": c.ByGroup[0].Systems[0]} {
		t.Run(name, func(t *testing.T) {
			if m := row.Metrics[0]; m.Mean != 0.625 || m.Queries != 2 || !math.IsNaN(m.Low) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestGroupErrors(t *testing.T) {
	s := systems()
	for want, err := range map[string]error{
		"compare: the number of group names is 2; it must be 40, one per query": errOf(Compare(t.Context(), s,
			Options{Groups: []string{"a", "b"}})),
		"compare: the number of group names is 0; it must be 40, one per query": errOf(Means(t.Context(), s[0],
			Options{Groups: []string{}})),
		"compare: Tukey's HSD is not supported for groups of queries": errOf(Compare(t.Context(), s,
			Options{Groups: groupsOf(), Correction: "tukey-hsd"})),
		"compare: Groups requires Compare or Means": errOf(Values(t.Context(), nil, Options{Groups: groupsOf()})),
		"compare: x has no results":                 errOf(Means(t.Context(), System{Name: "x"}, Options{})),
	} {
		t.Run(want, func(t *testing.T) {
			if err == nil || err.Error() != want {
				t.Error(err)
			}
		})
	}
}

func errOf[T any](_ T, err error) error { return err }

// TestGroupsThreads checks that the results of groups do not depend on the number of goroutines.
func TestGroupsThreads(t *testing.T) {
	var want []byte
	for _, threads := range []int{1, 3} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			o := Options{Rounds: 5000, Groups: groupsOf(), Threads: threads}
			got := testkit.Must(json.Marshal([]*Table{testkit.Must(Compare(t.Context(), systems(), o)),
				testkit.Must(Means(t.Context(), systems()[0], o))}))
			if want == nil {
				want = got
			}
			if string(got) != string(want) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestLaTeX checks that braces, environments and the columns of each row agree.
func TestLaTeX(t *testing.T) {
	s := systems()
	s[2].Name = `a{b}_c & 50% $x^2$ \ ~#`
	tables := []*Table{}
	for _, o := range []Options{{}, {AllPairs: true, Groups: groupsOf()}, {Interval: "none"}} {
		o.Rounds = 200
		tables = append(tables, testkit.Must(Compare(t.Context(), s, o)), testkit.Must(Means(t.Context(), s[2], o)))
	}
	for i, c := range tables {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var b strings.Builder
			if err := c.Write(&b, "latex"); err != nil {
				t.Fatal(err)
			}
			plain := regexp.MustCompile(`\\[{}&%$#_]`).ReplaceAllString(b.String(), "")
			depth := 0
			for _, r := range plain {
				switch r {
				case '{':
					depth++
				case '}':
					depth--
				}
				if depth < 0 {
					t.Fatalf("unbalanced braces in\n%s", &b)
				}
			}
			if depth != 0 || strings.Count(plain, "$")%2 != 0 {
				t.Errorf("unbalanced braces or formulas in\n%s", &b)
			}
			columns := 2
			if c.AllPairs {
				columns = 3
			}
			for line := range strings.Lines(plain) {
				line = strings.TrimSuffix(line, "\n")
				switch {
				case strings.HasPrefix(line, "%") || strings.HasSuffix(line, "rule") ||
					strings.HasPrefix(line, `\begin`) || strings.HasPrefix(line, `\end`):
				case strings.HasPrefix(line, `\multicolumn`):
					if !strings.HasPrefix(line, fmt.Sprintf(`\multicolumn{%d}`, columns)) {
						t.Errorf("%q does not span %d columns", line, columns)
					}
				case strings.Count(line, "&") != columns-1 || !strings.HasSuffix(line, ` \\`):
					t.Errorf("%q does not have %d columns", line, columns)
				}
			}
		})
	}
}
