package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/trees"
)

const (
	treeFeatures = 136
	treeHist     = treeFeatures * trees.HistogramCells
)

// treeSet contains rows of 136 bins. As in real data, columns have 1 to 256 distinct bins, and some
// contain many zeros.
func treeSet(rows int) (bins []uint8, gh []int64) {
	rng := rand.New(rand.NewPCG(uint64(rows), 7))
	bins, gh = memory.Make[uint8](rows*treeFeatures), make([]int64, rows)
	for i := range gh {
		gh[i] = int64(rng.IntN(1<<12))<<32 + int64(rng.IntN(1<<13)-1<<12)
		for f := range treeFeatures {
			if f%8 > 2 || rng.IntN(4) == 0 { // 3 of 8 columns contain 3/4 zeros
				bins[i*treeFeatures+f] = uint8(rng.IntN(256 >> (f % 4 * 2)))
			}
		}
	}
	return bins, gh
}

// perUpdate reports the time per row and feature.
func perUpdate(b *testing.B, updates int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(updates), "ns/"+unit)
}

// BenchmarkHistogramU8 adds rows to 136 histograms: all rows of a set by rows and by columns, or a
// leaf with every 20th row.
//
// A processor that writes one cell per cycle to its L1 cache needs at least one cycle per update.
// On an AMD EPYC (Zen 4), whose clock was measured before and after each run with a chain of
// multiplications, 255 random bins take 1.04 to 1.07 cycles per update by columns. By rows they
// take 1.15 to 1.2 cycles, including 0.15 for tiles, for a leaf with all of 100k rows or 1 in 200.
// For 1 in 50 of 1M rows they take 1.24 cycles. Training 100 trees with 31 leaves on 100k rows
// makes 3.47 billion updates. With one cycle per update, these would take 0.96 s of 1.66 s at 3.6
// GHz.
func BenchmarkHistogramU8(b *testing.B) {
	hist, tile := make([]int64, treeHist), make([]uint8, treeFeatures*trees.HistogramTile)
	for _, rows := range []int{20_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			bins, gh := treeSet(rows)
			benchTiers(b, "root", func(b *testing.B) {
				for b.Loop() {
					trees.HistogramU8(hist, bins, treeFeatures, nil, 0, nil, gh, tile)
				}
				perUpdate(b, rows*treeFeatures, "update")
			})
			benchTiers(b, "columns", func(b *testing.B) {
				for b.Loop() {
					trees.HistogramU8(hist, bins, treeFeatures, bins, rows, nil, gh, tile)
				}
				perUpdate(b, rows*treeFeatures, "update")
			})
			rng := rand.New(rand.NewPCG(1, 1))
			var leaf []uint32
			for i := range rows {
				if rng.IntN(20) == 0 {
					leaf = append(leaf, uint32(i))
				}
			}
			benchTiers(b, "leaf", func(b *testing.B) {
				for b.Loop() {
					trees.HistogramU8(hist, bins, treeFeatures, nil, 0, leaf, gh[:len(leaf)], tile)
				}
				perUpdate(b, len(leaf)*treeFeatures, "update")
			})
		})
	}
}

// BenchmarkHistogramU16 adds all rows, or a leaf with every 20th row. A row has 5 listed cells of
// 65536.
func BenchmarkHistogramU16(b *testing.B) {
	const rows, cells = 100_000, 1 << 16
	rng := rand.New(rand.NewPCG(rows, 8))
	hist, gh := make([]int64, cells), make([]int64, rows)
	var listed []uint16
	offsets := []uint32{0}
	for i := range gh {
		gh[i] = int64(rng.IntN(1<<12))<<32 + int64(rng.IntN(1<<13)-1<<12)
		for range rng.IntN(11) {
			listed = append(listed, uint16(rng.IntN(cells)))
		}
		offsets = append(offsets, uint32(len(listed)))
	}
	var leaf []uint32
	for i := range uint32(rows) {
		if rng.IntN(20) == 0 {
			leaf = append(leaf, i)
		}
	}
	b.Run("root", func(b *testing.B) {
		for b.Loop() {
			trees.HistogramU16(hist, listed, offsets, nil, gh)
		}
		perUpdate(b, 5*rows, "update")
	})
	b.Run("leaf", func(b *testing.B) {
		for b.Loop() {
			trees.HistogramU16(hist, listed, offsets, leaf, gh[:len(leaf)])
		}
		perUpdate(b, 5*len(leaf), "update")
	})
}

