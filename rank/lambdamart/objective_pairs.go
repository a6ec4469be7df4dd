package lambdamart

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// pairs implements the pairwise objectives: LambdaRank's NDCG and MAP, and RankNet. A pair consists
// of two documents with different labels at ranks i < j. A pair counts if i is at most truncation.
// The loss of a pair is
//
//	weight · ln(1+exp(−σ·(s_better−s_worse)))
//
// The weight, which is treated as constant, is the metric change |ΔM| if the documents are swapped,
// or 1 for RankNet. Normalization divides the weight by 0.01+|sᵢ−sⱼ|, unless all scores are equal.
// Normalization then multiplies the derivatives of the query by log₂(1+Σ)/Σ, where Σ is twice the
// sum of the absolute first derivatives of the query's pairs. LightGBM's lambdarank uses the same
// definitions.
//
// If mean is positive, each document is paired with this number of random documents that have
// another gain. Normalization then divides the derivatives of the query by this number instead, as
// in XGBoost since version 3.0 (src/objective/lambdarank_obj.h).
type pairs struct {
	labeled
	truncation int
	mean       int
	sigmoid    float64
	norm       bool

	limit    float32   // upper limit of a gain difference
	scale    []float64 // factor of the pair weights in each query; 0 if the query has no pairs or the weight 0
	discount []float32 // U and V of trees.LambdaDocs if they are the same for all queries
	minus    []float32
	ap       bool // whether U and V are for average precision, and therefore depend on the query

	positions *positions // nil unless PositionBias is pairwiseBias

	work []pairWork
}

// A pairWork is the workspace of a worker.
type pairWork struct {
	keys, tmp  []int64
	docs       trees.LambdaDocs
	u, v       []float32
	grad, hess []float32
	x, e       []float64

	byGain, partner []int // for pairs with random documents: ranks by descending gain, and the partner of each rank
}

// newPairs returns a pairwise objective.
func newPairs(b Builtin, t *Trainer, d *rank.Dataset) (*pairs, error) {
	l, err := newLabeled(b, t, d)
	if err != nil {
		return nil, err
	}
	o := &pairs{labeled: *l, truncation: t.truncation(), norm: !t.NoNorm,
		work: make([]pairWork, parallel.Threads(t.Threads))}
	if o.mean = t.MeanPairs; o.mean > 0 {
		o.truncation = math.MaxInt
	}
	if o.sigmoid, err = t.sigmoid(); err != nil {
		return nil, err
	}
	o.prepare(b)
	return o, nil
}

// truncation returns the number of top ranks that form pairs with all other ranks.
func (t *Trainer) truncation() int {
	if t.Truncation == 0 {
		return math.MaxInt
	}
	return t.Truncation
}

// prepare computes all values that depend only on the labels and the query weights.
func (o *pairs) prepare(b Builtin) {
	longest := 0
	o.scale = make([]float64, o.d.Queries())
	for q := range o.scale {
		lo, hi := o.d.Query(q)
		longest = max(longest, hi-lo)
	}
	switch b {
	case NDCG:
		// The weight |ΔNDCG| is |Gᵢ−Gⱼ|·|Dᵢ−Dⱼ|/maxDCG, where G are the gains and D the discounts
		// 1/log₂(1+rank). maxDCG is the DCG of the ideal ranking, cut at the truncation.
		logs := num.Log2Integers(longest + 1)
		o.limit = float32(math.Inf(1))
		o.discount, o.minus = make([]float32, padded(longest)), make([]float32, padded(longest))
		for i := range longest {
			o.discount[i] = float32(1 / logs[i+2])
			o.minus[i] = -o.discount[i]
		}
		var best []float32
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			best = append(best[:0], o.gain[lo:hi]...)
			slices.Sort(best)
			slices.Reverse(best)
			ideal := 0.0
			for i, g := range best[:min(o.truncation, len(best))] {
				ideal += float64(float64(g) / logs[i+2])
			}
			if ideal > 0 {
				o.scale[q] = 1 / ideal
			}
		}
	case MAP:
		o.ap, o.limit = true, 1
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			relevant := 0
			for _, g := range o.gain[lo:hi] {
				relevant += int(g)
			}
			if relevant > 0 {
				o.scale[q] = 1 / float64(relevant)
			}
		}
	case Pairwise:
		// All pairs have weight 1. Therefore, the gain of a document is the index of its label
		// among the query's distinct labels.
		o.limit = 1
		o.discount, o.minus = make([]float32, padded(longest)), make([]float32, padded(longest))
		for i := range o.discount {
			o.discount[i] = 1
		}
		var labels []float64
		for q := range o.scale {
			lo, hi := o.d.Query(q)
			labels = append(labels[:0], o.d.Labels[lo:hi]...)
			slices.Sort(labels)
			labels = slices.Compact(labels)
			for i, y := range o.d.Labels[lo:hi] {
				level, _ := slices.BinarySearch(labels, y)
				o.gain[lo+i] = float32(level)
			}
			o.scale[q] = 1
		}
	}
	for q := range o.scale {
		lo, hi := o.d.Query(q)
		if queryWeight(o.d, q) == 0 || lo == hi || slices.Min(o.gain[lo:hi]) == slices.Max(o.gain[lo:hi]) {
			o.scale[q] = 0
		}
	}
}

