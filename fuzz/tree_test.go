package fuzz

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/trees"
)

func treeSeeds(f *testing.F) {
	var few, all []byte
	for i := range uint32(600) {
		few = append(few, byte(i*i%7))
		all = binary.LittleEndian.AppendUint32(all, i*2654435761)
	}
	for i, d := range [][]byte{nil, few, all, few[:100], all[:63], append(few[:80:80], all...)} {
		f.Add(d, uint64(i)*0x9e3779b97f4a7c15)
	}
}

// FuzzHistogramU8 compares the tiers with a simple loop, with and without a list of rows.
func FuzzHistogramU8(f *testing.F) {
	treeSeeds(f)
	tile := make([]uint8, 8*trees.HistogramTile)
	f.Fuzz(func(t *testing.T, bins []byte, seed uint64) {
		stride := 8 + int(seed%13)
		n := len(bins) / stride
		listed, gh := make([]uint32, n), make([]int64, n)
		for i := range listed {
			listed[i], gh[i] = uint32(uint64(i)*seed%uint64(n)), int64(seed)*int64(i)
		}
		cols := make([]byte, 8*n)
		for i := range cols {
			cols[i] = bins[i%n*stride+i/n]
		}
		for _, rows := range [][]uint32{nil, listed} {
			want := make([]int64, 8*trees.HistogramCells)
			for i, v := range gh {
				r := i
				if rows != nil {
					r = int(rows[i])
				}
				for j, b := range bins[r*stride : r*stride+8] {
					want[j*trees.HistogramCells+int(b)] += v
				}
			}
			eachTier(func(tier cpu.Tier) {
				for _, c := range [][]byte{nil, cols} {
					got := make([]int64, len(want))
					if trees.HistogramU8(got, bins, stride, c, n, rows, gh, tile); !slices.Equal(got, want) {
						t.Fatalf("%v: %d rows, listed %v, columns %v: not the sums of a loop", tier, n, rows != nil,
							c != nil)
					}
				}
			})
		}
	})
}

// FuzzHistogramU16 compares rows of listed cells with a simple loop. SumI64 sums them.
func FuzzHistogramU16(f *testing.F) {
	treeSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		var cells []uint16
		offsets := []uint32{0}
		for _, b := range data {
			if cells = append(cells, uint16(b)); uint64(b)*seed>>61 == 0 {
				offsets = append(offsets, uint32(len(cells)))
			}
		}
		n := len(offsets) - 1
		listed, gh := make([]uint32, n), make([]int64, n)
		for i := range listed {
			listed[i], gh[i] = uint32(uint64(i)*seed%uint64(n)), int64(seed)*int64(i)
		}
		for _, rows := range [][]uint32{nil, listed} {
			want, sum := make([]int64, 256), int64(0)
			for i, v := range gh {
				r := i
				if rows != nil {
					r = int(rows[i])
				}
				for _, c := range cells[offsets[r]:offsets[r+1]] {
					want[c] += v
					sum += v
				}
			}
			got := make([]int64, len(want))
			if trees.HistogramU16(got, cells, offsets, rows, gh); !slices.Equal(got, want) {
				t.Fatalf("%d rows, listed %v: not the sums of a loop", n, rows != nil)
			}
			if s := trees.SumI64(got); s != sum {
				t.Fatalf("the sum is %d, want %d", s, sum)
			}
		}
	})
}

// histogramOf reads a cell from every four bytes: two for the gradient and two for the Hessian.
func histogramOf(data []byte) (cells []int64, total int64) {
	for ; len(data) >= 4 && len(cells) < trees.HistogramCells; data = data[4:] {
		c := int64(binary.LittleEndian.Uint16(data[2:]))<<32 + int64(int16(binary.LittleEndian.Uint16(data)))
		cells, total = append(cells, c), total+c
	}
	return cells, total
}

