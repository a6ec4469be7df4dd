package order

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/parallel"
)

func TestArgsort(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	team := parallel.NewTeam(2)
	defer team.Close()
	var work, shared ArgsortWork
	for _, n := range []int{0, 1, 2, 100, 3000, 3*argsortPart + 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for name, value := range map[string]func() float64{
				"normal":     rng.NormFloat64,
				"tied":       func() float64 { return float64(rng.IntN(5)) },
				"zeros":      func() float64 { return math.Copysign(0, rng.NormFloat64()) },
				"close":      func() float64 { return 1 + float64(rng.IntN(50))*0x1p-52 },
				"an outlier": func() float64 { return 1 + rng.Float64()*0x1p-20 + float64(rng.IntN(1000)/999)*1e300 },
				"two":        func() float64 { return 1/3. + float64(rng.IntN(2)) },
				"runs":       func() float64 { return 1/float64(3+rng.IntN(5)) + float64(rng.IntN(9)/8)*rng.Float64() },
				"infinite":   func() float64 { return rng.NormFloat64() / float64(rng.IntN(3)) },
			} {
				t.Run(name, func(t *testing.T) {
					x, index := make([]float64, n), make([]int, n)
					for i := range x {
						x[i], index[i] = value(), i
						if x[i] != x[i] { // 0/0
							x[i] = 0
						}
					}
					slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
					for r, k := range work.Sort(x, nil, nil) {
						if KeyIndex(k) != index[r] {
							t.Fatalf("rank %d is %d, want %d", r, KeyIndex(k), index[r])
						}
					}
					for r, k := range shared.Sort(x, team, func() {}) {
						if KeyIndex(k) != index[r] {
							t.Fatalf("shared: rank %d is %d, want %d", r, KeyIndex(k), index[r])
						}
					}
				})
			}
		})
	}
}

// NaNs of any sign and payload stand last, in the order of their indices, behind infinity.
func TestArgsortNaN(t *testing.T) {
	nan := math.Float64frombits
	x := []float64{nan(0xfff8000000000001), math.Inf(1), 2, nan(0x7ff8000000000005), math.Inf(-1),
		nan(0x7ff8000000000000)}
	var got []int
	for _, k := range new(ArgsortWork).Sort(x, nil, nil) {
		got = append(got, KeyIndex(k))
	}
	if want := []int{4, 2, 1, 0, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
