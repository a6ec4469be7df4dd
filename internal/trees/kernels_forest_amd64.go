//go:build !purego

package trees

import (
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func forestColumnsF32(dst, x []float32, rows, cols, stride int) {
	kern.RaceWrite(dst)
	kern.RaceReadRows(x, rows, cols, stride)
	switch {
	case cpu.UseAVX512:
		forestColumnsF32AVX512(dst, x, rows, cols, stride)
	case cpu.UseAVX2:
		forestColumnsF32AVX2(dst, x, rows, cols, stride)
	default:
		forestColumnsF32Generic(dst, x, rows, cols, stride)
	}
}

//go:noescape
func forestColumnsF32AVX2(dst, x []float32, rows, cols, stride int)

//go:noescape
func forestColumnsF32AVX512(dst, x []float32, rows, cols, stride int)

func forestTestsF32(dst []uint64, values, thresholds []float32) {
	kern.RaceWrite(dst)
	kern.RaceRead(values)
	kern.RaceRead(thresholds)
	switch {
	case cpu.UseAVX512:
		forestTestsF32AVX512(dst, values, thresholds)
	case cpu.UseAVX2:
		forestTestsF32AVX2(dst, values, thresholds)
	default:
		forestTestsF32Generic(dst, values, thresholds)
	}
}

//go:noescape
func forestTestsF32AVX2(dst []uint64, values, thresholds []float32)

//go:noescape
func forestTestsF32AVX512(dst []uint64, values, thresholds []float32)

func forestTranspose(rows []uint64, words int) {
	if !cpu.UseAVX2 && !cpu.UseAVX512 {
		forestTransposeGeneric(rows, words)
		return
	}
	kern.RaceWrite(rows)
	if cpu.UseAVX512 {
		forestTransposeAVX512(rows)
		return
	}
	forestTransposeAVX2(rows)
	if words > ForestWords/2 {
		forestTransposeAVX2(rows[ForestWords/2:])
	}
}

// forestTransposeAVX2 transposes the first half of each row. The last row may lack its second half.
//
//go:noescape
func forestTransposeAVX2(rows []uint64)

//go:noescape
func forestTransposeAVX512(rows []uint64)

func forestSelect(rows []uint64, ops []uint32) {
	kern.RaceWrite(rows)
	kern.RaceRead(ops)
	switch {
	case cpu.UseAVX512:
		forestSelectAVX512(rows, ops)
	case cpu.UseAVX2:
		forestSelectAVX2(rows, ops)
	default:
		forestSelectGeneric(rows, ops)
	}
}

//go:noescape
func forestSelectAVX2(rows []uint64, ops []uint32)

//go:noescape
func forestSelectAVX512(rows []uint64, ops []uint32)

func forestAddF64(scores []float64, planes []uint64, trees []uint8, leaves []float64) {
	kern.RaceWrite(scores)
	kern.RaceRead(planes)
	kern.RaceRead(trees)
	kern.RaceRead(leaves)
	switch {
	case cpu.UseAVX512:
		forestAddF64AVX512(scores, planes, trees, leaves)
	case cpu.UseAVX2 && slices.Max(trees) <= 8:
		forestAddF64AVX2(scores, planes, trees, leaves)
	default:
		forestAddF64Generic(scores, planes, trees, leaves)
	}
}

//go:noescape
func forestAddF64AVX2(scores []float64, planes []uint64, trees []uint8, leaves []float64)

//go:noescape
func forestAddF64AVX512(scores []float64, planes []uint64, trees []uint8, leaves []float64)
