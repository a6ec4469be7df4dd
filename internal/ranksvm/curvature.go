package ranksvm

import (
	"context"
	"math"

	"github.com/simdrank/simdrank/kernels"
)

const (
	lbfgsMemory = 20 // the number of steps that are remembered
	// With a diagonal Hessian, the work on remembered steps costs more than gradients. On 3,000
	// documents with 100,000 features, training with 10 steps takes 0.65 of the time of 20 (Zen 3);
	// with 6 steps it needs more iterations.
	diagonalMemory = 10
	temperSteps    = 3 // the number of last steps to which temper fits a diagonal
)

// A curvature approximates the inverse Hessian of an objective. It starts from the inverse of a
// Hessian h and updates it with the steps taken since (L-BFGS: Nocedal 1980). Variables can be
// fixed; these are left out of every product.
type curvature struct {
	// n×n, row-major, of which only the upper triangle is read; or the n elements of the diagonal
	h        []float64
	diagonal bool // whether h contains only the diagonal
	chol     Cholesky
	penalty  []float64 // the Hessian of the penalty, which is diagonal and already included in h
	fixed    []bool
	held     bool // whether any variable is fixed

	s, y  [][]float64 // the steps and the changes of the gradient over them, oldest first
	sy    []float64   // the dot products of s and y
	alpha [lbfgsMemory]float64
}

// MaxDense is the maximum number of variables whose Hessian is stored as a matrix, of 32 MB at
// most.
const MaxDense = 2048

// use chooses between diagonal Hessians and full matrices. If the choice changes, it drops the last
// Hessian.
func (m *curvature) use(diagonal bool) {
	if n := len(m.fixed); m.h == nil || m.diagonal != diagonal {
		m.diagonal = diagonal
		if !diagonal {
			n *= n
		}
		m.h = make([]float64, n)
	}
}

// add adds v, the diagonal Hessian of the penalty, to h.
func (m *curvature) add(v []float64) {
	m.penalty = v
	step := len(v) + 1
	if m.diagonal {
		step = 1
	}
	for j, v := range v {
		m.h[j*step] += v
	}
}

// forget drops all steps. They are of no use once the objective changes.
func (m *curvature) forget() { m.s, m.y, m.sy = m.s[:0], m.y[:0], m.sy[:0] }

// factorize prepares a new h for apply. It returns false if h is not finite or if ctx ends.
func (m *curvature) factorize(ctx context.Context) bool {
	if m.diagonal {
		if !isFinite(kernels.DotF64(m.h, m.h)) {
			return false
		}
		m.temper()
		return true
	}
	return m.chol.Factorize(ctx, m.h, len(m.fixed), m.fixed)
}

// temper weakens a diagonal Hessian that misleads. If there are fewer documents than variables, the
// objective has only the curvature of the penalty in most directions, but the diagonal claims as
// much curvature there as elsewhere.
//
// Let h = r + a be the diagonal, where r belongs to the penalty. temper replaces h by r·(h/r)^(k/4)
// for the k from 0 to 4 whose Hessian M fits the last steps best. The misfit is the product over
// these steps of
//
//	(sᵀMs)·(yᵀM⁻¹y) / (sᵀy)² ≥ 1,
//
// which is 1 if Ms is a multiple of y.
func (m *curvature) temper() {
	last := m.s[max(len(m.s)-temperSteps, 0):]
	var misfit [5]float64 // misfit[k] belongs to the exponent k/4
	for k := range misfit {
		misfit[k] = 1
	}
	for i := range last {
		s, y := last[i], m.y[len(m.y)-len(last)+i]
		var sms, ymy [5]float64
		var sy float64
		for j, h := range m.h {
			if !(h > 0) || m.fixed[j] {
				continue
			}
			sy += float64(s[j] * y[j])
			r, root := m.tempers(j)
			ss, yy := float64(s[j]*s[j])*r, float64(y[j]*y[j])/r
			inverse := 1 / root
			for k := range sms {
				sms[k] += ss
				ymy[k] += yy
				ss *= root
				yy *= inverse
			}
		}
		if sy > 0 {
			for k := range misfit {
				misfit[k] *= sms[k] / sy * (ymy[k] / sy)
			}
		}
	}
	best := len(misfit) - 1
	for k, v := range misfit {
		if v < misfit[best] {
			best = k
		}
	}
	if best == len(misfit)-1 {
		return
	}
	for j, h := range m.h {
		if h > 0 {
			r, root := m.tempers(j)
			for range best {
				r *= root
			}
			m.h[j] = r
		}
	}
}

