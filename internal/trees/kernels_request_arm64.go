//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func walkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	const most = 2 * 1024 // elements of a call, which nothing can interrupt
	for n := len(trees) &^ 15; n > 0 && cpu.UseNEON; n = len(trees) &^ 15 {
		kern.RaceRead(keys)
		kern.RaceRead(cells)
		kern.RaceRead(trees)
		n = min(n, most)
		score = walkF64NEON(score, keys, cells, trees[:n])
		trees = trees[n:]
	}
	return walkF64Generic(score, keys, cells, trees)
}

// walkF64NEON takes trees by eights.
//
//go:noescape
func walkF64NEON(score float64, keys []uint32, cells []uint64, trees []uint32) float64
