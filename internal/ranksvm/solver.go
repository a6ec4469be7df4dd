package ranksvm

import (
	"cmp"
	"context"
	"math"

	"github.com/simdrank/simdrank/kernels"
)

// A Solver minimizes objectives one after the other, each starting from the previous result.
type Solver struct {
	W     []float64 // the current point
	F     float64   // the penalized objective at W
	Gap   float64   // an estimate of F minus the minimum
	Bound float64   // an upper bound of F minus the minimum, up to rounding
	Shift float64   // the Shift of the Proof that gave Bound; 0 if Bound comes only from the gradient

	penalty  Penalty
	progress func() (more bool)

	g, p      []float64 // the gradient and the next step
	decrement float64   // gᵀH⁻¹g, which is twice the expected decrease of a step
	curvature curvature
	wn, gn    []float64 // the end of a step and the gradient there

	objective Objective
	prover    Prover // the objective, or nil if it cannot prove bounds
	traits    Traits // the traits of the objective
	gradients int    // number of gradients so far, for all objectives
}

// newSolver returns a solver that starts at w and changes w. The solver calls progress after every
// iteration and stops when it returns false.
func newSolver(penalty Penalty, w []float64, progress func() (more bool)) *Solver {
	n := len(w)
	s := &Solver{W: w, penalty: penalty, progress: progress,
		g: make([]float64, n), p: make([]float64, n), wn: make([]float64, n), gn: make([]float64, n)}
	s.curvature.fixed = make([]bool, n)
	return s
}

