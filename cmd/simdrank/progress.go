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

// A phase is long work that a terminal shows: what it is, how far it has come, and how long it
// still takes. Where standard error is no terminal it is nil, and shows nothing.
type phase struct {
	tty   *os.File
	what  string
	unit  string // of steps; "bytes" are shown as megabytes, and "" as a share
	start time.Time
	timer *time.Timer

	mu          sync.Mutex
	done, total int64 // total is 0 where it is not known
	detail      string

	line  sync.Mutex // of the fields below; taken before mu, and not by work that tells how far it is
	shown bool
	ended bool
}

// patience is how long work may take before it is shown: most is done by then. Where a test sets it
// to 0, all that work tells is drawn, each time, while the work waits.
var patience = 500 * time.Millisecond

// onTerminal reports whether standard error is a terminal.
func onTerminal(cmd *cobra.Command) bool {
	f, ok := cmd.ErrOrStderr().(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// begin tells that work begins. The phase is to be ended before anything else is printed.
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

// draw shows the line, and will do so again.
func (p *phase) draw() {
	p.line.Lock()
	defer p.line.Unlock()
	if p.ended {
		return
	}
	p.shown = true
	text := []rune(p.text(time.Now()))
	if columns, _, err := term.GetSize(int(p.tty.Fd())); err == nil { // a second line would stay
		text = text[:min(len(text), max(columns-1, 0))]
	}
	fmt.Fprintf(p.tty, "\r\x1b[J%s", string(text))
	p.timer.Reset(max(patience/5, time.Millisecond))
}

// barColumns is the width of the bar.
const barColumns = 24

// text is the line: what the work is, a bar where its total is known, and how far it has come.
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

// at tells how far the work has come, of a total that is 0 where it is not known. Several
// goroutines may call it at once.
func (p *phase) at(done, total int64) {
	p.tell(func() { p.done, p.total = done, total })
}

// add tells that the work has come so much further. Several goroutines may call it at once.
func (p *phase) add(n int) {
	p.tell(func() { p.done += int64(n) })
}

// tell has change say how far the work has come.
func (p *phase) tell(change func()) {
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

// say tells what else is known of the work.
func (p *phase) say(detail string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.detail = detail
}

// end leaves the line empty. It may be called again.
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

// state is the text behind the bar.
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
		text = fmt.Sprintf("%d %%, ", 100*p.done/p.total)
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

// A phaseWriter tells a phase how much has been written.
type phaseWriter struct {
	io.Writer
	phase       *phase
	done, total int64
}

func (w *phaseWriter) Write(b []byte) (written int, err error) {
	for err == nil && written < len(b) { // a long list comes in one piece
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

// A phaseReader tells a phase how much of a file has been read.
type phaseReader struct {
	io.Reader
	phase *phase
	left  int64
}

// Len tells how much there is to make room for, as files do.
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

// writer returns a writer that tells the phase how much of a total has been written.
func (p *phase) writer(w io.Writer, total int64) io.Writer {
	if p == nil {
		return w
	}
	return &phaseWriter{Writer: w, phase: p, total: total}
}

// watched returns a reader of a file that tells a phase how much has been read.
func watched(r io.Reader, p *phase) io.Reader {
	p.expect(files.Size(r))
	return p.reader(r)
}

// reader is watched of a file whose size the phase expects already.
func (p *phase) reader(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return &phaseReader{Reader: r, phase: p, left: files.Size(r)}
}

// expect tells how much more work there is.
func (p *phase) expect(n int64) {
	p.tell(func() { p.total += n })
}
