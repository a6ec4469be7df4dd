// Package kernels holds the numerical kernels that ranking rests on, each in plain Go and, where it
// pays, in hand-written assembly for AVX2, AVX-512 and NEON: dot products and axpy, products with
// dense and sparse matrices, exp and pairwise losses, rankings of scores, and sorting and counting
// for Kendall's tau. Package vectors compares vectors of many types.
//
// # Tiers
//
// A tier is a set of implementations: generic (plain Go, the reference and the code of every other
// architecture), avx2 (AVX2, FMA3, F16C and POPCNT), avx512 (AVX-512 F, DQ, VL and BW beside AVX2)
// and neon. The best tier of the machine is chosen once, when the program starts; the environment
// variable SIMDRANK_CPU asks for another, and [CPU] returns the one that runs. With go test, use
// -count=1 as well: the test cache does not see a variable that is read when the program starts, so
// that it would answer with the results of another tier. It does see a call of CPU or [CPUErr].
//
// Inside a tier, some kernels that widen float32 use vectors of 256 bits if the processor splits
// those of 512. Building with -tags purego omits all assembly.
//
// # Contracts
//
// Arguments are checked before anything is computed, the indices of a sparse matrix on the way.
// Arguments that do not fit panic with a [runtime.Error] that names the kernel and what is wrong,
// the same on every tier. Values of elements never panic.
//
// Bits: a floating-point kernel documents its order of operations and returns the same bits on
// every tier, architecture, alignment and number of threads. The one exception is the payload and
// sign of a NaN, which Go leaves to the hardware: whether a result is NaN is the same everywhere.
// Counts and orders are integers and exact.
//
// NaN, infinities, signed zeros and subnormals give what the documented order of IEEE 754
// operations gives; no mode of the processor is changed.
//
// Results: a function whose name begins with Append appends to dst and returns the extended slice.
// One whose name begins with Add adds to dst, and axpy adds to y. All others overwrite dst.
//
// Memory: whatever the arguments, nothing is read or written outside the slices. Inputs are never
// written, and nothing is allocated but by workspaces that grow. What a kernel writes must not
// overlap what it reads, which panics, unless its comment allows it; inputs may overlap each other.
//
// # Source
//
// Each kernel has a reference in plain Go (kernels_*_generic.go), which is the best place to start
// reading, and assembly that is named after it and its tier: DotF64 has dotF64Generic, dotF64AVX2,
// dotF64AVX512 and dotF64NEON. The page docs/contributing/assembly.md in the repository explains
// how to read the assembly and how to add a kernel.
package kernels

import (
	"os"

	"github.com/simdrank/simdrank/internal/cpu"
)

// CPU returns the name of the tier that runs: "generic", "avx2", "avx512" or
// "neon".
func CPU() string {
	noteVariable()
	return cpu.Active().String()
}

// CPUErr returns an error if the tier that the environment variable SIMDRANK_CPU asks for does not
// run. It returns nil if that tier runs or the variable is not set.
func CPUErr() error {
	noteVariable()
	return cpu.Err()
}

// noteVariable reads SIMDRANK_CPU for the cache of go test alone, which records the variables that
// are read while tests run but not those that are read before.
func noteVariable() { os.Getenv(cpu.EnvVar) }
