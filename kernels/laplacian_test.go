package kernels

import (
	"math"
	"testing"
)

// The Laplacian holds the second derivatives of the definition of the losses.
func TestPairLaplacian(t *testing.T) {
	const n = 40
	z, gain, lower := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		z[i] = 1.5 * math.Sin(float64(i*i))
		gain[i] = float64(i / 7 * (i / 7))
		lower[i] = int32(i / 7 * 7)
	}
	l, want := make([]float64, n*n), make([]float64, n*n)
	for _, g := range [][]float64{nil, gain} {
		for _, c := range []struct {
			name      string
			laplacian func() bool
			ref       pairRef
		}{
			{"squared hinge", func() bool { return PairSquaredHingeLaplacian(l, z, lower, g, 0.7) }, squaredHingeRef},
			{"Huber", func() bool { return PairHuberHingeLaplacian(l, z, lower, g, 0.3, 0.7) }, huberRef(0.3)},
			{"logistic", func() bool { return PairLogisticLaplacian(l, z, lower, g, 1.3, 0.7) }, logisticRef(1.3)},
		} {
			l[5] = 99 // what was there before is gone
			if !c.laplacian() {
				t.Fatalf("%s: no second derivative", c.name)
			}
			clear(want)
			for i, p := range lower {
				for j := range int(p) {
					_, _, d := c.ref(z[j] - z[i])
					d *= 0.7 * pairWeight(g, i, j)
					want[i*n+i], want[j*n+j] = want[i*n+i]+d, want[j*n+j]+d
					want[i*n+j], want[j*n+i] = -d, -d
				}
			}
			for k := range want {
				if d := math.Abs(l[k] - want[k]); d > 1e-13*math.Abs(l[k%n*n+k%n]) {
					t.Fatalf("%s: l[%d,%d] = %v, the definition says %v", c.name, k/n, k%n, l[k], want[k])
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
