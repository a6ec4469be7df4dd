package main

import (
	"path/filepath"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

type evaluated struct {
	Metrics map[string]struct {
		Mean             float64
		Counted, Skipped int
	}
}

// TestRealData trains on one part of published data and asks for the quality on another that
// the optimum has.
func TestRealData(t *testing.T) {
	for _, c := range []struct {
		train, test, c string
		queries        int
		atLeast        map[string]float64
	}{
		{"mq2008-fold1/train.txt.gz", "mq2008-fold1/test.txt.gz", "1", 156,
			map[string]float64{"pair-accuracy": 0.78, "ndcg@10": 0.715, "tau-b": 0.36}},
		{"lightgbm-lambdarank/train.txt.gz", "lightgbm-lambdarank/test.txt.gz", "0.01", 50,
			map[string]float64{"pair-accuracy": 0.68, "ndcg@10": 0.715, "tau-b": 0.28}},
		{"clueweb09-webis/S1.txt.gz", "clueweb09-webis/S3.txt.gz", "0.0001", 12,
			map[string]float64{"pair-accuracy": 0.70, "ndcg@10": 0.19, "tau-b": 0.15}},
	} {
		t.Run(c.train, func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model.json.gz")
			succeed(t, "", "train", "-d", testkit.DataPath(t, c.train), "--c", c.c, "-o", model)
			got := decode[evaluated](t, succeed(t, "", "eval", "-m", model, "-d", testkit.DataPath(t, c.test),
				"--format", "json"))
			for name, least := range c.atLeast {
				m := got.Metrics[name]
				if m.Mean < least || m.Counted+m.Skipped != c.queries {
					t.Errorf("%s: %s is %v over %d+%d queries, want %v over %d", c.test, name, m.Mean, m.Counted,
						m.Skipped,
						least, c.queries)
				}
			}
		})
	}
}
