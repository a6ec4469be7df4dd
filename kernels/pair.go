package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/memory"
)

// ExpF64 sets dst[i] to exp(x[i]); dst may be x. The error is below 0.95 ulp, and below 1 ulp in
// the subnormal range. The largest that was found in 13 million tries is 0.87. exp(−Inf) = 0,
// exp(+Inf) = +Inf, exp(NaN) = NaN.
//
// Order of operations: k = x·log₂e rounded to an integer, r = x − k·ln 2 in two fused steps, and
// the result is 2^k times a polynomial of degree 11 in r by Horner's scheme, fused.
//
// It panics when the lengths differ, and when dst and x overlap without being the same slice.
func ExpF64(dst, x []float64) {
	if len(dst) != len(x) {
		panic(kern.Lengths("kernels: ExpF64: len(dst) and len(x) differ", len(dst), len(x)))
	}
	if kern.Shifted(dst, x) {
		panic(kern.Error("kernels: ExpF64: dst overlaps x"))
	}
	for ; len(x) > kern.BlockLen; dst, x = dst[kern.BlockLen:], x[kern.BlockLen:] {
		expF64(dst[:kern.BlockLen], x[:kern.BlockLen])
	}
	expF64(dst, x)
}

// A PairQuery is what the pair kernels read: the documents of one query in ascending order of
// label. A pair is a document and one of lower label.
type PairQuery struct {
	// Scores holds the score z[i] of each document.
	Scores []float64

	// Lower[i] counts the documents whose label is lower than that of document i, so that i is
	// preferred to documents 0 … Lower[i]−1 and to no other. Equal labels share one value, which is
	// the index of the first document of their group: Lower[i] is i or Lower[i−1], and Lower[0] is
	// 0.
	Lower []int32

	// Gain gives the weight of a pair, w(i,j) = Gain[i] − Gain[j]: Gain = label weighs pairs by the
	// difference of the labels, Gain = 2^label − 1 as NDCG does. With nil every pair weighs 1.
	Gain []float64

	// Weight is that of the query. It multiplies the loss and every derivative.
	Weight float64
}

// PairSquaredHinge returns the squared hinge loss of one query,
//
//	Weight · Σ w(i,j) · max(0, 1 − z[i] + z[j])²
//
// over its pairs, and sets c to the derivatives by the scores. It is the L2 loss of RankSVM (Lee
// and Lin 2014, "Large-scale linear RankSVM"). A NaN among the scores makes the loss NaN; so may
// infinite scores.
//
// Order of operations. t = max(0, (1−z[i]) + z[j]) is rounded twice; a pair adds t·t to the loss,
// fused, and its coefficient is t. Rows i are taken in blocks of four, i = 0 … 3, 4 … 7 and so on,
// partners j in ascending order. The coefficients of a row's pairs are summed in 8 virtual lanes, j
// in lane j mod 8, and reduced as ((0+4)+(2+6))+((1+5)+(3+7)); at the end of its block that sum is
// subtracted from the row's derivative. A pair's coefficient is added to the derivative of j, by
// ascending i. The loss is summed in 4·8 lanes, pair (i, j) in lane (i mod 4, j mod 8), reduced as
// (0+1)+(2+3) over i mod 4 and then as above. Weight and constant factors are applied to the sums.
//
// With Gain and up to 16 different labels, each of one gain, that is done for every step from a
// label to the next, lowest first: for all pairs across it, times the difference of the gains,
// fused. With more labels the coefficient and the first factor of the loss of each pair are
// multiplied by its weight, in plain Go on every tier, at some 4 ns per pair.
//
// A query with more than 256 pairs per document and finite scores takes O(n log n) operations
// instead: the documents are sorted by score and the sums over pairs follow from counts and sums of
// scores. These are as exact relative to the largest |score|, and the same on every tier, too.
//
// It panics when the lengths of c, Scores, Lower or Gain differ, when Lower is not as described,
// and when c overlaps Scores, Lower or Gain.
func PairSquaredHinge(c []float64, q PairQuery, work *Work) float64 {
	checkPair("kernels: PairSquaredHinge", c, &q)
	work = work.given()
	z, lower, gain := q.Scores, q.Lower, q.Gain
	var acc [4][8]float64
	far := 0.0
	if pairIsLong(z, lower) {
		far = pairSquaredHingeLong(c, 2*q.Weight, z, lower, gain, work, &acc)
	} else {
		clear(c)
		pairSquaredHingeRows(c, z, lower, gain, work, &acc)
		scale(c, 2*q.Weight)
	}
	return float64(q.Weight * (far + pairReduceLoss(&acc)))
}

