//go:build !purego

package vectors

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func maxSimF32AVX2(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)

//go:noescape
func maxSimF32AVX512(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)

// maxSimF32 processes at least maxSimRows rows. Vectors that are too long for a call of the
// assembly are processed in plain Go.
func maxSimF32(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int) {
	switch {
	case cols > kern.BlockLen:
		maxSimF32Generic(maxima, q, a, rows, cols, stride)
	case cpu.UseAVX512:
		maxSimF32AVX512(maxima, q, a, rows, cols, stride)
	case cpu.UseAVX2:
		maxSimF32AVX2(maxima, q, a, rows, cols, stride)
	default:
		maxSimF32Generic(maxima, q, a, rows, cols, stride)
	}
}
