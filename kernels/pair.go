package kernels

import "fmt"

// The pair kernels compute a pairwise ranking loss on one query, its gradient and
// the products of its Hessian with vectors, all in the space of the scores.
//
// # Layout
//
// The documents of a query stand in ascending order of label. lower[i] counts the
// documents whose label is lower than that of document i, so that i is preferred
// to documents 0 … lower[i]−1 and to no other: equal labels share one value, and it
// is the index of the first document of their group. z[i] is the score of
// document i. With gain nil every pair weighs 1; otherwise pair (i, j) weighs
// gain[i] − gain[j], so gain = label weighs pairs by the difference of the labels
// and gain = 2^label − 1 as NDCG does. weight, the weight of the query, multiplies
// the loss and every derivative.
//
// # Order of operations
//
// Pairs are visited with i ascending and, within i, j ascending over 0 … lower[i)−1.
// What a document loses as the preferred one is summed in 8 virtual lanes, j in
// lane j mod 8; lanes are reduced as ((0+4)+(2+6))+((1+5)+(3+7)). Its derivative
// starts at minus that sum, and as the partner of later documents it grows one
// pair at a time. The loss is summed in 4·8 lanes, lane (i mod 4, j mod 8), reduced
// as (0+1)+(2+3) over i mod 4, then over the lanes as above. weight is
// applied to the sums. [PairLogistic] multiplies instead of summing logarithms,
// as it says. A pair loss that is a polynomial of the scores is summed in
// O(n log n) where a query has many pairs, see [PairWork].
//
// A NaN among the scores makes the loss NaN; so may infinite scores.

// PairWork is the workspace of the pair kernels. The zero value is ready for use;
// it grows to the longest query that it meets, after which no kernel
// allocates. It is not safe for concurrent use.
type PairWork struct {
	buf []float64
}

// floats returns n float64s of unspecified content.
func (w *PairWork) floats(n int) []float64 {
	if cap(w.buf) < n {
		w.buf = make([]float64, n)
	}
	return w.buf[:n]
}

// PairSquaredHinge returns the squared hinge loss of one query,
//
//	weight · Σ w(i,j) · max(0, 1 − z[i] + z[j])²
//
// over the pairs that lower and gain describe, and writes its derivatives by z to
// c. t = max(0, (1−z[i]) + z[j]) is rounded twice; the loss adds t·w·t fused.
//
// It is the L2 loss of RankSVM (Lee and Lin 2014, "Large-scale linear RankSVM").
func PairSquaredHinge(c, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) float64 {
	checkPair("PairSquaredHinge", len(c), len(z), lower, gain)
	return pairSquaredHingeGeneric(c, z, lower, gain, weight)
}

// PairHuberHinge returns the hinge loss of one query with its corner rounded,
//
//	weight · Σ w(i,j) · h(1 − z[i] + z[j]),  h(t) = 0 for t ≤ 0, t²/(2δ) for t ≤ δ, t − δ/2 above,
//
// and writes its derivatives by z to c. delta = 0 gives the hinge loss itself and a
// subgradient, that of t = 0 being 0. With t as in [PairSquaredHinge] and
// u = min(1, t·(1/δ)), where 1/0 stands for the largest float64, a pair adds
// w·u·(t − δ/2·u), the difference and the sum fused.
func PairHuberHinge(c, z []float64, lower []int32, gain []float64, delta, weight float64, work *PairWork) float64 {
	checkPair("PairHuberHinge", len(c), len(z), lower, gain)
	return pairHuberHingeGeneric(c, z, lower, gain, delta, weight)
}

// PairLogistic returns the logistic loss of one query,
//
//	weight · Σ w(i,j) · log(1 + exp(−sigma·(z[i] − z[j])))
//
// and writes its derivatives by z to c. It is the loss of RankNet (Burges et al.
// 2005). There is no path below O(pairs) for it.
//
// While gain is nil and sigma times the range of the scores is at most 176, exponentials
// are taken once a document: with mid half-way between the extremes, m =
// exp(sigma·(z[j]−mid))·exp(−sigma·(z[i]−mid)) and the loss is the logarithm of Π(1+m), so that a
// pair's loss carries an absolute error of about 2^-52. Otherwise each pair takes its own
// exponential and logarithm, in plain Go on every tier.
func PairLogistic(c, z []float64, lower []int32, gain []float64, sigma, weight float64, work *PairWork) float64 {
	checkPair("PairLogistic", len(c), len(z), lower, gain)
	return pairLogisticGeneric(c, z, lower, gain, sigma, weight)
}

// PairSquaredHingeHess writes H·v to dst, where H is the (generalised) Hessian of
// [PairSquaredHinge] at z: with a(i,j) = 1 where 1 − z[i] + z[j] > 0, else 0,
//
//	dst[i] = 2·weight · Σ w(i,j)·a(i,j)·(v[i] − v[j])   over i's pairs in either role.
//
// dst and v hold one or more columns of len(z) values, one after the other.
func PairSquaredHingeHess(dst, v, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) {
	checkPairHess("PairSquaredHingeHess", len(dst), len(v), len(z), lower, gain)
	n := len(z)
	for k := 0; k < len(v); k += n {
		pairSquaredHingeHessGeneric(dst[k:k+n], v[k:k+n], z, lower, gain, weight)
	}
}

// PairHuberHingeHess writes H·v to dst, where H is the (generalised) Hessian of
// [PairHuberHinge] at z: as [PairSquaredHingeHess] with 1/δ for the factor 2, over the pairs with
// 0 < t < δ. delta = 0 gives zeros.
func PairHuberHingeHess(dst, v, z []float64, lower []int32, gain []float64, delta, weight float64, work *PairWork) {
	checkPairHess("PairHuberHingeHess", len(dst), len(v), len(z), lower, gain)
	n := len(z)
	for k := 0; k < len(v); k += n {
		pairHuberHingeHessGeneric(dst[k:k+n], v[k:k+n], z, lower, gain, delta, weight)
	}
}

// PairLogisticHess writes H·v to dst, where H is the Hessian of [PairLogistic] at
// z: as [PairSquaredHingeHess] with sigma²·p·(1−p) for 2·a(i,j), where
// p = 1/(1 + exp(sigma·(z[i] − z[j]))).
func PairLogisticHess(dst, v, z []float64, lower []int32, gain []float64, sigma, weight float64, work *PairWork) {
	checkPairHess("PairLogisticHess", len(dst), len(v), len(z), lower, gain)
	n := len(z)
	for k := 0; k < len(v); k += n {
		pairLogisticHessGeneric(dst[k:k+n], v[k:k+n], z, lower, gain, sigma, weight)
	}
}

func checkPair(name string, c, z int, lower []int32, gain []float64) {
	if c != z || len(lower) != z || gain != nil && len(gain) != z {
		panic(fmt.Sprintf("kernels.%s: len(c) %d, len(z) %d, len(lower) %d, len(gain) %d", name, c, z, len(lower), len(gain)))
	}
	if z > 0 && (lower[0] != 0 || int(lower[z-1]) >= z) {
		panic(fmt.Sprintf("kernels.%s: lower runs from %d to %d on %d documents", name, lower[0], lower[z-1], z))
	}
}

func checkPairHess(name string, dst, v, z int, lower []int32, gain []float64) {
	if dst != v || z == 0 && v != 0 || z != 0 && v%z != 0 {
		panic(fmt.Sprintf("kernels.%s: len(dst) %d, len(v) %d, len(z) %d", name, dst, v, z))
	}
	checkPair(name, z, z, lower, gain)
}
