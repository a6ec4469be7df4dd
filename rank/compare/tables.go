package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
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
	case d.CorrectedP >= significant:
		return ""
	case d.CorrectedP < 0.01:
		return "**"
	}
	return "*"
}

// marks returns the marks that follow a mean. If all pairs are compared, the marks are the letters
// of the systems whose means are significantly lower. Otherwise, the marks are the Stars of the
// difference from the baseline.
func (c *Table) marks(system, metric int) string {
	own := c.Systems[system].Metrics[metric].Differences
	if !c.AllPairs {
		if len(own) == 0 {
			return ""
		}
		return own[0].Stars()
	}
	var letters []string
	for other := range c.Systems {
		above := false
		if other < system {
			above = own[other].Mean > 0 && own[other].CorrectedP < significant
		} else if other > system {
			d := c.Systems[other].Metrics[metric].Differences[system]
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

// legend returns an explanation of the marks in the tables.
func (c *Table) legend() string {
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
	if c.AllPairs {
		fmt.Fprintf(&s, ": letters name the systems whose mean is below, p < %g", significant)
	} else {
		fmt.Fprintf(&s, ": * p < %g, ** p < 0.01", significant)
	}
	return s.String()
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
//	latex     the table of systems as a tabular, with the best mean of each metric in bold
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
	if c.AllPairs {
		fmt.Fprint(t, "#\t")
	}
	fmt.Fprint(t, "system")
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(t, "\t%v", m.Metric)
	}
	fmt.Fprintln(t)
	for i, s := range c.Systems {
		if c.AllPairs {
			fmt.Fprintf(t, "%s\t", c.letter(i))
		}
		fmt.Fprint(t, errs.Line(s.Name))
		for k, m := range s.Metrics {
			marks := c.marks(i, k)
			if c.AllPairs && marks != "" {
				marks = "^" + marks
			}
			fmt.Fprintf(t, "\t%.4f%s", m.Mean, marks)
		}
		fmt.Fprintln(t)
	}
	against, needed, interval := "", "", "interval"
	if c.AllPairs {
		against = "\tagainst"
	}
	if c.Power > 0 {
		needed = "\tneeded"
	}
	if c.Interval == student {
		interval = "t interval"
	}
	fmt.Fprintf(t, "\ndifference%s\tmetric\tmean\t%g%% %s\tp\t%s p\td\tbetter\tworse\tqueries%s\n", against,
		100*c.Level, interval, c.correction(), needed)
	for _, s := range c.Systems[1:] {
		for _, m := range s.Metrics {
			for _, d := range m.Differences {
				fmt.Fprint(t, errs.Line(s.Name))
				if c.AllPairs {
					fmt.Fprintf(t, "\t%s", errs.Line(d.Against))
				}
				fmt.Fprintf(t, "\t%v\t%+.4f\t[%+.4f, %+.4f]\t%.3g\t%.3g\t%+.2f\t%d\t%d\t%d", m.Metric, d.Mean, d.Low,
					d.High, d.P, d.CorrectedP, d.CohenD, d.Better, d.Worse, m.Queries)
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
	fmt.Fprintf(t, "\n%s\n", errs.Line(c.legend()))
	fmt.Fprintln(t, "d: Cohen's effect size, the mean over the standard deviation of the differences")
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

func (c *Table) writeCSV(w io.Writer) error {
	t := csv.NewWriter(w)
	t.Write([]string{"system", "against", "metric", "queries", "mean", "difference", "low", "high", "p", "exact",
		"p_corrected", "cohen_d", "hedges_g", "queries_needed", "better", "worse"})
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, s := range c.Systems {
		for _, m := range s.Metrics {
			line := []string{text.Cell(s.Name), "", m.Metric.String(), strconv.Itoa(m.Queries), number(m.Mean)}
			if len(m.Differences) == 0 {
				t.Write(append(line, make([]string, 11)...))
			}
			for _, d := range m.Differences {
				needed := ""
				if d.Needed > 0 {
					needed = strconv.Itoa(d.Needed)
				}
				line[1] = text.Cell(d.Against)
				t.Write(append(slices.Clip(line), number(d.Mean), number(d.Low), number(d.High), number(d.P),
					strconv.FormatBool(d.Exact), number(d.CorrectedP), number(d.CohenD), number(d.HedgesG), needed,
					strconv.Itoa(d.Better), strconv.Itoa(d.Worse)))
			}
		}
	}
	t.Flush()
	return t.Error()
}

func (c *Table) writeMarkdown(w io.Writer) error {
	special := strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`, "&",
		`\&`, "~", `\~`, "$", `\$`)
	escape := func(text string) string { return special.Replace(errs.Line(text)) }
	var b strings.Builder
	b.WriteString("|")
	if c.AllPairs {
		b.WriteString(" # |")
	}
	b.WriteString(" System |")
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(&b, " %s |", escape(m.Metric.String()))
	}
	b.WriteString("\n|")
	if c.AllPairs {
		b.WriteString(":--|")
	}
	b.WriteString(":--|" + strings.Repeat("--:|", len(c.Systems[0].Metrics)) + "\n")
	for i, s := range c.Systems {
		if c.AllPairs {
			fmt.Fprintf(&b, "| %s ", c.letter(i))
		}
		fmt.Fprintf(&b, "| %s |", escape(s.Name))
		for k, m := range s.Metrics {
			marks := escape(c.marks(i, k))
			if c.AllPairs && marks != "" {
				marks = "<sup>" + marks + "</sup>"
			}
			fmt.Fprintf(&b, " %.4f%s |", m.Mean, marks)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%s\n", escape(c.legend()))
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Table) writeLaTeX(w io.Writer) error {
	// Protect [ and *, because LaTeX reads them as arguments if they follow the \\ of the previous
	// line.
	special := strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{",
		`\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">",
		`\textgreater{}`, "|", `\textbar{}`, "[", "{[}", "*", "{*}")
	escape := func(text string) string { return special.Replace(errs.Line(text)) }
	columns, first := "l", "System"
	if c.AllPairs {
		columns, first = "ll", `\# & System`
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{tabular}{%s%s}\n\\hline\n%s", columns, strings.Repeat("r", len(c.Systems[0].Metrics)),
		first)
	best := make([]float64, len(c.Systems[0].Metrics))
	for i, m := range c.Systems[0].Metrics {
		best[i] = m.Mean
		for _, s := range c.Systems {
			best[i] = max(best[i], s.Metrics[i].Mean)
		}
		fmt.Fprintf(&b, " & %s", escape(m.Metric.String()))
	}
	b.WriteString(" \\\\\n\\hline\n")
	for i, s := range c.Systems {
		if c.AllPairs {
			b.WriteString(c.letter(i) + " & ")
		}
		b.WriteString(escape(s.Name))
		for k, m := range s.Metrics {
			cell := fmt.Sprintf("%.4f", m.Mean)
			if m.Mean == best[k] {
				cell = `\textbf{` + cell + "}"
			}
			if marks := c.marks(i, k); marks != "" {
				cell += "$^{" + marks + "}$"
			}
			b.WriteString(" & " + cell)
		}
		b.WriteString(" \\\\\n")
	}
	fmt.Fprintf(&b, "\\hline\n\\end{tabular}\n%% %s\n", errs.Line(c.legend()))
	_, err := io.WriteString(w, b.String())
	return err
}
