package parallel

import (
	"context"
	"sync/atomic"
)

type watchKey struct{}

// Watch returns a context whose work tells how much of it is done, and of how much. told may be
// called by several goroutines at once; nil ends what a context that ctx comes from began.
func Watch(ctx context.Context, told func(done, total int64)) context.Context {
	return context.WithValue(ctx, watchKey{}, told)
}

// watcher returns the function that is told of the work of ctx, nil where nobody watches it.
func watcher(ctx context.Context) func(done, total int64) {
	told, _ := ctx.Value(watchKey{}).(func(done, total int64))
	return told
}

// Part returns a context for part i, from 0, of n parts with the same number of steps: who watches
// ctx is told of all parts as one work.
func Part(ctx context.Context, i, n int) context.Context {
	told := watcher(ctx)
	if told == nil {
		return ctx
	}
	return Watch(ctx, func(done, total int64) { told(int64(i)*total+done, int64(n)*total) })
}

// Tell tells who watches ctx, if anybody does, how much of the work is done.
func Tell(ctx context.Context, done, total int64) {
	if told := watcher(ctx); told != nil {
		told(done, total)
	}
}

// watched returns do, or, where somebody watches ctx, what tells of each task that do has done.
func watched(ctx context.Context, tasks int, do func(worker, task int)) func(worker, task int) {
	told := watcher(ctx)
	if told == nil {
		return do
	}
	var done atomic.Int64
	return func(worker, task int) {
		do(worker, task)
		told(done.Add(1), int64(tasks))
	}
}
