//go:build !purego

package trees

import (
	"math"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// columnRows is the number of rows of eight columns that are added per call. They need as many
// updates as a block has elements.
const columnRows = kern.BlockLen / histogramFeatures

func histogramU8(hist []int64, bins []uint8, stride int, cols []uint8, pitch int, rows []uint32, gh []int64,
	tile []uint8) {
	kern.RaceWrite(hist)
	kern.RaceRead(rows)
	kern.RaceRead(gh)
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		histogramU8Generic(hist, bins, stride, rows, gh, tile)
		return
	}
	kern.RaceWrite(tile)
	features := len(hist) / HistogramCells
	if rows == nil && len(cols) > 0 {
		whole := len(gh) &^ 31
		for f := 0; f < features; f += histogramFeatures {
			part := hist[f*HistogramCells : (f+histogramFeatures)*HistogramCells]
			for i := 0; i < whole; i += columnRows {
				histogramU8ColumnsAVX2(part, gh[i:min(i+columnRows, whole)], cols[f*pitch+i:], pitch)
			}
		}
		if gh = gh[whole:]; len(gh) == 0 {
			return
		}
		bins = bins[whole*stride:]
	}
	lines := (features + 64 - 8 + 63) / 64 // maximum number of cache lines of a row
	for i, n := 0, min(histogramRows, len(gh)); n > 0; {
		list, own := tileRows(bins, stride, rows, i, n)
		next, behind := tileRows(bins, stride, rows, i+n, min(histogramRows, len(gh)-i-n))
		whole := n &^ 7
		if whole > 0 {
			apart := (int(list[whole-1]-list[0])-whole)*stride/whole >= rowsApart
			if apart || i == 0 {
				histogramU8FetchAVX2(own, stride, list[:whole], lines)
			}
			ahead := next
			if apart {
				ahead = nil
			}
			// most is the number of rows of the next tile to prefetch per eight rows of a group.
			most := (8*histogramFeatures*len(ahead) + whole*features - 1) / (whole * features)
			histogramU8TileAVX2(tile, own, stride, list[:whole], features)
			histogramU8AVX2(hist, gh[i:i+whole], tile, behind, stride, ahead, most, lines)
		}
		if whole < n {
			// Fill up to eight rows by repeating the last row with values of 0.
			var last [8]uint32
			var values [8]int64
			for k := range last {
				last[k] = list[min(whole+k, n-1)]
			}
			copy(values[:], gh[i+whole:i+n])
			histogramU8TileAVX2(tile, own, stride, last[:], features)
			histogramU8AVX2(hist, values[:], tile, nil, stride, nil, 0, lines)
		}
		i, n = i+n, len(next)
	}
}

// histogramU8ColumnsAVX2 adds rows of eight columns to their histograms. The number of rows must be
// a multiple of 32.
//
//go:noescape
func histogramU8ColumnsAVX2(hist, gh []int64, cols []uint8, pitch int)

// histogramU8FetchAVX2 prefetches the given number of cache lines of each row.
//
//go:noescape
func histogramU8FetchAVX2(bins []uint8, stride int, rows []uint32, lines int)

// histogramU8TileAVX2 writes the bytes of rows to a tile. The number of rows must be a multiple of
// eight. The tile contains the bytes of eight rows for one feature, then for the next feature, and
// so on.
//
//go:noescape
func histogramU8TileAVX2(tile, bins []uint8, stride int, rows []uint32, features int)

// histogramU8AVX2 adds the rows of a tile to histograms. The number of rows must be a multiple of
// eight. Each time it has added eight rows to eight histograms, it prefetches up to most of the
// rows in next, whose bins are in behind. It prefetches the given number of cache lines of each.
//
//go:noescape
func histogramU8AVX2(hist, gh []int64, tile, behind []uint8, stride int, next []uint32, most, lines int)

func subI64(dst, a, b []int64) {
	kern.RaceWrite(dst)
	kern.RaceRead(a)
	kern.RaceRead(b)
	switch {
	case cpu.UseAVX512:
		subI64AVX512(dst, a, b)
	case cpu.UseAVX2:
		subI64AVX2(dst, a, b)
	default:
		subI64Generic(dst, a, b)
	}
}

//go:noescape
func subI64AVX2(dst, a, b []int64)

//go:noescape
func subI64AVX512(dst, a, b []int64)

func bestSplitI64(cells []int64, start, total int64, alpha, lambda, minHess,
	bar float64) (gain float64, bin int, sum int64) {
	kern.RaceRead(cells)
	switch {
	case cpu.UseAVX512:
		return bestSplitI64AVX512(cells, start, total, alpha, lambda, minHess, bar)
	case cpu.UseAVX2:
		return bestSplitI64AVX2(cells, start, total, alpha, lambda, minHess, bar)
	}
	return bestSplitI64Generic(cells, start, total, alpha, lambda, minHess, bar)
}

//go:noescape
func bestSplitI64AVX2(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)

//go:noescape
func bestSplitI64AVX512(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)

func partitionRows(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8,
	stride int, left *[4]uint64) int {
	kern.RaceWrite(rowsL[:len(rows)])
	kern.RaceWrite(ghL[:len(rows)])
	kern.RaceWrite(rowsR[:len(rows)])
	kern.RaceWrite(ghR[:len(rows)])
	kern.RaceRead(rows)
	kern.RaceRead(gh)
	if cpu.UseAVX512 {
		return partitionRowsAVX512(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
	}
	return partitionRowsGeneric(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
}

//go:noescape
func partitionRowsAVX512(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int

// A binTable contains bin boundaries, for searches with two vector comparisons.
type binTable struct {
	split [16]float32  // every sixteenth boundary: the 15th, the 31st, and so on
	bound [256]float32 // all boundaries, padded with +Inf
}

func binF32(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	kern.RaceWrite(dst)
	kern.RaceReadRows(x, len(dst), 1, stride)
	kern.RaceRead(bounds)
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		return binF32Generic(dst, x, stride, bounds, zeroMissing)
	}
	inf := float32(math.Inf(1))
	var t binTable
	n := copy(t.bound[:], bounds)
	for n%len(t.split) != 0 || n == 0 {
		t.bound[n] = inf
		n++
	}
	for i := range t.split {
		if t.split[i] = inf; i < n/len(t.split) {
			t.split[i] = t.bound[i*len(t.split)+len(t.split)-1]
		}
	}
	zero := uint32(0)
	if zeroMissing {
		zero = 1
	}
	if cpu.UseAVX512 {
		return binF32AVX512(dst, x, stride, &t, len(bounds), zero) > 0
	}
	return binF32AVX2(dst, x, stride, &t, len(bounds), zero) > 0
}

// binF32AVX2 returns the number of missing values. 0 is missing if zero is 1.
//
//go:noescape
func binF32AVX2(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)

//go:noescape
func binF32AVX512(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)

func interleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		interleaveU8Generic(dst, stride, cols, pitch, n)
		return
	}
	kern.RaceReadRows(cols, 8, n, pitch)
	kern.RaceWriteRows(dst, n, 8, stride)
	even := n &^ 15
	interleaveU8AVX2(dst, stride, cols, pitch, even)
	if even < n {
		interleaveU8Generic(dst[even*stride:], stride, cols[even:], pitch, n-even)
	}
}

// interleaveU8AVX2 processes n rows; n must be a multiple of 16.
//
//go:noescape
func interleaveU8AVX2(dst []uint8, stride int, cols []uint8, pitch, n int)
