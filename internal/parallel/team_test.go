package parallel

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTeam(t *testing.T) {
	for _, c := range []struct {
		workers int
		spin    time.Duration
	}{{1, 0}, {2, 0}, {2, time.Microsecond}, {2, spinTime}, {3, 2 * time.Microsecond}, {8, 0}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			team := newTeam(c.workers, c.spin)
			var calls [9]int // each is its task's alone
			for round := range 200 {
				team.Run(c.workers, func(task int) { calls[task]++ })
				for w := range c.workers {
					if calls[w] != round+1 {
						t.Fatalf("task %d ran %d times in %d rounds", w, calls[w], round+1)
					}
				}
			}
			var sum atomic.Int64
			if err := team.For(t.Context(), 100, func(_, task int) { sum.Add(int64(task)) }); err != nil ||
				sum.Load() != 4950 {
				t.Errorf("sum of tasks %d, %v", sum.Load(), err)
			}
			team.Close()
		})
	}
}

func TestTeamCancel(t *testing.T) {
	team := NewTeam(2)
	defer team.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := team.For(ctx, 5, func(_, task int) {
		t.Errorf("task %d of a context that is done",
			task)
	}); err != context.Canceled {
		t.Error(err)
	}
}

func TestTeamClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which waits for all goroutines that were started within
		team := newTeam(4, 0)
		synctest.Wait() // asleep by now
		team.Close()
		newTeam(4, time.Hour).Close() // awake
	})
}
