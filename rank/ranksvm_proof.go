package rank

import (
	"context"
	"math"
	"time"

	"github.com/simdrank/simdrank/kernels"
)

// A proof is the memory of a bound on the gap that needs no scaled features.
//
// The gap between the objective at w and that of a dual point is, for coefficients of the pairs that differ by dα from
// −loss′ at w,
//
//	½(g−d)ᵀR⁻¹(g−d) + Σ (loss(z) + loss*(−α) + α·z),  d = Σ dα·(xᵢ−xⱼ),
//
// where R is the penalty and loss* the convex conjugate. dα = 0 gives the first term alone, with g for
// its residual, which features of large values make large. Taking dα = loss″·(xᵢ−xⱼ)·y for some pairs, of which A is the
// Hessian, gives d = Ay, and with (A+R)y = g the gap ½gᵀ(A+R)⁻¹g, as far as the second term is quadratic:
//
//   - squared hinge: where α stays at least 0;
//   - rounded hinge: where α stays from 0 to 1;
//   - logistic: up to the factor 1 + r/(3−3r), where r ≤ ½ bounds |(xᵢ−xⱼ)·y|.
//
// The pairs are those of the sample that are as far from where this ends as the largest difference of scores by y.
type proof struct {
	h       []float64
	chol    cholesky
	y, e, p []float64
}

// prove lowers the bound if it can; few reports that this takes more pairs than the sample has.
func (s *solver) prove(ctx context.Context) (few bool, err error) {
	if s.curvature.diagonal {
		return false, nil
	}
	began := time.Now()
	defer func() { s.report.Hessian += time.Since(began) }()
	m, n := &s.proof, len(s.w)
	if m.h == nil {
		m.h = make([]float64, n*n)
		m.y, m.e, m.p = make([]float64, n), make([]float64, n), make([]float64, n)
	}

	loss := s.loss
	// y is about the step, times what pairs the sample lacks.
	r, err := s.sample.spread(ctx, s.p)
	if err != nil {
		return false, err
	}
	switch r *= 2 / s.share; loss.kind {
	case SquaredHinge:
		loss.margin = min(r, 0.5)
	case Hinge:
		loss.margin = min(r/loss.width, 0.25)
	case Logistic:
		loss.margin = 0.5
	}
	if !(loss.margin > 0) || s.loss.kind != Hinge && r > 2 {
		return false, nil
	}
	s.report.Hessians++
	if err := s.sample.hessian(ctx, loss, s.w, m.h, false); err != nil {
		return false, err
	}
	for j, r := range s.reg {
		m.h[j*n+j] += r
	}
	if !m.chol.factorize(m.h, n, s.curvature.fixed) {
		return false, nil
	}
	// The factor is that of a matrix with a larger diagonal where this one is nearly singular: what
	// it leaves is solved for again.
	clear(m.y)
	copy(m.e, s.g)
	for range 3 {
		copy(m.p, m.e)
		m.chol.solve(m.p)
		kernels.AxpyF64(1, m.p, m.y)
		multiply(m.p, m.h, m.y)
		for j, g := range s.g {
			m.e[j] = g - m.p[j]
		}
	}
	if r, err = s.sample.spread(ctx, m.y); err != nil {
		return false, err
	}
	var quadratic, shift float64 = 1, 0
	switch loss.kind {
	case Hinge:
		r /= loss.width
		shift = r * (1 - 2*loss.margin) / (loss.margin * (1 - loss.margin))
	case Logistic:
		quadratic = 1 + r/(3*(1-r))
	}
	if !(r <= loss.margin) {
		return !(r <= 8*loss.margin), nil
	}
	var curve, free float64 // yᵀAy; what is left of features without penalty, by their weights
	for j, y := range m.y {
		e := m.e[j]
		m.e[j] += float64(s.reg[j] * y) // g−Ay
		curve += float64(y * (s.g[j] - m.e[j]))
		if s.reg[j] == 0 && !s.curvature.fixed[j] {
			free += float64(math.Abs(e) * (math.Abs(s.w[j]) + math.Abs(y)))
			m.e[j] = 0
		}
	}
	if bound := float64(0.5*quadratic*curve) + s.residual(m.e) + free; bound < s.bound {
		s.bound, s.shift = bound, shift
	}
	return false, nil
}

// multiply sets y to A·x for the symmetric matrix of which a (row-major) holds the upper triangle.
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
