// Package bench measures the kernels on every tier and compares them with gonum: for example,
// go test -bench DotF64 ./bench. bench/peers contains comparisons with other programs.
package bench

import (
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/kernels"
	"gonum.org/v1/gonum/blas/gonum"
)

var lengths = []int{8, 16, 46, 64, 136, 220, 256, 700, 1024, 4096, 32 << 10, 1 << 20, 16 << 20}

// byLength runs f as n=…/tier=… for each length and tier and, if peer is not nil, peer as
// n=…/tier=gonum. A call accesses the given number of bytes and performs flops operations per
// element.
func byLength(b *testing.B, bytes, flops int, f, peer func(b *testing.B, n int)) {
	byLengths(b, lengths, bytes, flops, f, peer)
}

// byLengths is like byLength, but with the given lengths.
func byLengths(b *testing.B, lengths []int, bytes, flops int, f, peer func(b *testing.B, n int)) {
	for _, n := range lengths {
		timed := func(f func(b *testing.B, n int)) func(b *testing.B) {
			return func(b *testing.B) {
				b.SetBytes(int64(n * bytes))
				f(b, n)
				perSecond(b, n*flops)
			}
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			tiers(b, timed(f))
			if peer != nil {
				b.Run("tier=gonum", timed(peer))
			}
		})
	}
}

// tiers runs f as a sub-benchmark tier=… for each tier of this machine. benchstat -col /tier shows
// the tiers side by side.
func tiers(b *testing.B, f func(b *testing.B)) {
	for _, tier := range cpu.Available() {
		b.Run("tier="+tier.String(), func(b *testing.B) {
			defer cpu.Force(tier)()
			f(b)
		})
	}
}

// benchTiers runs f as name/tier=… for each tier.
func benchTiers(b *testing.B, name string, f func(b *testing.B)) {
	b.Run(name, func(b *testing.B) { tiers(b, f) })
}

func perSecond(b *testing.B, flops int) {
	b.ReportMetric(float64(flops)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

// numbers returns n numbers in [-0.5, 0.5).
func numbers[T float32 | float64](n int, seed uint32) []T {
	s := make([]T, n)
	for i := range s {
		h := (uint32(i)+1)*2654435761 + seed*40503
		s[i] = T(h>>23)/512 - 0.5
	}
	return s
}

// Results are stored and not added, because short calls would wait for the sum.
var (
	sink64 float64
	sink32 float32
)

// blasGonum is gonum's BLAS, which contains assembly for amd64.
var blasGonum gonum.Implementation

// sign alternates, so that sums stay bounded.
func sign[T float32 | float64](i int) T { return 1 - 2*T(i&1) }

func BenchmarkDotF64(b *testing.B) {
	byLength(b, 16, 2, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = kernels.DotF64(x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = blasGonum.Ddot(n, x, 1, y, 1)
		}
	})
}

func BenchmarkDotF32(b *testing.B) {
	byLength(b, 8, 2, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = kernels.DotF32(x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = blasGonum.Sdot(n, x, 1, y, 1)
		}
	})
}

func BenchmarkDotF32Wide(b *testing.B) {
	byLength(b, 8, 2, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink64 = kernels.DotF32Wide(x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink64 = blasGonum.Dsdot(n, x, 1, y, 1)
		}
	})
}

func BenchmarkAxpyF64(b *testing.B) {
	byLength(b, 24, 2, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for i := 0; b.Loop(); i++ {
			kernels.AxpyF64(sign[float64](i), x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for i := 0; b.Loop(); i++ {
			blasGonum.Daxpy(n, sign[float64](i), x, 1, y, 1)
		}
	})
}

func BenchmarkAxpyF32(b *testing.B) {
	byLength(b, 12, 2, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for i := 0; b.Loop(); i++ {
			kernels.AxpyF32(sign[float32](i), x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for i := 0; b.Loop(); i++ {
			blasGonum.Saxpy(n, sign[float32](i), x, 1, y, 1)
		}
	})
}
