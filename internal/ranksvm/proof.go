package ranksvm

import (
	"context"
	"math"
)

const (
	// A proof starts with as many documents as have a Hessian that costs provePasses passes. Each
	// GrowProof multiplies the number by proofGrowth.
	provePasses  = 2
	minProofDocs = 256
	proofGrowth  = 4
)

// A proof is the memory of a bound on the gap that does not depend on the scale of the features.
//
// The gap between the objective at w and the objective of a dual point is
//
//	½(g−d)ᵀR⁻¹(g−d) + Σ (loss(z) + loss*(−α) + α·z),  d = Σ dα·(xᵢ−xⱼ),
//
// where R is the penalty, loss* is the convex conjugate of the loss and dα is the difference of the
// pairs' coefficients α from −loss′ at w. With dα = 0, only the first term remains, with the
// residual g, which features of large values make large. Let A be the Hessian of some of the pairs,
// and dα = loss″·(xᵢ−xⱼ)·y for these pairs. Then d = Ay. If y solves (A+R)y = g and the second term
// is quadratic, the gap is ½gᵀ(A+R)⁻¹g. The second term is quadratic
//
//   - for the squared hinge, if α remains at least 0;
//   - for the rounded hinge, if α remains from 0 to 1;
//   - for the logistic loss, up to the factor 1 + r, where r ≤ 1 bounds |(xᵢ−xⱼ)·y|.
//
// The pairs come from a few documents of the sample, whose Hessian costs about provePasses passes.
// A pair is left out if the largest difference of scores by y could take it out of the quadratic
// range. The decrement must be smaller in proportion to the share of the pairs that are left out.
// That takes one or two passes more.
type proof struct {
	set     *pairSet // some units of the sample, from the first on
	share   float64  // the weight of the pairs of set, relative to all pairs
	h       []float64
	chol    Cholesky
	y, e, p []float64
}

// Prove bounds the gap with the dual point that the comment of proof describes.
func (t allPairs) Prove(ctx context.Context, at Point) (Proof, error) {
	m, n := &t.proof, len(at.W)
	if m.h == nil {
		m.h = make([]float64, n*n)
		m.y, m.e, m.p = make([]float64, n), make([]float64, n), make([]float64, n)
	}

	loss := t.loss
	// y is approximately the step, divided by the share of the pairs in set.
	r, err := m.set.spread(ctx, at.Step)
	if err != nil {
		return Proof{}, err
	}
	r /= m.share
	limit := 1.0
	switch loss.kind {
	case SquaredHinge:
		limit = 0.75
	case Hinge:
		r /= loss.width
		limit = 0.25
	}
	if !(r > 0) {
		return NoProof(1), nil
	}
	if loss.kind != Logistic {
		r *= 4 // y also makes up for the pairs that the margin leaves out
	}
	if r > limit {
		return NoProof(float64(r/limit) * (r / limit)), nil
	}
	loss.margin = r
	if loss.kind == Logistic { // the logistic loss leaves out no pairs
		loss.margin = limit
	}
	if err := m.set.hessian(ctx, loss, at.W, m.h, false); err != nil {
		return Proof{}, err
	}
	for j, r := range t.data.Penalty.R {
		m.h[j*n+j] += r
	}
	if !m.chol.Factorize(ctx, m.h, n, at.Fixed) {
		return NoProof(1), ctx.Err()
	}
	m.chol.Refine(m.y, m.e, m.h, at.G, m.p)
	if r, err = m.set.spread(ctx, m.y); err != nil {
		return Proof{}, err
	}
	var quadratic, shift float64 = 1, 0
	switch loss.kind {
	case Hinge:
		r /= loss.width
		shift = r * (1 - 2*loss.margin) / (loss.margin * (1 - loss.margin))
	case Logistic:
		quadratic = 1 + r
	}
	if !(r <= loss.margin) {
		return NoProof(float64(r/loss.margin) * (r / loss.margin)), nil
	}
	var curve, free float64 // yᵀAy, and a bound for the residual of the features without a penalty
	for j, y := range m.y {
		e := m.e[j]
		m.e[j] += float64(t.data.Penalty.R[j] * y) // g−Ay
		curve += float64(y * (at.G[j] - m.e[j]))
		if t.data.Penalty.R[j] == 0 && !at.Fixed[j] {
			free += float64(math.Abs(e) * (math.Abs(at.W[j]) + math.Abs(y)))
			m.e[j] = 0
		}
	}
	bound := float64(0.5*quadratic*curve) + t.data.Penalty.Fall(at.W, m.e) + free
	return Proof{Bound: bound, Excess: 1, Shift: shift}, nil
}

// of chooses the first units of the sample, with about docs documents, for proofs.
func (m *proof) of(full, sample *pairSet, docs int) {
	docs = max(docs, minDocsPerFeature/2*full.data.Features.Cols, minProofDocs)
	m.set = sample
	if docs < sample.docs/2 { // the units of a sample are in random order
		n, units := 0, 0
		for ; n < docs; units++ {
			n += len(sample.units[units].rows)
		}
		m.set = &pairSet{data: sample.data, work: sample.work, units: sample.units[:units], docs: n}
	}
	var some, all float64
	for _, u := range m.set.units {
		some += float64(u.full * float64(u.pairs))
	}
	for _, u := range full.units {
		all += float64(u.full * float64(u.pairs))
	}
	m.share = some / all
}

// cost estimates how many passes a proof costs if the number of its documents is multiplied by
// times.
func (m *proof) cost(full *pairSet, times float64) float64 {
	return full.hessianCost() * min(times*float64(m.set.docs)/float64(full.docs), 1)
}

// GrowProof makes proofs use more of the sample. It returns false if they already use all of it.
func (t allPairs) GrowProof() bool {
	m := &t.proof
	if m.set == t.sample {
		return false
	}
	m.of(t.full, t.sample, proofGrowth*m.set.docs)
	return true
}
