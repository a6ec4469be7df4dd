package bench

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/vectors"
)

// BenchmarkSearch searches 10k vectors with 128 elements, which fit in a cache. Compared with the
// kernel for many vectors, it shows the cost of selecting the best.
func BenchmarkSearch(b *testing.B) {
	const rows, cols, batch = 10_000, 128, 32
	matrix, queries := make([]float32, rows*cols), make([]float32, batch*cols)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, x := range [][]float32{matrix, queries} {
		for i := range x {
			x[i] = rng.Float32() - 0.5
		}
	}
	b.Run("DotRows", func(b *testing.B) {
		scores := make([]float32, rows)
		for b.Loop() {
			vectors.DotRows(scores, queries[:cols], matrix, rows, cols, cols)
		}
	})
	b.Run("DotBlock", func(b *testing.B) {
		scores := make([]float32, rows*batch)
		for b.Loop() {
			vectors.DotBlock(scores, queries, batch, cols, matrix, rows, cols, cols)
		}
	})
	for _, metric := range []string{"dot", "l2"} {
		for _, k := range []int{1, 10, 100, 1000} {
			index, err := nearest.New[float32](matrix, rows, cols, cols, metric)
			if err != nil {
				b.Fatal(err)
			}
			index.Threads = 1
			var found []nearest.Neighbor
			b.Run(fmt.Sprintf("%v/k=%d", metric, k), func(b *testing.B) {
				for b.Loop() {
					found, _ = index.AppendNearest(found[:0], queries[:cols], k)
				}
			})
			b.Run(fmt.Sprintf("%v/k=%d/batch", metric, k), func(b *testing.B) {
				for b.Loop() {
					found, _ = index.AppendNearestBatch(b.Context(), found[:0], queries, batch, cols, k)
				}
			})
		}
	}
}
