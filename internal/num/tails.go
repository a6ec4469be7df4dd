package num

import "math"

// NormalTails returns the probability that a standard normal variable is at least as far from 0 as
// z, erfc(|z|/√2), with an error below 4 units in the last place for any z.
func NormalTails(z float64) float64 {
	const sqrt2OverPi = 0.7978845608028654
	z = math.Abs(z)
	if math.IsNaN(z) {
		return z
	}
	if z > 40 {
		return 0 // the result is below the smallest positive number
	}
	square := float64(z * z)
	rest := math.FMA(z, z, -square)
	// density is twice the normal density, computed from the exact −z²/2.
	density := Exp(float64(-square / 2))
	density = float64(sqrt2OverPi * math.FMA(density, float64(-rest/2), density))
	if z < 1 {
		// The complement is 2φ(z)·(z + z³/3 + z⁵/(3·5) + …).
		p := 0.0
		for d := 41.0; d >= 1; d -= 2 {
			p = math.FMA(p, square, 1) / d
		}
		return 1 - float64(density*float64(z*p))
	}
	// Evaluate Laplace's continued fraction 2φ(z)/(z + 1/(z + 2/(z + 3/(z + …)))), all terms of
	// which are positive. The omitted terms are smaller than its rounding error.
	f := z
	for n := math.Floor(20 + 600/square); n >= 1; n-- {
		f = z + n/f
	}
	return density / f
}

// inversePi is 1/π.
var inversePi = twofold{0.3183098861837907, -1.9678676675182486e-17}

// StudentTails returns the probability that a variable with Student's t-distribution with nu ≥ 1
// degrees of freedom is at least as far from 0 as t. A |t| of 2⁵⁰⁰ or more counts as infinite. The
// error is below a unit in the last place for results above 1e-280 and nu up to 2²⁴. The running
// time is O(nu).
//
// With x = ν/(ν+t²) and y = 1−x it is the incomplete beta function
//
//	I_x(ν/2, ½) = 1 − I_y(½, ν/2),  I_x(a, b) = x^a·y^b/(a·B(a, b)) / (1 + d₁/(1 + d₂/(1 + …)))
//
// (NIST Digital Library of Mathematical Functions, 8.17.22).
func StudentTails(t float64, nu int) float64 {
	t = math.Abs(t)
	if math.IsNaN(t) {
		return t
	}
	switch {
	case t >= 0x1p500:
		return 0
	case t < 0x1p-60:
		return 1
	}
	n, square := twofold{hi: float64(nu)}, twofold{hi: t}.mul(twofold{hi: t})
	sum := n.add(square)
	x, y := n.div(sum), square.div(sum)

	// Compute 1/B(ν/2, ½) with the recurrence r(1) = 1/π, r(2) = ½, r(k+2) = r(k)·(k+1)/k.
	front, k := inversePi, 1
	if nu%2 == 0 {
		front, k = twofold{hi: 0.5}, 2
	}
	for ; k < nu; k += 2 {
		front = front.mul(twofold{hi: float64(k + 1)}.mul(inverse(float64(k))))
	}
	front = front.mul(x.power(nu / 2)).mul(y.sqrt())
	if nu%2 == 1 {
		front = front.mul(x.sqrt())
	}
	if square.hi > 3*n.hi/(n.hi+2) { // the continued fraction converges fast
		p := front.mul(twofold{hi: 2}).div(n.mul(betaFraction(n.hi, 1, x)))
		return p.hi
	}
	p := front.mul(twofold{hi: 2}).div(betaFraction(1, n.hi, y))
	return twofold{hi: 1}.add(twofold{-p.hi, -p.lo}).hi
}

// betaFraction returns the continued fraction 1 + d₁/(1 + d₂/(1 + …)) of I_x(a/2, b/2). It uses
// Lentz's method.
func betaFraction(a, b float64, x twofold) twofold {
	one := twofold{hi: 1}
	f, c, d := one, one, twofold{}
	for j := 1; ; j++ {
		m2 := float64(j &^ 1) // 2m, where dⱼ is d₂ₘ or d₂ₘ₊₁
		m4 := float64(2 * m2)
		above, below := -(a+m2)*(a+b+m2), (a+m4)*(a+m4+2)
		if j%2 == 0 {
			above, below = m2*(b-m2), (a+m4-2)*(a+m4)
		}
		e := twofold{hi: above}.div(twofold{hi: below}).mul(x)
		d = one.div(one.add(e.mul(d)))
		c = one.add(e.div(c))
		step := c.mul(d)
		f = f.mul(step)
		if !(math.Abs(step.hi-1+step.lo) >= 0x1p-80) {
			return f
		}
	}
}

// InversionTails returns the probability that a random permutation of n ≥ 2 has at most c
// inversions, or at most c non-inversions. c must be at most half of the number of pairs.
func InversionTails(n, c int) float64 {
	if n == 2 || 4*c == n*(n-1) {
		return 1
	}
	if c <= 1 { // 1 permutation has no inversion, and n−1 permutations have one
		p := 2.0
		for i := 2; i <= n-c && p > 0; i++ {
			p /= float64(i)
		}
		return p
	}
	// prob[i] is the probability that a permutation of j elements has i inversions. The last
	// element adds 0 to j−1 inversions with equal probabilities. Up to half of the pairs, prob
	// increases, so that the window's sum loses no digits.
	prob := make([]float64, c+1)
	next := make([]float64, c+1)
	prob[0] = 1
	for j := 2; j <= n; j++ {
		window := 0.0
		for i := range min(c, j*(j-1)/2) + 1 { // there are at most as many inversions as pairs
			window += prob[i]
			if i >= j {
				window -= prob[i-j]
			}
			next[i] = window / float64(j)
		}
		prob, next = next, prob
	}
	sum := 0.0
	for _, p := range prob {
		sum += p
	}
	return min(1, 2*sum)
}

// SignTails returns the two-sided p-value of the sign test: the probability that n fair coins show
// at most k heads or at most k tails. It is min(1, 2·P), where P is the probability of at most k
// heads. The error is below a unit in the last place, except for results below 1e-307. The running
// time is O(k).
func SignTails(n, k int) float64 {
	if 2*k >= n-1 {
		return 1
	}
	one := twofold{hi: 1}
	ways, exponent := one, 1-n // the number of ways to get i heads, times 2^(1−n)
	sum := one                 // the number of ways to get at most i heads, divided by ways
	for i := 1; i <= k; i++ {
		ratio := twofold{hi: float64(n - i + 1)}.div(twofold{hi: float64(i)})
		if ways = ways.mul(ratio); ways.hi >= 0x1p500 {
			ways, exponent = twofold{float64(ways.hi * 0x1p-500), float64(ways.lo * 0x1p-500)}, exponent+500
		}
		sum = one.add(sum.div(ratio))
	}
	return math.Ldexp(ways.mul(sum).hi, exponent)
}
