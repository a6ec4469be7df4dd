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

func maxSimI8(dst []float64, q, a []int8, cols, stride int, docs [][2]int) {
	if cpu.UseVNNI && cols <= maxSimMaxCols {
		maxSimWords(dst, q, a, cols, stride, docs)
		return
	}
	maxSimI8Generic(dst, q, a, cols, stride, docs)
}

// VPDPBUSD multiplies signed bytes by unsigned bytes. maxSimI8Pack adds maxSimBias to each byte, by
// flipping its highest bit.
const maxSimBias = 128

//go:noescape
func maxSimI8PackAVX512(dst, src []int8, rows, cols, stride int)

// maxSimI8Pack copies rows to dst. It pads them to multiples of 64 bytes with any bytes, which are
// multiplied by 0.
func maxSimI8Pack(dst, src []int8, rows, cols, stride int) {
	maxSimI8PackAVX512(dst, src, rows, cols, stride)
}

//go:noescape
func maxSimI8AVX512(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int)

// maxSimI8Multiply raises maxima to the products of the query tokens of a panel and at least
// maxSimRows rows.
func maxSimI8Multiply(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int) {
	maxSimI8AVX512(maxima, q, a, rows, words, stride)
}
