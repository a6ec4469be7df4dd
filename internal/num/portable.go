// The functions in this file are bit-identical on every platform, because models and metrics depend
// on them. The functions of package math are not: some of them are assembly on some architectures,
// and the compiler fuses products and sums on others.

package num

import "math"

// Logarithms of integers are computed in double-double arithmetic, and are therefore correctly
// rounded. All operations are exact or explicitly rounded.

// A twofold is the unevaluated sum hi + lo with |lo| ≤ ulp(hi)/2. It has about 106 bits (Dekker
// 1971).
type twofold struct{ hi, lo float64 }

// twoSum returns the exact sum of two numbers (Knuth).
func twoSum(a, b float64) twofold {
	s := a + b
	t := s - a
	return twofold{s, (a - (s - t)) + (b - t)}
}

func (x twofold) add(y twofold) twofold {
	s := twoSum(x.hi, y.hi)
	return twoSum(s.hi, s.lo+(x.lo+y.lo))
}

func (x twofold) mul(y twofold) twofold {
	p := float64(x.hi * y.hi)
	e := math.FMA(x.hi, y.hi, -p)
	e = math.FMA(x.hi, y.lo, math.FMA(x.lo, y.hi, e))
	return twoSum(p, e)
}

func (x twofold) half() twofold { return twofold{float64(x.hi / 2), float64(x.lo / 2)} }

func (x twofold) div(y twofold) twofold {
	q := x.hi / y.hi
	return twoSum(q, math.FMA(-q, y.lo, math.FMA(-q, y.hi, x.hi)+x.lo)/y.hi)
}

func (x twofold) sqrt() twofold {
	s := math.Sqrt(x.hi)
	return twoSum(s, (math.FMA(-s, s, x.hi)+x.lo)/(s+s))
}

// power returns x^n for n ≥ 0.
func (x twofold) power(n int) twofold {
	p := twofold{hi: 1}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p = p.mul(x)
		}
		if n > 1 {
			x = x.mul(x)
		}
	}
	return p
}

// inverse returns 1/n. n must be exact in float64.
func inverse(n float64) twofold { return twofold{hi: 1}.div(twofold{hi: n}) }

// twoLog2E is 2/ln 2.
var twoLog2E = twofold{2.8853900817779268, 4.0710547481862066e-17}

// Log2Integers returns log₂ of the integers from 1 to n, each at its own index. The results are
// correctly rounded as far as 100 bits suffice. An even number is one more than its half. An odd
// number lies between two even ones:
//
//	log n = ½(log(n−1) + log(n+1)) + atanh(1/(2n²−1)),  atanh x = x + x³/3 + x⁵/5 + …
func Log2Integers(n int) []float64 {
	out := make([]float64, n+1)
	half := make([]twofold, n/2+2) // log₂ of integers from which the other logarithms are computed
	for i := 2; i <= n || i < len(half); i++ {
		var l twofold
		if i%2 == 0 {
			l = twofold{1, 0}.add(half[i/2])
		} else {
			between := half[i/2].add(half[i/2+1])
			between = between.half()
			x := inverse(float64(2*float64(i)*float64(i)) - 1)
			x2 := x.mul(x)
			sum, power := x, x
			for d := 3.0; ; d += 2 {
				power = power.mul(x2)
				term := power.mul(inverse(d))
				sum = sum.add(term)
				if term.hi < sum.hi*0x1p-110 {
					break
				}
			}
			// Add log₂ e · atanh and 1, because log₂(n±1) exceeds the logarithms of their halves by
			// 1.
			l = twofold{1, 0}.add(between).add(sum.mul(twoLog2E.half()))
		}
		if i < len(half) {
			half[i] = l
		}
		if i <= n {
			out[i] = l.hi
		}
	}
	return out
}

