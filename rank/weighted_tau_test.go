package rank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/kernels"
)

func TestWeightedTauOfColumns(t *testing.T) {
	for _, g := range kendallGolden {
		t.Run(fmt.Sprint(g.n, g.mx, g.my), func(t *testing.T) {
			x, y := lcg(g.n, g.mx, 1), lcg(g.n, g.my, 2)
			if g.addX {
				for i := range y {
					y[i] += x[i]
				}
			}
			tau, p, err := WeightedTau(t.Context(), x, y, 0, 1, nil)
			if err != nil || !math.IsNaN(p) || !testkit.Near(tau, g.weighted, 1e-12) &&
				!(math.IsNaN(tau) && math.IsNaN(g.weighted)) {
				t.Errorf("%v, %v, %v, want %v", tau, p, err, g.weighted)
			}
		})
	}
}

// The p-value of five values is compared with the share of their 120 permutations.
func TestWeightedTauP(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 4}, []float64{2, 1, 3, 3, 5}
	observed, _, err := WeightedTau(t.Context(), x, y, 0, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	far, all := 0, 0
	var w permuted
	permute(len(y), func(order []int) {
		v := make([]float64, len(y))
		for i, from := range order {
			v[i] = y[from]
		}
		if all++; math.Abs(w.tau(x, v)) >= math.Abs(observed)-1e-12 {
			far++
		}
	})
	exact := float64(far) / float64(all)
	const rounds = 5000
	_, p, err := WeightedTau(t.Context(), x, y, rounds, 1, nil)
	if sd := math.Sqrt(exact * (1 - exact) / rounds); all != 120 || err != nil || math.Abs(p-exact) > 4*sd {
		t.Errorf("p-value %v, %v, want %v", p, err, exact)
	}
	// The bits do not depend on the number of threads.
	for _, threads := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			var last, total int64
			work := &kernels.Work{Threads: threads, Progress: func(done, of int64) { last, total = done, of }}
			_, again, err := WeightedTau(t.Context(), x, y, rounds, 1, work)
			if again != p || err != nil || last != rounds || total != rounds {
				t.Errorf("p-value %v, %v, want %v; progress %d of %d", again, err, p, last, total)
			}
		})
	}
	if _, other, err := WeightedTau(t.Context(), x, y, rounds, 2, nil); other == p || err != nil {
		t.Errorf("another seed has the p-value %v, too, %v", other, err)
	}
	if p != 0.09198160367926415 {
		t.Errorf("p-value %v: seeded results must not change", p)
	}
}

func TestWeightedTauErrors(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	two := []float64{1, 2}
	for _, c := range []struct {
		ctx  context.Context
		x, y []float64
		want string
	}{
		{t.Context(), two, two[:1], "differ in length: 2 and 1"},
		{t.Context(), two, []float64{0, math.NaN()}, "y[1]: NaN"},
		{ended, two, two, "context canceled"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, _, err := WeightedTau(c.ctx, c.x, c.y, 10, 1, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	if _, _, err := WeightedTau(ended, two, two, 10, 1, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, v := range [][]float64{nil, {1}, {3, 3}} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			tau, p, err := WeightedTau(t.Context(), v, v, 10, 1, nil)
			if !math.IsNaN(tau) || !math.IsNaN(p) || err != nil {
				t.Errorf("%v, %v, %v", tau, p, err)
			}
		})
	}
}
