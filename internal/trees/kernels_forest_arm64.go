//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func forestAddF64(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	if !cpu.UseNEON {
		forestAddF64Generic(scores, keys, nodes, words, leaves)
		return
	}
	kern.RaceRead(keys)
	kern.RaceRead(nodes)
	sum := (*[ForestRows]float64)(scores)
	var set [ForestRows]uint32
	var pending uint32
	for w, word := range words {
		if word&ForestFirst != 0 {
			pending = 1<<ForestRows - 1
		}
		n := 3 * (word &^ ForestFirst)
		forestAddF64NEON(&set, keys, nodes[:n])
		nodes = nodes[n:]
		pending = forestPlace(sum, &set, (*[forestWord]float64)(leaves[w*forestWord:]), pending)
	}
}

//go:noescape
func forestAddF64NEON(set *[ForestRows]uint32, keys []int32, nodes []uint32)
