package kernels

import (
	"math"
	"testing"
)

// The counts of six values, by hand.
func TestCountTau(t *testing.T) {
	x, y := []float32{2, 1, 1, 1, 1, 3}, []int{6, 7, 7, 7, 9, 8}
	want := PairCounts{
		Discordant: 5, TiedBoth: 3,
		X: Ties{Distinct: 3, Pairs: 6, Triples: 4},
		Y: Ties{Distinct: 4, Pairs: 3, Triples: 1},
	}
	var c Work
	if got, noNaN := CountTau(x, y, &c); !noNaN || got != want {
		t.Errorf("%+v %v, want %+v", got, noNaN, want)
	}
	x[3] = float32(math.NaN())
	if got, noNaN := CountTau(x, y, &c); noNaN || got != (PairCounts{}) {
		t.Errorf("%+v %v of a NaN", got, noNaN)
	}
}

func TestCountTauOptions(t *testing.T) {
	x := make([]float64, 1<<17)
	for i := range x {
		x[i] = float64(i * 7919 % len(x))
	}
	var done int64
	c := Work{Progress: func(n, total int64) { done = max(done, n) }}
	want, _ := CountTau(x, x, &c)
	if done == 0 {
		t.Error("no progress is reported")
	}
	c = Work{Threads: 2}
	if got, _ := CountTau(x, x, &c); got != want {
		t.Errorf("two threads: %+v, want %+v", got, want)
	}
}
