package bench

import (
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/floats"

	"github.com/simdrank/simdrank/vectors"
)

// dims are typical dimensions of embeddings.
var dims = []int{96, 384, 768, 1536}

var sinkInt int64

// bytesOf returns n random bytes.
func bytesOf[T int8 | uint8](n int, seed uint32) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(((uint32(i)+1)*2654435761 + seed*40503) >> 24)
	}
	return s
}

func BenchmarkL2F64(b *testing.B) {
	byLengths(b, dims, 16, 3, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = vectors.L2F64(x, y)
		}
	}, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = floats.Distance(x, y, 2)
		}
	})
}

func BenchmarkL2F32(b *testing.B) {
	byLengths(b, dims, 8, 3, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = vectors.L2F32(x, y)
		}
	}, nil)
}

func BenchmarkCosineF64(b *testing.B) {
	byLengths(b, dims, 16, 6, func(b *testing.B, n int) {
		x, y := numbers[float64](n, 1), numbers[float64](n, 2)
		for b.Loop() {
			sink64 = vectors.CosineF64(x, y)
		}
	}, nil)
}

func BenchmarkCosineF32(b *testing.B) {
	byLengths(b, dims, 8, 6, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink32 = vectors.CosineF32(x, y)
		}
	}, nil)
}

func BenchmarkDotI8(b *testing.B) {
	byLengths(b, dims, 2, 2, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sinkInt = vectors.DotI8(x, y)
		}
	}, nil)
}

func BenchmarkDotU8(b *testing.B) {
	byLengths(b, dims, 2, 2, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sinkInt = vectors.DotU8(x, y)
		}
	}, nil)
}

func BenchmarkL2I8(b *testing.B) {
	byLengths(b, dims, 2, 3, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sinkInt = vectors.L2I8(x, y)
		}
	}, nil)
}

func BenchmarkL2U8(b *testing.B) {
	byLengths(b, dims, 2, 3, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sinkInt = vectors.L2U8(x, y)
		}
	}, nil)
}

func BenchmarkCosineI8(b *testing.B) {
	byLengths(b, dims, 2, 6, func(b *testing.B, n int) {
		x, y := bytesOf[int8](n, 1), bytesOf[int8](n, 2)
		for b.Loop() {
			sink32 = vectors.CosineI8(x, y)
		}
	}, nil)
}

