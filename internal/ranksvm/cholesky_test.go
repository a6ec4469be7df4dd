package ranksvm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A solution times the matrix is what was solved for, however the variables are scaled, and 0 in
// the variables that are fixed.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(n), 1))
			a, b := make([]float64, n*n), make([]float64, n)
			for range 2 * n { // a sum of squares of rows
				x := make([]float64, n)
				for j := range x {
					x[j] = math.Ldexp(r.Float64()-0.5, j%20)
				}
				for i := range n {
					for j := i; j < n; j++ {
						a[i*n+j] += x[i] * x[j]
					}
				}
			}
			for j := range b {
				b[j] = math.Ldexp(r.Float64(), j%20)
			}
			fixed := make([]bool, n)
			for _, hold := range []bool{false, true} {
				if hold && n > 1 {
					fixed[n/2] = true
				}
				var c Cholesky
				if !c.Factorize(t.Context(), a, n, fixed) {
					t.Fatal("not finite")
				}
				x := append([]float64(nil), b...)
				c.Solve(x)
				ax := make([]float64, n)
				multiply(ax, a, x)
				for j := range b {
					if fixed[j] {
						if x[j] != 0 {
							t.Errorf("fixed variable %d is %v", j, x[j])
						}
					} else if math.Abs(ax[j]-b[j]) > 1e-9*math.Ldexp(1, j%20) {
						t.Errorf("A·x is %v at %d, want %v", ax[j], j, b[j])
					}
				}
			}
		})
	}
}

// A matrix that is not positive definite is raised until it is, and Refine makes up for that where
// it can; one that is not finite is refused.
func TestCholeskyIndefinite(t *testing.T) {
	for _, c := range []struct {
		a    []float64
		want []float64 // the solution for 1, 1; nil: refused
	}{
		{[]float64{1, 1 + 0x1p-50, 0, 1}, []float64{0.5, 0.5}},
		{[]float64{0, 0, 0, 4}, []float64{0, 0.25}},
		{[]float64{math.Inf(1), 0, 0, 1}, nil},
		{[]float64{1, 0, 0, math.NaN()}, nil},
	} {
		t.Run(fmt.Sprint(c.a), func(t *testing.T) {
			var f Cholesky
			if ok := f.Factorize(t.Context(), c.a, 2, nil); ok != (c.want != nil) {
				t.Errorf("factorized: %v", ok)
			} else if !ok {
				return
			}
			x, rest, b, p := make([]float64, 2), make([]float64, 2), []float64{1, 1}, make([]float64, 2)
			f.Refine(x, rest, c.a, b, p)
			multiply(p, c.a, x)
			for j := range x {
				if math.Abs(x[j]-c.want[j]) > 1e-6 || rest[j] != b[j]-p[j] {
					t.Errorf("x is %v, want %v; rest %v", x, c.want, rest)
				}
			}
		})
	}
}
