package kernels

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// pairSpec is the exact order of operations of the pair kernels. rows computes all pairs without
// weights. pair returns the loss of one pair, x·y, and its coefficient g.
func pairSpec(c []float64, lower []int32, gain []float64, factor, weight float64,
	rows func(c []float64, lower []int32) [4][8]float64, pair func(i, j int) (x, y, g float64)) float64 {
	clear(c)
	var loss [4][8]float64
	labels := map[int32]bool{}
	for _, p := range lower {
		labels[p] = true
	}
	switch {
	case gain == nil:
		loss = rows(c, lower)
	case rows == nil || len(labels) > 16:
		loss = pairSpecRows(c, lower, func(i, j int) (x, y, g float64) {
			x, y, g = pair(i, j)
			w := gain[i] - gain[j]
			return w * x, y, w * g
		})
	default:
		for s := range lower {
			if s == 0 || int(lower[s]) != s {
				continue
			}
			part, across := make([]float64, len(c)), make([]int32, len(c))
			for i := s; i < len(c); i++ {
				across[i] = int32(s)
			}
			l := rows(part, across)
			for i, v := range part {
				c[i] = math.FMA(gain[s]-gain[s-1], v, c[i])
			}
			for k := range l {
				for j, v := range l[k] {
					loss[k][j] = math.FMA(gain[s]-gain[s-1], v, loss[k][j])
				}
			}
		}
	}
	for i := range c {
		c[i] *= factor
	}
	var l [8]float64
	for j := range l {
		l[j] = (loss[0][j] + loss[1][j]) + (loss[2][j] + loss[3][j])
	}
	return weight * (((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])))
}

// pairSpecRows visits the pairs one by one.
func pairSpecRows(c []float64, lower []int32, pair func(i, j int) (x, y, g float64)) (loss [4][8]float64) {
	for block := 0; block < len(c); block += 4 {
		sums := make([]float64, min(4, len(c)-block))
		for k := range sums {
			i := block + k
			var lanes [8]float64
			for j := range int(lower[i]) {
				x, y, g := pair(i, j)
				loss[i%4][j%8] = math.FMA(x, y, loss[i%4][j%8])
				lanes[j%8] += g
				c[j] += g
			}
			sums[k] = ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
		}
		for k, s := range sums {
			c[block+k] -= s
		}
	}
	return loss
}

// pairSpecOf is pairSpec for a loss that is the same with and without weights.
func pairSpecOf(c []float64, lower []int32, gain []float64, factor, weight float64,
	pair func(i, j int) (x, y, g float64)) float64 {
	return pairSpec(c, lower, gain, factor, weight,
		func(c []float64, lower []int32) [4][8]float64 { return pairSpecRows(c, lower, pair) }, pair)
}

// softplus is log(1+exp(x)) as computed for a pair with a wide score range.
func softplus(x float64) float64 { return max(x, 0) + log1pGeneric(expGeneric(-math.Abs(x))) }

// pairLogisticSpec processes four rows at a time. The coefficients p of (i, j) … (i+3, j) are
// computed from the product of the four 1+m. They are 0 if there is no pair.
func pairLogisticSpec(z []float64, lower []int32, sigma float64, block func(i, j int, p [4]float64, product float64)) {
	if len(z) == 0 {
		return
	}
	e, f := make([]float64, len(z)), make([]float64, len(z))
	mid := slices.Min(z) + float64((slices.Max(z)-slices.Min(z))*0.5)
	for i := range z {
		e[i], f[i] = expGeneric(sigma*(z[i]-mid)), expGeneric(-(sigma * (z[i] - mid)))
	}
	for i := 0; i < len(z); i += 4 {
		rows := min(4, len(z)-i)
		for j := range int(lower[i+rows-1]) {
			var m, r [4]float64
			for k := range r {
				if k < rows && j < int(lower[i+k]) {
					m[k] = e[j] * f[i+k]
				}
				r[k] = 1 + float64(m[k])
			}
			a, b := r[0]*r[1], r[2]*r[3]
			inv := 1 / (a * b)
			block(i, j, [4]float64{m[0] * r[1] * (inv * b), m[1] * r[0] * (inv * b), m[2] * r[3] * (inv * a),
				m[3] * r[2] * (inv * a)}, a*b)
		}
	}
}

