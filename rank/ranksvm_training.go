package rank

import (
	"context"
	"math"
	"time"

	"github.com/simdrank/simdrank/internal/newton"
)

// A training is a RankSVM at work on data: it hands objectives to a solver, which knows no pairs.
type training struct {
	full      *pairSet
	loss      pairLoss
	penalty   newton.Penalty
	tol       float64
	maxPasses int
	progress  func(Progress)
	started   time.Time
	report    *FitReport
	solver    *newton.Solver

	sample       *pairSet // where Hessians are taken
	sampleDocs   int      // documents asked for
	sampleLength int      // of the parts that long queries are drawn in
	whole        bool     // the sample is full
	approaching  bool     // the objective is that of the sample
	proof        proof
}

// sampleTol is the relative gap to which the problem of the sample is solved
// for a starting point: its optimum is farther from that of the whole.
const sampleTol = 1e-4

// run trains from the weights w and returns why it stopped. A cold start is one without a model.
func (t *training) run(ctx context.Context, w []float64, cold bool) (Stop, error) {
	t.solver = newton.New(t.penalty, w, t.note)
	saves := t.firstSample()
	if t.loss.kind == Hinge {
		t.loss.width = 4 // the zone holds equal scores, where it starts
	}
	if cold && saves {
		if err := t.approach(ctx); err != nil {
			return "", err
		}
	}
	if t.loss.kind == Hinge {
		return t.sharpen(ctx)
	}
	return t.minimize(ctx, allPairs{t}, t.tol)
}

// minimize minimizes an objective. It returns StopConverged, or why it stopped before.
func (t *training) minimize(ctx context.Context, o newton.Objective, tol float64) (Stop, error) {
	stop := StopConverged
	switch err := t.solver.Minimize(ctx, o, tol); err {
	case nil:
	case newton.ErrStopped:
		stop = StopPasses
	case newton.ErrPrecision:
		stop = StopPrecision
	case newton.ErrNotFinite:
		return "", notFinite(t.full.d)
	default:
		return "", err
	}
	t.report.Gap = relative(t.solver.Bound, t.solver.F)
	return stop, nil
}

// approach minimizes the objective of the sample.
func (t *training) approach(ctx context.Context) error {
	began := time.Now()
	t.approaching = true
	defer func() {
		t.approaching = false
		t.report.Sample = time.Since(began)
	}()
	for {
		if _, err := t.minimize(ctx, samplePairs{t}, sampleTol); err != nil {
			return err
		}
		if t.loss.kind != Hinge || t.loss.width < 0.1 {
			return nil
		}
		t.loss.width /= 4
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
func (t *training) sharpen(ctx context.Context) (Stop, error) {
	tol := max(1e-3, t.tol/2)
	for {
		stop, err := t.minimize(ctx, allPairs{t}, tol)
		if err != nil {
			return "", err
		}
		w := t.solver.W
		penalty := t.penalty.Value(w)
		hinge, err := t.full.loss(ctx, pairLoss{kind: Hinge}, w, nil)
		if err != nil {
			return "", err
		}
		wider, err := t.full.loss(ctx, pairLoss{kind: Hinge, width: 1.25 * t.loss.width}, w, nil)
		if err != nil {
			return "", err
		}
		t.report.Passes += 2
		rounded := t.solver.F - penalty
		slack := max(hinge-rounded+float64(4*(1+t.solver.Shift)*(wider-rounded)), 0)
		f := penalty + hinge
		t.report.Objective, t.report.Gap = f, relative(t.solver.Bound+slack, f)
		switch {
		case t.report.Gap <= t.tol:
			return StopConverged, nil
		case stop != StopConverged:
			return stop, nil
		case t.loss.width < 1e-12:
			return StopPrecision, nil
		}
		if need := 0.5 * t.tol * t.solver.F / max(slack, 1e-300); need < 1 {
			// The slack falls with the square of the width where pairs are dense about the
			// corner, with the width where they are few.
			shrink := min(max(math.Sqrt(need), 1.0/8), 0.5)
			t.loss.width *= shrink
			tol = max(t.tol/4, min(tol, 0.05*slack*shrink*shrink/t.solver.F))
		} else {
			tol = t.tol / 4
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

// note reports an iteration of the solver. It reports false where no more passes may be made.
func (t *training) note() (more bool) {
	s, r := t.solver, t.report
	r.Iterations++
	r.Objective, r.Gap = s.F, relative(min(s.Gap, s.Bound), s.F)
	if t.progress != nil {
		t.progress(Progress{Iteration: r.Iterations, Passes: r.Passes, Sampled: t.approaching,
			Objective: s.F, Gap: r.Gap, Elapsed: time.Since(t.started)})
	}
	return t.approaching || r.Passes < t.maxPasses
}

// allPairs is the loss of all pairs, whose Hessians are those of the sample.
type allPairs struct{ *training }

func (t allPairs) Gradient(ctx context.Context, w, g []float64) (float64, error) {
	began := time.Now()
	l, err := t.full.loss(ctx, t.loss, w, g)
	if err == nil {
		t.report.Passes++
		t.report.Full += time.Since(began)
	}
	return l, err
}

func (t allPairs) Traits() newton.Traits {
	traits := t.traits(t.full)
	traits.Proof, traits.NextProof = t.proof.cost(t.full, 1), t.proof.cost(t.full, proofGrowth)
	traits.Share = t.proof.share
	return traits
}

// samplePairs is the loss of the pairs of the sample.
type samplePairs struct{ *training }

func (t samplePairs) Gradient(ctx context.Context, w, g []float64) (float64, error) {
	return t.sample.loss(ctx, t.loss, w, g)
}

func (t samplePairs) Traits() newton.Traits { return t.traits(t.sample) }

// Hessian sets h to the Hessian of the sample.
func (t *training) Hessian(ctx context.Context, w, h []float64, diagonal bool) error {
	t.report.Hessians++
	return t.sample.hessian(ctx, t.loss, w, h, diagonal)
}

// traits are those of an objective of the pairs of set.
func (t *training) traits(set *pairSet) newton.Traits {
	return newton.Traits{
		// A Hessian multiplies three times as fast as passes do.
		Hessian: set.hessianCost() * float64(t.sample.docs) / float64(3*set.docs),
		Rough:   t.sample.docs < t.full.docs && t.sample.docs < minSampleDocs,
	}
}
