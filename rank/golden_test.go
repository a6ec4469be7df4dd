package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// golden contains values of other tools, which bench/peers/metrics/golden.py computes. A case
// contains its labels and scores. Values of scikit-learn have names such as ndcg_sklearn@5. Values
// of XGBoost are in an object under XGBoost's names. Values that depend on no option have
// simdrank's names, but with underscores.
type golden struct {
	Cases []map[string]json.RawMessage
}

func TestGoldenMetrics(t *testing.T) {
	text, err := os.ReadFile("testdata/metrics.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Cases) < 40 {
		t.Fatalf("%d cases", len(g.Cases))
	}
	for i, c := range g.Cases {
		decode := func(key string, v any) {
			t.Helper()
			if err := json.Unmarshal(c[key], v); err != nil {
				t.Fatalf("case %d, %s: %v", i, key, err)
			}
			delete(c, key)
		}
		var l List
		decode("labels", &l.Labels)
		decode("scores", &l.Scores)
		check := func(metric string, want, tol float64, opts Options) {
			t.Helper()
			got, err := testkit.Must(NewEvaluator(metric, opts)).AppendValues(nil, &l)
			if err != nil || !testkit.Near(got[0], want, tol) {
				t.Errorf("case %d: %s = %v, %v, want %v", i, metric, got, err, want)
			}
		}
		var xgboost map[string]float64
		decode("xgboost", &xgboost)
		for name, want := range xgboost {
			if metric, minus := strings.CutSuffix(name, "-"); minus {
				check(metric, want, 1e-14, Options{Preset: "xgboost", Empty: "zero"})
			} else {
				check(metric, want, 1e-14, Options{Preset: "xgboost"})
			}
		}
		flat := !slices.ContainsFunc(l.Labels, func(label float64) bool { return label != l.Labels[0] })
		for key := range c {
			var want *float64
			decode(key, &want)
			if metric, k, sklearn := strings.Cut(key, "_sklearn@"); sklearn {
				check(strings.TrimSuffix(metric+"@"+k, "@0"), *want, 1e-14, Options{Preset: "sklearn"})
				continue
			}
			if want == nil {
				// scipy has no value for constant input. Here constant labels are also undefined,
				// and constant scores have the value 0. auc is undefined if all documents are
				// relevant or none is.
				want = new(float64)
				if flat || key == "auc" {
					*want = math.NaN()
				}
			}
			check(strings.ReplaceAll(key, "_", "-"), *want, 1e-12, Options{})
		}
	}
}

// Cases computed by hand for presets whose tools are not available, and for the differences between
// presets.
func TestPresets(t *testing.T) {
	l2 := func(i float64) float64 { return 1 / math.Log2(i) }
	labels, scores := []float64{0, 2, 1, 0}, []float64{3, 1, 2, 2} // two tied at ranks 2 and 3
	expIdeal, linearIdeal := 3+l2(3), 2+l2(3)
	for _, c := range []struct {
		preset         string
		metric         string
		labels, scores []float64
		want           float64
	}{
		// LightGBM (src/metric/dcg_calculator.cpp): stable, so label 1 at rank 2 and 2 at rank 4.
		{"lightgbm", "ndcg", labels, scores, (l2(3) + 3*l2(5)) / expIdeal},
		{"lightgbm", "ndcg@2", labels, scores, l2(3) / expIdeal},
		{"lightgbm", "ndcg@3", []float64{0, 0}, []float64{1, 2}, 1},
		// CatBoost (catboost/private/libs/… dcg.cpp): the lower label of a tie first.
		{"catboost", "ndcg", labels, scores, (l2(4) + 2*l2(5)) / linearIdeal},
		{"catboost", "ndcg@2", labels, scores, 0},
		{"catboost", "ndcg", []float64{0}, []float64{1}, 1},
		// LETOR 4 (Eval-Score-4.0.pl): gains 0, 1, 3; discounts 1, 1, 1/log₂3, 1/log₂4.
		{"letor4", "ndcg", labels, scores, (1 + 3*l2(4)) / (3 + 1)},
		{"letor4", "ndcg@2", labels, scores, 1. / 4},
		{"letor4", "ndcg@4", labels, scores, (1 + 3*l2(4)) / (3 + 1)},
		{"letor4", "ndcg@5", labels, scores, 0}, // fewer than 5 documents
		{"letor4", "ndcg@1", []float64{0, 0}, []float64{1, 2}, 0},
		{"sklearn", "ndcg", labels, scores, (.5*(l2(3)+l2(4)) + 2*l2(5)) / linearIdeal},
		{"xgboost", "ndcg", labels, scores, (l2(3) + 3*l2(5)) / expIdeal},
		{"xgboost", "map", []float64{0, 0}, []float64{1, 2}, 1},
	} {
		t.Run(fmt.Sprint(c.preset, " ", c.metric, " ", c.labels), func(t *testing.T) {
			got, err := testkit.Must(NewEvaluator(c.metric, Options{Preset: c.preset})).AppendValues(nil,
				&List{Labels: c.labels, Scores: c.scores})
			if err != nil || !testkit.Near(got[0], c.want, 1e-15) {
				t.Errorf("%s = %v, %v, want %v", c.metric, got, err, c.want)
			}
		})
	}
}
