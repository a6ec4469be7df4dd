package bench

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/kernels"
)

// perValue reports the time per value for n values.
func perValue(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
}

func BenchmarkCountTau(b *testing.B) {
	for _, kind := range synth.ColumnKinds {
		for _, n := range []int{10, 30, 100, 1000, 10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				x, y := synth.Columns(kind, n)
				tiers(b, func(b *testing.B) {
					c := kernels.Work{Threads: 1}
					kernels.CountTau(x, y, &c)
					for b.Loop() {
						kernels.CountTau(x, y, &c)
					}
					perValue(b, n)
				})
			})
		}
	}
}

// BenchmarkCountTauThreads compares two goroutines with one.
func BenchmarkCountTauThreads(b *testing.B) {
	const n = 1_000_000
	x, y := synth.Columns("random", n)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprint(threads), func(b *testing.B) {
			c := kernels.Work{Threads: threads}
			for b.Loop() {
				kernels.CountTau(x, y, &c)
			}
			perValue(b, n)
		})
	}
}

func BenchmarkScanF64(b *testing.B) {
	x, _ := synth.Columns("random", 4096)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.ScanF64(x)
		}
		perValue(b, len(x))
	})
}

func BenchmarkLinearKeysF64(b *testing.B) {
	x, dst := make([]float64, 4096), make([]int32, 4096)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.LinearKeysF64(dst, x, 0.5, 1e9)
		}
		perValue(b, len(x))
	})
}

func BenchmarkFloatKeysF64(b *testing.B) {
	x, dst := make([]float64, 4096), make([]int32, 4096)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.FloatKeysF64(dst, x)
		}
		perValue(b, len(x))
	})
}

func BenchmarkFloatKeysF32(b *testing.B) {
	x, dst := make([]float32, 4096), make([]int32, 4096)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.FloatKeysF32(dst, x)
		}
		perValue(b, len(x))
	})
}

func BenchmarkPackKeys(b *testing.B) {
	x, dst := make([]int32, 4096), make([]int64, 4096)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.PackKeys(dst, x, x)
		}
		perValue(b, len(x))
	})
}

// randomKeys returns packed keys, and their lower halves.
func randomKeys(n int) ([]int64, []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	k64, k32 := make([]int64, n), make([]int32, n)
	for i := range k64 {
		k64[i] = int64(r.Uint64())
		k32[i] = int32(k64[i])
	}
	return k64, k32
}

func BenchmarkPartitionI64(b *testing.B) {
	for _, n := range []int{100, 1000, 4096, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			src, _ := randomKeys(n)
			lo, hi := make([]int64, n), make([]int64, n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.PartitionI64(lo, hi, src, 0)
				}
				perValue(b, n)
			})
		})
	}
}

// BenchmarkSpreadI64 measures TallyI64 and MoveI64.
func BenchmarkSpreadI64(b *testing.B) {
	for _, n := range []int{4096, 32768} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			src, _ := randomKeys(n)
			dst, cells := make([]int64, n), make([]uint32, n/8)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.SpreadI64(dst, cells, src, math.MinInt64, 64-bits.Len(uint(n/8-1)))
				}
				perValue(b, n)
			})
		})
	}
}

func BenchmarkSortI64(b *testing.B) {
	for _, n := range []int{16, 32, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			src, _ := randomKeys(n)
			dst := make([]int64, n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.SortI64(dst, src)
				}
				perValue(b, n)
			})
		})
	}
}

func BenchmarkSplitKeys(b *testing.B) {
	const n = 1024
	keys, y := randomKeys(n + 1)
	bits := make([]uint8, n/8)
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			order.SplitKeys(y[:n], bits, bits, keys)
		}
		perValue(b, n)
	})
}

func BenchmarkPartitionCountI32(b *testing.B) {
	for _, n := range []int{100, 1000, 4096, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, src := randomKeys(n)
			lo, hi := make([]int32, n), make([]int32, n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.PartitionCountI32(lo, hi, src, 0)
				}
				perValue(b, n)
			})
		})
	}
}

func BenchmarkFilterI32(b *testing.B) {
	_, keys := randomKeys(1 << 16)
	filter, dst := make([]uint64, 1<<11), make([]int32, 1024)
	for _, k := range keys[:3000] {
		filter[uint32(k)>>6%uint32(len(filter))] |= 1 << (k & 63)
	}
	tiers(b, func(b *testing.B) {
		for b.Loop() {
			for i := 0; i < len(keys); i += len(dst) {
				order.FilterI32(dst, keys[i:i+len(dst)], filter)
			}
		}
		perValue(b, len(keys))
	})
}

func BenchmarkInversionsI32(b *testing.B) {
	for _, n := range []int{16, 32, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, a := randomKeys(n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.InversionsI32(a)
				}
				perValue(b, n)
			})
		})
	}
}

func BenchmarkCountPairsF64(b *testing.B) {
	for _, n := range []int{10, 30} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x, y := synth.Columns("random", n)
			tiers(b, func(b *testing.B) {
				for b.Loop() {
					order.CountPairsF64(x, y)
				}
				perValue(b, n)
			})
		})
	}
}
