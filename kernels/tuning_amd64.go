//go:build !purego

package kernels

import "github.com/simdrank/simdrank/internal/kern"

// blockLen is there for the assembly, which sees the constants of its own package.
const blockLen = kern.BlockLen

// What was measured of the assembly, which sees these constants as const_NAME: how far ahead it
// fetches, and from which size on it goes another way. No bit of a result depends on them.
//
// The machine was an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per core, 16 MiB or more of L3);
// before another value is taken, bench/peers/linear should be no slower on it.
const (
	// Dot products fetch dotAhead bytes ahead between these lengths, which exceed L1 by up to 32
	// KiB: a part is there when the next call comes. Without it, 4096 float64 take 1.15 to 1.23
	// times as long; longer vectors take the same or less. Not on Intel: there they take 1.1 to 1.3
	// times as long with it (Emerald Rapids, 48 KiB of L1 and 2 MiB of L2).
	dotAhead    = 4096
	dotFarF64   = 3072
	dotFarF64To = 5120
	dotFarF32   = 6144
	dotFarF32To = 10240

	// A matrix of so many bytes is taken to be in L1, and in L2. From L1, four rows that share the
	// loads of x are fastest. L2 delivers half as much to loads that step evenly over rows, which
	// make L3 and memory 1.4 times as fast.
	gemvL1 = 32 << 10
	gemvL2 = 896 << 10

	// A matrix that is followed by more bytes is taken to be in memory, where one stream is faster
	// than four, and whole rows are than strips of columns.
	gemvMemory = 16 << 20

	// Bytes that rows are fetched ahead. Conversions between the loads leave too few of them in
	// flight, and a load under a mask does not foretell the next ones: rows in L3 take up to 1.7
	// times as long without, and four rows at a time on AVX2 up to 1.5 times in L2 and 1.6 times in
	// memory (Zen 3). Processors that split what has 512 bits do not fetch rows from memory: on a
	// Zen 4 a product with a float64 vector takes 1.1 times as long with it for 136 columns, 1.4
	// times in pages of 4 KiB, and up to 1.7 times for 400 to 700 columns.
	gemvAhead = 4096
	// For one row at a time from memory, where no other rows are being read meanwhile: on AVX2 rows
	// of 5.6 KiB take 1.4 times as long without. Not on processors that split what has 512 bits:
	// transposes of 220 to 700 columns take 1.15 to 1.4 times as long with it on a Zen 4.
	gemvAheadMemory = 16 << 10

	// On AVX2 four rows share the loads of x (Zen 3, 32 KiB of L1 and 512 KiB of L2): that takes
	// 0.65 to 0.9 of the time of one row at a time from 100 columns on, and about the same below.
	// Four rows longer than this leave no room in L1 for the lines that are fetched: float64 of 5.6
	// KiB take 1.2 times as long. Beyond L2 only products of float32 and float64, whose
	// conversions bind, gain (0.86): others take the same or more, in memory up to 1.5 times as
	// long, and rows of 2.8 KiB up to 1.3 times.
	//
	// From L2 on, the transpose on AVX2 adds eight rows at a time: 0.74 to 0.94 of the time of
	// strips of columns there (Zen 3), in L1 up to 1.3 times as long. Beyond L2 the next eight rows
	// are fetched meanwhile, four lines per pair of vectors: 0.52 to 0.9 of the time of strips;
	// without, and from a cold cache, rows of 576 bytes take up to 1.2 times as long.
	gemvFour    = 3 << 10
	gemvFourFar = 2 << 10

	// On processors that split what has 512 bits, rows of more columns than these go another way
	// (Zen 4, 32 KiB of L1 and 1 MiB of L2): six rows of gemvSplit columns and the next six fill
	// L1; the transpose has registers for 112 columns, and loads and stores the others for each
	// row: at 220 columns it takes 1.2 times as long in L1 as strips, but 0.6 of the time from
	// memory.
	gemvSplit           = 512
	addGemvTSplit       = 160
	addGemvTSplitMemory = 224
)
