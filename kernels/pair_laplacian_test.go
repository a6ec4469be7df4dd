package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The Laplacian contains the second derivatives of the losses by their definition.
func TestPairLaplacian(t *testing.T) {
	const n = 40
	z, gain, lower := make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		z[i] = 1.5 * math.Sin(float64(i*i))
		gain[i] = float64(i / 7 * (i / 7))
		lower[i] = int32(i / 7 * 7)
	}
	l, want := make([]float64, n*n), make([]float64, n*n)
	better := betterWeights(rand.New(rand.NewPCG(9, 9)), n)
	for _, w := range []pairWeights{{}, {gain, nil}, {nil, better}, {gain, better}} {
		t.Run(fmt.Sprintf("gain %t, better %t", w.gain != nil, w.better != nil), func(t *testing.T) {
			q := PairQuery{z, lower, w.gain, w.better, 0.7}
			for _, c := range []struct {
				name      string
				laplacian func() bool
				ref       pairRef
			}{
				{"squared hinge", func() bool { return PairSquaredHingeLaplacian(l, q) },
					squaredHingeRef},
				{"Huber", func() bool { return PairHuberHingeLaplacian(l, q, 0.3) },
					huberRef(0.3)},
				{"logistic", func() bool { return PairLogisticLaplacian(l, q, 1.3) },
					logisticRef(1.3)},
			} {
				t.Run(c.name, func(t *testing.T) {
					l[5] = 99 // old contents are overwritten
					if !c.laplacian() {
						t.Fatal("no second derivative")
					}
					clear(want)
					for i, p := range lower {
						for j := range int(p) {
							_, _, d := c.ref(z[j] - z[i])
							d *= 0.7 * weightRef(w, i, j)
							want[i*n+i], want[j*n+j] = want[i*n+i]+d, want[j*n+j]+d
							want[i*n+j], want[j*n+i] = -d, -d
						}
					}
					for k := range want {
						if d := math.Abs(l[k] - want[k]); d > 1e-13*math.Abs(l[k%n*n+k%n]) {
							t.Fatalf("l[%d,%d] = %v, the definition says %v", k/n, k%n, l[k], want[k])
						}
					}
				})
			}
		})
	}
	for i := range z {
		z[i] = float64(10 * i) // every pair is ordered by a wide margin
	}
	if PairSquaredHingeLaplacian(l, PairQuery{z, lower, nil, nil, 1}) ||
		PairHuberHingeLaplacian(l, PairQuery{z, lower, nil, nil, 1}, 0.5) {
		t.Error("pairs without loss have a second derivative")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic on a matrix that is too small")
		}
	}()
	PairSquaredHingeLaplacian(l[1:], PairQuery{z, lower, nil, nil, 1})
}

// Scores at which the losses change their form, and scores that are so far apart that exponentials
// overflow.
func TestPairLaplacianCorners(t *testing.T) {
	second := func(laplacian func(l, z []float64, lower []int32) bool, zi, zj float64) float64 {
		l := make([]float64, 4)
		laplacian(l, []float64{zj, zi}, []int32{0, 1})
		return l[0]
	}
	squared := func(l, z []float64, lower []int32) bool {
		return PairSquaredHingeLaplacian(l, PairQuery{z, lower, nil, nil, 1})
	}
	huber := func(l, z []float64, lower []int32) bool {
		return PairHuberHingeLaplacian(l, PairQuery{z, lower, nil, nil, 1}, 0.5)
	}
	logistic := func(l, z []float64, lower []int32) bool {
		return PairLogisticLaplacian(l, PairQuery{z, lower, nil, nil, 1}, 1)
	}
	below := math.Nextafter(0.5, 0)
	for _, c := range []struct {
		name         string
		laplacian    func(l, z []float64, lower []int32) bool
		zi, zj, want float64
	}{
		{"squared hinge at 0", squared, 1, 0, 0},
		{"squared hinge above 0", squared, math.Nextafter(1, 0), 0, 2},
		{"Huber at 0", huber, 1, 0, 0},
		{"Huber above 0", huber, math.Nextafter(1, 0), 0, 2},
		{"Huber below delta", huber, 1, below, 2},
		{"Huber at delta", huber, 0.5, 0, 0},
		{"logistic far right", logistic, 800, 0, 0},
		{"logistic far wrong", logistic, 0, 800, 0},
		{"logistic at infinity", logistic, math.Inf(1), 0, 0},
		{"logistic right", logistic, 40, 0, expGeneric(-40)},
		{"logistic wrong", logistic, 0, 40, expGeneric(-40)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := second(c.laplacian, c.zi, c.zj); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
