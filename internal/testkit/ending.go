package testkit

import (
	"context"
	"sync/atomic"
)

// An Ending is a context that ends when its error has been asked for so often, for tests of what
// has to ask often: no clock makes them fail.
type Ending struct {
	context.Context
	Asked atomic.Int64
	after int64
}

// EndAfter returns a context that ends when it has been asked n times.
func EndAfter(ctx context.Context, n int64) *Ending { return &Ending{Context: ctx, after: n} }

// Err counts, and returns context.Canceled after the end.
func (e *Ending) Err() error {
	if e.Asked.Add(1) > e.after {
		return context.Canceled
	}
	return nil
}
