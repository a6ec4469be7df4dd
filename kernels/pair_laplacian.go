package kernels

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

// PairSquaredHingeLaplacian sets l to the (generalized) Hessian of [PairSquaredHinge] with respect
// to the scores. It reports whether l contains a nonzero element. l is an n×n matrix for the n
// documents of q. For each pair with 1 − z[i] + z[j] > 0, the elements (i, j) and (j, i) are
// −2·Weight·w(i,j). The diagonal elements make each row sum to 0; they are summed in the order of
// the pairs.
//
// It is intended for queries of up to a few hundred documents. With a feature matrix A, AᵀLA is the
// Hessian with respect to the weights of a linear model. It uses O(n²) memory. It is implemented in
// plain Go on every tier, because the products with A take several times as long.
//
// It panics if len(l) is not n², if the lengths in q differ, if Lower is invalid, or if l overlaps
// Scores, Lower, Gain or Better.
func PairSquaredHingeLaplacian(l []float64, q PairQuery) bool {
	checkLaplacian("kernels: PairSquaredHingeLaplacian", l, &q)
	return laplacian(l, &q, func(zi, zj float64) float64 {
		if 1-zi+zj > 0 {
			return 2 * q.Weight
		}
		return 0
	})
}

// PairHuberHingeLaplacian is like [PairSquaredHingeLaplacian] but for [PairHuberHinge]. For each
// pair with 0 < 1 − z[i] + z[j] < δ, the two elements are −Weight·w(i,j)/δ.
//
// It panics under the same conditions as PairSquaredHingeLaplacian, or if delta is negative or not
// finite.
func PairHuberHingeLaplacian(l []float64, q PairQuery, delta float64) bool {
	checkLaplacian("kernels: PairHuberHingeLaplacian", l, &q)
	checkDelta("kernels: PairHuberHingeLaplacian", delta)
	return laplacian(l, &q, func(zi, zj float64) float64 {
		if t := 1 - zi + zj; t > 0 && t < delta {
			return q.Weight / delta
		}
		return 0
	})
}

// PairLogisticLaplacian is like [PairSquaredHingeLaplacian] but for [PairLogistic]. For every pair,
// the two elements are −sigma²·Weight·w(i,j)·p·(1−p), where p = 1/(1+exp(sigma·(z[i]−z[j]))).
func PairLogisticLaplacian(l []float64, q PairQuery, sigma float64) bool {
	checkLaplacian("kernels: PairLogisticLaplacian", l, &q)
	factor := float64(sigma*sigma) * q.Weight
	return laplacian(l, &q, func(zi, zj float64) float64 {
		d := sigma * (zi - zj)
		if d > 0 {
			d = -d
		}
		e := expGeneric(d)
		return float64(factor * (e / float64((1+e)*(1+e))))
	})
}

func laplacian(l []float64, q *PairQuery, second func(zi, zj float64) float64) (any bool) {
	z, lower, weights := q.Scores, q.Lower, q.weights()
	n := len(z)
	clear(l)
	for i, zi := range z {
		row := l[i*n : (i+1)*n]
		var sum float64
		for j := range row[:lower[i]] {
			w := float64(second(zi, z[j]) * weights.of(i, j))
			if w == 0 {
				continue
			}
			row[j] = -w
			l[j*n+i] = -w
			l[j*n+j] += w
			sum += w
			any = true
		}
		row[i] += sum
	}
	return any
}

func checkLaplacian(name string, l []float64, q *PairQuery) {
	n := uint(len(q.Scores))
	if hi, lo := bits.Mul(n, n); hi != 0 || lo != uint(len(l)) {
		panic(kern.Lengths(name+": len(l) is %d; it must be the square of len(Scores), %d", len(l),
			len(q.Scores)*len(q.Scores)))
	}
	checkQuery(name, q)
	checkApart(name, "l", l, q)
}
