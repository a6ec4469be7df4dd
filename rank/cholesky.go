package rank

import (
	"math"

	"github.com/simdrank/simdrank/kernels"
)

// A cholesky is the factor L of a symmetric positive definite matrix A = S·L·Lᵀ·S,
// where the diagonal S = √diag(A) takes out the scale of the features. It is built on the
// kernels and so has the same bits on every architecture, as gonum's has not.
type cholesky struct {
	n int
	l []float64 // n×n, row-major, lower triangle
	s []float64 // 1/√diag(A)
}

// factorize replaces the factor by that of the symmetric matrix a (n×n,
// row-major, only the upper triangle is read) without the rows and columns marked in fixed
// (nil: none), whose part of a solution is 0. Where a is not positive definite in float64 the
// diagonal is raised by as little of itself as makes it so, which may be a multiple of it where
// rounding has made values beside it too large. It reports false when a is not finite.
func (c *cholesky) factorize(a []float64, n int, fixed []bool) bool {
	if c.n != n {
		c.n, c.l, c.s = n, make([]float64, n*n), make([]float64, n)
	}
	for i := range n {
		d := a[i*n+i]
		switch {
		case !isFinite(d):
			return false
		case d > 0 && (fixed == nil || !fixed[i]):
			c.s[i] = 1 / math.Sqrt(d)
		default: // fixed, or constant and not penalized: 1 on the diagonal, 0 beside it
			c.s[i] = 0
		}
	}
	for jitter := 0.0; isFinite(jitter); jitter = max(16*jitter, 0x1p-44) {
		if c.try(a, 1+jitter) {
			return true
		}
	}
	return false
}

// try computes the factor of the scaled matrix with the given diagonal, and
// reports whether it is positive definite.
func (c *cholesky) try(a []float64, diagonal float64) bool {
	n := c.n
	for i := range n {
		li := c.l[i*n : i*n+i+1]
		for j := range i {
			lj := c.l[j*n : j*n+j+1]
			aij := float64(float64(a[j*n+i]*c.s[i]) * c.s[j])
			li[j] = (aij - kernels.DotF64(li[:j], lj[:j])) / lj[j]
		}
		d := diagonal - kernels.DotF64(li[:i], li[:i])
		if !(d > 0x1p-46) {
			return false
		}
		li[i] = math.Sqrt(d)
	}
	return true
}

// solve overwrites x with A⁻¹·x.
func (c *cholesky) solve(x []float64) {
	n := c.n
	for i := range n {
		li := c.l[i*n : i*n+i+1]
		x[i] = (float64(x[i]*c.s[i]) - kernels.DotF64(li[:i], x[:i])) / li[i]
	}
	for i := n - 1; i >= 0; i-- {
		li := c.l[i*n : i*n+i+1]
		x[i] /= li[i]
		kernels.AxpyF64(-x[i], li[:i], x[:i])
		x[i] *= c.s[i]
	}
}
