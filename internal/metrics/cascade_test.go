package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// passing is the mean over orders: against the elementary symmetric means, which take a step for
// each document and place.
func TestPassing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		n := 1 + rng.IntN(60)
		kinds := []float64{0, 0x1p-40, 1. / 16, 3. / 16, 15. / 16, 1}[rng.IntN(3):]
		kinds = kinds[:1+rng.IntN(len(kinds))]
		var c Cascade
		want := make([]float64, n+1)
		want[0] = 1
		for i := range n {
			s := kinds[rng.IntN(len(kinds))]
			c.stops = append(c.stops, s)
			for j := i + 1; j > 0; j-- {
				want[j] = (want[j]*float64(i+1-j) + want[j-1]*(1-s)*float64(j)) / float64(i+1)
			}
		}
		slices.Sort(c.stops)
		most := 1 + rng.IntN(n)
		got := c.passing(most)
		for j, w := range want[:most+1] {
			v := 0.0
			if j < len(got) {
				v = got[j]
			}
			if math.Abs(v-w) > 1e-14 {
				t.Fatalf("%v: pass[%d] = %v, want %v", c.stops, j, v, w)
			}
		}
	}
}
