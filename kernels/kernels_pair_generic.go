package kernels

import "math"

// Constants of exp and log, shared with the assembly. The polynomials interpolate
// (exp(r)−1−r)/r² on |r| ≤ ln(2)/2 and (log(1+f)−2s)/s³, s = f/(2+f), in s² at
// Chebyshev nodes; relative errors 0.15·2^-53 and 0.05·2^-53.
const (
	expMagic = 0x1.8p52 // adding it rounds to an integer in the low bits
	log2E    = 0x1.71547652b82fep+0
	ln2Hi    = 0x1.62e42fefa39efp-1
	ln2Lo    = 0x1.abc9e3b39803fp-56
	expMax   = 710.0
	expMin   = -746.0

	exp2  = 0x1.0000000000001p-1
	exp3  = 0x1.5555555555556p-3
	exp4  = 0x1.5555555553d63p-5
	exp5  = 0x1.11111111109b3p-7
	exp6  = 0x1.6c16c1788bd90p-10
	exp7  = 0x1.a01a01a7c41d5p-13
	exp8  = 0x1.a019b90d2ae7ap-16
	exp9  = 0x1.71de0dae63bb3p-19
	exp10 = 0x1.289185613a3d6p-22
	exp11 = 0x1.af38a9b0ec855p-26

	log3  = 0x1.5555555555558p-1
	log5  = 0x1.9999999995273p-2
	log7  = 0x1.2492492dfd86cp-2
	log9  = 0x1.c71c62d5e53e0p-3
	log11 = 0x1.7462b91b8df65p-3
	log13 = 0x1.39fdcceb4bb45p-3
	log15 = 0x1.2b5f68a50d903p-3

	sqrt2m1 = 0x1.a827999fcef32p-2 // √2 − 1

	pairLogisticRange = 176 // (1+e^176)⁴ stays finite
)

func expF64Generic(dst, x []float64) {
	for i, v := range x {
		dst[i] = expGeneric(v)
	}
}

func expGeneric(x float64) float64 {
	if x > expMax {
		x = expMax
	}
	if x < expMin {
		x = expMin
	}
	kd := math.FMA(x, log2E, expMagic)
	k := kd - expMagic
	r := math.FMA(-k, ln2Hi, x)
	r = math.FMA(-k, ln2Lo, r)
	q := math.FMA(exp11, r, exp10)
	q = math.FMA(q, r, exp9)
	q = math.FMA(q, r, exp8)
	q = math.FMA(q, r, exp7)
	q = math.FMA(q, r, exp6)
	q = math.FMA(q, r, exp5)
	q = math.FMA(q, r, exp4)
	q = math.FMA(q, r, exp3)
	q = math.FMA(q, r, exp2)
	// 1 + r + r²·q with the rounding error of 1+r put back
	h := 1 + r
	p := h + math.FMA(float64(q*r), r, r-(h-1))
	// 2^k in two factors: k runs from -1077 to 1025, so that results may be subnormal.
	ki := int32(math.Float64bits(kd))
	half := ki >> 1
	s1 := math.Float64frombits(uint64(half+1023) << 52)
	s2 := math.Float64frombits(uint64(ki-half+1023) << 52)
	return float64(float64(p*s1) * s2)
}

func log1pExpF64Generic(dst, x []float64) {
	for i, v := range x {
		dst[i] = log1pExpGeneric(v)
	}
}

func log1pExpGeneric(x float64) float64 {
	top := x
	if x < 0 {
		top = 0
	}
	return top + log1pGeneric(expGeneric(-math.Abs(x)))
}

// log1pGeneric returns log(1+e) for 0 ≤ e ≤ 1.
func log1pGeneric(e float64) float64 {
	f, k := e, 0.0
	if e > sqrt2m1 {
		f, k = float64((e-1)*0.5), 1 // 1+e halved
	}
	s := f / (2 + f)
	z := float64(s * s)
	p := math.FMA(log15, z, log13)
	p = math.FMA(p, z, log11)
	p = math.FMA(p, z, log9)
	p = math.FMA(p, z, log7)
	p = math.FMA(p, z, log5)
	p = math.FMA(p, z, log3)
	// log(1+f) = 2s + s·z·p = f − s·(f − z·p)
	d := math.FMA(-z, p, f)
	l := math.FMA(-s, d, f)
	return math.FMA(k, ln2Hi, l)
}

// reduce8 is the reduction tree of 8 lanes.
func reduce8(a *[8]float64) float64 {
	return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
}

// reduce32 is the reduction tree of the loss.
func reduce32(a *[4][8]float64) float64 {
	var s [8]float64
	for l := range s {
		s[l] = (a[0][l] + a[1][l]) + (a[2][l] + a[3][l])
	}
	return reduce8(&s)
}

