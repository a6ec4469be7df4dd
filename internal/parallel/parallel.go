// Package parallel shares tasks among goroutines.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Threads returns how many goroutines a setting asks for: 0 and less mean one a
// processor.
func Threads(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// For calls do(worker, task) for every task from 0 to tasks-1, on at most the given
// number of goroutines; worker, from 0, tells them apart so that each can own
// memory. Which worker gets a task is not fixed: tasks must not depend on
// each other, and what they return must be put together in the order of tasks.
// It returns the context's error as soon as no task is running.
func For(ctx context.Context, workers, tasks int, do func(worker, task int)) error {
	workers = min(workers, tasks)
	if workers <= 1 {
		for t := range tasks {
			if err := ctx.Err(); err != nil {
				return err
			}
			do(0, t)
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for {
				t := int(next.Add(1)) - 1
				if t >= tasks || ctx.Err() != nil {
					return
				}
				do(w, t)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
