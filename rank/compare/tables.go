package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// Stars returns the significance marks of the difference. They are ** if the corrected p-value is
// below 0.01, * if it is below 0.05, and empty otherwise.
func (d *Difference) Stars() string {
	switch {
	case d.CorrectedP < 0.01:
		return "**"
	case d.CorrectedP < significant:
		return "*"
	}
	return ""
}

// marks returns the marks that follow a mean in a group. If all pairs are compared, the marks are
// the letters of the systems whose means are significantly lower. Otherwise, the marks are the
// Stars of the difference from the baseline.
func (c *Table) marks(g *Group, system, metric int) string {
	own := g.Systems[system].Metrics[metric].Differences
	if !c.AllPairs {
		if len(own) == 0 {
			return ""
		}
		return own[0].Stars()
	}
	var letters []string
	for other := range g.Systems {
		above := false
		if other < system {
			above = own[other].Mean > 0 && own[other].CorrectedP < significant
		} else if other > system {
			d := g.Systems[other].Metrics[metric].Differences[system]
			above = d.Mean < 0 && d.CorrectedP < significant
		}
		if above {
			letters = append(letters, c.letter(other))
		}
	}
	if len(c.Systems) > 26 {
		return strings.Join(letters, ",")
	}
	return strings.Join(letters, "")
}

// letter returns the letter of a system if all pairs are compared: a to z, then aa, ab and so on.
func (c *Table) letter(system int) string {
	s := ""
	for n := system + 1; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}

// legend describes the test and the marks in the tables. The texts are empty if there is only one
// system.
func (c *Table) legend() (test, marks string) {
	if len(c.Systems) < 2 {
		return "", ""
	}
	exact, tests := 0, 0
	for _, s := range c.Systems {
		for _, m := range s.Metrics {
			for _, d := range m.Differences {
				if tests++; d.Exact {
					exact++
				}
			}
		}
	}
	var s strings.Builder
	if exact > 0 && exact == tests {
		s.WriteString("exact ")
	}
	fmt.Fprintf(&s, "%s test", c.Test)
	if exact > 0 && exact < tests {
		fmt.Fprintf(&s, " (exact in %d of %d cases)", exact, tests)
	}
	pairs, of := len(c.Systems)-1, "systems"
	if c.AllPairs {
		s.WriteString(" of all pairs, two-sided")
		pairs, of = pairs*len(c.Systems)/2, "pairs"
	} else {
		fmt.Fprintf(&s, " against %s, two-sided", c.Systems[0].Name)
	}
	switch {
	case c.Correction == tukey:
		s.WriteString(", corrected by Tukey's randomized HSD")
	case pairs > 1:
		fmt.Fprintf(&s, ", %s-corrected for %d %s", c.correction(), pairs, of)
	}
	marks = fmt.Sprintf("* p < %g, ** p < 0.01", significant)
	if c.AllPairs {
		marks = fmt.Sprintf("letters name the systems whose mean is below, p < %g", significant)
	}
	return s.String(), marks
}

// notes describes the groups and, for tables with an interval below each mean, the intervals and
// the number of queries.
func (c *Table) notes(intervals bool) (notes []string) {
	if method := c.intervalName(); intervals && method != "" {
		of := "mean"
		if len(c.Systems) > 1 {
			of = "difference from " + c.Systems[0].Name
		}
		notes = append(notes, fmt.Sprintf("brackets: %g%% %s interval of the %s", 100*c.Level, method, of))
	}
	if metrics := c.Systems[0].Metrics; intervals && len(metrics) > 0 {
		var counts []string
		same := true
		for _, m := range metrics {
			counts = append(counts, fmt.Sprintf("%d for %v", m.Queries, m.Metric))
			same = same && m.Queries == metrics[0].Queries
		}
		if same {
			counts = []string{strconv.Itoa(metrics[0].Queries)}
		}
		notes = append(notes, "queries: "+strings.Join(counts, ", "))
	}
	if c.ByGroup != nil && len(c.Systems) > 1 {
		notes = append(notes, fmt.Sprintf(
			"groups: p is %s-corrected for all systems and all groups of at least two queries", c.correction()))
	}
	return notes
}

