package kernels

import (
	"math"
	"sync"

	"github.com/simdrank/simdrank/internal/order"
)

// The hinge losses of a query with many pairs take O(n log n) operations. A pair (i, j) is active
// when q + t > margin, q = 1 − z[i] and t = z[j]. With the documents sorted by score, the
// partners with which a document is active begin one end of that order, and its derivative
// follows from how many of them have a lower label and from the sum of their scores.
//
// The documents are cut, by label, into leaves that split no group of equal labels. Pairs
// within a leaf are visited one by one. For the others a sweep in order of score
// counts and sums by leaf in a tree whose nodes hold 8 prefix sums, one a child: both an
// insertion and a query touch one node a level, and an insertion is two masked
// vector additions. A second sweep from the other end does the same for the partners. As
// Σ t² = Σ t·q + Σ t·z[j], the loss needs no further sums.

const (
	// pairLongRatio is how many pairs per document a query must have for the sweeps: with AVX-512
	// on Zen 4 they win from 250 (two or five labels) to 290 (all distinct). The bits of the two
	// ways differ, so that the choice depends on the query alone.
	pairLongRatio = 256
	// pairLeaf is how many documents a leaf holds at most, unless they have one label.
	pairLeaf = 48
)

// PairWork is the workspace of the pair kernels. The zero value is ready for use;
// it grows to the longest query that it meets, after which no kernel
// allocates but what Threads asks for. It is not safe for concurrent use.
type PairWork struct {
	Threads int // from 2 on, another goroutine takes part in a query of 65,536 documents or more

	floats []float64
	sort   ArgsortWork
	ints   []int32
	step   []float64 // one step's part of the derivatives
	below  []int32   // lower for that step
	long   pairSweeps
}

// pairIsLong reports whether the query goes the O(n log n) way: when its documents have
// many pairs and finite scores.
func pairIsLong(z []float64, lower []int32) bool {
	if len(z) <= pairLongRatio {
		return false
	}
	pairs := int64(0)
	for _, p := range lower {
		pairs += int64(p)
	}
	if pairs <= pairLongRatio*int64(len(z)) {
		return false
	}
	for _, v := range z {
		if !(math.Abs(v) <= math.MaxFloat64/8) {
			return false
		}
	}
	return true
}

// A pairSweeps is a long query made ready for its two sweeps.
type pairSweeps struct {
	gains []float64
	// documents by ascending score: leaf and, in the low 32 bits, index in the query
	order  []int64
	score  []float64 // of these
	ends   []int32   // of the leaves, by index in the query
	leafOf []int32   // by index in the query
	nodes  int       // inner nodes of the tree
	ones   []float64
	turns  []pairTurn // one for both sweeps, or one each

	margins [2]float64 // of active pairs
	sets    int        // so many of them
}

// A pairTurn is one of the sweeps: downwards in score, in which the documents that ask are those of
// higher label, or upwards, in which they are those of lower label. The slices hold the documents
// in its order.
type pairTurn struct {
	*pairSweeps
	up   bool
	leaf []int32   // its number in a heap whose nodes have 8 children
	ask  []float64 // q, ascending
	item []float64 // t, descending
	gain []float64 // nil: every pair weighs 1
	tree []float64 // 16 values per node: for each child, Σ x and Σ y of the children before it
	x, y []float64 // what is summed with gain
	sums [6][]float64
}

// sweeps sorts the documents by score and cuts them into leaves.
func (work *PairWork) sweeps(z []float64, lower []int32, gain []float64) *pairSweeps {
	n := len(z)
	s := &work.long
	threads := max(1, min(work.Threads, n/parallelLen, 2))
	*s = pairSweeps{gains: gain, order: work.sort.sort(z, threads), ends: s.ends[:0],
		turns: grow(s.turns, threads)}

	// A leaf ends where the next group of equal labels would overfill it.
	start, group := 0, 0 // of the leaf, of the last group
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

	work.ints = grow(work.ints, (1+threads)*n)
	s.leafOf = work.ints[:n]
	leaf := int32(0)
	for i := range s.leafOf {
		if i == int(s.ends[leaf]) {
			leaf++
		}
		s.leafOf[i] = leaf
	}

	work.floats = grow(work.floats, 2*n+threads*(16*s.nodes+11*n))
	floats := work.floats
	take := func(n int) (v []float64) {
		v, floats = floats[:n:n], floats[n:]
		return v
	}
	s.score, s.ones = take(n), take(n)
	for k := range s.turns {
		t := &s.turns[k]
		*t = pairTurn{pairSweeps: s, leaf: work.ints[(1+k)*n:][:n], tree: take(16 * s.nodes), ask: take(n),
			item: take(n)}
		for k := range t.sums {
			t.sums[k] = take(n)
		}
		if gain != nil {
			t.gain, t.x, t.y = take(n), take(n), take(n)
		}
	}
	// Scores relative to the middle one: what all have in common would cost the sums their
	// last digits.
	mid := z[order.KeyIndex(s.order[n/2])]
	for r, k := range s.order {
		i := order.KeyIndex(k)
		s.score[r] = z[i] - mid
		s.order[r] = int64(s.leafOf[i])<<32 | int64(i)
		s.ones[r] = 1
	}
	return s
}

// swept returns the sweep downwards or upwards, which are asked for in this order, with the sums
// for the margins of the query. Both are made at the same time if there is memory for two.
func (s *pairSweeps) swept(up bool) *pairTurn {
	if len(s.turns) == 1 {
		s.turns[0].sum(up)
		return &s.turns[0]
	}
	if up {
		return &s.turns[1]
	}
	var down sync.WaitGroup
	down.Go(func() { s.turns[0].sum(false) })
	s.turns[1].sum(true)
	down.Wait()
	return &s.turns[0]
}

