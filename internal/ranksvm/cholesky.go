package ranksvm

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/kernels"
)

// A Cholesky is the factor L of a symmetric positive definite matrix A = S·L·Lᵀ·S, where the
// diagonal S = √diag(A) removes the scale of the features. It is built on the kernels and is
// therefore bit-identical on every architecture, unlike gonum's.
type Cholesky struct {
	n int
	l []float64 // n×n, row-major; only the lower triangle is used
	s []float64 // 1/√diag(A)
}

// Factorize replaces the factor by the factor of the symmetric matrix a (n×n, row-major; only the
// upper triangle is read). Rows and columns marked in fixed, which may be nil, are excluded, and
// their part of a solution is 0. If a is not positive definite in float64, the diagonal is
// increased by the smallest sufficient multiple of itself. This multiple can exceed 1 if rounding
// has made off-diagonal values too large. Factorize returns false if a is not finite or if ctx is
// canceled.
func (c *Cholesky) Factorize(ctx context.Context, a []float64, n int, fixed []bool) bool {
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
		default: // fixed, or constant without a penalty: use a row of the unit matrix
			c.s[i] = 0
		}
	}
	for jitter := 0.0; isFinite(jitter) && ctx.Err() == nil; jitter = max(16*jitter, 0x1p-44) {
		if c.try(ctx, a, 1+jitter) {
			return true
		}
	}
	return false
}

// try computes the factor of the scaled matrix with the given diagonal. It returns false if the
// matrix is not positive definite or if ctx ends.
func (c *Cholesky) try(ctx context.Context, a []float64, diagonal float64) bool {
	n := c.n
	for i := range n {
		if i%16 == 0 && ctx.Err() != nil {
			return false
		}
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

// Solve overwrites x with A⁻¹·x.
func (c *Cholesky) Solve(x []float64) {
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

// Refine sets x to A⁻¹·b and rest to b − A·x. It needs the matrix a that was factorized, and p as
// scratch. The factor of a nearly singular matrix belongs to a matrix with a larger diagonal, so
// Refine solves for the residual twice more.
func (c *Cholesky) Refine(x, rest, a, b, p []float64) {
	clear(x)
	copy(rest, b)
	for range 3 {
		copy(p, rest)
		c.Solve(p)
		kernels.AxpyF64(1, p, x)
		multiply(p, a, x)
		for j, v := range b {
			rest[j] = v - p[j]
		}
	}
}

// multiply sets y to A·x, where A is symmetric and a holds its upper triangle (row-major).
func multiply(y, a, x []float64) {
	n := len(x)
	for i := range n {
		y[i] = 0
	}
	for i := range n {
		row := a[i*n+i : (i+1)*n]
		kernels.AxpyF64(x[i], row[1:], y[i+1:])
		y[i] += kernels.DotF64(row, x[i:])
	}
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
