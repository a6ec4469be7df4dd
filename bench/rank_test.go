package bench

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// BenchmarkOrder compares rank.Order and rank.TopK with the sorts of the standard library, on
// random scores.
func BenchmarkOrder(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		scores, single := make([]float64, n), make([]float32, n)
		for i := range scores {
			scores[i] = rng.Float64()
			single[i] = float32(scores[i])
		}
		var w rank.OrderWorkspace
		dst := make([]int, n)
		for _, c := range []struct {
			name string
			do   func()
		}{
			{"Order/float64", func() { rank.Order(&w, dst[:0], scores) }},
			{"Order/float32", func() { rank.Order(&w, dst[:0], single) }},
			{"TopK10/float64", func() { rank.TopK(&w, dst[:0], scores, 10) }},
			{"TopK10/float32", func() { rank.TopK(&w, dst[:0], single, 10) }},
			{"sort.Slice", func() {
				number(dst)
				sort.Slice(dst, func(i, j int) bool { return scores[dst[i]] > scores[dst[j]] })
			}},
			{"slices.SortStableFunc", func() {
				number(dst)
				slices.SortStableFunc(dst, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
			}},
		} {
			b.Run(fmt.Sprintf("n=%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					c.do()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/score")
			})
		}
	}
}

func number(dst []int) {
	for i := range dst {
		dst[i] = i
	}
}
