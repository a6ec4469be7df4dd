package bench

import (
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/vectors"
)

// benchmarkBlock times 32 queries with a thousand rows, which fit in L2.
func benchmarkBlock[T any](b *testing.B, dims []int, elements func(n int, seed uint32) []T,
	block func(dst []float32, q []T, queries, qstride int, a []T, rows, cols, stride int)) {
	const queries, rows = 32, 1000
	for _, cols := range dims {
		q, a, dst := elements(queries*cols, 1), elements(rows*cols, 2), make([]float32, queries*rows)
		benchTiers(b, fmt.Sprintf("n=%d", cols), func(b *testing.B) {
			for b.Loop() {
				block(dst, q, queries, cols, a, rows, cols, cols)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/queries/rows, "ns/pair")
		})
	}
}

// BenchmarkBlockI8 times blockI8.
func BenchmarkBlockI8(b *testing.B) {
	benchmarkBlock(b, dims, bytesOf[int8], vectors.DotBlock[int8, int8])
}

func BenchmarkBlockU8(b *testing.B) {
	benchmarkBlock(b, dims, bytesOf[uint8], vectors.L2Block[uint8, uint8])
}

func BenchmarkBlockBits(b *testing.B) {
	benchmarkBlock(b, []int{4, 16, 64}, func(n int, seed uint32) []uint64 { return words(n, uint64(seed)) },
		vectors.HammingBlock)
}
