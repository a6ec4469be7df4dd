//go:build !wasm

package main

import (
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// A bar is the line of a phase on a terminal.
type bar struct {
	lines *mpb.Progress
	bar   *mpb.Bar
	steps chan any // draws the line; nil where time does
	over  chan struct{}
}

func newBar(p *phase) *bar {
	b := &bar{over: make(chan struct{})}
	refresh := []mpb.ContainerOption{mpb.WithRefreshRate(patience / 5), mpb.WithAutoRefresh()}
	if patience == 0 {
		b.steps = make(chan any)
		refresh = []mpb.ContainerOption{mpb.WithManualRefresh(b.steps)}
	}
	b.lines = mpb.New(append(refresh, mpb.WithOutput(p.out))...)
	// A total of 0 keeps the bar from ending the line by itself.
	b.bar = b.lines.New(0, mpb.BarStyle().Lbound("|").Rbound("|").Filler("█").Tip("█").Padding(" "),
		mpb.BarWidth(24), mpb.BarRemoveOnComplete(), mpb.BarFillerMiddleware(p.onlyOfTotal),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.what + " " })),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.state(time.Now()) })))
	return b
}

// onlyOfTotal leaves the bar out where the total is not known.
func (p *phase) onlyOfTotal(filler mpb.BarFiller) mpb.BarFiller {
	return mpb.BarFillerFunc(func(w io.Writer, s decor.Statistics) error {
		p.mu.Lock()
		total := p.total
		p.mu.Unlock()
		if total == 0 {
			return nil
		}
		return filler.Fill(w, s)
	})
}

// draw hands the bar, if there is one, the latest numbers.
func (b *bar) draw(done, total int64) {
	if b == nil {
		return
	}
	b.bar.SetTotal(max(total, done+1), false)
	b.bar.SetCurrent(done)
	for i := 0; i < 3 && b.steps != nil; i++ { // the third is taken when the first has been drawn
		select {
		case b.steps <- nil:
		case <-b.over:
		}
	}
}

// remove leaves the line empty.
func (b *bar) remove() {
	close(b.over)
	b.bar.Abort(true)
	b.lines.Wait()
}
