//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func documentRanksF32(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32) {
	if !cpu.UseAVX512 {
		documentRanksF32Generic(ranks, x, features, groups, thresholds)
		return
	}
	kern.RaceWrite(ranks[:len(features)])
	kern.RaceWrite(values[:len(features)])
	kern.RaceRead(x)
	kern.RaceRead(features)
	kern.RaceRead(groups)
	kern.RaceRead(thresholds)
	documentRanksF32AVX512(ranks, values, x, features, groups, thresholds)
}

//go:noescape
func documentRanksF32AVX512(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32)

func documentLeavesU8(leaves []uint8, ranks *[DocumentRows]uint8, steps []uint8, slabs []uint32) {
	if !cpu.UseVBMI {
		documentLeavesU8Generic(leaves, ranks, steps, slabs)
		return
	}
	kern.RaceWrite(leaves)
	kern.RaceRead(ranks[:])
	kern.RaceRead(steps)
	kern.RaceRead(slabs)
	documentLeavesU8AVX512(leaves, ranks, steps, slabs)
}

//go:noescape
func documentLeavesU8AVX512(leaves []uint8, ranks *[DocumentRows]uint8, steps []uint8, slabs []uint32)

func documentWalkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	const most = 2 * 1024 // elements of a call, which nothing can interrupt
	for n := len(trees) &^ 15; n > 0 && (cpu.UseAVX2 || cpu.UseAVX512); n = len(trees) &^ 15 {
		kern.RaceRead(keys)
		kern.RaceRead(cells)
		kern.RaceRead(trees)
		n = min(n, most)
		score = documentWalkF64AVX2(score, keys, cells, trees[:n])
		trees = trees[n:]
	}
	return documentWalkF64Generic(score, keys, cells, trees)
}

//go:noescape
func documentWalkF64AVX2(score float64, keys []uint32, cells []uint64, trees []uint32) float64
