package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// For a query with many pairs, this file computes the hinge losses in O(n log n) time. A pair (i,
// j) is active if q + t > margin, where q = 1 − z[i] and t = z[j]. If documents are sorted by
// score, the active partners of a document are at one end of the order. Therefore, its derivative
// depends only on the number of active partners with a lower label and on the sum of their scores.
//
// Documents are sorted by label and divided into leaves. Documents with equal labels are always in
// the same leaf. Pairs within a leaf are processed one by one. For pairs of documents from
// different leaves, a sweep in score order counts active partners and sums their scores by leaf.
// The sweep stores these sums in a tree whose nodes contain 8 prefix sums, one per child. Inserting
// a document and querying the sums both access one node per level, and an insertion into a node is
// two masked vector additions. A second sweep from the other end computes the derivatives of the
// partners. As Σ t² = Σ t·q + Σ t·z[j], the loss needs no further sums.

const (
	// pairLongRatio is the minimum number of pairs per document for which sweeps are used. With
	// AVX-512 on Zen 5, sweeps are faster from 250 (two or five labels) or 290 (distinct labels)
	// pairs per document. The two algorithms round differently, so the choice must depend only on
	// the query.
	pairLongRatio = 256
	// pairLeaf is the maximum number of documents in a leaf with several labels.
	pairLeaf = 48
)

// pairIsLong reports whether a query is processed by sweeps. It must have many pairs, and its
// scores must not be NaN or so large that differences could overflow.
func pairIsLong(z []float64, lower []int32) bool {
	if len(z) <= pairLongRatio {
		return false
	}
	need := pairLongRatio * int64(len(z))
	for _, p := range lower {
		if need -= int64(p); need < 0 {
			s := order.ScanF64(z)
			return !s.NaN && max(s.Max, -s.Min) <= math.MaxFloat64/8
		}
	}
	return false
}

// A pairSweeps is the state of the two sweeps over a long query.
type pairSweeps struct {
	c, z   []float64
	factor float64 // factor of the derivatives
	lower  []int32
	docs   pairWeights
	order  []int64 // sort keys, in ascending order of score; order.KeyIndex returns the index in the query
	mid    float64 // score of the document in the middle of order
	ends   []int32 // ends of the leaves, as indices in the query
	leafOf []int32 // leaf of each document
	nodes  int     // number of inner nodes in the tree
	ones   []float64
	turns  [2]pairTurn // downward and upward sweep

	huber            bool // whether the loss is the Huberized hinge loss, not the squared one
	delta, inv, half float64
	square           [8]float64    // Σ q·t over both sweeps
	above, zone      [8]float64    // Σ (t − δ/2) over the pairs with t > δ, and Σ t over the pairs with 0 < t ≤ δ
	near             [4][8]float64 // losses of the pairs within leaves

	work *Work
	team *parallel.Team // nil if only one goroutine is used
}

// A pairTurn is one of the sweeps. In the downward sweep, which is by descending score, the
// querying documents are the documents with the higher label of each pair. In the upward sweep,
// they are the documents with the lower label. The slices are in the order of the sweep.
type pairTurn struct {
	*pairSweeps
	up   bool
	leaf []int32   // leaf of each document: its number in a heap whose nodes have 8 children
	ask  []float64 // q of each querying document, ascending
	item []float64 // t of each item, descending
	x    []float64 // weight of each item: Better in the upward sweep, otherwise 1
	xt   []float64 // x times t of each item
	gain []float64 // gain of each document; nil without gains
	y    []float64 // gain times x of each item; nil without gains
	yt   []float64 // y times t of each item; nil without gains
	// better is the factor of each querying document. It is nil in the upward sweep or without
	// factors.
	better []float64
	tree   []float64 // 16 values per node: for each child, Σ x and Σ y over the preceding children
	sums   [6][]float64
}

