//go:build !purego

package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func l2F64NEON(x, y *float64, n int) float64

func l2F64(x, y *float64, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return l2F64Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F64NEON(x, y, n)
	}
	return l2F64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32NEON(x, y *float32, n int) float32

func l2F32(x, y *float32, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F32Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32NEON(x, y, n)
	}
	return l2F32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32WideNEON(x, y *float32, n int) float64

func l2F32Wide(x, y *float32, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return l2F32WideLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32WideNEON(x, y, n)
	}
	return l2F32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF64NEON(x, y *float64, n int) float64

func cosineF64(x, y *float64, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return cosineF64Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF64NEON(x, y, n)
	}
	return cosineF64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32NEON(x, y *float32, n int) float32

func cosineF32(x, y *float32, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF32Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32NEON(x, y, n)
	}
	return cosineF32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32WideNEON(x, y *float32, n int) float64

func cosineF32Wide(x, y *float32, n int) float64 {
	switch {
	case n > kern.BlockLen:
		return cosineF32WideLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32WideNEON(x, y, n)
	}
	return cosineF32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotI8NEON(x, y *int8, n int) int64

//go:noescape
func dotI8SDOTNEON(x, y *int8, n int) int64

func dotI8(x, y *int8, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return dotI8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return dotI8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return dotI8NEON(x, y, n)
	}
	return dotI8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotU8NEON(x, y *uint8, n int) int64

//go:noescape
func dotU8SDOTNEON(x, y *uint8, n int) int64

func dotU8(x, y *uint8, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return dotU8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return dotU8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return dotU8NEON(x, y, n)
	}
	return dotU8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2I8NEON(x, y *int8, n int) int64

//go:noescape
func l2I8SDOTNEON(x, y *int8, n int) int64

func l2I8(x, y *int8, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return l2I8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return l2I8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return l2I8NEON(x, y, n)
	}
	return l2I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2U8NEON(x, y *uint8, n int) int64

//go:noescape
func l2U8SDOTNEON(x, y *uint8, n int) int64

func l2U8(x, y *uint8, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return l2U8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return l2U8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return l2U8NEON(x, y, n)
	}
	return l2U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineI8NEON(x, y *int8, n int) float32

//go:noescape
func cosineI8SDOTNEON(x, y *int8, n int) float32

func cosineI8(x, y *int8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineI8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return cosineI8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return cosineI8NEON(x, y, n)
	}
	return cosineI8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineU8NEON(x, y *uint8, n int) float32

//go:noescape
func cosineU8SDOTNEON(x, y *uint8, n int) float32

func cosineU8(x, y *uint8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineU8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return cosineU8SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return cosineU8NEON(x, y, n)
	}
	return cosineU8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func hammingBitsNEON(x, y *uint64, n int) int64

func hammingBits(x, y *uint64, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return hammingBitsLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return hammingBitsNEON(x, y, n)
	}
	return hammingBitsGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func jaccardBitsNEON(x, y *uint64, n int) (both, either int64)

func jaccardBits(x, y *uint64, n int) (both, either int64) {
	switch {
	case n > kern.BlockLen:
		return jaccardBitsLong(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return jaccardBitsNEON(x, y, n)
	}
	return jaccardBitsGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF16NEON(x, y *F16, n int) float32

func dotF16(x, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF16NEON(x, y, n)
	}
	return dotF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotBF16NEON(x, y *BF16, n int) float32

func dotBF16(x, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotBF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotBF16NEON(x, y, n)
	}
	return dotBF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F16NEON(x, y *F16, n int) float32

func l2F16(x, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F16NEON(x, y, n)
	}
	return l2F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2BF16NEON(x, y *BF16, n int) float32

func l2BF16(x, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2BF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2BF16NEON(x, y, n)
	}
	return l2BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF16NEON(x, y *F16, n int) float32

func cosineF16(x, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF16NEON(x, y, n)
	}
	return cosineF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineBF16NEON(x, y *BF16, n int) float32

func cosineBF16(x, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineBF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineBF16NEON(x, y, n)
	}
	return cosineBF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32F16NEON(x *float32, y *F16, n int) float32

func dotF32F16(x *float32, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF32F16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32F16NEON(x, y, n)
	}
	return dotF32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32BF16NEON(x *float32, y *BF16, n int) float32

func dotF32BF16(x *float32, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF32BF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32BF16NEON(x, y, n)
	}
	return dotF32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32I8NEON(x *float32, y *int8, n int) float32

func dotF32I8(x *float32, y *int8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF32I8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32I8NEON(x, y, n)
	}
	return dotF32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF32U8NEON(x *float32, y *uint8, n int) float32

func dotF32U8(x *float32, y *uint8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return dotF32U8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return dotF32U8NEON(x, y, n)
	}
	return dotF32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32F16NEON(x *float32, y *F16, n int) float32

func l2F32F16(x *float32, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F32F16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32F16NEON(x, y, n)
	}
	return l2F32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32BF16NEON(x *float32, y *BF16, n int) float32

func l2F32BF16(x *float32, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F32BF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32BF16NEON(x, y, n)
	}
	return l2F32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32I8NEON(x *float32, y *int8, n int) float32

func l2F32I8(x *float32, y *int8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F32I8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32I8NEON(x, y, n)
	}
	return l2F32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2F32U8NEON(x *float32, y *uint8, n int) float32

func l2F32U8(x *float32, y *uint8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return l2F32U8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return l2F32U8NEON(x, y, n)
	}
	return l2F32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32F16NEON(x *float32, y *F16, n int) float32

func cosineF32F16(x *float32, y *F16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF32F16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32F16NEON(x, y, n)
	}
	return cosineF32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32BF16NEON(x *float32, y *BF16, n int) float32

func cosineF32BF16(x *float32, y *BF16, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF32BF16Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32BF16NEON(x, y, n)
	}
	return cosineF32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32I8NEON(x *float32, y *int8, n int) float32

func cosineF32I8(x *float32, y *int8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF32I8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32I8NEON(x, y, n)
	}
	return cosineF32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func cosineF32U8NEON(x *float32, y *uint8, n int) float32

func cosineF32U8(x *float32, y *uint8, n int) float32 {
	switch {
	case n > kern.BlockLen:
		return cosineF32U8Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseNEON:
		return cosineF32U8NEON(x, y, n)
	}
	return cosineF32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotI4NEON(x, y *I4x2, n int) int64

//go:noescape
func dotI4SDOTNEON(x, y *I4x2, n int) int64

func dotI4(x, y *I4x2, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return dotI4Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return dotI4SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return dotI4NEON(x, y, n)
	}
	return dotI4Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func l2I4NEON(x, y *I4x2, n int) int64

//go:noescape
func l2I4SDOTNEON(x, y *I4x2, n int) int64

func l2I4(x, y *I4x2, n int) int64 {
	switch {
	case n > kern.BlockLen:
		return l2I4Long(unsafe.Slice(x, n), unsafe.Slice(y, n))
	case cpu.UseSDOT:
		return l2I4SDOTNEON(x, y, n)
	case cpu.UseNEON:
		return l2I4NEON(x, y, n)
	}
	return l2I4Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func f16FromF32NEON(dst []F16, src []float32)

func f16FromF32(dst []F16, src []float32) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		f16FromF32NEON(dst[:n], src[:n])
	}
	f16FromF32Generic(dst[n:], src[n:])
}

//go:noescape
func f32FromF16NEON(dst []float32, src []F16)

func f32FromF16(dst []float32, src []F16) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		f32FromF16NEON(dst[:n], src[:n])
	}
	f32FromF16Generic(dst[n:], src[n:])
}

//go:noescape
func bF16FromF32NEON(dst []BF16, src []float32)

func bF16FromF32(dst []BF16, src []float32) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		bF16FromF32NEON(dst[:n], src[:n])
	}
	bF16FromF32Generic(dst[n:], src[n:])
}

