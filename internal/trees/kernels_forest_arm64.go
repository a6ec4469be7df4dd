//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func forestColumnsF32(dst, x []float32, rows, cols, stride int) {
	kern.RaceWrite(dst)
	kern.RaceReadRows(x, rows, cols, stride)
	if !cpu.UseNEON || cols < 4 {
		forestColumnsF32Generic(dst, x, rows, cols, stride)
		return
	}
	forestColumnsF32NEON(dst, x, rows, cols, stride)
}

// forestColumnsF32NEON takes 4 columns at least.
//
//go:noescape
func forestColumnsF32NEON(dst, x []float32, rows, cols, stride int)

// forestSearch is the number of thresholds from which on it takes less time to search for the first
// test that each document passes than to make all: llvm-mca gives a test .27 cycles per document on
// a neoverse-n1 and .14 on a neoverse-v2, and a search of 6 levels 12 and 9.
const forestSearch = 60

func forestTestsF32(dst []uint64, values, thresholds []float32) {
	kern.RaceWrite(dst)
	kern.RaceRead(values)
	kern.RaceRead(thresholds)
	if !cpu.UseNEON {
		forestTestsF32Generic(dst, values, thresholds)
		return
	}
	if len(thresholds) < forestSearch {
		if len(values) < ForestRows {
			clear(dst)
		}
		forestTestsF32NEON(dst, values, thresholds)
		return
	}
	for len(thresholds) > 0 {
		n := min(len(thresholds), 255)
		forestSearchTests(dst[:n*ForestWords], values, thresholds[:n])
		dst, thresholds = dst[n*ForestWords:], thresholds[n:]
	}
}

//go:noescape
func forestTestsF32NEON(dst []uint64, values, thresholds []float32)

// forestSearchTests sets the rows of up to 255 thresholds: a bit in that of the first test which a
// document passes, and in all behind it.
func forestSearchTests(dst []uint64, values, thresholds []float32) {
	var first [ForestRows]uint8
	t, depth := newBinTree(thresholds)
	binF32NEON(first[:len(values)], values, 1, &t, depth, 0)
	clear(dst)
	for i, j := range first[:len(values)] {
		if int(j) < len(thresholds) {
			dst[int(j)*ForestWords+i/64] |= 1 << (i % 64)
		}
	}
	ForestOr(dst)
}

func forestSelect(rows []uint64, ops []uint32) {
	kern.RaceWrite(rows)
	kern.RaceRead(ops)
	if !cpu.UseNEON {
		forestSelectGeneric(rows, ops)
		return
	}
	forestSelectNEON(rows, ops)
}

//go:noescape
func forestSelectNEON(rows []uint64, ops []uint32)

func forestAddF64(scores []float64, planes []uint64, trees []uint8, leaves []float64) {
	kern.RaceWrite(scores)
	kern.RaceRead(planes)
	kern.RaceRead(trees)
	kern.RaceRead(leaves)
	if !cpu.UseNEON {
		forestAddF64Generic(scores, planes, trees, leaves)
		return
	}
	forestAddF64NEON(scores, planes, trees, leaves)
}

//go:noescape
func forestAddF64NEON(scores []float64, planes []uint64, trees []uint8, leaves []float64)
