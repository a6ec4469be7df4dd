package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// A gate holds the flags of compare that make it fail if a system is worse than the baseline.
type gate struct {
	rules ruleList
	loss  bool
}

func addGate(cmd *cobra.Command) *gate {
	g := &gate{}
	section(cmd, "Gate", func() {
		cmd.Flags().Var(&g.rules, "fail-if", "exit with 3 if true, e.g. 'ndcg@10 < -0.01'; repeatable")
		cmd.Flags().BoolVar(&g.loss, "fail-if-significant-loss", false, "exit with 3 if a mean is significantly lower")
	})
	return g
}

// A rule is a condition on the difference of a system from the baseline.
type rule struct {
	text      string
	metric    rank.Metric
	limit     string // "low" or "high" for a limit of the confidence interval; "" for the mean
	op        string
	threshold float64
}

// A ruleList is the value of a flag that may be given several times, with a rule each time.
type ruleList []rule

func (l *ruleList) String() string { return "" }
func (l *ruleList) Type() string   { return "rule" }

func (l *ruleList) Set(s string) error {
	const form = "must be a metric, <, <=, > or >=, and a difference, such as ndcg@10 < -0.01"
	at := strings.IndexAny(s, "<>")
	if at < 0 {
		return errors.New(form)
	}
	r := rule{text: s, op: s[at : at+1]}
	value, orEqual := strings.CutPrefix(s[at+1:], "=")
	if orEqual {
		r.op += "="
	}
	name := strings.TrimSpace(s[:at])
	for _, limit := range []string{"low", "high"} {
		if before, ok := strings.CutSuffix(name, "."+limit); ok {
			name, r.limit = before, limit
		}
	}
	var err error
	if r.metric, err = rank.ParseMetric(name); err != nil {
		return errors.New(errs.Bare(err))
	}
	r.threshold, err = text.ParseNumber(strings.TrimSpace(value), 64)
	if err != nil {
		return errors.New(form)
	}
	if math.IsNaN(r.threshold) || math.IsInf(r.threshold, 0) {
		return errors.New("the difference must be finite")
	}
	*l = append(*l, r)
	return nil
}

// holds reports whether the condition of the rule is true.
func (r *rule) holds(d *compare.Difference) bool {
	v := d.Mean
	switch r.limit {
	case "low":
		v = d.Low
	case "high":
		v = d.High
	}
	switch r.op {
	case "<":
		return v < r.threshold
	case "<=":
		return v <= r.threshold
	case ">":
		return v > r.threshold
	}
	return v >= r.threshold
}

// given reports whether a flag of the gate was given.
func (g *gate) given() bool { return g.loss || len(g.rules) > 0 }

// check returns a usage error if a rule needs a metric that is not computed.
func (g *gate) check(e *rank.Evaluator) error {
	for _, r := range g.rules {
		if !slices.Contains(e.Metrics(), r.metric) {
			return usagef("--fail-if %s requires --metric %v (the metrics are %s)", quoted(r.text), r.metric, e)
		}
	}
	if g.loss && !slices.ContainsFunc(e.Metrics(), measuresQuality) {
		return usagef("--fail-if-significant-loss requires a metric of quality, but the metrics are %s", e)
	}
	return nil
}

// measuresQuality reports whether a lower value of the metric means a worse ranking. The exceptions
// measure how complete the judgments are.
func measuresQuality(m rank.Metric) bool {
	name, _, _ := strings.Cut(strings.ReplaceAll(m.String(), "(", "@"), "@")
	return name != "judged" && name != "rbp-residual"
}

// A gateError lists the rules of --fail-if that are true, and significant losses.
type gateError struct{ lines []string }

func (e *gateError) Error() string { return strings.Join(e.lines, "\n") }

// write writes a line for each rule.
func (e *gateError) write(w io.Writer) {
	for _, line := range e.lines {
		fmt.Fprintf(w, "simdrank: %s\n", errs.Line(line))
	}
}

// apply returns a [gateError] if a rule is true for the difference of a system from the baseline,
// over all queries or in a group.
func (g *gate) apply(c *compare.Table) error {
	lines := g.broken(c, c.Systems, "")
	for _, group := range c.ByGroup {
		lines = append(lines, g.broken(c, group.Systems, "group "+group.Name+": ")...)
	}
	if lines == nil {
		return nil
	}
	return &gateError{lines}
}

// broken returns a line for each rule that is true, and for each significant loss.
func (g *gate) broken(c *compare.Table, systems []compare.Row, group string) (lines []string) {
	for _, s := range systems[1:] {
		for _, m := range s.Metrics {
			if len(m.Differences) == 0 { // no query of the group has a value
				continue
			}
			d := &m.Differences[0]
			line := fmt.Sprintf("%s%s differs from %s by %+.4g in %v", group, s.Name, d.Against, d.Mean, m.Metric)
			if !math.IsNaN(d.Low) { // a single query has no interval
				line += fmt.Sprintf(", %g%% interval [%+.4g, %+.4g]", 100*c.Level, d.Low, d.High)
			}
			for _, r := range g.rules {
				if r.metric == m.Metric && r.holds(d) {
					lines = append(lines, fmt.Sprintf("--fail-if %s: %s", quoted(r.text), line))
				}
			}
			if g.loss && d.Mean < 0 && d.Stars() != "" && measuresQuality(m.Metric) {
				lines = append(lines,
					fmt.Sprintf("--fail-if-significant-loss: %s, corrected p %.3g", line, d.CorrectedP))
			}
		}
	}
	return lines
}
