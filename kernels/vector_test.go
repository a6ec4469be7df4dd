package kernels

import (
	"math"
	"testing"

	"github.com/simdrank/simdrank/internal/kern"
)

func l2SpecF64(x, y []float64) float64 { return dotSpecF64(minus(x, y), minus(x, y)) }
func l2SpecF32(x, y []float32) float32 { return dotSpecF32(minus(x, y), minus(x, y)) }

func cosineSpecF64(x, y []float64) float64 {
	norms := math.Sqrt(dotSpecF64(x, x)) * math.Sqrt(dotSpecF64(y, y))
	if norms == 0 {
		return 0
	}
	return dotSpecF64(x, y) / norms
}

func cosineSpecF32(x, y []float32) float32 {
	squared := float64(dotSpecF32(x, x)) * float64(dotSpecF32(y, y))
	if squared == 0 {
		return 0
	}
	return float32(float64(dotSpecF32(x, y)) / math.Sqrt(squared))
}

var _ = register(
	distanceEntry("L2F64", L2F64, l2SpecF64),
	distanceEntry("L2F32", L2F32, l2SpecF32),
	distanceEntry("CosineF64", CosineF64, cosineSpecF64),
	distanceEntry("CosineF32", CosineF32, cosineSpecF32),
)

// distanceEntry is dotEntry with one long length: there are many kernels of this kind, and
// emulators are slow.
func distanceEntry[T float32 | float64](name string, call, spec func(x, y []T) T) entry {
	e := dotEntry(name, call, spec)
	e.Long = longVectors
	return e
}

var longVectors = []int{kern.BlockLen + 37}

// The norm is the root of the dot product, rounded once.
func TestNorm(t *testing.T) {
	for _, n := range []int{0, 1, 3, 100} {
		x64, x32 := numbersTo[float64](n), numbersTo[float32](n)
		if got, want := NormF64(x64), math.Sqrt(DotF64(x64, x64)); got != want {
			t.Errorf("n = %d: NormF64 = %v, want %v", n, got, want)
		}
		if got, want := NormF32(x32), float32(math.Sqrt(float64(DotF32(x32, x32)))); got != want {
			t.Errorf("n = %d: NormF32 = %v, want %v", n, got, want)
		}
	}
	if got := NormF32([]float32{3, -4}); got != 5 {
		t.Errorf("NormF32(3, -4) = %v", got)
	}
}

// numbersTo returns 1 to n.
func numbersTo[T float32 | float64](n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(i + 1)
	}
	return x
}
