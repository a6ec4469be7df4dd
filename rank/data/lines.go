package data

import (
	"io"

	"github.com/simdrank/simdrank/internal/text"
)

// partSize is the number of bytes of text that are parsed at a time. Small texts use smaller parts.
// The L2 cache holds a part and the parsed values, and a core parses a part in a fraction of a
// millisecond.
const partSize = 64 << 10

// A countingReader counts the bytes that are read from r.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// splitter returns a splitter that cuts a text of the given size into parts of whole lines.
func (o *reader) splitter(r io.Reader, size int64) text.Splitter {
	return text.Splitter{R: r, Lines: true, Size: text.PieceSize(partSize, size), Limit: o.MaxLineLength,
		TooLong: o.lengthError()}
}