// pairEntry returns an entry of the table. Its operands are c, the loss, z, lower and gain.
func pairEntry(name string, call, spec func(c, z []float64, lower []int32, gain []float64) float64) entry {
	run := func(f func(c, z []float64, lower []int32, gain []float64) float64) func(args []any) {
		return func(args []any) {
			c, z, lower, gain := args[0].([]float64), args[2].([]float64), args[3].([]int32), args[4].([]float64)
			if len(gain) == 0 {
				gain = nil
			}
			args[1].([]float64)[0] = f(c, z, lower, gain)
		}
	}
	lengths := []int{127, 128, 129, 200, 257, 500}
	for n := range 84 {
		lengths = append(lengths, n)
	}
	return entry{
		Name: name, Lengths: lengths, Long: []int{1000, 1500, 3001},
		Writes: []int{0, 1}, Call: run(call), Spec: run(spec),
		Args: func(d *draw, n int) []any {
			_, lower, gain := pairQuery(d.Rand, n, max(1, []int{1, 2, 5, n}[d.IntN(4)]), 1)
			if n > 200 || d.IntN(4) != 0 {
				gain = nil
			}
			return []any{d.F64s(n), d.F64s(1), d.F64s(n), lower, gain}
		},
	}
}

func withCases(e entry, cases func() [][]any) entry {
	e.Cases = cases
	return e
}

// pairLogisticCases are four documents with scores far below four others. The distance is near the
// range from which each pair computes its own exponential.
func pairLogisticCases() (cases [][]any) {
	const sigma = 1.7
	at := 176 / sigma
	for sigma*at > 176 {
		at = math.Nextafter(at, 0)
	}
	for sigma*math.Nextafter(at, 200) <= 176 {
		at = math.Nextafter(at, 200)
	}
	for _, far := range []float64{at - 0.4, at - 0.1, at, math.Nextafter(at, 200), at + 0.2, at + 0.7, at + 1.5, 200,
		500} {
		for _, best := range []float64{far, 0} { // the worst pairs, and the best ones
			z := []float64{best, best, best, best, far - best, far - best, far - best, far - best}
			cases = append(cases, []any{make([]float64, 8), make([]float64, 1), z, []int32{0, 0, 0, 0, 4, 4, 4, 4},
				[]float64{}})
		}
	}
	return cases
}

var pairTestWork Work

