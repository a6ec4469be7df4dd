package kernels

import "fmt"

// ExpF64 writes exp(x[i]) to dst[i]; dst may be x. The error is below 0.8 ulp, in
// the subnormal range below 1 ulp. exp(−Inf) = 0, exp(+Inf) = +Inf, exp(NaN) = NaN.
//
// k = x·log₂e rounded to an integer, r = x − k·ln 2 in two fused steps, and the
// result is 2^k times a polynomial of degree 11 in r by Horner's scheme, fused.
func ExpF64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("kernels.ExpF64: len(dst) %d, len(x) %d", len(dst), len(x)))
	}
	expF64Generic(dst, x)
}

// Log1pExpF64 writes log(1 + exp(x[i])) to dst[i], the softplus function; dst may be x. The error
// is below 2 ulp. It is max(x, 0) + log1p(exp(−|x|)) with the exponential of
// [ExpF64] and log1p(e) = 2·artanh(f/(2+f)) after a reduction to [√½, √2].
func Log1pExpF64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(fmt.Sprintf("kernels.Log1pExpF64: len(dst) %d, len(x) %d", len(dst), len(x)))
	}
	log1pExpF64Generic(dst, x)
}
