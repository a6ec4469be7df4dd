package main

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// largestWindow is the maximum amount of content that a zstd decoder keeps, and so its memory. It
// is the default limit of the program zstd.
const largestWindow = 128 << 20

// readZstd decompresses zstd.
func readZstd(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(largestWindow))
}

// inZstd returns a function that compresses the content that write produces.
func inZstd(write func(w io.Writer) error) func(w io.Writer) error {
	return func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}
}
