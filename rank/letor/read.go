package letor

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
)

// read is Read with the file's name for errors.
func (o *readOptions) read(r io.Reader, file string) (*rank.Dataset, error) {
	m := &merger{opts: o, data: rank.NewDataset(0, o.columns), width: o.columns, known: map[string]int{},
		size: files.Size(r)}
	if b := o.before; b != nil {
		m.lines, m.known = b.lines, b.known
	}
	err := m.readAll(r)
	if err == nil {
		if err = m.finish(); err == nil {
			m.data.Source.File = file
			return m.data, nil
		}
	}
	var perr *rank.ParseError
	if !errors.As(err, &perr) {
		// The line after those merged could not be read.
		perr = &rank.ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = file
	return nil, perr
}

// readAll reads and merges everything.
func (m *merger) readAll(r io.Reader) (err error) {
	file := &countingReader{r: r}
	lines := &lineSplitter{r: file, file: file, opts: m.opts}
	if b := m.opts.before; b != nil {
		lines.inside = b.lines > 0
	} else if lines.r, err = files.Uncompressed(file); err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	text, err := lines.next(nil)
	if err == nil {
		if threads := m.opts.threads(); threads == 1 || lines.err != nil {
			err = m.readSerial(lines, text)
		} else {
			err = m.readParallel(lines, text, threads)
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// readSerial parses text and what follows it. It ends with io.EOF or another error.
func (m *merger) readSerial(lines *lineSplitter, text []byte) (err error) {
	part := &stretch{opts: m.opts}
	for ; err == nil; text, err = lines.next(text) {
		m.read = lines.file.n
		part.parse(text)
		if err := m.add(part); err != nil {
			return err
		}
		m.opts.tell(m.read, m.size)
	}
	return err
}

// readParallel is readSerial with workers that parse pieces while this goroutine
// merges their parts in order and another one reads.
func (m *merger) readParallel(lines *lineSplitter, text []byte, threads int) error {
	type job struct {
		text []byte
		read int64 // bytes of the file up to its end
		part chan *stretch
	}
	jobs := make(chan job)
	order := make(chan job, 2*threads) // the same jobs for the merge
	// What is free to be used again: there is never more than is under way.
	texts := make(chan []byte, 4*threads)
	parts := make(chan *stretch, 4*threads)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var end error

	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for end == nil {
			j := job{text, lines.file.n, make(chan *stretch, 1)}
			select {
			case order <- j:
			case <-stop:
				return
			}
			select {
			case jobs <- j:
			case <-stop:
				return
			}
			select {
			case text = <-texts:
			default:
				text = nil
			}
			text, end = lines.next(text)
		}
	})
	for range threads {
		wg.Go(func() {
			for j := range jobs {
				var part *stretch
				select {
				case part = <-parts:
				default:
					part = &stretch{opts: m.opts}
				}
				part.parse(j.text)
				texts <- j.text
				j.part <- part
			}
		})
	}
	var err error
	for j := range order {
		part := <-j.part
		m.read = j.read
		if err = m.add(part); err != nil {
			break
		}
		m.opts.tell(m.read, m.size)
		parts <- part
	}
	close(stop)
	wg.Wait()
	if err == nil {
		err = end
	}
	return err
}