// intervalName returns the name of the interval method, or "" if there are no intervals.
func (c *Table) intervalName() string {
	return map[string]string{bootstrapped: "bootstrap", student: "Student"}[c.Interval]
}

// correction returns the name of the correction for the legend.
func (c *Table) correction() string {
	return map[string]string{"holm": "Holm", "bonferroni": "Bonferroni", tukey: "HSD"}[c.Correction]
}

// Write writes the comparison in one of these formats:
//
//	text      a table of systems and means that marks significant differences, and a line per
//	          difference with its confidence interval, p-values and effect size
//	json      the whole table, indented
//	csv       a line per difference, and a line for each mean without differences
//	markdown  the table of systems, with significance letters as HTML superscripts
//	latex     the table of systems as a tabular for the package booktabs, with the best mean of
//	          each metric in bold
//
// The markdown and latex tables show, below each mean, the confidence interval for the difference
// from the first system. They end with a legend. Results for groups follow the results for all
// queries.
//
// It returns an error if the format is unknown, or if the format is json and a system's name is not
// UTF-8.
func (c *Table) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return c.writeText(w)
	case "json":
		if err := text.WriteJSON(w, c); err != nil {
			return errs.Op("compare", err)
		}
		return nil
	case "csv":
		return c.writeCSV(w)
	case "markdown":
		return c.writeMarkdown(w)
	case "latex":
		return c.writeLaTeX(w)
	}
	return errs.Errorf("compare", "unknown format %q: use text, json, csv, markdown or latex", format)
}

func (c *Table) writeText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	c.textGroups(t, []Group{{Systems: c.Systems}})
	if c.ByGroup != nil {
		fmt.Fprintln(t)
		c.textGroups(t, c.ByGroup)
	}
	fmt.Fprintln(t)
	if test, marks := c.legend(); test != "" {
		fmt.Fprintf(t, "%s: %s\n", errs.Line(test), marks)
	}
	for _, note := range c.notes(len(c.Systems) == 1) {
		fmt.Fprintln(t, errs.Line(note))
	}
	if len(c.Systems) > 1 {
		fmt.Fprintln(t, "d: Cohen's effect size, the mean over the standard deviation of the differences")
	}
	if c.Power > 0 {
		what := "this difference"
		if c.MinDifference > 0 {
			what = fmt.Sprintf("a difference of %g", c.MinDifference)
		}
		fmt.Fprintf(t, "needed: queries for a t-test to find %s at level %g with power %g, - if 2^30 are not enough\n",
			what, significant, c.Power)
	}
	return t.Flush()
}

// textGroups writes the means and the differences of groups, or of all queries.
func (c *Table) textGroups(t io.Writer, groups []Group) {
	c.textMeans(t, groups)
	if len(c.Systems) > 1 {
		fmt.Fprintln(t)
		c.textDifferences(t, groups)
	}
}

// inGroup returns a cell for the name of a group, or "" for the results of all queries.
func inGroup(name string, g *Group) string {
	if g.Queries == 0 {
		return ""
	}
	return errs.Line(name) + "\t"
}

// textMeans writes a line per system.
func (c *Table) textMeans(t io.Writer, groups []Group) {
	fmt.Fprint(t, inGroup("group", &groups[0]))
	if groups[0].Queries > 0 {
		fmt.Fprint(t, "queries\t")
	}
	if c.AllPairs {
		fmt.Fprint(t, "#\t")
	}
	fmt.Fprint(t, "system")
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(t, "\t%v", m.Metric)
	}
	fmt.Fprintln(t)
	for _, g := range groups {
		for i, s := range g.Systems {
			fmt.Fprint(t, inGroup(g.Name, &g))
			if g.Queries > 0 {
				fmt.Fprintf(t, "%d\t", g.Queries)
			}
			if c.AllPairs {
				fmt.Fprintf(t, "%s\t", c.letter(i))
			}
			fmt.Fprint(t, errs.Line(s.Name))
			for k, m := range s.Metrics {
				marks := c.marks(&g, i, k)
				if c.AllPairs && marks != "" {
					marks = "^" + marks
				}
				fmt.Fprintf(t, "\t%s%s", decimal("%.4f", m.Mean), marks)
				if !math.IsNaN(m.Low) {
					fmt.Fprint(t, " "+interval("%.4f", m.Low, m.High))
				}
			}
			fmt.Fprintln(t)
		}
	}
}