// hingeLong sets c to the derivatives of a hinge loss, multiplied by factor. The result contains
// the terms of the loss.
func (work *Work) hingeLong(c []float64, factor float64, z []float64, lower []int32, weights pairWeights, huber bool,
	delta float64) *pairSweeps {
	s := &work.long
	*s = pairSweeps{c: c, factor: factor, z: z, lower: lower, docs: weights, ends: s.ends[:0], huber: huber,
		delta: delta, work: work}
	s.inv, s.half = huberFactors(delta)
	if threads := min(parallel.Threads(work.Threads), len(z)/pairParallel); threads > 1 {
		s.team = parallel.NewTeam(threads)
		defer s.team.Close()
		s.order = work.argsort.Sort(z, s.team, s.cut)
	} else { // do not allocate memory
		s.order = work.argsort.Sort(z, nil, nil)
		s.cut()
	}
	// Subtract the middle score from all scores, because a large common offset would make the sums
	// less precise.
	s.mid = z[order.KeyIndex(s.order[len(z)/2])]
	s.each((len(z)+pairShare-1)/pairShare, (*pairSweeps).fill)
	s.each(2, func(s *pairSweeps, k int) { s.turns[k].run() })
	s.each(2, (*pairSweeps).finish)
	s.c, s.z, s.lower, s.docs, s.team = nil, nil, nil, pairWeights{}, nil // do not keep the caller's memory alive
	return s
}

// each calls do for the numbers 0 to n−1, concurrently if there is a team.
func (s *pairSweeps) each(n int, do func(s *pairSweeps, i int)) {
	if s.team == nil { // do not allocate memory
		for i := range n {
			do(s, i)
		}
		return
	}
	s.team.Run(n, func(i int) { do(s, i) })
}

// cut divides the documents into leaves, and allocates the slices with one element per document.
func (s *pairSweeps) cut() {
	n, lower, work := len(s.z), s.lower, s.work
	// End a leaf if the next group of documents with equal labels would not fit.
	start, group := 0, 0 // start of the current leaf, and start of the last group in it
	for i := 1; i <= n; i++ {
		if i < n && int(lower[i]) != i {
			continue
		}
		if i-start > pairLeaf && group > start {
			s.ends = append(s.ends, int32(group))
			start = group
		}
		group = i
	}
	s.ends = append(s.ends, int32(n))
	for below := 1; below < max(2, len(s.ends)); below *= 8 {
		s.nodes += below
	}
	work.ints = memory.Grow(work.ints, 3*n)
	s.leafOf = work.ints[:n]
	start = 0
	for leaf, e := range s.ends {
		end := int(e)
		for i := range s.leafOf[start:end] {
			s.leafOf[start+i] = int32(leaf)
		}
		start = end
	}

	wanted := [...]bool{true, s.huber, s.docs.gain != nil} // whether each pair of sums in pairTurn.sums is needed
	each := 2 * n
	for _, is := range wanted {
		if is {
			each += 2 * n
		}
	}
	if s.docs.gain != nil {
		each += 3 * n
	}
	if s.docs.better != nil {
		each += 2 * n
	}
	work.floats = memory.Grow(work.floats, n+2*(16*s.nodes+each))
	floats := work.floats
	take := func(n int) (v []float64) {
		v, floats = floats[:n:n], floats[n:]
		return v
	}
	s.ones = take(n)
	for k := range s.turns {
		t := &s.turns[k]
		*t = pairTurn{pairSweeps: s, up: k == 1, leaf: work.ints[(1+k)*n:][:n], tree: take(16 * s.nodes),
			ask: take(n), item: take(n)}
		t.x, t.xt = s.ones, t.item
		switch {
		case s.docs.better == nil:
		case t.up:
			t.x, t.xt = take(n), take(n)
		default:
			t.better = take(n)
		}
		if s.docs.gain != nil {
			t.gain, t.y, t.yt = take(n), take(n), take(n)
		}
		for k := range t.sums {
			if wanted[k/2] {
				t.sums[k] = take(n)
			}
		}
	}
}

