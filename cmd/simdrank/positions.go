package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

// positionFactors holds the position-bias factors of a model, as results print them.
type positionFactors struct {
	Kind     string    `json:"kind"`     // additive or pairwise
	Position []int32   `json:"position"` // ascending
	Bias     []float64 `json:"bias,omitempty"`
	Plus     []float64 `json:"plus,omitempty"`
	Minus    []float64 `json:"minus,omitempty"`
}

// newPositionFactors returns the factors of a model, or nil if it has none.
func newPositionFactors(m *lambdamart.Model) *positionFactors {
	f := m.PositionFactors
	if f == nil {
		return nil
	}
	kind := "pairwise"
	if f.Bias != nil {
		kind = "additive"
	}
	return &positionFactors{kind, f.Position, f.Bias, f.Plus, f.Minus}
}

// shownPositions is the number of positions that text shows.
const shownPositions = 10

func (f *positionFactors) text(w io.Writer) {
	if f == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "positions (%s)", f.Kind)
	few := min(len(f.Position), shownPositions)
	for _, p := range f.Position[:few] {
		fmt.Fprintf(t, "\t%d", p)
	}
	if few < len(f.Position) {
		fmt.Fprintf(t, "\t… %d", f.Position[len(f.Position)-1])
	}
	fmt.Fprintln(t)
	for _, of := range []struct {
		name   string
		values []float64
	}{{"bias", f.Bias}, {"t⁺", f.Plus}, {"t⁻", f.Minus}} {
		if of.values == nil {
			continue
		}
		fmt.Fprint(t, of.name)
		for _, v := range of.values[:few] {
			fmt.Fprintf(t, "\t%.3f", v)
		}
		if few < len(f.Position) {
			fmt.Fprintf(t, "\t%.3f", of.values[len(of.values)-1])
		}
		fmt.Fprintln(t)
	}
	t.Flush() // later writes return errors of w
}
