package kernels

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/order"
)

func TestArgsortF64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 100, 3000} {
		for name, value := range map[string]func() float64{
			"normal":     rng.NormFloat64,
			"tied":       func() float64 { return float64(rng.IntN(5)) },
			"zeros":      func() float64 { return math.Copysign(0, rng.NormFloat64()) },
			"close":      func() float64 { return 1 + float64(rng.IntN(50))*0x1p-52 },
			"an outlier": func() float64 { return 1 + rng.Float64()*0x1p-20 + float64(rng.IntN(1000)/999)*1e300 },
			"infinite":   func() float64 { return rng.NormFloat64() / float64(rng.IntN(3)) },
		} {
			x, index := make([]float64, n), make([]int, n)
			for i := range x {
				x[i], index[i] = value(), i
				if x[i] != x[i] { // 0/0
					x[i] = 0
				}
			}
			slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
			keys := make([]int64, n)
			ArgsortF64(keys, make([]int64, n), x)
			for r, k := range keys {
				if order.KeyIndex(k) != index[r] {
					t.Fatalf("%s, n %d: rank %d is %d, want %d", name, n, r, order.KeyIndex(k), index[r])
				}
			}
		}
	}
}
