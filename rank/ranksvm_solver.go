package rank

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/simdrank/simdrank/kernels"
)

// A solver minimizes the objective of a RankSVM,
//
//	f(w) = ½ Σⱼ regⱼ·wⱼ² + loss(w),
//
// by quasi-Newton steps: L-BFGS (Nocedal 1980) on top of a true Hessian, that of a sample of
// the pairs at a recent point. Sampled Hessians are those of Byrd, Chin, Neveitt and Nocedal
// (2011). Newton's method knows no scale: features are used as they are.
type solver struct {
	full        *pairSet
	loss        pairLoss
	reg         []float64 // 1, or 0 for a weight without penalty
	nonNegative []bool    // nil: all weights are free
	tol         float64
	maxPasses   int
	progress    func(Progress)
	started     time.Time
	report      *FitReport

	w, g      []float64 // the current point and the gradient there
	f         float64
	decrement float64 // gᵀH⁻¹g: twice what a step should gain
	gap       float64 // estimate of f minus the minimum
	bound     float64 // f minus the minimum cannot be more
	shift     float64 // for hinge, what the dual point of the bound costs: see sharpen

	sample       *pairSet // where Hessians are taken
	sampleDocs   int      // documents asked for
	sampleLength int      // of the parts that long queries are drawn in
	whole        bool     // the sample is full
	curvature    curvature
	proof        proof

	p, wn, gn []float64
}

// errStop ends the iteration where the report says why.
var errStop = errors.New("rank: stop")

const (
	// A sample has sampleDocsPerFeature documents a feature, which makes the error of its Hessian
	// some per cent, but not so few that rare features are missed where taking more costs little.
	sampleDocsPerFeature = 40
	minSampleDocs        = 8192
	minDocsPerFeature    = 8
	leastSampleDocs      = 1024
	maxHessianPasses     = 8
	// sampleTol is the relative gap to which the problem of the sample is solved
	// for a starting point: its optimum is farther from that of the whole.
	sampleTol = 1e-4
	// The Hessian of a query takes quadratic time: parts of long queries will do.
	sampleLength = 64
	// What a sample that turns out to be too small grows by.
	sampleGrowth       = 6
	sampleLengthGrowth = 4
	maxSampleLength    = 1024
	// A proof takes as many documents as have a Hessian of this many passes, and what it grows by.
	provePasses  = 2
	minProofDocs = 256
	proofGrowth  = 4
)

func (s *solver) run(ctx context.Context, cold bool) error {
	n := len(s.w)
	s.g, s.p, s.wn, s.gn = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	s.curvature.init(n)
	docs := max(sampleDocsPerFeature*n, minSampleDocs)
	// A Hessian should cost no more passes than a better one saves, but have some documents a
	// feature. Where it costs more, a second one for a better starting point does not pay.
	passes := float64(float64(n)/4) + min(float64(s.full.docs)/float64(2*len(s.full.units)), sampleLength)
	affordable := int(maxHessianPasses * float64(s.full.docs) / passes)
	if least := max(minDocsPerFeature*n, leastSampleDocs); affordable < least {
		affordable, cold = least, false
	}
	docs = min(docs, affordable)
	if few := max(s.full.docs/3, leastSampleDocs); few < docs {
		docs, cold = few, false
	}
	s.draw(docs, sampleLength)
	if s.loss.kind == Hinge {
		s.loss.width = 4 // the zone holds equal scores, where it starts
	}
	if cold && !s.whole {
		began := time.Now()
		err := s.approach(ctx)
		s.report.Sample = time.Since(began)
		if err != nil {
			return err
		}
	}
	if s.loss.kind == Hinge {
		return s.sharpen(ctx)
	}
	return s.minimize(ctx, s.full, s.tol)
}

// approach minimizes the objective of the sample.
func (s *solver) approach(ctx context.Context) error {
	for {
		if err := s.minimize(ctx, s.sample, sampleTol); err != nil {
			return err
		}
		if s.loss.kind != Hinge || s.loss.width < 0.1 {
			return nil
		}
		s.loss.width /= 4
	}
}

