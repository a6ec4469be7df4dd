package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/memory"
)

// ExpF64 sets dst[i] to exp(x[i]). dst and x may be the same slice. The error is less than 0.95
// ulp, or less than 1 ulp in the subnormal range. The largest error found in 13 million tests is
// 0.87 ulp. exp(−Inf) = 0, exp(+Inf) = +Inf, and exp(NaN) = NaN.
//
// Order of operations: k = x·log₂e is rounded to an integer, and r = x − k·ln 2 is computed in two
// fused steps. The result is 2^k times a polynomial of degree 11 in r, which is evaluated by
// Horner's scheme with fused multiply-adds.
//
// It panics if the lengths differ, or if dst and x overlap but are not the same slice.
func ExpF64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(kern.Lengths("kernels: ExpF64: len(dst) and len(x) differ: %d and %d", len(dst), len(x)))
	}
	if kern.Shifted(dst, x) {
		panic(kern.Error("kernels: ExpF64: dst overlaps x"))
	}
	for ; len(x) > kern.BlockLen; dst, x = dst[kern.BlockLen:], x[kern.BlockLen:] {
		expF64(dst[:kern.BlockLen], x[:kern.BlockLen])
	}
	expF64(dst, x)
}

// A PairQuery is the input of the pair kernels: the documents of one query, sorted by ascending
// label. A pair (i, j) is a document i and a document j with a lower label.
type PairQuery struct {
	// Scores contains the score z[i] of each document.
	Scores []float64

	// Lower[i] is the number of documents with a lower label than document i. Document i is
	// preferred to documents 0 … Lower[i]−1. Lower[i] is also the index of the first document with
	// the label of document i. Lower[0] is thus 0, and Lower[i] is i or Lower[i−1].
	Lower []int32

	// Gain defines the pair weight w(i,j) = Gain[i] − Gain[j]. For example, w(i,j) is the label
	// difference if Gain[i] is the label, or the difference in NDCG gain if Gain[i] is 2^label − 1.
	// If Gain is nil, every pair has weight 1.
	Gain []float64

	// Better[i] multiplies the weights w(i,j) of the pairs in which document i has the higher
	// label, for example by an inverse propensity. If Better is nil, the factors are 1.
	Better []float64

	// Weight is the query weight. It multiplies the loss and every derivative.
	Weight float64
}

// pairWeights are the Gain and Better of a PairQuery.
type pairWeights struct{ gain, better []float64 }

func (q *PairQuery) weights() pairWeights { return pairWeights{q.Gain, q.Better} }

// none reports whether all weights are 1.
func (w *pairWeights) none() bool { return w.gain == nil && w.better == nil }

// of returns the weight of the pair (i, j).
func (w *pairWeights) of(i, j int) float64 {
	v := 1.0
	if w.gain != nil {
		v = w.gain[i] - w.gain[j]
	}
	if w.better != nil {
		v = float64(v * w.better[i])
	}
	return v
}

// slice returns the weights of the documents from start to end−1.
func (w *pairWeights) slice(start, end int) (part pairWeights) {
	if w.gain != nil {
		part.gain = w.gain[start:end]
	}
	if w.better != nil {
		part.better = w.better[start:end]
	}
	return part
}

