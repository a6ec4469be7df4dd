package vectors

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
)

// ScaleI8 returns the scale at which [QuantizeI8] makes ±127 of the largest number: max |x[i]| /
// 127, rounded. x is one vector, whose numbers then take the whole range of a byte, or a matrix,
// whose rows then share a scale, so that their products compare as they are. NaN and infinities do
// not count. The scale is 0 when all other numbers are 0.
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

// QuantizeI8 sets dst[i] to src[i]/scale in float32, rounded to the nearest integer, ties to even,
// and limited to −127 … 127; −128 is not used. NaN becomes 0, and so does 0/0.
//
// With a scale of at least [ScaleI8] of src, and at least 1.2e−38 (a normal float32), scale·dst[i]
// differs from a finite src[i] by .50001·scale at most, and scale·(dst·y) from src·y, for any y, by
// that times Σ |y[i]|.
//
// It panics when the lengths differ, when dst overlaps src, and when the scale is negative or not
// finite.
func QuantizeI8(dst []int8, src []float32, scale float32) {
	checkConversion("vectors: QuantizeI8", dst, src)
	if !(scale >= 0 && scale <= math.MaxFloat32) {
		panic(kern.Value("vectors: QuantizeI8: the scale is negative or not finite", float64(scale)))
	}
	for len(dst) > kern.BlockLen {
		quantizeI8(dst[:kern.BlockLen], src[:kern.BlockLen], scale)
		dst, src = dst[kern.BlockLen:], src[kern.BlockLen:]
	}
	quantizeI8(dst, src, scale)
}

// DequantizeI8 sets dst[i] to scale·src[i], rounded once. [QuantizeI8] with the same scale makes
// src of dst again, if the scale is positive, no product overflows, and src holds no −128.
//
// It panics when the lengths differ, and when dst overlaps src.
func DequantizeI8(dst []float32, src []int8, scale float32) {
	checkConversion("vectors: DequantizeI8", dst, src)
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
// Only the signs of src are kept. The nearest vector to src with these signs and elements of one
// size has ±m for src[i], with m the mean of |src[i]|; its squared distance from src is
// Σ src[i]² − n·m². So bits serve to choose candidates, which an exact kernel then compares.
//
// It panics when dst does not hold one word for every 64 elements, the last ones rounded up, and
// when dst overlaps src.
func SignBits(dst []uint64, src []float32) {
	if words := (len(src) + 63) / 64; len(dst) != words {
		panic(kern.Lengths("vectors: SignBits: len(dst) is not len(src)/64, rounded up", len(dst), words))
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
