package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// The hinge losses of a query with many pairs are computed in O(n log n) time. A pair (i, j) is
// active if q + t > margin, where q = 1 − z[i] and t = z[j]. If the documents are sorted by score,
// the active partners of a document are at one end of the order. Its derivative depends only on the
// number of active partners with a lower label and the sum of their scores.
//
// The documents are divided, by label, into leaves that do not split a group of equal labels. Pairs
// within a leaf are processed one by one. For the other pairs, a sweep in score order counts and
// sums by leaf. It uses a tree whose nodes contain 8 prefix sums, one per child. Both an insertion
// and a query access one node per level, and an insertion is two masked vector additions. A second
// sweep from the other end does the same for the partners. As Σ t² = Σ t·q + Σ t·z[j], the loss
// needs no further sums.

const (
	// pairLongRatio is the minimum number of pairs per document for the sweeps. With AVX-512 on Zen
	// 4, they are faster from 250 (two or five labels) to 290 (distinct labels). The two algorithms
	// give different bits, so the choice must depend only on the query.
	pairLongRatio = 256
	// pairLeaf is the maximum number of documents of a leaf with several labels.
	pairLeaf = 48
)

// pairIsLong reports whether the query is computed in O(n log n) operations, because it has many
// pairs and finite scores.
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

// A pairSweeps is the state of the two sweeps of a long query.
type pairSweeps struct {
	c, z   []float64
	factor float64 // factor of the derivatives
	lower  []int32
	gains  []float64 // nil: every pair has weight 1
	order  []int64   // by ascending score; order.KeyIndex is the index in the query
	mid    float64   // the score of the middle one
	ends   []int32   // ends of the leaves, as indices in the query
	leafOf []int32   // by index in the query
	nodes  int       // inner nodes of the tree
	ones   []float64
	turns  [2]pairTurn // downwards and upwards

	huber            bool // Huberized hinge loss, not squared hinge loss
	delta, inv, half float64
	square           [8]float64    // Σ q·t of both sweeps
	above, zone      [8]float64    // Σ (t − δ/2) of the pairs above the zone, and Σ t of the pairs in it
	near             [4][8]float64 // of the pairs within leaves

	work *Work
	team *parallel.Team // nil for none
}

// A pairTurn is one of the sweeps. In the downward sweep, by descending score, queries are
// documents of higher label. In the upward sweep, they are documents of lower label. The slices
// contain the documents in the order of the sweep.
type pairTurn struct {
	*pairSweeps
	up   bool
	leaf []int32   // its number in a heap whose nodes have 8 children
	ask  []float64 // q, ascending
	item []float64 // t, descending
	gain []float64 // with gains
	y    []float64 // with gains, gain times t
	tree []float64 // 16 values per node: for each child, Σ x and Σ y of the children before it
	sums [6][]float64
}

// hingeLong sets c to the derivatives of a hinge loss, times factor. It returns the terms of the
// loss.
func (work *Work) hingeLong(c []float64, factor float64, z []float64, lower []int32, gain []float64, huber bool,
	delta float64) *pairSweeps {
	s := &work.long
	*s = pairSweeps{c: c, factor: factor, z: z, lower: lower, gains: gain, ends: s.ends[:0], huber: huber, delta: delta,
		work: work}
	s.inv, s.half = huberFactors(delta)
	if threads := min(parallel.Threads(work.Threads), len(z)/pairParallel); threads > 1 {
		s.team = parallel.NewTeam(threads)
		defer s.team.Close()
		s.order = work.argsort.Sort(z, s.team, s.cut)
	} else { // allocates nothing
		s.order = work.argsort.Sort(z, nil, nil)
		s.cut()
	}
	// Scores are relative to the middle one, because a common offset would cost the sums precision.
	s.mid = z[order.KeyIndex(s.order[len(z)/2])]
	s.each((len(z)+pairShare-1)/pairShare, (*pairSweeps).fill)
	s.each(2, func(s *pairSweeps, k int) { s.turns[k].run() })
	s.each(2, (*pairSweeps).finish)
	s.c, s.z, s.lower, s.gains, s.team = nil, nil, nil, nil, nil // do not retain the caller's memory
	return s
}

// each calls do for the numbers from 0 to n−1.
func (s *pairSweeps) each(n int, do func(s *pairSweeps, i int)) {
	if s.team == nil { // allocates nothing
		for i := range n {
			do(s, i)
		}
		return
	}
	s.team.Run(n, func(i int) { do(s, i) })
}

// cut divides the documents into leaves and allocates the slices with one element per document.
func (s *pairSweeps) cut() {
	n, lower, work := len(s.z), s.lower, s.work
	// A leaf ends if the next group of equal labels would not fit.
	start, group := 0, 0 // starts of the leaf and of the last group
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

	wanted := [...]bool{true, s.huber, s.gains != nil} // whether each of the three pairs of sums is needed
	each := 2 * n
	for _, is := range wanted {
		if is {
			each += 2 * n
		}
	}
	if s.gains != nil {
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
		if s.gains != nil {
			t.gain, t.y = take(n), take(n)
		}
		for k := range t.sums {
			if wanted[k/2] {
				t.sums[k] = take(n)
			}
		}
	}
}