// padded returns n rounded up to the multiple that trees.LambdaDocs requires.
func padded(n int) int { return (n + 15) &^ 15 }

// resize gives w the memory for n documents.
func (w *pairWork) resize(n int) {
	if cap(w.keys) < n {
		w.keys, w.tmp = make([]int64, n), make([]int64, n)
		w.x, w.e = make([]float64, n), make([]float64, n)
		p := padded(n)
		for _, s := range w.columns() {
			*s = make([]float32, p)
		}
	}
	w.keys, w.tmp, w.x, w.e = w.keys[:n], w.tmp[:n], w.x[:n], w.e[:n]
	w.docs.N = n
	p := padded(n)
	for _, s := range w.columns() {
		*s = (*s)[:p]
	}
}

// columns returns pointers to the slices with one element per document.
func (w *pairWork) columns() [12]*[]float32 {
	d := &w.docs
	return [...]*[]float32{&d.Score, &d.Gain, &d.E, &d.F, &d.Plus, &d.Minus, &d.PlusLoss, &d.MinusLoss, &w.u, &w.v,
		&w.grad, &w.hess}
}

// expRange is the maximum range of σ·score at which exp(−σ(sᵢ−sⱼ)) is computed as a product of two
// factors. In a wider range, a factor may overflow float32.
const expRange = 160

// endedPairs is the number of pairs after which a long query checks for cancellation.
const endedPairs = 1 << 22

func (o *pairs) Derivatives(query Query, grad, hess []float32) {
	q, scores := query.Index, query.Scores
	n := len(scores)
	if o.scale[q] == 0 {
		clear(grad)
		clear(hess)
		return
	}
	lo, hi := o.d.Query(q)
	gain := o.gain[lo:hi]
	w := &o.work[query.Worker]
	w.resize(n)
	docs := &w.docs

	// Rank the documents; ties keep the row order. The following code uses float32 scores relative
	// to the highest score.
	plain, level := w.grad[:n], levelOf(scores)
	for i, s := range scores {
		plain[i] = float32(s - level)
	}
	order.RankKeysF32(w.keys, plain)
	order.SortKeys(w.keys, w.tmp)
	score, sorted := docs.Score[:n], docs.Gain[:n]
	for r, key := range w.keys[:n] {
		i := order.KeyIndex(key)
		score[r], sorted[r] = plain[i], gain[i]
	}
	clear(w.grad)
	clear(w.hess)

	if o.ap {
		o.precision(w)
		docs.U, docs.V = w.u, w.v
	} else {
		docs.U, docs.V = o.discount[:len(w.grad)], o.minus[:len(w.grad)]
	}
	if !(float64(score[0])-float64(score[n-1]) <= math.MaxFloat32) {
		for r, s := range score { // limit the scores, because infinite or NaN differences would make the weights NaN
			score[r] = min(max(s, -math.MaxFloat32/2), math.MaxFloat32/2)
		}
	}
	top, bottom := float64(score[0]), float64(score[n-1])
	docs.Limit, docs.Base, docs.Slope = o.limit, 1, 0
	if o.norm && top != bottom {
		docs.Base, docs.Slope = 0.01, 1
	}

	var lanes [16]float32
	truncation := min(o.truncation, n)
	if o.positions != nil {
		o.positions.load(lo, w)
		docs.Sigma = float32(min(o.sigmoid, math.MaxFloat32))
	}
	if o.mean > 0 {
		o.sample(&query, w)
	} else if o.sigmoid*(top-bottom) <= expRange {
		middle := float64((top + bottom) / 2)
		x, f := w.x[:n], docs.F[:n]
		for r, s := range score {
			x[r] = float64(o.sigmoid * (float64(s) - middle))
		}
		kernels.ExpF64(w.e, w.x)
		for r, e := range w.e[:n] {
			f[r] = float32(e)
		}
		for r, e := range w.e[:truncation] {
			docs.E[r] = float32(1 / e)
		}
		for from, step := 0, max(1, endedPairs/n); from < truncation && !query.ended(); from += step {
			o.pair(w, from, min(from+step, truncation), &lanes)
		}
	} else {
		// A factor would overflow. Compute exp(σ(sⱼ−sᵢ)) directly, for one document i at a time.
		for i := range truncation {
			if query.ended() {
				break
			}
			for r, s := range docs.Score[i:n] {
				w.x[i+r] = float64(o.sigmoid * (float64(s) - float64(docs.Score[i])))
			}
			kernels.ExpF64(w.e[i:], w.x[i:])
			for r, e := range w.e[i:] {
				docs.F[i+r] = float32(e)
			}
			docs.E[i] = 1
			o.pair(w, i, i+1, &lanes)
		}
	}
	if o.positions != nil {
		o.positions.store(lo, w, float64(o.scale[q]*queryWeight(o.d, q)))
	}

	factor := float64(o.sigmoid * o.scale[q])
	if sum := float64(2 * factor * float64(trees.SumLanesF32(&lanes))); o.norm && sum > 0 {
		factor *= num.Log2(1+sum) / sum
	} else if o.norm && o.mean > 0 {
		factor /= float64(o.mean)
	}
	factor *= queryWeight(o.d, q)
	second := factor * o.sigmoid
	first, curved := w.grad[:n], w.hess[:n]
	if o.d.Weights == nil {
		hess = hess[:len(grad)]
		for r, key := range w.keys[:n] {
			i := order.KeyIndex(key)
			grad[i], hess[i] = float32(float64(first[r])*factor), float32(float64(curved[r])*second)
		}
		return
	}
	for r, key := range w.keys[:n] {
		i := order.KeyIndex(key)
		weight := o.d.Weights[lo+i]
		grad[i] = float32(float64(first[r]) * factor * weight)
		hess[i] = float32(float64(curved[r]) * second * weight)
	}
}

