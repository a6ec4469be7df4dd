//go:build !purego

package vectors

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func maxSimF32NEON(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int)

// maxSimF32 processes at least maxSimRows rows. Vectors that are too long for a call of the
// assembly are processed in plain Go.
func maxSimF32(maxima *[maxSimLanes]float32, q, a []float32, rows, cols, stride int) {
	if cpu.UseNEON && cols <= kern.BlockLen {
		maxSimF32NEON(maxima, q, a, rows, cols, stride)
		return
	}
	maxSimF32Generic(maxima, q, a, rows, cols, stride)
}

func maxSimI8(dst []float64, q, a []int8, cols, stride int, docs [][2]int) {
	if cpu.UseSDOT && cols <= maxSimMaxCols {
		maxSimWords(dst, q, a, cols, stride, docs)
		return
	}
	maxSimI8Generic(dst, q, a, cols, stride, docs)
}

const maxSimBias = 0

// maxSimI8Pack copies rows to dst. It pads them to multiples of 64 bytes with any bytes, which are
// multiplied by 0.
func maxSimI8Pack(dst, src []int8, rows, cols, stride int) {
	for j := range rows {
		copy(dst[j*((cols+63)&^63):], src[j*stride:][:cols])
	}
}

//go:noescape
func maxSimI8SDOTNEON(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int)

// maxSimI8Multiply raises maxima to the products of the query tokens of a panel and at least
// maxSimRows rows.
func maxSimI8Multiply(maxima *[maxSimLanes]int32, q, a []int8, rows, words, stride int) {
	maxSimI8SDOTNEON(maxima, q, a, rows, words, stride)
}
