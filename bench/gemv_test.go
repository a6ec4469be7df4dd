package bench

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/kernels"
	"gonum.org/v1/gonum/blas"
)

// levels are the levels of memory, and the number of bytes that fill them.
var levels = []struct {
	name  string
	bytes int
}{{"L1", 24 << 10}, {"L2", 512 << 10}, {"L3", 8 << 20}, {"RAM", 256 << 20}}

// BenchmarkRead measures the maximum read speed of a kernel, which limits the other benchmarks.
func BenchmarkRead(b *testing.B) {
	for _, level := range levels {
		benchTiers(b, level.name, func(b *testing.B) {
			x := numbers[float64](level.bytes/8, 1)
			half := len(x) / 2
			b.SetBytes(int64(level.bytes))
			for b.Loop() {
				sink64 = kernels.DotF64(x[:half], x[half:])
			}
		})
	}
}

// matrices runs f as d=…/level/tier=… for each shape and tier and, if peer is not nil, peer as
// d=…/level/tier=gonum. The matrices have elements of size bytes and fill a level of memory. Their
// rows are padded to 64 bytes.
func matrices(b *testing.B, size int, f, peer func(b *testing.B, rows, cols, stride int)) {
	for _, d := range []int{46, 136, 220, 700} {
		for _, level := range levels {
			stride := (d*size + 63) / 64 * 64 / size
			rows := level.bytes / (stride * size)
			timed := func(f func(b *testing.B, rows, cols, stride int)) func(b *testing.B) {
				return func(b *testing.B) {
					b.SetBytes(int64(rows * stride * size))
					f(b, rows, d, stride)
					perSecond(b, 2*rows*d)
				}
			}
			b.Run(fmt.Sprintf("d=%d/%s", d, level.name), func(b *testing.B) {
				tiers(b, timed(f))
				if peer != nil {
					b.Run("tier=gonum", timed(peer))
				}
			})
		}
	}
}

// A gemv is a product of a matrix and a vector. For the transpose, dst and x are exchanged.
type gemv[A, X float32 | float64] func(dst, x []X, a []A, rows, cols, stride int)

func (f gemv[A, X]) bench(transposed bool) func(b *testing.B, rows, cols, stride int) {
	if f == nil {
		return nil
	}
	return func(b *testing.B, rows, cols, stride int) {
		dst, a, x := make([]X, rows), numbers[A](rows*stride, 1), numbers[X](cols, 2)
		if transposed {
			dst, x = make([]X, cols), numbers[X](rows, 2)
		}
		for b.Loop() {
			f(dst, x, a, rows, cols, stride)
		}
	}
}

func benchmarkGemv[A, X float32 | float64](b *testing.B, transposed bool, kernel, peer gemv[A, X]) {
	matrices(b, int(unsafe.Sizeof(A(0))), kernel.bench(transposed), peer.bench(transposed))
}

func BenchmarkGemvF64(b *testing.B) {
	benchmarkGemv(b, false, kernels.GemvF64, func(dst, x, a []float64, rows, cols, stride int) {
		blasGonum.Dgemv(blas.NoTrans, rows, cols, 1, a, stride, x, 1, 0, dst, 1)
	})
}

func BenchmarkGemvF32(b *testing.B) {
	benchmarkGemv(b, false, kernels.GemvF32, func(dst, x, a []float32, rows, cols, stride int) {
		blasGonum.Sgemv(blas.NoTrans, rows, cols, 1, a, stride, x, 1, 0, dst, 1)
	})
}

func BenchmarkGemvF32Wide(b *testing.B) { benchmarkGemv(b, false, kernels.GemvF32Wide, nil) }

func BenchmarkAddGemvTF64(b *testing.B) {
	benchmarkGemv(b, true, kernels.AddGemvTF64, func(dst, c, a []float64, rows, cols, stride int) {
		blasGonum.Dgemv(blas.Trans, rows, cols, 1, a, stride, c, 1, 1, dst, 1)
	})
}

func BenchmarkAddGemvTF32(b *testing.B) {
	benchmarkGemv(b, true, kernels.AddGemvTF32, func(dst, c, a []float32, rows, cols, stride int) {
		blasGonum.Sgemv(blas.Trans, rows, cols, 1, a, stride, c, 1, 1, dst, 1)
	})
}

func BenchmarkAddGemvTF32Wide(b *testing.B) { benchmarkGemv(b, true, kernels.AddGemvTF32Wide, nil) }

// sparseMatrices runs f as d=…/density=…/tier=… for each shape and tier. The rows fill the L2
// cache.
func sparseMatrices(b *testing.B, f func(b *testing.B, rows, cols int, offsets []int, index []int32, value []float32)) {
	for _, d := range []int{136, 1000, 10_000} {
		for _, of := range []int{5, 10, 20, 100} {
			offsets := []int{0}
			var index []int32
			var h uint32
			for len(index) < 64<<10 {
				for j := range d {
					if h = h*1664525 + 1013904223; h>>8%uint32(of) == 0 {
						index = append(index, int32(j))
					}
				}
				offsets = append(offsets, len(index))
			}
			value := numbers[float32](len(index), 1)
			benchTiers(b, fmt.Sprintf("d=%d/density=%g", d, 1/float64(of)), func(b *testing.B) {
				f(b, len(offsets)-1, d, offsets, index, value)
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(index)), "ns/element")
			})
		}
	}
}

func BenchmarkSpmvF32Wide(b *testing.B) {
	sparseMatrices(b, func(b *testing.B, rows, cols int, offsets []int, index []int32, value []float32) {
		dst, x := make([]float64, rows), numbers[float64](cols, 2)
		for b.Loop() {
			kernels.SpmvF32Wide(dst, x, offsets, index, value)
		}
	})
}

func BenchmarkAddSpmvTF32Wide(b *testing.B) {
	sparseMatrices(b, func(b *testing.B, rows, cols int, offsets []int, index []int32, value []float32) {
		dst, c := make([]float64, cols), numbers[float64](rows, 2)
		for b.Loop() {
			kernels.AddSpmvTF32Wide(dst, c, offsets, index, value)
		}
	})
}

func BenchmarkNonzerosF32(b *testing.B) {
	for _, of := range []uint32{2, 10, 50, 1000} {
		row := numbers[float32](10_000, 1)
		var h uint32
		for j := range row {
			if h = h*1664525 + 1013904223; h>>8%of > 0 {
				row[j] = 0
			}
		}
		index, value := make([]int32, len(row)), make([]float32, len(row))
		benchTiers(b, fmt.Sprintf("density=%g", 1/float64(of)), func(b *testing.B) {
			b.SetBytes(int64(4 * len(row)))
			for b.Loop() {
				kernels.NonzerosF32(index, value, row)
			}
		})
	}
}