func pairSquaredHingeRows(c, z []float64, lower []int32, gain []float64, work *Work, acc *[4][8]float64) {
	rows := func(c []float64, lower []int32, first int, acc *[4][8]float64) {
		work.pairRows(first, len(z), func(from, to int) { pairSquaredHinge(c, z, lower, from, to, acc) })
	}
	switch {
	case gain == nil:
		rows(c, lower, 0, acc)
	case !pairBySteps(c, lower, gain, work, acc, rows):
		pairWeighted(c, z, lower, gain, work, acc, func(zi, zj float64) (x, y, g float64) {
			t := (1 - zi) + zj
			if t <= 0 {
				t = 0
			}
			return t, t, t
		})
	}
}

// PairHuberHinge returns the hinge loss of one query with its corner rounded,
//
//	Weight · Σ w(i,j) · h(1 − z[i] + z[j]),  h(t) = 0 for t ≤ 0, t²/(2δ) for t ≤ δ, t − δ/2 above,
//
// and sets c to the derivatives by the scores. delta = 0 gives the hinge loss itself and a
// subgradient, that of t = 0 being 0.
//
// The order of operations is that of [PairSquaredHinge], long queries included: with t as there and
// u = min(1, t·(1/δ)), where 1/0 stands for the largest float64, a pair adds u·(t − δ/2·u) to the
// loss, product and sum fused both times, and its coefficient is u.
//
// It panics as PairSquaredHinge does, and when delta is negative or not finite.
func PairHuberHinge(c []float64, q PairQuery, delta float64, work *Work) float64 {
	checkPair("kernels: PairHuberHinge", c, &q)
	work = work.given()
	checkDelta("kernels: PairHuberHinge", delta)
	delta += 0 // the inverse of −0 would be −∞
	z, lower, gain := q.Scores, q.Lower, q.Gain
	var acc [4][8]float64
	far := 0.0
	if pairIsLong(z, lower) {
		far = pairHuberHingeLong(c, q.Weight, z, lower, gain, delta, work, &acc)
	} else {
		clear(c)
		inv, half := huberFactors(delta)
		pairHuberHingeRows(c, z, lower, gain, inv, half, work, &acc)
		scale(c, q.Weight)
	}
	return float64(q.Weight * (far + pairReduceLoss(&acc)))
}

// huberFactors returns 1/δ, finite, and δ/2.
func huberFactors(delta float64) (inv, half float64) {
	return min(1/delta, math.MaxFloat64), delta / 2
}

