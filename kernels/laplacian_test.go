package kernels

import (
	"math"
	"testing"
)

// The Laplacian is the matrix that the Hessian products are products with.
func TestPairLaplacian(t *testing.T) {
	const n = 40
	z, gain, lower := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		z[i] = 1.5 * math.Sin(float64(i*i))
		gain[i] = float64(i / 7 * (i / 7))
		lower[i] = int32(i / 7 * 7)
	}
	unit, column, l := make([]float64, n), make([]float64, n), make([]float64, n*n)
	var work PairWork
	for _, g := range [][]float64{nil, gain} {
		for _, c := range []struct {
			name      string
			laplacian func() bool
			product   func()
		}{
			{"squared hinge",
				func() bool { return PairSquaredHingeLaplacian(l, z, lower, g, 0.7) },
				func() { PairSquaredHingeHess(column, unit, z, lower, g, 0.7, &work) }},
			{"Huber",
				func() bool { return PairHuberHingeLaplacian(l, z, lower, g, 0.3, 0.7) },
				func() { PairHuberHingeHess(column, unit, z, lower, g, 0.3, 0.7, &work) }},
			{"logistic",
				func() bool { return PairLogisticLaplacian(l, z, lower, g, 1.3, 0.7) },
				func() { PairLogisticHess(column, unit, z, lower, g, 1.3, 0.7, &work) }},
		} {
			l[5] = 99 // what was there before is gone
			if !c.laplacian() {
				t.Fatalf("%s: no second derivative", c.name)
			}
			for j := range n {
				clear(unit)
				unit[j] = 1
				c.product()
				for i := range n {
					if d := math.Abs(l[i*n+j] - column[i]); d > 1e-13*math.Abs(l[j*n+j]) {
						t.Fatalf("%s: l[%d,%d] = %v, the product says %v", c.name, i, j, l[i*n+j], column[i])
					}
				}
			}
		}
	}
	for i := range z {
		z[i] = float64(10 * i) // every pair far in its order
	}
	if PairSquaredHingeLaplacian(l, z, lower, nil, 1) || PairHuberHingeLaplacian(l, z, lower, nil, 0.5, 1) {
		t.Error("pairs without loss have a second derivative")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic on a matrix that is too small")
		}
	}()
	PairSquaredHingeLaplacian(l[1:], z, lower, nil, 1)
}
