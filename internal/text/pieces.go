package text

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// PieceSize returns the size of chunks in which to parse a text of the given size, or 0 if the size
// is unknown. The result is at most most. Chunks in flight and their results should be small
// compared with a small text, but a chunk should take longer to parse than to hand to a goroutine.
func PieceSize(most int, size int64) int {
	if size == 0 {
		return most
	}
	return int(min(max(size/128, 16<<10), int64(most)))
}

// A Splitter splits a text into chunks of whole records. A record ends with a newline that is not
// between double quotes.
type Splitter struct {
	R io.Reader
	// Lines means that quotes have no meaning: each newline ends a record.
	Lines bool
	// Size is the chunk size in bytes, unless a record is longer.
	Size int
	// Limit is the maximum record length in bytes.
	Limit int
	// TooLong is the error for a longer record. If it is nil, the error assumes records with
	// quotes.
	TooLong error
	// Inside means that R is past the start of the text, where a byte order mark is allowed.
	Inside bool
	// At returns how much of the file R has read. It may be nil.
	At func() int64

	// Ends, if not nil, returns the end of the last record in b, or 0. It is for records that do
	// not end with a newline.
	Ends func(b []byte) int

	tail []byte // start of a record that the last chunk did not contain
	err  error  // the error that ended R
}

// Err returns the error that ended R, or nil if R may continue.
func (s *Splitter) Err() error { return s.err }

// at returns how much of the file has been read.
func (s *Splitter) at() int64 {
	if s.At == nil {
		return 0
	}
	return s.At()
}

// Next returns the next chunk, in buf or in a larger buffer. The chunk ends with a newline and is
// followed by Slack bytes. At the end of the text, Next returns io.EOF.
func (s *Splitter) Next(buf []byte) ([]byte, error) {
	// There must be space for a newline that the last record may lack.
	const extra = 1 + Slack
	buf = buf[:cap(buf)]
	if size := max(min(s.Size, s.Limit+1), len(s.tail)) + extra; len(buf) < size {
		buf = make([]byte, size)
	}
	n := copy(buf, s.tail)
	s.tail = s.tail[:0]
	for {
		n = s.Fill(buf[:len(buf)-extra], n)
		if !s.Inside {
			s.Inside = true
			text, err := Unmarked(buf[:n])
			if err != nil {
				return nil, err
			}
			n = copy(buf, text)
		}
		end := s.recordsEnd(buf[:n])
		switch {
		case s.err == io.EOF && n > 0:
			if buf[n-1] != '\n' || end < n {
				buf[n] = '\n'
				n++
			}
			return buf[:n+Slack], nil
		case end > 0:
			s.tail = append(s.tail, buf[end:n]...)
			return buf[:end+Slack], nil
		case n > s.Limit:
			if s.TooLong != nil {
				return nil, s.TooLong
			}
			return nil, fmt.Errorf("a record is longer than %d bytes: a closing quote may be missing", s.Limit)
		case s.err == io.EOF:
			return nil, io.EOF
		case s.err != nil:
			return nil, fmt.Errorf("read error: %w", s.err)
		}
		buf = append(buf, make([]byte, min(len(buf), s.Limit+1+extra-len(buf)))...)
	}
}

// Fill reads into buf from index n until buf is full or the reader ends. It returns the number of
// bytes in buf.
func (s *Splitter) Fill(buf []byte, n int) int {
	for empty := 0; n < len(buf) && s.err == nil; empty++ {
		var k int
		k, s.err = s.R.Read(buf[n:])
		n += k
		if k > 0 {
			empty = 0
		} else if s.err == nil && empty == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return n
}

// recordsEnd returns the end of the last record in b, or 0.
func (s *Splitter) recordsEnd(b []byte) int {
	switch {
	case s.Ends != nil:
		return s.Ends(b)
	case s.Lines:
		return bytes.LastIndexByte(b, '\n') + 1
	}
	end := 0
	for at := 0; ; {
		n := bytes.IndexByte(b[at:], '"')
		if n < 0 {
			n = len(b) - at
		}
		if k := bytes.LastIndexByte(b[at:at+n], '\n'); k >= 0 {
			end = at + k + 1
		}
		if at += n + 1; at >= len(b) {
			return end
		}
		if n = bytes.IndexByte(b[at:], '"'); n < 0 {
			return end
		}
		at += n + 1
	}
}

// longPiece is the chunk length from which chunks, which then contain long records, are parsed one
// at a time. Several at once would need too much memory.
const longPiece = 1 << 20

// Parse parses chunks of a text in goroutines, starting with piece. The calling goroutine passes
// their parts to add, in order, with the amount of the file that had been read for each. A part is
// reused after add returns. The error is from add or from the splitter, whichever comes first in
// the text.
func Parse[P any](s *Splitter, piece []byte, threads int, parse func(part *P, piece []byte),
	add func(part *P, at int64) error) error {
	if threads <= 1 || s.err != nil {
		var err error
		for part := new(P); err == nil; piece, err = s.Next(piece) {
			parse(part, piece)
			if err := add(part, s.at()); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		return err
	}
	type job struct {
		piece []byte
		at    int64
		part  chan *P
		long  bool
	}
	jobs := make(chan job)
	order := make(chan job, 2*threads) // the same jobs in order, for add
	// These buffers are free for reuse. There are never more than are in flight.
	pieces := make(chan []byte, 4*threads)
	parts := make(chan *P, 4*threads)
	stop := make(chan struct{})
	added := make(chan struct{}, 1) // signals the end of a long chunk, after which the next one is read
	var wg sync.WaitGroup
	var end error
	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for end == nil {
			j := job{piece, s.at(), make(chan *P, 1), len(piece) > longPiece}
			for _, to := range []chan job{order, jobs} {
				select {
				case to <- j:
				case <-stop:
					return
				}
			}
			if j.long {
				select {
				case <-added:
				case <-stop:
					return
				}
			}
			select {
			case piece = <-pieces:
			default:
				piece = nil
			}
			piece, end = s.Next(piece)
		}
	})
	for range threads {
		wg.Go(func() {
			for j := range jobs {
				var part *P
				select {
				case part = <-parts:
				default:
					part = new(P)
				}
				parse(part, j.piece)
				if !j.long {
					pieces <- j.piece
				}
				j.part <- part
			}
		})
	}
	var err error
	for j := range order {
		part := <-j.part
		if err = add(part, j.at); err != nil {
			break
		}
		if j.long {
			added <- struct{}{}
		} else {
			parts <- part
		}
	}
	close(stop)
	wg.Wait()
	if err == nil && end != io.EOF {
		err = end
	}
	return err
}
