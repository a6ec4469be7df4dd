package bench

import (
	"context"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

// BenchmarkRankSVM trains on one thread and on data in memory until the model has converged.
func BenchmarkRankSVM(b *testing.B) {
	for _, c := range []struct {
		name   string
		config synth.Config
		s      rank.RankSVM
	}{
		{"50k×136", synth.Config{Seed: 1, Rows: 50_000, Cols: 136}, rank.RankSVM{C: .01}},
		{"50k×136/hinge", synth.Config{Seed: 1, Rows: 50_000, Cols: 136}, rank.RankSVM{C: .01, Loss: "hinge"}},
		{"50k×136/logistic", synth.Config{Seed: 1, Rows: 50_000, Cols: 136}, rank.RankSVM{C: .01, Loss: "logistic"}},
		{"50k×136/unscaled", synth.Config{Seed: 1, Rows: 50_000, Cols: 136, Unscaled: true}, rank.RankSVM{C: .01}},
		{"one query 100k×12", synth.OneQuery(1, 100_000, 12), rank.RankSVM{C: 1e-6}},
	} {
		c.s.Threads = 1
		d := c.config.Dataset()
		benchTiers(b, c.name, func(b *testing.B) {
			var passes float64
			for b.Loop() {
				m, err := c.s.Fit(context.Background(), d)
				if err != nil {
					b.Fatal(err)
				}
				passes = float64(m.Report.Passes)
			}
			b.ReportMetric(passes, "passes")
		})
	}
}