var _ = register(
	pairEntry("PairSquaredHinge",
		func(c, z []float64, lower []int32, gain []float64) float64 {
			return PairSquaredHinge(c, PairQuery{z, lower, gain, nil, 0.75}, &pairTestWork)
		},
		func(c, z []float64, lower []int32, gain []float64) float64 {
			if pairIsLong(z, lower) {
				defer cpu.Force(cpu.Generic)()
				return PairSquaredHinge(c, PairQuery{z, lower, gain, nil, 0.75}, new(Work))
			}
			return pairSpecOf(c, lower, gain, 1.5, 0.75, func(i, j int) (x, y, g float64) {
				t := max(0, (1-z[i])+z[j])
				return t, t, t
			})
		}),
	pairEntry("PairHuberHinge",
		func(c, z []float64, lower []int32, gain []float64) float64 {
			return PairHuberHinge(c, PairQuery{z, lower, gain, nil, 0.75}, 0.3, &pairTestWork)
		},
		func(c, z []float64, lower []int32, gain []float64) float64 {
			if pairIsLong(z, lower) {
				defer cpu.Force(cpu.Generic)()
				return PairHuberHinge(c, PairQuery{z, lower, gain, nil, 0.75}, 0.3, new(Work))
			}
			return pairSpecOf(c, lower, gain, 0.75, 0.75, func(i, j int) (x, y, g float64) {
				t := max(0, (1-z[i])+z[j])
				u := min(1, t*(1/0.3))
				return u, math.FMA(-0.15, u, t), u
			})
		}),
	withCases(pairEntry("PairLogistic",
		func(c, z []float64, lower []int32, gain []float64) float64 {
			return PairLogistic(c, PairQuery{z, lower, gain, nil, 0.75}, 1.7, &pairTestWork)
		},
		func(c, z []float64, lower []int32, gain []float64) float64 {
			sigma := 1.7 // a variable: products of constants are exact
			rows := func(c []float64, lower []int32) [4][8]float64 { return pairLogisticSpecRows(c, z, lower, sigma) }
			pair := func(i, j int) (x, y, g float64) {
				s := sigma * (z[j] - z[i])
				g = 1 / (1 + expGeneric(-math.Abs(s)))
				if !(s >= 0) {
					g *= expGeneric(-math.Abs(s))
				}
				return softplus(s), 1, g
			}
			if len(z) > 0 && !(sigma*(slices.Max(z)-slices.Min(z)) <= 176) { // far apart, or NaN
				rows = func(c []float64, lower []int32) [4][8]float64 { return pairSpecRows(c, lower, pair) }
				if gain != nil {
					rows = nil
				}
			}
			return pairSpec(c, lower, gain, sigma*0.75, 0.75, rows, pair)
		}), pairLogisticCases),
	entry{Name: "pairSweep", Lengths: []int{1, 2, 7, 8, 9, 15, 16, 17, 40, 64, 65, 150}, Long: []int{1000, 1024, 5000},
		Writes: []int{0, 6, 7, 8},
		Args: func(d *draw, n int) []any {
			leaves := []int{2, 3, 8, 9, 64, 65, 600}[d.IntN(7)]
			nodes := 0
			for below := 1; below < leaves; below *= 8 {
				nodes += below
			}
			leaf, ask, item := make([]int32, n), d.F64s(n), d.F64s(n)
			for i := range leaf {
				leaf[i] = int32(nodes + d.IntN(leaves))
			}
			slices.Sort(ask)
			slices.Sort(item)
			slices.Reverse(item)
			return []any{make([]float64, 16*nodes), leaf, ask, item, d.F64s(n), d.F64s(n), d.F64s(n), d.F64s(n),
				[]int{0}}
		},
		Call: pairSweepArgs(pairSweep), Spec: pairSweepArgs(pairSweepGeneric)},
	entry{Name: "ExpF64", Writes: []int{0},
		Args: func(d *draw, n int) []any {
			x := d.F64s(n)
			for i := range x {
				x[i] *= []float64{1, 10, 300}[d.IntN(3)]
			}
			return []any{d.F64s(n), x}
		},
		Call: func(args []any) { ExpF64(args[0].([]float64), args[1].([]float64)) },
		Spec: func(args []any) { expF64Generic(args[0].([]float64), args[1].([]float64)) }},
)

func pairLogisticSpecRows(c, z []float64, lower []int32, sigma float64) (loss [4][8]float64) {
	p := make([]float64, len(z)*len(z)) // coefficients
	mantissa, exponent := [8]float64{1, 1, 1, 1, 1, 1, 1, 1}, [8]int{}
	pairLogisticSpec(z, lower, sigma, func(i, j int, c [4]float64, product float64) {
		for k := range min(4, len(z)-i) {
			p[(i+k)*len(z)+j] = c[k]
		}
		frac, exp := math.Frexp(mantissa[j%8] * product)
		mantissa[j%8] = 2 * frac
		exponent[j%8] += exp - 1
	})
	pairSpecRows(c, lower, func(i, j int) (x, y, g float64) { return 0, 0, p[i*len(z)+j] })
	for l := range mantissa {
		loss[0][l] = math.FMA(float64(exponent[l]), math.Ln2, log1pGeneric(mantissa[l]-1))
	}
	return loss
}

// pairQuery returns a random query of n documents with the given number of grades, in the layout of
// the pair kernels. If grades is n, all labels are distinct.
func pairQuery(rng *rand.Rand, n, grades int, scale float64) (z []float64, lower []int32, gain []float64) {
	label := make([]int, n)
	for i := range label {
		label[i] = i
		if grades < n {
			label[i] = rng.IntN(grades)
		}
	}
	slices.Sort(label)
	z, lower, gain = make([]float64, n), make([]int32, n), make([]float64, n)
	for i, y := range label {
		z[i] = scale * rng.NormFloat64()
		gain[i] = float64(y)
		if i > 0 {
			lower[i] = lower[i-1]
			if y != label[i-1] {
				lower[i] = int32(i)
			}
		}
	}
	return z, lower, gain
}

