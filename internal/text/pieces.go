package text

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// PieceSize returns the amount of text to parse at a time, at most most bytes, of a text of so many
// bytes, 0 if unknown. The pieces under way and their results are to be small beside a small text,
// and still take longer than handing them to a goroutine.
func PieceSize(most int, size int64) int {
	if size == 0 {
		return most
	}
	return int(min(max(size/128, 16<<10), int64(most)))
}

// A Splitter cuts a text into pieces of whole records. A record ends with a newline, but for those
// between double quotes.
type Splitter struct {
	R       io.Reader
	Lines   bool         // quotes mean nothing: each newline ends a record
	Size    int          // bytes of a piece, where records are shorter
	Limit   int          // bytes of a record at most
	TooLong error        // of a longer record; nil means an error for records with quotes
	Inside  bool         // past the start of the text, where a byte order mark may stand
	At      func() int64 // how much of the file R has taken; nil where nobody asks

	// Ends returns where the last record of b that ends in b does so, or 0. It is for records that
	// end otherwise, and nil for others.
	Ends func(b []byte) int

	tail []byte // start of the record that the last piece left
	err  error  // why R ended
}

// Err returns why R ended, nil while it may go on.
func (s *Splitter) Err() error { return s.err }

// at returns how much of the file has been taken.
func (s *Splitter) at() int64 {
	if s.At == nil {
		return 0
	}
	return s.At()
}

// Next returns the next piece, with a newline at its end and Slack bytes after it, in buf or a
// larger buffer. At the end of the text it returns io.EOF.
func (s *Splitter) Next(buf []byte) ([]byte, error) {
	// Beside the text, a newline that the last record may lack must fit.
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
			return nil, fmt.Errorf("record is longer than %d bytes; a quote may lack its other end", s.Limit)
		case s.err == io.EOF:
			return nil, io.EOF
		case s.err != nil:
			return nil, fmt.Errorf("read error: %w", s.err)
		}
		buf = append(buf, make([]byte, min(len(buf), s.Limit+1+extra-len(buf)))...)
	}
}

// Fill reads into buf from n on until it is full or the reader ends, and returns how much it then
// holds.
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

// recordsEnd returns where the last record of b that ends in b does so, or 0.
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

// longPiece is the length in bytes from which pieces, which have long records, are parsed one at a
// time: so many as otherwise are under way would take too much memory.
const longPiece = 1 << 20

// Parse has goroutines parse pieces of a text, the first of which is given, while this one hands
// their parts to add, in order, with how much of the file had been taken for them. A part is used
// again when add returns. The error is that of add or of the splitter, whichever comes first in the
// text.
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
	order := make(chan job, 2*threads) // the same jobs for add
	// What is free to be used again: there is never more than is under way.
	pieces := make(chan []byte, 4*threads)
	parts := make(chan *P, 4*threads)
	stop := make(chan struct{})
	added := make(chan struct{}, 1) // a long piece, after which the next one is read
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
