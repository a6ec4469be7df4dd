package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
)

// A phase is long work whose progress a terminal shows: a name, a bar and the remaining time. If
// standard error is not a terminal, the phase is nil and shows nothing.
type phase struct {
	tty   *os.File
	what  string
	unit  string // unit of done; "bytes" are shown as megabytes, and "" as a percentage
	start time.Time
	timer *time.Timer

	mu          sync.Mutex
	done, total int64 // total is 0 if it is not known
	detail      string

	line  sync.Mutex // guards the fields below; locked before mu, and not by work that reports progress
	shown bool
	ended bool
}

// patience is the time before the progress is shown; most work is done by then. If a test sets it
// to 0, each report of progress is drawn at once, while the work waits.
var patience = 500 * time.Millisecond

// onTerminal reports whether standard error is a terminal.
func onTerminal(cmd *cobra.Command) bool {
	f, ok := cmd.ErrOrStderr().(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// begin begins a phase. End the phase before you print anything else.
func begin(cmd *cobra.Command, what, unit string) *phase {
	// Consoles before Windows Terminal show escape sequences as they are.
	if !onTerminal(cmd) || runtime.GOOS == "windows" && os.Getenv("WT_SESSION") == "" {
		return nil
	}
	p := &phase{tty: cmd.ErrOrStderr().(*os.File), what: errs.Line(what), unit: unit, start: time.Now()}
	p.line.Lock() // draw uses the timer
	defer p.line.Unlock()
	p.timer = time.AfterFunc(max(patience, time.Millisecond), p.draw)
	return p
}

// draw shows the line, and schedules the next update.
func (p *phase) draw() {
	p.line.Lock()
	defer p.line.Unlock()
	if p.ended {
		return
	}
	p.shown = true
	text := []rune(p.text(time.Now()))
	if columns, _, err := term.GetSize(int(p.tty.Fd())); err == nil { // a second line would not be erased
		text = text[:min(len(text), max(columns-1, 0))]
	}
	fmt.Fprintf(p.tty, "\r\x1b[J%s", string(text))
	p.timer.Reset(max(patience/5, time.Millisecond))
}

// barColumns is the width of the bar.
const barColumns = 24

// text returns the line: the name of the work, a bar if the total is known, and the progress.
func (p *phase) text(now time.Time) string {
	p.mu.Lock()
	done, total := p.done, p.total
	p.mu.Unlock()
	bar := ""
	if total > 0 {
		filled := int(barColumns * float64(done) / float64(total))
		bar = "|" + strings.Repeat("█", filled) + strings.Repeat(" ", barColumns-filled) + "|"
	}
	return p.what + " " + bar + " " + p.state(now)
}

// at sets the progress. total is 0 if it is not known. It is safe for concurrent use.
func (p *phase) at(done, total int64) {
	p.update(func() { p.done, p.total = done, total })
}

// add adds n to the progress. It is safe for concurrent use.
func (p *phase) add(n int) {
	p.update(func() { p.done += int64(n) })
}

// update calls change, which changes the progress.
func (p *phase) update(change func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	change()
	if p.total > 0 {
		p.done = min(p.done, p.total)
	}
	p.mu.Unlock()
	if patience == 0 {
		p.draw()
	}
}

// say sets a text that is shown next to the progress.
func (p *phase) say(detail string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.detail = detail
}

// end erases the line. It may be called several times.
func (p *phase) end() {
	if p == nil {
		return
	}
	p.line.Lock()
	defer p.line.Unlock()
	p.timer.Stop()
	if p.shown && !p.ended {
		fmt.Fprint(p.tty, "\r\x1b[J")
	}
	p.ended = true
}

// state returns the text after the bar.
func (p *phase) state(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := ""
	switch {
	case p.unit == "bytes" && p.total > 0:
		text = fmt.Sprintf("%.1f of %.1f MB, ", float64(p.done)/1e6, float64(p.total)/1e6)
	case p.unit == "bytes" && p.done > 0:
		text = fmt.Sprintf("%.1f MB, ", float64(p.done)/1e6)
	case p.unit != "" && p.total > 0:
		text = fmt.Sprintf("%d of %d %s, ", p.done, p.total, p.unit)
	case p.total > 0:
		text = fmt.Sprintf("%d%%, ", 100*p.done/p.total)
	}
	if p.detail != "" {
		text += p.detail + ", "
	}
	took := now.Sub(p.start)
	text += took.Round(time.Second).String()
	if p.done > 0 && p.total > p.done {
		left := time.Duration(float64(took) * float64(p.total-p.done) / float64(p.done))
		text += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return text
}

// A phaseWriter reports to a phase how much was written.
type phaseWriter struct {
	io.Writer
	phase       *phase
	done, total int64
}

func (w *phaseWriter) Write(b []byte) (written int, err error) {
	for err == nil && written < len(b) { // a long list is written at once
		piece := b[written:min(written+1<<20, len(b))]
		var n int
		n, err = w.Writer.Write(piece)
		written += n
		if w.phase.unit == "bytes" {
			w.done += int64(n)
		} else {
			w.done += int64(bytes.Count(piece[:n], []byte{'\n'}))
		}
		w.phase.at(w.done, w.total)
	}
	return written, err
}

// A phaseReader reports to a phase how much of a file was read.
type phaseReader struct {
	io.Reader
	phase *phase
	left  int64
}

// Len returns the number of bytes left, so that callers can allocate a buffer.
func (r *phaseReader) Len() int { return int(min(max(r.left, 0), math.MaxInt)) }

// Seek implements [io.Seeker] if the file does.
func (r *phaseReader) Seek(offset int64, whence int) (int64, error) {
	s, ok := r.Reader.(io.Seeker)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	at, err := s.Seek(offset, whence)
	r.left = files.Size(r.Reader) - at
	return at, err
}

func (r *phaseReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.left -= int64(n)
	r.phase.add(n)
	return n, err
}

// writer returns a writer that reports to the phase how much of total was written.
func (p *phase) writer(w io.Writer, total int64) io.Writer {
	if p == nil {
		return w
	}
	return &phaseWriter{Writer: w, phase: p, total: total}
}

// watched returns a reader of a file that reports to a phase how much was read.
func watched(r io.Reader, p *phase) io.Reader {
	p.expect(files.Size(r))
	return p.reader(r)
}

// reader is like watched, for a file whose size the phase expects already.
func (p *phase) reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return &phaseReader{Reader: r, phase: p, left: files.Size(r)}
}

// expect adds n to the total.
func (p *phase) expect(n int64) {
	p.update(func() { p.total += n })
}
