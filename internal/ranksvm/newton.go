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
// by quasi-Newton steps: L-BFGS (Nocedal 1980) on top of a true Hessian, which may be that of a
// sample of the data at a recent point (Byrd, Chin, Neveitt and Nocedal 2011). Newton's method
// knows no scale: variables are used as they are. The results have the same bits on every processor
// if those of the objective do.

// An Objective is a convex loss, to which a Solver adds a penalty.
type Objective interface {
	// Gradient returns the loss at w and sets g to its gradient.
	Gradient(ctx context.Context, w, g []float64) (float64, error)

	// Hessian sets h to the second derivative of the loss at w or to an estimate of it: the upper
	// triangle of it all (row-major), or the diagonal alone, which may be off by a small factor.
	Hessian(ctx context.Context, w, h []float64, diagonal bool) error

	// Traits returns what the solver plans by.
	Traits() Traits
}

// A Prover is an Objective whose Hessian is that of a sample, and that can bound how far a point is
// from the minimum by what the solver cannot know: duality.
type Prover interface {
	Objective

	// Prove looks for a bound at a point.
	Prove(ctx context.Context, at Point) (Proof, error)

	// GrowProof makes the next proofs tighter, at the price of time. It reports whether it could.
	GrowProof() bool

	// GrowSample makes the Hessian that of a larger sample. It reports whether there is one.
	GrowSample(ctx context.Context) (bool, error)
}

// Traits tell what an objective costs and how good its estimates are. Times are in gradients.
type Traits struct {
	Hessian float64 // the time that a Hessian takes
	Matrix  float64 // for how many gradients the diagonal of a Hessian does, instead of all of it
	Rough   bool    // Hessians are those of so few data that estimates of the gap are doubtful

	// Of a Prover:
	Proof     float64 // the time that Prove takes
	NextProof float64 // the time that it takes once proofs have grown
	Share     float64 // of the loss in what Prove looks at
}

// A Point is where a Solver stands.
type Point struct {
	W, G  []float64 // the variables, and the gradient of the penalized objective
	Step  []float64 // −H⁻¹·G: the next step
	Fixed []bool    // the variables that stay at their bound
}

// A Proof tells how far a point is from the minimum.
type Proof struct {
	Bound float64 // f cannot be further above its minimum; +Inf: nothing was found

	// Excess is about what the decrement has to be divided by for Prove to find a bound: 1 or less
	// where it had a chance.
	Excess float64

	// Shift is a remark of the objective on the bound, which [Solver.Shift] keeps for it.
	Shift float64
}

// NoProof is a proof that was not found.
func NoProof(excess float64) Proof { return Proof{Bound: math.Inf(1), Excess: excess} }

// Reasons for which a minimization ends before its tolerance.
var (
	ErrStopped   = errors.New("ranksvm: stopped by Progress")
	ErrPrecision = errors.New("ranksvm: no step lowers the objective in float64")
	ErrNotFinite = errors.New("ranksvm: the objective is not finite")
)

// A Penalty is ½ Σⱼ rⱼ·wⱼ², with what else is asked of the variables.
type Penalty struct {
	R           []float64 // from 0
	NonNegative []bool    // variables that must not fall below 0; nil: none
}

// Value returns the penalty of w.
func (p *Penalty) Value(w []float64) float64 {
	var sum float64
	for j, v := range w {
		sum += float64(float64(p.R[j]*v) * v)
	}
	return float64(0.5 * sum)
}

// Fall returns the most by which e·u + ½Σrⱼ·uⱼ² can be lower than 0, for steps u from w within the
// bounds. As an objective curves at least as much as its penalty, that of its gradient bounds the
// gap.
func (p *Penalty) Fall(w, e []float64) float64 {
	var sum float64
	for j, e := range e {
		switch r := p.R[j]; {
		case e == 0:
		// as far as the bound
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
