package rank

import (
	"errors"
	"io"
	"sync"

	"github.com/simdrank/simdrank/internal/files"
)

// read is ReadLETOR with the file's name for errors.
func (o *readOptions) read(r io.Reader, file string) (*Dataset, error) {
	m := &letorMerge{opts: o, data: NewDataset(0, o.columns), width: o.columns, known: map[string]int{}, size: files.Size(r)}
	err := m.readAll(r)
	if err == nil {
		if err = m.finish(); err == nil {
			m.data.file = file
			return m.data, nil
		}
	}
	var perr *ParseError
	if !errors.As(err, &perr) {
		// The line after those merged could not be read.
		perr = &ParseError{Line: m.lines + 1, Err: err}
	}
	perr.File = file
	return nil, perr
}

// readAll reads and merges everything.
func (m *letorMerge) readAll(r io.Reader) error {
	file := &countingReader{r: r}
	r, err := uncompressed(file)
	if err != nil {
		return err
	}
	lines := &lineSplitter{r: r, file: file, opts: m.opts}
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
func (m *letorMerge) readSerial(lines *lineSplitter, text []byte) (err error) {
	part := &letorPart{opts: m.opts}
	for ; err == nil; text, err = lines.next(text) {
		m.read = lines.file.n
		part.parse(text)
		if err := m.add(part); err != nil {
			return err
		}
	}
	return err
}

// readParallel is readSerial with workers that parse pieces while this goroutine
// merges their parts in order and another one reads.
func (m *letorMerge) readParallel(lines *lineSplitter, text []byte, threads int) error {
	type job struct {
		text []byte
		read int64 // bytes of the file up to its end
		part chan *letorPart
	}
	jobs := make(chan job)
	order := make(chan job, 2*threads) // the same jobs for the merge
	// What is free to be used again: there is never more than is under way.
	texts := make(chan []byte, 4*threads)
	parts := make(chan *letorPart, 4*threads)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var end error

	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for end == nil {
			j := job{text, lines.file.n, make(chan *letorPart, 1)}
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
				var part *letorPart
				select {
				case part = <-parts:
				default:
					part = &letorPart{opts: m.opts}
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
		parts <- part
	}
	close(stop)
	wg.Wait()
	if err == nil {
		err = end
	}
	return err
}
