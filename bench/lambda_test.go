package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/trees"
)

// BenchmarkLambdaF32 pairs the first 30 documents of a query with all documents below them. ns/pair
// includes pairs with equal gains.
func BenchmarkLambdaF32(b *testing.B) { benchmarkLambda(b, trees.LambdaF32) }

func BenchmarkLambdaUnbiasedF32(b *testing.B) { benchmarkLambda(b, trees.LambdaUnbiasedF32) }

func benchmarkLambda(b *testing.B, kernel func(grad, hess []float32, docs *trees.LambdaDocs, from, to int,
	lanes *[16]float32)) {
	for _, n := range []int{30, 120, 1000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		p := (n + 15) &^ 15
		column := func(f func(i int) float32) []float32 {
			c := make([]float32, p)
			for i := range c {
				c[i] = f(i)
			}
			return c
		}
		docs := trees.LambdaDocs{
			N:     n,
			Score: column(func(i int) float32 { return -4 * float32(i) / float32(n) }),
			Gain:  column(func(int) float32 { return []float32{0, 0, 0, 0, 0, 1, 1, 1, 3, 7}[rng.IntN(10)] }),
			U:     column(func(i int) float32 { return float32(1 / math.Log2(float64(i+2))) }),
			V:     column(func(i int) float32 { return float32(-1 / math.Log2(float64(i+2))) }),
			E:     column(func(i int) float32 { return float32(math.Exp(4*float64(i)/float64(n) - 2)) }),
			F:     column(func(i int) float32 { return float32(math.Exp(2 - 4*float64(i)/float64(n))) }),
			Limit: float32(math.Inf(1)), Base: 0.01, Slope: 1,
			Plus:     column(func(i int) float32 { return float32(i%10 + 1) }),
			Minus:    column(func(int) float32 { return 1 }),
			PlusLoss: make([]float32, p), MinusLoss: make([]float32, p), Sigma: 1,
		}
		grad, hess, lanes := make([]float32, p), make([]float32, p), [16]float32{}
		top := min(n, 30)
		benchTiers(b, fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				kernel(grad, hess, &docs, 0, top, &lanes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(top*(2*n-top-1)/2), "ns/pair")
		})
	}
}
