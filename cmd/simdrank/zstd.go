package main

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/simdrank/simdrank/internal/files"
)

// largestWindow is the maximum amount of content that a zstd decoder keeps, and so its memory. It
// is the default limit of the program zstd.
const largestWindow = 128 << 20

func init() {
	// The library does not require a module for zstd, but package parquet does.
	files.Zstd.Reader = func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(largestWindow))
	}
	files.Zstd.Writer = func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
}
