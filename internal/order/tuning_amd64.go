//go:build !purego

package order

// What was measured of the assembly, which sees these constants as const_NAME. No bit of a result
// depends on them.
const (
	// Bytes that columns of float64 are fetched ahead of those that are scanned, and of which keys
	// are made. Callers make few keys at a time, and work on them before the next ones: Kendall's
	// tau of columns of 1M values takes .96 of the time, of 3M values .89 to .95, and of shorter
	// columns the same (Zen 5); 2 and 8 KiB gain no more. On an Emerald Rapids they take .97 to
	// .99. Scans of 100k to 3M values take .6 to .8 of the time there, and tau another .94 to 1.02.
	keysAhead = 4096

	// Bytes that both parts of a partition are fetched ahead of what is stored there, on Intel with
	// AVX-512. A processor of Intel stores in order, and waits for each line that is not in L1:
	// partitions of more than 32 KiB take .64 to .72 of the time, of megabytes .85, and shorter
	// ones 1.05 times as long; Kendall's tau of 1M to 3M values takes .91 to .97 of the time, and
	// of fewer the same (Emerald Rapids, 48 KiB of L1). With 128 and 512 bytes they take the same.
	//
	// SpreadI64 fetches where the next 16 keys go, on Intel with AVX2, too: 4k to 128k keys take .5
	// to .86 of the time, and 2k .97 to 1.04. With that, and with cells that vectors find, tau
	// takes .83 to .96 of the time up to 1M; on AVX2, where the cells are found so as well, the
	// fetching alone is worth .86 to .97.
	storesAhead = 256
)