//go:noescape
func f32FromBF16NEON(dst []float32, src []BF16)

func f32FromBF16(dst []float32, src []BF16) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		f32FromBF16NEON(dst[:n], src[:n])
	}
	f32FromBF16Generic(dst[n:], src[n:])
}

//go:noescape
func scaleI8NEON(x []float32) float32

func scaleI8(x []float32) float32 {
	n, size := 0, float32(0)
	if cpu.UseNEON {
		n = len(x) &^ 15
		size = scaleI8NEON(x[:n])
	}
	return max(size, scaleI8Generic(x[n:]))
}

//go:noescape
func quantizeI8NEON(dst []int8, src []float32, scale float32)

func quantizeI8(dst []int8, src []float32, scale float32) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		quantizeI8NEON(dst[:n], src[:n], scale)
	}
	quantizeI8Generic(dst[n:], src[n:], scale)
}

//go:noescape
func dequantizeI8NEON(dst []float32, src []int8, scale float32)

func dequantizeI8(dst []float32, src []int8, scale float32) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 15
		dequantizeI8NEON(dst[:n], src[:n], scale)
	}
	dequantizeI8Generic(dst[n:], src[n:], scale)
}

//go:noescape
func signBitsNEON(dst []uint64, src []float32)

func signBits(dst []uint64, src []float32) {
	n := 0
	if cpu.UseNEON {
		n = len(src) &^ 63
		signBitsNEON(dst[:n/64], src[:n])
	}
	signBitsGeneric(dst[n/64:], src[n:])
}
