package kernels

import (
	"unsafe"

	"github.com/simdrank/simdrank/internal/kern"
)

// DotF64 returns the dot product Σ x[i]·y[i], 0 when the slices are empty. x and y may overlap in
// any way.
//
// Order of operations. Element i belongs to lane i mod 32. A lane starts with
// the rounded product of its first element, and each further element, in
// order of i, enters by a fused multiply-add: lane = x[i]·y[i] + lane, rounded
// once. Lanes without an element take no part in what follows (as if they held
// −0, which changes no sum). The 32 lanes are four groups of 8 consecutive ones, g₀ to g₃, and are
// added as (g₀+g₁)+(g₂+g₃), lane by lane; the 8 sums are then halved, the upper half
// onto the lower: s[k]+s[k+4], then s[k]+s[k+2], then s[0]+s[1]. Slices longer
// than 65536 elements are cut into blocks of 65536, and the results of the blocks are
// added in order.
//
// It panics when the lengths differ.
func DotF64(x, y []float64) float64 {
	if len(x) != len(y) {
		// A literal: with a call of kern.Lengths the function would be too long to be inlined.
		panic(unequal{dotF64Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF64(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// DotF32 is [DotF64] in float32 throughout, with 64 lanes: four groups of 16,
// added as (g₀+g₁)+(g₂+g₃), then halved from 16 sums to 8, 4, 2 and 1.
//
// It panics when the lengths differ.
func DotF32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(unequal{dotF32Lengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF32(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// DotF32Wide returns the dot product of float32 data with a float64 sum: the
// bits of [DotF64] on the same data converted to float64, where every product is exact.
//
// It panics when the lengths differ.
func DotF32Wide(x, y []float32) float64 {
	if len(x) != len(y) {
		panic(unequal{dotF32WideLengths, len(x), len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF32Wide(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// dotF64Long adds the blocks of slices longer than kern.BlockLen. On amd64, dotF64 calls it for
// shorter ones, too, when the goroutine is to be preempted.
func dotF64Long(x, y []float64) float64 {
	n := min(kern.BlockLen, len(x))
	sum := DotF64(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF64(x[i:end], y[i:end])
	}
	return sum
}

func dotF32Long(x, y []float32) float32 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32(x[i:end], y[i:end])
	}
	return sum
}

func dotF32WideLong(x, y []float32) float64 {
	n := min(kern.BlockLen, len(x))
	sum := DotF32Wide(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += DotF32Wide(x[i:end], y[i:end])
	}
	return sum
}

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], one fused multiply-add per
// element, rounded once. x may be y itself.
//
// It panics when the lengths differ, and when x and y overlap without being the same slice.
func AxpyF64(alpha float64, x, y []float64) {
	if len(x) != len(y) {
		panic(kern.Lengths("AxpyF64: len(x) and len(y) differ", len(x), len(y)))
	}
	if kern.Shifted(x, y) {
		panic(kern.OverlapError("AxpyF64: y overlaps x"))
	}
	// By calls of itself, a function in Go: only where one begins can the scheduler preempt
	// between assembly.
	for ; len(y) > kern.BlockLen; x, y = x[kern.BlockLen:], y[kern.BlockLen:] {
		AxpyF64(alpha, x[:kern.BlockLen], y[:kern.BlockLen])
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceWrite(y)
	}
	axpyF64(alpha, x, y)
}

// AxpyF32 is like [AxpyF64] but in float32. It adds to y, and panics if AxpyF64 would.
func AxpyF32(alpha float32, x, y []float32) {
	if len(x) != len(y) {
		panic(kern.Lengths("AxpyF32: len(x) and len(y) differ", len(x), len(y)))
	}
	if kern.Shifted(x, y) {
		panic(kern.OverlapError("AxpyF32: y overlaps x"))
	}
	for ; len(y) > kern.BlockLen; x, y = x[kern.BlockLen:], y[kern.BlockLen:] {
		AxpyF32(alpha, x[:kern.BlockLen], y[:kern.BlockLen])
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceWrite(y)
	}
	axpyF32(alpha, x, y)
}

// AxpyDiffF64 adds alpha·(a−b) to y: y[i] = alpha·(a[i]−b[i]) + y[i], where the
// difference is rounded and the rest is one fused multiply-add.
//
// It is for trainers that take one pair of documents at a time, such as stochastic gradient
// descent on a pairwise loss: a and b are the features of the two, y the weights. The trainers of
// package rank work on whole queries and do not call it.
//
// a and b may be y itself. It panics when the lengths differ, and when a or b overlaps y without
// being the same slice.
func AxpyDiffF64(alpha float64, a, b, y []float64) {
	if len(a) != len(y) {
		panic(kern.Lengths("AxpyDiffF64: len(a) and len(y) differ", len(a), len(y)))
	}
	if len(b) != len(y) {
		panic(kern.Lengths("AxpyDiffF64: len(b) and len(y) differ", len(b), len(y)))
	}
	if kern.Shifted(a, y) {
		panic(kern.OverlapError("AxpyDiffF64: y overlaps a"))
	}
	if kern.Shifted(b, y) {
		panic(kern.OverlapError("AxpyDiffF64: y overlaps b"))
	}
	for ; len(y) > kern.BlockLen; a, b, y = a[kern.BlockLen:], b[kern.BlockLen:], y[kern.BlockLen:] {
		AxpyDiffF64(alpha, a[:kern.BlockLen], b[:kern.BlockLen], y[:kern.BlockLen])
	}
	if kern.Race {
		kern.RaceRead(a)
		kern.RaceRead(b)
		kern.RaceWrite(y)
	}
	axpyDiffF64(alpha, a, b, y)
}

// AxpyDiffF32 is like [AxpyDiffF64] but in float32. It adds to y, and panics if AxpyDiffF64 would.
func AxpyDiffF32(alpha float32, a, b, y []float32) {
	if len(a) != len(y) {
		panic(kern.Lengths("AxpyDiffF32: len(a) and len(y) differ", len(a), len(y)))
	}
	if len(b) != len(y) {
		panic(kern.Lengths("AxpyDiffF32: len(b) and len(y) differ", len(b), len(y)))
	}
	if kern.Shifted(a, y) {
		panic(kern.OverlapError("AxpyDiffF32: y overlaps a"))
	}
	if kern.Shifted(b, y) {
		panic(kern.OverlapError("AxpyDiffF32: y overlaps b"))
	}
	for ; len(y) > kern.BlockLen; a, b, y = a[kern.BlockLen:], b[kern.BlockLen:], y[kern.BlockLen:] {
		AxpyDiffF32(alpha, a[:kern.BlockLen], b[:kern.BlockLen], y[:kern.BlockLen])
	}
	if kern.Race {
		kern.RaceRead(a)
		kern.RaceRead(b)
		kern.RaceWrite(y)
	}
	axpyDiffF32(alpha, a, b, y)
}
