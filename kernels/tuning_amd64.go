//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/kern"

// blockLen exists for the assembly, which can use only constants of its own package.
const blockLen = kern.BlockLen

// These constants were measured for the assembly, which refers to them as const_NAME. They are
// prefetch distances, and sizes at which the assembly switches to another algorithm. They do not
// affect results.
//
// The machine was an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per core, at least 16 MiB of
// L3). Before you change a value, check that bench/peers/linear is not slower on this machine.
const (
	// Dot products of dotFar… to dotFar…To elements prefetch dotAhead bytes ahead. Vectors of these
	// lengths exceed L1 by up to 32 KiB, so part of the data is in L1 at the next call. Without
	// prefetching, 4096 float64 take 1.15 to 1.23 times as long. For longer vectors, prefetching
	// does not help. Prefetching is disabled on Intel processors, where these dot products would
	// take 1.1 to 1.3 times as long (Emerald Rapids, 48 KiB of L1 and 2 MiB of L2).
	dotAhead    = 4096
	dotFarF64   = 3072
	dotFarF64To = 5120
	dotFarF32   = 6144
	dotFarF32To = 10240

	// Matrices of at most these sizes are treated as if they were in L1 and L2. If the matrix is in
	// L1, the fastest code processes four rows that share the loads of x. If a load advances by a
	// constant step across rows, L2 delivers half as much, but L3 and memory are 1.4 times as fast.
	gemvL1 = 32 << 10
	gemvL2 = 896 << 10

	// If the slice from the matrix on has more bytes, the matrix is treated as if it were in
	// memory. In this case, one stream is faster than four, and whole rows are faster than strips
	// of columns.
	gemvMemory = 16 << 20

	// The prefetch distance of rows in bytes. The conversions between loads leave too few loads in
	// flight, and the hardware does not prefetch after masked loads. Without prefetching, rows in
	// L3 take up to 1.7 times as long. If AVX2 code processes four rows at a time, the rows take up
	// to 1.5 times as long in L2 and 1.6 times as long in memory (Zen 3). Processors that split
	// 512-bit operations do not prefetch rows from memory. On a Zen 4, prefetching would make
	// products with a float64 vector take 1.1 times as long for 136 columns, 1.4 times in pages of
	// 4 KiB, and up to 1.7 times for 400 to 700 columns.
	gemvAhead = 4096
	// The prefetch distance in memory if the code processes one row at a time. On AVX2, rows of 5.6
	// KiB take 1.4 times as long without prefetching. Processors that split 512-bit operations do
	// not prefetch in this case: on a Zen 4, transposes of 220 to 700 columns would take 1.15 to
	// 1.4 times as long.
	gemvAheadMemory = 16 << 10

	// On AVX2, four rows share the loads of x (Zen 3, 32 KiB of L1 and 512 KiB of L2). From 100
	// columns on, this takes 0.65 to 0.9 of the time of one row at a time. Below 100 columns, it
	// takes about the same time. If rows are longer than gemvFour bytes, the prefetched lines of
	// four rows do not fit in L1, and float64 rows of 5.6 KiB take 1.2 times as long. If the matrix
	// is not in L2, only products of float32 and float64 are faster (0.86), because conversions
	// limit them. Other products take up to 1.5 times as long in memory, and up to 1.3 times as
	// long for rows of 2.8 KiB.
	//
	// If the matrix is not in L1, the transpose on AVX2 adds eight rows at a time. This takes 0.74
	// to 0.94 of the time of strips of columns (Zen 3), but up to 1.3 times as long in L1. If the
	// matrix is not in L2, the transpose also prefetches the next eight rows, four lines per pair
	// of vectors. With prefetching, it takes 0.52 to 0.9 of the time of strips. Without
	// prefetching, rows of 576 bytes that are not in any cache take up to 1.2 times as long.
	gemvFour    = 3 << 10
	gemvFourFar = 2 << 10

	// Processors that split 512-bit operations use another algorithm if rows have more columns than
	// these (Zen 4, 32 KiB of L1 and 1 MiB of L2). Six rows of gemvSplit columns and the next six
	// rows fill L1. The transpose has registers for 112 columns. The transpose loads and stores the
	// other columns for each row. For 220 columns, it takes 1.2 times as long as strips in L1, but
	// 0.6 of the time of strips in memory.
	gemvSplit           = 512
	addGemvTSplit       = 160
	addGemvTSplitMemory = 224
)
