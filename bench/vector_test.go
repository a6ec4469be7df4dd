package bench

import (
	"testing"

	"github.com/simdrank/simdrank/kernels"
	"gonum.org/v1/gonum/floats"
)

// dims are those of embeddings.
var dims = []int{96, 384, 768, 1536}

func BenchmarkL2F64(b *testing.B) {
	vectorsOf(b, dims, 16, 3, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = kernels.L2F64(x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = floats.Distance(x, y, 2)
		}
	})
}

func BenchmarkL2F32(b *testing.B) {
	vectorsOf(b, dims, 8, 3, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = kernels.L2F32(x, y)
		}
	}, nil)
}

func BenchmarkCosineF64(b *testing.B) {
	vectorsOf(b, dims, 16, 6, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = kernels.CosineF64(x, y)
		}
	}, nil)
}

func BenchmarkCosineF32(b *testing.B) {
	vectorsOf(b, dims, 8, 6, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = kernels.CosineF32(x, y)
		}
	}, nil)
}