// A pairRef is a loss by its definition: value, first and second derivative with respect to x =
// z[j] − z[i].
type pairRef func(x float64) (h, d1, d2 float64)

func squaredHingeRef(x float64) (float64, float64, float64) {
	t := 1 + x
	if t <= 0 {
		return 0, 0, 0
	}
	return t * t, 2 * t, 2
}

func huberRef(delta float64) pairRef {
	return func(x float64) (float64, float64, float64) {
		switch t := 1 + x; {
		case t <= 0:
			return 0, 0, 0
		case t < delta:
			return t * t / (2 * delta), t / delta, 1 / delta
		default:
			return t - delta/2, 1, 0
		}
	}
}

func logisticRef(sigma float64) pairRef {
	return func(x float64) (float64, float64, float64) {
		p := 1 / (1 + math.Exp(-sigma*x))
		return math.Max(sigma*x, 0) + math.Log1p(math.Exp(-math.Abs(sigma*x))), sigma * p, sigma * sigma * p * (1 - p)
	}
}

// pairLoss is an exported loss with its definition.
type pairLoss struct {
	name string
	ref  pairRef
	loss func(c []float64, q PairQuery, work *Work) float64
}

func pairLosses() []pairLoss {
	ls := []pairLoss{{"squared hinge", squaredHingeRef, PairSquaredHinge}}
	for _, delta := range []float64{0, 1e-3, 0.5, 2} {
		ls = append(ls, pairLoss{"huber hinge", huberRef(delta),
			func(c []float64, q PairQuery, work *Work) float64 {
				return PairHuberHinge(c, q, delta, work)
			}})
	}
	for _, sigma := range []float64{1, 0.3, 40} {
		ls = append(ls, pairLoss{"logistic", logisticRef(sigma),
			func(c []float64, q PairQuery, work *Work) float64 {
				return PairLogistic(c, q, sigma, work)
			}})
	}
	return ls
}

// betterWeights returns random values for PairQuery.Better, some of which are 0.
func betterWeights(rng *rand.Rand, n int) []float64 {
	better := make([]float64, n)
	for i := range better {
		better[i] = max(0, 3*rng.Float64()-0.5)
	}
	return better
}

// weightRef is the definition of the weight of the pair (i, j).
func weightRef(w pairWeights, i, j int) float64 {
	v := 1.0
	if w.gain != nil {
		v = w.gain[i] - w.gain[j]
	}
	if w.better != nil {
		v *= w.better[i]
	}
	return v
}

// The kernels are compared with naive sums by definition.
func TestPairDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var work Work
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 17, 64, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, grades := range []int{1, 2, 5, n} {
				if grades == 0 {
					continue
				}
				z, lower, gain := pairQuery(rng, n, grades, 2)
				better := betterWeights(rng, n)
				c := make([]float64, n)
				for _, l := range pairLosses() {
					uneven := slices.Clone(gain) // several gains per label
					for i := range uneven {
						uneven[i] += 0.25 * float64(i) / float64(n)
					}
					for _, w := range []pairWeights{{}, {gain, nil}, {uneven, nil}, {nil, better}, {gain, better}} {
						for i := range c {
							c[i] = math.NaN()
						}
						got := l.loss(c, PairQuery{z, lower, w.gain, w.better, 0.75}, &work)
						want, wantC := 0.0, make([]float64, n)
						size := 1e-300
						for i, p := range lower {
							for j := range int(p) {
								w := 0.75 * weightRef(w, i, j)
								h, d1, _ := l.ref(z[j] - z[i])
								want += w * h
								wantC[i] -= w * d1
								wantC[j] += w * d1
								size += w * (h + d1)
							}
						}
						tol := 1e-13 * size
						if l.name == "logistic" {
							tol += 4e-16 * float64(n*n)
						}
						if math.Abs(got-want) > tol {
							t.Errorf("%s, %d grades: loss %g, want %g", l.name, grades, got, want)
						}
						for i := range c {
							if math.Abs(c[i]-wantC[i]) > tol {
								t.Errorf("%s, %d grades: c[%d] = %g, want %g", l.name, grades, i, c[i], wantC[i])
							}
						}
					}
				}
			}
		})
	}
}