// PairSquaredHinge returns the squared hinge loss of one query,
//
//	Weight · Σ w(i,j) · max(0, 1 − z[i] + z[j])²
//
// over its pairs, and sets c to the derivatives with respect to the scores. It is the L2 loss of
// RankSVM (Lee and Lin 2014, "Large-scale linear RankSVM"). If a score is NaN, the loss is NaN. If
// a score is infinite, the loss may be NaN.
//
// Order of operations: t = max(0, (1−z[i]) + z[j]) is rounded twice. A pair adds t·t to the loss by
// a fused multiply-add, and its coefficient is t. The pairs (i, j) of a document i form a row. Rows
// are processed in blocks of four (0 … 3, 4 … 7 and so on), and documents j in ascending order. The
// coefficients of a row are summed in 8 virtual lanes, with j in lane j mod 8. The lanes are added
// as ((0+4)+(2+6))+((1+5)+(3+7)). At the end of the block, this sum is subtracted from the
// derivative of i. A pair's coefficient is also added to the derivative of j, in ascending order of
// i. The loss is summed in 4·8 lanes, with pair (i, j) in lane (i mod 4, j mod 8). These lanes are
// added as (0+1)+(2+3) over i mod 4, and then as above. Finally, the sums are multiplied by Weight
// and the constant factors.
//
// If Gain or Better is set, there are two cases. In the first case, Better is nil, there are at
// most 16 distinct labels, and documents with the same label have the same gain. The kernel then
// performs these operations once per step from one label to the next, lowest step first. A step
// covers all pairs with i above it and j below it. Fused multiply-adds add its results, multiplied
// by its gain difference, to the totals. In the second case, a pair's weight multiplies its
// coefficient and the first factor of its loss. This case is implemented in plain Go on every tier
// and costs about 4 ns per pair.
//
// A query with more than 256 pairs per document and finite scores takes O(n log n) time. Its
// documents are sorted by score, and the sums over pairs are computed from counts and score sums.
// The error of these sums is relative to the largest |score|. They are also bit-identical on every
// tier.
//
// It panics if the lengths of c, Scores, Lower, Gain or Better differ, if Lower is invalid, or if c
// overlaps one of them.
func PairSquaredHinge(c []float64, q PairQuery, work *Work) float64 {
	checkPair("kernels: PairSquaredHinge", c, &q)
	work = work.given()
	z, lower, weights := q.Scores, q.Lower, q.weights()
	var acc [4][8]float64
	far := 0.0
	if pairIsLong(z, lower) {
		far = pairSquaredHingeLong(c, 2*q.Weight, z, lower, weights, work, &acc)
	} else {
		clear(c)
		pairSquaredHingeRows(c, z, lower, weights, work, &acc)
		scale(c, 2*q.Weight)
	}
	return float64(q.Weight * (far + pairReduceLoss(&acc)))
}

func pairSquaredHingeRows(c, z []float64, lower []int32, weights pairWeights, work *Work, acc *[4][8]float64) {
	rows := func(c []float64, lower []int32, first int, acc *[4][8]float64) {
		work.pairRows(first, len(z), func(from, to int) { pairSquaredHinge(c, z, lower, from, to, acc) })
	}
	switch {
	case weights.none():
		rows(c, lower, 0, acc)
	case !pairBySteps(c, lower, weights, work, acc, rows):
		pairWeighted(c, z, lower, weights, work, acc, func(zi, zj float64) (x, y, g float64) {
			t := (1 - zi) + zj
			if t <= 0 {
				t = 0
			}
			return t, t, t
		})
	}
}

// PairHuberHinge returns the Huberized hinge loss of one query,
//
//	Weight · Σ w(i,j) · h(1 − z[i] + z[j]),  h(t) = 0 for t ≤ 0, t²/(2δ) for t ≤ δ, t − δ/2 above,
//
// and sets c to the derivatives with respect to the scores. If delta is 0, it is the hinge loss,
// and c is a subgradient that is 0 at t = 0.
//
// The order of operations is the same as in [PairSquaredHinge], also for long queries, but the loss
// and the coefficient differ. With u = min(1, t·(1/δ)), a pair adds u·(t − δ/2·u) to the loss by
// two fused multiply-adds, and its coefficient is u. If δ is 0, 1/δ is replaced by the largest
// float64.
//
// It panics under the same conditions as PairSquaredHinge, or if delta is negative or not finite.
func PairHuberHinge(c []float64, q PairQuery, delta float64, work *Work) float64 {
	checkPair("kernels: PairHuberHinge", c, &q)
	work = work.given()
	checkDelta("kernels: PairHuberHinge", delta)
	delta += 0 // converts −0 to +0, because the inverse of −0 would be −∞
	z, lower, weights := q.Scores, q.Lower, q.weights()
	var acc [4][8]float64
	far := 0.0
	if pairIsLong(z, lower) {
		far = pairHuberHingeLong(c, q.Weight, z, lower, weights, delta, work, &acc)
	} else {
		clear(c)
		inv, half := huberFactors(delta)
		pairHuberHingeRows(c, z, lower, weights, inv, half, work, &acc)
		scale(c, q.Weight)
	}
	return float64(q.Weight * (far + pairReduceLoss(&acc)))
}

