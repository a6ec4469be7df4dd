//go:build !purego

package kernels

import (
	"math"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

//go:noescape
func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF64NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32WideNEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

//go:noescape
func addGemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)

func addGemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		addGemvTF64NEON(dst, a, rows, cols, stride, c)
		return
	}
	addGemvTF64Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func addGemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)

func addGemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		addGemvTF32NEON(dst, a, rows, cols, stride, c)
		return
	}
	addGemvTF32Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func addGemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)

func addGemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		addGemvTF32WideNEON(dst, a, rows, cols, stride, c)
		return
	}
	addGemvTF32WideGeneric(dst, a, rows, cols, stride, c)
}

// blockLen exists for the assembly, which can use only constants of its own package.
//
//lint:ignore U1000 nothing else uses it
const blockLen = kern.BlockLen

//go:noescape
func spmvF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, x []float64) int

func spmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	kern.RaceRead(offsets)
	kern.RaceRead(index[offsets[0]:offsets[len(dst)]])
	kern.RaceRead(value[offsets[0]:offsets[len(dst)]])
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	// The assembly compares indices as unsigned 32-bit numbers, so negative indices are too large.
	if cpu.UseNEON && len(x) <= math.MaxInt32 {
		return spmvF32WideNEON(dst, offsets, index, value, x)
	}
	return spmvF32WideGeneric(dst, offsets, index, value, x)
}

//go:noescape
func addSpmvTF32WideNEON(dst []float64, offsets []int, index []int32, value []float32, c []float64) int

func addSpmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	kern.RaceRead(offsets)
	kern.RaceRead(index[offsets[0]:offsets[len(c)]])
	kern.RaceRead(value[offsets[0]:offsets[len(c)]])
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	// len(dst) is limited for the same reason as len(x) in spmvF32Wide.
	if cpu.UseNEON && len(dst) <= math.MaxInt32 {
		return addSpmvTF32WideNEON(dst, offsets, index, value, c)
	}
	return addSpmvTF32WideGeneric(dst, offsets, index, value, c)
}

//go:noescape
func nonzerosF32NEON(index []int32, value, row []float32, first int) int

func nonzerosF32(index []int32, value, row []float32, first int) (n int) {
	kern.RaceRead(row)
	if cpu.UseNEON {
		n = nonzerosF32NEON(index, value, row, first)
	} else {
		n = nonzerosF32Generic(index, value, row, first)
	}
	kern.RaceWrite(index[:n])
	kern.RaceWrite(value[:n])
	return n
}
