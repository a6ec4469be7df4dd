package bench

import (
	"testing"

	"github.com/simdrank/simdrank/kernels"
	"gonum.org/v1/gonum/floats"
)

// dims are those of embeddings.
var dims = []int{96, 384, 768, 1536}

var sinkInt int64

// bytesOf returns n bytes.
func bytesOf[T int8 | uint8](n int, seed uint32) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(((uint32(i)+1)*2654435761 + seed*40503) >> 24)
	}
	return s
}

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

func BenchmarkDotI8(b *testing.B) {
	vectorsOf(b, dims, 2, 2, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sinkInt = kernels.DotI8(x, y)
		}
	}, nil)
}

func BenchmarkDotU8(b *testing.B) {
	vectorsOf(b, dims, 2, 2, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sinkInt = kernels.DotU8(x, y)
		}
	}, nil)
}

func BenchmarkL2I8(b *testing.B) {
	vectorsOf(b, dims, 2, 3, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sinkInt = kernels.L2I8(x, y)
		}
	}, nil)
}

func BenchmarkL2U8(b *testing.B) {
	vectorsOf(b, dims, 2, 3, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sinkInt = kernels.L2U8(x, y)
		}
	}, nil)
}

func BenchmarkCosineI8(b *testing.B) {
	vectorsOf(b, dims, 2, 6, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sink32 = kernels.CosineI8(x, y)
		}
	}, nil)
}

func BenchmarkCosineU8(b *testing.B) {
	vectorsOf(b, dims, 2, 6, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sink32 = kernels.CosineU8(x, y)
		}
	}, nil)
}

// words returns n words of bits.
func words(n int, seed uint64) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = (uint64(i) + seed) * 0x9e3779b97f4a7c15
	}
	return s
}

func BenchmarkHammingBits(b *testing.B) {
	vectorsOf(b, []int{4, 16, 64}, 16, 128, func(b *testing.B, n int) {
		x, y := words(n, 1), words(n, 1000)
		for b.Loop() {
			sinkInt = kernels.HammingBits(x, y)
		}
	}, nil)
}

func BenchmarkJaccardBits(b *testing.B) {
	vectorsOf(b, []int{4, 16, 64}, 16, 256, func(b *testing.B, n int) {
		x, y := words(n, 1), words(n, 1000)
		for b.Loop() {
			sink32 = kernels.JaccardBits(x, y)
		}
	}, nil)
}