// huberFactors returns 1/δ, limited to finite values, and δ/2.
func huberFactors(delta float64) (inv, half float64) {
	return min(1/delta, math.MaxFloat64), delta / 2
}

func pairHuberHingeRows(c, z []float64, lower []int32, weights pairWeights, inv, half float64, work *Work,
	acc *[4][8]float64) {
	rows := func(c []float64, lower []int32, first int, acc *[4][8]float64) {
		work.pairRows(first, len(z), func(from, to int) { pairHuberHinge(c, z, lower, inv, half, from, to, acc) })
	}
	switch {
	case weights.none():
		rows(c, lower, 0, acc)
	case !pairBySteps(c, lower, weights, work, acc, rows):
		pairWeighted(c, z, lower, weights, work, acc, func(zi, zj float64) (x, y, g float64) {
			t := (1 - zi) + zj
			if t <= 0 {
				t = 0
			}
			u := min(1, float64(t*inv))
			return u, math.FMA(-half, u, t), u
		})
	}
}

// PairLogistic returns the logistic loss of one query,
//
//	Weight · Σ w(i,j) · log(1 + exp(−sigma·(z[i] − z[j]))),
//
// and sets c to the derivatives with respect to the scores. It is the loss of RankNet (Burges et
// al. 2005). The time is proportional to the number of pairs, even for long queries.
//
// Sums follow the order of operations of [PairSquaredHinge]. Pairs are computed in one of two ways:
//
//   - If sigma times the score range is at most 176 and Better is nil, exponentials are computed
//     once per document. The exponential of a pair is m =
//     exp(sigma·(z[j]−mid))·exp(−sigma·(z[i]−mid)), where mid is the middle of the score range. The
//     loss is the logarithm of Π(1+m), computed once per lane. A pair's loss therefore has an
//     absolute error of about 2^-52. The values 1/(1+m) of a block of four rows are computed by one
//     division.
//   - Otherwise, the exponential and the logarithm are computed per pair, with errors below 0.95
//     ulp and 2 ulp. This costs about 20 ns per pair, because the logarithm is plain Go on every
//     tier.
//
// It panics under the same conditions as PairSquaredHinge.
func PairLogistic(c []float64, q PairQuery, sigma float64, work *Work) float64 {
	checkPair("kernels: PairLogistic", c, &q)
	work = work.given()
	z, lower, weights := q.Scores, q.Lower, q.weights()
	clear(c)
	e, f, narrow := pairExponentials(z, sigma, work)
	// rows processes the rows from first on, and sets the lanes of acc to Σ log(1+m).
	rows := func(c []float64, lower []int32, first int, acc *[4][8]float64) {
		*acc = [4][8]float64{{1, 1, 1, 1, 1, 1, 1, 1}}
		work.pairRows(first, len(z), func(from, to int) { pairLogistic(c, e, f, lower, from, to, acc) })
		for l, k := range acc[1] {
			acc[0][l] = math.FMA(float64(math.Float64bits(k)), ln2Hi, log1pGeneric(acc[0][l]-1))
		}
		acc[1] = [8]float64{}
	}
	var acc [4][8]float64
	switch {
	case narrow && weights.none():
		rows(c, lower, 0, &acc)
	case !narrow || !pairBySteps(c, lower, weights, work, &acc, rows):
		pairLogisticWide(c, z, lower, weights, sigma, work, &acc)
	}
	scale(c, sigma*q.Weight)
	return float64(q.Weight * pairReduceLoss(&acc))
}

// pairRows calls a kernel for the rows from first to n−1 of a query with n documents. Each call
// processes a multiple of four rows with about a million pairs, so that the kernel can be stopped
// between calls.
func (w *Work) pairRows(first, n int, kernel func(from, to int)) {
	for from, step := first, max(4, 1<<20/max(1, n)&^3); from < n; from += step {
		if from > first && w.stopped() {
			return
		}
		kernel(from, min(from+step, n))
	}
}