// expBig returns exp(x) to about 140 bits.
func expBig(x float64) *big.Float {
	const prec = 160
	// exp(x) = exp(x/2^12)^(2^12), the inner one by its series.
	y := new(big.Float).SetPrec(prec).SetFloat64(x)
	y.SetMantExp(y, -12)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for k := 1; k < 40; k++ {
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetInt64(int64(k)))
		sum.Add(sum, term)
	}
	for range 12 {
		sum.Mul(sum, sum)
	}
	return sum
}

// log1pExpBig returns log(1+exp(x)) to about 100 bits, near the guess.
func log1pExpBig(x, guess float64) *big.Float {
	const prec = 160
	e := expBig(x)
	if x < -30 { // e − e²/2 + e³/3
		e2 := new(big.Float).SetPrec(prec).Mul(e, e)
		e3 := new(big.Float).SetPrec(prec).Mul(e2, e)
		e.Sub(e, e2.Quo(e2, big.NewFloat(2)))
		return e.Add(e, e3.Quo(e3, big.NewFloat(3)))
	}
	// log y = g + log(y/exp(g)), the quotient being 1+d with |d| < 2^-40.
	y := e.Add(e, big.NewFloat(1))
	d := new(big.Float).SetPrec(prec).Quo(y, expBig(guess))
	d.Sub(d, big.NewFloat(1))
	d2 := new(big.Float).SetPrec(prec).Mul(d, d)
	d.Sub(d, d2.Quo(d2, big.NewFloat(2)))
	return d.Add(d, new(big.Float).SetFloat64(guess))
}

// An error in the last place of a coefficient is too small to change a result, so coefficients are
// computed again.
func TestExpLogCoefficients(t *testing.T) {
	const prec = 200
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(v) }
	sum := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Add(a, b) }
	product := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Mul(a, b) }
	ratio := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Quo(a, b) }
	// series returns Σ aₖ·xᵏ, where each coefficient is a function of k.
	series := func(x *big.Float, a func(k int) *big.Float) *big.Float {
		s, power := number(0), number(1)
		for k := range 80 {
			s, power = sum(s, product(a(k), power)), product(power, x)
		}
		return s
	}
	factorial := func(n int) *big.Float { return number(0).SetInt(new(big.Int).MulRange(1, int64(n))) }
	// Constants to 106 bits.
	ln2, pi := sum(number(math.Ln2), number(math.Ln2-0x1.62e42fefa39efp-1)),
		sum(number(math.Pi), number(math.Pi-0x1.921fb54442d18p+1))
	sqrt2 := number(0).Sqrt(number(2))
	// interpolate returns the coefficients of the polynomial through f at n Chebyshev nodes.
	interpolate := func(n int, lo, hi *big.Float, f func(x *big.Float) *big.Float) []float64 {
		half := number(0.5)
		mid, radius := product(half, sum(hi, lo)), product(half, sum(hi, number(0).Neg(lo)))
		x, y := make([]*big.Float, n), make([]*big.Float, n)
		for k := range x {
			angle := product(pi, ratio(number(float64(2*k+1)), number(float64(2*n))))
			cos := series(product(angle, angle),
				func(k int) *big.Float { return ratio(number(float64(1-k%2*2)), factorial(2*k)) })
			x[k] = sum(mid, product(radius, cos))
			y[k] = f(x[k])
		}
		for k := 1; k < n; k++ { // divided differences
			for i := n - 1; i >= k; i-- {
				y[i] = ratio(sum(y[i], number(0).Neg(y[i-1])), sum(x[i], number(0).Neg(x[i-k])))
			}
		}
		c := make([]*big.Float, n) // Newton's form, multiplied out
		for i := range c {
			c[i] = number(0)
		}
		for k := n - 1; k >= 0; k-- {
			for i := n - 1; i >= 0; i-- {
				c[i] = product(c[i], number(0).Neg(x[k]))
				if i > 0 {
					c[i] = sum(c[i], c[i-1])
				}
			}
			c[0] = sum(c[0], y[k])
		}
		rounded := make([]float64, n)
		for i := range c {
			rounded[i], _ = c[i].Float64()
		}
		return rounded
	}
	reach := product(ratio(number(10001), number(20000)), ln2)
	s := sum(number(3), product(number(-2), sqrt2))
	for name, c := range map[string]struct{ got, want []float64 }{
		"exp": {[]float64{exp2, exp3, exp4, exp5, exp6, exp7, exp8, exp9, exp10, exp11},
			interpolate(10, number(0).Neg(reach), reach, func(r *big.Float) *big.Float {
				return series(r, func(k int) *big.Float { return ratio(number(1), factorial(k+2)) })
			})},
		"log": {[]float64{log3, log5, log7, log9, log11, log13, log15},
			interpolate(7, number(0), product(ratio(number(1001), number(1000)), product(s, s)),
				func(z *big.Float) *big.Float {
					return series(z, func(k int) *big.Float { return ratio(number(2), number(float64(2*k+3))) })
				})},
		"others": {[]float64{log2E, ln2Hi, ln2Lo, sqrt2m1},
			[]float64{math.Log2E, math.Ln2, math.Ln2 - 0x1.62e42fefa39efp-1, math.Sqrt2 - 1}},
	} {
		t.Run(name, func(t *testing.T) {
			for i, want := range c.want {
				if c.got[i] != want {
					t.Errorf("constant %d is %x, want %x", i, c.got[i], want)
				}
			}
		})
	}
}