func scaleGeneric(c []float64, a float64) {
	for i := range c {
		c[i] *= a
	}
}

// Products are rounded by a conversion wherever Go may fuse them with a sum.

func pairSquaredHingeGeneric(c, z []float64, lower []int32, gain []float64, weight float64) float64 {
	var loss [4][8]float64
	for i, p := range lower {
		b := 1 - z[i]
		l := &loss[i&3]
		var win [8]float64
		for j, zj := range z[:p] {
			t := b + zj
			if t <= 0 {
				continue
			}
			tw := t
			if gain != nil {
				tw = float64(t * (gain[i] - gain[j]))
			}
			l[j&7] = math.FMA(tw, t, l[j&7])
			win[j&7] += tw
			c[j] += tw
		}
		c[i] = -reduce8(&win)
	}
	scaleGeneric(c, 2*weight)
	return float64(weight * reduce32(&loss))
}

func pairHuberHingeGeneric(c, z []float64, lower []int32, gain []float64, delta, weight float64) float64 {
	inv, half := huberFactors(delta)
	var loss [4][8]float64
	for i, p := range lower {
		b := 1 - z[i]
		l := &loss[i&3]
		var win [8]float64
		for j, zj := range z[:p] {
			t := b + zj
			if t <= 0 {
				continue
			}
			u := float64(t * inv)
			if u > 1 {
				u = 1
			}
			uw := u
			if gain != nil {
				uw = float64(u * (gain[i] - gain[j]))
			}
			l[j&7] = math.FMA(uw, math.FMA(-half, u, t), l[j&7])
			win[j&7] += uw
			c[j] += uw
		}
		c[i] = -reduce8(&win)
	}
	scaleGeneric(c, weight)
	return float64(weight * reduce32(&loss))
}

// huberFactors returns 1/δ, finite, and δ/2.
func huberFactors(delta float64) (inv, half float64) {
	return min(1/delta, math.MaxFloat64), delta / 2
}

func pairLogisticGeneric(c, z []float64, lower []int32, gain []float64, sigma, weight float64) float64 {
	var loss [4][8]float64
	for i, p := range lower {
		l := &loss[i&3]
		var win [8]float64
		for j, zj := range z[:p] {
			w := 1.0
			if gain != nil {
				w = gain[i] - gain[j]
			}
			x := float64(sigma * (zj - z[i]))
			e := expGeneric(-math.Abs(x))
			h := max(x, 0) + log1pGeneric(e)
			g := 1 / (1 + e)
			if !(x >= 0) {
				g = float64(g * e)
			}
			g = float64(g * w)
			l[j&7] = math.FMA(w, h, l[j&7])
			win[j&7] += g
			c[j] += g
		}
		c[i] = -reduce8(&win)
	}
	scaleGeneric(c, float64(sigma*weight))
	return float64(weight * reduce32(&loss))
}

func pairSquaredHingeHessGeneric(dst, v, z []float64, lower []int32, gain []float64, weight float64) {
	for i, p := range lower {
		b := 1 - z[i]
		var win [8]float64
		for j, zj := range z[:p] {
			if b+zj > 0 {
				d := v[i] - v[j]
				if gain != nil {
					d = float64(d * (gain[i] - gain[j]))
				}
				win[j&7] += d
				dst[j] -= d
			}
		}
		dst[i] = reduce8(&win)
	}
	scaleGeneric(dst, 2*weight)
}

func pairHuberHingeHessGeneric(dst, v, z []float64, lower []int32, gain []float64, delta, weight float64) {
	for i, p := range lower {
		b := 1 - z[i]
		var win [8]float64
		for j, zj := range z[:p] {
			if t := b + zj; t > 0 && t < delta {
				d := v[i] - v[j]
				if gain != nil {
					d = float64(d * (gain[i] - gain[j]))
				}
				win[j&7] += d
				dst[j] -= d
			}
		}
		dst[i] = reduce8(&win)
	}
	inv, _ := huberFactors(delta)
	scaleGeneric(dst, float64(inv*weight))
}

func pairLogisticHessGeneric(dst, v, z []float64, lower []int32, gain []float64, sigma, weight float64) {
	for i, p := range lower {
		var win [8]float64
		for j, zj := range z[:p] {
			e := expGeneric(-math.Abs(sigma * (zj - z[i])))
			q := 1 / (1 + e)
			d := float64(float64(float64(e*q)*q) * (v[i] - v[j]))
			if gain != nil {
				d = float64(d * (gain[i] - gain[j]))
			}
			win[j&7] += d
			dst[j] -= d
		}
		dst[i] = reduce8(&win)
	}
	scaleGeneric(dst, float64(float64(sigma*sigma)*weight))
}
