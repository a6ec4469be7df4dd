//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/kern"

// blockLen exists for the assembly, which sees only constants of its own package.
const blockLen = kern.BlockLen

// These constants were measured for the assembly, which sees them as const_NAME. They are prefetch
// distances and sizes at which the assembly changes its algorithm. They do not affect results.
//
// The machine was an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per core, at least 16 MiB of
// L3). Before you change a value, check that bench/peers/linear is not slower on it.
const (
	// Dot products of lengths from dotFar… to dotFar…To prefetch dotAhead bytes ahead. These
	// lengths exceed L1 by up to 32 KiB, so part of the data is in L1 at the next call. Without
	// prefetching, 4096 float64 take 1.15 to 1.23 times as long; longer vectors take the same or
	// less time. On Intel processors the code does not prefetch, because that would take 1.1 to 1.3
	// times as long (Emerald Rapids, 48 KiB of L1 and 2 MiB of L2).
	dotAhead    = 4096
	dotFarF64   = 3072
	dotFarF64To = 5120
	dotFarF32   = 6144
	dotFarF32To = 10240

	// Matrices of at most these sizes are treated as in L1 and L2. From L1, four rows that share
	// the loads of x are fastest. L2 delivers half as much to loads with an even step over rows.
	// For L3 and memory, such loads are 1.4 times as fast.
	gemvL1 = 32 << 10
	gemvL2 = 896 << 10

	// A matrix that is followed by more bytes than this is treated as in memory. There, one stream
	// is faster than four, and whole rows are faster than strips of columns.
	gemvMemory = 16 << 20

	// The prefetch distance of rows in bytes. Conversions between the loads leave too few loads in
	// flight, and hardware does not predict loads after a masked one. Without prefetching, rows in
	// L3 take up to 1.7 times as long. When AVX2 processes four rows at a time, they take up to 1.5
	// times as long in L2 and 1.6 times in memory (Zen 3). Processors that split 512-bit operations
	// do not prefetch rows from memory. On a Zen 4, it would make a product with a float64 vector
	// slower: 1.1 times for 136 columns, 1.4 times in pages of 4 KiB, and up to 1.7 times for 400
	// to 700 columns.
	gemvAhead = 4096
	// The prefetch distance for one row at a time from memory, when no other rows are being read.
	// On AVX2, rows of 5.6 KiB take 1.4 times as long without it. Processors that split 512-bit
	// operations do not use it: on a Zen 4, transposes of 220 to 700 columns would take 1.15 to 1.4
	// times as long.
	gemvAheadMemory = 16 << 10

	// On AVX2 four rows share the loads of x (Zen 3, 32 KiB of L1 and 512 KiB of L2). From 100
	// columns on, this takes 0.65 to 0.9 of the time of one row at a time, and about the same
	// below. If four rows are longer than gemvFour, prefetched lines do not fit in L1: float64 rows
	// of 5.6 KiB take 1.2 times as long. Beyond L2, only products of float32 and float64 are faster
	// (0.86), because conversions limit them. Others take at least as long: up to 1.5 times in
	// memory, and up to 1.3 times for rows of 2.8 KiB.
	//
	// From L2 on, the transpose on AVX2 adds eight rows at a time. There it takes 0.74 to 0.94 of
	// the time of strips of columns (Zen 3), but up to 1.3 times in L1. Beyond L2, it prefetches
	// the next eight rows, four lines per pair of vectors. It then takes 0.52 to 0.9 of the time of
	// strips. Without prefetching, and from a cold cache, rows of 576 bytes take up to 1.2 times as
	// long.
	gemvFour    = 3 << 10
	gemvFourFar = 2 << 10

	// Processors that split 512-bit operations use another algorithm for rows of more columns than
	// these (Zen 4, 32 KiB of L1 and 1 MiB of L2). Six rows of gemvSplit columns and the next six
	// fill L1. The transpose has registers for 112 columns, and loads and stores the others for
	// each row. At 220 columns, it takes 1.2 times as long as strips in L1, but 0.6 of the time
	// from memory.
	gemvSplit           = 512
	addGemvTSplit       = 160
	addGemvTSplitMemory = 224
)
