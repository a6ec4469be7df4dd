// Package ranksvm trains RankSVM (Joachims 2002) on feature matrices. It also solves linear
// equations for ridge regression.
package ranksvm

import (
	"context"
	"math"
	"slices"
	"time"
)

// A Problem defines the objective and the stopping criterion. Its fields are not checked.
type Problem struct {
	Data
	Block int // documents per block if this is a part of the data; 0 means that it is chosen

	Loss    Loss
	Gain    func(label float64) float64 // pair weights are differences of gains; nil: all weights are 1
	Penalty Penalty
	kept    PackedWeights // nonzero weights of columns that Features does not contain

	// A pair has the weight C times the weight of its query. With PerQuery, this is divided by the
	// number of pairs in the query.
	C        float64
	PerQuery bool

	Tol         float64 // relative gap
	MaxPasses   int
	Threads     int
	OnIteration func(Report) // called after every iteration
}

// A Report describes the progress or the result of a training. It is converted to a rank.FitReport,
// which has the same fields.
type Report struct {
	C    float64 // the option, or its default
	Stop string  // why the training ended; "" before the end

	Objective float64
	Gap       float64 // relative; an upper bound once the training has ended
	Sampled   bool    // whether the objective is computed on the sample

	Queries int // number of queries that have pairs and a weight
	Pairs   int64

	Iterations int
	Passes     int // passes over the data

	Elapsed time.Duration // time since Fit was called
	Full    time.Duration // time of passes over the data
}

// A Training passes objectives to a solver, which is independent of pairs.
type Training struct {
	Report Report

	data   *Problem
	full   *pairSet
	loss   pairLoss // the width of its zone shrinks during training
	solver *Solver

	sample       *pairSet // the pairs from which Hessians are computed
	sampleDocs   int      // number of documents requested
	sampleLength int      // length of the parts in which long queries are drawn
	whole        bool     // whether the sample contains all pairs
	proof        proof

	started time.Time
}

// New sorts the labels of the problem for a training from the weights w, one per column of
// Features. The training changes w.
func New(p *Problem, w []float64) *Training {
	t := &Training{data: p, full: newPairSet(p), loss: pairLoss{kind: p.Loss}}
	t.solver = newSolver(p.Penalty, w, t.note)
	t.Report.Queries, t.Report.Pairs = len(t.full.units), t.full.pairs
	return t
}

// Weights returns the current weights of the columns of the data.
func (t *Training) Weights() PackedWeights {
	if t.data.Columns == nil {
		return Pack(t.solver.W)
	}
	kept := &t.data.kept
	p := PackedWeights{Cols: t.data.Cols, Columns: slices.Clone(kept.Columns), Values: slices.Clone(kept.Values)}
	for k, j := range t.data.Columns {
		p.add(j, t.solver.W[k])
	}
	return p
}

// sampleTol is the relative gap to which the problem of the sample is solved for a starting point.
// More accuracy is of no use, because the optimum of the full problem is farther away.
const sampleTol = 1e-4

// Run trains. If cold is set, there is no initial model, and Run starts on the sample. There must
// be pairs. It returns nil if the gap is at most Tol, ErrStopped after MaxPasses, or another error
// of [Solver.Minimize].
func (t *Training) Run(ctx context.Context, cold bool) error {
	saves, err := t.firstSample(ctx)
	if err != nil {
		return err
	}
	if t.loss.kind == Hinge {
		t.loss.width = 4 // training starts from equal scores (z = 0), which this zone includes
	}
	if cold && saves {
		if err := t.approach(ctx); err != nil {
			return err
		}
	}
	if t.loss.kind == Hinge {
		return t.sharpen(ctx)
	}
	return t.minimize(ctx, t.data.Tol)
}

// minimize minimizes the objective over all pairs.
func (t *Training) minimize(ctx context.Context, tol float64) error {
	err := t.solver.Minimize(ctx, allPairs{t}, tol)
	if ended(err) {
		t.Report.Gap = relative(t.solver.Bound, t.solver.F)
	}
	return err
}

// ended reports whether the solver ended without a failure: at its tolerance, or as close to it as
// the limit of passes or the precision allowed.
func ended(err error) bool {
	return err == nil || err == ErrStopped || err == ErrPrecision
}

// approach minimizes the objective of the sample.
func (t *Training) approach(ctx context.Context) error {
	t.Report.Sampled = true
	defer func() { t.Report.Sampled = false }()
	for {
		if err := t.solver.Minimize(ctx, samplePairs{t}, sampleTol); !ended(err) {
			return err
		}
		if t.loss.kind != Hinge || t.loss.width < 0.1 {
			return nil
		}
		t.loss.width /= 4
	}
}