// sum makes the sums of the sweep upwards or downwards.
func (s *pairTurn) sum(up bool) {
	s.turn(up)
	for set, margin := range s.margins[:s.sets] {
		s.active(set, margin)
	}
}

// turn puts the documents in the order of the sweep upwards or downwards.
func (s *pairTurn) turn(up bool) {
	s.up = up
	first, last := int32(s.nodes), int32(s.nodes+len(s.ends)-1)
	if up {
		for r, k := range s.order {
			t := s.score[r]
			s.ask[r], s.item[r], s.leaf[r] = t, 1-t, last-int32(k>>32)
		}
	} else {
		n := len(s.order)
		for r, k := range s.order {
			t := s.score[r]
			s.ask[n-1-r], s.item[n-1-r], s.leaf[n-1-r] = 1-t, t, first+int32(k>>32)
		}
	}
	if s.gain != nil {
		for r := range s.gain {
			s.gain[r] = s.gains[s.doc(r)]
			s.x[r], s.y[r] = s.gain[r], float64(s.gain[r]*s.item[r])
		}
	}
}

// doc returns the index in the query of document r of the present sweep.
func (s *pairTurn) doc(r int) int {
	if s.up {
		return order.KeyIndex(s.order[r])
	}
	return order.KeyIndex(s.order[len(s.order)-1-r])
}

// active sets two of the sums, those of set 0 or 1, to Σ w and Σ w·(q+t) of every document over its
// pairs with q + t > margin outside of its leaf.
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
	s.sweep(s.x, s.y, margin, u, ut)
	for r, q := range s.ask {
		g := s.gain[r]
		if s.up { // the gain of the document that asks is the smaller one
			w[r], wt[r] = math.FMA(-g, w[r], u[r]), math.FMA(-g, math.FMA(w[r], q, wt[r]), math.FMA(u[r], q, ut[r]))
		} else {
			w[r], wt[r] = math.FMA(g, w[r], -u[r]), math.FMA(g, math.FMA(w[r], q, wt[r]), -math.FMA(u[r], q, ut[r]))
		}
	}
}

// sweep sets sx and sy to the sums of x and y over the active items of earlier leaves.
func (s *pairTurn) sweep(x, y []float64, margin float64, sx, sy []float64) {
	clear(s.tree)
	const step = 1 << 14 // documents a call
	done := 0
	for from := 0; from < len(s.ask); from += step {
		done = pairSweep(s.tree, s.leaf, s.ask, s.item, x, y, margin, done, from, min(from+step, len(s.ask)), sx, sy)
	}
}

// within calls f for every leaf with pairs of its own, with lower relative to the leaf.
func (s *pairSweeps) within(lower []int32, f func(start, end int, lower []int32)) {
	start := 0
	for _, e := range s.ends {
		end := int(e)
		if int(lower[end-1]) > start {
			rel := s.leafOf[start:end] // no longer needed
			for k := range rel {
				rel[k] = lower[start+k] - int32(start)
			}
			f(start, end, rel)
		}
		start = end
	}
}

// pairSquaredHingeLong is the O(n log n) way of PairSquaredHinge, without weight.
func pairSquaredHingeLong(c, z []float64, lower []int32, gain []float64, work *PairWork, acc *[4][8]float64) float64 {
	s := work.sweeps(z, lower, gain)
	var loss [8]float64
	s.sets = 1
	for _, up := range []bool{false, true} {
		s := s.swept(up)
		wt := s.sums[1]
		// Σ t² = Σ t·(q+t'), q by the one sweep and t' by the other
		for r, q := range s.ask {
			loss[r&7] = math.FMA(q, wt[r], loss[r&7])
			if up {
				c[s.doc(r)] += wt[r]
			} else {
				c[s.doc(r)] -= wt[r]
			}
		}
	}
	s.within(lower, func(start, end int, lower []int32) {
		pairSquaredHingeRows(c[start:end], z[start:end], lower, slice(gain, start, end), work, acc)
	})
	return pairReduce(&loss)
}

// pairHuberHingeLong is the O(n log n) way of PairHuberHinge, without weight.
func pairHuberHingeLong(c, z []float64, lower []int32, gain []float64, delta float64, work *PairWork,
	acc *[4][8]float64) float64 {
	inv, half := huberFactors(delta)
	s := work.sweeps(z, lower, gain)
	var above, zone, square [8]float64
	s.margins[1], s.sets = delta, 2
	for _, up := range []bool{false, true} {
		s := s.swept(up)
		w0, t0, w1, t1 := s.sums[0], s.sums[1], s.sums[2], s.sums[3]
		for r, q := range s.ask {
			// t of the pairs with 0 < t ≤ δ, between bounds that rounding may break
			t := max(0, min(t0[r]-t1[r], float64(delta*(w0[r]-w1[r]))))
			u := min(w0[r], math.FMA(t, inv, w1[r]))
			square[r&7] = math.FMA(q, t, square[r&7])
			if up {
				c[s.doc(r)] += u
			} else {
				c[s.doc(r)] -= u
				above[r&7] += math.FMA(-half, w1[r], t1[r])
				zone[r&7] += t
			}
		}
	}
	s.within(lower, func(start, end int, lower []int32) {
		pairHuberHingeRows(c[start:end], z[start:end], lower, slice(gain, start, end), inv, half, work, acc)
	})
	q := max(0, min(pairReduce(&square), float64(delta*pairReduce(&zone))))
	return pairReduce(&above) + float64(float64(q*inv)*0.5)
}

func slice(s []float64, start, end int) []float64 {
	if s == nil {
		return nil
	}
	return s[start:end]
}