// FuzzBestSplitI64 compares the tiers with each other, and with BestSplitBoundI64 without bounds.
// The gains of the two differ only by rounding. SubI64 computes the cells.
func FuzzBestSplitI64(f *testing.F) {
	treeSeeds(f)
	f.Add([]byte("0\xff000\xff00"), uint64(1663341875487337686)) // with this alpha, no split has a positive gain
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		cells, total := histogramOf(data)
		missing := int64(seed >> 62 & 1 * (seed >> 16 & 0x7fff_0000_7fff))
		total += missing
		alpha, lambda, minHess := float64(seed&0xff), float64(seed>>8&0xff)/16, int64(seed>>20&0xfff)
		if seed>>63 == 1 {
			alpha, lambda, minHess = 0, 0, 0
		}
		restore := cpu.Force(cpu.Generic)
		want := trees.BestSplitI64(cells, missing, total, alpha, lambda, minHess, -1)
		restore()
		bound := trees.SplitBound{Lo: math.Inf(-1), Hi: math.Inf(1)}
		same := trees.BestSplitBoundI64(cells, missing, total, alpha, lambda, minHess, bound)
		if (want.Bin < 0) != (same.Bin < 0) || want.Bin >= 0 && math.Abs(want.Gain-same.Gain) > 1e-9*want.Gain {
			t.Fatalf("%+v, but unbounded %+v", want, same)
		}
		eachTier(func(tier cpu.Tier) {
			half := make([]int64, len(cells))
			trees.SubI64(half, half, cells)
			trees.SubI64(half, make([]int64, len(cells)), half)
			// A minimum below the best gain, which may be 0, changes nothing. No split exceeds the
			// best gain.
			for _, bar := range []float64{-1, math.Nextafter(want.Gain/2, -1), math.Nextafter(want.Gain, -1)} {
				if got := trees.BestSplitI64(half, missing, total, alpha, lambda, minHess, bar); got != want &&
					want.Bin >= 0 || got.Bin >= 0 && want.Bin < 0 {
					t.Fatalf("%v, bar %v: %+v, want %+v", tier, bar, got, want)
				}
			}
			if got := trees.BestSplitI64(half, missing, total, alpha, lambda, minHess, want.Gain); got.Bin >= 0 {
				t.Fatalf("%v: %+v clears the best gain, %v", tier, got, want.Gain)
			}
		})
	})
}

// FuzzPartitionRows compares the tiers with a loop.
func FuzzPartitionRows(f *testing.F) {
	treeSeeds(f)
	f.Fuzz(func(t *testing.T, bins []byte, seed uint64) {
		left, stride := [4]uint64{seed, ^seed, seed * 0x9e3779b97f4a7c15, seed >> 13}, 1+int(seed>>7%5)
		n := (len(bins) + stride - 1) / stride
		rows, gh := make([]uint32, n), make([]int64, n)
		var wantL, wantR []uint32
		for i := range rows {
			rows[i], gh[i] = uint32(uint64(i)*seed%uint64(n)), int64(i)
			if b := bins[int(rows[i])*stride]; left[b/64]>>(b%64)&1 == 1 {
				wantL = append(wantL, rows[i])
			} else {
				wantR = append(wantR, rows[i])
			}
		}
		want := append(slices.Clone(wantL), wantR...)
		eachTier(func(tier cpu.Tier) {
			got, gotGH := slices.Clone(rows), slices.Clone(gh)
			n := trees.PartitionRows(got, gotGH, make([]uint32, len(got)), make([]int64, len(got)), bins, stride,
				&left)
			if n != len(wantL) || !slices.Equal(got, want) {
				t.Fatalf("%v: %d, %v, want %d, %v", tier, n, got, len(wantL), want)
			}
			for i, v := range gotGH {
				if rows[v] != got[i] || i > 0 && i != n && gotGH[i-1] >= v {
					t.Fatalf("%v: element %d came with row %d", tier, v, got[i])
				}
			}
		})
	})
}

// FuzzBinF32 compares the tiers with a loop. InterleaveU8 moves the bins to rows, and SortF32 sorts
// the bounds.
func FuzzBinF32(f *testing.F) {
	treeSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		x := scoreInput(data)
		stride := 1 + int(seed%3)
		n := (len(x) + stride - 1) / stride
		var bounds []float32
		for i := range min(len(x), int(seed>>8%255)) {
			if v := x[uint64(i)*seed%uint64(len(x))]; v == v {
				bounds = append(bounds, v)
			}
		}
		bounds = append(bounds, float32(math.Inf(1)))
		trees.SortF32(bounds, make([]float32, len(bounds)))
		if !slices.IsSorted(bounds) {
			t.Fatalf("%v are not in order", bounds)
		}
		zero := seed>>40&1 == 1
		want, wantMissing := make([]uint8, n), false
		for i := range want {
			v := x[i*stride]
			for want[i] = 0; int(want[i]) < len(bounds) && bounds[want[i]] < v; want[i]++ {
			}
			if v != v || zero && v == 0 {
				want[i], wantMissing = uint8(len(bounds)), true
			}
		}
		eachTier(func(tier cpu.Tier) {
			got := make([]uint8, 8*n)
			for f := range 8 {
				if missing := trees.BinF32(got[f*n:][:n], x, stride, bounds, zero); missing != wantMissing ||
					!slices.Equal(got[f*n:][:n], want) {
					t.Fatalf("%v: %v, missing %v, want %v, %v", tier, got[f*n:][:n], missing, want, wantMissing)
				}
			}
			rows := make([]uint8, 8*n)
			trees.InterleaveU8(rows, 8, got, n, n)
			for i, b := range rows {
				if b != want[i/8] {
					t.Fatalf("%v: byte %d of the rows is %d, want %d", tier, i, b, want[i/8])
				}
			}
		})
	})
}
