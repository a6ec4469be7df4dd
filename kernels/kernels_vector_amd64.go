//go:build !purego

package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
)

//go:noescape
func l2F64(x, y *float64, n int) float64

//go:noescape
func l2F64AVX2(x, y *float64, n int) float64

//go:noescape
func l2F64AVX512(x, y *float64, n int) float64

func l2F64Go(x, y *float64, n int) float64 {
	return inGo(x, y, n, l2F64Long, l2F64Generic)
}

//go:noescape
func l2F32(x, y *float32, n int) float32

//go:noescape
func l2F32AVX2(x, y *float32, n int) float32

//go:noescape
func l2F32AVX512(x, y *float32, n int) float32

func l2F32Go(x, y *float32, n int) float32 {
	return inGo(x, y, n, l2F32Long, l2F32Generic)
}

//go:noescape
func l2F32Wide(x, y *float32, n int) float64

//go:noescape
func l2F32WideAVX2(x, y *float32, n int) float64

//go:noescape
func l2F32WideAVX512(x, y *float32, n int) float64

func l2F32WideGo(x, y *float32, n int) float64 {
	return inGo(x, y, n, l2F32WideLong, l2F32WideGeneric)
}

//go:noescape
func cosineF64(x, y *float64, n int) float64

//go:noescape
func cosineF64AVX2(x, y *float64, n int) float64

//go:noescape
func cosineF64AVX512(x, y *float64, n int) float64

func cosineF64Go(x, y *float64, n int) float64 {
	return inGo(x, y, n, cosineF64Long, cosineF64Generic)
}

//go:noescape
func cosineF32(x, y *float32, n int) float32

//go:noescape
func cosineF32AVX2(x, y *float32, n int) float32

//go:noescape
func cosineF32AVX512(x, y *float32, n int) float32

func cosineF32Go(x, y *float32, n int) float32 {
	return inGo(x, y, n, cosineF32Long, cosineF32Generic)
}

//go:noescape
func cosineF32Wide(x, y *float32, n int) float64

//go:noescape
func cosineF32WideAVX2(x, y *float32, n int) float64

//go:noescape
func cosineF32WideAVX512(x, y *float32, n int) float64

func cosineF32WideGo(x, y *float32, n int) float64 {
	return inGo(x, y, n, cosineF32WideLong, cosineF32WideGeneric)
}

//go:noescape
func dotI8(x, y *int8, n int) int64

//go:noescape
func dotI8AVX2(x, y *int8, n int) int64

//go:noescape
func dotI8AVX512(x, y *int8, n int) int64

func dotI8Go(x, y *int8, n int) int64 {
	return inGo(x, y, n, dotI8Long, dotI8Generic)
}

//go:noescape
func dotU8(x, y *uint8, n int) int64

//go:noescape
func dotU8AVX2(x, y *uint8, n int) int64

//go:noescape
func dotU8AVX512(x, y *uint8, n int) int64

func dotU8Go(x, y *uint8, n int) int64 {
	return inGo(x, y, n, dotU8Long, dotU8Generic)
}

//go:noescape
func l2I8(x, y *int8, n int) int64

//go:noescape
func l2I8AVX2(x, y *int8, n int) int64

//go:noescape
func l2I8AVX512(x, y *int8, n int) int64

func l2I8Go(x, y *int8, n int) int64 {
	return inGo(x, y, n, l2I8Long, l2I8Generic)
}

//go:noescape
func l2U8(x, y *uint8, n int) int64

//go:noescape
func l2U8AVX2(x, y *uint8, n int) int64

//go:noescape
func l2U8AVX512(x, y *uint8, n int) int64

func l2U8Go(x, y *uint8, n int) int64 {
	return inGo(x, y, n, l2U8Long, l2U8Generic)
}

//go:noescape
func cosineI8(x, y *int8, n int) float32

//go:noescape
func cosineI8AVX2(x, y *int8, n int) float32

//go:noescape
func cosineI8AVX512(x, y *int8, n int) float32

func cosineI8Go(x, y *int8, n int) float32 {
	return inGo(x, y, n, cosineI8Long, cosineI8Generic)
}

//go:noescape
func cosineU8(x, y *uint8, n int) float32

//go:noescape
func cosineU8AVX2(x, y *uint8, n int) float32

//go:noescape
func cosineU8AVX512(x, y *uint8, n int) float32

