package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// The causes of contexts that a signal has ended.
var (
	errInterrupted = errors.New("interrupted")
	errTerminated  = errors.New("terminated")
)

// Context returns a context that ends when the program receives SIGINT, such as by Ctrl-C, or
// SIGTERM. A second signal ends the program at once.
func Context() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	go func() {
		cause := errInterrupted
		if <-received == syscall.SIGTERM {
			cause = errTerminated
		}
		signal.Stop(received)
		cancel(cause)
	}()
	return ctx
}

// ExitCode returns the exit code of a program that failed: that of the signal which ended ctx, 130
// for SIGINT and 143 for SIGTERM as in shells, or else code.
func ExitCode(ctx context.Context, code int) int {
	switch context.Cause(ctx) {
	case errInterrupted:
		return 130
	case errTerminated:
		return 143
	}
	return code
}
