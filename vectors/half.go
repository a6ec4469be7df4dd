package vectors

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// F16 is an IEEE 754 half-precision number (binary16). It has 11 significant bits, and its largest
// finite value is 65504.
type F16 uint16

// BF16 is a bfloat16 number, the upper half of a float32. It has 8 significant bits.
type BF16 uint16

// NewF16 rounds v to the nearest F16, with ties to even. Values of at least 65520 become infinite.
// For smaller values, the error is at most |v|·2⁻¹¹, or 2⁻²⁵ if |v| < 2⁻¹⁴. A NaN becomes a quiet
// NaN with the upper bits of its payload.
func NewF16(v float32) F16 {
	b := math.Float32bits(v)
	sign, b := b>>16&0x8000, b&math.MaxInt32
	switch {
	case b > 0x7f800000: // NaN
		return F16(sign | 0x7e00 | b>>13&0x3ff)
	case b >= 0x47800000: // at least 65536, which becomes infinity
		return F16(sign | 0x7c00)
	case b < 0x38800000: // below 2⁻¹⁴, the last bit is worth 2⁻²⁴, as in float32 numbers from 1/2 to 1
		return F16(sign | math.Float32bits(math.Float32frombits(b)+0.5) - math.Float32bits(0.5))
	}
	// Decrease the bias of the exponent by 112, and round 13 bits away. A carry from the fraction
	// to the exponent is correct.
	return F16(sign | (b-112<<23+0xfff+b>>13&1)>>13)
}

// Float32 converts v to float32. The conversion is exact. A NaN becomes quiet.
func (v F16) Float32() float32 {
	sign, b := uint32(v)<<16&(1<<31), uint32(v)&0x7fff
	switch {
	case b > 0x7c00: // NaN
		return math.Float32frombits(sign | 0x7fc00000 | b<<13)
	case b == 0x7c00:
		return math.Float32frombits(sign | 0x7f800000)
	case b < 0x400: // a subnormal number, b·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(b)*0x1p-24))
	}
	return math.Float32frombits(sign | (b<<13 + 112<<23))
}

// NewBF16 rounds v to the nearest BF16, with ties to even. For values up to 3.38e38, the error is
// at most |v|·2⁻⁸, or 2⁻¹³⁴ if |v| < 2⁻¹²⁶. A NaN becomes a quiet NaN with the upper bits of its
// payload.
func NewBF16(v float32) BF16 {
	b := math.Float32bits(v)
	if v != v {
		return BF16(b>>16 | 0x40)
	}
	return BF16((b + 0x7fff + b>>16&1) >> 16)
}

// Float32 converts v to float32. The conversion is exact.
func (v BF16) Float32() float32 { return math.Float32frombits(uint32(v) << 16) }

// F16FromF32 rounds each element of src as [NewF16] does.
//
// It panics if the lengths differ or if dst overlaps src.
func F16FromF32(dst []F16, src []float32) {
	checkConversion("vectors: F16FromF32", dst, src)
	for len(dst) > kern.BlockLen {
		f16FromF32(dst[:kern.BlockLen], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	f16FromF32(dst, src)
}

// F32FromF16 converts src to float32. The conversion is exact.
//
// It panics if the lengths differ or if dst overlaps src.
func F32FromF16(dst []float32, src []F16) {
	checkConversion("vectors: F32FromF16", dst, src)
	for len(dst) > kern.BlockLen {
		f32FromF16(dst[:kern.BlockLen], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	f32FromF16(dst, src)
}

// BF16FromF32 rounds each element of src as [NewBF16] does.
//
// It panics if the lengths differ or if dst overlaps src.
func BF16FromF32(dst []BF16, src []float32) {
	checkConversion("vectors: BF16FromF32", dst, src)
	for len(dst) > kern.BlockLen {
		bF16FromF32(dst[:kern.BlockLen], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	bF16FromF32(dst, src)
}

// F32FromBF16 converts src to float32. The conversion is exact.
//
// It panics if the lengths differ or if dst overlaps src.
func F32FromBF16(dst []float32, src []BF16) {
	checkConversion("vectors: F32FromBF16", dst, src)
	for len(dst) > kern.BlockLen {
		f32FromBF16(dst[:kern.BlockLen], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	f32FromBF16(dst, src)
}

// checkConversion checks the arguments of a conversion. The caller calls the kernel, because slices
// that are passed to a function value escape to the heap, and a caller's array could not stay on
// the stack.
func checkConversion[D, S any](name string, dst []D, src []S) {
	if len(dst) != len(src) {
		panic(kern.Lengths(name+": len(dst) and len(src) differ: %d and %d", len(dst), len(src)))
	}
	if kern.Overlaps(dst, src) {
		panic(kern.Error(name + ": dst overlaps src"))
	}
	kern.RaceWrite(dst)
	kern.RaceRead(src)
}