// decimal formats a number, or returns a hyphen for NaN.
func decimal(format string, v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// interval formats an interval, or returns a hyphen if there is none.
func interval(format string, lo, hi float64) string {
	if math.IsNaN(lo) {
		return "-"
	}
	return fmt.Sprintf("["+format+", "+format+"]", lo, hi)
}

// textDifferences writes a line per difference.
func (c *Table) textDifferences(t io.Writer, groups []Group) {
	fmt.Fprint(t, inGroup("group", &groups[0]), "difference")
	if c.AllPairs {
		fmt.Fprint(t, "\tagainst")
	}
	fmt.Fprint(t, "\tmetric\tmean")
	switch c.Interval {
	case bootstrapped:
		fmt.Fprintf(t, "\t%g%% interval", 100*c.Level)
	case student:
		fmt.Fprintf(t, "\t%g%% Student interval", 100*c.Level)
	}
	fmt.Fprintf(t, "\tp\t%s p\td\tbetter\tworse\tqueries", c.correction())
	if c.Power > 0 {
		fmt.Fprint(t, "\tneeded")
	}
	fmt.Fprintln(t)
	for _, g := range groups {
		for _, s := range g.Systems[1:] {
			for _, m := range s.Metrics {
				for _, d := range m.Differences {
					fmt.Fprint(t, inGroup(g.Name, &g), errs.Line(s.Name))
					if c.AllPairs {
						fmt.Fprintf(t, "\t%s", errs.Line(d.Against))
					}
					fmt.Fprintf(t, "\t%v\t%s", m.Metric, decimal("%+.4f", d.Mean))
					if c.Interval != "none" {
						fmt.Fprintf(t, "\t%s", interval("%+.4f", d.Low, d.High))
					}
					fmt.Fprintf(t, "\t%s\t%s\t%s\t%d\t%d\t%d", decimal("%.3g", d.P), decimal("%.3g", d.CorrectedP),
						decimal("%+.2f", d.CohenD), d.Better, d.Worse, m.Queries)
					switch {
					case d.Needed > 0:
						fmt.Fprintf(t, "\t%d", d.Needed)
					case c.Power > 0:
						fmt.Fprint(t, "\t-")
					}
					fmt.Fprintln(t)
				}
			}
		}
	}
}

func (c *Table) writeCSV(w io.Writer) error {
	t := csv.NewWriter(w)
	group := func(name string) []string { // begins a record
		if c.ByGroup == nil {
			return nil
		}
		return []string{text.Cell(name)}
	}
	t.Write(append(group("group"), "system", "against", "metric", "queries", "mean", "difference", "low", "high", "p",
		"exact", "p_corrected", "cohen_d", "hedges_g", "queries_needed", "better", "worse"))
	number := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, g := range append([]Group{{Systems: c.Systems}}, c.ByGroup...) {
		for _, s := range g.Systems {
			for _, m := range s.Metrics {
				line := func(against string) []string {
					return append(group(g.Name), text.Cell(s.Name), text.Cell(against), m.Metric.String(),
						strconv.Itoa(m.Queries), number(m.Mean))
				}
				if len(m.Differences) == 0 {
					t.Write(append(append(line(""), "", number(m.Low), number(m.High)), make([]string, 8)...))
				}
				for _, d := range m.Differences {
					needed := ""
					if d.Needed > 0 {
						needed = strconv.Itoa(d.Needed)
					}
					t.Write(append(line(d.Against), number(d.Mean), number(d.Low), number(d.High), number(d.P),
						strconv.FormatBool(d.Exact), number(d.CorrectedP), number(d.CohenD), number(d.HedgesG), needed,
						strconv.Itoa(d.Better), strconv.Itoa(d.Worse)))
				}
			}
		}
	}
	t.Flush()
	return t.Error()
}
