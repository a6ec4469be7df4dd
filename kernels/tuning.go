package kernels

// What was measured of the kernels in Go, on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per
// core) where no other is named: how much is done at a time, how far ahead memory is fetched, and
// from which size on another way is faster. No bit of a result depends on it; tuning_amd64.go has
// what assembly sees, and block.go, which is not built without assembly, its own.
// A size that is part of an order of operations stands with its kernel.

// Kendall's tau.
const (
	directLen    = 32      // comparing all pairs is faster up to this length
	insertionLen = 24      // a leaf in plain Go: insertion sorts it, and counts
	stageLen     = 1024    // sorted keys that wait to be split: they fit L1
	parallelLen  = 1 << 15 // a part of a column that is worth another goroutine
	mergeRun     = 12      // insertion beats merging up to this length
	filterLen    = 1 << 11 // words of 64 bits: 16 KiB, which leave room for keys in L1
	// Words for many ties at most: with 128 KiB columns of 3M to 10M values, of which 30k to 340k
	// share keys, take .72 to .88 of the time; 64 to 512 KiB are much the same (Emerald Rapids).
	filterMost = 1 << 14
	chunkLen   = 256 // keys made of columns at once: few, for the next values are read meanwhile

	spreadLen   = 1 << 11 // longer parts are spread over cells before they are partitioned
	spreadShare = 8       // keys per cell
	spreadCells = 1 << 12 // cells at most: with the lines that they are written to they fit L2
	// Keys of a sample, and the cells that these are in at least, where parts are spread: 20 cells
	// with as many keys each come to that. With five a spread takes 3 times as long as partitions,
	// for each key waits for the count that the last one left.
	spreadSample = 32
	spreadSeen   = 16

	gridLen    = 1 << 17 // longer columns are sorted and counted in parts
	gridBlock  = 1 << 14 // keys that are cut at once: with their scratch they fit half of L2
	gridPart   = 1 << 15 // keys of a part
	gridMost   = 256     // parts
	gridSample = 8       // keys of a sample for each part

	// How many times as many pairs of a sample may share a sixty-fourth of the range of a column
	// as would if its values were uniform, before float32, which follow the magnitude, spread it
	// better.
	concentration = 8
)

// Long queries whose documents are shared among goroutines: how many are put in order at a time,
// how many are sorted as a part at least, and keys of a sample for each part.
const (
	pairShare     = 1 << 13
	argsortPart   = 1 << 13
	argsortSample = 16
)

// Blocks of vectors of float32, and on arm64 of bytes and bits: as many rows as fit L1 beside two
// queries, and as many queries as there is room for products of vectors with themselves, which
// cosines need.
const (
	blockBytes   = 24 << 10
	blockRows    = 512
	blockQueries = 64
)

// Tiles of vectors that are widened to float32, which holds their numbers exactly. Fewer queries
// than byteQueries do not pay for widening rows of bytes.
const (
	wideRows    = 6144
	wideQueries = 4096
	byteQueries = 4
)

// How many bytes, or at least rows, ahead of those that are compared listed rows of vectors are
// fetched into L2, and how much of the start of each: startMemory where the matrix has more than
// aheadMemory bytes, which are taken to be in memory. Measured on a Zen 4 with random rows of 128
// bytes to 6 KiB, 32 at a time. Fetching into L1, which waits for some 20 lines at a time, takes
// 1.4 times as long with rows of 512 bytes and 3 KiB, and 2.5 times with 128 bytes. 4 KiB ahead
// take 1.5 times as long with rows of 512 bytes. The first KiB of 3 takes 1.25 times as long as all
// of it from memory, but .8 to .9 of the time where the matrix is in L2 or L3; more than 3 KiB of 6
// delay the row whose turn it is.
//
// Rows of matrices of up to 1 MiB are fetched, too. Without it those in L2 take .7 to .9 of the
// time, but others take 3 times as long or more if they have 128 bytes, and up to 1.7 times if they
// have 512 or 3 KiB.
const (
	aheadBytes  = 16 << 10
	aheadRows   = 2
	aheadMemory = 16 << 20
	startBytes  = 1 << 10
	startMemory = 3 << 10
)