// fill stores a share of the documents in the order of the sweeps.
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
	if s.gains == nil {
		return
	}
	for r, k := range s.order[from:to] {
		r += from
		g, back := s.gains[order.KeyIndex(k)], n-1-r
		up.gain[r], up.y[r] = g, float64(g*up.item[r])
		down.gain[back], down.y[back] = g, float64(g*down.item[back])
	}
}

// run performs the sweep and stores the derivatives, without constant factors, in the order of the
// query.
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

// zones returns the derivatives of a Huberized hinge loss. It sets sums[1] to Σ t of the pairs in
// the zone 0 < t ≤ δ.
func (s *pairTurn) zones() []float64 {
	w0, t0, w1, t1 := s.sums[0], s.sums[1], s.sums[2], s.sums[3]
	delta, inv, half := s.delta, s.inv, s.half
	var above, zone [8]float64
	for r := range w0 {
		// Σ t of the pairs with 0 < t ≤ δ, clamped because rounding may violate the bounds
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

// finish combines both sweeps. Task 0 adds the derivatives, including the derivatives of pairs
// within leaves. Task 1 sums Σ t² of the pairs outside of leaves or, for Huber, in the zone. It is
// computed as Σ t·(q+t'), where q is from one sweep and t' from the other.
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

// active sets two of the sums for each document: Σ w and Σ w·(q+t) over its pairs outside of its
// leaf with q + t > margin. set selects sums 0 and 1, or 2 and 3.
func (s *pairTurn) active(set int, margin float64) {
	w, wt := s.sums[2*set], s.sums[2*set+1]
	s.sweep(s.ones, s.item, margin, w, wt)
	if s.gain == nil {
		for r, q := range s.ask {
			wt[r] = math.FMA(w[r], q, wt[r])
		}
		return
	}
	u, ut := s.sums[4], s.sums[5]
	s.sweep(s.gain, s.y, margin, u, ut)
	for r, q := range s.ask {
		g := s.gain[r]
		if s.up { // the querying document has the smaller gain
			w[r], wt[r] = math.FMA(-g, w[r], u[r]), math.FMA(-g, math.FMA(w[r], q, wt[r]), math.FMA(u[r], q, ut[r]))
		} else {
			w[r], wt[r] = math.FMA(g, w[r], -u[r]), math.FMA(g, math.FMA(w[r], q, wt[r]), -math.FMA(u[r], q, ut[r]))
		}
	}
}

// sweep sets sx and sy to the sums of x and y over the active items of earlier leaves.
func (s *pairTurn) sweep(x, y []float64, margin float64, sx, sy []float64) {
	clear(s.tree)
	const step = 1 << 14 // documents per call
	done := 0
	for from := 0; from < len(s.ask) && !s.work.stopped(); from += step {
		done = pairSweep(s.tree, s.leaf, s.ask, s.item, x, y, margin, done, from, min(from+step, len(s.ask)), sx, sy)
	}
}

// within adds the derivatives of the upward sweep and of the pairs within leaves.
func (s *pairSweeps) within() {
	up, start := s.turns[1].item, 0
	for _, e := range s.ends {
		end := int(e)
		c := s.c[start:end]
		AxpyF64(1, up[start:end], c)
		if int(s.lower[end-1]) > start {
			lower := s.leafOf[start:end] // no longer needed
			for k := range lower {
				lower[k] = s.lower[start+k] - int32(start)
			}
			z, gain := s.z[start:end], slice(s.gains, start, end)
			if s.huber {
				pairHuberHingeRows(c, z, lower, gain, s.inv, s.half, s.work, &s.near)
			} else {
				pairSquaredHingeRows(c, z, lower, gain, s.work, &s.near)
			}
		}
		scale(c, s.factor)
		start = end
	}
}

// pairSquaredHingeLong is the O(n log n) algorithm of PairSquaredHinge. The loss is not weighted.
func pairSquaredHingeLong(c []float64, factor float64, z []float64, lower []int32, gain []float64, work *Work,
	acc *[4][8]float64) float64 {
	s := work.hingeLong(c, factor, z, lower, gain, false, 0)
	*acc = s.near
	return pairReduce(&s.square)
}

// pairHuberHingeLong is the O(n log n) algorithm of PairHuberHinge. The loss is not weighted.
func pairHuberHingeLong(c []float64, factor float64, z []float64, lower []int32, gain []float64, delta float64,
	work *Work, acc *[4][8]float64) float64 {
	s := work.hingeLong(c, factor, z, lower, gain, true, delta)
	*acc = s.near
	q := max(0, min(pairReduce(&s.square), float64(delta*pairReduce(&s.zone))))
	return pairReduce(&s.above) + float64(float64(q*s.inv)*0.5)
}

func slice(s []float64, start, end int) []float64 {
	if s == nil {
		return nil
	}
	return s[start:end]
}
