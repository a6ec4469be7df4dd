//go:build !purego

package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func forestKeysF32(dst []int32, x []float32, rows, cols, stride int) (nan bool) {
	kern.RaceWrite(dst)
	kern.RaceReadRows(x, rows, cols, stride)
	switch {
	case cpu.UseAVX512:
		return forestKeysF32AVX512(dst, x, rows, cols, stride)
	case cpu.UseAVX2:
		return forestKeysF32AVX2(dst, x, rows, cols, stride)
	}
	return forestKeysF32Generic(dst, x, rows, cols, stride)
}

//go:noescape
func forestKeysF32AVX2(dst []int32, x []float32, rows, cols, stride int) (nan bool)

//go:noescape
func forestKeysF32AVX512(dst []int32, x []float32, rows, cols, stride int) (nan bool)

func forestAddF64(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	kern.RaceWrite(scores)
	kern.RaceRead(keys)
	kern.RaceRead(nodes)
	kern.RaceRead(words)
	kern.RaceRead(leaves)
	switch {
	case cpu.UseAVX512:
		forestAddF64AVX512(scores, keys, nodes, words, leaves)
	case cpu.UseAVX2:
		forestAddF64AVX2(scores, keys, nodes, words, leaves)
	default:
		forestAddF64Generic(scores, keys, nodes, words, leaves)
	}
}

//go:noescape
func forestAddF64AVX2(scores []float64, keys []int32, nodes, words []uint32, leaves []float64)

//go:noescape
func forestAddF64AVX512(scores []float64, keys []int32, nodes, words []uint32, leaves []float64)
