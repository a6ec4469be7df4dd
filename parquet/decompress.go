package parquet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// buffers are reused by a goroutine for each page that it decodes.
type buffers struct {
	stored, content []byte // a page
	levels, index   []uint32
	integers        []int64
	page            any // the values of the last page of a column that was read
	brotli          *brotli.Reader
	gzip            *gzip.Reader
	zstd            *zstd.Decoder // for pages that are decompressed at once
	stream          *zstd.Decoder // for text that expands more than other formats can
	window          int64         // the largest window that stream accepts
}

// resize returns a buffer of n elements, which may contain old values.
func resize[T any](buffer *[]T, n int) []T {
	if cap(*buffer) < n {
		*buffer = make([]T, n)
	}
	return (*buffer)[:n]
}

const (
	// pageSlack is the number of bytes that a page may contain in addition to its values, for
	// example padding.
	pageSlack = 1 << 16
	// shrunk is the maximum compression ratio of a dictionary that is larger than its column. It
	// contains no value twice.
	shrunk = 64
)

// decompress returns the content of a page of n values in a buffer, or an error unless it has the
// given size.
func (c *cursor[T]) decompress(data []byte, size int64, n int) ([]byte, error) {
	if c.codec == format.Uncompressed || size == 0 && len(data) == 0 { // only nulls
		return data, nil
	}
	// No encoding of numbers needs more than room. Formats other than Brotli and Zstandard compress
	// text at most 1100 times; memory for these two is allocated as they are decompressed.
	room := pageSlack + max(int64(16+c.leaf.bytes())*int64(n), shrunk*int64(len(data)))
	texts := c.leaf.meaning == characters
	if texts {
		room = max(room, 1100*int64(len(data)))
	}
	if size > room && (!texts || c.codec != format.Brotli && c.codec != format.Zstd) {
		return nil, fmt.Errorf("a page of %d bytes and %d values declares a decompressed size of %d bytes; the limit is %d",
			len(data), n, size, room)
	}
	if texts {
		if err := c.f.budget.hold("the texts", size); err != nil {
			return nil, err
		}
	}
	const over = 16 // Zstandard decodes faster into a larger buffer
	content := resize(&c.with.content, int(min(size, room))+over)[: min(size, room) : min(size, room)+over]
	var err error
	switch c.codec {
	case format.Brotli:
		return c.with.unbrotli(data, content, size)
	case format.Zstd:
		return c.with.unzstd(data, content, size)
	case format.Snappy:
		if n, e := snappy.DecodedLen(data); e != nil || int64(n) != size {
			return nil, errMalformed
		}
		_, err = snappy.Decode(content, data)
	case format.Lz4Raw:
		var n int
		if n, err = lz4.UncompressBlock(data, content); err == nil && int64(n) != size {
			err = errMalformed
		}
	case format.Gzip:
		if c.with.gzip == nil {
			c.with.gzip = new(gzip.Reader)
		}
		if err = c.with.gzip.Reset(bytes.NewReader(data)); err == nil {
			_, err = io.ReadFull(c.with.gzip, content)
		}
	default:
		err = fmt.Errorf("the compression %v is not supported", c.codec)
	}
	if err != nil {
		return nil, err
	}
	return content, nil
}

// unbrotli decompresses Brotli. It reuses the reader because its window may have 16 MiB.
func (b *buffers) unbrotli(data, content []byte, size int64) ([]byte, error) {
	if b.brotli == nil {
		b.brotli = brotli.NewReader(bytes.NewReader(data))
	} else if err := b.brotli.Reset(bytes.NewReader(data)); err != nil {
		return nil, err
	}
	content, err := inflate(b.brotli, content, size)
	if n, end := b.brotli.Read(make([]byte, 1)); n > 0 || end != io.EOF {
		b.brotli = nil // it would return the remaining bytes as the start of the next page
	}
	return content, err
}

// unzstd decompresses Zstandard: at once if content has the given size, else as a stream.
func (b *buffers) unzstd(data, content []byte, size int64) ([]byte, error) {
	var err error
	if int64(len(content)) == size {
		if b.zstd == nil {
			b.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
				zstd.WithDecoderMaxWindow(1<<32))
			if err != nil {
				return nil, err
			}
		}
		content, err = b.zstd.DecodeAll(data, content[:0])
		if err == nil && int64(len(content)) != size {
			err = errMalformed
		}
		return content, err
	}
	if window := max(128<<20, size); b.stream == nil || window > b.window {
		b.stream, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(window)))
		b.window = window
	}
	if err == nil {
		err = b.stream.Reset(bytes.NewReader(data))
	}
	if err != nil {
		return nil, err
	}
	return inflate(b.stream, content, size)
}

// inflate fills content, and then doubles it until it has the given size.
func inflate(r io.Reader, content []byte, size int64) ([]byte, error) {
	for n := 0; ; {
		if _, err := io.ReadFull(r, content[n:]); err != nil || int64(len(content)) == size {
			return content, err
		}
		n = len(content)
		content = append(content, make([]byte, min(int64(n), size-int64(n)))...)
	}
}
