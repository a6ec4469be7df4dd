// Tables for papers: Markdown and LaTeX.

package compare

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
)

var markdownSpecial = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`,
	"&", `\&`, "~", `\~`, "$", `\$`)

// markdown escapes a text.
func markdown(text string) string { return markdownSpecial.Replace(errs.Line(text)) }

// latexSpecial protects [ and *, because LaTeX reads them as arguments if they follow the \\ of the
// previous line.
var latexSpecial = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">",
	`\textgreater{}`, "|", `\textbar{}`, "[", "{[}", "*", "{*}")

// latex escapes a text.
func latex(text string) string { return latexSpecial.Replace(errs.Line(text)) }

// below returns the interval that is shown below a mean: the interval of the mean if there is one
// system, and otherwise of the difference from the first system. It returns "" if there is none.
func (m *Cell) below() string {
	switch {
	case !math.IsNaN(m.Low):
		return interval("%.4f", m.Low, m.High)
	case len(m.Differences) > 0 && !math.IsNaN(m.Differences[0].Low):
		return interval("%+.4f", m.Differences[0].Low, m.Differences[0].High)
	}
	return ""
}

func (c *Table) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	columns := []string{"System"}
	if c.AllPairs {
		columns = []string{"#", "System"}
	}
	if c.ByGroup != nil {
		columns = append([]string{"Group"}, columns...)
	}
	fmt.Fprintf(&b, "| %s |", strings.Join(columns, " | "))
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(&b, " %s |", markdown(m.Metric.String()))
	}
	fmt.Fprintf(&b, "\n|%s%s\n", strings.Repeat(":--|", len(columns)),
		strings.Repeat("--:|", len(c.Systems[0].Metrics)))
	for _, g := range append([]Group{{Name: "all queries", Systems: c.Systems}}, c.ByGroup...) {
		for i, s := range g.Systems {
			if c.ByGroup != nil {
				fmt.Fprintf(&b, "| %s ", markdown(g.Name))
			}
			if c.AllPairs {
				fmt.Fprintf(&b, "| %s ", c.letter(i))
			}
			fmt.Fprintf(&b, "| %s |", markdown(s.Name))
			for k, m := range s.Metrics {
				marks := markdown(c.marks(&g, i, k))
				if c.AllPairs && marks != "" {
					marks = "<sup>" + marks + "</sup>"
				}
				fmt.Fprintf(&b, " %s%s", decimal("%.4f", m.Mean), marks)
				if below := m.below(); below != "" {
					b.WriteString("<br>" + markdown(below))
				}
				b.WriteString(" |")
			}
			b.WriteByte('\n')
		}
	}
	notes := c.notes(true)
	if test, marks := c.legend(); test != "" {
		notes = append([]string{test + ": " + marks}, notes...)
	}
	for i := range notes {
		notes[i] = markdown(notes[i])
	}
	fmt.Fprintf(&b, "\n%s\n", strings.Join(notes, ";\n"))
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Table) writeLaTeX(w io.Writer) error {
	columns, first := "l", "System"
	if c.AllPairs {
		columns, first = "ll", `\# & System`
	}
	var b strings.Builder
	metrics := c.Systems[0].Metrics
	fmt.Fprintf(&b, "%% \\usepackage{booktabs}\n\\begin{tabular}{%s%s}\n\\toprule\n%s", columns,
		strings.Repeat("r", len(metrics)), first)
	for _, m := range metrics {
		fmt.Fprintf(&b, " & %s", latex(m.Metric.String()))
	}
	b.WriteString(" \\\\\n")
	span := func(text string) {
		fmt.Fprintf(&b, "\\multicolumn{%d}{l}{%s} \\\\\n", len(columns)+len(metrics), text)
	}
	for i, g := range append([]Group{{Systems: c.Systems}}, c.ByGroup...) {
		if i < 2 || len(c.Systems) > 1 {
			b.WriteString("\\midrule\n")
		}
		if i > 0 && len(c.Systems) > 1 {
			span(g.latexName())
		}
		c.latexGroup(&b, &g)
	}
	b.WriteString("\\bottomrule\n")
	notes := c.notes(true)
	if test, marks := c.legend(); test != "" {
		notes = append([]string{marks, test}, notes...)
	}
	for _, note := range notes {
		span(`\footnotesize ` + strings.ReplaceAll(latex(note), `\textless{}`, "$<$"))
	}
	b.WriteString("\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexName returns the name of a group and the number of its queries.
func (g *Group) latexName() string {
	noun := "queries"
	if g.Queries == 1 {
		noun = "query"
	}
	return fmt.Sprintf(`\emph{%s} (%d %s)`, latex(g.Name), g.Queries, noun)
}

// latexGroup writes a row for each system, followed by a row of intervals if there are any. The row
// of a single system shows the group name.
func (c *Table) latexGroup(b *strings.Builder, g *Group) {
	for i, s := range g.Systems {
		var intervals strings.Builder
		some := false
		if c.AllPairs {
			b.WriteString(c.letter(i) + " & ")
			intervals.WriteString(" &")
		}
		if len(g.Systems) == 1 && g.Queries > 0 {
			b.WriteString(g.latexName())
		} else {
			b.WriteString(latex(s.Name))
		}
		for k, m := range s.Metrics {
			cell := strings.Replace(decimal("%.4f", m.Mean), "-", "$-$", 1)
			best := true
			for _, other := range g.Systems {
				best = best && !(other.Metrics[k].Mean > m.Mean)
			}
			if best && len(g.Systems) > 1 && m.Queries > 0 {
				cell = `\textbf{` + cell + "}"
			}
			if marks := c.marks(g, i, k); marks != "" {
				cell += "$^{" + marks + "}$"
			}
			b.WriteString(" & " + cell)
			intervals.WriteString(" &")
			if below := m.below(); below != "" {
				some = true
				fmt.Fprintf(&intervals, ` {\footnotesize $%s$}`, below)
			}
		}
		b.WriteString(" \\\\\n")
		if some {
			b.WriteString(intervals.String() + " \\\\\n")
		}
	}
}
