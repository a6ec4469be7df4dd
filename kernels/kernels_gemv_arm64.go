//go:build !purego

package kernels

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	gemvF64Checked(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)

func gemvF64Rows(dst, a []float64, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF64NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	gemvF32Checked(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)

func gemvF32Rows(dst, a []float32, rows, cols, stride int, x []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	gemvF32WideChecked(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)

func gemvF32WideRows(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(x)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvF32WideNEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

func gemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	gemvTF64Checked(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)

func gemvTF64Rows(dst, a []float64, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF64NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF64Generic(dst, a, rows, cols, stride, c)
}

func gemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	gemvTF32Checked(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)

func gemvTF32Rows(dst, a []float32, rows, cols, stride int, c []float32) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF32NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32Generic(dst, a, rows, cols, stride, c)
}

func gemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	gemvTF32WideChecked(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)

func gemvTF32WideRows(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	kern.RaceReadRows(a, rows, cols, stride)
	kern.RaceRead(c)
	kern.RaceWrite(dst)
	if cpu.UseNEON {
		gemvTF32WideNEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32WideGeneric(dst, a, rows, cols, stride, c)
}

func spmvF32Wide(dst []float64, offsets []int, index []int32, value []float32, x []float64) int {
	return spmvF32WideGeneric(dst, offsets, index, value, x)
}

func spmvTF32Wide(dst []float64, offsets []int, index []int32, value []float32, c []float64) int {
	return spmvTF32WideGeneric(dst, offsets, index, value, c)
}

func nonzerosF32(index []int32, value, row []float32, first int) int {
	return nonzerosF32Generic(index, value, row, first)
}
