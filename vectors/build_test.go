package vectors

import (
	"sync/atomic"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/testkit"
)

// A loop over a kernel can be preempted when all goroutines must stop.
func TestStopsBetweenCalls(t *testing.T) {
	f, g, b, w := make([]float32, 1<<16), make([]float32, 1<<16), make([]int8, 1<<16), make([]uint64, 1<<16)
	testkit.StopsBetweenCalls(t, func(stop *atomic.Bool) []func() {
		return []func(){
			func() {
				for !stop.Load() {
					L2F32(f, g)
				}
			},
			func() {
				for !stop.Load() {
					CosineF32(f, g)
				}
			},
			func() {
				for !stop.Load() {
					DotI8(b, b)
				}
			},
			func() {
				for !stop.Load() {
					HammingBits(w, w)
				}
			},
		}
	})
}

// The dispatch in assembly may need a larger stack, like any function. The stack then moves,
// together with the vectors and arguments on it.
func TestStackGrows(t *testing.T) {
	var deeper func(n int) float64
	deeper = func(n int) float64 {
		var x, y [8]float64
		var f, g [16]float32
		for i := range x {
			x[i], y[i] = float64(n), 1
			f[i], g[i] = float32(n), 1
		}
		sum := L2F64(x[:], y[:]) + float64(L2F32(f[:8], g[:8]))
		if n > 0 {
			sum += deeper(n - 1)
		}
		return sum
	}
	const depth = 3000
	want := 0.0
	for n := range depth + 1 {
		want += 2 * 8 * float64(n-1) * float64(n-1)
	}
	for _, tier := range cpu.Available() {
		t.Run(tier.String(), func(t *testing.T) {
			restore := cpu.Force(tier)
			result := make(chan float64)
			go func() { result <- deeper(depth) }() // on a new, small stack
			if got := <-result; got != want {
				t.Errorf("%v, want %v", got, want)
			}
			restore()
		})
	}
}