// pairExponentials returns exp(sigma·(z−mid)) and exp(−sigma·(z−mid)), where mid is the middle of
// the score range. narrow is false if the range is so wide that products of the exponentials could
// overflow.
func pairExponentials(z []float64, sigma float64, work *Work) (e, f []float64, narrow bool) {
	if len(z) == 0 {
		return nil, nil, true
	}
	lo, hi := z[0], z[0]
	for _, v := range z {
		lo, hi = min(lo, v), max(hi, v) // NaN if a score is NaN
	}
	if !(math.Abs(sigma)*(hi-lo) <= pairLogisticRange) {
		return nil, nil, false
	}
	mid := lo + float64((hi-lo)*0.5)
	work.floats = memory.Grow(work.floats, 2*len(z))
	buf := work.floats
	e, f = buf[:len(z)], buf[len(z):]
	for i, v := range z {
		x := float64(sigma * (v - mid))
		e[i], f[i] = x, -x
	}
	ExpF64(buf, buf)
	return e, f, true
}

// pairBySteps computes a loss of weighted pairs. The weight gain[i] − gain[j] is the sum of the
// gain steps between the labels of j and i. Therefore, the loss is a sum over the steps, starting
// with the lowest one. Each step adds the loss of all pairs across the step, multiplied by the
// height of the step. If there are more than 16 labels, if a label has several gains, or if there
// are factors per document, pairBySteps does nothing and returns false.
func pairBySteps(c []float64, lower []int32, weights pairWeights, work *Work, acc *[4][8]float64,
	rows func(c []float64, lower []int32, first int, acc *[4][8]float64)) bool {
	if weights.better != nil {
		return false
	}
	gain, labels := weights.gain, 1
	for i := 1; i < len(lower); i++ {
		switch {
		case int(lower[i]) == i:
			labels++
		case gain[i] != gain[i-1]:
			return false
		}
	}
	if labels > 16 {
		return false
	}
	work.step, work.below = memory.Grow(work.step, len(c)), memory.Grow(work.below, len(c))
	part, below := work.step, work.below
	for s := 1; s < len(lower); s++ {
		if int(lower[s]) != s {
			continue
		}
		for i := range below {
			below[i] = 0
			if i >= s {
				below[i] = int32(s)
			}
		}
		height := gain[s] - gain[s-1]
		loss := &work.lanes
		*loss = [4][8]float64{}
		clear(part)
		rows(part, below, s&^3, loss)
		AxpyF64(height, part, c)
		for k := range loss {
			for l, v := range loss[k] {
				acc[k][l] = math.FMA(height, v, acc[k][l])
			}
		}
	}
	return true
}

// pairWeighted computes a loss of weighted pairs in the order of operations of the kernels. The
// function pair returns two factors, whose product is the loss of the pair, and the coefficient.
func pairWeighted(c, z []float64, lower []int32, weights pairWeights, work *Work, acc *[4][8]float64,
	pair func(zi, zj float64) (x, y, g float64)) {
	var win [4][8]float64
	pairs := 0
	for i, p := range lower {
		if work.stoppedAfter(&pairs, int(p)) {
			return
		}
		k := i & 3
		for j, zj := range z[:p] {
			w := weights.of(i, j)
			x, y, g := pair(z[i], zj)
			g = float64(w * g)
			acc[k][j&7] = math.FMA(float64(w*x), y, acc[k][j&7])
			win[k][j&7] += g
			c[j] += g
		}
		pairRowsDone(c, &win, i, len(z))
	}
}

// stoppedAfter counts the pairs of rows. Each pair takes some nanoseconds in plain Go. After every
// 65536 pairs or more, it reports whether the kernel must stop.
func (w *Work) stoppedAfter(pairs *int, more int) bool {
	*pairs += more
	if *pairs < 1<<16 {
		return false
	}
	*pairs = 0
	return w.stopped()
}

