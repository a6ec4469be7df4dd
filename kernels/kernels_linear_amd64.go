//go:build !purego

package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// blockLen is there for the assembly, which sees the constants of its own package.
const blockLen = kern.BlockLen

// plainGo reports whether no assembly runs.
func plainGo() bool { return !cpu.UseAVX2 && !cpu.UseAVX512 }

// inGo is where the assembly of two vectors goes on in Go, by functions ...Go of its arguments:
// plain Go where no assembly runs, and else blocks, for more than one and for a goroutine that is
// to be preempted, which it was when that function began.
func inGo[X, Y, R any](x *X, y *Y, n int, blocks, generic func(x []X, y []Y) R) R {
	if plainGo() {
		return generic(unsafe.Slice(x, n), unsafe.Slice(y, n))
	}
	return blocks(unsafe.Slice(x, n), unsafe.Slice(y, n))
}

//go:noescape
func dotF64(x, y *float64, n int) float64

//go:noescape
func dotF64AVX2(x, y *float64, n int) float64

//go:noescape
func dotF64AVX512(x, y *float64, n int) float64

func dotF64Go(x, y *float64, n int) float64 {
	return inGo(x, y, n, dotF64Long, dotF64Generic)
}

//go:noescape
func dotF32(x, y *float32, n int) float32

//go:noescape
func dotF32AVX2(x, y *float32, n int) float32

//go:noescape
func dotF32AVX512(x, y *float32, n int) float32

func dotF32Go(x, y *float32, n int) float32 {
	return inGo(x, y, n, dotF32Long, dotF32Generic)
}

//go:noescape
func dotF32Wide(x, y *float32, n int) float64

//go:noescape
func dotF32WideAVX2(x, y *float32, n int) float64

//go:noescape
func dotF32WideAVX512(x, y *float32, n int) float64

func dotF32WideGo(x, y *float32, n int) float64 {
	return inGo(x, y, n, dotF32WideLong, dotF32WideGeneric)
}

//go:noescape
func axpyF64(alpha float64, x, y []float64)

//go:noescape
func axpyF64AVX2(alpha float64, x, y []float64)

//go:noescape
func axpyF64AVX512(alpha float64, x, y []float64)

//go:noescape
func axpyF32(alpha float32, x, y []float32)

//go:noescape
func axpyF32AVX2(alpha float32, x, y []float32)

//go:noescape
func axpyF32AVX512(alpha float32, x, y []float32)

//go:noescape
func axpyDiffF64(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF64AVX2(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF64AVX512(alpha float64, a, b, y []float64)

//go:noescape
func axpyDiffF32(alpha float32, a, b, y []float32)

//go:noescape
func axpyDiffF32AVX2(alpha float32, a, b, y []float32)

//go:noescape
func axpyDiffF32AVX512(alpha float32, a, b, y []float32)