// ulps returns |got − want| in units of want's last place.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	u := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	d := new(big.Float).Sub(want, new(big.Float).SetFloat64(got))
	d.Quo(d, new(big.Float).SetFloat64(u))
	f, _ := d.Float64()
	return math.Abs(f)
}

// The error bound of exp is a sum of roundings, in ulp of a result e^r·2^k. The worst case is r
// close to −1/4: 1/2 for the result, e^r/4 for each of the two steps that compute r, and about 0.04
// for the smaller terms.
func TestExpLog1pExpError(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var worstExp, worstLog float64
	n := 20000
	if testing.Short() || kern.Race {
		n = 500 // exact arithmetic is slow in emulation, and uses no threads
	}
	for range n {
		reduced := float64(rng.IntN(2000)-1000)*math.Ln2 - .25 - 0.05*rng.Float64()
		x := []float64{rng.Float64()*1415 - 706, rng.NormFloat64(), 0.01 * rng.NormFloat64(), reduced}[rng.IntN(4)]
		y := []float64{x}
		ExpF64(y, y)
		worstExp = max(worstExp, ulps(y[0], expBig(x)))
		x = min(x, 40) // above 37 the result is x
		l := softplus(x)
		worstLog = max(worstLog, ulps(l, log1pExpBig(x, l)))
	}
	// The largest errors found in 13 million tests.
	for _, x := range []float64{-371.1627413393195, 151.47000191447407, -653.2689721949192} {
		y := []float64{x}
		ExpF64(y, y)
		worstExp = max(worstExp, ulps(y[0], expBig(x)))
	}
	t.Logf("largest error: exp %.4f ulp, log1p(exp) %.4f ulp", worstExp, worstLog)
	if worstExp > 0.95 || worstLog > 2 {
		t.Errorf("largest error: exp %.4f ulp, log1p(exp) %.4f ulp; documented 0.95 and 2", worstExp, worstLog)
	}
}

func pairSweepArgs(f func(tree []float64, leaf []int32, ask, item, x, y []float64, margin float64, done, from, to int,
	sx, sy []float64) int) func(a []any) {
	return func(a []any) {
		v := func(i int) []float64 { return a[i].([]float64) }
		n, done := len(v(2)), 0
		for from := 0; from < n; from += 48 {
			done = f(v(0), a[1].([]int32), v(2), v(3), v(4), v(5), 0.25, done, from, min(from+48, n), v(6), v(7))
		}
		a[8].([]int)[0] = done
	}
}

