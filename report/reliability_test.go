package report

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// TestReliability: probabilities 0.25, 0.25, 0.25, 0.75 of which the second and the last are
// relevant.
func TestReliability(t *testing.T) {
	m := &rank.Linear{Calibration: &rank.Calibration{Relevant: 2, Scores: []float64{0, 2},
		Probabilities: []float64{.25, .75}}}
	c, err := figureReliability([]float64{0, 2, 1, 3}, []System{{Name: "m", Model: m, Scores: []float64{0, -1, 0, 2}}})
	if err != nil {
		t.Fatal(err)
	}
	// Bins: 3 documents with 0.25 and 1/3 relevant, 1 document with 0.75 and 1 relevant.
	if got, want := c.Series[0].Name, "m: ECE 0.1250, Brier score 0.1875"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if x, y := c.Series[0].X, c.Series[0].Y; len(x) != 2 || x[0] != .25 || y[0] != 1./3 || x[1] != .75 || y[1] != 1 {
		t.Errorf("points %v, %v", x, y)
	}
	if err := c.WriteSVG(new(strings.Builder)); err != nil {
		t.Error(err)
	}
	if _, err := figureReliability(nil, []System{{Model: m}}); err == nil {
		t.Error("no documents: no error")
	}
}
