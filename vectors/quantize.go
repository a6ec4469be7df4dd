package vectors

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// ScaleI8 returns the scale with which [QuantizeI8] converts the element with the largest magnitude
// to ±127. It is max |x[i]| / 127, rounded. NaN and infinities are ignored. If all other elements
// are 0, the scale is 0.
//
// If x is one vector, its codes use the whole range from −127 to 127. If x is a matrix, all rows
// share a scale, so their products can be compared directly.
func ScaleI8(x []float32) float32 {
	if kern.Race {
		kern.RaceRead(x)
	}
	size := float32(0)
	for len(x) > kern.BlockLen {
		size = max(size, scaleI8(x[:kern.BlockLen]))
		x = x[kern.BlockLen:]
	}
	return max(size, scaleI8(x)) / 127
}

// QuantizeI8 sets dst[i] to src[i]/scale, computed in float32, rounded to the nearest integer with
// ties to even, and clamped to −127 … 127. dst never contains −128. NaN and 0/0 become 0.
//
// If scale is at least ScaleI8(src) and at least 1.2e−38, which makes it a normal float32, the
// errors are bounded. For finite src[i], scale·dst[i] differs from src[i] by at most 0.50001·scale.
// For any y, scale·(dst·y) differs from src·y by at most 0.50001·scale·Σ |y[i]|.
//
// It panics if the lengths differ, if dst overlaps src, or if scale is negative or not finite.
func QuantizeI8(dst []int8, src []float32, scale float32) {
	checkConversion("vectors: QuantizeI8", dst, src)
	if !(scale >= 0 && scale <= math.MaxFloat32) {
		panic(kern.Value("vectors: QuantizeI8: scale is %v; it must be finite and not negative", float64(scale)))
	}
	for len(dst) > kern.BlockLen {
		quantizeI8(dst[:kern.BlockLen], src[:kern.BlockLen], scale)
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	quantizeI8(dst, src, scale)
}

// DequantizeI8 sets dst[i] to scale·src[i], rounded once. [QuantizeI8] with the same scale restores
// src from dst if scale is positive, no product overflows, and src does not contain −128.
//
// It panics if the lengths differ or if dst overlaps src.
func DequantizeI8(dst []float32, src []int8, scale float32) {
	checkConversion("vectors: DequantizeI8", dst, src)
	for len(dst) > kern.BlockLen {
		dequantizeI8(dst[:kern.BlockLen], src[:kern.BlockLen], scale)
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	dequantizeI8(dst, src, scale)
}

// SignBits converts src to one bit per element. Bit i mod 64 of dst[i/64] is 1 if src[i] > 0. It is
// 0 if src[i] is 0, negative or NaN. Bits after the last element are 0. [HammingBits] of two such
// vectors counts the elements that are positive in exactly one of them.
//
// Only the signs of src are kept. Among vectors with these signs and equal magnitudes, the closest
// to src has elements ±m, where m is the mean of |src[i]|. Its squared distance from src is
// Σ src[i]² − n·m². Use sign bits to select candidates, and compare the candidates with an exact
// kernel.
//
// It panics if len(dst) is not len(src)/64, rounded up, or if dst overlaps src.
func SignBits(dst []uint64, src []float32) {
	if words := (len(src) + 63) / 64; len(dst) != words {
		panic(kern.Lengths("vectors: SignBits: len(dst) is %d; it must be len(src)/64 rounded up, %d", len(dst), words))
	}
	if kern.Overlaps(dst, src) {
		panic(kern.Error("vectors: SignBits: dst overlaps src"))
	}
	kern.RaceWrite(dst)
	kern.RaceRead(src)
	for len(src) > kern.BlockLen {
		signBits(dst[:kern.BlockLen/64], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen/64:], src[kern.BlockLen:]
	}
	signBits(dst, src)
}
