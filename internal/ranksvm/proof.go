package ranksvm

import (
	"context"
	"math"
)

const (
	// A proof takes as many documents as have a Hessian of this many passes, and what it grows by.
	provePasses  = 2
	minProofDocs = 256
	proofGrowth  = 4
)

// A proof is the memory of a bound on the gap that needs no scaled features.
//
// The gap between the objective at w and that of a dual point is, for coefficients of the pairs
// that differ by dα from −loss′ at w,
//
//	½(g−d)ᵀR⁻¹(g−d) + Σ (loss(z) + loss*(−α) + α·z),  d = Σ dα·(xᵢ−xⱼ),
//
// where R is the penalty and loss* the convex conjugate. dα = 0 gives the first term alone, with g
// for its residual, which features of large values make large. Taking dα = loss″·(xᵢ−xⱼ)·y for some
// pairs, of which A is the Hessian, gives d = Ay, and with (A+R)y = g the gap ½gᵀ(A+R)⁻¹g, as far
// as the second term is quadratic:
//
//   - squared hinge: where α stays at least 0;
//   - rounded hinge: where α stays from 0 to 1;
//   - logistic: up to the factor 1 + r, where r ≤ 1 bounds |(xᵢ−xⱼ)·y|.
//
// The pairs are those that are as far from where this ends as the largest difference of scores by
// y, of a few documents of the sample: their Hessian costs about provePasses passes, and what makes
// up for the pairs left out, a decrement that is less by their share, takes a pass or two.
type proof struct {
	set     *pairSet // the first units of the sample
	share   float64  // of the weight of all pairs that the pairs of set have
	h       []float64
	chol    Cholesky
	y, e, p []float64
}

// Prove bounds the gap by the dual point above.
func (t allPairs) Prove(ctx context.Context, at Point) (Proof, error) {
	m, n := &t.proof, len(at.W)
	if m.h == nil {
		m.h = make([]float64, n*n)
		m.y, m.e, m.p = make([]float64, n), make([]float64, n), make([]float64, n)
	}

	loss := t.loss
	// y is about the step, times what pairs the sample lacks.
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
		r *= 4 // y makes up for the pairs that drop out, too
	}
	if r > limit {
		return NoProof(float64(r/limit) * (r / limit)), nil
	}
	loss.margin = r
	if loss.kind == Logistic { // which takes all pairs
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
	var curve, free float64 // yᵀAy; what is left of features without penalty, by their weights
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

// of takes the first units of the sample, of about docs documents, for proofs.
func (m *proof) of(full, sample *pairSet, docs int) {
	docs = max(docs, minDocsPerFeature/2*full.data.Features.Cols, minProofDocs)
	m.set = sample
	if docs < sample.docs/2 { // units of a sample are in random order
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

// cost estimates how many passes cost as much as a proof from the given times as many documents.
func (m *proof) cost(full *pairSet, times float64) float64 {
	return full.hessianCost() * min(times*float64(m.set.docs)/float64(full.docs), 1)
}

// GrowProof makes proofs take more of the sample. It reports whether there is more.
func (t allPairs) GrowProof() bool {
	m := &t.proof
	if m.set == t.sample {
		return false
	}
	m.of(t.full, t.sample, proofGrowth*m.set.docs)
	return true
}
