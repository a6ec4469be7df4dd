package main

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

//go:embed text.md.tmpl
var text string

// tutorial returns the page that shows the results.
func (r *results) tutorial() *tutorial.Tutorial {
	of := r.Sets[0]
	charts := map[string]*report.Chart{
		"factors.svg": of.factors("Additive factors", "factor minus first factor", of.Additive, bias),
		"ratios.svg":  of.factors("Pairwise factors", "ln t⁺", of.Pairwise, logPlus),
	}
	for _, of := range r.Sets {
		if of.Curve() {
			charts[of.File()] = of.quality()
		}
	}
	return &tutorial.Tutorial{Text: text, Data: r, Charts: charts}
}

// File returns the file name of a set's figure.
func (of *set) File() string {
	if of.Name == "MQ2008" {
		return "mq2008.svg"
	}
	return "synthetic.svg"
}

// Curve reports whether there are several values of η, so that a curve can be drawn.
func (of *set) Curve() bool { return len(of.Etas) > 1 }

// quality draws NDCG@10 over η.
func (of *set) quality() *report.Chart {
	c := &report.Chart{Title: of.Name, X: report.Axis{Label: "η"},
		Y: report.Axis{Label: "NDCG@10 on held-out queries"}}
	for way, name := range wayNames {
		s := report.Series{Name: name, X: of.Etas, Dashed: way == fair}
		for i := range of.Etas {
			m, e := mean(of.NDCG[way][i])
			s.Y, s.Low, s.High = append(s.Y, m), append(s.Low, m-e), append(s.High, m+e)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

const ln2 = 0x1.62e42fefa39efp-1

// factors draws the logarithms of the factors that a correction has learned for the first
// positions, minus the first one. Dashed lines show the true values, −η·ln k.
func (of *set) factors(title, label string, list []*lambdamart.PositionFactors,
	at func(f *lambdamart.PositionFactors, k int) float64) *report.Chart {
	c := &report.Chart{Title: title, X: report.Axis{Label: "position"}, Y: report.Axis{Label: label}}
	for i, eta := range of.Etas {
		f := list[i]
		learned := report.Series{Name: fmt.Sprint("η = ", eta), Color: i + 1}
		truth := report.Series{Dashed: true, Color: i + 1, Size: 1}
		for k, p := range f.Position {
			if v := at(f, k) - at(f, 0); !math.IsInf(v, 0) {
				learned.X, learned.Y = append(learned.X, float64(p)), append(learned.Y, v)
			}
			truth.X = append(truth.X, float64(p))
			truth.Y = append(truth.Y, -float64(float64(eta*ln2)*math.Log2(float64(p))))
		}
		c.Series = append(c.Series, learned, truth)
	}
	return c
}

func bias(f *lambdamart.PositionFactors, k int) float64 { return f.Bias[k] }

func logPlus(f *lambdamart.PositionFactors, k int) float64 {
	if f.Plus[k] == 0 { // no clicks at this position
		return math.Inf(-1)
	}
	return float64(ln2 * math.Log2(f.Plus[k]))
}
