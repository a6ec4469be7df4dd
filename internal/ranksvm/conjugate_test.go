package ranksvm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// A diagonal matrix with a border, against the product with the solution.
func TestConjugateGradients(t *testing.T) {
	const n = 30
	apply := func(q, p []float64) {
		sum := 0.0
		for i, v := range p {
			q[i] = float64(float64(i+1) * v)
			sum += v
		}
		for i := range q {
			q[i] += sum / 10
		}
	}
	want, r, scale := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range want {
		want[i], scale[i] = float64(i%7)-3, 1/(float64(i+1)+.1)
	}
	apply(r, want)
	w := make([]float64, n)
	w[0] = 5 // is overwritten
	calls := testkit.NewProgress(t)
	steps, left, err := ConjugateGradients(t.Context(), w, slices.Clone(r), scale, apply, calls.Report)
	if calls.Check(4); err != nil || steps == 0 || steps > n || !(left <= gradientTol) {
		t.Errorf("%d steps leave %v, %v", steps, left, err)
	}
	for i, v := range w {
		if math.Abs(v-want[i]) > 1e-8 {
			t.Errorf("w[%d] = %v, want %v", i, v, want[i])
		}
	}
	if steps, left, err := ConjugateGradients(t.Context(), w, make([]float64, n), scale, apply, nil); steps != 0 ||
		left != 0 || err != nil || w[3] != 0 {
		t.Errorf("of 0: %d steps leave %v of %v, %v", steps, left, w, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	steps, left, err = ConjugateGradients(ctx, w, slices.Clone(r), scale, apply, nil)
	if steps != 0 || left != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %d steps leave %v, %v", steps, left, err)
	}
	// Nothing solves what turns a vector by a right angle.
	turn := func(q, p []float64) { q[0], q[1] = p[0]-1e9*p[1], 1e9*p[0]+p[1] }
	_, left, err = ConjugateGradients(t.Context(), w[:2], []float64{1, 2}, []float64{1, 1}, turn, nil)
	if err == nil && left <= gradientTol {
		t.Errorf("left %v, %v", left, err)
	}
}
