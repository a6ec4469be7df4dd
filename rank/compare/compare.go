// Package compare tells whether systems differ by more than chance: [Compare] tests their values on
// the same queries, corrects for the number of systems and gives confidence intervals. The tests
// themselves take any paired values.
package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/enum"
	"github.com/simdrank/simdrank/rank"
)

// A System is a ranker under comparison: its results on the same queries as the others'.
type System struct {
	Name    string
	Results *rank.Results
}

// A Test is a test of the values of two systems.
type Test uint8

const (
	Randomization Test = iota // [RandomizationTest]: the default
	StudentT                  // [TTest]
	Wilcoxon                  // [WilcoxonTest]
)

var testNames = []string{Randomization: "randomization", StudentT: "t", Wilcoxon: "wilcoxon"}

// ParseTest returns the test of a name: randomization, t or wilcoxon.
func ParseTest(name string) (Test, error) { return enum.Parse[Test]("compare: test", testNames, name) }

// String returns the name that [ParseTest] reads.
func (t Test) String() string { return enum.Name("Test", testNames, t) }

// MarshalText is String, for JSON.
func (t Test) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText is [ParseTest].
func (t *Test) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTest(string(text))
	return err
}

// Options are the choices of [Compare]; the zero value is useful.
type Options struct {
	Test   Test
	Rounds int     // of randomization and of the bootstrap; 0 means 100000
	Level  float64 // of the confidence intervals; 0 means 0.95
	Seed   uint64

	// Progress is called now and then with the rounds that have been made, and with all there are.
	Progress func(done, total int)
}

// A tick tells that so many rounds more have been made, and returns an error to end them.
type tick func(rounds int) error

// after ticks after some of the rounds, and after the last one.
func (t tick) after(round, rounds int) error {
	if n := round + 1; n%tickRounds == 0 {
		return t(tickRounds)
	} else if n == rounds {
		return t(rounds % tickRounds)
	}
	return nil
}

// tickRounds is the number of rounds between two ticks.
const tickRounds = 1 << 12

// A Table sets systems against the first of them, the baseline.
type Table struct {
	Test    Test    `json:"test"`
	Level   float64 `json:"confidence_level"`
	Systems []Row   `json:"systems"`
}

// A Row is a system of the table.
type Row struct {
	Name    string `json:"name"`
	Metrics []Cell `json:"metrics"`
}

// A Cell is a mean over the queries that every system was scored on, and how it differs from
// the baseline's.
type Cell struct {
	Metric     rank.Metric `json:"metric"`
	Queries    int         `json:"queries"`
	Mean       float64     `json:"mean"`
	Difference *Difference `json:"difference,omitempty"` // nil for the baseline
}

// A Difference is that of a system's mean and the baseline's.
type Difference struct {
	Mean   float64 `json:"mean"`
	Low    float64 `json:"low"` // confidence interval by [BootstrapInterval]
	High   float64 `json:"high"`
	P      float64 `json:"p"`
	HolmP  float64 `json:"p_holm"` // P corrected for the number of systems ([Holm])
	Better int     `json:"better"`
	Worse  int     `json:"worse"` // queries on which the system is better and worse
}

