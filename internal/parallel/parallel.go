// Package parallel distributes tasks among goroutines.
package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// mostThreads is the maximum number of goroutines on fewer processors, because each goroutine owns
// memory.
const mostThreads = 256

// Threads returns the number of goroutines for a setting. A setting of 0 or less means GOMAXPROCS.
func Threads(n int) int {
	processors := runtime.GOMAXPROCS(0)
	if n > 0 {
		return min(n, max(processors, mostThreads))
	}
	return processors
}

// Batch returns how many of n small work items form a task, so that no goroutine waits long for the
// others at the end.
func Batch(n, threads int) int { return max(1, min(16, n/(8*threads))) }

// For calls do(worker, task) for every task from 0 to tasks-1, on at most the given number of
// goroutines. Workers are numbered from 0, so that each can own memory. The assignment of tasks to
// workers is not fixed: tasks must not depend on each other, and their results must be combined in
// task order. If the context is canceled, For returns its error after the running tasks have ended.
//
// If memory faults panic in the caller (debug.SetPanicOnFault) and a task panics with a
// [runtime.Error], For panics with the first such error after the running tasks have ended.
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
	var faults faults
	faults.inherit()
	for w := range workers {
		wg.Go(func() {
			debug.SetPanicOnFault(faults.panic)
			defer faults.keep()
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
	faults.raise()
	return ctx.Err()
}

// faults passes runtime errors, such as memory faults and indices out of range, from the goroutines
// that meet them to the goroutine that waits for them. debug.SetPanicOnFault applies to one
// goroutine, and so does a panic.
type faults struct {
	panic bool // whether memory faults panic instead of ending the program
	first atomic.Pointer[runtime.Error]
}

// inherit copies the setting of the calling goroutine.
func (f *faults) inherit() {
	f.panic = debug.SetPanicOnFault(false)
	debug.SetPanicOnFault(f.panic)
}

// A taskError is a runtime.Error of a task with the stack of its goroutine.
type taskError struct {
	err   runtime.Error
	stack []byte
}

func (e *taskError) Error() string { return e.err.Error() + "\n\n" + string(e.stack) }
func (e *taskError) RuntimeError() {}

// keep must be deferred. It recovers from a runtime.Error; other panics continue.
func (f *faults) keep() {
	if !f.panic {
		return
	}
	r := recover()
	if r == nil {
		return
	}
	fault, ok := r.(runtime.Error)
	if !ok {
		panic(r)
	}
	_, nested := r.(*taskError)
	if _, has := r.(interface{ Addr() uintptr }); !has && !nested {
		fault = &taskError{fault, debug.Stack()}
	}
	f.first.CompareAndSwap(nil, &fault)
}

// raise panics with the first fault.
func (f *faults) raise() {
	if fault := f.first.Load(); fault != nil {
		panic(*fault)
	}
}
