package kernels

import "fmt"

// The Laplacian kernels write the Hessian of a pair loss in the space of the scores
// as a matrix, for one query of a few hundred documents: with it, AᵀLA is the Hessian
// in the space of the weights. They take O(n²) memory and stand in plain Go: the products with A
// cost a multiple of them.

// PairSquaredHingeLaplacian sets the n×n matrix l to the (generalised) Hessian of
// [PairSquaredHinge] at the n scores z and reports whether it holds anything but zeros:
// −2·weight·w(i,j) at (i, j) and (j, i) for every pair with 1 − z[i] + z[j] > 0, and on the
// diagonal what makes each row's sum zero, added up in order of the pairs.
func PairSquaredHingeLaplacian(l, z []float64, lower []int32, gain []float64, weight float64) bool {
	checkLaplacian("PairSquaredHingeLaplacian", l, z, lower, gain)
	return laplacian(l, z, lower, gain, func(zi, zj float64) float64 {
		if 1-zi+zj > 0 {
			return 2 * weight
		}
		return 0
	})
}

// PairHuberHingeLaplacian is [PairSquaredHingeLaplacian] for [PairHuberHinge]:
// weight/δ for the pairs with 0 < 1 − z[i] + z[j] < δ.
func PairHuberHingeLaplacian(l, z []float64, lower []int32, gain []float64, delta, weight float64) bool {
	checkLaplacian("PairHuberHingeLaplacian", l, z, lower, gain)
	return laplacian(l, z, lower, gain, func(zi, zj float64) float64 {
		if t := 1 - zi + zj; t > 0 && t < delta {
			return weight / delta
		}
		return 0
	})
}

// PairLogisticLaplacian is [PairSquaredHingeLaplacian] for [PairLogistic]:
// sigma²·weight·p·(1−p) with p = 1/(1+exp(sigma·(z[i]−z[j]))) for every pair.
func PairLogisticLaplacian(l, z []float64, lower []int32, gain []float64, sigma, weight float64) bool {
	checkLaplacian("PairLogisticLaplacian", l, z, lower, gain)
	factor := float64(sigma*sigma) * weight
	return laplacian(l, z, lower, gain, func(zi, zj float64) float64 {
		d := sigma * (zi - zj)
		if d > 0 {
			d = -d
		}
		e := expGeneric(d)
		return float64(factor * (e / float64((1+e)*(1+e))))
	})
}

func laplacian(l, z []float64, lower []int32, gain []float64, second func(zi, zj float64) float64) (any bool) {
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

func checkLaplacian(name string, l, z []float64, lower []int32, gain []float64) {
	if len(l) != len(z)*len(z) {
		panic(fmt.Sprintf("kernels.%s: len(l) %d, len(z) %d", name, len(l), len(z)))
	}
	checkPairs(name, z, lower, gain)
}
