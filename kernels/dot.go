package kernels

import (
	"github.com/simdrank/simdrank/internal/kern"
)

// DotF64 returns the dot product Σ x[i]·y[i], 0 when the slices are empty. It
// panics when their lengths differ.
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
func DotF64(x, y []float64) float64 {
	if len(x) != len(y) {
		// A literal: with a call of kern.Lengths the function would be too long to be inlined.
		panic(kern.LengthError{What: "DotF64: len(x) and len(y) differ", A: len(x), B: len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF64(x, y)
}

// DotF32 is [DotF64] in float32 throughout, with 64 lanes: four groups of 16,
// added as (g₀+g₁)+(g₂+g₃), then halved from 16 sums to 8, 4, 2 and 1.
func DotF32(x, y []float32) float32 {
	if len(x) != len(y) {
		panic(kern.LengthError{What: "DotF32: len(x) and len(y) differ", A: len(x), B: len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF32(x, y)
}

// DotF32Wide returns the dot product of float32 data with a float64 sum: the
// bits of [DotF64] on the same data converted to float64, where every product is exact.
func DotF32Wide(x, y []float32) float64 {
	if len(x) != len(y) {
		panic(kern.LengthError{What: "DotF32Wide: len(x) and len(y) differ", A: len(x), B: len(y)})
	}
	if kern.Race {
		kern.RaceRead(x)
		kern.RaceRead(y)
	}
	return dotF32Wide(x, y)
}

// dotF64Long adds the blocks of slices longer than kern.BlockLen. On amd64, dotF64 comes here with shorter ones, too, when the
// goroutine is to be preempted.
func dotF64Long(x, y []float64) float64 {
	n := min(kern.BlockLen, len(x))
	sum := dotF64(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotF64(x[i:end], y[i:end])
	}
	return sum
}

func dotF32Long(x, y []float32) float32 {
	n := min(kern.BlockLen, len(x))
	sum := dotF32(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotF32(x[i:end], y[i:end])
	}
	return sum
}

func dotF32WideLong(x, y []float32) float64 {
	n := min(kern.BlockLen, len(x))
	sum := dotF32Wide(x[:n], y[:n])
	for i := kern.BlockLen; i < len(x); i += kern.BlockLen {
		end := min(i+kern.BlockLen, len(x))
		sum += dotF32Wide(x[i:end], y[i:end])
	}
	return sum
}
