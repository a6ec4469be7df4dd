package order

// Sizes that were measured with the code in Go on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2
// per core), unless another processor is named. No bit of a result depends on them. tuning_amd64.go
// has the sizes of the assembly.

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

// Argsort by several goroutines: the least number of keys of a part, and keys of a sample for each
// part.
const (
	argsortPart   = 1 << 13
	argsortSample = 16
)