func pairHuberHingeRows(c, z []float64, lower []int32, gain []float64, inv, half float64, work *Work,
	acc *[4][8]float64) {
	rows := func(c []float64, lower []int32, first int, acc *[4][8]float64) {
		work.pairRows(first, len(z), func(from, to int) { pairHuberHinge(c, z, lower, inv, half, from, to, acc) })
	}
	switch {
	case gain == nil:
		rows(c, lower, 0, acc)
	case !pairBySteps(c, lower, gain, work, acc, rows):
		pairWeighted(c, z, lower, gain, work, acc, func(zi, zj float64) (x, y, g float64) {
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
// and sets c to the derivatives by the scores. It is the loss of RankNet (Burges et al.
// 2005). Its cost is proportional to the pairs at every length.
//
// Sums are taken in the order of operations of [PairSquaredHinge]. While sigma times the range of
// the scores is at most 176, exponentials are taken once per document: with mid half-way between
// the extreme scores, m = exp(sigma·(z[j]−mid))·exp(−sigma·(z[i]−mid)), and the loss is the
// logarithm of Π(1+m), taken by lane, so that a pair's loss carries an absolute error of about
// 2^-52. 1/(1+m) is taken for a block of four rows by one division. Beyond that range each pair
// takes its own exponential and logarithm, which err by less than 0.95 and 2 ulp, at some 20 ns per
// pair: the logarithm is in plain Go on every tier.
//
// It panics as PairSquaredHinge does.
func PairLogistic(c []float64, q PairQuery, sigma float64, work *Work) float64 {
	checkPair("kernels: PairLogistic", c, &q)
	work = work.given()
	z, lower, gain := q.Scores, q.Lower, q.Gain
	clear(c)
	e, f, narrow := pairExponentials(z, sigma, work)
	// rows leaves Σ log(1+m) in the lanes of acc.
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
	case narrow && gain == nil:
		rows(c, lower, 0, &acc)
	case !narrow || !pairBySteps(c, lower, gain, work, &acc, rows):
		pairLogisticWide(c, z, lower, gain, sigma, work, &acc)
	}
	scale(c, sigma*q.Weight)
	return float64(q.Weight * pairReduceLoss(&acc))
}

// pairRows calls a kernel for the rows from first to n−1 of a query of n documents, for about a
// million pairs a call: a multiple of four rows.
func (w *Work) pairRows(first, n int, kernel func(from, to int)) {
	for from, step := first, max(4, 1<<20/max(1, n)&^3); from < n; from += step {
		if from > first && w.stopped() {
			return
		}
		kernel(from, min(from+step, n))
	}
}

// pairExponentials returns exp(sigma·(z−mid)) and exp(−sigma·(z−mid)), mid half-way
// between the extreme scores; narrow is false when products of them could overflow.
func pairExponentials(z []float64, sigma float64, work *Work) (e, f []float64, narrow bool) {
	if len(z) == 0 {
		return nil, nil, true
	}
	lo, hi := z[0], z[0]
	for _, v := range z {
		lo, hi = min(lo, v), max(hi, v) // a NaN stays
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

// pairBySteps is a loss of pairs weighed by grades: gain[i] − gain[j] is the sum of the steps
// between the labels of j and i, so that the loss is the sum over the steps, lowest first, of the
// loss of all pairs across it times its height. It reports false, having done nothing, when there
// are more than 16 labels or one label has several gains.
func pairBySteps(c []float64, lower []int32, gain []float64, work *Work, acc *[4][8]float64,
	rows func(c []float64, lower []int32, first int, acc *[4][8]float64)) bool {
	labels := 1
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

// pairWeighted is a loss of weighted pairs in the order of operations of the kernels: pair
// returns two factors of the loss and the coefficient. A nil gain weighs 1.
func pairWeighted(c, z []float64, lower []int32, gain []float64, work *Work, acc *[4][8]float64,
	pair func(zi, zj float64) (x, y, g float64)) {
	var win [4][8]float64
	pairs := 0
	for i, p := range lower {
		if work.stoppedAfter(&pairs, int(p)) {
			return
		}
		k := i & 3
		for j, zj := range z[:p] {
			w := pairWeight(gain, i, j)
			x, y, g := pair(z[i], zj)
			g = float64(w * g)
			acc[k][j&7] = math.FMA(float64(w*x), y, acc[k][j&7])
			win[k][j&7] += g
			c[j] += g
		}
		pairRowsDone(c, &win, i, len(z))
	}
}

// stoppedAfter counts a row's pairs, each of which takes some nanoseconds in plain Go, and reports
// whether to stop after many of them.
func (w *Work) stoppedAfter(pairs *int, more int) bool {
	*pairs += more
	if *pairs < 1<<16 {
		return false
	}
	*pairs = 0
	return w.stopped()
}

// pairLogisticWide is pairWeighted of the logistic loss, whose pairs take an exponential and a
// logarithm each. The exponentials of a row are taken together.
func pairLogisticWide(c, z []float64, lower []int32, gain []float64, sigma float64, work *Work, acc *[4][8]float64) {
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
			if e < 0x1p-54 { // log(1+e) and e/(1+e) are e
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
			w := pairWeight(gain, i, j)
			g = float64(w * g)
			loss[j&7] += float64(w * x)
			sums[j&7] += g
			cj[j] += g
		}
		pairRowsDone(c, &win, i, len(z))
	}
}

func pairWeight(gain []float64, i, j int) float64 {
	if gain == nil {
		return 1
	}
	return gain[i] - gain[j]
}

// pairReduce is the reduction tree of 8 lanes.
func pairReduce(a *[8]float64) float64 {
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
}

// pairReduceLoss is the reduction tree of the loss.
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
		panic(kern.Lengths(name+": len(c) and len(Scores) differ", len(c), len(q.Scores)))
	}
	checkQuery(name, q)
	checkApart(name, "c", c, q)
}

// checkApart panics when what a kernel writes overlaps what it reads.
func checkApart(name, what string, out []float64, q *PairQuery) {
	if kern.Overlaps(out, q.Scores) {
		panic(kern.Error(name + ": " + what + " overlaps Scores"))
	}
	if kern.Overlaps(out, q.Gain) {
		panic(kern.Error(name + ": " + what + " overlaps Gain"))
	}
	if kern.Overlaps(out, q.Lower) {
		panic(kern.Error(name + ": " + what + " overlaps Lower"))
	}
}

func checkQuery(name string, q *PairQuery) {
	if len(q.Lower) != len(q.Scores) {
		panic(kern.Lengths(name+": len(Lower) and len(Scores) differ", len(q.Lower), len(q.Scores)))
	}
	if q.Gain != nil && len(q.Gain) != len(q.Scores) {
		panic(kern.Lengths(name+": len(Gain) and len(Scores) differ", len(q.Gain), len(q.Scores)))
	}
	// Lower says which elements of Scores a kernel reads: it is a length to check.
	last := int32(0)
	for i, p := range q.Lower {
		if p != last && int(p) != i {
			panic(kern.Lengths(name+": Lower[i] is neither Lower[i-1] nor i; i and Lower[i] are", i, int(p)))
		}
		last = p
	}
}

func checkDelta(name string, delta float64) {
	if !(delta >= 0 && delta <= math.MaxFloat64) {
		panic(kern.Value(name+": delta is negative or not finite", delta))
	}
}
