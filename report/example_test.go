package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/report"
)

// This example writes a custom figure as SVG.
func ExampleChart() {
	chart := &report.Chart{
		Title: "Discount",
		X:     report.Axis{Label: "rank"},
		Y:     report.Axis{Label: "weight of the gain"},
		Series: []report.Series{
			{Name: "1/log₂(1+rank)", X: []float64{1, 3, 7}, Y: []float64{1, 0.5, 1. / 3}},
			{Name: "1/rank", X: []float64{1, 3, 7}, Y: []float64{1, 1. / 3, 1. / 7}, Dashed: true},
		},
	}
	var svg bytes.Buffer
	if err := chart.WriteSVG(&svg); err != nil {
		log.Fatal(err)
	}
	fmt.Println(svg.String()[:4], strings.Contains(svg.String(), "weight of the gain"))
	// Output: <svg true
}

// This example compares two rankers. Only the scores of the first one are known.
func ExamplePage() {
	d, err := data.Read(strings.NewReader("2 qid:a 1:3 2:1\n0 qid:a 1:1 2:2\n1 qid:b 1:2 2:5\n0 qid:b 1:0 2:6\n"), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	page := report.Page{
		Data: report.Set{Name: "test", Data: d},
		Systems: []report.System{
			{Name: "by feature 2", Scores: []float64{1, 2, 5, 6}},
			{Name: "linear", Model: &rank.Linear{Weights: []float64{1, 0}}, Scores: []float64{3, 1, 2, 0}},
		},
	}
	var html bytes.Buffer
	if err := page.Write(context.Background(), &html); err != nil {
		log.Fatal(err)
	}
	fmt.Println(html.String()[:15], strings.Contains(html.String(), "linear"))
	// Output: <!DOCTYPE html> true
}