// pair adds the derivatives of the pairs that the ranks in the range [from, to) form with lower
// ranks.
func (o *pairs) pair(w *pairWork, from, to int, lanes *[16]float32) {
	if o.positions == nil {
		trees.LambdaF32(w.grad, w.hess, &w.docs, from, to, lanes)
		return
	}
	trees.LambdaUnbiasedF32(w.grad, w.hess, &w.docs, from, to, lanes)
}

// sample adds the derivatives of random pairs to w. It computes the same weights as
// trees.LambdaF32, but in float64. Each round samples a partner for every document, in descending
// order of gain.
func (o *pairs) sample(q *Query, w *pairWork) {
	docs, n := &w.docs, w.docs.N
	w.byGain, w.partner = slices.Grow(w.byGain[:0], n)[:n], slices.Grow(w.partner[:0], n)[:n]
	for r := range w.byGain {
		w.byGain[r] = r
	}
	slices.SortStableFunc(w.byGain, func(a, b int) int { return cmp.Compare(docs.Gain[b], docs.Gain[a]) })
	random := rand.NewPCG(q.Seed[0], q.Seed[1])
	for range o.mean {
		if q.ended() {
			return
		}
		for lo, hi := 0, 0; lo < n; lo = hi {
			for hi = lo + 1; hi < n && docs.Gain[w.byGain[hi]] == docs.Gain[w.byGain[lo]]; hi++ {
			}
			for _, r := range w.byGain[lo:hi] {
				other, _ := bits.Mul64(random.Uint64(), uint64(n-(hi-lo)))
				if other >= uint64(lo) {
					other += uint64(hi - lo)
				}
				w.partner[r] = w.byGain[other]
			}
		}
		for r, p := range w.partner {
			difference := float64(docs.Score[r]) - float64(docs.Score[p])
			if docs.Gain[r] < docs.Gain[p] {
				difference = -difference
			}
			w.x[r] = float64(o.sigmoid * difference)
		}
		kernels.ExpF64(w.e, w.x)
		for r, p := range w.partner {
			i, j := min(r, p), max(r, p)
			weight := min(math.Abs(float64(docs.Gain[r])-float64(docs.Gain[p])), float64(docs.Limit))
			weight *= math.Abs(float64(docs.U[i]) + float64(docs.V[j]))
			weight /= float64(docs.Base) + float64(float64(docs.Slope)*(float64(docs.Score[i])-float64(docs.Score[j])))
			chance := 1 / (1 + w.e[r]) // probability that the worse document ranks higher
			lambda := float64(weight * chance)
			h := float32(lambda * (1 - chance))
			if docs.Gain[r] < docs.Gain[p] {
				r, p = p, r
			}
			w.grad[r] -= float32(lambda)
			w.grad[p] += float32(lambda)
			w.hess[r] += h
			w.hess[p] += h
		}
	}
}

// precision sets u and v so that |uᵢ+vⱼ| is the change of average precision if the documents at
// ranks i < j are swapped, times the number of relevant documents. The result is valid if exactly
// one of the two documents is relevant (ΔZ for MAP in Burges 2010). Ranks are counted from 1. c is
// the number of relevant documents down to a rank, and A is the sum of 1/rank over these documents:
//
//	uᵢ = (cᵢ + 1 − relᵢ)/i − Aᵢ      the loss of the better place, including the documents between
//	vⱼ = Aⱼ₋₁ − cⱼ/j
func (o *pairs) precision(w *pairWork) {
	found, harmonic := 0.0, 0.0
	for r, rel := range w.docs.Gain[:w.docs.N] {
		place := float64(r + 1)
		before := harmonic
		found += float64(rel)
		harmonic += float64(float64(rel) / place)
		w.u[r] = float32((found+1-float64(rel))/place - harmonic)
		w.v[r] = float32(before - found/place)
	}
}
