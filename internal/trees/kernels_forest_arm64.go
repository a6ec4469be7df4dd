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

// forestColumnsF32NEON requires at least 4 columns.
//
//go:noescape
func forestColumnsF32NEON(dst, x []float32, rows, cols, stride int)

// forestSearch is the number of thresholds from which it is faster to search for the first test
// that each document passes than to evaluate all tests. According to llvm-mca, a test takes 0.27
// cycles per document on a neoverse-n1 and 0.14 on a neoverse-v2, and a search of 6 levels takes 12
// and 9 cycles.
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

// forestSearchTests sets the rows of up to 255 thresholds. It sets a document's bit in the row of
// the first test that the document passes, and in all rows after it.
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

func forestTranspose(rows []uint64, words int) { forestTransposeGeneric(rows, words) }

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
	var numbers [forestTrees][128]uint16
	for len(trees) > 0 {
		some := trees[:min(forestTrees, len(trees))]
		for w := 0; 64*w < len(scores); w += 2 {
			forestAddF64LeavesNEON(&numbers, planes[w:], some)
			forestAddF64NEON(scores[64*w:min(64*w+128, len(scores))], &numbers, some, leaves)
		}
		for _, n := range some {
			planes, leaves = planes[ForestWords*int(n):], leaves[1<<n:]
		}
		trees = trees[len(some):]
	}
}

// forestTrees is the number of trees for which leaf numbers are computed at once.
const forestTrees = 8

// forestAddF64LeavesNEON sets the numbers of the leaves that 128 documents reach in some trees. The
// documents are in the first two words of planes. Their order in numbers is 0, 8, … 120, then 1, 9,
// …, and so on.
//
//go:noescape
func forestAddF64LeavesNEON(numbers *[forestTrees][128]uint16, planes []uint64, trees []uint8)

// forestAddF64NEON adds the leaves with these numbers to 64 or 128 scores. Tree t has 1<<trees[t]
// leaves.
//
//go:noescape
func forestAddF64NEON(scores []float64, numbers *[forestTrees][128]uint16, trees []uint8, leaves []float64)