// tempers returns the r of variable j (see temper) and the fourth root of h/r.
func (m *curvature) tempers(j int) (r, root float64) {
	if r = m.penalty[j]; r == 0 {
		r = m.h[j] // without a penalty, h stays unchanged
	}
	return r, math.Sqrt(math.Sqrt(m.h[j] / r))
}

// hold fixes the variables for which is returns true and frees the others. It reports whether this
// changed any variable.
func (m *curvature) hold(ctx context.Context, is func(j int) bool) (changed bool) {
	m.held = false
	for j := range m.fixed {
		f := is(j)
		changed = changed || f != m.fixed[j]
		m.fixed[j] = f
		m.held = m.held || f
	}
	if changed && !m.diagonal {
		m.chol.Factorize(ctx, m.h, len(m.fixed), m.fixed)
	}
	return changed
}

// learn remembers the step from w to wn, over which the gradient changes from g to gn. If goesOn is
// true, the step continues the last one and is merged into it.
func (m *curvature) learn(w, wn, g, gn []float64, goesOn bool) {
	if k := len(m.s) - 1; goesOn {
		s, y := m.s[k], m.y[k]
		for j := range s {
			s[j] += wn[j] - w[j]
			y[j] += gn[j] - g[j]
		}
		m.sy[k] = kernels.DotF64(s, y)
		return
	}
	var s, y []float64
	memory := lbfgsMemory
	if m.diagonal {
		memory = diagonalMemory
	}
	if k := len(m.s); k == memory { // reuse the vectors of the oldest step
		s, y = m.s[0], m.y[0]
		copy(m.s, m.s[1:])
		copy(m.y, m.y[1:])
		copy(m.sy, m.sy[1:])
		m.s, m.y, m.sy = m.s[:k-1], m.y[:k-1], m.sy[:k-1]
	} else {
		s, y = make([]float64, len(w)), make([]float64, len(w))
	}
	for j := range s {
		s[j], y[j] = wn[j]-w[j], gn[j]-g[j]
	}
	m.s, m.y, m.sy = append(m.s, s), append(m.y, y), append(m.sy, kernels.DotF64(s, y))
}

// apply sets p to H⁻¹·g, where H is the approximate Hessian.
func (m *curvature) apply(p, g []float64) {
	copy(p, g)
	if m.held {
		for j, f := range m.fixed {
			if f {
				p[j] = 0
			}
		}
	}
	var rho [lbfgsMemory]float64
	for k := len(m.s) - 1; k >= 0; k-- {
		// A convex objective has sᵀy > 0 for every step, except for rounding.
		sy := m.sy[k]
		if m.held {
			sy = m.dot(m.s[k], m.y[k])
		}
		if sy > 0 {
			rho[k] = 1 / sy
			m.alpha[k] = float64(rho[k] * m.dot(m.s[k], p))
			m.axpy(-m.alpha[k], m.y[k], p)
		}
	}
	if m.diagonal {
		scale := m.scale()
		for j, h := range m.h {
			if h > 0 {
				p[j] *= scale / h
			}
		}
	} else {
		m.chol.Solve(p)
	}
	for k := range m.s {
		if rho[k] > 0 {
			beta := float64(rho[k] * m.dot(m.y[k], p))
			m.axpy(m.alpha[k]-beta, m.s[k], p)
		}
	}
}

// scale returns a factor for the inverse of the diagonal. With it, the inverse has the curvature of
// the objective along the last step (Shanno and Phua 1978).
func (m *curvature) scale() float64 {
	k := len(m.s) - 1
	if k < 0 {
		return 1
	}
	s, y := m.s[k], m.y[k]
	var sy, yy float64
	for j, h := range m.h {
		if h > 0 && !m.fixed[j] {
			sy += float64(s[j] * y[j])
			yy += float64(y[j]*y[j]) / h
		}
	}
	if !(sy > 0) || !(yy > 0) {
		return 1
	}
	return sy / yy
}

// dot returns the dot product over the variables that are not fixed.
func (m *curvature) dot(x, y []float64) float64 {
	if !m.held {
		return kernels.DotF64(x, y)
	}
	var sum float64
	for j, f := range m.fixed {
		if !f {
			sum += float64(x[j] * y[j])
		}
	}
	return sum
}

// axpy computes y += alpha·x over the variables that are not fixed.
func (m *curvature) axpy(alpha float64, x, y []float64) {
	if !m.held {
		kernels.AxpyF64(alpha, x, y)
		return
	}
	for j, f := range m.fixed {
		if !f {
			y[j] += float64(alpha * x[j])
		}
	}
}
