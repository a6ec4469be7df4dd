package bench

import (
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// residuals implements query-rmse like a user program.
type residuals struct{}

func (residuals) String() string { return "residuals" }

func (r residuals) Begin(*lambdamart.Trainer, *rank.Dataset) (lambdamart.QueryLoss, float64, error) {
	return r, 0, nil
}

func (residuals) Derivatives(q lambdamart.Query, grad, hess []float32) {
	sum, weights := 0.0, 0.0
	for i, y := range q.Labels {
		sum += float64(q.Weight(i) * (q.Scores[i] - y))
		weights += q.Weight(i)
	}
	for i, y := range q.Labels {
		grad[i] = float32((q.Scores[i] - y - sum/weights) * q.Weight(i))
		hess[i] = float32(q.Weight(i))
	}
}

// passedOn wraps a built-in objective in a user-defined one.
type passedOn struct{ lambdamart.Objective }

func (p passedOn) Begin(t *lambdamart.Trainer, d *rank.Dataset) (lambdamart.QueryLoss, float64, error) {
	loss, bias, err := p.Objective.Begin(t, d)
	return passed{loss}, bias, err
}

type passed struct{ lambdamart.QueryLoss }

func (p passed) Derivatives(q lambdamart.Query, grad, hess []float32) {
	p.QueryLoss.Derivatives(q, grad, hess)
}

// BenchmarkObjective trains with built-in objectives, and with equivalent user-defined objectives.
func BenchmarkObjective(b *testing.B) {
	d := (&synth.Config{Rows: 50_000, Cols: 20}).Dataset()
	for _, o := range []struct {
		name    string
		builtin lambdamart.Builtin
		own     lambdamart.Objective
	}{
		{"query-rmse", lambdamart.QueryRMSE, residuals{}},
		{"ndcg", lambdamart.NDCG, passedOn{lambdamart.NDCG}},
	} {
		for _, c := range []struct {
			name      string
			objective lambdamart.Objective
		}{{"builtin", o.builtin}, {"own", o.own}} {
			b.Run(fmt.Sprint(o.name, "/", c.name), func(b *testing.B) {
				for b.Loop() {
					t := lambdamart.DefaultTrainer()
					t.Objective, t.Trees, t.Threads = c.objective, 20, 1
					if _, err := t.Fit(b.Context(), d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
