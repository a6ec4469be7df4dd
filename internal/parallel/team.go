package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// A Team runs jobs that are too short to wake goroutines for. Its members spin for a while until
// the next job, and then sleep, so that a team does not block processors that other programs need.
// Run waits only for tasks that have begun, never for a member that does not arrive. A team serves
// one goroutine, which is its member 0, and must be closed.
type Team struct {
	members []member // all except member 0
	spin    time.Duration
	piece   atomic.Pointer[piece] // the last job
	caller  sleeper
}

// A piece is a job, which consists of tasks.
type piece struct {
	do   func(worker, task int)
	n    int64
	next atomic.Int64 // the first task that has not begun
	left atomic.Int64 // number of unfinished tasks

	faults faults
}

type member struct {
	sleeper
	_ [64]byte // keeps members in separate cache lines
}

// A sleeper waits until another goroutine wakes it.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// spinTime is how long a member spins before it sleeps. It exceeds the serial parts of training
// between two jobs, and is several times the time to wake a goroutine.
const spinTime = 100 * time.Microsecond

// NewTeam returns a team of the given number of workers.
func NewTeam(workers int) *Team {
	if workers > min(runtime.GOMAXPROCS(0), runtime.NumCPU()) {
		return newTeam(workers, 0) // spinning would slow down the working members
	}
	return newTeam(workers, spinTime)
}

func newTeam(workers int, spin time.Duration) *Team {
	t := &Team{members: make([]member, max(workers, 1)-1), spin: spin}
	t.caller.wake = make(chan struct{}, 1)
	for i := range t.members {
		t.members[i].wake = make(chan struct{}, 1)
		go t.serve(i)
	}
	return t
}

// Close ends the members' goroutines.
func (t *Team) Close() { t.start(&piece{}) }

// Workers returns the number of members.
func (t *Team) Workers() int { return len(t.members) + 1 }

// Run calls do(task) for every task from 0 to tasks−1, and returns when all calls have returned. It
// handles memory faults like [For].
func (t *Team) Run(tasks int, do func(task int)) {
	t.run(tasks, func(_, task int) { do(task) })
}

// For calls do(worker, task) for every task, like the function [For].
func (t *Team) For(ctx context.Context, tasks int, do func(worker, task int)) error {
	t.run(tasks, func(worker, task int) {
		if ctx.Err() == nil {
			do(worker, task)
		}
	})
	return ctx.Err()
}

func (t *Team) run(tasks int, do func(worker, task int)) {
	if tasks <= 1 || len(t.members) == 0 {
		for task := range tasks {
			do(0, task)
		}
		return
	}
	p := &piece{do: do, n: int64(tasks)}
	p.faults.inherit()
	p.left.Store(p.n)
	t.start(p)
	p.work(t, 0)
	t.caller.wait(t.spin, func() bool { return p.left.Load() == 0 })
	p.faults.raise()
}

func (t *Team) start(p *piece) {
	t.piece.Store(p)
	for i := range t.members {
		t.members[i].rouse()
	}
}

// work executes tasks until all have begun.
func (p *piece) work(t *Team, worker int) {
	for {
		task := p.next.Add(1) - 1
		if task >= p.n {
			return
		}
		p.try(worker, int(task))
		if p.left.Add(-1) == 0 {
			t.caller.rouse()
		}
	}
}

// try executes one task.
func (p *piece) try(worker, task int) {
	defer p.faults.keep()
	p.do(worker, task)
}

// serve is the loop of a member.
func (t *Team) serve(i int) {
	var p *piece
	for {
		t.members[i].wait(t.spin, func() bool { return t.piece.Load() != p })
		if p = t.piece.Load(); p.do == nil {
			return
		}
		debug.SetPanicOnFault(p.faults.panic)
		p.work(t, i+1)
	}
}

// wait returns when done reports true. The goroutine that causes this must then call rouse.
func (s *sleeper) wait(spin time.Duration, done func() bool) {
	var start time.Time
	for i := 0; !done(); i++ {
		switch {
		case i == 0:
			start = time.Now()
		case i%64 != 0 && spin > 0:
		case time.Since(start) >= spin:
			s.asleep.Store(true)
			// done may have become true before rouse could see that the member sleeps.
			if !done() || !s.asleep.CompareAndSwap(true, false) {
				<-s.wake
			}
		}
	}
}

func (s *sleeper) rouse() {
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}
