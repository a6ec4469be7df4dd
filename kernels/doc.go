// Package kernels contains SIMD kernels for ranking: dot products and axpy, dense and sparse
// matrix-vector products, exp, pairwise losses, top k and Kendall's tau. Each kernel is implemented
// in plain Go and, if that is faster, in hand-written assembly for AVX2, AVX-512 and NEON. Package
// vectors compares vectors of many element types.
//
// For example, this scores a matrix of documents and ranks the ten best:
//
//	kernels.GemvF32(scores, weights, features, rows, cols, cols)
//	best := kernels.AppendTopK(nil, scores, 10, nil)
//
// # Tiers
//
// A tier is a set of implementations:
//
//   - generic: plain Go. It is the reference, and the only tier on architectures other than amd64
//     and arm64.
//   - avx2: AVX2, FMA3, F16C and POPCNT.
//   - avx512: AVX-512 F, DQ, VL and BW in addition to avx2.
//   - neon: NEON, which every arm64 processor supports.
//
// The best tier that the machine supports is selected when the program starts. The environment
// variable SIMDRANK_CPU selects another tier, and [CPU] returns the active one. With go test, also
// use -count=1, because the test cache detects changes of SIMDRANK_CPU only in tests that call CPU
// or [CPUErr].
//
// On processors that split 512-bit operations, some avx512 kernels that convert float32 to float64
// use 256-bit vectors. Building with -tags purego omits all assembly.
//
// # Contracts
//
// Arguments are checked before anything is computed, except sparse column indices, which are
// checked during the computation. Invalid arguments cause a panic with a [runtime.Error] that names
// the kernel and the problem. The panic is the same on every tier. Element values never cause a
// panic.
//
// Determinism: each floating-point kernel documents its order of operations. Its results are
// bit-identical on every tier and architecture, and for any alignment and number of threads. The
// only exception is the sign and payload of a NaN, which Go leaves to the hardware. Counts and
// orders are exact integers.
//
// Results that involve NaN, infinities, signed zeros or subnormals follow from IEEE 754 and the
// documented order of operations. No kernel changes a processor mode.
//
// Results: functions whose names begin with Append append to dst and return the extended slice.
// Functions whose names begin with Add add to dst, and axpy adds to y. All others overwrite dst.
//
// Memory: no kernel reads or writes outside of its slices, for any arguments. Inputs are never
// written. Nothing is allocated except when a workspace grows. A kernel panics if an output
// overlaps an input, unless its comment allows the overlap. Inputs may overlap each other.
//
// # Source
//
// Each kernel has a reference in plain Go (kernels_*_generic.go), which is the best place to start
// reading. The assembly is named after the kernel and the tier. For example, DotF64 has
// dotF64Generic, dotF64AVX2, dotF64AVX512 and dotF64NEON. The page docs/contributing/assembly.md in
// the repository explains how to read the assembly and how to add a kernel.
package kernels

import (
	"os"

	"github.com/simdrank/simdrank/internal/cpu"
)

// CPU returns the name of the active tier: "generic", "avx2", "avx512" or "neon".
func CPU() string {
	noteVariable()
	return cpu.Active().String()
}

// CPUErr returns an error if SIMDRANK_CPU is set but does not name the active tier. Otherwise it
// returns nil.
func CPUErr() error {
	noteVariable()
	return cpu.Err()
}

// noteVariable reads SIMDRANK_CPU while tests run. The cache of go test records only variables that
// are read during tests.
func noteVariable() { os.Getenv(cpu.EnvVar) }
