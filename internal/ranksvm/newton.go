package ranksvm

import (
	"context"
	"errors"
	"math"
)

// The solver minimizes convex functions of data that take long to read,
//
//	f(w) = ½ Σⱼ rⱼ·wⱼ² + loss(w),
//
// by quasi-Newton steps. L-BFGS (Nocedal 1980) updates a Hessian that was computed at a recent
// point, possibly on a sample of the data (Byrd, Chin, Neveitt and Nocedal 2011). Newton's method
// does not depend on the scale of variables, so none are rescaled. If the values of the objective
// have the same bits on every processor, so do the results.

// An Objective is a convex loss, to which a Solver adds a penalty.
type Objective interface {
	// Gradient returns the loss at w and sets g to its gradient.
	Gradient(ctx context.Context, w, g []float64) (float64, error)

	// Hessian sets h to the second derivative of the loss at w, or to an estimate. h is the whole
	// upper triangle (row-major), or only the diagonal, which may be off by a small factor.
	Hessian(ctx context.Context, w, h []float64, diagonal bool) error

	// Traits returns the costs from which the solver plans.
	Traits() Traits
}

// A Prover is an Objective whose Hessian is computed from a sample. It can bound the distance of a
// point from the minimum by duality, which the solver cannot do.
type Prover interface {
	Objective

	// Prove tries to find a bound at a point.
	Prove(ctx context.Context, at Point) (Proof, error)

	// GrowProof makes the next proofs tighter at the cost of time. It reports whether this was
	// possible.
	GrowProof() bool

	// GrowSample computes the Hessian from a larger sample. It reports whether there is one.
	GrowSample(ctx context.Context) (bool, error)
}

// Traits describe the costs of an objective and the quality of its estimates. Times are relative to
// the time of a gradient.
type Traits struct {
	Hessian float64 // the time of a Hessian
	Matrix  float64 // the number of gradients for which the diagonal of a Hessian suffices, instead of all of it
	Rough   bool    // whether Hessians come from so few data that estimates of the gap are doubtful

	// Of a Prover:
	Proof     float64 // the time of Prove
	NextProof float64 // the time of Prove after GrowProof
	Share     float64 // the fraction of the loss that Prove uses
}

// A Point is the position of a Solver.
type Point struct {
	W, G  []float64 // the variables, and the gradient of the penalized objective
	Step  []float64 // the next step, −H⁻¹·G
	Fixed []bool    // the variables at their bound
}

// A Proof bounds the distance of a point from the minimum.
type Proof struct {
	Bound float64 // the maximum of f minus its minimum; +Inf if no bound was found

	// Excess is approximately the factor by which the decrement must fall for Prove to find a
	// bound. It is 1 or less if a bound was possible.
	Excess float64

	// Shift is a value that the objective attaches to the bound; [Solver.Shift] stores it.
	Shift float64
}

// NoProof returns a Proof without a bound.
func NoProof(excess float64) Proof { return Proof{Bound: math.Inf(1), Excess: excess} }

// The reasons why a minimization ends before it reaches its tolerance.
var (
	ErrStopped   = errors.New("ranksvm: stopped by Progress")
	ErrPrecision = errors.New("ranksvm: no step lowers the objective in float64")
	ErrNotFinite = errors.New("ranksvm: the objective is not finite")
)

// A Penalty is ½ Σⱼ rⱼ·wⱼ² with constraints on the variables.
type Penalty struct {
	R           []float64 // not negative
	NonNegative []bool    // variables that must not fall below 0; may be nil
}

// Value returns the penalty of w.
func (p *Penalty) Value(w []float64) float64 {
	var sum float64
	for j, v := range w {
		sum += float64(float64(p.R[j]*v) * v)
	}
	return float64(0.5 * sum)
}

// Fall returns the maximum decrease of e·u + ½Σrⱼ·uⱼ² below 0, for steps u from w within the
// bounds. An objective curves at least as much as its penalty, so the Fall of its gradient bounds
// the gap.
func (p *Penalty) Fall(w, e []float64) float64 {
	var sum float64
	for j, e := range e {
		switch r := p.R[j]; {
		case e == 0:
		// the bound of the variable is not reached first
		case p.NonNegative != nil && p.NonNegative[j] && float64(r*w[j]) < e:
			sum += float64(w[j] * (e - float64(0.5*r*w[j])))
		case r == 0:
			return math.Inf(1)
		default:
			sum += float64(e*e) / (2 * r)
		}
	}
	return sum
}
