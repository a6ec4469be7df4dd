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
	Shift float64   // from the Proof of Bound; 0 if Bound comes only from the gradient

	penalty  Penalty
	progress func() (more bool)

	g, p      []float64 // the gradient, and the next step
	decrement float64   // gᵀH⁻¹g: twice what a step should gain
	curvature curvature
	wn, gn    []float64 // where a step leads, and the gradient there

	objective Objective
	prover    Prover // the objective; nil: it cannot prove
	traits    Traits // of the objective
	gradients int    // so far, of all objectives
}

// newSolver returns a solver at the point w, which it will change. It calls progress after every
// iteration, and stops when that reports false.
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
	// A Hessian costs gradients: while those go on well it is kept.
	patience := int(min(max(s.traits.Hessian, 1), 8))
	slow, fresh := 0, true
	renewed := true       // the Hessian has been taken anew, and no step since was a good one
	before := math.Inf(1) // gᵀH⁻¹g a step ago
	next := math.Inf(1)   // from where on a proof is tried again
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
			// A proof costs a Hessian. The bound may fall as far for less, as steps go.
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
				// Where steps to there cost more than a proof from more data, that comes first.
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

// wantsMatrix reports whether Hessians should be matrices: where they are not too large, and the
// diagonal has not been enough for as long as they take.
func (s *Solver) wantsMatrix() bool {
	return len(s.W) <= MaxDense && float64(s.gradients) >= s.traits.Matrix
}

// useMatrix makes Hessians matrices. It reports whether they were not, and can be.
func (s *Solver) useMatrix() bool {
	if !s.curvature.diagonal || len(s.W) > MaxDense {
		return false
	}
	s.curvature.use(false)
	return true
}

// stop ends a minimization where no more steps are taken, with the best bound: short of its
// tolerance, unless a proof from more data shows it to be reached. Larger samples are worth their
// Hessians where steps are of no use.
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

// prove lowers the bound if the objective can. It returns the excess of the proof.
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

// refresh takes the Hessian at the current point.
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

// direction sets p to −H⁻¹g and decrement to gᵀH⁻¹g, over the variables that are not held at their
// bound, and Gap to the estimate that follows from them, before being the decrement a step ago.
func (s *Solver) direction(ctx context.Context, before float64) {
	if s.penalty.NonNegative == nil {
		s.curvature.apply(s.p, s.g)
	} else {
		s.curvature.hold(ctx, func(j int) bool { return s.penalty.NonNegative[j] && s.W[j] == 0 && s.g[j] >= 0 })
		for {
			s.curvature.apply(s.p, s.g)
			// Of the variables at their bound, those that the step would take below it stay too.
			if !s.curvature.hold(ctx, func(j int) bool {
				return s.curvature.fixed[j] || s.penalty.NonNegative[j] && s.W[j] == 0 && s.p[j] > 0
			}) {
				break
			}
		}
	}
	s.decrement = kernels.DotF64(s.p, s.g)
	// The sum of a geometric series, from half of the decrement on; the whole of it at least, as H
	// is an estimate too, and three times that when it is a rough one.
	s.Gap = s.decrement
	if s.traits.Rough {
		s.Gap *= 3
	}
	if ratio := s.decrement / before; ratio > 0.5 {
		s.Gap *= 0.5 / max(1-ratio, 1.0/64)
	}
	s.Shift = 0
	s.Bound = s.penalty.Fall(s.W, s.g)
	if s.F == 0 { // no objective is less
		s.Bound, s.Gap = 0, 0
	}
	if s.curvature.diagonal { // it tells too little of the Hessian for an estimate
		s.Gap = s.Bound
	}
	for j := range s.p {
		s.p[j] = -s.p[j]
	}
}

// step moves along p, from bound to bound where there are any, to where the
// objective falls enough (Armijo 1966; with bounds Bertsekas 1982).
//
// Behind a corner f may rise so steeply, as where a pair of many features comes to count, that the
// parabola is of no use. Where f then falls enough, and as steeply as before, the corner is still
// ahead, and found by halving: hundreds of steps would come closer by a fiftieth of p each.
func (s *Solver) step(ctx context.Context) (moved bool, err error) {
	const least = 0.02    // of a step that was too long
	corner := math.Inf(1) // it is nearer, in lengths of p
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
		// On to the minimum of the parabola through f, its slope and fn.
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

// along returns the change of the objective from w to wn to first order, by its gradient g.
func along(g, w, wn []float64) float64 {
	var change float64
	for j, g := range g {
		change += float64(g * (wn[j] - w[j]))
	}
	return change
}
