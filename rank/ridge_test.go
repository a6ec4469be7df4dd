package rank

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// The optimum is where the gradient is zero: −2·Σ xᵢrᵢ + 2·Alpha·w and Σ rᵢ.
func TestRidge(t *testing.T) {
	d := randomSet(1, 30, 20, 5, 4) // more rows than ridgeBlock
	for i := range d.Rows() {
		d.Row(i)[2] += 1e5 // a large mean
	}
	for _, r := range []Ridge{{}, {Alpha: 30}, {Alpha: 2, NoIntercept: true}} {
		m, err := r.Fit(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		alpha := r.Alpha
		if alpha == 0 {
			alpha = 1
		}
		g, sum, size := make([]float64, d.Cols), 0.0, 0.0
		for i, y := range d.Labels {
			residual := y - m.Score(d.Row(i))
			sum += residual
			for j, v := range d.Row(i) {
				g[j] += float64(v) * residual
				size = max(size, math.Abs(float64(v)))
			}
		}
		for j := range g {
			if g[j] -= alpha * m.Weights[j]; math.Abs(g[j]) > 1e-9*size*float64(d.Rows()) {
				t.Errorf("%+v: gradient %d is %g", r, j, g[j])
			}
		}
		if !r.NoIntercept && math.Abs(sum) > 1e-7 {
			t.Errorf("%+v: residuals sum to %g", r, sum)
		}
		if r.NoIntercept && m.Intercept != 0 {
			t.Errorf("%+v: intercept %v", r, m.Intercept)
		}
	}
}

func TestRidgeErrors(t *testing.T) {
	good := randomSet(1, 2, 5, 3, 3)
	bad := randomSet(1, 2, 5, 3, 3)
	bad.Row(4)[1] = float32(math.Inf(1))
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		r    Ridge
		d    *Dataset
		want string
	}{
		{context.Background(), Ridge{Alpha: -1}, good, "Alpha is -1"},
		{context.Background(), Ridge{}, NewDataset(0, 3), "no rows"},
		{context.Background(), Ridge{}, NewDataset(0, 0), "no rows"},
		{context.Background(), Ridge{}, bad, "row 4: feature 2 is +Inf"},
		{canceled, Ridge{}, good, "canceled"},
	} {
		if _, err := c.r.Fit(c.ctx, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want error %q", err, c.want)
		}
	}
	if _, err := (&Ridge{}).Fit(canceled, good); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
