package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// A queryComparison is a comparison with the values of each query.
type queryComparison struct {
	*compare.Table
	Queries []comparedQuery `json:"queries"`

	systems []string
}

// A comparedQuery holds the values of a metric for a query.
type comparedQuery struct {
	Query       string      `json:"query"`
	Group       string      `json:"group,omitempty"`
	Metric      rank.Metric `json:"metric"`
	Values      []number    `json:"values"`      // value of each system
	Differences []number    `json:"differences"` // difference of each other system from the first one
}

func withQueries(c *compare.Table, systems []compare.System) queryComparison {
	r := queryComparison{Table: c, Queries: []comparedQuery{}}
	for _, s := range systems {
		r.systems = append(r.systems, s.Name)
	}
	base := systems[0].Results
	for q, id := range base.QueryIDs {
		for m, of := range base.Metrics {
			row := comparedQuery{Query: id, Metric: of.Metric}
			if c.Options.Groups != nil {
				row.Group = c.Options.Groups[q]
			}
			for i, s := range systems {
				v := s.Results.Metrics[m].Values[q]
				row.Values = append(row.Values, number(v))
				if i > 0 {
					row.Differences = append(row.Differences, number(v-of.Values[q]))
				}
			}
			r.Queries = append(r.Queries, row)
		}
	}
	return r
}

// csv has a row for each query, metric and system.
func (r queryComparison) csv(t *csvTable) {
	row := []any{"query", "metric", "system", "value", "difference"}
	if r.Options.Groups != nil {
		row = slices.Insert(row, 1, any("group"))
	}
	t.row(row...)
	for _, q := range r.Queries {
		for i, v := range q.Values {
			var difference any
			if i > 0 {
				difference = q.Differences[i-1]
			}
			row = []any{q.Query, q.Metric, r.systems[i], v, difference}
			if q.Group != "" {
				row = slices.Insert(row, 1, any(q.Group))
			}
			t.row(row...)
		}
	}
}

func (r queryComparison) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "query\t")
	if r.Options.Groups != nil {
		fmt.Fprint(t, "group\t")
	}
	fmt.Fprint(t, "metric\t")
	for i, name := range r.systems {
		fmt.Fprintf(t, "%s\t", errs.Line(name))
		if i > 0 {
			fmt.Fprint(t, "difference\t")
		}
	}
	fmt.Fprintln(t)
	for _, q := range r.Queries {
		fmt.Fprintf(t, "%s\t", errs.Line(q.Query))
		if q.Group != "" {
			fmt.Fprintf(t, "%s\t", errs.Line(q.Group))
		}
		fmt.Fprintf(t, "%v\t", q.Metric)
		for i, v := range q.Values {
			writeValue(t, "%.4f", float64(v))
			if i > 0 {
				writeValue(t, "%+.4f", float64(q.Differences[i-1]))
			}
		}
		fmt.Fprintln(t)
	}
	fmt.Fprintln(t)
	if err := t.Flush(); err != nil {
		return err
	}
	return r.Write(w, "text")
}