func cosineU8Go(x, y *uint8, n int) float32 {
	return inGo(x, y, n, cosineU8Long, cosineU8Generic)
}

//go:noescape
func hammingBits(x, y *uint64, n int) int64

//go:noescape
func hammingBitsAVX2(x, y *uint64, n int) int64

//go:noescape
func hammingBitsAVX512(x, y *uint64, n int) int64

func hammingBitsGo(x, y *uint64, n int) int64 {
	return inGo(x, y, n, hammingBitsLong, hammingBitsGeneric)
}

//go:noescape
func jaccardBits(x, y *uint64, n int) (both, either int64)

//go:noescape
func jaccardBitsAVX2(x, y *uint64, n int) (both, either int64)

//go:noescape
func jaccardBitsAVX512(x, y *uint64, n int) (both, either int64)

func jaccardBitsGo(x, y *uint64, n int) (both, either int64) {
	if plainGo() {
		return jaccardBitsGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
	}
	return jaccardBitsLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF16(x, y *F16, n int) float32

//go:noescape
func dotF16AVX2(x, y *F16, n int) float32

//go:noescape
func dotF16AVX512(x, y *F16, n int) float32

func dotF16Go(x, y *F16, n int) float32 {
	return inGo(x, y, n, dotF16Long, dotF16Generic)
}

//go:noescape
func dotBF16(x, y *BF16, n int) float32

//go:noescape
func dotBF16AVX2(x, y *BF16, n int) float32

//go:noescape
func dotBF16AVX512(x, y *BF16, n int) float32

func dotBF16Go(x, y *BF16, n int) float32 {
	return inGo(x, y, n, dotBF16Long, dotBF16Generic)
}

//go:noescape
func l2F16(x, y *F16, n int) float32

//go:noescape
func l2F16AVX2(x, y *F16, n int) float32

//go:noescape
func l2F16AVX512(x, y *F16, n int) float32

func l2F16Go(x, y *F16, n int) float32 {
	return inGo(x, y, n, l2F16Long, l2F16Generic)
}

//go:noescape
func l2BF16(x, y *BF16, n int) float32

//go:noescape
func l2BF16AVX2(x, y *BF16, n int) float32

//go:noescape
func l2BF16AVX512(x, y *BF16, n int) float32

func l2BF16Go(x, y *BF16, n int) float32 {
	return inGo(x, y, n, l2BF16Long, l2BF16Generic)
}

//go:noescape
func cosineF16(x, y *F16, n int) float32

//go:noescape
func cosineF16AVX2(x, y *F16, n int) float32

//go:noescape
func cosineF16AVX512(x, y *F16, n int) float32

func cosineF16Go(x, y *F16, n int) float32 {
	return inGo(x, y, n, cosineF16Long, cosineF16Generic)
}

//go:noescape
func cosineBF16(x, y *BF16, n int) float32

//go:noescape
func cosineBF16AVX2(x, y *BF16, n int) float32

//go:noescape
func cosineBF16AVX512(x, y *BF16, n int) float32

func cosineBF16Go(x, y *BF16, n int) float32 {
	return inGo(x, y, n, cosineBF16Long, cosineBF16Generic)
}

//go:noescape
func dotF32F16(x *float32, y *F16, n int) float32

//go:noescape
func dotF32F16AVX2(x *float32, y *F16, n int) float32

//go:noescape
func dotF32F16AVX512(x *float32, y *F16, n int) float32

func dotF32F16Go(x *float32, y *F16, n int) float32 {
	return inGo(x, y, n, dotF32F16Long, dotF32F16Generic)
}

//go:noescape
func dotF32BF16(x *float32, y *BF16, n int) float32

//go:noescape
func dotF32BF16AVX2(x *float32, y *BF16, n int) float32

//go:noescape
func dotF32BF16AVX512(x *float32, y *BF16, n int) float32

func dotF32BF16Go(x *float32, y *BF16, n int) float32 {
	return inGo(x, y, n, dotF32BF16Long, dotF32BF16Generic)
}

//go:noescape
func dotF32I8(x *float32, y *int8, n int) float32

//go:noescape
func dotF32I8AVX2(x *float32, y *int8, n int) float32

//go:noescape
func dotF32I8AVX512(x *float32, y *int8, n int) float32

func dotF32I8Go(x *float32, y *int8, n int) float32 {
	return inGo(x, y, n, dotF32I8Long, dotF32I8Generic)
}

//go:noescape
func dotF32U8(x *float32, y *uint8, n int) float32

//go:noescape
func dotF32U8AVX2(x *float32, y *uint8, n int) float32

//go:noescape
func dotF32U8AVX512(x *float32, y *uint8, n int) float32

func dotF32U8Go(x *float32, y *uint8, n int) float32 {
	return inGo(x, y, n, dotF32U8Long, dotF32U8Generic)
}

//go:noescape
func l2F32F16(x *float32, y *F16, n int) float32

//go:noescape
func l2F32F16AVX2(x *float32, y *F16, n int) float32

//go:noescape
func l2F32F16AVX512(x *float32, y *F16, n int) float32

func l2F32F16Go(x *float32, y *F16, n int) float32 {
	return inGo(x, y, n, l2F32F16Long, l2F32F16Generic)
}

//go:noescape
func l2F32BF16(x *float32, y *BF16, n int) float32

//go:noescape
func l2F32BF16AVX2(x *float32, y *BF16, n int) float32

//go:noescape
func l2F32BF16AVX512(x *float32, y *BF16, n int) float32

func l2F32BF16Go(x *float32, y *BF16, n int) float32 {
	return inGo(x, y, n, l2F32BF16Long, l2F32BF16Generic)
}

//go:noescape
func l2F32I8(x *float32, y *int8, n int) float32

//go:noescape
func l2F32I8AVX2(x *float32, y *int8, n int) float32

//go:noescape
func l2F32I8AVX512(x *float32, y *int8, n int) float32

func l2F32I8Go(x *float32, y *int8, n int) float32 {
	return inGo(x, y, n, l2F32I8Long, l2F32I8Generic)
}

//go:noescape
func l2F32U8(x *float32, y *uint8, n int) float32

//go:noescape
func l2F32U8AVX2(x *float32, y *uint8, n int) float32

//go:noescape
func l2F32U8AVX512(x *float32, y *uint8, n int) float32

func l2F32U8Go(x *float32, y *uint8, n int) float32 {
	return inGo(x, y, n, l2F32U8Long, l2F32U8Generic)
}

//go:noescape
func cosineF32F16(x *float32, y *F16, n int) float32

//go:noescape
func cosineF32F16AVX2(x *float32, y *F16, n int) float32

//go:noescape
func cosineF32F16AVX512(x *float32, y *F16, n int) float32

func cosineF32F16Go(x *float32, y *F16, n int) float32 {
	return inGo(x, y, n, cosineF32F16Long, cosineF32F16Generic)
}

//go:noescape
func cosineF32BF16(x *float32, y *BF16, n int) float32

//go:noescape
func cosineF32BF16AVX2(x *float32, y *BF16, n int) float32

//go:noescape
func cosineF32BF16AVX512(x *float32, y *BF16, n int) float32

func cosineF32BF16Go(x *float32, y *BF16, n int) float32 {
	return inGo(x, y, n, cosineF32BF16Long, cosineF32BF16Generic)
}

//go:noescape
func cosineF32I8(x *float32, y *int8, n int) float32

//go:noescape
func cosineF32I8AVX2(x *float32, y *int8, n int) float32

//go:noescape
func cosineF32I8AVX512(x *float32, y *int8, n int) float32

func cosineF32I8Go(x *float32, y *int8, n int) float32 {
	return inGo(x, y, n, cosineF32I8Long, cosineF32I8Generic)
}

//go:noescape
func cosineF32U8(x *float32, y *uint8, n int) float32

//go:noescape
func cosineF32U8AVX2(x *float32, y *uint8, n int) float32

//go:noescape
func cosineF32U8AVX512(x *float32, y *uint8, n int) float32

func cosineF32U8Go(x *float32, y *uint8, n int) float32 {
	return inGo(x, y, n, cosineF32U8Long, cosineF32U8Generic)
}

//go:noescape
func dotI4(x, y *I4x2, n int) int64

//go:noescape
func dotI4AVX2(x, y *I4x2, n int) int64

//go:noescape
func dotI4AVX512(x, y *I4x2, n int) int64

func dotI4Go(x, y *I4x2, n int) int64 {
	return inGo(x, y, n, dotI4Long, dotI4Generic)
}

//go:noescape
func l2I4(x, y *I4x2, n int) int64

//go:noescape
func l2I4AVX2(x, y *I4x2, n int) int64

//go:noescape
func l2I4AVX512(x, y *I4x2, n int) int64

func l2I4Go(x, y *I4x2, n int) int64 {
	return inGo(x, y, n, l2I4Long, l2I4Generic)
}

//go:noescape
func f16FromF32AVX2(dst []F16, src []float32)

//go:noescape
func f16FromF32AVX512(dst []F16, src []float32)

func f16FromF32(dst []F16, src []float32) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		f16FromF32AVX512(dst[:n], src[:n])
	case cpu.UseAVX2:
		f16FromF32AVX2(dst[:n], src[:n])
	default:
		n = 0
	}
	f16FromF32Generic(dst[n:], src[n:])
}

