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