// fill writes a share of the documents to the slices of both sweeps, in the order of the sweeps.
func (s *pairSweeps) fill(share int) {
	down, up := &s.turns[0], &s.turns[1]
	n, first, last := len(s.order), int32(s.nodes), int32(s.nodes+len(s.ends)-1)
	from := share * pairShare
	to := min(from+pairShare, n)
	for r, k := range s.order[from:to] {
		r += from
		i, back := order.KeyIndex(k), n-1-r
		leaf, t := s.leafOf[i], s.z[i]-s.mid
		up.ask[r], up.item[r], up.leaf[r] = t, 1-t, last-leaf
		down.ask[back], down.item[back], down.leaf[back] = 1-t, t, first+leaf
		s.ones[r] = 1
	}
	if s.docs.better != nil {
		for r, k := range s.order[from:to] {
			r += from
			b := s.docs.better[order.KeyIndex(k)]
			up.x[r], up.xt[r] = b, float64(b*up.item[r])
			down.better[n-1-r] = b
		}
	}
	if s.docs.gain == nil {
		return
	}
	for r, k := range s.order[from:to] {
		r += from
		g, back := s.docs.gain[order.KeyIndex(k)], n-1-r
		up.gain[r], up.y[r] = g, float64(g*up.x[r])
		up.yt[r] = float64(up.y[r] * up.item[r])
		down.gain[back], down.y[back], down.yt[back] = g, g, float64(g*down.item[back])
	}
}

// run performs the sweep. It stores the derivatives, without constant factors, in the order of the
// query: the downward sweep in c, and the upward sweep in its item slice.
func (s *pairTurn) run() {
	s.active(0, 0)
	c := s.sums[1]
	if s.huber {
		s.active(1, s.delta)
		c = s.zones()
	}
	n := len(c)
	if s.up {
		for r, k := range s.order {
			s.item[order.KeyIndex(k)] = c[r]
		}
		return
	}
	for r, k := range s.order {
		s.c[order.KeyIndex(k)] = 0 - c[n-1-r]
	}
}

// zones returns the derivatives of a Huberized hinge loss. It sets sums[1] to Σ t over the pairs in
// the zone 0 < t ≤ δ.
func (s *pairTurn) zones() []float64 {
	w0, t0, w1, t1 := s.sums[0], s.sums[1], s.sums[2], s.sums[3]
	delta, inv, half := s.delta, s.inv, s.half
	var above, zone [8]float64
	for r := range w0 {
		// t is Σ t over the pairs with 0 < t ≤ δ. Clamp it, because rounding errors may violate its
		// bounds.
		t := max(0, min(t0[r]-t1[r], float64(delta*(w0[r]-w1[r]))))
		above[r&7] += math.FMA(-half, w1[r], t1[r])
		zone[r&7] += t
		t0[r], w0[r] = t, min(w0[r], math.FMA(t, inv, w1[r]))
	}
	if !s.up {
		s.above, s.zone = above, zone
	}
	return w0
}

// finish combines the results of both sweeps. Task 0 adds up the derivatives, including the
// derivatives of pairs within leaves. Task 1 computes Σ t² over pairs of different leaves; for the
// Huberized loss, only pairs in the zone count. Task 1 computes this sum as Σ t·(q+t'), where q is
// from one sweep and t' from the other one.
func (s *pairSweeps) finish(task int) {
	if task == 0 {
		s.within()
		return
	}
	var square [8]float64
	for k := range s.turns {
		t := s.turns[k].sums[1]
		for r, q := range s.turns[k].ask {
			square[r&7] = math.FMA(q, t[r], square[r&7])
		}
	}
	s.square = square
}

