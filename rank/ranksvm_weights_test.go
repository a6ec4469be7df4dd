package rank

import (
	"cmp"
	"math"
	"slices"
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

// goldenPairs replaces the row weights of goldenWeights by the listed pairs of the script. Labels
// are not used.
func goldenPairs() *Dataset {
	d := goldenWeights()
	d.Weights = nil
	for i := range d.Labels {
		d.Labels[i] = math.NaN()
	}
	for k := range 120 {
		first := k % d.Queries() * goldenDocs
		better, worse := int32(first+k*3%goldenDocs), int32(first+(k*k+1)%goldenDocs)
		d.Pairs = append(d.Pairs, Pair{better, worse, float64(k%4+1) / 2})
	}
	slices.SortStableFunc(d.Pairs, func(a, b Pair) int { return cmp.Compare(a.Better/goldenDocs, b.Better/goldenDocs) })
	return d
}

func TestRankSVMPairs(t *testing.T) {
	for _, c := range []goldenFit{
		{"squared-hinge", 6.774410877040254,
			[]float64{0.108077328959696, 0.14703886059376517, -0.09640051552265555, -0.272568866821121}},
		{"hinge", 6.3216642883183525,
			[]float64{0.24059378677963716, 0.2266384043977622, -0.09669197798411258, -0.7363391457413819}},
	} {
		t.Run(c.loss, func(t *testing.T) { c.check(t, goldenPairs(), 120) })
	}
}

// listAll returns d with all pairs of different labels listed and without labels.
func listAll(d *Dataset) *Dataset {
	all := *d
	all.Pairs, all.Labels = []Pair{}, make([]float64, d.Rows())
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			for j := lo; j < hi; j++ {
				if d.Labels[i] > d.Labels[j] {
					all.Pairs = append(all.Pairs, Pair{int32(i), int32(j), 1})
				}
			}
		}
	}
	return &all
}

// If all pairs of different labels are listed, training has the same optimum as with labels. Row
// weights, query weights, sparse features, samples and long queries are included.
func TestRankSVMListedLabels(t *testing.T) {
	small := withWeights(randomSet(1, 12, 14, 5, 4))
	small.QueryWeights = []float64{1, 2, 0, 1, 1, 1, 1, 3, 1, 1, 1, 1}
	for _, c := range []struct {
		name string
		d    *Dataset
		s    RankSVM
	}{
		{"weights", small, RankSVM{PerQuery: true}},
		{"sparse", small.ToSparse(), RankSVM{Standardize: true}},
		{"sampled", randomSet(4, 300, 12, 3, 3), RankSVM{C: 0.1}},
		{"long query", randomSet(5, 1, 300, 3, 5), RankSVM{C: 1e-3}},
	} {
		for _, loss := range []string{"squared-hinge", "hinge", "logistic"} {
			t.Run(c.name+"/"+loss, func(t *testing.T) {
				s := c.s
				s.Loss, s.Tol = loss, 1e-9
				byLabel, err := s.Fit(t.Context(), c.d)
				if err != nil {
					t.Fatal(err)
				}
				listed := listAll(c.d)
				m, err := s.Fit(t.Context(), listed)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := m.Report, byLabel.Report; got.Pairs != want.Pairs || !got.Converged() ||
					!testkit.Near(got.Objective, want.Objective, 1e-8) {
					t.Errorf("%+v, with labels %+v", got, want)
				}
				for j, w := range byLabel.Weights {
					if math.Abs(m.Weights[j]-w) > 1e-4*(1+math.Abs(w)) {
						t.Errorf("weight %d is %v, with labels %v", j, m.Weights[j], w)
					}
				}
				s.Threads = 3
				again, err := s.Fit(t.Context(), listed)
				if err != nil || !slices.Equal(again.Weights, m.Weights) {
					t.Errorf("3 threads: %v, error %v, otherwise %v", again, err, m.Weights)
				}
			})
		}
	}
}
