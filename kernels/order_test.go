package kernels

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// specOrder is the definition of Order.
func specOrder[T Real](scores []T) []int {
	index := make([]int, len(scores))
	for i := range index {
		index[i] = i
	}
	// NaN is least
	slices.SortStableFunc(index, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return index
}

// orderInputs are scores of n documents: distinct, with ties, tied only as float32, and special.
func orderInputs(rng *rand.Rand, n int) map[string][]float64 {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.MaxFloat64,
		-math.MaxFloat64, 5e-324, 1}
	in := map[string][]float64{}
	for i := range n {
		in["distinct"] = append(in["distinct"], rng.Float64()-0.5)
		in["ties"] = append(in["ties"], float64(rng.IntN(5)))
		in["close"] = append(in["close"], 1+float64(rng.IntN(40))*0x1p-50)
		in["special"] = append(in["special"], special[rng.IntN(len(special))])
		in["sorted"] = append(in["sorted"], float64(-i))
		in["nan"] = append(in["nan"], math.NaN())
	}
	return in
}

func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var w Work
	for _, n := range []int{0, 1, 2, 7, 47, 48, 64, 65, 129, 500, 3000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for name, scores := range orderInputs(rng, n) {
				t.Run(name, func(t *testing.T) {
					single := make([]float32, n)
					for i, v := range scores {
						single[i] = float32(v)
					}
					want, wantSingle := specOrder(scores), specOrder(single)
					for _, tier := range cpu.Available() {
						restore := cpu.Force(tier)
						for _, k := range []int{0, 1, 10, 16, 17, 128, 129, n, n + 1} {
							at := fmt.Sprintf("%s, n = %d, k = %d, %v", name, n, k, tier)
							if got := AppendTopK(nil, scores, k, &w); !slices.Equal(got, want[:min(k, n)]) {
								t.Errorf("float64 %s: %v, want %v", at, got, want[:min(k, n)])
							}
							if got := AppendTopK(nil, single, k, nil); !slices.Equal(got, wantSingle[:min(k, n)]) {
								t.Errorf("float32 %s: %v, want %v", at, got, wantSingle[:min(k, n)])
							}
						}
						if got := AppendOrder([]int{-1}, scores, &w); !slices.Equal(got[1:], want) || got[0] != -1 {
							t.Errorf("%v, want −1, %v", got, want)
						}
						restore()
					}
				})
			}
		})
	}
}

func TestOrderAllocatesNothing(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates")
	}
	var w Work
	scores := orderInputs(rand.New(rand.NewPCG(3, 4)), 1000)["close"]
	single := make([]float32, len(scores))
	dst := make([]int, 0, len(scores))
	for name, f := range map[string]func(){
		"Order float64": func() { AppendOrder(dst, scores, &w) },
		"Order float32": func() { AppendOrder(dst, single, &w) },
		"TopK float64":  func() { AppendTopK(dst, scores, 10, &w) },
		"TopK float32":  func() { AppendTopK(dst, single, 10, &w) },
	} {
		t.Run(name, func(t *testing.T) {
			if n := testing.AllocsPerRun(10, f); n > 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// A call for a few scores allocates memory only for these.
func TestOrderMemory(t *testing.T) {
	scores := orderInputs(rand.New(rand.NewPCG(3, 4)), 100)["close"]
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const calls = 100
	for range calls {
		AppendTopK(nil, scores, 10, nil)
	}
	runtime.ReadMemStats(&after)
	if size := (after.TotalAlloc - before.TotalAlloc) / calls; size > 48<<10 {
		t.Errorf("%d bytes", size)
	}
}
