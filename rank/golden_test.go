package rank

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// golden are values of other tools; bench/peers/metrics/golden.py makes them.
type golden struct {
	Cases []struct {
		Labels, Scores []float64
		Sklearn0       float64  `json:"ndcg_sklearn@0"`
		Sklearn1       float64  `json:"ndcg_sklearn@1"`
		Sklearn5       float64  `json:"ndcg_sklearn@5"`
		Sklearn10      float64  `json:"ndcg_sklearn@10"`
		DCG0           float64  `json:"dcg_sklearn@0"`
		DCG5           float64  `json:"dcg_sklearn@5"`
		AUC            *float64 `json:"auc"`
		TauB           *float64 `json:"tau_b"`
		WeightedTau    *float64 `json:"weighted_tau"`
		Spearman       *float64
		XGBoost        map[string]float64
	}
}

func loadGolden(t *testing.T) *golden {
	t.Helper()
	text, err := os.ReadFile("testdata/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	g := new(golden)
	if err := json.Unmarshal(text, g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGoldenMetrics(t *testing.T) {
	undefined := func(p *float64, constant float64) float64 {
		if p == nil {
			return constant
		}
		return *p
	}
	g := loadGolden(t)
	if len(g.Cases) < 40 {
		t.Fatalf("%d cases", len(g.Cases))
	}
	sklearn := mustEvaluator(t, "ndcg,ndcg@1,ndcg@5,ndcg@10,dcg,dcg@5", Sklearn)
	xgboost := mustEvaluator(t, "ndcg,ndcg@3,map,map@3", XGBoost)
	minus := mustEvaluator(t, "ndcg@3", XGBoost, EmptyZero)
	pairs := mustEvaluator(t, "auc,tau-b,weighted-tau,spearman")
	for i, c := range g.Cases {
		check := func(e *Evaluator, labels []float64, tol float64, want ...float64) {
			t.Helper()
			got, err := e.Eval(nil, &List{Labels: labels, Scores: c.Scores})
			if err != nil {
				t.Fatal(err)
			}
			for m, w := range want {
				if !near(got[m], w, tol) {
					t.Errorf("case %d: %v = %v, want %v", i, e.Metrics()[m], got[m], w)
				}
			}
		}
		check(sklearn, c.Labels, 1e-14, c.Sklearn0, c.Sklearn1, c.Sklearn5, c.Sklearn10, c.DCG0, c.DCG5)
		x := c.XGBoost
		check(xgboost, c.Labels, 1e-14, x["ndcg"], x["ndcg@3"], x["map"], x["map@3"])
		check(minus, c.Labels, 1e-14, x["ndcg@3-"])

		// scipy has no value for constant input: constant labels are undefined here too, and
		// constant scores are worth 0.
		constant, flat := 0.0, true
		for _, l := range c.Labels {
			flat = flat && l == c.Labels[0]
		}
		if flat {
			constant = math.NaN()
		}
		check(pairs, c.Labels, 1e-12, undefined(c.AUC, math.NaN()), undefined(c.TauB, constant),
			undefined(c.WeightedTau, constant), undefined(c.Spearman, constant))
	}
}

// Cases by hand of the presets whose tools are not at hand, and of what tells them apart.
func TestPresets(t *testing.T) {
	l2 := func(i float64) float64 { return 1 / math.Log2(i) }
	labels, scores := []float64{0, 2, 1, 0}, []float64{3, 1, 2, 2} // two tied at ranks 2 and 3
	expIdeal, linearIdeal := 3+l2(3), 2+l2(3)
	for _, c := range []struct {
		preset         Preset
		metric         string
		labels, scores []float64
		want           float64
	}{
		// LightGBM (src/metric/dcg_calculator.cpp): stable, so label 1 at rank 2 and 2 at rank 4.
		{LightGBM, "ndcg", labels, scores, (l2(3) + 3*l2(5)) / expIdeal},
		{LightGBM, "ndcg@2", labels, scores, l2(3) / expIdeal},
		{LightGBM, "ndcg@3", []float64{0, 0}, []float64{1, 2}, 1},
		// CatBoost (catboost/private/libs/… dcg.cpp): the lower label of a tie first.
		{CatBoost, "ndcg", labels, scores, (l2(4) + 2*l2(5)) / linearIdeal},
		{CatBoost, "ndcg@2", labels, scores, 0},
		{CatBoost, "ndcg", []float64{0}, []float64{1}, 1},
		// LETOR 4 (Eval-Score-4.0.pl): gains 0, 1, 3; discounts 1, 1, 1/log₂3, 1/log₂4.
		{LETOR4, "ndcg", labels, scores, (1 + 3*l2(4)) / (3 + 1)},
		{LETOR4, "ndcg@2", labels, scores, 1. / 4},
		{LETOR4, "ndcg@4", labels, scores, (1 + 3*l2(4)) / (3 + 1)},
		{LETOR4, "ndcg@5", labels, scores, 0}, // fewer than 5 documents
		{LETOR4, "ndcg@1", []float64{0, 0}, []float64{1, 2}, 0},
		{Sklearn, "ndcg", labels, scores, (.5*(l2(3)+l2(4)) + 2*l2(5)) / linearIdeal},
		{XGBoost, "ndcg", labels, scores, (l2(3) + 3*l2(5)) / expIdeal},
		{XGBoost, "map", []float64{0, 0}, []float64{1, 2}, 1},
	} {
		got, err := mustEvaluator(t, c.metric, c.preset).Eval(nil, &List{Labels: c.labels, Scores: c.scores})
		if err != nil || !near(got[0], c.want, 1e-15) {
			t.Errorf("preset %d: %s = %v, %v, want %v", c.preset, c.metric, got, err, c.want)
		}
	}
}