// Minimize moves W to a point where the objective is within the relative gap tol of its minimum. If
// the objective is a Prover, this is proved by a bound; otherwise it is estimated. Half of gᵀH⁻¹g,
// which is invariant to scaling of the variables, is the expected gain of the next step. Its
// decrease from step to step indicates the gain of all further steps.
//
// Minimize returns ErrStopped or ErrPrecision if it ends earlier, after computing the best bound.
// It returns ErrNotFinite or an error of the objective, such as the error of the context, if it
// cannot continue.
func (s *Solver) Minimize(ctx context.Context, o Objective, tol float64) error {
	s.objective, s.traits = o, o.Traits()
	s.prover, _ = o.(Prover)
	s.curvature.forget()
	s.curvature.use(!s.wantsMatrix())
	var err error
	if s.F, err = s.eval(ctx, s.W, s.g); err != nil {
		return err
	}
	if !isFinite(s.F) || !isFinite(kernels.DotF64(s.g, s.g)) {
		return ErrNotFinite
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	// A Hessian costs as much as several gradients, so it is kept as long as steps with it go well.
	patience := int(min(max(s.traits.Hessian, 1), 8))
	slow, fresh := 0, true
	renewed := true       // no step has gone well since the Hessian was last computed
	before := math.Inf(1) // the decrement before the last step
	next := math.Inf(1)   // the decrement at which the next proof is tried
	for {
		s.direction(ctx, before)
		if s.decrement > before/4 {
			slow++
		} else {
			renewed = false
		}
		matrix := s.curvature.diagonal && s.wantsMatrix()
		if (slow >= patience || matrix) && s.Gap > tol*s.F {
			if matrix {
				s.curvature.use(false)
			} else if renewed {
				if _, err := s.growSample(ctx); err != nil {
					return err
				}
			}
			if err := s.refresh(ctx); err != nil {
				return err
			}
			s.direction(ctx, before)
			slow, fresh, renewed = 0, true, true
		}
		rate, first := s.decrement/before, math.IsInf(before, 1)
		before = s.decrement
		done := s.Gap <= tol*s.F
		if s.prover != nil {
			// A proof costs a Hessian. Further steps may lower the bound as much at less cost.
			reach := s.Bound
			if !first {
				for range int(min(max(s.traits.Proof, 1), 8)) {
					reach *= min(max(rate, 1.0/8), 1)
				}
			}
			if !s.curvature.diagonal && reach > tol*s.F && s.decrement <= s.traits.Share*tol*s.F &&
				s.decrement <= next {
				excess, err := s.prove(ctx)
				if err != nil {
					return err
				}
				next = s.decrement / max(excess, 4)
				// If the steps to that decrement cost more than a proof from more data, try such a
				// proof first.
				steps := 0.0
				for ; excess > 1 && steps < s.traits.NextProof; steps++ {
					excess *= rate
				}
				switch {
				case !(excess > 1):
				case s.growProof():
					next = math.Inf(1)
				default:
					grown, err := s.growSample(ctx)
					if err != nil {
						return err
					}
					if !grown {
						break
					}
					if err := s.refresh(ctx); err != nil {
						return err
					}
					s.direction(ctx, before)
					before, slow, fresh, renewed, next = s.decrement, 0, true, true, math.Inf(1)
				}
			}
			done = s.Bound <= tol*s.F
		}
		more := s.progress()
		switch {
		case done:
			return nil
		case !more:
			return s.stop(ctx, tol, ErrStopped)
		}
		moved, err := s.step(ctx)
		if err != nil {
			return err
		}
		if moved {
			fresh = false
			continue
		}
		if fresh && !s.useMatrix() {
			if grown, err := s.growSample(ctx); err != nil {
				return err
			} else if !grown {
				return s.stop(ctx, tol, ErrPrecision)
			}
		}
		if err := s.refresh(ctx); err != nil {
			return err
		}
		fresh = true
	}
}

// wantsMatrix reports whether Hessians should be full matrices: they must not be too large, and the
// diagonal must not have sufficed for as many gradients as a matrix costs.
func (s *Solver) wantsMatrix() bool {
	return len(s.W) <= MaxDense && float64(s.gradients) >= s.traits.Matrix
}

// useMatrix changes from diagonal Hessians to full matrices. It returns false if they are full
// matrices already or would be too large.
func (s *Solver) useMatrix() bool {
	if !s.curvature.diagonal || len(s.W) > MaxDense {
		return false
	}
	s.curvature.use(false)
	return true
}

// stop ends a minimization in which no more steps are possible or allowed. It returns why unless a
// proof, perhaps from more data, shows that the tolerance is reached. When rounding makes steps
// useless (ErrPrecision), larger samples are worth their Hessians.
func (s *Solver) stop(ctx context.Context, tol float64, why error) error {
	for s.prover != nil {
		excess, err := s.prove(ctx)
		if err != nil {
			return err
		}
		if s.Bound <= tol*s.F {
			return nil
		}
		if s.growProof() {
			continue
		}
		if !(excess > 1 && why == ErrPrecision) {
			break
		}
		if grown, err := s.growSample(ctx); err != nil {
			return err
		} else if !grown {
			break
		}
	}
	return why
}

// prove lowers the bound if the objective can prove a better one. It returns the Excess of the
// proof.
func (s *Solver) prove(ctx context.Context) (excess float64, err error) {
	if len(s.W) > MaxDense {
		return 1, nil
	}
	proof, err := s.prover.Prove(ctx, Point{W: s.W, G: s.g, Step: s.p, Fixed: s.curvature.fixed})
	if err != nil {
		return 1, err
	}
	if proof.Bound < s.Bound {
		s.Bound, s.Shift = proof.Bound, proof.Shift
	}
	return proof.Excess, nil
}

func (s *Solver) growProof() bool {
	if !s.prover.GrowProof() {
		return false
	}
	s.traits = s.objective.Traits()
	return true
}

func (s *Solver) growSample(ctx context.Context) (bool, error) {
	if s.prover == nil {
		return false, nil
	}
	grown, err := s.prover.GrowSample(ctx)
	if grown {
		s.traits = s.objective.Traits()
	}
	return grown, err
}

// eval returns the penalized objective at w and sets g to its gradient.
func (s *Solver) eval(ctx context.Context, w, g []float64) (float64, error) {
	s.gradients++
	l, err := s.objective.Gradient(ctx, w, g)
	if err != nil {
		return 0, err
	}
	for j, v := range w {
		g[j] += float64(s.penalty.R[j] * v)
	}
	return s.penalty.Value(w) + l, nil
}

// refresh computes the Hessian at the current point.
func (s *Solver) refresh(ctx context.Context) error {
	if err := s.objective.Hessian(ctx, s.W, s.curvature.h, s.curvature.diagonal); err != nil {
		return err
	}
	s.curvature.add(s.penalty.R)
	if !s.curvature.factorize(ctx) {
		return cmp.Or(ctx.Err(), ErrNotFinite)
	}
	return nil
}

// direction sets p to −H⁻¹g and decrement to gᵀH⁻¹g over the variables that are not held at their
// bound. It sets Gap to the estimate that follows from them and from before, the decrement before
// the last step.
func (s *Solver) direction(ctx context.Context, before float64) {
	if s.penalty.NonNegative == nil {
		s.curvature.apply(s.p, s.g)
	} else {
		s.curvature.hold(ctx, func(j int) bool { return s.penalty.NonNegative[j] && s.W[j] == 0 && s.g[j] >= 0 })
		for {
			s.curvature.apply(s.p, s.g)
			// Keep variables at their bound if the step would move them below it.
			if !s.curvature.hold(ctx, func(j int) bool {
				return s.curvature.fixed[j] || s.penalty.NonNegative[j] && s.W[j] == 0 && s.p[j] > 0
			}) {
				break
			}
		}
	}
	s.decrement = kernels.DotF64(s.p, s.g)
	// The gap is estimated as the sum of a geometric series that starts with half of the decrement.
	// H is only an estimate, so the gap is at least the whole decrement, or three times the
	// decrement if H is a rough estimate.
	s.Gap = s.decrement
	if s.traits.Rough {
		s.Gap *= 3
	}
	if ratio := s.decrement / before; ratio > 0.5 {
		s.Gap *= 0.5 / max(1-ratio, 1.0/64)
	}
	s.Shift = 0
	s.Bound = s.penalty.Fall(s.W, s.g)
	if s.F == 0 { // the minimum, since no objective is negative
		s.Bound, s.Gap = 0, 0
	}
	if s.curvature.diagonal { // the diagonal is too inaccurate to estimate the gap
		s.Gap = s.Bound
	}
	for j := range s.p {
		s.p[j] = -s.p[j]
	}
}

// step moves along p to a point at which the objective has decreased enough (Armijo 1966).
// Variables with bounds stop at their bound (Bertsekas 1982).
//
// The objective can have a corner, for example at the point from which a pair with many features
// has a loss. Behind the corner it may rise so steeply that the parabola is useless. If a shorter
// step decreases the objective enough and the slope is as steep as before, the corner is still
// ahead. Halving then finds it. Without that, hundreds of steps of a fiftieth of p each would
// follow.
func (s *Solver) step(ctx context.Context) (moved bool, err error) {
	const least = 0.02    // the smallest factor for a step that was too long
	corner := math.Inf(1) // an upper bound of the distance to the corner, as a multiple of p
	for t, tries := 1.0, 40; tries > 0; tries-- {
		for j, p := range s.p {
			s.wn[j] = s.W[j] + float64(t*p)
			if s.penalty.NonNegative != nil && s.penalty.NonNegative[j] && s.wn[j] < 0 {
				s.wn[j] = 0
			}
		}
		slope := along(s.g, s.W, s.wn)
		if !(slope < 0) {
			if s.penalty.NonNegative == nil {
				return moved, nil
			}
			t *= 0.25
			continue
		}
		fn, err := s.eval(ctx, s.wn, s.gn)
		if err != nil {
			return false, err
		}
		if fn <= s.F+float64(1e-4*slope) {
			s.curvature.learn(s.W, s.wn, s.g, s.gn, moved)
			s.W, s.wn, s.g, s.gn, s.F = s.wn, s.W, s.gn, s.g, fn
			if math.IsInf(corner, 1) || along(s.g, s.wn, s.W) > 0.9*slope {
				return true, nil
			}
			moved = true
			corner -= t
			t = corner / 2
			continue
		}
		// Continue at the minimum of the parabola through f, its slope and fn.
		shrink := 0.5
		if rise := fn - s.F - slope; isFinite(rise) && rise > 0 {
			shrink = min(-0.5*slope/rise, 0.5)
		}
		if shrink < least || !math.IsInf(corner, 1) {
			corner = t
		}
		t *= max(shrink, least)
	}
	return moved, nil
}

// along returns the first-order change of the objective from w to wn, where g is the gradient.
func along(g, w, wn []float64) float64 {
	var change float64
	for j, g := range g {
		change += float64(g * (wn[j] - w[j]))
	}
	return change
}