// The O(n log n) algorithm is compared with the sum over all pairs, for tied labels, tied scores,
// weights, scores with a large common offset, and groups longer than a leaf.
func TestPairLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var work Work
	lengths, zones := []int{2, 50, 97, 450}, []float64{-1, 0, 1e-9, 1e-3, 0.5, 3} // 450: a node and more of leaves
	if testing.Short() {
		lengths, zones = []int{2, 450}, []float64{-1, 1e-3, 3}
	}
	for _, n := range lengths {
		for _, grades := range []int{2, 5, 60, n} {
			if testing.Short() && grades > 5 && grades < n {
				continue
			}
			for _, scores := range []func() float64{
				rng.NormFloat64,
				func() float64 { return float64(rng.IntN(9)) / 4 },
				func() float64 { return 1e6 + 20*rng.NormFloat64() },
				func() float64 { return 1e-3 * rng.NormFloat64() },
				func() float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(12)) },
			} {
				z, lower, gain := pairQuery(rng, n, grades, 1)
				if lower[n-1] == 0 {
					continue
				}
				for i := range z {
					z[i] = scores()
				}
				better := betterWeights(rng, n)
				for _, w := range []pairWeights{{}, {gain, nil}, {nil, better}, {gain, better}} {
					for _, delta := range zones {
						got, want := make([]float64, n), make([]float64, n)
						var near, acc [4][8]float64
						var loss float64
						if delta < 0 {
							loss = pairSquaredHingeLong(got, 1, z, lower, w, &work, &near)
							pairSquaredHingeRows(want, z, lower, w, &work, &acc)
						} else {
							loss = pairHuberHingeLong(got, 1, z, lower, w, delta, &work, &near)
							inv, half := huberFactors(delta)
							pairHuberHingeRows(want, z, lower, w, inv, half, &work, &acc)
						}
						loss += pairReduceLoss(&near)
						size := 1e-6
						for _, v := range want {
							size = max(size, math.Abs(v))
						}
						tol := 1e-10 // scores of 1e6 keep 10 digits of a margin
						if delta > 0 && delta < 1e-6 {
							tol = 1e-4 // nearly all of the zone is rounding
						}
						if all := pairReduceLoss(&acc); math.Abs(loss-all) > tol*(1+all) {
							t.Errorf("n %d, %d grades, delta %g: loss %v, all pairs %v", n, grades, delta, loss, all)
						}
						for i := range want {
							if math.Abs(got[i]-want[i]) > tol*size {
								t.Fatalf("n %d, %d grades, delta %g: c[%d] = %v, all pairs %v", n, grades, delta, i,
									got[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

// A query uses the O(n log n) algorithm if it has enough pairs and all scores are finite.
func TestPairIsLong(t *testing.T) {
	z, lower := make([]float64, 1000), make([]int32, 1000)
	for i := range lower {
		lower[i] = int32(i)
	}
	if !pairIsLong(z, lower) {
		t.Error("1000 documents with distinct labels are short")
	}
	if pairIsLong(z[:500], lower[:500]) {
		t.Error("500 documents are long")
	}
	z[3] = math.Inf(1)
	if pairIsLong(z, lower) {
		t.Error("an infinite score is no obstacle")
	}
}

// If goroutines share a long query, the results are bit-identical.
func TestPairThreads(t *testing.T) {
	const n = 3*pairParallel + 7 // shared by at most three
	rng := rand.New(rand.NewPCG(3, 4))
	q := PairQuery{Scores: make([]float64, n), Lower: make([]int32, n), Gain: make([]float64, n), Weight: 1}
	for i := range n {
		q.Scores[i] = float64(rng.IntN(1<<20))/(1<<18) + float64(rng.IntN(3))*0x1p-45 // some share a key
		q.Lower[i], q.Gain[i] = int32(i/5*5), float64(i/5)
	}
	better := betterWeights(rng, n)
	for name, kernel := range map[string]func(c []float64, q PairQuery, work *Work) float64{
		"squared hinge": PairSquaredHinge,
		"Huber hinge":   func(c []float64, q PairQuery, w *Work) float64 { return PairHuberHinge(c, q, 0.5, w) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range []pairWeights{{}, {q.Gain, better}} {
				if w.gain != nil && testing.Short() {
					continue
				}
				q := q
				q.Gain, q.Better = w.gain, w.better
				var work Work
				var want []uint64
				numbers := []int{8, 1, 2}
				if testing.Short() {
					numbers = numbers[:2]
				}
				for _, threads := range numbers {
					work.Threads = threads
					c := make([]float64, n)
					loss := kernel(c, q, &work)
					if s := &work.long; s.c != nil || s.z != nil || s.lower != nil || !s.docs.none() || s.team != nil {
						t.Fatalf("%d threads: the workspace keeps what is the caller's", threads)
					}
					var got []uint64
					for _, v := range append(c, loss) {
						got = append(got, math.Float64bits(v))
					}
					if want == nil {
						want = got
					}
					if !slices.Equal(got, want) {
						t.Errorf("%d threads give other bits", threads)
					}
				}
			}
		})
	}
}

// With one thread, no query allocates once the workspace is large enough. This covers short and
// long queries, steps between few labels, and weights of many labels.
func TestPairAllocates(t *testing.T) {
	if kern.Race {
		t.Skip("what assembly writes is told to the race detector, and escapes")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	work, c := Work{Threads: 1}, make([]float64, 700)
	for _, n := range []int{100, 700} { // 700: swept
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, grades := range []int{5, 100} {
				z, lower, gain := pairQuery(rng, n, grades, 1)
				for _, w := range []pairWeights{{}, {gain, nil}, {gain, gain}} {
					q := PairQuery{Scores: z, Lower: lower, Gain: w.gain, Better: w.better, Weight: 1}
					for name, kernel := range map[string]func(){
						"PairSquaredHinge": func() { PairSquaredHinge(c[:n], q, &work) },
						"PairHuberHinge":   func() { PairHuberHinge(c[:n], q, 0.5, &work) },
						"PairLogistic":     func() { PairLogistic(c[:n], q, 1, &work) },
					} {
						// The mean of three runs is truncated to an integer, because the runtime
						// may allocate once.
						if a := testing.AllocsPerRun(3, kernel); a != 0 {
							t.Errorf("%s, %d grades, gains %t, factors %t: %v allocations", name, grades,
								w.gain != nil, w.better != nil, a)
						}
					}
				}
			}
		})
	}
}

// Stop ends calls that would last for minutes, and changes nothing while it returns false.
func TestPairStop(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long without fused multiply-adds")
	}
	const n = 400_000
	long := PairQuery{Scores: make([]float64, n), Lower: make([]int32, n), Weight: 1}
	many, distinct := make([]float64, n), make([]int32, n) // more gains than steps are used for
	for i := range n {
		long.Scores[i], many[i], distinct[i] = float64(i*7919%n)/1000, float64(i), int32(i)
		if i >= n/2 {
			long.Lower[i] = n / 2
		}
	}
	c := make([]float64, n)
	for name, kernel := range map[string]func(w *Work, q PairQuery){
		"squared hinge":  func(w *Work, q PairQuery) { PairSquaredHinge(c[:len(q.Scores)], q, w) },
		"hinge":          func(w *Work, q PairQuery) { PairHuberHinge(c[:len(q.Scores)], q, 0.5, w) },
		"logistic":       func(w *Work, q PairQuery) { PairLogistic(c[:len(q.Scores)], q, 0.1, w) },
		"logistic, wide": func(w *Work, q PairQuery) { PairLogistic(c[:len(q.Scores)], q, 10, w) },
		"logistic, gains": func(w *Work, q PairQuery) {
			if q.Gain = many[:len(q.Scores)]; len(c) == len(q.Scores) {
				q.Lower = distinct
			}
			PairLogistic(c[:len(q.Scores)], q, 0.1, w)
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			kernel(&Work{Threads: 1, Stop: func() bool { calls++; return true }}, long)
			if calls == 0 {
				t.Error("did not ask")
			}
			few := PairQuery{Scores: long.Scores[:3000], Lower: make([]int32, 3000), Weight: 1}
			for i := 1000; i < 3000; i++ {
				few.Lower[i] = 1000
			}
			kernel(nil, few)
			want := slices.Clone(c[:len(few.Scores)])
			kernel(&Work{Threads: 1, Stop: func() bool { calls++; return false }}, few)
			if !slices.Equal(c[:len(want)], want) {
				t.Error("other derivatives")
			}
		})
	}
}
