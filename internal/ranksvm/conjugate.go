package ranksvm

import (
	"context"
	"errors"
	"math"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

const (
	// Conjugate gradients end when the norm of the residual, relative to the right-hand side, falls
	// to gradientTol.
	gradientTol   = 1e-10
	gradientSteps = 10_000
)

// ErrSteps is the error of [ConjugateGradients] if it takes more than 10,000 steps.
var ErrSteps = errors.New("the conjugate gradients did not converge")

// ConjugateGradients sets w to the solution of linear equations with a positive definite matrix:
// apply multiplies the matrix by a vector. r is the right-hand side, and then scratch. scale is the
// inverse of the diagonal. It returns the number of steps and the final residual relative to the
// right-hand side. The error is [ErrSteps] or the error of ctx. Non-finite values give a non-finite
// residual or solution. Progress, which may be nil, follows the logarithm of the residual.
func ConjugateGradients(ctx context.Context, w, r, scale []float64, apply func(q, p []float64),
	progress func(done, total int64)) (steps int, left float64, err error) {
	y, p, q := make([]float64, len(w)), make([]float64, len(w)), make([]float64, len(w))
	precondition := func() float64 {
		for j, v := range r {
			y[j] = float64(scale[j] * v)
		}
		return kernels.DotF64(r, y)
	}
	clear(w)
	rho := precondition()
	copy(p, y)
	first := rho
	residual := func() float64 {
		if rho == 0 {
			return 0
		}
		return math.Sqrt(rho / first)
	}
	digits := parallel.NewProgress(progress, int64(-2000*num.Log2(gradientTol)))
	for ; rho > gradientTol*gradientTol*first; steps++ {
		if err := ctx.Err(); err != nil {
			return steps, residual(), err
		}
		digits.Reach(int64(1000 * num.Log2(first/rho)))
		if steps == gradientSteps {
			return steps, residual(), ErrSteps
		}
		apply(q, p)
		a := rho / kernels.DotF64(p, q)
		kernels.AxpyF64(a, p, w)
		kernels.AxpyF64(-a, q, r)
		next := precondition()
		beta := next / rho
		for j, v := range y {
			p[j] = v + float64(beta*p[j])
		}
		rho = next
	}
	digits.Finish()
	return steps, residual(), nil
}
