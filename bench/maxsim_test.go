package bench

import (
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/vectors"
)

// benchmarkMaxSim times a query of 32 tokens and documents of 20 to 300 tokens. The documents with
// at most 128 elements per token fit in L2.
func benchmarkMaxSim[T vectors.Element](b *testing.B, elements func(n int, seed uint32) []T) {
	const queries = 32
	var docs [][2]int
	rows := 0
	for _, tokens := range []int{20, 300, 75, 180, 43, 121, 252, 9} {
		docs = append(docs, [2]int{rows, rows + tokens})
		rows += tokens
	}
	for _, cols := range []int{96, 128, 768} {
		q, a, dst := elements(queries*cols, 1), elements(rows*cols, 2), make([]float64, len(docs))
		benchTiers(b, fmt.Sprintf("n=%d", cols), func(b *testing.B) {
			for b.Loop() {
				vectors.MaxSim(dst, q, a, cols, cols, docs)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/queries/float64(rows), "ns/pair")
		})
	}
}

func BenchmarkMaxSimF32(b *testing.B) { benchmarkMaxSim(b, numbers[float32]) }

func BenchmarkMaxSimF16(b *testing.B) {
	benchmarkMaxSim(b, func(n int, seed uint32) []vectors.F16 { return halves(n, seed, vectors.NewF16) })
}

func BenchmarkMaxSimI8(b *testing.B) { benchmarkMaxSim(b, bytesOf[int8]) }
