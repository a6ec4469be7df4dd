package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var _ = register(entry{
	Name: "FoldU8",
	Args: func(d *draw, n int) []any {
		x := make([]uint8, n)
		for i := range x {
			if x[i] = uint8(d.IntN(FoldedGrade)); d.IntN(4) == 0 {
				x[i] = UnjudgedGrade
			}
		}
		if n > 0 && d.Special {
			x[d.IntN(n)] = uint8(d.IntN(256))
		}
		return []any{make([]uint8, n), x, make([]bool, 1)}
	},
	Cases: func() (cases [][]any) {
		for _, n := range []int{1, 7, 8, 9, 17} {
			for _, g := range []uint8{13, 14, 15, 127, 128, 254, 255} {
				x := make([]uint8, n)
				x[n-1] = g
				cases = append(cases, []any{make([]uint8, n), x, make([]bool, 1)})
			}
		}
		return cases
	},
	Call: func(a []any) { a[2].([]bool)[0] = FoldU8(a[0].([]uint8), a[1].([]uint8)) },
	Spec: func(a []any) {
		a[2].([]bool)[0] = true
		for i, g := range a[1].([]uint8) {
			if a[0].([]uint8)[i] = g; g >= 128 {
				a[0].([]uint8)[i] = FoldedGrade
			}
			if g >= FoldedGrade && g != UnjudgedGrade {
				a[2].([]bool)[0] = false
			}
		}
	},
	Writes: []int{0, 2},
})

func TestAppendCountsF64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		have := make([]float64, rng.IntN(3), 3+rng.IntN(60))
		levels := rng.IntN(7)
		values, counts := make([]float64, levels), make([]int64, levels)
		want := slices.Clone(have)
		most := rng.IntN(60)
		if rng.IntN(2) == 0 {
			most = math.MaxInt
		}
		for g := levels - 1; g >= 0; g-- {
			values[g], counts[g] = float64(g+1), rng.Int64N(20)*rng.Int64N(2)
			for range counts[g] {
				if len(want) < most {
					want = append(want, values[g])
				}
			}
		}
		if got := AppendCountsF64(have, values, counts, most); !slices.Equal(got, want) {
			t.Fatalf("%v, %v, at most %d: %v, want %v", values, counts, most, got, want)
		}
	}
}
