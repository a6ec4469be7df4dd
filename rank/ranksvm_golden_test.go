package rank_test

import (
	"context"
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// The objectives are those of scikit-learn's LinearSVC on explicit pairs; see
// bench/peers/ranksvm/golden.py.
func TestRankSVMGolden(t *testing.T) {
	for _, c := range []struct {
		file           string
		c              float64
		pairs          int64
		squared, hinge float64
	}{
		{"mq2008-fold1/train.txt.gz", 1, 52325, 29566.522986451742, 24916.65681355442},
		{"lightgbm-lambdarank/train.txt.gz", 0.01, 13543, 96.83620579971649, 88.04215630310593},
		{"clueweb09-webis/S1.txt.gz", 0.001, 300633, 209.9617511538249, 186.49663808991366},
	} {
		t.Run(c.file, func(t *testing.T) {
			d, err := data.Load(testkit.DataPath(t, c.file), data.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for loss, want := range map[string]float64{"squared-hinge": c.squared, "hinge": c.hinge} {
				m, err := (&rank.RankSVM{C: c.c, Loss: loss}).Fit(context.Background(), d)
				if err != nil {
					t.Fatal(err)
				}
				r := m.Report
				if r.Pairs != c.pairs || !r.Converged() {
					t.Errorf("%v: %d pairs, want %d; stopped by %v", loss, r.Pairs, c.pairs, r.Stop)
				}
				if relative := r.Objective/want - 1; math.Abs(relative) > 1e-6 {
					t.Errorf("%v: objective %.12g, scikit-learn's %.12g: %.2g above", loss, r.Objective, want,
						relative)
				}
			}
		})
	}
}

// At the optimum, every trainer ranks the test set alike. The expected values come from
// liblinear-ranksvm 2.11 (-s 8 -c 1 -e 1e-5), which ended 2e-8 above the minimum, and were computed
// by the same evaluator.
func TestRankSVMQuality(t *testing.T) {
	train, err := data.Load(testkit.DataPath(t, "mq2008-fold1/train.txt.gz"), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	test, err := data.Load(testkit.DataPath(t, "mq2008-fold1/test.txt.gz"), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := new(rank.RankSVM).Fit(context.Background(), train)
	if err != nil {
		t.Fatal(err)
	}
	results, err := rank.Evaluate(t.Context(), m, test, "ndcg@10,tau-b,pair-accuracy-pooled", rank.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"ndcg@10": 0.720359, "tau-b": 0.365203,
		"pair-accuracy-pooled": 0.827171} {
		t.Run(name, func(t *testing.T) {
			got, err := results.Metric(name)
			if err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(got.Mean-want) <= 1e-3) {
				t.Errorf("%s on the test set: %.6f, liblinear-ranksvm's %v", name, got.Mean, want)
			}
		})
	}
}
