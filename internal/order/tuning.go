package order

// These sizes are used by Go code. They were measured on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB
// of L2 per core), unless a comment names another processor, and do not affect results.
// tuning_amd64.go contains the sizes of the assembly.

// These sizes are for Kendall's tau.
const (
	directLen    = 32      // maximum length for which comparing all pairs is faster
	insertionLen = 24      // leaf length in plain Go, which sorts by insertion and counts
	stageLen     = 1024    // number of sorted keys that wait to be split; they fit in L1
	parallelLen  = 1 << 15 // minimum length of a column per goroutine
	mergeRun     = 12      // maximum length for which insertion is faster than merging
	filterLen    = 1 << 11 // number of 64-bit words: 16 KiB, which leave room for keys in L1
	// filterMost is the maximum number of words if there are many ties. With 128 KiB, columns of 3M
	// to 10M values, of which 30k to 340k share keys, take 0.72 to 0.88 of the time. 64 to 512 KiB
	// are about as fast (Emerald Rapids).
	filterMost = 1 << 14
	chunkLen   = 256 // number of keys that are computed at once, few enough that loads of the next values overlap

	spreadLen   = 1 << 11 // minimum length for moving keys to cells before partitioning
	spreadShare = 8       // average number of keys per cell
	spreadCells = 1 << 12 // maximum number of cells; with the lines that are written, they fit in L2
	// spreadSample is the number of sampled keys. They must be in at least spreadSeen cells.
	// Typically, this is the case if there are 20 cells with equally many keys. With five such
	// cells, moving keys to cells takes 3 times as long as partitions, because each key waits for
	// the count that the previous key has incremented.
	spreadSample = 32
	spreadSeen   = 16

	gridLen    = 1 << 17 // minimum length of columns that are sorted and counted in parts
	gridBlock  = 1 << 14 // number of keys that are partitioned at once; with scratch memory, they fit in half of L2
	gridPart   = 1 << 15 // number of keys per part
	gridMost   = 256     // maximum number of parts
	gridSample = 8       // number of sampled keys per part

	// concentration is a limit for a sample of a column. If the number of sampled pairs that share
	// a sixty-fourth of the column's range exceeds the number for uniform values by this factor,
	// float32 keys separate the values better, because they depend on the magnitude.
	concentration = 8
)

// These sizes are for an argsort by several goroutines: the minimum number of keys per part, and
// the number of sampled keys per part.
const (
	argsortPart   = 1 << 13
	argsortSample = 16
)
