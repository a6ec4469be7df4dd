//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/cpu"

//go:noescape
func dotF64NEON(x, y []float64) float64

func dotF64(x, y []float64) float64 {
	raceRead(x)
	raceRead(y)
	switch {
	case len(x) > blockLen:
		return dotF64Long(x, y)
	case cpu.UseNEON:
		return dotF64NEON(x, y)
	}
	return dotF64Generic(x, y)
}

//go:noescape
func dotF32NEON(x, y []float32) float32

func dotF32(x, y []float32) float32 {
	raceRead(x)
	raceRead(y)
	switch {
	case len(x) > blockLen:
		return dotF32Long(x, y)
	case cpu.UseNEON:
		return dotF32NEON(x, y)
	}
	return dotF32Generic(x, y)
}

//go:noescape
func dotF32WideNEON(x, y []float32) float64

func dotF32Wide(x, y []float32) float64 {
	raceRead(x)
	raceRead(y)
	switch {
	case len(x) > blockLen:
		return dotF32WideLong(x, y)
	case cpu.UseNEON:
		return dotF32WideNEON(x, y)
	}
	return dotF32WideGeneric(x, y)
}

//go:noescape
func axpyF64NEON(alpha float64, x, y []float64)

func axpyF64(alpha float64, x, y []float64) {
	raceRead(x)
	raceWrite(y)
	if cpu.UseNEON {
		axpyF64NEON(alpha, x, y)
		return
	}
	axpyF64Generic(alpha, x, y)
}

//go:noescape
func axpyF32NEON(alpha float32, x, y []float32)

func axpyF32(alpha float32, x, y []float32) {
	raceRead(x)
	raceWrite(y)
	if cpu.UseNEON {
		axpyF32NEON(alpha, x, y)
		return
	}
	axpyF32Generic(alpha, x, y)
}

//go:noescape
func axpyDiffF64NEON(alpha float64, a, b, y []float64)

func axpyDiffF64(alpha float64, a, b, y []float64) {
	raceRead(a)
	raceRead(b)
	raceWrite(y)
	if cpu.UseNEON {
		axpyDiffF64NEON(alpha, a, b, y)
		return
	}
	axpyDiffF64Generic(alpha, a, b, y)
}

//go:noescape
func axpyDiffF32NEON(alpha float32, a, b, y []float32)

func axpyDiffF32(alpha float32, a, b, y []float32) {
	raceRead(a)
	raceRead(b)
	raceWrite(y)
	if cpu.UseNEON {
		axpyDiffF32NEON(alpha, a, b, y)
		return
	}
	axpyDiffF32Generic(alpha, a, b, y)
}

//go:noescape
func gemvF64NEON(dst, a []float64, rows, cols, stride int, x []float64)

func gemvF64(dst, a []float64, rows, cols, stride int, x []float64) {
	raceReadRows(a, rows, cols, stride)
	raceRead(x)
	raceWrite(dst)
	if cpu.UseNEON {
		gemvF64NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF64Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32NEON(dst, a []float32, rows, cols, stride int, x []float32)

func gemvF32(dst, a []float32, rows, cols, stride int, x []float32) {
	raceReadRows(a, rows, cols, stride)
	raceRead(x)
	raceWrite(dst)
	if cpu.UseNEON {
		gemvF32NEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32Generic(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvF32WideNEON(dst []float64, a []float32, rows, cols, stride int, x []float64)

func gemvF32Wide(dst []float64, a []float32, rows, cols, stride int, x []float64) {
	raceReadRows(a, rows, cols, stride)
	raceRead(x)
	raceWrite(dst)
	if cpu.UseNEON {
		gemvF32WideNEON(dst, a, rows, cols, stride, x)
		return
	}
	gemvF32WideGeneric(dst, a, rows, cols, stride, x)
}

//go:noescape
func gemvTF64NEON(dst, a []float64, rows, cols, stride int, c []float64)

func gemvTF64(dst, a []float64, rows, cols, stride int, c []float64) {
	raceReadRows(a, rows, cols, stride)
	raceRead(c)
	raceWrite(dst)
	if cpu.UseNEON {
		gemvTF64NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF64Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32NEON(dst, a []float32, rows, cols, stride int, c []float32)

func gemvTF32(dst, a []float32, rows, cols, stride int, c []float32) {
	raceReadRows(a, rows, cols, stride)
	raceRead(c)
	raceWrite(dst)
	if cpu.UseNEON {
		gemvTF32NEON(dst, a, rows, cols, stride, c)
		return
	}
	gemvTF32Generic(dst, a, rows, cols, stride, c)
}

//go:noescape
func gemvTF32WideNEON(dst []float64, a []float32, rows, cols, stride int, c []float64)

func gemvTF32Wide(dst []float64, a []float32, rows, cols, stride int, c []float64) {
	raceReadRows(a, rows, cols, stride)
	raceRead(c)
	raceWrite(dst)
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
