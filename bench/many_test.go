package bench

import (
	"fmt"
	"testing"

	"github.com/simdrank/simdrank/vectors"
)

// A search compares one query with all rows of a matrix, one query with some rows, or 32 queries
// with all rows.
type search[T vectors.Element] struct {
	rows  func(dst []float32, q, a []T, rows, cols, stride int)
	ids   func(dst []float32, q, a []T, cols, stride int, ids []int32)
	block func(dst []float32, q []T, queries, qstride int, a []T, rows, cols, stride int)
}

func (s search[T]) bench(b *testing.B, flops int, elements func(n int, seed uint32) []T) {
	for _, cols := range []int{32, 96, 128, 768} {
		q := elements(32*cols, 1)
		for _, rows := range []int{100, 32 << 20 / cols} {
			b.Run(fmt.Sprintf("n=%d/rows=%d", cols, rows), func(b *testing.B) {
				a, dst := elements(rows*cols, 2), make([]float32, 32*rows)
				benchTiers(b, "one", func(b *testing.B) {
					for b.Loop() {
						s.rows(dst[:rows], q[:cols], a, rows, cols, cols)
					}
					perSecond(b, flops*rows*cols)
				})
				ids := make([]int32, 32)
				benchTiers(b, "ids", func(b *testing.B) {
					for i := uint32(0); b.Loop(); {
						for k := range ids {
							i = i*1664525 + 1013904223
							ids[k] = int32(i>>8) % int32(rows)
						}
						s.ids(dst[:len(ids)], q[:cols], a, cols, cols, ids)
					}
					perSecond(b, flops*len(ids)*cols)
				})
				benchTiers(b, "block", func(b *testing.B) {
					for b.Loop() {
						s.block(dst, q, 32, cols, a, rows, cols, cols)
					}
					perSecond(b, flops*32*rows*cols)
				})
			})
		}
	}
}

// These benchmarks measure the kernels for rows, IDs and blocks.

// BenchmarkDotMany also runs dotBlockF32 and fetch.
func BenchmarkDotMany(b *testing.B) {
	type f = float32
	search[f]{vectors.DotRows[f, f], vectors.DotIDs[f, f], vectors.DotBlock[f, f]}.bench(b, 2, numbers[f])
}

// BenchmarkL2Many runs l2RowsF32 and l2BlockF32.
func BenchmarkL2Many(b *testing.B) {
	type f = float32
	search[f]{vectors.L2Rows[f, f], vectors.L2IDs[f, f], vectors.L2Block[f, f]}.bench(b, 3, numbers[f])
}

// BenchmarkCosineMany runs cosineRowsF32 and cosinesF32.
func BenchmarkCosineMany(b *testing.B) {
	type f = float32
	search[f]{vectors.CosineRows[f, f], vectors.CosineIDs[f, f], vectors.CosineBlock[f, f]}.bench(b, 6, numbers[f])
}

func BenchmarkDotManyF16(b *testing.B) {
	type f = vectors.F16
	search[f]{vectors.DotRows[f, f], vectors.DotIDs[f, f], vectors.DotBlock[f, f]}.bench(b, 2,
		func(n int, seed uint32) []f { return halves(n, seed, vectors.NewF16) })
}

func BenchmarkDotManyBF16(b *testing.B) {
	type f = vectors.BF16
	search[f]{vectors.DotRows[f, f], vectors.DotIDs[f, f], vectors.DotBlock[f, f]}.bench(b, 2,
		func(n int, seed uint32) []f { return halves(n, seed, vectors.NewBF16) })
}
