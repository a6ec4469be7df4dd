package kernels

import "math"

// The assembly uses the same constants of exp and log. The first polynomial interpolates
// (exp(r)−1−r)/r² at the 10 Chebyshev nodes of |r| ≤ 1.0001·ln(2)/2. The second one interpolates
// (log(1+f)−2s)/s³, where s = f/(2+f), as a function of s² at the 7 nodes of 0 ≤ s² ≤
// 1.001·(3−2√2)². Coefficients are rounded to nearest. The relative errors are 0.15·2^-53 and
// 0.05·2^-53.
const (
	expMagic = 0x1.8p52 // x + expMagic contains x, rounded to an integer, in its low bits
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

	pairLogisticRange = 176 // (1+e^176)⁴ is finite
)

// expTable contains the constants of exp in the order in which the assembly uses them. The bits of
// the last constant are the bits of expMagic minus 2048, as integers.
//
//lint:ignore U1000 the assembly reads it
var expTable = [...]float64{
	expMax, expMin, log2E, expMagic, ln2Hi, ln2Lo,
	exp11, exp10, exp9, exp8, exp7, exp6, exp5, exp4, exp3, exp2,
	expMagic - 2048,
}

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
	// p is 1 + r + r²·q, corrected for the rounding error of 1+r.
	h := 1 + r
	p := h + math.FMA(float64(q*r), r, r-(h-1))
	// Multiply by 2^k in two steps: k is from −1077 to 1025, so 2^k may not be a normal float64.
	ki := int32(math.Float64bits(kd))
	half := ki >> 1
	s1 := math.Float64frombits(uint64(half+1023) << 52)
	s2 := math.Float64frombits(uint64(ki-half+1023) << 52)
	return float64(float64(p*s1) * s2)
}

// log1pGeneric returns log(1+e) for 0 ≤ e ≤ 1.
func log1pGeneric(e float64) float64 {
	f, k := e, 0.0
	if e > sqrt2m1 {
		f, k = float64((e-1)*0.5), 1 // (1+e)/2 − 1
	}
	s := f / (2 + f)
	z := float64(s * s)
	p := math.FMA(log15, z, log13)
	p = math.FMA(p, z, log11)
	p = math.FMA(p, z, log9)
	p = math.FMA(p, z, log7)
	p = math.FMA(p, z, log5)
	p = math.FMA(p, z, log3)
	// Compute log(1+f) = 2s + s·z·p as f − s·(f − z·p).
	d := math.FMA(-z, p, f)
	l := math.FMA(-s, d, f)
	return math.FMA(k, ln2Hi, l)
}

// The kernels below process the rows in the range [from, to). from must be a multiple of 4. to must
// be a multiple of 4 or the number of documents. c and acc must contain the results of earlier
// rows. Before the first call, they must contain zeros, but ones in acc[0] for the logistic loss.
// Conversions to float64 round products that Go might otherwise fuse with a sum.

func pairSquaredHingeGeneric(c, z []float64, lower []int32, from, to int, acc *[4][8]float64) {
	var win [4][8]float64
	for i := from; i < to; i++ {
		k := i & 3
		b := 1 - z[i]
		for j, zj := range z[:lower[i]] {
			if t := b + zj; !(t <= 0) {
				acc[k][j&7] = math.FMA(t, t, acc[k][j&7])
				win[k][j&7] += t
				c[j] += t
			}
		}
		pairRowsDone(c, &win, i, to)
	}
}

// pairRowsDone subtracts the sums of the rows of a block of four from c, after the block's last row
// i.
func pairRowsDone(c []float64, win *[4][8]float64, i, to int) {
	if i&3 == 3 || i == to-1 {
		for k := range i&3 + 1 {
			c[i&^3+k] -= pairReduce(&win[k])
		}
		*win = [4][8]float64{}
	}
}

func pairHuberHingeGeneric(c, z []float64, lower []int32, inv, half float64, from, to int, acc *[4][8]float64) {
	var win [4][8]float64
	for i := from; i < to; i++ {
		k := i & 3
		b := 1 - z[i]
		for j, zj := range z[:lower[i]] {
			if t := b + zj; !(t <= 0) {
				u := float64(t * inv)
				if u > 1 {
					u = 1
				}
				acc[k][j&7] = math.FMA(u, math.FMA(-half, u, t), acc[k][j&7])
				win[k][j&7] += u
				c[j] += u
			}
		}
		pairRowsDone(c, &win, i, to)
	}
}

// pairLogisticGeneric computes Π(1+m) in 8 lanes, where m = e[j]·f[i]. acc[0] contains the
// mantissas of the products, and acc[1] contains the exponents as integers.
func pairLogisticGeneric(c, e, f []float64, lower []int32, from, to int, acc *[4][8]float64) {
	for i := from; i < to; i += 4 {
		rows := min(4, to-i)
		var win [4][8]float64
		for j := range int(lower[i+rows-1]) {
			var m [4]float64
			for k := range rows {
				if j < int(lower[i+k]) {
					m[k] = e[j] * f[i+k]
				}
			}
			r0, r1, r2, r3 := 1+float64(m[0]), 1+float64(m[1]), 1+float64(m[2]), 1+float64(m[3])
			r01, r23 := r0*r1, r2*r3
			prod := r01 * r23
			inv := 1 / prod
			q01, q23 := inv*r23, inv*r01
			p := [4]float64{m[0] * r1 * q01, m[1] * r0 * q01, m[2] * r3 * q23, m[3] * r2 * q23}

			bits := math.Float64bits(acc[0][j&7] * prod)
			acc[0][j&7] = math.Float64frombits(bits&(1<<52-1) | 1023<<52)
			acc[1][j&7] = math.Float64frombits(math.Float64bits(acc[1][j&7]) + bits>>52 - 1023)
			for k := range rows {
				win[k][j&7] += float64(p[k])
				c[j] += float64(p[k])
			}
		}
		pairRowsDone(c, &win, i+rows-1, to)
	}
}

// pairSweepGeneric processes the documents in the range [from, to) of a sweep, eight at a time.
// from must be a multiple of 8. For each document, it reads the sums over the items of earlier
// leaves from the tree, and adds them from the leaf to the root. Then it processes further items,
// starting with number done, while they are active for the last of the eight documents. It adds
// each item to the sums of the documents in later leaves for which the item is active, and inserts
// the item into the tree. It returns the number of processed items. The root must not be a leaf.
func pairSweepGeneric(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int, sx,
	sy []float64) int {
	for ; from < to; from += 8 {
		end := min(from+8, to)
		for r := from; r < end; r++ {
			var a, b float64
			for node := leaf[r]; node > 0; {
				child := (node - 1) & 7
				node = (node - 1) >> 3
				a += tree[16*node+child]
				b += tree[16*node+child+8]
			}
			sx[r], sy[r] = a, b
		}
		for ; done < len(item) && ask[end-1]+item[done] > margin; done++ {
			for r := from; r < end; r++ {
				if leaf[done] < leaf[r] && ask[r]+item[done] > margin {
					sx[r] += x[done]
					sy[r] += y[done]
				}
			}
			for node := leaf[done]; node > 0; {
				child := (node - 1) & 7
				node = (node - 1) >> 3
				sums := tree[16*node : 16*node+16]
				for l := child + 1; l < 8; l++ {
					sums[l] += x[done]
					sums[8+l] += y[done]
				}
			}
		}
	}
	return done
}
