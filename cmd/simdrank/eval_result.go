package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// evalResult is the result of eval.
type evalResult struct {
	table    *compare.Table // the means
	results  *rank.Results  // the values of each query
	groups   []string       // the group of each query; nil without groups
	perQuery bool
	name     string // of the system
	run      string // name of the TREC run; "" if a model or scores were evaluated
}

// An evalMean is the mean of a metric in JSON. Low and High are nil if no intervals are wanted.
type evalMean struct {
	Mean    number  `json:"mean"`
	Low     *number `json:"low,omitempty"`
	High    *number `json:"high,omitempty"`
	Counted int     `json:"counted"`
	Skipped int     `json:"skipped"`
}

// parts returns the means over all queries as a group, followed by the groups.
func (r evalResult) parts() []compare.Group {
	all := compare.Group{Queries: len(r.results.QueryIDs), Systems: r.table.Systems}
	return append([]compare.Group{all}, r.table.ByGroup...)
}

func (r evalResult) intervals() bool { return r.table.Interval != "none" }

// means returns the means of a group by metric name.
func (r evalResult) means(g compare.Group) map[string]evalMean {
	means := map[string]evalMean{}
	for _, c := range g.Systems[0].Metrics {
		m := evalMean{Mean: number(c.Mean), Counted: c.Queries, Skipped: g.Queries - c.Queries}
		if r.intervals() {
			low, high := number(c.Low), number(c.High)
			m.Low, m.High = &low, &high
		}
		means[c.Metric.String()] = m
	}
	return means
}

func (r evalResult) MarshalJSON() ([]byte, error) {
	type group struct {
		Name    string              `json:"name"`
		Queries int                 `json:"queries"`
		Metrics map[string]evalMean `json:"metrics"`
	}
	var out struct {
		Metrics  map[string]evalMean `json:"metrics"`
		Interval string              `json:"interval,omitempty"`
		Level    float64             `json:"confidence_level,omitempty"`
		Groups   []group             `json:"groups,omitempty"`
		Queries  []map[string]any    `json:"queries,omitempty"`
	}
	if r.intervals() {
		out.Interval, out.Level = r.table.Interval, r.table.Level
	}
	for i, g := range r.parts() {
		if i == 0 {
			out.Metrics = r.means(g)
		} else {
			out.Groups = append(out.Groups, group{g.Name, g.Queries, r.means(g)})
		}
	}
	if r.perQuery {
		out.Queries = r.byQuery()
	}
	return json.Marshal(out)
}

// byQuery returns the values of each query, by metric name.
func (r evalResult) byQuery() []map[string]any {
	queries := make([]map[string]any, len(r.results.QueryIDs))
	for q, id := range r.results.QueryIDs {
		queries[q] = map[string]any{"query": id}
		if r.groups != nil {
			queries[q]["group"] = r.groups[q]
		}
		for _, m := range r.results.Metrics {
			queries[q][m.Metric.String()] = number(m.Values[q])
		}
	}
	return queries
}

// csv has a row for each group and metric, or for each query.
func (r evalResult) csv(t *csvTable) {
	grouped := func(name string) []any { // begins a row
		if r.groups == nil {
			return nil
		}
		return []any{name}
	}
	if !r.perQuery {
		header := append(grouped("group"), "metric", "mean")
		if r.intervals() {
			header = append(header, "low", "high")
		}
		t.row(append(header, "counted", "skipped")...)
		for _, g := range r.parts() {
			for _, c := range g.Systems[0].Metrics {
				row := append(grouped(g.Name), c.Metric, c.Mean)
				if r.intervals() {
					row = append(row, c.Low, c.High)
				}
				t.row(append(row, c.Queries, g.Queries-c.Queries)...)
			}
		}
		return
	}
	header := append([]any{"query"}, grouped("group")...)
	for _, m := range r.results.Metrics {
		header = append(header, m.Metric)
	}
	t.row(header...)
	for q, id := range r.results.QueryIDs {
		row := []any{id}
		if r.groups != nil {
			row = append(row, r.groups[q])
		}
		for _, m := range r.results.Metrics {
			row = append(row, m.Values[q])
		}
		t.row(row...)
	}
}

func (r evalResult) text(w io.Writer) error {
	if r.run != "" && r.groups == nil && !r.intervals() {
		return r.trecText(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if r.perQuery {
		r.queryTable(t)
	}
	parts := r.parts()
	r.meanTable(t, "", parts[:1])
	if r.groups != nil {
		fmt.Fprintln(t)
		r.meanTable(t, "group\t", parts[1:])
	}
	return t.Flush()
}

// queryTable writes a line for each query, and an empty line.
func (r evalResult) queryTable(t io.Writer) {
	fmt.Fprint(t, "query\t")
	if r.groups != nil {
		fmt.Fprint(t, "group\t")
	}
	for _, m := range r.results.Metrics {
		fmt.Fprintf(t, "%v\t", m.Metric)
	}
	fmt.Fprintln(t)
	for q, id := range r.results.QueryIDs {
		fmt.Fprintf(t, "%s\t", errs.Line(id))
		if r.groups != nil {
			fmt.Fprintf(t, "%s\t", errs.Line(r.groups[q]))
		}
		for _, m := range r.results.Metrics {
			writeValue(t, "%.4f", m.Values[q])
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
}

// meanTable writes a line for each mean. heading is the heading of the column of group names, if
// there is one.
func (r evalResult) meanTable(t io.Writer, heading string, groups []compare.Group) {
	fmt.Fprint(t, heading, "metric\tmean\t")
	switch r.table.Interval {
	case "bootstrap":
		fmt.Fprintf(t, "%g%% interval\t", 100*r.table.Level)
	case "student":
		fmt.Fprintf(t, "%g%% Student interval\t", 100*r.table.Level)
	}
	fmt.Fprint(t, "counted\tskipped\t\n")
	for _, g := range groups {
		for _, c := range g.Systems[0].Metrics {
			if heading != "" {
				fmt.Fprintf(t, "%s\t", errs.Line(g.Name))
			}
			fmt.Fprintf(t, "%v\t", c.Metric)
			writeValue(t, "%.4f", c.Mean)
			switch {
			case r.intervals() && math.IsNaN(c.Low):
				fmt.Fprint(t, "-\t")
			case r.intervals():
				fmt.Fprintf(t, "[%.4f, %.4f]\t", c.Low, c.High)
			}
			fmt.Fprintf(t, "%d\t%d\t\n", c.Queries, g.Queries-c.Queries)
		}
	}
}

// writeValue writes a cell with the value of a metric on a query, or a dash if it is undefined.
func writeValue(w io.Writer, format string, v float64) {
	if math.IsNaN(v) {
		fmt.Fprint(w, "-\t")
	} else {
		fmt.Fprintf(w, format+"\t", v)
	}
}

// trecText writes the results in trec_eval's format.
func (r evalResult) trecText(w io.Writer) error {
	name := func(m rank.Metric) string { return cmp.Or(m.TrecName(), m.String()) }
	line := func(name, query, value string) { fmt.Fprintf(w, "%-22s\t%s\t%s\n", name, query, value) }
	if r.perQuery {
		for q, id := range r.results.QueryIDs {
			for _, m := range r.results.Metrics {
				line(name(m.Metric), id, fmt.Sprintf("%.4f", m.Values[q]))
			}
		}
	}
	line("runid", "all", r.run)
	line("num_q", "all", fmt.Sprint(len(r.results.QueryIDs)))
	for _, m := range r.results.Metrics {
		line(name(m.Metric), "all", fmt.Sprintf("%.4f", m.Mean))
	}
	return nil
}