// Compare tests systems against the first of them, metric by metric. All must have the same metrics
// and queries. A query that is skipped for one system does not enter for any. The metric
// pair-accuracy-pooled, which has no mean over queries, is an error.
func Compare(ctx context.Context, systems []System, o Options) (*Table, error) {
	if o.Rounds == 0 {
		o.Rounds = 100_000
	}
	if o.Level == 0 {
		o.Level = 0.95
	}
	if len(systems) < 2 {
		return nil, fmt.Errorf("compare: %d systems to compare: want two or more", len(systems))
	}
	base := systems[0]
	for _, s := range systems[1:] {
		if err := alike(base, s); err != nil {
			return nil, err
		}
	}
	done, total := 0, len(base.Results.Metrics)*(len(systems)-1)*o.Rounds
	if o.Test == Randomization {
		total *= 2 // those of the bootstrap, too
	}
	made := func(rounds int) error {
		if done += rounds; o.Progress != nil {
			o.Progress(done, total)
		}
		return ctx.Err()
	}
	c := &Table{Test: o.Test, Level: o.Level, Systems: make([]Row, len(systems))}
	for i, s := range systems {
		c.Systems[i] = Row{Name: s.Name, Metrics: make([]Cell, len(base.Results.Metrics))}
	}
	for m := range base.Results.Metrics {
		metric := base.Results.Metrics[m].Metric
		if metric.Pooled() {
			return nil,
				fmt.Errorf("compare: %v is a share of the pairs of all queries together, which no test of queries compares: want pair-accuracy", metric)
		}
		values := make([][]float64, len(systems))
		for q := range base.Results.QueryIDs {
			if slices.ContainsFunc(systems, func(s System) bool { return math.IsNaN(s.Results.Metrics[m].Values[q]) }) {
				continue
			}
			for i, s := range systems {
				values[i] = append(values[i], s.Results.Metrics[m].Values[q])
			}
		}
		if len(values[0]) < 2 {
			return nil, fmt.Errorf("compare: %v is defined on %d of the queries for every system, want two or more", metric,
				len(values[0]))
		}
		ps := make([]float64, len(systems)-1)
		for i := range systems {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			cell := Cell{Metric: metric, Queries: len(values[i]), Mean: mean(values[i])}
			if i > 0 {
				d, err := o.difference(values[i], values[0], made)
				if err != nil {
					return nil, err
				}
				cell.Difference, ps[i-1] = d, d.P
			}
			c.Systems[i].Metrics[m] = cell
		}
		for i, p := range Holm(ps) {
			c.Systems[i+1].Metrics[m].Difference.HolmP = p
		}
	}
	return c, nil
}

// alike checks that two systems were measured alike.
func alike(a, b System) error {
	if len(a.Results.Metrics) != len(b.Results.Metrics) {
		return fmt.Errorf("compare: %s has %d metrics, %s has %d", a.Name, len(a.Results.Metrics), b.Name,
			len(b.Results.Metrics))
	}
	for m := range a.Results.Metrics {
		if x, y := a.Results.Metrics[m].Metric, b.Results.Metrics[m].Metric; x != y {
			return fmt.Errorf("compare: %s has the metric %v where %s has %v", a.Name, x, b.Name, y)
		}
	}
	if len(a.Results.QueryIDs) != len(b.Results.QueryIDs) {
		return fmt.Errorf("compare: %s has %d queries, %s has %d", a.Name, len(a.Results.QueryIDs), b.Name,
			len(b.Results.QueryIDs))
	}
	for q, id := range a.Results.QueryIDs {
		if other := b.Results.QueryIDs[q]; id != other {
			return fmt.Errorf("compare: query %d of %s is %q, of %s %q", q+1, a.Name, id, b.Name, other)
		}
	}
	return nil
}

func (o *Options) difference(a, b []float64, made tick) (*Difference, error) {
	var test TestResult
	var err error
	switch o.Test {
	case StudentT:
		test, err = TTest(a, b)
	case Wilcoxon:
		test, err = WilcoxonTest(a, b)
	case Randomization:
		test, err = randomize(a, b, o.Rounds, o.Seed, made)
	default:
		err = fmt.Errorf("compare: unknown test %v", o.Test)
	}
	if err != nil {
		return nil, err
	}
	d := &Difference{P: test.P}
	if d.Low, d.High, err = bootstrap(a, b, o.Level, o.Rounds, o.Seed, made); err != nil {
		return nil, err
	}
	for i := range a {
		d.Mean += a[i] - b[i]
		switch {
		case a[i] > b[i]:
			d.Better++
		case a[i] < b[i]:
			d.Worse++
		}
	}
	d.Mean /= float64(len(a))
	return d, nil
}

// Mark returns the mark of a significant difference by the corrected p-value: ** below 0.01, *
// below 0.05, else nothing.
func (d *Difference) Mark() string {
	switch {
	case d == nil || d.HolmP >= 0.05:
		return ""
	case d.HolmP < 0.01:
		return "**"
	}
	return "*"
}