func BenchmarkCosineU8(b *testing.B) {
	byLengths(b, dims, 2, 6, func(b *testing.B, n int) {
		x, y := bytesOf[uint8](n, 1), bytesOf[uint8](n, 2)
		for b.Loop() {
			sink32 = vectors.CosineU8(x, y)
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
	byLengths(b, []int{4, 16, 64}, 16, 128, func(b *testing.B, n int) {
		x, y := words(n, 1), words(n, 1000)
		for b.Loop() {
			sinkInt = vectors.HammingBits(x, y)
		}
	}, nil)
}

func BenchmarkJaccardBits(b *testing.B) {
	byLengths(b, []int{4, 16, 64}, 16, 256, func(b *testing.B, n int) {
		x, y := words(n, 1), words(n, 1000)
		for b.Loop() {
			sink32 = vectors.JaccardBits(x, y)
		}
	}, nil)
}

// halves returns n numbers in [-0.5, 0.5).
func halves[T vectors.F16 | vectors.BF16](n int, seed uint32, convert func(float32) T) []T {
	s := make([]T, n)
	for i, v := range numbers[float32](n, seed) {
		s[i] = convert(v)
	}
	return s
}

func benchmarkHalves[T vectors.F16 | vectors.BF16](b *testing.B, flops int, convert func(float32) T,
	kernel func(x, y []T) float32) {
	byLengths(b, dims, 4, flops, func(b *testing.B, n int) {
		x, y := halves(n, 1, convert), halves(n, 2, convert)
		for b.Loop() {
			sink32 = kernel(x, y)
		}
	}, nil)
}

func BenchmarkDotF16(b *testing.B)     { benchmarkHalves(b, 2, vectors.NewF16, vectors.DotF16) }
func BenchmarkDotBF16(b *testing.B)    { benchmarkHalves(b, 2, vectors.NewBF16, vectors.DotBF16) }
func BenchmarkL2F16(b *testing.B)      { benchmarkHalves(b, 3, vectors.NewF16, vectors.L2F16) }
func BenchmarkL2BF16(b *testing.B)     { benchmarkHalves(b, 3, vectors.NewBF16, vectors.L2BF16) }
func BenchmarkCosineF16(b *testing.B)  { benchmarkHalves(b, 6, vectors.NewF16, vectors.CosineF16) }
func BenchmarkCosineBF16(b *testing.B) { benchmarkHalves(b, 6, vectors.NewBF16, vectors.CosineBF16) }

func benchmarkMixed[T any](b *testing.B, flops int, codes func(n int, seed uint32) []T,
	kernel func(q []float32, x []T) float32) {
	byLengths(b, dims, 4+int(unsafe.Sizeof(*new(T))), flops, func(b *testing.B, n int) {
		q, x := numbers[float32](n, 1), codes(n, 2)
		for b.Loop() {
			sink32 = kernel(q, x)
		}
	}, nil)
}

func f16s(n int, seed uint32) []vectors.F16   { return halves(n, seed, vectors.NewF16) }
func bf16s(n int, seed uint32) []vectors.BF16 { return halves(n, seed, vectors.NewBF16) }

func BenchmarkDotF32F16(b *testing.B)     { benchmarkMixed(b, 2, f16s, vectors.DotF32F16) }
func BenchmarkDotF32BF16(b *testing.B)    { benchmarkMixed(b, 2, bf16s, vectors.DotF32BF16) }
func BenchmarkDotF32I8(b *testing.B)      { benchmarkMixed(b, 2, bytesOf[int8], vectors.DotF32I8) }
func BenchmarkDotF32U8(b *testing.B)      { benchmarkMixed(b, 2, bytesOf[uint8], vectors.DotF32U8) }
func BenchmarkL2F32F16(b *testing.B)      { benchmarkMixed(b, 3, f16s, vectors.L2F32F16) }
func BenchmarkL2F32BF16(b *testing.B)     { benchmarkMixed(b, 3, bf16s, vectors.L2F32BF16) }
func BenchmarkL2F32I8(b *testing.B)       { benchmarkMixed(b, 3, bytesOf[int8], vectors.L2F32I8) }
func BenchmarkL2F32U8(b *testing.B)       { benchmarkMixed(b, 3, bytesOf[uint8], vectors.L2F32U8) }
func BenchmarkCosineF32F16(b *testing.B)  { benchmarkMixed(b, 6, f16s, vectors.CosineF32F16) }
func BenchmarkCosineF32BF16(b *testing.B) { benchmarkMixed(b, 6, bf16s, vectors.CosineF32BF16) }
func BenchmarkCosineF32I8(b *testing.B)   { benchmarkMixed(b, 6, bytesOf[int8], vectors.CosineF32I8) }
func BenchmarkCosineF32U8(b *testing.B)   { benchmarkMixed(b, 6, bytesOf[uint8], vectors.CosineF32U8) }

func benchmarkConversion[D, S any](b *testing.B, src func(n int) []S, kernel func(dst []D, src []S)) {
	byLengths(b, dims, 6, 1, func(b *testing.B, n int) {
		s, d := src(n), make([]D, n)
		for b.Loop() {
			kernel(d, s)
		}
	}, nil)
}

func BenchmarkF16FromF32(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, vectors.F16FromF32)
}

func BenchmarkF32FromF16(b *testing.B) {
	benchmarkConversion(b, func(n int) []vectors.F16 { return halves(n, 1, vectors.NewF16) }, vectors.F32FromF16)
}

func BenchmarkBF16FromF32(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, vectors.BF16FromF32)
}

func BenchmarkF32FromBF16(b *testing.B) {
	benchmarkConversion(b, func(n int) []vectors.BF16 { return halves(n, 1, vectors.NewBF16) }, vectors.F32FromBF16)
}

func BenchmarkScaleI8(b *testing.B) {
	byLengths(b, dims, 4, 1, func(b *testing.B, n int) {
		x := numbers[float32](n, 1)
		for b.Loop() {
			sink32 = vectors.ScaleI8(x)
		}
	}, nil)
}

func BenchmarkQuantizeI8(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, func(dst []int8, src []float32) {
		vectors.QuantizeI8(dst, src, 1./254)
	})
}

func BenchmarkDequantizeI8(b *testing.B) {
	benchmarkConversion(b, func(n int) []int8 { return bytesOf[int8](n, 1) }, func(dst []float32, src []int8) {
		vectors.DequantizeI8(dst, src, 1./254)
	})
}

func BenchmarkSignBits(b *testing.B) {
	byLengths(b, dims, 4, 1, func(b *testing.B, n int) {
		x, dst := numbers[float32](n, 1), make([]uint64, (n+63)/64)
		for b.Loop() {
			vectors.SignBits(dst, x)
		}
	}, nil)
}
