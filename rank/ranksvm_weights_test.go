package rank

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

const goldenDocs = 10 // number of documents per query of goldenWeights

// goldenWeights returns the data of bench/peers/ranksvm/golden_weights.py.
func goldenWeights() *Dataset {
	const queries, cols = 8, 4
	d := NewDataset(queries*goldenDocs, cols)
	d.Weights = make([]float64, d.Rows())
	for i := range d.Rows() {
		for j := range cols {
			d.Row(i)[j] = float32((i*(j+3)*7+i*i*(j+1))%33) / 16
		}
		d.Labels[i], d.Weights[i] = float64(i*5%7/2), float64(i*7%5)/2
	}
	for q := range queries {
		d.Offsets, d.QueryIDs = append(d.Offsets, (q+1)*goldenDocs), append(d.QueryIDs, string(rune('a'+q)))
	}
	return d
}

// A goldenFit contains the objective and the weights of scikit-learn's LinearSVC.
type goldenFit struct {
	loss      string
	objective float64
	weights   []float64
}

// check trains with C = 0.05 and compares the model.
func (g goldenFit) check(t *testing.T, d *Dataset, pairs int64) {
	m, err := (&RankSVM{C: 0.05, Loss: g.loss, Tol: 1e-10}).Fit(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Report; r.Pairs != pairs || !testkit.Near(r.Objective, g.objective, 1e-8) {
		t.Errorf("objective %.12g of %d pairs, scikit-learn's %.12g of %d", r.Objective, r.Pairs, g.objective, pairs)
	}
	for j, w := range g.weights {
		if math.Abs(m.Weights[j]-w) > 1e-4 {
			t.Errorf("weight %d is %v, scikit-learn's %v", j, m.Weights[j], w)
		}
	}
}

// The weight of a pair is the weight of its better document.
func TestRankSVMRowWeights(t *testing.T) {
	for _, c := range []goldenFit{
		{"squared-hinge", 14.24058052401312,
			[]float64{-0.01823220200186972, 0.10016741098472846, -0.10761194120017811, 0.009123561645857203}},
		{"hinge", 13.801348571143635,
			[]float64{-0.061074516508588875, 0.4159395570834796, -0.4751039615946083, 0.11598326456854824}},
	} {
		t.Run(c.loss, func(t *testing.T) { c.check(t, goldenWeights(), 234) })
	}
}
