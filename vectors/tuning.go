package vectors

// These constants of the Go code were measured on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2
// per core), unless a comment names another processor. They do not affect results. block.go, which
// is built only with assembly, has its own constants.

// Sizes of blocks of float32 vectors, and on arm64 of bytes and bits. The rows fit in L1 together
// with two queries. The number of queries is limited by the buffer for the products of vectors with
// themselves, which cosines need.
const (
	blockBytes   = 24 << 10
	blockRows    = 512
	blockQueries = 64
)

// Sizes of tiles of vectors that are converted to float32, which is exact. With fewer queries than
// byteQueries, converting rows of bytes does not pay.
const (
	wideRows    = 6144
	wideQueries = 4096
	byteQueries = 4
)

// The prefetch distance of listed rows in bytes, and the minimum in rows. Rows are prefetched into
// L2. startBytes is how much of the start of each row is prefetched. It is startMemory if the
// matrix is larger than aheadMemory, and thus treated as in memory.
//
// They were measured on a Zen 4 with random rows of 128 bytes to 6 KiB, 32 at a time. Prefetching
// into L1 waits for about 20 lines at a time. It takes 1.4 times as long for rows of 512 bytes and
// 3 KiB, and 2.5 times for 128 bytes. A distance of 4 KiB takes 1.5 times as long for rows of 512
// bytes. Prefetching 1 KiB of a 3 KiB row takes 1.25 times as long as prefetching all of it from
// memory. It takes 0.8 to 0.9 of the time if the matrix is in L2 or L3. Prefetching more than 3 KiB
// of a 6 KiB row delays the current row.
//
// Rows of matrices of up to 1 MiB are prefetched, too. Without it, rows in L2 take 0.7 to 0.9 of
// the time. Other rows take at least 3 times as long if they have 128 bytes, and up to 1.7 times if
// they have 512 bytes or 3 KiB.
const (
	aheadBytes  = 16 << 10
	aheadRows   = 2
	aheadMemory = 16 << 20
	startBytes  = 1 << 10
	startMemory = 3 << 10
)