// legend explains the tables below.
func (c *Table) legend() string {
	corrected := ""
	if n := len(c.Systems) - 1; n > 1 {
		corrected = fmt.Sprintf(", Holm-corrected for %d systems", n)
	}
	return fmt.Sprintf("%s test against %s, two-sided%s: * p < 0.05, ** p < 0.01", c.Test, c.Systems[0].Name, corrected)
}

// WriteText writes a table of systems and means with marks of significance, and a line for each
// difference with its confidence interval and p-values.
func (c *Table) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "system")
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(t, "\t%v", m.Metric)
	}
	fmt.Fprintln(t)
	for _, s := range c.Systems {
		fmt.Fprint(t, s.Name)
		for _, m := range s.Metrics {
			fmt.Fprintf(t, "\t%.4f%s", m.Mean, m.Difference.Mark())
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintf(t, "\ndifference\tmetric\tmean\t%g%% interval\tp\tHolm p\tbetter\tworse\tqueries\n", 100*c.Level)
	for _, s := range c.Systems[1:] {
		for _, m := range s.Metrics {
			d := m.Difference
			fmt.Fprintf(t, "%s\t%v\t%+.4f\t[%+.4f, %+.4f]\t%.3g\t%.3g\t%d\t%d\t%d\n",
				s.Name, m.Metric, d.Mean, d.Low, d.High, d.P, d.HolmP, d.Better, d.Worse, m.Queries)
		}
	}
	fmt.Fprintf(t, "\n%s\n", c.legend())
	return t.Flush()
}

// WriteJSON writes the comparison as indented JSON.
func (c *Table) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}

// WriteMarkdown writes the table of systems as Markdown.
func (c *Table) WriteMarkdown(w io.Writer) error {
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`, "\n",
		" ")
	var b strings.Builder
	b.WriteString("| System |")
	for _, m := range c.Systems[0].Metrics {
		fmt.Fprintf(&b, " %s |", escape.Replace(m.Metric.String()))
	}
	b.WriteString("\n|:--|" + strings.Repeat("--:|", len(c.Systems[0].Metrics)) + "\n")
	for _, s := range c.Systems {
		fmt.Fprintf(&b, "| %s |", escape.Replace(s.Name))
		for _, m := range s.Metrics {
			fmt.Fprintf(&b, " %.4f%s |", m.Mean, escape.Replace(m.Difference.Mark()))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\n%s\n", escape.Replace(c.legend()))
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteLaTeX writes the table of systems as a LaTeX tabular, the best mean of each metric in bold.
func (c *Table) WriteLaTeX(w io.Writer) error {
	escape := strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">",
		`\textgreater{}`, "\n", " ")
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{tabular}{l%s}\n\\hline\nSystem", strings.Repeat("r", len(c.Systems[0].Metrics)))
	best := make([]float64, len(c.Systems[0].Metrics))
	for i, m := range c.Systems[0].Metrics {
		best[i] = m.Mean
		for _, s := range c.Systems {
			best[i] = max(best[i], s.Metrics[i].Mean)
		}
		fmt.Fprintf(&b, " & %s", escape.Replace(m.Metric.String()))
	}
	b.WriteString(" \\\\\n\\hline\n")
	for _, s := range c.Systems {
		b.WriteString(escape.Replace(s.Name))
		for i, m := range s.Metrics {
			cell := fmt.Sprintf("%.4f", m.Mean)
			if m.Mean == best[i] {
				cell = `\textbf{` + cell + "}"
			}
			if mark := m.Difference.Mark(); mark != "" {
				cell += "$^{" + mark + "}$"
			}
			b.WriteString(" & " + cell)
		}
		b.WriteString(" \\\\\n")
	}
	fmt.Fprintf(&b, "\\hline\n\\end{tabular}\n%% %s\n", strings.ReplaceAll(c.legend(), "\n", " "))
	_, err := io.WriteString(w, b.String())
	return err
}
