package parallel

import "sync"

// A Progress counts the steps of an operation and reports them to a function, as the comment of
// package rank promises: one call at a time, and never with fewer steps than before. A nil Progress
// reports nothing. It is safe for concurrent use.
type Progress struct {
	report      func(done, total int64)
	mu          sync.Mutex
	done, total int64
}

// NewProgress returns a Progress of an operation with the given number of steps, or 0 if the number
// is unknown. It returns nil if report is nil.
func NewProgress(report func(done, total int64), total int64) *Progress {
	if report == nil {
		return nil
	}
	return &Progress{report: report, total: total}
}

// Part returns a function that reports part i, from 0, of n parts with the same number of steps, as
// progress of the whole operation. It returns nil if report is nil.
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

// Reach reports that done steps are done, unless at least as many were reported before.
func (p *Progress) Reach(done int64) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.reach(done)
	}
}

// Finish reports that all steps are done, unless this was already reported or their number is
// unknown.
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