//go:noescape
func f32FromF16AVX2(dst []float32, src []F16)

//go:noescape
func f32FromF16AVX512(dst []float32, src []F16)

func f32FromF16(dst []float32, src []F16) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		f32FromF16AVX512(dst[:n], src[:n])
	case cpu.UseAVX2:
		f32FromF16AVX2(dst[:n], src[:n])
	default:
		n = 0
	}
	f32FromF16Generic(dst[n:], src[n:])
}

//go:noescape
func bF16FromF32AVX2(dst []BF16, src []float32)

//go:noescape
func bF16FromF32AVX512(dst []BF16, src []float32)

func bF16FromF32(dst []BF16, src []float32) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		bF16FromF32AVX512(dst[:n], src[:n])
	case cpu.UseAVX2:
		bF16FromF32AVX2(dst[:n], src[:n])
	default:
		n = 0
	}
	bF16FromF32Generic(dst[n:], src[n:])
}

//go:noescape
func f32FromBF16AVX2(dst []float32, src []BF16)

//go:noescape
func f32FromBF16AVX512(dst []float32, src []BF16)

func f32FromBF16(dst []float32, src []BF16) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		f32FromBF16AVX512(dst[:n], src[:n])
	case cpu.UseAVX2:
		f32FromBF16AVX2(dst[:n], src[:n])
	default:
		n = 0
	}
	f32FromBF16Generic(dst[n:], src[n:])
}

