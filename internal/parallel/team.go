package parallel

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// A Team is for work that comes in pieces too short to wake goroutines for. Its members wait for the next piece awake, for a while,
// and then asleep: where other programs want the processors, a team does not keep them. It serves one goroutine, which is its
// member 0, and is to be closed.
type Team struct {
	members []member // but for member 0
	spin    time.Duration
	do      func(worker int)
	round   atomic.Uint32 // pieces of work so far
	closed  bool
	working atomic.Int32 // members that have not finished the piece
	caller  sleeper
}

type member struct {
	sleeper
	_ [64]byte // keeps members apart in the cache
}

// A sleeper waits for one that wakes it.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// spinTime is how long to wait awake: longer than the parts of training between two pieces that one goroutine does alone, and some times longer than
// it takes to wake another.
const spinTime = 100 * time.Microsecond

// NewTeam returns a team of so many members.
func NewTeam(workers int) *Team {
	if workers > min(runtime.GOMAXPROCS(0), runtime.NumCPU()) {
		return newTeam(workers, 0) // awake, they would keep each other from working
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
func (t *Team) Close() {
	t.closed = true
	t.start()
}

// Workers returns the number of members.
func (t *Team) Workers() int { return len(t.members) + 1 }

// Run calls do(worker) for every member at the same time, and returns when all have returned.
func (t *Team) Run(do func(worker int)) {
	if len(t.members) == 0 {
		do(0)
		return
	}
	t.do = do
	t.working.Store(int32(len(t.members)))
	t.start()
	do(0)
	t.caller.wait(t.spin, func() bool { return t.working.Load() == 0 })
	t.do = nil
}

// For calls do(worker, task) for every task as [For] does.
func (t *Team) For(ctx context.Context, tasks int, do func(worker, task int)) error {
	if tasks <= 1 || len(t.members) == 0 {
		return For(ctx, 1, tasks, do)
	}
	var next atomic.Int64
	t.Run(func(worker int) {
		for {
			task := int(next.Add(1)) - 1
			if task >= tasks || ctx.Err() != nil {
				return
			}
			do(worker, task)
		}
	})
	return ctx.Err()
}

func (t *Team) start() {
	t.round.Add(1)
	for i := range t.members {
		t.members[i].rouse()
	}
}

// serve is the life of a member.
func (t *Team) serve(i int) {
	for seen := uint32(0); ; seen++ {
		t.members[i].wait(t.spin, func() bool { return t.round.Load() != seen })
		if t.closed {
			return
		}
		t.do(i + 1)
		if t.working.Add(-1) == 0 {
			t.caller.rouse()
		}
	}
}

// wait returns when done reports true, which whoever makes it so follows by a call of rouse.
func (s *sleeper) wait(spin time.Duration, done func() bool) {
	var start time.Time
	for i := 0; !done(); i++ {
		switch {
		case i == 0:
			start = time.Now()
		case i%64 != 0 && spin > 0:
		case time.Since(start) >= spin:
			s.asleep.Store(true)
			// It may have come about before rouse could see this.
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
