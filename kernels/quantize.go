package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// ScaleI8 returns the scale at which [QuantizeI8] makes ±127 of the largest number: max |x[i]| /
// 127, rounded. Of one vector it is the scale that loses least; of a whole matrix it is one for all
// rows, whose products then compare without scales. NaN and infinities do not count. It is 0 when
// there are no other numbers than 0.
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

// QuantizeI8 sets dst[i] to src[i]/scale in float32, rounded to the nearest integer, to the even
// one of two, and cut to −127 and 127, which leaves out −128. A NaN becomes 0, also that of 0/0.
//
// With a scale of at least [ScaleI8] of src, and at least 1.2e−38, where float32 is precise,
// scale·dst[i] differs from src[i] by .50001·scale at most, and scale·(dst·y) from src·y, for any
// y, by that times Σ |y[i]|.
//
// It panics when the lengths differ, when dst overlaps src, and when the scale is negative or not
// finite.
func QuantizeI8(dst []int8, src []float32, scale float32) {
	checkConversion("QuantizeI8", dst, src)
	if !(scale >= 0 && scale <= math.MaxFloat32) {
		panic(kern.ValueError{What: "QuantizeI8: the scale is negative or not finite", V: float64(scale)})
	}
	for len(dst) > kern.BlockLen {
		quantizeI8(dst[:kern.BlockLen], src[:kern.BlockLen], scale)
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	quantizeI8(dst, src, scale)
}

// DequantizeI8 sets dst[i] to scale·src[i], rounded once. [QuantizeI8] with the same scale returns
// src, where no product overflows and src holds no −128: the one is the inverse of the other on
// what it can return.
//
// It panics when the lengths differ, and when dst overlaps src.
func DequantizeI8(dst []float32, src []int8, scale float32) {
	checkConversion("DequantizeI8", dst, src)
	for len(dst) > kern.BlockLen {
		dequantizeI8(dst[:kern.BlockLen], src[:kern.BlockLen], scale)
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	dequantizeI8(dst, src, scale)
}

// SignBits sets bit i mod 64 of dst[i/64] where src[i] > 0, and clears it where src[i] is 0,
// negative or NaN, and beyond the last element. [HammingBits] of two such vectors counts the
// elements of which just one is positive.
//
// What is left of src are its signs: ±m in the place of src[i], with m the mean of |src[i]|, is
// nearest, and differs from src by Σ src[i]² − n·m² in squared distance. So bits choose candidates,
// for an exact kernel to compare.
//
// It panics when dst does not hold one word for every 64 elements, the last ones rounded up, and
// when dst overlaps src.
func SignBits(dst []uint64, src []float32) {
	if words := (len(src) + 63) / 64; len(dst) != words {
		panic(kern.Lengths("SignBits: len(dst) is not len(src)/64, rounded up", len(dst), words))
	}
	if kern.Overlaps(dst, src) {
		panic(kern.OverlapError("SignBits: dst overlaps src"))
	}
	kern.RaceWrite(dst)
	kern.RaceRead(src)
	for len(src) > kern.BlockLen {
		signBits(dst[:kern.BlockLen/64], src[:kern.BlockLen])
		dst, src = dst[kern.BlockLen/64:], src[kern.BlockLen:]
	}
	signBits(dst, src)
}
