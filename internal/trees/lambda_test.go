package trees

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

var _ = register(entry{
	Name:    "LambdaF32",
	Lengths: []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 129},
	Long:    []int{300, 1025},
	Args:    lambdaArgs,
	Writes:  []int{0, 1, 8},
	Call: func(a []any) {
		docs := lambdaDocs(a)
		LambdaF32(a[0].([]float32), a[1].([]float32), &docs, a[11].(int), a[12].(int), (*[16]float32)(a[8].([]float32)))
	},
	Spec: func(a []any) {
		docs := lambdaDocs(a)
		grad, hess, lanes := a[0].([]float32), a[1].([]float32), a[8].([]float32)
		for i := a[11].(int); i < a[12].(int); i++ {
			var sums [2][16]float32
			for j := i + 1; j < docs.N; j++ {
				gi, gj := docs.Gain[i], docs.Gain[j]
				if gi == gj {
					continue
				}
				w := lambdaWeight(&docs, i, j)
				x := float32(docs.E[i] * docs.F[j])
				r := 1 / (1 + x)
				q := float32(x * r)
				h := float32(float32(w*q) * r)
				sign, p := float32(-1), r
				if gi > gj {
					sign, p = 1, q
				}
				lambda := float32(w * p)
				lanes[j%16] += lambda
				grad[j] += sign * lambda
				hess[j] += h
				sums[0][j%16] += sign * lambda
				sums[1][j%16] += h
			}
			grad[i] -= SumLanesF32(&sums[0])
			hess[i] += SumLanesF32(&sums[1])
		}
	},
})

// lambdaArgs draws the operands of LambdaF32.
func lambdaArgs(d *draw, n int) []any {
	p := (n + 15) &^ 15
	a := []any{make([]float32, p), make([]float32, p)} // sums never are −0
	for i := range p {
		a[0].([]float32)[i], a[1].([]float32)[i] = float32(d.IntN(100)-50), float32(d.IntN(100))
	}
	for range 6 {
		a = append(a, d.F32s(p))
	}
	if !d.Special { // sorted scores, grades, discounts, factors of exponentials
		for i := range p {
			a[2].([]float32)[i] = float32(-i) / 8
			a[3].([]float32)[i] = float32(d.IntN(4))
			a[4].([]float32)[i] = 1 / float32(i+1)
			a[5].([]float32)[i] = -1 / float32(i+1)
			a[6].([]float32)[i], a[7].([]float32)[i] = d.Float32(), d.Float32()
		}
	}
	limit := []float32{1, float32(math.Inf(1)), float32(d.IntN(5))}[d.IntN(3)]
	form := []float32{limit, 1, 0}
	if d.IntN(2) == 0 {
		form = []float32{limit, 0.01, 1}
	}
	from := d.IntN(n/2 + 1)
	to := from + d.IntN(min(n-from, 40)+1)
	return append(a, make([]float32, 16), form, n, from, to)
}

var _ = register(entry{
	Name:    "LambdaUnbiasedF32",
	Lengths: []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 129},
	Long:    []int{300, 1025},
	Args: func(d *draw, n int) []any {
		a := lambdaArgs(d, n)
		p := len(a[0].([]float32))
		losses := []any{make([]float32, p), make([]float32, p), d.F32s(p), d.F32s(p)}
		for i := range p {
			losses[0].([]float32)[i], losses[1].([]float32)[i] = float32(d.IntN(100)), float32(d.IntN(100))
			if !d.Special {
				losses[2].([]float32)[i], losses[3].([]float32)[i] = float32(i%20+1), 1/float32(i%5+1)
			}
		}
		sigma := []float32{1, 0.5, math.MaxFloat32}[d.IntN(3)]
		return append(append(a, losses...), sigma)
	},
	Writes: []int{0, 1, 8, 13, 14},
	Call: func(a []any) {
		docs := lambdaDocs(a)
		LambdaUnbiasedF32(a[0].([]float32), a[1].([]float32), &docs, a[11].(int), a[12].(int),
			(*[16]float32)(a[8].([]float32)))
	},
	Spec: func(a []any) {
		docs := lambdaDocs(a)
		grad, hess, lanes := a[0].([]float32), a[1].([]float32), a[8].([]float32)
		for i := a[11].(int); i < a[12].(int); i++ {
			var sums [4][16]float32
			for j := i + 1; j < docs.N; j++ {
				gi, gj := docs.Gain[i], docs.Gain[j]
				if gi == gj {
					continue
				}
				apart := docs.Score[i] - docs.Score[j]
				w := lambdaWeight(&docs, i, j)
				x := float32(docs.E[i] * docs.F[j])
				r := 1 / (1 + x)
				q := float32(x * r)
				loss := float32(0)
				for k := 7; k >= 0; k-- {
					loss = float32((loss + lambdaLog[k][3]) * x)
				}
				better, a, b := gi > gj, docs.Plus[i], docs.Minus[j]
				sign, p := float32(1), q
				if !better {
					a, b, sign, p = docs.Minus[i], docs.Plus[j], -1, r
					more := float32(docs.Sigma * apart)
					if !(more < math.MaxFloat32) {
						more = math.MaxFloat32
					}
					loss += more
				}
				loss = float32(w * loss)
				w = float32(w * float32(a*b))
				lambda, h := float32(w*p), float32(float32(w*q)*r)
				lanes[j%16] += lambda
				grad[j] += sign * lambda
				hess[j] += h
				sums[0][j%16] += sign * lambda
				sums[1][j%16] += h
				if better {
					sums[2][j%16] += float32(loss * b)
					docs.MinusLoss[j] += float32(loss * a)
				} else {
					sums[3][j%16] += float32(loss * b)
					docs.PlusLoss[j] += float32(loss * a)
				}
			}
			grad[i] -= SumLanesF32(&sums[0])
			hess[i] += SumLanesF32(&sums[1])
			docs.PlusLoss[i] += SumLanesF32(&sums[2])
			docs.MinusLoss[i] += SumLanesF32(&sums[3])
		}
	},
})