// sharpen minimizes the objective with hinge itself: with its corner rounded off over a width that
// shrinks until duality shows the gap to be small. A dual point is a coefficient a from 0 to 1 for
// each pair. For one that shows the rounded objective at w to be within bound of its minimum,
//
//	f(w) − min f ≤ bound + Σ(hinge − rounded) + Σ ½·width·a(1−a).
//
// With the derivatives of the rounded loss for a the last sum is width·∂Σrounded/∂width, which, as
// the rounded loss is convex in the width, is at most 4·(Σrounded at 1.25·width − Σrounded at
// width). The dual point of the bound has another a for some pairs, with an a(1−a) that is larger
// by at most shift of itself.
func (s *solver) sharpen(ctx context.Context) error {
	tol := max(1e-3, s.tol/2)
	for {
		stop := s.minimize(ctx, s.full, tol)
		if stop != nil && stop != errStop {
			return stop
		}
		penalty := s.penalty(s.w)
		hinge, err := s.full.loss(ctx, pairLoss{kind: Hinge}, s.w, nil)
		if err != nil {
			return err
		}
		wider, err := s.full.loss(ctx, pairLoss{kind: Hinge, width: 1.25 * s.loss.width}, s.w, nil)
		if err != nil {
			return err
		}
		s.report.Passes += 2
		rounded := s.f - penalty
		slack := max(hinge-rounded+float64(4*(1+s.shift)*(wider-rounded)), 0)
		f := penalty + hinge
		s.report.Objective, s.report.Gap = f, relative(s.bound+slack, f)
		switch {
		case s.report.Gap <= s.tol:
			return nil
		case stop != nil:
			return stop
		case s.loss.width < 1e-12:
			s.report.Stop = StopPrecision
			return errStop
		}
		if need := 0.5 * s.tol * s.f / max(slack, 1e-300); need < 1 {
			// The slack falls with the square of the width where pairs are dense about the
			// corner, with the width where they are few.
			shrink := min(max(math.Sqrt(need), 1.0/8), 0.5)
			s.loss.width *= shrink
			tol = max(s.tol/4, min(tol, 0.05*slack*shrink*shrink/s.f))
		} else {
			tol = s.tol / 4
		}
	}
}

// draw makes a new sample.
func (s *solver) draw(docs, length int) {
	s.sampleDocs, s.sampleLength = docs, length
	s.sample, s.whole = s.full.sample(docs, length)
	s.proof.of(s.full, s.sample, int(provePasses*float64(s.full.docs)/s.full.hessianCost()))
}

// grow makes a larger sample. It reports whether there is one.
func (s *solver) grow() bool {
	if s.whole || s.sampleDocs >= s.full.docs && s.sampleLength >= maxSampleLength {
		return false
	}
	s.draw(sampleGrowth*s.sampleDocs, min(sampleLengthGrowth*s.sampleLength, maxSampleLength))
	return true
}

// penalty returns ½ Σ reg·w².
func (s *solver) penalty(w []float64) float64 {
	var sum float64
	for j, v := range w {
		sum += float64(float64(s.reg[j]*v) * v)
	}
	return float64(0.5 * sum)
}

// eval returns the objective at w on the given pairs and sets g to its gradient.
func (s *solver) eval(ctx context.Context, set *pairSet, w, g []float64) (float64, error) {
	began := time.Now()
	l, err := set.loss(ctx, s.loss, w, g)
	if err != nil {
		return 0, err
	}
	for j, v := range w {
		g[j] += float64(s.reg[j] * v)
	}
	if set == s.full {
		s.report.Passes++
		s.report.Full += time.Since(began)
	}
	return s.penalty(w) + l, nil
}

// refresh takes the Hessian of the sample at the current point.
func (s *solver) refresh(ctx context.Context) error {
	began := time.Now()
	defer func() { s.report.Hessian += time.Since(began) }()
	s.report.Hessians++
	if err := s.sample.hessian(ctx, s.loss, s.w, s.curvature.h, s.curvature.diagonal); err != nil {
		return err
	}
	s.curvature.add(s.reg)
	if !s.curvature.factorize() {
		return notFinite(s.full.d)
	}
	return nil
}

