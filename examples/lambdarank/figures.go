package main

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/report"
)

//go:embed text.md.tmpl
var text string

// tutorial returns the page that shows the results.
func (r *results) tutorial() *tutorial.Tutorial {
	const (
		p, loss, lambda = "probability P(i ▷ j)", "loss −ln P(i ▷ j)", "λ"
		distance        = "λ·|sᵢ − sⱼ|"
	)
	return &tutorial.Tutorial{Text: text, Data: r, Charts: map[string]*report.Chart{
		"sigmoid-slopes.svg":  slopes("Sigmoid at six slopes", p, r.Sigmoid),
		"sigmoid.svg":         r.marked("Sigmoid, α = 1", p, r.Sigmoid, func(p pair) float64 { return p.Sigmoid }),
		"loss-slopes.svg":     slopes("Logistic loss at six slopes", loss, r.Loss),
		"loss.svg":            r.marked("Logistic loss, α = 1", loss, r.Loss, func(p pair) float64 { return p.Loss }),
		"lambda-slopes.svg":   slopes("λ at four slopes", lambda, r.Lambda),
		"lambda.svg":          below(r.marked("λ, α = 1", lambda, r.Lambda, func(p pair) float64 { return p.Lambda })),
		"distance-slopes.svg": slopes("λ times the distance at four slopes", distance, r.ByDistance),
		"distance.svg": r.marked("λ times the distance, α = 1", distance, r.ByDistance,
			func(p pair) float64 { return p.ByDistance }),
		"dcg.svg":     r.dcg(),
		"ndcg.svg":    r.ndcg(),
		"lambdas.svg": r.lambdas(),
	}}
}

// slopes draws a function at several slopes.
func slopes(title, y string, cs []curve) *report.Chart {
	c := overDifference(title, y)
	for _, of := range cs {
		c.Series = append(c.Series, report.Series{Name: fmt.Sprintf("α = %v", of.Alpha), X: of.X, Y: of.Y})
	}
	return c
}

// marked draws a function at slope 1 and marks the pairs of the tutorial.
func (r *results) marked(title, y string, cs []curve, value func(pair) float64) *report.Chart {
	c := overDifference(title, y)
	c.Rules = []report.Rule{{Name: "equal scores"}}
	for _, of := range cs {
		if of.Alpha == 1 {
			c.Series = append(c.Series, report.Series{X: of.X, Y: of.Y})
		}
	}
	for _, p := range r.Pairs {
		name := fmt.Sprintf("sᵢ = %v, sⱼ = %v: %.2f", p.I, p.J, value(p)+0) // + 0 prevents −0
		c.Series = append(c.Series, report.Series{Name: strings.Replace(name, "-", "−", 1), Mark: "dots", Size: 9,
			X: []float64{p.I - p.J}, Y: []float64{value(p)}})
	}
	return c
}

func overDifference(title, y string) *report.Chart {
	return &report.Chart{Title: title, X: report.Axis{Label: "score difference sᵢ − sⱼ"},
		Y: report.Axis{Label: y}, Height: 360}
}

// below sets the lower end of the chart's value axis to −1.
func below(c *report.Chart) *report.Chart {
	c.Y.Min = -1
	return c
}

// dcg draws the DCG of both lists and the best order.
func (r *results) dcg() *report.Chart {
	return r.overCutoff("DCG@k: the discounted gain of the first k documents", "DCG@k",
		report.Series{Name: "list A", Y: r.Lists[0].DCG}, report.Series{Name: "list B", Y: r.Lists[1].DCG},
		report.Series{Name: "best order", Y: r.Ideal, Dashed: true})
}

func (r *results) ndcg() *report.Chart {
	return r.overCutoff("NDCG@k: DCG@k as a share of the best DCG@k", "NDCG@k",
		report.Series{Name: "list A", Y: r.Lists[0].NDCG}, report.Series{Name: "list B", Y: r.Lists[1].NDCG})
}

func (r *results) overCutoff(title, y string, series ...report.Series) *report.Chart {
	for i := range series {
		series[i].X = ranks(len(series[i].Y))
	}
	return &report.Chart{Title: title, X: report.Axis{Label: "cutoff k"}, Y: report.Axis{Label: y}, Series: series}
}

// ranks returns 1, 2, …, n.
func ranks(n int) (x []float64) {
	for i := range n {
		x = append(x, float64(i+1))
	}
	return x
}

// lambdas draws the push on each document of list A, as a share of the strongest push.
func (r *results) lambdas() *report.Chart {
	c := &report.Chart{Title: "Pushes on the documents of list A", X: report.Axis{Label: "rank"},
		Y: report.Axis{Label: "push −λ, relative to the strongest"}}
	for _, of := range []struct {
		name    string
		lambdas []float64
	}{{"RankNet", r.RankNet}, {"LambdaRank", r.LambdaRank}} {
		strongest := 0.0
		for _, l := range of.lambdas {
			strongest = max(strongest, math.Abs(l))
		}
		s := report.Series{Name: of.name, Mark: "bars", X: ranks(len(of.lambdas))}
		for _, l := range of.lambdas {
			s.Y = append(s.Y, -l/strongest)
		}
		c.Series = append(c.Series, s)
	}
	return c
}
