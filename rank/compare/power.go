package compare

import (
	"math"
	"sort"

	"github.com/simdrank/simdrank/internal/num"
)

// gammaRatio returns Γ((ν+1)/2)/Γ(ν/2) for ν ≥ 1.
func gammaRatio(nu int) float64 {
	n := float64(nu)
	if nu > 200 {
		// Use an asymptotic series of Γ(x+½)/Γ(x) at x = ν/2 (Graham, Knuth and Patashnik 1994,
		// exercise 9.60).
		series := 0.0
		for _, c := range []float64{-399. / 8192, -21. / 2048, 5. / 128, 1. / 32, -1. / 4, 1} {
			series = math.FMA(series, 1/n, c)
		}
		return float64(math.Sqrt(n/2) * series)
	}
	ratio := 0.5641895835477563 // 1/√π
	for k := 1; k < nu; k++ {
		ratio = float64(k) / 2 / ratio
	}
	return ratio
}

// hedges returns the factor by which Cohen's d of n pairs must be multiplied to be unbiased (Hedges
// 1981).
func hedges(n int) float64 {
	if n == 2 {
		return 0
	}
	nu := n - 1
	return gammaRatio(nu-1) / math.Sqrt(float64(nu)/2)
}

// studentDensity returns the density of Student's t-distribution with nu degrees of freedom at t.
func studentDensity(t float64, nu int) float64 {
	const sqrtPi = 1.772453850905516
	n := float64(nu)
	x, tail := float64(t*t)/n, 0.0 // tail is (1+x)^(−(ν+1)/2)
	if x <= 1 {
		tail = num.Exp(float64(-(n + 1) / 2 * num.Log1p(x)))
	} else {
		tail = num.Exp2(float64(-(n + 1) / 2 * num.Log2(1+x)))
	}
	return float64(gammaRatio(nu) / (sqrtPi * math.Sqrt(n)) * tail)
}

// studentQuantile returns the t for which P(|T| ≥ t) = p. T has Student's t-distribution with nu ≥
// 1 degrees of freedom.
func studentQuantile(p float64, nu int) float64 {
	// Newton's method does not overshoot, because the tail probability is convex in t. Each step at
	// least halves the difference to p. p = 1e-100 requires about 330 steps.
	climb := func(t float64, tails, density func(t float64) float64) float64 {
		for range 1000 {
			next := t + (tails(t)-p)/(2*density(t))
			if !(next > t) {
				break
			}
			t = next
		}
		return t
	}
	z := climb(0, num.NormalTails, func(z float64) float64 {
		const invSqrt2Pi = 0.3989422804014327
		return float64(invSqrt2Pi * num.Exp(float64(-z*z/2)))
	})
	if nu <= 2000 {
		return climb(z, func(t float64) float64 { return num.StudentTails(t, nu) },
			func(t float64) float64 { return studentDensity(t, nu) })
	}
	// Use the expansion of the quantile in powers of 1/ν (Abramowitz and Stegun 1964, 26.7.5). z is
	// the quantile of the normal distribution.
	z2, i := float64(z*z), 1/float64(nu)
	g1 := (z2 + 1) / 4
	g2 := math.FMA(math.FMA(5, z2, 16), z2, 3) / 96
	g3 := math.FMA(math.FMA(math.FMA(3, z2, 19), z2, 17), z2, -15) / 384
	return z * math.FMA(math.FMA(math.FMA(g3, i, g2), i, g1), i, 1)
}

// power returns the probability that a t-test of n ≥ 2 pairs detects a difference at the given
// significance level. The level must be at least 1e-100. effect is Cohen's d of paired values: the
// mean of the differences divided by their standard deviation. Its sign does not matter, and an
// absolute value above 100 is treated as 100.
//
// The statistic has a noncentral t distribution with ν = n−1 degrees of freedom, and its square has
// a noncentral F distribution. With the critical value t, λ = n·effect²/2 and y = ν/(ν+t²), the
// power is
//
//	Σⱼ e^−λ·λʲ/j! · I_y(ν/2, j+½)
//
// The terms I_y(ν/2, j+½) are incomplete beta functions, and the first one is the level. Each
// following term is computed from the previous one (NIST Digital Library of Mathematical Functions,
// 8.17.21).
func power(effect, level float64, n int) float64 {
	effect = min(math.Abs(effect), 100)
	nu, lambda := float64(n-1), float64(float64(n)*float64(effect*effect)/2)
	t := studentQuantile(level, n-1)
	// Let Z be a standard normal variable, and let χ² have ν degrees of freedom. The statistic is
	// (Z+effect·√n)/√(χ²/ν). The probability that Z < −9 or χ > √ν+9 is below 1e-17.
	if math.Sqrt(2*lambda) > 9+float64(t*(1+9/math.Sqrt(nu))) {
		return 1 // avoid the many terms of the sum
	}
	x := float64(t*t) / (nu + float64(t*t))
	beta, step := level, float64(2*t*studentDensity(t, n-1)) // I_y(ν/2, j+½) and its increase from j to j+1
	sum, weights := 0.0, 0.0
	for j, w := 0.0, 1.0; w > 1e-18*weights || j < lambda; {
		sum = math.FMA(w, min(beta, 1), sum)
		weights += w
		beta += step
		step = float64(step * (x * (float64((nu+1)/2) + j) / (j + 1.5)))
		j++
		if w = float64(w * (lambda / j)); w > 1e200 {
			w, sum, weights = w*1e-200, sum*1e-200, weights*1e-200
		}
	}
	return sum / weights
}

// maxQueries is the maximum result of [queriesFor].
const maxQueries = 1 << 30

// queriesFor returns the number of pairs that a t-test needs to detect the difference: the smallest
// n for which [power] is at least wanted. It returns 0 if maxQueries pairs are not enough.
func queriesFor(effect, level, wanted float64) int {
	enough := func(n int) bool { return power(effect, level, n) >= wanted }
	hi := 2
	for !enough(hi) {
		if hi == maxQueries {
			return 0
		}
		hi *= 2
	}
	lo := hi/2 + 1 // hi/2 pairs are not enough, except if hi is 2
	return lo + sort.Search(hi-lo, func(i int) bool { return enough(lo + i) })
}