// active computes two sums for each document: Σ w and Σ w·(q+t) over its pairs with q + t > margin,
// except pairs within its leaf. set selects the destination: sums 0 and 1, or sums 2 and 3.
func (s *pairTurn) active(set int, margin float64) {
	w, wt := s.sums[2*set], s.sums[2*set+1]
	s.sweep(s.x, s.xt, margin, w, wt)
	if s.gain == nil {
		for r, q := range s.ask {
			wt[r] = math.FMA(w[r], q, wt[r])
		}
	} else {
		s.byGain(margin, w, wt)
	}
	for r, b := range s.better {
		w[r], wt[r] = float64(w[r]*b), float64(wt[r]*b)
	}
}

// byGain multiplies the weights in the sums w and wt by differences of gains, and adds Σ w·q to wt.
func (s *pairTurn) byGain(margin float64, w, wt []float64) {
	u, ut := s.sums[4], s.sums[5]
	s.sweep(s.y, s.yt, margin, u, ut)
	for r, q := range s.ask {
		g := s.gain[r]
		if s.up { // the querying document has the lower gain
			w[r], wt[r] = math.FMA(-g, w[r], u[r]), math.FMA(-g, math.FMA(w[r], q, wt[r]), math.FMA(u[r], q, ut[r]))
		} else {
			w[r], wt[r] = math.FMA(g, w[r], -u[r]), math.FMA(g, math.FMA(w[r], q, wt[r]), -math.FMA(u[r], q, ut[r]))
		}
	}
}

// sweep sets sx and sy to the sums of x and y over the active items in earlier leaves.
func (s *pairTurn) sweep(x, y []float64, margin float64, sx, sy []float64) {
	clear(s.tree)
	const step = 1 << 14 // number of documents per call
	done := 0
	for from := 0; from < len(s.ask) && !s.work.stopped(); from += step {
		done = pairSweep(s.tree, s.leaf, s.ask, s.item, x, y, margin, done, from, min(from+step, len(s.ask)), sx, sy)
	}
}

// within adds to c the derivatives of the upward sweep and the derivatives of pairs within leaves,
// and multiplies c by factor.
func (s *pairSweeps) within() {
	up, start := s.turns[1].item, 0
	for _, e := range s.ends {
		end := int(e)
		c := s.c[start:end]
		AxpyF64(1, up[start:end], c)
		if int(s.lower[end-1]) > start {
			lower := s.leafOf[start:end] // reuse the memory, which is no longer needed
			for k := range lower {
				lower[k] = s.lower[start+k] - int32(start)
			}
			z, weights := s.z[start:end], s.docs.slice(start, end)
			if s.huber {
				pairHuberHingeRows(c, z, lower, weights, s.inv, s.half, s.work, &s.near)
			} else {
				pairSquaredHingeRows(c, z, lower, weights, s.work, &s.near)
			}
		}
		scale(c, s.factor)
		start = end
	}
}

// pairSquaredHingeLong computes the squared hinge loss by sweeps. It returns the loss of pairs
// between leaves, and sets acc to the losses of pairs within leaves, all without factor.
func pairSquaredHingeLong(c []float64, factor float64, z []float64, lower []int32, weights pairWeights, work *Work,
	acc *[4][8]float64) float64 {
	s := work.hingeLong(c, factor, z, lower, weights, false, 0)
	*acc = s.near
	return pairReduce(&s.square)
}

// pairHuberHingeLong computes the Huberized hinge loss by sweeps. It returns the loss of pairs
// between leaves, and sets acc to the losses of pairs within leaves, all without factor.
func pairHuberHingeLong(c []float64, factor float64, z []float64, lower []int32, weights pairWeights, delta float64,
	work *Work, acc *[4][8]float64) float64 {
	s := work.hingeLong(c, factor, z, lower, weights, true, delta)
	*acc = s.near
	q := max(0, min(pairReduce(&s.square), float64(delta*pairReduce(&s.zone))))
	return pairReduce(&s.above) + float64(float64(q*s.inv)*0.5)
}
