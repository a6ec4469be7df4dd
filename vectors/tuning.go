package vectors

// The constants in this file are used by Go code. They were measured on an AMD EPYC (Zen 5, 48 KiB
// of L1 and 1 MiB of L2 per core), unless a comment names another processor, and do not affect
// results. block.go, which is compiled only with assembly, contains its own constants.

// These are the sizes of blocks of float32 vectors and, on arm64, of bytes and bits. The rows of a
// block and two queries fit in L1. The buffer for the products of vectors with themselves, which
// cosines require, limits the number of queries.
const (
	blockBytes   = 24 << 10
	blockRows    = 512
	blockQueries = 64
)

// These are the sizes of tiles of vectors that are converted to float32 without rounding. With
// fewer than byteQueries queries, comparing rows of bytes directly is faster than converting them.
const (
	wideRows    = 6144
	wideQueries = 4096
	byteQueries = 4
)

// aheadBytes is the prefetch distance of listed rows in bytes, and aheadRows is the minimum
// distance in rows. Rows are prefetched into L2. startBytes is the number of bytes to prefetch at
// the start of each row. If the matrix is larger than aheadMemory, it is treated as if it were in
// memory, and startMemory replaces startBytes.
//
// The constants were measured on a Zen 4 with random rows of 128 bytes to 6 KiB, 32 at a time.
// Alternatives are slower. Prefetching into L1 stalls because only about 20 cache lines can be in
// flight. It takes 1.4 times as long for rows of 512 bytes and 3 KiB, and 2.5 times as long for
// rows of 128 bytes. A distance of 4 KiB takes 1.5 times as long for rows of 512 bytes. Prefetching
// only 1 KiB of a 3 KiB row takes 1.25 times as long if the matrix is in memory, but 0.8 to 0.9 of
// the time if the matrix is in L2 or L3. Prefetching more than 3 KiB of a 6 KiB row delays the
// current row.
//
// Rows of matrices of up to 1 MiB are prefetched, too. Without prefetching, rows in L2 take 0.7 to
// 0.9 of the time. However, rows that are not in L2 take at least 3 times as long if they have 128
// bytes, and up to 1.7 times as long if they have 512 bytes or 3 KiB.
const (
	aheadBytes  = 16 << 10
	aheadRows   = 2
	aheadMemory = 16 << 20
	startBytes  = 1 << 10
	startMemory = 3 << 10
)