// lambdaWeight returns w of the ranks i and j.
func lambdaWeight(docs *LambdaDocs, i, j int) float32 {
	w := float32(math.Abs(float64(docs.Gain[i] - docs.Gain[j])))
	if !(w < docs.Limit) {
		w = docs.Limit
	}
	w = float32(w * float32(math.Abs(float64(docs.U[i]+docs.V[j]))))
	return w / (docs.Base + float32(docs.Slope*(docs.Score[i]-docs.Score[j])))
}

func lambdaDocs(a []any) LambdaDocs {
	form := a[9].([]float32)
	docs := LambdaDocs{
		N:     a[10].(int),
		Score: a[2].([]float32), Gain: a[3].([]float32), U: a[4].([]float32), V: a[5].([]float32), E: a[6].([]float32),
		F: a[7].([]float32), Limit: form[0], Base: form[1], Slope: form[2],
	}
	if len(a) > 13 {
		docs.PlusLoss, docs.MinusLoss = a[13].([]float32), a[14].([]float32)
		docs.Plus, docs.Minus, docs.Sigma = a[15].([]float32), a[16].([]float32), a[17].(float32)
	}
	return docs
}

// Slices of a wrong length, and documents to pair that are none, panic.
func TestLambdaPanics(t *testing.T) {
	const n = 17
	grad, hess, lanes := make([]float32, 32), make([]float32, 32), new([16]float32)
	column := func() []float32 { return make([]float32, 32) }
	call := func(from, to int, change func(d *LambdaDocs)) string {
		d := LambdaDocs{N: n, Score: column(), Gain: column(), U: column(), V: column(), E: column(), F: column(),
			Plus: column(), Minus: column(), PlusLoss: column(), MinusLoss: column()}
		change(&d)
		err := testkit.NoFault(func() { LambdaUnbiasedF32(grad, hess, &d, from, to, lanes) })
		return fmt.Sprint(err)
	}
	if got := call(0, n, func(*LambdaDocs) {}); got != "<nil>" {
		t.Errorf("with slices of the right length: %s", got)
	}
	for name, change := range map[string]func(d *LambdaDocs){
		"Score":      func(d *LambdaDocs) { d.Score = d.Score[1:] },
		"F":          func(d *LambdaDocs) { d.F = d.F[:n] },
		"Plus":       func(d *LambdaDocs) { d.Plus = nil },
		"Minus":      func(d *LambdaDocs) { d.Minus = d.Minus[:16] },
		"PlusLoss":   func(d *LambdaDocs) { d.PlusLoss = d.PlusLoss[:31] },
		"MinusLoss":  func(d *LambdaDocs) { d.MinusLoss = make([]float32, 48) },
		"N too many": func(d *LambdaDocs) { d.N = 33 },
	} {
		t.Run(name, func(t *testing.T) {
			if got := call(0, n, change); !strings.Contains(got, "LambdaUnbiasedF32: a slice has") {
				t.Error(got)
			}
		})
	}
	for _, part := range [][2]int{{-1, 3}, {3, 2}, {0, n + 1}} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			if got := call(part[0], part[1], func(*LambdaDocs) {}); !strings.Contains(got, "must be a range") {
				t.Error(got)
			}
		})
	}
}

// The polynomial is the logarithm.
func TestLambdaLog(t *testing.T) {
	for i := range 1001 {
		x := float64(i) / 1000
		p := 0.0
		for k := 7; k >= 0; k-- {
			p = (p + float64(lambdaLog[k][0])) * x
		}
		if want := math.Log1p(x); !(math.Abs(p-want) <= 3e-7*want) {
			t.Errorf("ln(1+%v) = %v, want %v", x, p, want)
		}
	}
}

// Many documents are paired in several calls of the tier's function: the sums are those of one call
// per document.
func TestLambdaF32Blocks(t *testing.T) {
	const n, to = 1024, 200
	docs := LambdaDocs{N: n, Limit: 1, Base: 1}
	for _, s := range []*[]float32{&docs.Score, &docs.Gain, &docs.U, &docs.V, &docs.E, &docs.F} {
		*s = make([]float32, n)
		for i := range *s {
			(*s)[i] = 1 / float32(i%7+1)
		}
	}
	var lanes, wantLanes [16]float32
	grad, hess, wantGrad, wantHess := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	LambdaF32(grad, hess, &docs, 0, to, &lanes)
	for i := range to {
		LambdaF32(wantGrad, wantHess, &docs, i, i+1, &wantLanes)
	}
	if lanes != wantLanes || !slices.Equal(grad, wantGrad) || !slices.Equal(hess, wantHess) {
		t.Error("documents at once and one by one differ")
	}
}

func TestSumLanesF32(t *testing.T) {
	var lanes [16]float32
	for l := range lanes {
		lanes[l] = float32(int(1) << l)
	}
	if got := SumLanesF32(&lanes); got != 1<<16-1 {
		t.Errorf("sum of the powers of two is %v", got)
	}
	lanes = [16]float32{0: 1 << 24, 8: -1 << 24, 1: 1} // the halves cancel first
	if got := SumLanesF32(&lanes); got != 1 {
		t.Errorf("sum is %v, want 1", got)
	}
}
