package trees

import (
	"math"
	"slices"
	"testing"
)

var _ = register(entry{
	Name:    "LambdaF32",
	Lengths: []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 129},
	Long:    []int{300, 1025},
	Args: func(d *draw, n int) []any {
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
	},
	Writes: []int{0, 1, 8},
	Call: func(a []any) {
		docs, form := lambdaDocs(a), a[9].([]float32)
		docs.Limit, docs.Base, docs.Slope = form[0], form[1], form[2]
		LambdaF32(a[0].([]float32), a[1].([]float32), &docs, a[11].(int), a[12].(int), (*[16]float32)(a[8].([]float32)))
	},
	Spec: func(a []any) {
		docs, form := lambdaDocs(a), a[9].([]float32)
		grad, hess, lanes := a[0].([]float32), a[1].([]float32), a[8].([]float32)
		for i := a[11].(int); i < a[12].(int); i++ {
			var sums [2][16]float32
			for j := i + 1; j < docs.N; j++ {
				gi, gj := docs.Gain[i], docs.Gain[j]
				if gi == gj {
					continue
				}
				w := float32(math.Abs(float64(gi - gj)))
				if !(w < form[0]) {
					w = form[0]
				}
				w = float32(w * float32(math.Abs(float64(docs.U[i]+docs.V[j]))))
				w /= form[1] + float32(form[2]*(docs.Score[i]-docs.Score[j]))
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

func lambdaDocs(a []any) LambdaDocs {
	return LambdaDocs{
		N:     a[10].(int),
		Score: a[2].([]float32), Gain: a[3].([]float32), U: a[4].([]float32), V: a[5].([]float32), E: a[6].([]float32),
		F: a[7].([]float32),
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
