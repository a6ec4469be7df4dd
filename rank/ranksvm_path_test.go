package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestFitPathValidation(t *testing.T) {
	train, valid := randomSet(20, 15, 8, 12, 3), randomSet(21, 40, 10, 12, 3)
	ctx := context.Background()
	cs := []float64{1, 1e-6, 1e-2, 1}
	selection := CSelection{Evaluator: testkit.Must(NewEvaluator("tau-b", Options{})), Valid: valid}
	m, p, err := new(RankSVM).FitPath(ctx, train, cs, selection)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1, 1e-6, 1e-2, 1}; !slices.Equal(cs, want) {
		t.Errorf("the caller's values of C are %v now, want %v", cs, want)
	}
	if len(p) != 3 || p[0].C != 1e-6 || p[2].C != 1 {
		t.Fatalf("path %+v", p)
	}
	best, bestC := math.Inf(-1), 0.0
	for _, point := range p {
		cold, err := (&RankSVM{C: point.C}).Fit(ctx, train)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for q := range valid.Queries() {
			lo, hi := valid.Query(q)
			scores := make([]float64, hi-lo)
			cold.scoreRows(scores, valid, lo)
			tau, err := KendallTau(scores, valid.Labels[lo:hi])
			if err != nil {
				t.Fatal(err)
			}
			sum += tau.TauB()
		}
		if point.C == m.Report.C { // it was evaluated on the path and then trained again
			sameModel(t, m, cold)
		} else if got := sum / float64(valid.Queries()); !testkit.Near(got, point.Value, 1e-12) {
			t.Errorf("C=%g: score %v, want %v", point.C, point.Value, got)
		}
		if point.Unconverged != 0 || !(point.Gap <= 1e-6) {
			t.Errorf("C=%g: %d trainings did not converge, gap %g", point.C, point.Unconverged, point.Gap)
		}
		if point.Value > best {
			best, bestC = point.Value, point.C
		}
	}
	if m.Report.C != bestC {
		t.Errorf("chose C = %g of %+v", m.Report.C, p)
	}
}

// With one fold per query, each query is scored by a model that never saw it.
func TestFitPathCrossValidation(t *testing.T) {
	d := randomSet(22, 6, 9, 4, 3)
	ctx := context.Background()
	e := testkit.Must(NewEvaluator("tau-b", Options{}))
	m, p, err := new(RankSVM).FitPath(ctx, d, []float64{1e-3, 0.1}, CSelection{Evaluator: e, Folds: 6})
	if err != nil {
		t.Fatal(err)
	}
	for _, point := range p {
		var sum float64
		for q := range d.Queries() {
			weights := []float64{1, 1, 1, 1, 1, 1}
			weights[q] = 0
			rest := *d
			rest.QueryWeights = weights
			m, err := (&RankSVM{C: point.C}).Fit(ctx, &rest)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := d.Query(q)
			scores := make([]float64, hi-lo)
			m.scoreRows(scores, d, lo)
			tau, err := KendallTau(scores, d.Labels[lo:hi])
			if err != nil {
				t.Fatal(err)
			}
			sum += tau.TauB()
		}
		// Models differ within the tolerance of training, so nearly tied points may swap.
		if math.Abs(sum/6-point.Value) > 0.02 {
			t.Errorf("C=%g: score %v, leaving one out by hand %v", point.C, point.Value, sum/6)
		}
	}
	all, err := (&RankSVM{C: m.Report.C}).Fit(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	sameModel(t, m, all)
	again, _, err := (&RankSVM{Threads: 3}).FitPath(ctx, d, []float64{1e-3, 0.1}, CSelection{Evaluator: e, Folds: 6})
	if err != nil {
		t.Fatal(err)
	}
	sameModel(t, again, m)
}

// Trainings that end early are counted, in the folds and on the path.
func TestFitPathUnconverged(t *testing.T) {
	d := randomSet(22, 60, 9, 4, 3)
	s := RankSVM{MaxPasses: 1, Tol: 1e-12}
	for _, c := range []struct {
		sel          CSelection
		chosen, rest int
	}{
		{CSelection{Evaluator: testkit.Must(NewEvaluator("tau-b", Options{})), Valid: d}, 2, 1},
		{CSelection{Evaluator: testkit.Must(NewEvaluator("tau-b", Options{})), Folds: 3}, 4, 3},
	} {
		t.Run(fmt.Sprint(c.chosen), func(t *testing.T) {
			m, p, err := s.FitPath(context.Background(), d, []float64{1e-3, 0.1}, c.sel)
			if err != nil {
				t.Fatal(err)
			}
			for k, point := range p {
				want := c.rest
				if point.C == m.Report.C && (k > 0 || c.sel.Valid == nil) {
					want = c.chosen
				}
				if point.Unconverged != want || !(point.Gap > s.Tol && point.Gap <= 1) {
					t.Errorf("C=%g: %d trainings did not converge, want %d; gap %g", point.C, point.Unconverged, want,
						point.Gap)
				}
			}
		})
	}
}

func TestFitPathErrors(t *testing.T) {
	d := randomSet(23, 6, 9, 4, 3)
	flat := randomSet(23, 6, 9, 4, 1)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		want string
		ctx  context.Context
		s    RankSVM
		cs   []float64
		sel  CSelection
	}{
		{"the path contains the C value -1; C must be positive and finite", nil, RankSVM{}, []float64{1, -1}, CSelection{}},
		{"the number of folds is 1; it must be", nil, RankSVM{}, nil, CSelection{Folds: 1}},
		{"the number of folds is 7; it must be from 2 to the number of queries, 6", nil, RankSVM{}, nil, CSelection{Folds: 7}},
		{"ndcg@10 is undefined", nil, RankSVM{}, nil, CSelection{Valid: flat}},
		{"fold 1 of 5", nil, RankSVM{Tol: 3}, nil, CSelection{}},
		{"context canceled", canceled, RankSVM{}, nil, CSelection{}},
	} {
		t.Run(c.want, func(t *testing.T) {
			ctx := c.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			if m, p, err := c.s.FitPath(ctx, d, c.cs, c.sel); m != nil || p != nil || err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want error %q", p, err, c.want)
			}
		})
	}
	if _, _, err := new(RankSVM).FitPath(canceled, d, nil, CSelection{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
