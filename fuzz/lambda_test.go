package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/trees"
)

// FuzzLambdaF32 compares the tiers of LambdaF32 and LambdaUnbiasedF32 with the reference.
func FuzzLambdaF32(f *testing.F) {
	scoreSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		all := scoreInput(data)
		n := len(all) / 6
		column := func(i int) []float32 {
			c := make([]float32, (n+15)&^15)
			copy(c, all[i*n:][:n])
			return c
		}
		docs := trees.LambdaDocs{N: n, Score: column(0), Gain: column(1), U: column(2), V: column(3), E: column(4),
			F: column(5), Limit: 1, Base: 1}
		if at&1 == 1 {
			docs.Limit, docs.Base, docs.Slope = float32(math.Inf(1)), 0.01, 1
		}
		from := int(at>>1) % (n + 1)
		docs.Plus, docs.Minus, docs.Sigma = column(2), column(5), 0.5
		run := func() []float32 {
			var out []float32
			for _, kernel := range []func(grad, hess []float32, docs *trees.LambdaDocs, from, to int,
				lanes *[16]float32){trees.LambdaF32, trees.LambdaUnbiasedF32} {
				grad, hess, lanes := make([]float32, len(docs.Score)), make([]float32, len(docs.Score)), [16]float32{}
				docs.PlusLoss, docs.MinusLoss = make([]float32, len(docs.Score)), make([]float32, len(docs.Score))
				kernel(grad, hess, &docs, from, n, &lanes)
				out = slices.Concat(out, grad, hess, lanes[:], docs.PlusLoss, docs.MinusLoss)
			}
			return out
		}
		restore := cpu.Force(cpu.Generic)
		want := run()
		restore()
		eachTier(func(tier cpu.Tier) {
			for i, v := range run() {
				if math.Float32bits(v) != math.Float32bits(want[i]) && (v == v || want[i] == want[i]) {
					t.Fatalf("%v, %d documents from %d: result %d is %v, want %v", tier, n, from, i, v, want[i])
				}
			}
		})
	})
}
