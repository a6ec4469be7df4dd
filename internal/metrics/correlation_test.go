package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMidRanks(t *testing.T) {
	var order []int32
	got := midRanks([]float64{9, 9}, &order, []float64{3, -1, 3, 0, 3})
	if want := []float64{8, 2, 8, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The weighted tau pair by pair: a pair weighs 1/(rank of i) + 1/(rank of j), by x, then y.
func TestWeightedTau(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	var tau WeightedTau
	for range 200 {
		n := 1 + rng.IntN(9)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(rng.IntN(4)), float64(rng.IntN(6))
		}
		before := func(i, j int) bool { return x[i] > x[j] || x[i] == x[j] && y[i] > y[j] }
		weight := func(i int) float64 {
			rank, tied := 1.0, 0.0
			for j := range n {
				if before(j, i) {
					rank++
				} else if j < i && !before(i, j) {
					tied++
				}
			}
			return 1 / (rank + tied)
		}
		var agree, ofX, ofY float64
		for i := range n {
			for j := range i {
				w := weight(i) + weight(j)
				a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
				agree += w * a * b
				ofX += w * a * a
				ofY += w * b * b
			}
		}
		want := 0.0
		if ofX > 0 && ofY > 0 {
			want = agree / math.Sqrt(ofX*ofY)
		}
		if got := tau.Of(x, y); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v, %v: %v, want %v", x, y, got, want)
		}
	}
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
