package testkit

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// A Progress checks the calls of a Progress option: they must not overlap, done must not decrease,
// and total must not change.
type Progress struct {
	Calls, Done, Total int64 // the number of calls, and the last one

	t       testing.TB
	running atomic.Bool
}

// NewProgress returns a Progress for one call of an operation.
func NewProgress(t testing.TB) *Progress { return &Progress{t: t} }

// Report records and checks a call.
func (p *Progress) Report(done, total int64) {
	if !p.running.CompareAndSwap(false, true) {
		p.t.Error("calls of Progress overlap")
		return
	}
	runtime.Gosched() // so that others may come
	if done < p.Done || done > total || total <= 0 || p.Calls > 0 && total != p.Total {
		p.t.Errorf("progress of %d of %d after %d of %d", done, total, p.Done, p.Total)
	}
	p.Calls, p.Done, p.Total = p.Calls+1, done, total
	p.running.Store(false)
}

// Check reports an error unless there were at least the given number of calls and the last one
// reported that all is done.
func (p *Progress) Check(calls int64) {
	p.t.Helper()
	if p.Calls < calls || p.Done != p.Total {
		p.t.Errorf("%d calls of Progress, want at least %d; the last said %d of %d", p.Calls, calls, p.Done, p.Total)
	}
}
