package kernels

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// ExpF64 writes exp(x[i]) to dst[i]; dst may be x. The error is below 0.8 ulp, in
// the subnormal range below 1 ulp. exp(−Inf) = 0, exp(+Inf) = +Inf, exp(NaN) = NaN.
//
// k = x·log₂e rounded to an integer, r = x − k·ln 2 in two fused steps, and the
// result is 2^k times a polynomial of degree 11 in r by Horner's scheme, fused.
func ExpF64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(kern.Lengths("ExpF64: dst and x", len(dst), len(x)))
	}
	if kern.Shifted(dst, x) {
		panic(kern.OverlapError("ExpF64: dst kern.Overlaps x and is not x"))
	}
	for ; len(x) > kern.BlockLen; dst, x = dst[kern.BlockLen:], x[kern.BlockLen:] {
		expF64(dst[:kern.BlockLen], x[:kern.BlockLen])
	}
	expF64(dst, x)
}
