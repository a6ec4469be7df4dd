package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// pairQuery draws a query of n documents with the number of grades, in the layout
// of the pair kernels; grades = n makes all labels distinct.
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

// A pairRef is a loss as its definition has it: value, first and second derivative
// by x = z[j] − z[i].
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

// pairLoss is one exported loss with its Hessian and definition.
type pairLoss struct {
	name string
	ref  pairRef
	loss func(c, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) float64
	hess func(dst, v, z []float64, lower []int32, gain []float64, weight float64, work *PairWork)
}

func pairLosses() []pairLoss {
	ls := []pairLoss{{"squared hinge", squaredHingeRef, PairSquaredHinge, PairSquaredHingeHess}}
	for _, delta := range []float64{0, 1e-3, 0.5, 2} {
		ls = append(ls, pairLoss{"huber hinge", huberRef(delta),
			func(c, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) float64 {
				return PairHuberHinge(c, z, lower, gain, delta, weight, work)
			},
			func(dst, v, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) {
				PairHuberHingeHess(dst, v, z, lower, gain, delta, weight, work)
			}})
	}
	for _, sigma := range []float64{1, 0.3, 40} {
		ls = append(ls, pairLoss{"logistic", logisticRef(sigma),
			func(c, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) float64 {
				return PairLogistic(c, z, lower, gain, sigma, weight, work)
			},
			func(dst, v, z []float64, lower []int32, gain []float64, weight float64, work *PairWork) {
				PairLogisticHess(dst, v, z, lower, gain, sigma, weight, work)
			}})
	}
	return ls
}

// The kernels against their definitions, summed naively.
func TestPairDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var work PairWork
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 17, 64, 100} {
		for _, grades := range []int{1, 2, 5, n} {
			if grades == 0 {
				continue
			}
			z, lower, gain := pairQuery(rng, n, grades, 2)
			v := make([]float64, 2*n)
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			c, hv := make([]float64, n), make([]float64, 2*n)
			for _, l := range pairLosses() {
				for _, gain := range [][]float64{nil, gain} {
					for i := range c {
						c[i] = math.NaN()
					}
					got := l.loss(c, z, lower, gain, 0.75, &work)
					l.hess(hv, v, z, lower, gain, 0.75, &work)
					want, wantC, wantHV := 0.0, make([]float64, n), make([]float64, 2*n)
					size := 1e-300
					for i, p := range lower {
						for j := range int(p) {
							w := 0.75
							if gain != nil {
								w *= gain[i] - gain[j]
							}
							h, d1, d2 := l.ref(z[j] - z[i])
							want += w * h
							wantC[i] -= w * d1
							wantC[j] += w * d1
							for k := 0; k < 2*n; k += n {
								d := w * d2 * (v[k+i] - v[k+j])
								wantHV[k+i] += d
								wantHV[k+j] -= d
								size += math.Abs(d)
							}
							size += w * (h + d1)
						}
					}
					tol := 1e-13 * size
					if math.Abs(got-want) > tol {
						t.Errorf("%s, n %d, %d grades: loss %g, want %g", l.name, n, grades, got, want)
					}
					for i := range c {
						if math.Abs(c[i]-wantC[i]) > tol {
							t.Errorf("%s, n %d, %d grades: c[%d] = %g, want %g", l.name, n, grades, i, c[i], wantC[i])
						}
					}
					for i := range hv {
						if math.Abs(hv[i]-wantHV[i]) > tol {
							t.Errorf("%s, n %d, %d grades: Hv[%d] = %g, want %g", l.name, n, grades, i, hv[i], wantHV[i])
						}
					}
				}
			}
		}
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

// ulps returns |got − want| in units of want's last place.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	u := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	d := new(big.Float).Sub(want, new(big.Float).SetFloat64(got))
	d.Quo(d, new(big.Float).SetFloat64(u))
	f, _ := d.Float64()
	return math.Abs(f)
}

func TestExpLog1pExpError(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var worstExp, worstLog float64
	for range 20000 {
		x := []float64{rng.Float64()*1415 - 706, rng.NormFloat64(), 0.01 * rng.NormFloat64()}[rng.IntN(3)]
		y := []float64{x}
		ExpF64(y, y)
		worstExp = max(worstExp, ulps(y[0], expBig(x)))
		x = min(x, 40) // above 37 the result is x
		y[0] = x
		Log1pExpF64(y, y)
		worstLog = max(worstLog, ulps(y[0], log1pExpBig(x, y[0])))
	}
	t.Logf("largest error: exp %.4f ulp, log1p(exp) %.4f ulp", worstExp, worstLog)
	if worstExp > 0.8 || worstLog > 2 {
		t.Errorf("largest error: exp %.4f ulp, log1p(exp) %.4f ulp; documented 0.8 and 2", worstExp, worstLog)
	}
}