// Log2 returns log₂ x for a positive finite x, within a few units in the last place.
//
// x = m·2^e with √½ ≤ m < √2, t = (m−1)/(m+1), log₂ x = e + 2/ln 2 · (t + t³/3 + t⁵/5 + …).
func Log2(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	t := (m - 1) / (m + 1)
	t2 := float64(t * t)
	p := 0.0
	for d := 23.0; d >= 3; d -= 2 {
		p = float64(math.FMA(p, t2, 1/d))
	}
	// Now p = 1/3 + t²/5 + t⁴/7 + ….
	return math.FMA(float64(2/math.Ln2*t), math.FMA(p, t2, 1), float64(e))
}

// Exp2m1 returns 2^r − 1 for −1022 ≤ r < 1023, bit-identical on every machine. It is exact for
// integers up to 53 and otherwise within a few units in the last place.
func Exp2m1(r float64) float64 {
	whole := math.Floor(r)
	scale := math.Float64frombits(uint64(whole+1023) << 52)
	if r == whole {
		return scale - 1
	}
	// Compute 2^f − 1 = e^y − 1, where y = f·ln 2 is in (0, ln 2).
	y := (r - whole) * math.Ln2
	return math.FMA(scale, float64(y*expm1Over(y)), scale-1)
}

// Exp2 returns 2^x. It is exact for integers, and otherwise has an error below 2 units in the last
// place.
func Exp2(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	x = min(max(x, -1100), 1100) // beyond these limits, the result is 0 or +Inf
	whole := math.Round(x)
	y := (x - whole) * math.Ln2
	return math.Ldexp(math.FMA(expm1Over(y), y, 1), int(whole))
}

// Exp returns e^x with an error below 2 units in the last place, or below 3 in the subnormal range.
//
// x = k·ln 2 + r with |r| ≤ ln(2)/2, e^x = 2^k·e^r.
func Exp(x float64) float64 {
	const (
		ln2Hi = 0x1.62e42fefa39efp-1 // ln 2 = ln2Hi + ln2Lo
		ln2Lo = 0x1.abc9e3b39803fp-56
	)
	if math.IsNaN(x) {
		return x
	}
	x = min(max(x, -750), 710) // beyond these limits, the result is 0 or +Inf
	k := math.Round(float64(x / math.Ln2))
	r := math.FMA(-k, ln2Lo, math.FMA(-k, ln2Hi, x))
	return math.Ldexp(math.FMA(expm1Over(r), r, 1), int(k))
}

// expm1Over returns (e^y − 1)/y for |y| < ln 2. It evaluates Taylor's series in Horner's form, 1 +
// y/2(1 + y/3(…)).
func expm1Over(y float64) float64 {
	p := 0.0
	for n := 20.0; n >= 1; n-- {
		p = math.FMA(p, y, 1) / n
	}
	return p
}

// Log returns ln x, or NaN if x is not positive and finite.
func Log(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return math.NaN()
	}
	return float64(Log2(x) * math.Ln2)
}

// Log1p returns ln(1+x) for 0 ≤ x ≤ 1 with an error below 2 units in the last place.
//
// ln(1+x) = 2 atanh s with s = x/(2+x) ≤ ⅓, atanh s = s + s³/3 + s⁵/5 + ….
func Log1p(x float64) float64 {
	s := x / (2 + x)
	s2 := float64(s * s)
	p := 0.0
	for d := 35.0; d >= 3; d -= 2 {
		p = math.FMA(p, s2, 1/d)
	}
	s += s
	return math.FMA(s, float64(p*s2), s)
}

// Trigamma returns Σ 1/(x+j)² over j = 0, 1, …, for x ≥ 1, within a few units in the last place.
//
// For x ≥ 16 it uses 1/x + 1/2x² + 1/6x³ − 1/30x⁵ + 1/42x⁷ − 1/30x⁹ + 5/66x¹¹ (Abramowitz and
// Stegun 6.4.12).
func Trigamma(x float64) float64 {
	sum := 0.0
	for ; x < 16; x++ {
		sum += 1 / float64(x*x)
	}
	y := 1 / float64(x*x)
	p := math.FMA(-y, 5./66, 1./30)
	p = math.FMA(-y, p, 1./42)
	p = math.FMA(-y, p, 1./30)
	p = math.FMA(-y, p, 1./6)
	return sum + (float64(y/x*p) + float64(y/2) + 1/x)
}