func BenchmarkSubI64(b *testing.B) {
	x, y := make([]int64, treeHist), make([]int64, treeHist)
	benchTiers(b, "136x264", func(b *testing.B) {
		for b.Loop() {
			trees.SubI64(x, x, y)
		}
		perUpdate(b, treeHist, "cell")
	})
}

// BenchmarkBestSplitI64 scans histograms of one feature. It also covers BestSplitBoundI64, which
// has no assembly.
func BenchmarkBestSplitI64(b *testing.B) {
	for _, n := range []int{16, 64, 255} {
		rng := rand.New(rand.NewPCG(1, 1))
		cells, total := make([]int64, n), int64(0)
		for i := range cells {
			cells[i] = int64(rng.IntN(1<<20))<<32 + int64(rng.IntN(1<<21)-1<<20)
			total += cells[i]
		}
		benchTiers(b, fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				trees.BestSplitI64(cells, 0, total, 0, 1, 1<<20, -1)
			}
			perUpdate(b, n, "bin")
		})
		benchTiers(b, fmt.Sprintf("bound/%d", n), func(b *testing.B) {
			for b.Loop() {
				trees.BestSplitBoundI64(cells, 0, total, 0, 1, 1<<20,
					trees.SplitBound{Order: 1, Lo: math.Inf(-1), Hi: math.Inf(1)})
			}
			perUpdate(b, n, "bin")
		})
	}
}

// BenchmarkPartitionRows partitions all rows of a set, or a leaf with every 20th row, by a column
// and by bytes of rows. Half of the rows go left, in an unpredictable order.
func BenchmarkPartitionRows(b *testing.B) {
	for _, c := range []struct{ n, every, stride int }{{1000, 1, 1}, {1000, 20, 1}, {100_000, 1, 1}, {100_000, 20, 1},
		{1_000_000, 1, 1}, {1_000_000, 20, 1}, {1_000_000, 1, treeFeatures}, {50_000, 20, treeFeatures}} {
		b.Run(fmt.Sprintf("%dof%d/stride%d", c.n, c.n*c.every, c.stride), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(c.n), 2))
			bins, from, gh := memory.Make[uint8](c.n*c.every*c.stride), make([]uint32, c.n), make([]int64, c.n)
			for i := range bins {
				bins[i] = uint8(rng.Uint32())
			}
			for i := range from {
				from[i] = uint32(i*c.every + rng.IntN(c.every))
			}
			rows, tmpRows, tmpGH := make([]uint32, c.n), make([]uint32, c.n), make([]int64, c.n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					copy(rows, from)
					trees.PartitionRows(rows, gh, tmpRows, tmpGH, bins, c.stride,
						&[4]uint64{math.MaxUint64, math.MaxUint64})
				}
				perUpdate(b, c.n, "row")
			})
		})
	}
}

// BenchmarkBinF32 bins columns of rows with 136 values, and contiguous columns. Each iteration bins
// other values, because branch predictors memorize repeated values.
func BenchmarkBinF32(b *testing.B) {
	const n = 512
	rng := rand.New(rand.NewPCG(1, 1))
	x, dst := make([]float32, 8*n*treeFeatures), make([]uint8, n)
	for i := range x {
		x[i] = rng.Float32()
	}
	for _, bins := range []int{4, 32, 255} {
		bounds := make([]float32, bins)
		for i := range bounds {
			bounds[i] = float32(i+1) / float32(bins)
		}
		bounds[bins-1] = float32(math.Inf(1))
		for _, stride := range []int{1, treeFeatures} {
			benchTiers(b, fmt.Sprintf("%dbins/stride%d", bins, stride), func(b *testing.B) {
				from, end := 0, len(x)-n*stride
				for b.Loop() {
					trees.BinF32(dst, x[from:], stride, bounds, false)
					from = (from + n*stride + 1) % end
				}
				perUpdate(b, n, "value")
			})
		}
	}
}

func BenchmarkInterleaveU8(b *testing.B) {
	const n = 512
	dst, cols := make([]uint8, n*treeFeatures), make([]uint8, 8*n)
	benchTiers(b, "512", func(b *testing.B) {
		for b.Loop() {
			trees.InterleaveU8(dst, treeFeatures, cols, n, n)
		}
		perUpdate(b, 8*n, "value")
	})
}

func BenchmarkSortF32(b *testing.B) {
	for _, n := range []int{500, 10_000, 200_000} {
		_, from := metricSet(1, n)
		x, tmp := make([]float32, n), make([]float32, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				copy(x, from)
				trees.SortF32(x, tmp)
			}
			perUpdate(b, n, "value")
		})
	}
}
