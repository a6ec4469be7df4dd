//go:build !purego

package trees

import (
	"math"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func histogramU8(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64) {
	kern.RaceWrite(hist)
	kern.RaceRead(rows)
	kern.RaceRead(gh)
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		histogramU8Generic(hist, bins, stride, rows, gh)
		return
	}
	for i := 0; i < len(gh); i += histogramRows {
		end := min(i+histogramRows, len(gh))
		from, listed := i*stride, rows
		if rows != nil {
			from, listed = 0, rows[i:]
		}
		for f := 0; f*HistogramCells < len(hist); f += histogramFeatures {
			histogramU8AVX2(hist[f*HistogramCells:(f+histogramFeatures)*HistogramCells], bins[from+f:], stride, listed,
				gh[i:end])
		}
	}
}

// histogramU8AVX2 adds len(gh) rows to eight histograms. It looks at a few rows more of the list,
// to fetch them in time.
//
//go:noescape
func histogramU8AVX2(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)

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

// A binTable holds bounds for searches by two comparisons of vectors.
type binTable struct {
	split [16]float32  // every sixteenth of the bounds: the 15th, 31st, …
	bound [256]float32 // +Inf behind the last
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

// binF32AVX2 returns the number of missing values, zero among them if zero is 1.
//
//go:noescape
func binF32AVX2(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)

//go:noescape
func binF32AVX512(dst []uint8, x []float32, stride int, t *binTable, n int, zero uint32) (missing int)

func interleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	interleaveU8Generic(dst, stride, cols, pitch, n)
}
