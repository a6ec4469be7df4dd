package main

import (
	_ "embed"
	"fmt"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/internal/portable"
	"github.com/simdrank/simdrank/report"
)

//go:embed text.md.tmpl
var text string

// tutorial returns the page of the results.
func (r *results) tutorial() *tutorial.Tutorial {
	charts := map[string]*report.Chart{"factors.svg": r.Sets[0].factorsOver()}
	for _, of := range r.Sets {
		charts[of.File()] = of.quality()
	}
	return &tutorial.Tutorial{Text: text, Data: r, Charts: charts}
}

// File returns the name of the picture of a set.
func (of *set) File() string {
	if of.Name == "MQ2008" {
		return "mq2008.svg"
	}
	return "made-up.svg"
}

// quality draws NDCG@10 over η.
func (of *set) quality() *report.Chart {
	c := &report.Chart{Title: of.Name, X: report.Axis{Label: "η"},
		Y: report.Axis{Label: "NDCG@10 of queries held out"}}
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

// factorsOver draws what the additive bias has learned of the first positions, and what there is to
// learn: −η·ln k.
func (of *set) factorsOver() *report.Chart {
	const few = 15
	c := &report.Chart{Title: "Additive factors", X: report.Axis{Label: "position"},
		Y: report.Axis{Label: "less that of the first"}}
	for i, eta := range of.Etas {
		f := of.Factors[i]
		learned := report.Series{Name: fmt.Sprint("η = ", eta), Color: i + 1}
		truth := report.Series{Dashed: true, Color: i + 1, Size: 1}
		for k, p := range f.Position[:min(few, len(f.Position))] {
			learned.X, learned.Y = append(learned.X, float64(p)), append(learned.Y, f.Bias[k]-f.Bias[0])
			truth.X = append(truth.X, float64(p))
			truth.Y = append(truth.Y, -float64(float64(eta*0x1.62e42fefa39efp-1)*portable.Log2(float64(p))))
		}
		c.Series = append(c.Series, learned, truth)
	}
	return c
}
