package kernels

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

// PairSquaredHingeLaplacian sets l, an n×n matrix for the n documents of q, to the (generalized)
// Hessian of [PairSquaredHinge] by the scores and reports whether it holds anything but zeros:
// −2·Weight·w(i,j) at (i, j) and (j, i) for every pair with 1 − z[i] + z[j] > 0, and on the
// diagonal what makes each row's sum zero, added up in order of the pairs.
//
// It is for queries of a few hundred documents: with features A, AᵀLA is the Hessian by the weights
// of a linear model. It takes O(n²) memory and is plain Go on every tier: the products with A cost
// a multiple of it.
//
// It panics when len(l) is not n², when a length of q differs or its Lower is not as described, and
// when l overlaps Scores, Lower or Gain.
func PairSquaredHingeLaplacian(l []float64, q PairQuery) bool {
	checkLaplacian("kernels: PairSquaredHingeLaplacian", l, &q)
	return laplacian(l, &q, func(zi, zj float64) float64 {
		if 1-zi+zj > 0 {
			return 2 * q.Weight
		}
		return 0
	})
}

// PairHuberHingeLaplacian is [PairSquaredHingeLaplacian] for [PairHuberHinge]:
// Weight/δ for the pairs with 0 < 1 − z[i] + z[j] < δ.
//
// It panics as that does, and when delta is negative or not finite.
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

// PairLogisticLaplacian is [PairSquaredHingeLaplacian] for [PairLogistic]: sigma²·Weight·p·(1−p)
// with p = 1/(1+exp(sigma·(z[i]−z[j]))) for every pair. It panics as that does.
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
	z, lower, gain := q.Scores, q.Lower, q.Gain
	n := len(z)
	clear(l)
	for i, zi := range z {
		row := l[i*n : (i+1)*n]
		var sum float64
		for j := range row[:lower[i]] {
			w := second(zi, z[j])
			if w == 0 {
				continue
			}
			if gain != nil {
				w = float64(w * (gain[i] - gain[j]))
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
		panic(kern.Lengths(name+": len(l) is not the square of len(Scores)", len(l), len(q.Scores)))
	}
	checkQuery(name, q)
	checkApart(name, "l", l, q)
}
