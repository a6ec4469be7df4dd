package vectors

// What was measured of the kernels in Go, on an AMD EPYC (Zen 5, 48 KiB of L1 and 1 MiB of L2 per
// core) where no other is named. No bit of a result depends on it; block.go, which is not built
// without assembly, has its own.

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
