package main

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/report"
)

//go:embed text.md.tmpl
var text string

// tutorial returns the page that shows the results.
func (r *results) tutorial() *tutorial.Tutorial {
	return &tutorial.Tutorial{Text: text, Data: r, Charts: map[string]*report.Chart{
		"sizes.svg":   r.sizes(),
		"labels.svg":  r.labels(),
		"curve.svg":   r.curve(),
		"queries.svg": r.byQuery(),
	}}
}

// sizes draws the number of training queries of each size.
func (r *results) sizes() *report.Chart {
	s := report.Series{Mark: "bars"}
	for _, size := range slices.Sorted(maps.Keys(r.Parts[0].Sizes)) {
		s.X, s.Y = append(s.X, float64(size)), append(s.Y, float64(r.Parts[0].Sizes[size]))
	}
	return &report.Chart{Title: "Group sizes in the training data", X: report.Axis{Label: "documents per query"},
		Y: report.Axis{Label: "queries"}, Series: []report.Series{s}}
}

// labels draws the share of each label in each part.
func (r *results) labels() *report.Chart {
	c := &report.Chart{Title: "Labels", X: report.Axis{Label: "relevance label"},
		Y: report.Axis{Label: "share of documents (%)"}, Height: 360}
	all := map[float64]bool{}
	for _, p := range r.Parts {
		for label := range p.Labels {
			all[label] = true
		}
	}
	labels := slices.Sorted(maps.Keys(all))
	for _, label := range labels {
		c.X.Names = append(c.X.Names, fmt.Sprint(label))
	}
	for _, p := range r.Parts {
		s := report.Series{Name: p.Name, Mark: "bars"}
		for i, label := range labels {
			s.X = append(s.X, float64(i))
			s.Y = append(s.Y, 100*float64(p.Labels[label])/float64(p.Data.Rows()))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// curve draws the NDCG after each tree.
func (r *results) curve() *report.Chart {
	c := &report.Chart{Title: "Early stopping", X: report.Axis{Label: "trees"}, Y: report.Axis{Label: "NDCG"},
		Rules: []report.Rule{{At: float64(r.Fit.Best), Name: fmt.Sprintf("best on validation: %d trees", r.Fit.Best)}}}
	for _, of := range r.Fit.Curves {
		s := report.Series{Name: of.Set, Y: of.Values}
		for i := range of.Values {
			s.X = append(s.X, float64(i+1))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// byQuery draws the NDCG of the test queries in descending order.
func (r *results) byQuery() *report.Chart {
	c := &report.Chart{Title: "NDCG of each test query", X: report.Axis{Label: "queries, best first"},
		Y: report.Axis{Label: "NDCG"}}
	for _, m := range r.skipped().Metrics[1:] {
		s := report.Series{Name: fmt.Sprint(m.Metric), Mark: "dots"}
		for _, v := range m.Values {
			if !math.IsNaN(v) { // NaN means no relevant documents
				s.X, s.Y = append(s.X, float64(len(s.X)+1)), append(s.Y, v)
			}
		}
		slices.Sort(s.Y)
		slices.Reverse(s.Y)
		c.Series = append(c.Series, s)
	}
	return c
}
