package letor

import (
	"bytes"
	"fmt"
	"io"

	"github.com/simdrank/simdrank/internal/text"
)

// partSize is the amount of text that is parsed at a time: with its results it fits
// the L2 cache, and a core takes a fraction of a millisecond for it.
const partSize = 64 << 10

// countingReader counts the bytes that it reads.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// lineSplitter cuts text into pieces of whole lines.
type lineSplitter struct {
	r      io.Reader
	file   *countingReader // what r reads from
	opts   *readOptions
	tail   []byte // start of the line that the last piece left
	inside bool   // past the start of the text
	err    error  // why r ended
}

// next returns the next piece of text, with a newline at its end and text.Slack bytes
// after it, in buf or a larger buffer. At the end of the text it returns io.EOF.
func (s *lineSplitter) next(buf []byte) ([]byte, error) {
	// Beside the text, a newline that the last line may lack must fit.
	const extra = 1 + text.Slack
	buf = buf[:cap(buf)]
	if size := max(min(partSize, s.opts.maxLine+1), len(s.tail)) + extra; len(buf) < size {
		buf = make([]byte, size)
	}
	n := copy(buf, s.tail)
	s.tail = s.tail[:0]
	for {
		n = s.fill(buf[:len(buf)-extra], n)
		if !s.inside {
			s.inside = true
			n = copy(buf, bytes.TrimPrefix(buf[:n], []byte("\xef\xbb\xbf"))) // byte order mark
		}
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		switch {
		case s.err == io.EOF && n > 0:
			if end < n {
				buf[n] = '\n'
				n++
			}
			return buf[:n+text.Slack], nil
		case end > 0:
			s.tail = append(s.tail, buf[end:n]...)
			return buf[:end+text.Slack], nil
		case n > s.opts.maxLine:
			return nil, s.opts.lengthError()
		case s.err == io.EOF:
			return nil, io.EOF
		case s.err != nil:
			return nil, fmt.Errorf("cannot read on: %w", s.err)
		}
		buf = append(buf, make([]byte, min(len(buf), s.opts.maxLine+1+extra-len(buf)))...)
	}
}

// fill reads into buf from n on until it is full or the reader ends, and returns how
// much it then holds.
func (s *lineSplitter) fill(buf []byte, n int) int {
	for empty := 0; n < len(buf) && s.err == nil; empty++ {
		var k int
		k, s.err = s.r.Read(buf[n:])
		n += k
		if k > 0 {
			empty = 0
		} else if s.err == nil && empty == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return n
}
