package rank

import (
	"context"
	"math"
	"time"

	"github.com/simdrank/simdrank/kernels"
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
	chol    cholesky
	y, e, p []float64
}

// prove lowers the bound if it can. excess is about what the decrement has to be divided by for
// the pairs of the proof to be enough; 1 or less where they are.
func (s *solver) prove(ctx context.Context) (excess float64, err error) {
	if s.curvature.diagonal {
		return 1, nil
	}
	began := time.Now()
	defer func() { s.report.Hessian += time.Since(began) }()
	m, n := &s.proof, len(s.w)
	if m.h == nil {
		m.h = make([]float64, n*n)
		m.y, m.e, m.p = make([]float64, n), make([]float64, n), make([]float64, n)
	}

	loss := s.loss
	// y is about the step, times what pairs the sample lacks.
	r, err := m.set.spread(ctx, s.p)
	if err != nil {
		return 1, err
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
		return 1, nil
	}
	if loss.kind != Logistic {
		r *= 4 // y makes up for the pairs that drop out, too
	}
	if r > limit {
		return float64(r/limit) * (r / limit), nil
	}
	loss.margin = r
	if loss.kind == Logistic { // which takes all pairs
		loss.margin = limit
	}
	s.report.Hessians++
	if err := m.set.hessian(ctx, loss, s.w, m.h, false); err != nil {
		return 1, err
	}
	for j, r := range s.reg {
		m.h[j*n+j] += r
	}
	if !m.chol.factorize(m.h, n, s.curvature.fixed) {
		return 1, nil
	}
	// The factor is that of a matrix with a larger diagonal where this one is nearly singular: what
	// it leaves is solved for again.
	clear(m.y)
	copy(m.e, s.g)
	for range 3 {
		copy(m.p, m.e)
		m.chol.solve(m.p)
		kernels.AxpyF64(1, m.p, m.y)
		multiply(m.p, m.h, m.y)
		for j, g := range s.g {
			m.e[j] = g - m.p[j]
		}
	}
	if r, err = m.set.spread(ctx, m.y); err != nil {
		return 1, err
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
		return float64(r/loss.margin) * (r / loss.margin), nil
	}
	var curve, free float64 // yᵀAy; what is left of features without penalty, by their weights
	for j, y := range m.y {
		e := m.e[j]
		m.e[j] += float64(s.reg[j] * y) // g−Ay
		curve += float64(y * (s.g[j] - m.e[j]))
		if s.reg[j] == 0 && !s.curvature.fixed[j] {
			free += float64(math.Abs(e) * (math.Abs(s.w[j]) + math.Abs(y)))
			m.e[j] = 0
		}
	}
	if bound := float64(0.5*quadratic*curve) + s.residual(m.e) + free; bound < s.bound {
		s.bound, s.shift = bound, shift
	}
	return 1, nil
}

// multiply sets y to A·x for the symmetric matrix of which a (row-major) holds the upper triangle.
func multiply(y, a, x []float64) {
	n := len(x)
	for i := range n {
		y[i] = 0
	}
	for i := range n {
		row := a[i*n+i : (i+1)*n]
		kernels.AxpyF64(x[i], row[1:], y[i+1:])
		y[i] += kernels.DotF64(row, x[i:])
	}
}

// of takes the first units of the sample, of about docs documents, for proofs.
func (m *proof) of(full, sample *pairSet, docs int) {
	docs = max(docs, minDocsPerFeature/2*full.d.Cols, minProofDocs)
	m.set = sample
	if docs < sample.docs/2 { // units of a sample are in random order
		n, units := 0, 0
		for ; n < docs; units++ {
			n += len(sample.units[units].rows)
		}
		m.set = &pairSet{d: full.d, x: full.x, gain: full.gain, threads: full.threads, work: sample.work,
			units: sample.units[:units], docs: n}
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

// grow takes more of the sample. It reports whether there is more.
func (m *proof) grow(full, sample *pairSet) bool {
	if m.set == sample {
		return false
	}
	m.of(full, sample, proofGrowth*m.set.docs)
	return true
}
