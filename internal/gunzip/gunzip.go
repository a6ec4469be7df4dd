// Package gunzip reads text that may be compressed.
package gunzip

import (
	"bufio"
	"compress/gzip"
	"io"
)

// Reader returns a reader of r's content, decompressed when it starts with gzip's magic bytes.
func Reader(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	if magic, err := b.Peek(2); string(magic) != "\x1f\x8b" {
		if err != nil && err != io.EOF {
			return nil, err
		}
		return b, nil
	}
	return gzip.NewReader(b)
}
