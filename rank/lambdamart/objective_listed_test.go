package lambdamart

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

// listLabels returns d with all pairs of different labels listed, twice if they are halved, and
// without labels.
func listLabels(d *rank.Dataset, halved bool) *rank.Dataset {
	all := *d
	all.Pairs, all.Labels = []rank.Pair{}, make([]float64, d.Rows())
	for i := range all.Labels {
		all.Labels[i] = math.NaN()
	}
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for i := lo; i < hi; i++ {
			for j := lo; j < hi; j++ {
				pair := rank.Pair{Better: int32(i), Worse: int32(j), Weight: 1}
				if d.Labels[i] <= d.Labels[j] {
					continue
				}
				if halved {
					pair.Weight = 0.5
					all.Pairs = append(all.Pairs, pair)
				}
				all.Pairs = append(all.Pairs, pair)
			}
		}
	}
	return &all
}

// If all pairs of different labels are listed, training grows the same trees as with labels. Their
// values differ in the last bits, because the derivatives are summed in another order.
func TestListedPairs(t *testing.T) {
	d := synth.Ranking(60, 12, 1)
	d.QueryWeights = make([]float64, d.Queries())
	for q := range d.QueryWeights {
		d.QueryWeights[q] = float64(q % 3)
	}
	for _, c := range []struct {
		name string
		o    *Trainer
	}{
		{"normalized", with(Trainer{Trees: 6, Leaves: 12, Objective: Pairwise}, "Truncation")},
		{"not normalized",
			with(Trainer{Trees: 6, Leaves: 12, Objective: Pairwise, NoNorm: true, Sigmoid: 2}, "Truncation")},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, err := c.o.Fit(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for _, halved := range []bool{false, true} {
				got, err := c.o.Fit(t.Context(), listLabels(d, halved))
				if err != nil {
					t.Fatal(err)
				}
				a, b := make([]float64, d.Rows()), make([]float64, d.Rows())
				err = errors.Join(want.Model.ScoreInto(t.Context(), a, d), got.Model.ScoreInto(t.Context(), b, d))
				if err != nil {
					t.Fatal(err)
				}
				for i := range a {
					if !(math.Abs(a[i]-b[i]) <= 1e-4) {
						t.Fatalf("row %d: score %v, with labels %v", i, b[i], a[i])
					}
				}
				for k := range want.Model.Trees {
					g, w := &got.Model.Trees[k], &want.Model.Trees[k]
					if !slices.Equal(g.Feature, w.Feature) || !slices.Equal(g.Threshold, w.Threshold) {
						t.Errorf("tree %d has other splits than with labels", k)
					}
				}
			}
		})
	}
}

// Models are bit-identical for any number of threads and on every tier.
func TestListedPairsBits(t *testing.T) {
	d := listLabels(synth.Ranking(60, 12, 1), false)
	fitEverywhere(t, "pairs", *with(Trainer{Trees: 3, Leaves: 6, Objective: Pairwise}), d, []int{1, 3}, modelHash,
		0x10a0ae776d0200a9)
}

// The derivatives are sums over the pairs, with the weights of the pairs, the query and the rows.
func TestListedPairDerivatives(t *testing.T) {
	d := labeledSet(make([]float64, 4))
	d.QueryWeights, d.Weights = []float64{3}, []float64{1, 2, 1, 1}
	d.Pairs = []rank.Pair{{Better: 0, Worse: 1, Weight: 2}, {Better: 1, Worse: 0, Weight: 0.5},
		{Better: 2, Worse: 1, Weight: 0}}
	o, err := newObjective(with(Trainer{Objective: Pairwise, NoNorm: true, Sigmoid: 2}), d, 1)
	if err != nil {
		t.Fatal(err)
	}
	grad, hess := make([]float32, 4), make([]float32, 4)
	o.derivatives(t.Context(), 0, 0, 0, []float64{0.25, -0.25, 9, 9}, grad, hess)
	p := 1 / (1 + math.Exp(2*0.5)) // of the first pair; the other one has 1−p
	g := 3 * 2 * (-2*p + 0.5*(1-p))
	h := 3 * 4 * 2.5 * p * (1 - p)
	for i, want := range [][2]float64{{g, h}, {-2 * g, 2 * h}, {0, 0}, {0, 0}} {
		if math.Abs(float64(grad[i])-want[0]) > 1e-6 || math.Abs(float64(hess[i])-want[1]) > 1e-6 {
			t.Errorf("row %d: derivatives %v, %v, want %v", i, grad[i], hess[i], want)
		}
	}
}

func TestListedPairErrors(t *testing.T) {
	d := listLabels(synth.Ranking(4, 5, 1), false)
	for _, c := range []struct {
		want string
		o    *Trainer
	}{
		{"objective ndcg is not supported for data with Pairs: use pairwise", with(Trainer{Objective: NDCG})},
		{"objective yetirank is not supported for data with Pairs", with(Trainer{Objective: YetiRank})},
		{"MeanPairs cannot be combined with Pairs", with(Trainer{Objective: Pairwise, MeanPairs: 1})},
	} {
		t.Run(c.want, func(t *testing.T) {
			c.o.Trees = 1
			if _, err := c.o.Fit(t.Context(), d); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