// minimize moves w to where the objective on the given pairs is within the relative gap tol of its
// minimum: on a sample by an estimate, on all pairs by a bound. Half of gᵀH⁻¹g, which no scaling of
// features changes, is what the next step should gain; by how much that falls from step to step
// tells what all further steps would.
func (s *solver) minimize(ctx context.Context, set *pairSet, tol float64) error {
	s.curvature.forget()
	var err error
	if s.f, err = s.eval(ctx, set, s.w, s.g); err != nil {
		return err
	}
	if !isFinite(s.f) || !isFinite(kernels.DotF64(s.g, s.g)) {
		return notFinite(s.full.d)
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	// A Hessian costs passes: while those go on well it is kept. It multiplies three times as fast
	// as they do.
	patience := int(min(max(set.hessianCost()*float64(s.sample.docs)/float64(3*set.docs), 1), 8))
	slow, fresh := 0, true
	renewed := true       // the Hessian has been taken anew, and no step since was a good one
	before := math.Inf(1) // gᵀH⁻¹g a step ago
	next := math.Inf(1)   // from where on a proof is tried again
	for {
		s.direction(before)
		if s.decrement > before/4 {
			slow++
		} else {
			renewed = false
		}
		if slow >= patience && s.gap > tol*s.f {
			if renewed && set == s.full {
				s.grow()
			}
			if err := s.refresh(ctx); err != nil {
				return err
			}
			s.direction(before)
			slow, fresh, renewed = 0, true, true
		}
		// A proof costs a Hessian. The bound may fall as far for less, as steps go.
		reach := s.bound
		if !math.IsInf(before, 1) {
			for range int(min(max(s.proof.cost(s.full, 1), 1), 8)) {
				reach *= min(max(s.decrement/before, 1.0/8), 1)
			}
		}
		rate := s.decrement / before
		before = s.decrement
		done := s.gap <= tol*s.f
		if set == s.full {
			if reach > tol*s.f && s.decrement <= s.proof.share*tol*s.f && s.decrement <= next {
				excess, err := s.prove(ctx)
				if err != nil {
					return err
				}
				next = s.decrement / max(excess, 4)
				// Where steps to there cost more than a proof from more documents, that comes
				// first.
				steps, cost := 0.0, s.proof.cost(s.full, proofGrowth)
				for ; excess > 1 && steps < cost; steps++ {
					excess *= rate
				}
				switch {
				case !(excess > 1):
				case s.proof.grow(s.full, s.sample):
					next = math.Inf(1)
				case s.grow():
					if err := s.refresh(ctx); err != nil {
						return err
					}
					s.direction(before)
					before, slow, fresh, renewed, next = s.decrement, 0, true, true, math.Inf(1)
				}
			}
			done = s.bound <= tol*s.f
		}
		s.note(set)
		switch {
		case done:
			s.report.Gap = relative(s.bound, s.f)
			return nil
		case set == s.full && s.report.Passes >= s.maxPasses:
			return s.stop(ctx, tol, StopPasses)
		}
		moved, err := s.step(ctx, set)
		if err != nil {
			return err
		}
		switch {
		case moved:
			fresh = false
		case !fresh || set == s.full && s.grow():
			if err := s.refresh(ctx); err != nil {
				return err
			}
			fresh = true
		case set == s.full: // no step that float64 resolves goes down
			return s.stop(ctx, tol, StopPrecision)
		default:
			return nil
		}
	}
}

// stop ends the training where no more steps are taken, with the best bound: short of its
// tolerance, unless a proof from more pairs shows it to be reached. Larger samples are worth their
// Hessians where steps are of no use.
func (s *solver) stop(ctx context.Context, tol float64, why Stop) error {
	for {
		excess, err := s.prove(ctx)
		if err != nil {
			return err
		}
		if s.bound <= tol*s.f {
			s.report.Gap = relative(s.bound, s.f)
			return nil
		}
		more := s.proof.grow(s.full, s.sample) || excess > 1 && why == StopPrecision && s.grow()
		if !more {
			s.report.Stop, s.report.Gap = why, relative(s.bound, s.f)
			return errStop
		}
	}
}

// relative returns gap/f, but at most 1: no objective is less than 0.
func relative(gap, f float64) float64 {
	if gap < f {
		return gap / f
	}
	if f == 0 {
		return 0
	}
	return 1
}

// note reports the current point.
func (s *solver) note(set *pairSet) {
	s.report.Iterations++
	s.report.Objective, s.report.Gap = s.f, relative(min(s.gap, s.bound), s.f)
	if s.progress != nil {
		s.progress(Progress{Iteration: s.report.Iterations, Passes: s.report.Passes, Sampled: set != s.full,
			Objective: s.f, Gap: s.report.Gap, Elapsed: time.Since(s.started)})
	}
}

// direction sets p to −H⁻¹g and decrement to gᵀH⁻¹g, over the weights that are not held at their
// bound, and gap to the estimate that follows from them, before being the decrement a step ago.
func (s *solver) direction(before float64) {
	if s.nonNegative == nil {
		s.curvature.apply(s.p, s.g)
	} else {
		s.curvature.hold(func(j int) bool { return s.nonNegative[j] && s.w[j] == 0 && s.g[j] >= 0 })
		for {
			s.curvature.apply(s.p, s.g)
			// Of the weights at their bound, those that the step would take below it stay too.
			if !s.curvature.hold(func(j int) bool {
				return s.curvature.fixed[j] || s.nonNegative[j] && s.w[j] == 0 && s.p[j] > 0
			}) {
				break
			}
		}
	}
	s.decrement = kernels.DotF64(s.p, s.g)
	// The sum of a geometric series, from half of the decrement on; the whole of it at least, as H
	// is an estimate too, and three times that when it is one from few documents.
	s.gap = s.decrement
	if s.sample.docs < s.full.docs && s.sample.docs < minSampleDocs {
		s.gap *= 3
	}
	if ratio := s.decrement / before; ratio > 0.5 {
		s.gap *= 0.5 / max(1-ratio, 1.0/64)
	}
	s.shift = 0
	s.bound = s.residual(s.g)
	if s.f == 0 { // no objective is less
		s.bound, s.gap = 0, 0
	}
	if s.curvature.diagonal { // it tells too little of the Hessian for an estimate
		s.gap = s.bound
	}
	for j := range s.p {
		s.p[j] = -s.p[j]
	}
}

// residual returns the least that e·u + ½ΣRegⱼ·uⱼ² can be lower than 0, for steps u from w within
// the bounds. As the objective curves at least as much as its penalty, that of the gradient is a
// bound of the gap.
func (s *solver) residual(e []float64) float64 {
	var sum float64
	for j, e := range e {
		switch r := s.reg[j]; {
		case e == 0:
		// as far as the bound
		case s.nonNegative != nil && s.nonNegative[j] && float64(r*s.w[j]) < e:
			sum += float64(s.w[j] * (e - float64(0.5*r*s.w[j])))
		case r == 0:
			return math.Inf(1)
		default:
			sum += float64(e*e) / (2 * r)
		}
	}
	return sum
}

// step moves along p, from bound to bound where there are any, to where the
// objective falls enough (Armijo 1966; with bounds Bertsekas 1982).
func (s *solver) step(ctx context.Context, set *pairSet) (moved bool, err error) {
	for t, tries := 1.0, 40; tries > 0; tries-- {
		for j, p := range s.p {
			s.wn[j] = s.w[j] + float64(t*p)
			if s.nonNegative != nil && s.nonNegative[j] && s.wn[j] < 0 {
				s.wn[j] = 0
			}
		}
		var slope float64 // the change of the objective to first order
		for j, g := range s.g {
			slope += float64(g * (s.wn[j] - s.w[j]))
		}
		if !(slope < 0) {
			if s.nonNegative == nil {
				return false, nil
			}
			t *= 0.25
			continue
		}
		fn, err := s.eval(ctx, set, s.wn, s.gn)
		if err != nil {
			return false, err
		}
		if fn <= s.f+float64(1e-4*slope) {
			s.curvature.learn(s.w, s.wn, s.g, s.gn)
			s.w, s.wn, s.g, s.gn, s.f = s.wn, s.w, s.gn, s.g, fn
			return true, nil
		}
		// On to the minimum of the parabola through f, its slope and fn.
		shrink := 0.5
		if rise := fn - s.f - slope; isFinite(rise) && rise > 0 {
			shrink = min(max(-0.5*slope/rise, 0.02), 0.5)
		}
		t *= shrink
	}
	return false, nil
}
