package kernels

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// The counts of six values, by hand.
func TestCountTau(t *testing.T) {
	x, y := []float32{2, 1, 1, 1, 1, 3}, []int{6, 7, 7, 7, 9, 8}
	want := PairCounts{
		Discordant: 5, TiedBoth: 3,
		X: TieCounts{Distinct: 3, Pairs: 6, Triples: 4},
		Y: TieCounts{Distinct: 4, Pairs: 3, Triples: 1},
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
	want, _ := CountTau(x, x, nil)
	for _, threads := range []int{1, 2, 8} {
		calls := testkit.NewProgress(t)
		if got, _ := CountTau(x, x, &Work{Threads: threads, Progress: calls.Report}); got != want {
			t.Errorf("%d threads: %+v, want %+v", threads, got, want)
		}
		calls.Check(2)
	}
}