// pairLogisticWide is like pairWeighted, but for the logistic loss, which requires an exponential
// and a logarithm per pair. It computes the exponentials of a row together.
func pairLogisticWide(c, z []float64, lower []int32, weights pairWeights, sigma float64, work *Work,
	acc *[4][8]float64) {
	work.floats = memory.Grow(work.floats, 2*len(z))
	var win [4][8]float64
	pairs := 0
	for i, p := range lower {
		if work.stoppedAfter(&pairs, int(p)) {
			return
		}
		zi := z[i]
		s, exps := work.floats[:p], work.floats[len(z):][:p]
		for j, zj := range z[:p] {
			s[j] = float64(sigma * (zj - zi))
			exps[j] = -math.Abs(s[j])
		}
		ExpF64(exps, exps)
		loss, sums, cj := &acc[i&3], &win[i&3], c[:p]
		for j, e := range exps {
			x, g := 0.0, 1.0
			if !(s[j] <= 0) {
				x = s[j]
			}
			if e < 0x1p-54 { // log(1+e) and e/(1+e) both round to e
				x += e
				if s[j] < 0 {
					g = e
				}
			} else {
				x += log1pGeneric(e)
				g = 1 / (1 + e)
				if !(s[j] >= 0) {
					g = float64(g * e)
				}
			}
			w := weights.of(i, j)
			g = float64(w * g)
			loss[j&7] += float64(w * x)
			sums[j&7] += g
			cj[j] += g
		}
		pairRowsDone(c, &win, i, len(z))
	}
}

// pairReduce returns the sum of 8 lanes, in the order of the kernels.
func pairReduce(a *[8]float64) float64 {
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
}

// pairReduceLoss returns the sum of the loss accumulators.
func pairReduceLoss(a *[4][8]float64) float64 {
	var s [8]float64
	for l := range s {
		s[l] = (a[0][l] + a[1][l]) + (a[2][l] + a[3][l])
	}
	return pairReduce(&s)
}

func scale(c []float64, a float64) {
	for i := range c {
		c[i] *= a
	}
}

func checkPair(name string, c []float64, q *PairQuery) {
	switch {
	case len(c) != len(q.Scores):
		panic(kern.Lengths(name+": len(c) and len(Scores) differ: %d and %d", len(c), len(q.Scores)))
	}
	checkQuery(name, q)
	checkApart(name, "c", c, q)
}

// checkApart panics if the output overlaps an input of the query.
func checkApart(name, what string, out []float64, q *PairQuery) {
	if kern.Overlaps(out, q.Scores) {
		panic(kern.Error(name + ": " + what + " overlaps Scores"))
	}
	if kern.Overlaps(out, q.Gain) {
		panic(kern.Error(name + ": " + what + " overlaps Gain"))
	}
	if kern.Overlaps(out, q.Better) {
		panic(kern.Error(name + ": " + what + " overlaps Better"))
	}
	if kern.Overlaps(out, q.Lower) {
		panic(kern.Error(name + ": " + what + " overlaps Lower"))
	}
}

func checkQuery(name string, q *PairQuery) {
	if len(q.Lower) != len(q.Scores) {
		panic(kern.Lengths(name+": len(Lower) and len(Scores) differ: %d and %d", len(q.Lower), len(q.Scores)))
	}
	if q.Gain != nil && len(q.Gain) != len(q.Scores) {
		panic(kern.Lengths(name+": len(Gain) and len(Scores) differ: %d and %d", len(q.Gain), len(q.Scores)))
	}
	if q.Better != nil && len(q.Better) != len(q.Scores) {
		panic(kern.Lengths(name+": len(Better) and len(Scores) differ: %d and %d", len(q.Better), len(q.Scores)))
	}
	// Check Lower on every call, because it determines the elements of Scores that a kernel reads.
	last := int32(0)
	for i, p := range q.Lower {
		if p != last && int(p) != i {
			panic(kern.Lengths(name+": Lower[%d] is %d; each element must be its index or the previous element", i, int(p)))
		}
		last = p
	}
}

func checkDelta(name string, delta float64) {
	if !(delta >= 0 && delta <= math.MaxFloat64) {
		panic(kern.Value(name+": delta is %v; it must be finite and not negative", delta))
	}
}
