package testkit

import (
	"context"
	"sync/atomic"
)

// An Ending is a context that is canceled after its error was requested a given number of times. It
// tests code that must check the context often, and does not depend on a clock.
type Ending struct {
	context.Context
	Asked atomic.Int64
	after int64
}

// EndAfter returns a context that is canceled after n calls of Err.
func EndAfter(ctx context.Context, n int64) *Ending { return &Ending{Context: ctx, after: n} }

// Err counts, and returns context.Canceled after the end.
func (e *Ending) Err() error {
	if e.Asked.Add(1) > e.after {
		return context.Canceled
	}
	return nil
}