// sharpen minimizes the objective with the hinge loss itself. It rounds the corner of the hinge
// over a width that it shrinks until duality shows the gap to be small. A dual point has a
// coefficient a from 0 to 1 for each pair. If a dual point shows that the rounded objective at w is
// within bound of its minimum, then
//
//	f(w) − min f ≤ bound + Σ(hinge − rounded) + Σ ½·width·a(1−a).
//
// If a is the derivative of the rounded loss, the last sum is width·∂Σrounded/∂width. The rounded
// loss is convex in the width, so this is at most 4·(Σrounded at 1.25·width − Σrounded at width).
// The dual point of the bound has other coefficients for some pairs, but its a(1−a) is larger by a
// fraction of at most shift.
func (t *Training) sharpen(ctx context.Context) error {
	tol := max(1e-3, t.data.Tol/2)
	for {
		end := t.minimize(ctx, tol)
		if !ended(end) {
			return end
		}
		w := t.solver.W
		penalty := t.data.Penalty.Value(w)
		hinge, err := t.full.loss(ctx, pairLoss{kind: Hinge}, w, nil)
		if err != nil {
			return err
		}
		wider, err := t.full.loss(ctx, pairLoss{kind: Hinge, width: 1.25 * t.loss.width}, w, nil)
		if err != nil {
			return err
		}
		t.Report.Passes += 2
		rounded := t.solver.F - penalty
		slack := max(hinge-rounded+float64(4*(1+t.solver.Shift)*(wider-rounded)), 0)
		f := penalty + hinge
		t.Report.Objective, t.Report.Gap = f, relative(t.solver.Bound+slack, f)
		switch {
		case t.Report.Gap <= t.data.Tol:
			return nil
		case end != nil:
			return end
		case t.loss.width < 1e-12:
			return ErrPrecision
		}
		if need := 0.5 * t.data.Tol * t.solver.F / max(slack, 1e-300); need < 1 {
			// The slack falls with the square of the width if there are many pairs near the corner,
			// and with the width if there are few.
			shrink := min(max(math.Sqrt(need), 1.0/8), 0.5)
			t.loss.width *= shrink
			tol = max(t.data.Tol/4, min(tol, 0.05*slack*shrink*shrink/t.solver.F))
		} else {
			tol = t.data.Tol / 4
		}
	}
}

// relative returns gap/f, but at most 1, since no objective is negative.
func relative(gap, f float64) float64 {
	if gap < f {
		return gap / f
	}
	if f == 0 {
		return 0
	}
	return 1
}

// note reports an iteration of the solver. It returns false if no more passes are allowed.
func (t *Training) note() (more bool) {
	s := t.solver
	t.Report.Iterations++
	t.Report.Objective, t.Report.Gap = s.F, relative(min(s.Gap, s.Bound), s.F)
	t.Report.Elapsed = time.Since(t.started)
	if t.data.OnIteration != nil {
		t.data.OnIteration(t.Report)
	}
	return t.Report.Sampled || t.Report.Passes < t.data.MaxPasses
}

// allPairs is the objective of all pairs. Its Hessians come from the sample.
type allPairs struct{ *Training }

func (t allPairs) Gradient(ctx context.Context, w, g []float64) (float64, error) {
	began := time.Now()
	l, err := t.full.loss(ctx, t.loss, w, g)
	if err == nil {
		t.Report.Passes++
		t.Report.Full += time.Since(began)
	}
	return l, err
}

func (t allPairs) Traits() Traits {
	traits := t.traits(t.full)
	traits.Proof, traits.NextProof = t.proof.cost(t.full, 1), t.proof.cost(t.full, proofGrowth)
	traits.Share = t.proof.share
	return traits
}

// samplePairs is the objective of the pairs of the sample.
type samplePairs struct{ *Training }

func (t samplePairs) Gradient(ctx context.Context, w, g []float64) (float64, error) {
	return t.sample.loss(ctx, t.loss, w, g)
}

func (t samplePairs) Traits() Traits { return t.traits(t.sample) }

// Hessian sets h to the Hessian of the sample.
func (t *Training) Hessian(ctx context.Context, w, h []float64, diagonal bool) error {
	return t.sample.hessian(ctx, t.loss, w, h, diagonal)
}

// traits returns the Traits of an objective whose pairs are set.
func (t *Training) traits(set *pairSet) Traits {
	return Traits{
		// Computing a Hessian does three times as many multiplications per second as a pass.
		Hessian: set.hessianCost() * float64(t.sample.docs) / float64(3*set.docs),
		Matrix:  set.matrixTime(t.sample),
		Rough:   t.sample.docs < t.full.docs && t.sample.docs < minSampleDocs,
	}
}
