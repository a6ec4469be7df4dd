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
}

func newBar(p *phase) *bar {
	lines := mpb.New(mpb.WithOutput(p.out), mpb.WithRefreshRate(patience/5), mpb.WithAutoRefresh())
	// A total of 0 keeps the bar from ending the line by itself.
	return &bar{lines, lines.New(0, mpb.BarStyle().Lbound("|").Rbound("|").Filler("█").Tip("█").Padding(" "),
		mpb.BarWidth(24), mpb.BarRemoveOnComplete(), mpb.BarFillerMiddleware(p.onlyOfTotal),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return p.what + " " })),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + p.state(time.Now()) })))}
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
	if b != nil {
		b.bar.SetTotal(max(total, done+1), false)
		b.bar.SetCurrent(done)
	}
}

// remove leaves the line empty.
func (b *bar) remove() {
	b.bar.Abort(true)
	b.lines.Wait()
}
