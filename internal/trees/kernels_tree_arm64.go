//go:build !purego

package trees

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func histogramU8(hist []int64, bins []uint8, stride int, _ []uint8, _ int, rows []uint32, gh []int64, tile []uint8) {
	kern.RaceWrite(hist)
	kern.RaceRead(rows)
	kern.RaceRead(gh)
	if !cpu.UseNEON {
		histogramU8Generic(hist, bins, stride, rows, gh, tile)
		return
	}
	for i := 0; i < len(gh); i += histogramRows {
		end := min(i+histogramRows, len(gh))
		from, listed := i*stride, rows
		if rows != nil {
			from, listed = 0, rows[i:end]
		}
		touchRows(bins[from:], stride, len(hist)/HistogramCells, listed, end-i)
		for f := 0; f*HistogramCells < len(hist); f += histogramFeatures {
			part := hist[f*HistogramCells : (f+histogramFeatures)*HistogramCells]
			histogramU8NEON(part, bins[from+f:], stride, listed, gh[i:end])
		}
	}
}

// histogramU8NEON adds len(gh) rows to the histograms of eight features.
//
//go:noescape
func histogramU8NEON(hist []int64, bins []uint8, stride int, rows []uint32, gh []int64)

func subI64(dst, a, b []int64) {
	kern.RaceWrite(dst)
	kern.RaceRead(a)
	kern.RaceRead(b)
	if !cpu.UseNEON {
		subI64Generic(dst, a, b)
		return
	}
	subI64NEON(dst, a, b)
}

//go:noescape
func subI64NEON(dst, a, b []int64)

func bestSplitI64(cells []int64, start, total int64, alpha, lambda, minHess,
	bar float64) (gain float64, bin int, sum int64) {
	kern.RaceRead(cells)
	if !cpu.UseNEON {
		return bestSplitI64Generic(cells, start, total, alpha, lambda, minHess, bar)
	}
	return bestSplitI64NEON(cells, start, total, alpha, lambda, minHess, bar)
}

//go:noescape
func bestSplitI64NEON(cells []int64, start, total int64, alpha, lambda, minHess, bar float64) (gain float64, bin int, sum int64)

func partitionRows(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8,
	stride int, left *[4]uint64) int {
	kern.RaceWrite(rowsL[:len(rows)])
	kern.RaceWrite(ghL[:len(rows)])
	kern.RaceWrite(rowsR[:len(rows)])
	kern.RaceWrite(ghR[:len(rows)])
	kern.RaceRead(rows)
	kern.RaceRead(gh)
	if !cpu.UseNEON {
		return partitionRowsGeneric(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
	}
	return partitionRowsNEON(rowsL, ghL, rows, gh, rowsR, ghR, bins, stride, left)
}

//go:noescape
func partitionRowsNEON(rowsL []uint32, ghL []int64, rows []uint32, gh []int64, rowsR []uint32, ghR []int64, bins []uint8, stride int, left *[4]uint64) int

// A binTree contains bin boundaries as a perfect binary search tree. Nodes are numbered from 1, and
// node j has the children 2j and 2j+1. Keys are unsigned integers that have the order of the
// boundaries.
type binTree struct {
	key [256]uint32 // descending from left to right
}

func binF32(dst []uint8, x []float32, stride int, bounds []float32, zeroMissing bool) (missing bool) {
	kern.RaceWrite(dst)
	kern.RaceReadRows(x, len(dst), 1, stride)
	kern.RaceRead(bounds)
	if !cpu.UseNEON {
		return binF32Generic(dst, x, stride, bounds, zeroMissing)
	}
	t, depth := newBinTree(bounds)
	zero := uint32(0)
	if zeroMissing {
		zero = 1
	}
	return binF32NEON(dst, x, stride, &t, depth, zero) > 0
}

// newBinTree returns a tree of up to 255 boundaries, and its number of levels.
func newBinTree(bounds []float32) (t binTree, depth int) {
	depth = bits.Len(uint(len(bounds)))
	for level := range depth {
		step := 1 << (depth - level)
		// A level contains every step-th boundary, counted from the end.
		for i, at := 1<<level, 1<<depth-1-step/2; at >= 0; i, at = i+1, at-step {
			if t.key[i] = 1<<32 - 1; at < len(bounds) {
				t.key[i] = uint32(kern.FloatKey(bounds[at])) ^ 1<<31
			}
		}
	}
	return t, depth
}

// binF32NEON returns the number of missing values. 0 is missing if zero is 1.
//
//go:noescape
func binF32NEON(dst []uint8, x []float32, stride int, t *binTree, depth int, zero uint32) (missing int)

func interleaveU8(dst []uint8, stride int, cols []uint8, pitch, n int) {
	kern.RaceReadRows(cols, 8, n, pitch)
	if !cpu.UseNEON {
		interleaveU8Generic(dst, stride, cols, pitch, n)
		return
	}
	kern.RaceWriteRows(dst, n, 8, stride)
	even := n &^ 15
	interleaveU8NEON(dst, stride, cols, pitch, even)
	if even < n {
		interleaveU8Generic(dst[even*stride:], stride, cols[even:], pitch, n-even)
	}
}

// interleaveU8NEON processes n rows; n must be a multiple of 16.
//
//go:noescape
func interleaveU8NEON(dst []uint8, stride int, cols []uint8, pitch, n int)
