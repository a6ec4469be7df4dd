//go:build purego || !(amd64 || arm64)

package kernels

import "unsafe"

func l2F64(x, y *float64, n int) float64 {
	return l2F64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32(x, y *float32, n int) float32 {
	return l2F32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32Wide(x, y *float32, n int) float64 {
	return l2F32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF64(x, y *float64, n int) float64 {
	return cosineF64Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32(x, y *float32, n int) float32 {
	return cosineF32Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32Wide(x, y *float32, n int) float64 {
	return cosineF32WideGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotI8(x, y *int8, n int) int64 {
	return dotI8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotU8(x, y *uint8, n int) int64 {
	return dotU8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2I8(x, y *int8, n int) int64 {
	return l2I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2U8(x, y *uint8, n int) int64 {
	return l2U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineI8(x, y *int8, n int) float32 {
	return cosineI8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineU8(x, y *uint8, n int) float32 {
	return cosineU8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func hammingBits(x, y *uint64, n int) int64 {
	return hammingBitsGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func jaccardBits(x, y *uint64, n int) (both, either int64) {
	return jaccardBitsGeneric(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF16(x, y *F16, n int) float32 {
	return dotF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotBF16(x, y *BF16, n int) float32 {
	return dotBF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F16(x, y *F16, n int) float32 {
	return l2F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2BF16(x, y *BF16, n int) float32 {
	return l2BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF16(x, y *F16, n int) float32 {
	return cosineF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineBF16(x, y *BF16, n int) float32 {
	return cosineBF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32F16(x *float32, y *F16, n int) float32 {
	return dotF32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32BF16(x *float32, y *BF16, n int) float32 {
	return dotF32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32I8(x *float32, y *int8, n int) float32 {
	return dotF32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotF32U8(x *float32, y *uint8, n int) float32 {
	return dotF32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32F16(x *float32, y *F16, n int) float32 {
	return l2F32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32BF16(x *float32, y *BF16, n int) float32 {
	return l2F32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32I8(x *float32, y *int8, n int) float32 {
	return l2F32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2F32U8(x *float32, y *uint8, n int) float32 {
	return l2F32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32F16(x *float32, y *F16, n int) float32 {
	return cosineF32F16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32BF16(x *float32, y *BF16, n int) float32 {
	return cosineF32BF16Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32I8(x *float32, y *int8, n int) float32 {
	return cosineF32I8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func cosineF32U8(x *float32, y *uint8, n int) float32 {
	return cosineF32U8Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func dotI4(x, y *I4x2, n int) int64 {
	return dotI4Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func l2I4(x, y *I4x2, n int) int64 {
	return l2I4Generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

func f16FromF32(dst []F16, src []float32) { f16FromF32Generic(dst, src) }

func f32FromF16(dst []float32, src []F16) { f32FromF16Generic(dst, src) }

func bF16FromF32(dst []BF16, src []float32) { bF16FromF32Generic(dst, src) }

func f32FromBF16(dst []float32, src []BF16) { f32FromBF16Generic(dst, src) }

func scaleI8(x []float32) float32 { return scaleI8Generic(x) }

func quantizeI8(dst []int8, src []float32, scale float32) { quantizeI8Generic(dst, src, scale) }

func dequantizeI8(dst []float32, src []int8, scale float32) { dequantizeI8Generic(dst, src, scale) }

func signBits(dst []uint64, src []float32) { signBitsGeneric(dst, src) }
