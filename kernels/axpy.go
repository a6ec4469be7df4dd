package kernels

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// AxpyF64 adds alpha·x to y: y[i] = alpha·x[i] + y[i], one fused multiply-add
// an element, rounded once. It panics when the lengths differ. x may be y itself; x and y that
// overlap otherwise panic.
func AxpyF64(alpha float64, x, y []float64) {
	if len(x) != len(y) {
		panic(kern.Lengths("AxpyF64: len(x) and len(y) differ", len(x), len(y)))
	}
	if kern.Shifted(x, y) {
		panic(kern.OverlapError("AxpyF64: y kern.Overlaps x"))
	}
	// By calls of itself, a function in Go: only where one begins can the scheduler preempt between assembly.
	for ; len(y) > kern.BlockLen; x, y = x[kern.BlockLen:], y[kern.BlockLen:] {
		AxpyF64(alpha, x[:kern.BlockLen], y[:kern.BlockLen])
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceWrite(y)
	}
	axpyF64(alpha, x, y)
}

// AxpyF32 is [AxpyF64] in float32.
func AxpyF32(alpha float32, x, y []float32) {
	if len(x) != len(y) {
		panic(kern.Lengths("AxpyF32: len(x) and len(y) differ", len(x), len(y)))
	}
	if kern.Shifted(x, y) {
		panic(kern.OverlapError("AxpyF32: y kern.Overlaps x"))
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

// AxpyDiffF64 adds alpha·(a−b) to y, the step that a pair of documents with features a and b makes on
// a gradient or a weight vector: y[i] = alpha·(a[i]−b[i]) + y[i], where the
// difference is rounded and the rest is one fused multiply-add. It panics when
// lengths differ. a and b may be y itself; an input that overlaps y otherwise panics.
func AxpyDiffF64(alpha float64, a, b, y []float64) {
	if len(a) != len(y) {
		panic(kern.Lengths("AxpyDiffF64: len(a) and len(y) differ", len(a), len(y)))
	}
	if len(b) != len(y) {
		panic(kern.Lengths("AxpyDiffF64: len(b) and len(y) differ", len(b), len(y)))
	}
	if kern.Shifted(a, y) {
		panic(kern.OverlapError("AxpyDiffF64: y kern.Overlaps a"))
	}
	if kern.Shifted(b, y) {
		panic(kern.OverlapError("AxpyDiffF64: y kern.Overlaps b"))
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

// AxpyDiffF32 is [AxpyDiffF64] in float32.
func AxpyDiffF32(alpha float32, a, b, y []float32) {
	if len(a) != len(y) {
		panic(kern.Lengths("AxpyDiffF32: len(a) and len(y) differ", len(a), len(y)))
	}
	if len(b) != len(y) {
		panic(kern.Lengths("AxpyDiffF32: len(b) and len(y) differ", len(b), len(y)))
	}
	if kern.Shifted(a, y) {
		panic(kern.OverlapError("AxpyDiffF32: y kern.Overlaps a"))
	}
	if kern.Shifted(b, y) {
		panic(kern.OverlapError("AxpyDiffF32: y kern.Overlaps b"))
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
