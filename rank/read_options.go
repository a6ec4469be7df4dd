package rank

import "io"

// ReadOptions contains the options that are common to all readers of data, models, judgments, runs
// and vectors. If several are given, the last one is used.
type ReadOptions struct {
	// MemoryLimit is the maximum number of bytes that a reader may hold at once. The default is 2
	// GiB, or 64 times the size of the file if that is more. A reader counts memory before it
	// allocates it, so a small or highly compressed file cannot exhaust memory. Beyond the limit,
	// it returns an [OptionError]. Memory-mapped files do not count.
	MemoryLimit int64
	// Zstd returns a reader that decompresses zstd content. This module contains no zstd
	// decompressor, so zstd content is an error if Zstd is nil. The returned reader is never
	// closed, so it must not need closing. For example, with github.com/klauspost/compress/zstd,
	// return
	//
	//	zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	Zstd func(r io.Reader) (io.Reader, error)
}
