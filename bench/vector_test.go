package bench

import (
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
	"gonum.org/v1/gonum/floats"
)

// dims are those of embeddings.
var dims = []int{96, 384, 768, 1536}

var sinkInt int64

// bytesOf returns n bytes.
func bytesOf[T int8 | uint8 | kernels.I4x2](n int, seed uint32) []T {
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

func BenchmarkL2F32Wide(b *testing.B) {
	vectorsOf(b, dims, 8, 3, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink64 = kernels.L2F32Wide(x, y)
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

func BenchmarkCosineF32Wide(b *testing.B) {
	vectorsOf(b, dims, 8, 6, func(b *testing.B, n int) {
		x, y := numbers[float32](n, 1), numbers[float32](n, 2)
		for b.Loop() {
			sink64 = kernels.CosineF32Wide(x, y)
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

// halves returns n numbers in [-0.5, 0.5).
func halves[T kernels.F16 | kernels.BF16](n int, seed uint32, convert func(float32) T) []T {
	s := make([]T, n)
	for i, v := range numbers[float32](n, seed) {
		s[i] = convert(v)
	}
	return s
}

func benchmarkHalves[T kernels.F16 | kernels.BF16](b *testing.B, flops int, convert func(float32) T,
	kernel func(x, y []T) float32) {
	vectorsOf(b, dims, 4, flops, func(b *testing.B, n int) {
		x, y := halves(n, 1, convert), halves(n, 2, convert)
		for b.Loop() {
			sink32 = kernel(x, y)
		}
	}, nil)
}

func BenchmarkDotF16(b *testing.B)     { benchmarkHalves(b, 2, kernels.NewF16, kernels.DotF16) }
func BenchmarkDotBF16(b *testing.B)    { benchmarkHalves(b, 2, kernels.NewBF16, kernels.DotBF16) }
func BenchmarkL2F16(b *testing.B)      { benchmarkHalves(b, 3, kernels.NewF16, kernels.L2F16) }
func BenchmarkL2BF16(b *testing.B)     { benchmarkHalves(b, 3, kernels.NewBF16, kernels.L2BF16) }
func BenchmarkCosineF16(b *testing.B)  { benchmarkHalves(b, 6, kernels.NewF16, kernels.CosineF16) }
func BenchmarkCosineBF16(b *testing.B) { benchmarkHalves(b, 6, kernels.NewBF16, kernels.CosineBF16) }

func benchmarkMixed[T any](b *testing.B, flops int, codes func(n int, seed uint32) []T,
	kernel func(q []float32, x []T) float32) {
	vectorsOf(b, dims, 4+int(unsafe.Sizeof(*new(T))), flops, func(b *testing.B, n int) {
		q, x := numbers[float32](n, 1), codes(n, 2)
		for b.Loop() {
			sink32 = kernel(q, x)
		}
	}, nil)
}

func f16s(n int, seed uint32) []kernels.F16   { return halves(n, seed, kernels.NewF16) }
func bf16s(n int, seed uint32) []kernels.BF16 { return halves(n, seed, kernels.NewBF16) }

func BenchmarkDotF32F16(b *testing.B)     { benchmarkMixed(b, 2, f16s, kernels.DotF32F16) }
func BenchmarkDotF32BF16(b *testing.B)    { benchmarkMixed(b, 2, bf16s, kernels.DotF32BF16) }
func BenchmarkDotF32I8(b *testing.B)      { benchmarkMixed(b, 2, bytesOf[int8], kernels.DotF32I8) }
func BenchmarkDotF32U8(b *testing.B)      { benchmarkMixed(b, 2, bytesOf[uint8], kernels.DotF32U8) }
func BenchmarkL2F32F16(b *testing.B)      { benchmarkMixed(b, 3, f16s, kernels.L2F32F16) }
func BenchmarkL2F32BF16(b *testing.B)     { benchmarkMixed(b, 3, bf16s, kernels.L2F32BF16) }
func BenchmarkL2F32I8(b *testing.B)       { benchmarkMixed(b, 3, bytesOf[int8], kernels.L2F32I8) }
func BenchmarkL2F32U8(b *testing.B)       { benchmarkMixed(b, 3, bytesOf[uint8], kernels.L2F32U8) }
func BenchmarkCosineF32F16(b *testing.B)  { benchmarkMixed(b, 6, f16s, kernels.CosineF32F16) }
func BenchmarkCosineF32BF16(b *testing.B) { benchmarkMixed(b, 6, bf16s, kernels.CosineF32BF16) }
func BenchmarkCosineF32I8(b *testing.B)   { benchmarkMixed(b, 6, bytesOf[int8], kernels.CosineF32I8) }
func BenchmarkCosineF32U8(b *testing.B)   { benchmarkMixed(b, 6, bytesOf[uint8], kernels.CosineF32U8) }

// benchmarkPairs has two elements in a byte.
func benchmarkPairs(b *testing.B, flops int, kernel func(x, y []kernels.I4x2) int64) {
	vectorsOf(b, dims, 1, flops, func(b *testing.B, n int) {
		x, y := bytesOf[kernels.I4x2](n/2, 1), bytesOf[kernels.I4x2](n/2, 2)
		for b.Loop() {
			sinkInt = kernel(x, y)
		}
	}, nil)
}

func BenchmarkDotI4(b *testing.B) { benchmarkPairs(b, 2, kernels.DotI4) }
func BenchmarkL2I4(b *testing.B)  { benchmarkPairs(b, 3, kernels.L2I4) }

func benchmarkConversion[D, S any](b *testing.B, src func(n int) []S, kernel func(dst []D, src []S)) {
	vectorsOf(b, dims, 6, 1, func(b *testing.B, n int) {
		s, d := src(n), make([]D, n)
		for b.Loop() {
			kernel(d, s)
		}
	}, nil)
}

func BenchmarkF16FromF32(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, kernels.F16FromF32)
}

func BenchmarkF32FromF16(b *testing.B) {
	benchmarkConversion(b, func(n int) []kernels.F16 { return halves(n, 1, kernels.NewF16) }, kernels.F32FromF16)
}

func BenchmarkBF16FromF32(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, kernels.BF16FromF32)
}

func BenchmarkF32FromBF16(b *testing.B) {
	benchmarkConversion(b, func(n int) []kernels.BF16 { return halves(n, 1, kernels.NewBF16) }, kernels.F32FromBF16)
}

func BenchmarkScaleI8(b *testing.B) {
	vectorsOf(b, dims, 4, 1, func(b *testing.B, n int) {
		x := numbers[float32](n, 1)
		for b.Loop() {
			sink32 = kernels.ScaleI8(x)
		}
	}, nil)
}

func BenchmarkQuantizeI8(b *testing.B) {
	benchmarkConversion(b, func(n int) []float32 { return numbers[float32](n, 1) }, func(dst []int8, src []float32) {
		kernels.QuantizeI8(dst, src, 1./254)
	})
}

func BenchmarkDequantizeI8(b *testing.B) {
	benchmarkConversion(b, func(n int) []int8 { return bytesOf[int8](n, 1) }, func(dst []float32, src []int8) {
		kernels.DequantizeI8(dst, src, 1./254)
	})
}

func BenchmarkSignBits(b *testing.B) {
	vectorsOf(b, dims, 4, 1, func(b *testing.B, n int) {
		x, dst := numbers[float32](n, 1), make([]uint64, (n+63)/64)
		for b.Loop() {
			kernels.SignBits(dst, x)
		}
	}, nil)
}
