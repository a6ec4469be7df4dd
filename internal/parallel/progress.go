package parallel

import "sync"

// A Progress counts the steps of an operation and reports them to a function, under the contract
// of the comment of package rank: one call at a time, and never fewer steps than before. nil
// reports nothing. Several goroutines may use one.
type Progress struct {
	report      func(done, total int64)
	mu          sync.Mutex
	done, total int64
}

// NewProgress returns a Progress of an operation with the given number of steps, or nil if there is
// nothing to call or nothing to do.
func NewProgress(report func(done, total int64), total int64) *Progress {
	if report == nil || total <= 0 {
		return nil
	}
	return &Progress{report: report, total: total}
}

// Add reports that n more steps are done.
func (p *Progress) Add(n int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = min(p.done+n, p.total)
	p.report(p.done, p.total)
}

// Finish reports that all steps are done, unless Add did. No other goroutine may add any more.
func (p *Progress) Finish() {
	if p != nil && p.done < p.total {
		p.Add(p.total)
	}
}
