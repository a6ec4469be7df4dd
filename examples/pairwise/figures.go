package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"

	"github.com/simdrank/simdrank/examples/internal/tutorial"
	"github.com/simdrank/simdrank/report"
)

//go:embed text.md.tmpl
var text string

// tutorial returns the page that shows the results.
func (r *results) tutorial() *tutorial.Tutorial {
	return &tutorial.Tutorial{Text: text, Data: r, Charts: map[string]*report.Chart{
		"points.svg":      r.documents("Relevance grows along w in both blocks", "w", r.True),
		"ridge.svg":       r.documents("The direction of ridge regression", "ŵ", r.Ridge.Direction),
		"differences.svg": r.differences(),
		"ranksvm.svg":     r.documents("The direction of RankSVM", "ŵ", r.RankSVM.Direction),
		"splits.svg":      r.splits(),
	}}
}

// documents draws the training data and, in both blocks, a direction that starts at the center of
// label 0.
func (r *results) documents(title, name string, direction point) *report.Chart {
	d := r.Train
	c := square(title, "first feature", "second feature")
	for label := range 3 {
		s := report.Series{Name: fmt.Sprintf("label %d", label), Mark: "dots", Size: 8,
			Shade: []float64{float64(label) / 2}}
		for i, y := range d.Labels {
			if y == float64(label) {
				s.X, s.Y = append(s.X, float64(d.Row(i)[0])), append(s.Y, float64(d.Row(i)[1]))
			}
		}
		c.Series = append(c.Series, s)
	}
	for block, from := range []point{{-3, -7}, {0, 0}} {
		s := arrow(from, direction)
		s.Name, s.Color = fmt.Sprintf("%s, block %d", name, block), 3+block
		c.Series = append(c.Series, s)
	}
	return c
}

// arrow returns a line with a head.
func arrow(from, direction point) report.Series {
	const length = 8
	s := report.Series{Size: 3}
	for _, p := range []point{{0, 0}, {length, 0}, {length - 0.6, 0.35}, {length, 0}, {length - 0.6, -0.35}} {
		s.X = append(s.X, from[0]+float64(p[0]*direction[0])-float64(p[1]*direction[1]))
		s.Y = append(s.Y, from[1]+float64(p[0]*direction[1])+float64(p[1]*direction[0]))
	}
	return s
}

// differences draws the training pairs, the line that should divide them and the line of RankSVM.
func (r *results) differences() *report.Chart {
	c := square("Document differences within a block", "difference in the first feature",
		"difference in the second feature")
	for i, name := range []string{"y = −1", "y = +1"} {
		s := report.Series{Name: name, Mark: "dots", Size: 6, Shade: []float64{float64(i)}}
		for k, x := range r.Differences {
			if (r.Signs[k] > 0) == (i == 1) {
				s.X, s.Y = append(s.X, x[0]), append(s.Y, x[1])
			}
		}
		c.Series = append(c.Series, s)
	}
	for k, of := range []struct {
		name string
		w    point
	}{{"w·x = 0", r.True}, {"RankSVM: ŵ·x = 0", r.RankSVM.Direction}} {
		const reach = 7
		c.Series = append(c.Series, report.Series{Name: of.name, Color: 3 + k, Dashed: k == 0,
			X: []float64{-reach * of.w[1], reach * of.w[1]}, Y: []float64{reach * of.w[0], -reach * of.w[0]}})
	}
	return c
}

// splits draws the mean taus of the additional splits.
func (r *results) splits() *report.Chart {
	c := &report.Chart{Title: fmt.Sprintf("Mean Kendall's tau of both blocks, %d splits", len(r.Splits)),
		X: report.Axis{Label: "ridge regression"}, Y: report.Axis{Label: "RankSVM"}, Height: 360}
	s := report.Series{Name: "a split", Mark: "dots"}
	for _, split := range r.Splits {
		s.X, s.Y = append(s.X, split.Ridge.mean()), append(s.Y, split.RankSVM.mean())
	}
	lo, hi := max(slices.Min(s.X), slices.Min(s.Y)), min(slices.Max(s.X), slices.Max(s.Y))
	equal := report.Series{Name: "equally good", Dashed: true, Color: 4, X: []float64{lo, hi}, Y: []float64{lo, hi}}
	c.Series = []report.Series{s, equal}
	return c
}

// square returns an empty chart whose axes have the same scale.
func square(title, x, y string) *report.Chart {
	return &report.Chart{Title: title, X: report.Axis{Label: x}, Y: report.Axis{Label: y}, Equal: true}
}

// Better returns the number of splits on which RankSVM has a higher mean tau than ridge regression.
func (r *results) Better() int { return r.count(1) }

// Worse returns the number of splits on which RankSVM has a lower mean tau.
func (r *results) Worse() int { return r.count(-1) }

// Equal returns the number of splits on which both have the same mean tau.
func (r *results) Equal() int { return r.count(0) }

func (r *results) count(sign int) (n int) {
	for _, s := range r.Splits {
		if cmp.Compare(s.RankSVM.mean(), s.Ridge.mean()) == sign {
			n++
		}
	}
	return n
}
