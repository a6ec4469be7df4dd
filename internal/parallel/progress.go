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

// NewProgress returns a Progress of an operation with the given number of steps, 0 if that is not
// known. It is nil if report is.
func NewProgress(report func(done, total int64), total int64) *Progress {
	if report == nil {
		return nil
	}
	return &Progress{report: report, total: total}
}

// Part returns a function that reports part i, from 0, of n parts with the same number of steps as
// progress of all, or nil if report is.
func Part(report func(done, total int64), i, n int) func(done, total int64) {
	if report == nil {
		return nil
	}
	return func(done, total int64) { report(int64(i)*total+done, int64(n)*total) }
}

// Add reports that n more steps are done.
func (p *Progress) Add(n int64) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reach(p.done + n)
	}
}

// Reach reports that so many steps are done, unless as many were.
func (p *Progress) Reach(done int64) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reach(done)
	}
}

// Finish reports that all steps are done, unless Add or Reach did, or their number is not known.
func (p *Progress) Finish() {
	if p != nil {
		p.Reach(p.total)
	}
}

func (p *Progress) reach(done int64) {
	if p.total > 0 {
		done = min(done, p.total)
	}
	if done > p.done {
		p.done = done
		p.report(done, p.total)
	}
}