//go:noescape
func scaleI8AVX2(x []float32) float32

//go:noescape
func scaleI8AVX512(x []float32) float32

func scaleI8(x []float32) float32 {
	n := len(x) &^ 15
	size := float32(0)
	switch {
	case cpu.UseAVX512:
		size = scaleI8AVX512(x[:n])
	case cpu.UseAVX2:
		size = scaleI8AVX2(x[:n])
	default:
		n = 0
	}
	return max(size, scaleI8Generic(x[n:]))
}

//go:noescape
func quantizeI8AVX2(dst []int8, src []float32, scale float32)

//go:noescape
func quantizeI8AVX512(dst []int8, src []float32, scale float32)

func quantizeI8(dst []int8, src []float32, scale float32) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		quantizeI8AVX512(dst[:n], src[:n], scale)
	case cpu.UseAVX2:
		quantizeI8AVX2(dst[:n], src[:n], scale)
	default:
		n = 0
	}
	quantizeI8Generic(dst[n:], src[n:], scale)
}

//go:noescape
func dequantizeI8AVX2(dst []float32, src []int8, scale float32)

//go:noescape
func dequantizeI8AVX512(dst []float32, src []int8, scale float32)

func dequantizeI8(dst []float32, src []int8, scale float32) {
	n := len(src) &^ 15
	switch {
	case cpu.UseAVX512:
		dequantizeI8AVX512(dst[:n], src[:n], scale)
	case cpu.UseAVX2:
		dequantizeI8AVX2(dst[:n], src[:n], scale)
	default:
		n = 0
	}
	dequantizeI8Generic(dst[n:], src[n:], scale)
}

//go:noescape
func signBitsAVX2(dst []uint64, src []float32)

//go:noescape
func signBitsAVX512(dst []uint64, src []float32)

func signBits(dst []uint64, src []float32) {
	n := len(src) &^ 63
	switch {
	case cpu.UseAVX512:
		signBitsAVX512(dst[:n/64], src[:n])
	case cpu.UseAVX2:
		signBitsAVX2(dst[:n/64], src[:n])
	default:
		n = 0
	}
	signBitsGeneric(dst[n/64:], src[n:])
}
