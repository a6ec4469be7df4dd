package num

import "math"

// The functions in this file compute about 95 bits and then round, so that nearly all results are
// correctly rounded. A C library rounds most results correctly, with errors below 0.53 units in the
// last place, and four printed digits can depend on the last bit. For example, the exponential of
// log 0.21875 prints as 0.2187 or as 0.2188. Each of these functions costs about a hundred times as
// much as [Exp] or [Log2].

// RoundedExp returns e^x, correctly rounded if the result is a normal number.
func RoundedExp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return Exp(x)
	}
	k := math.Round(float64(x / math.Ln2))
	second := float64(k * ln2Second)
	r := twoSum(x-float64(k*ln2First), -second)
	r = r.add(twofold{hi: -math.FMA(k, ln2Third, math.FMA(k, ln2Second, -second))})
	return math.Ldexp(twofold{hi: 1}.add(twoExpm1(r)).hi, int(k))
}

// RoundedLog returns ln x for a positive finite x, correctly rounded.
func RoundedLog(x float64) float64 { return twoLog(x).hi }

// RoundedLog2 returns log₂ x for a positive finite x, correctly rounded.
func RoundedLog2(x float64) float64 {
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return twoLog(x).mul(twoLog2E.half()).hi
}

// ln 2 is the sum of these three numbers. The product of the first one and an integer of up to 11
// bits is exact.
const (
	ln2First  = 0x1.62e42fefa38p-1
	ln2Second = 0x1.ef35793c7673p-45
	ln2Third  = 0x1.f97b57a079a19p-103
)

// twoExpm1 returns e^x − 1 for |x| < 1. Taylor's series gives p = e^(x/256) − 1. Then p → 2p + p²
// doubles the exponent eight times.
func twoExpm1(x twofold) twofold {
	x.hi, x.lo = float64(x.hi*0x1p-8), float64(x.lo*0x1p-8)
	p := twofold{}
	for d := 12.0; d >= 1; d-- {
		p = twofold{hi: 1}.add(p.mul(x)).mul(inverse(d))
	}
	p = p.mul(x)
	for range 8 {
		p = twofold{float64(2 * p.hi), float64(2 * p.lo)}.add(p.mul(p))
	}
	return p
}

// twoLog returns ln x. It writes x as m·2^e with √½ ≤ m < √2. If y is close to ln m and d = m·e^−y
// − 1, then ln m = y + d − d²/2 + ….
func twoLog(x float64) twofold {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = 2*m, exponent-1
	}
	y := float64(Log2(m) * math.Ln2)
	d := twofold{hi: m - 1}.add(twoExpm1(twofold{hi: -y}).mul(twofold{hi: m}))
	d = d.add(twofold{hi: float64(-d.hi * d.hi / 2)})
	e := float64(exponent)
	second := float64(e * ln2Second)
	whole := twofold{hi: float64(e * ln2First)}.add(
		twofold{second, math.FMA(e, ln2Third, math.FMA(e, ln2Second, -second))})
	return whole.add(twofold{hi: y}).add(d)
}
