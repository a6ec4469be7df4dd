package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// A signalError is the cause of a context that a signal has ended.
type signalError syscall.Signal

func (e signalError) Error() string { return syscall.Signal(e).String() }

// ending are the signals that end a program in order. SIGHUP, which a terminal sends when it is
// closed, has no name on every system.
var ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.Signal(1)}

// Context returns a context that ends when the program receives SIGINT, such as by Ctrl-C, SIGTERM,
// SIGQUIT or SIGHUP. A second signal ends the program at once. A signal that the program was
// started to ignore, as nohup does with SIGHUP, is ignored.
func Context() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	received := make(chan os.Signal, 1)
	for _, s := range ending {
		if !signal.Ignored(s) {
			signal.Notify(received, s)
		}
	}
	go func() {
		s := (<-received).(syscall.Signal)
		signal.Stop(received)
		cancel(signalError(s))
	}()
	return ctx
}

// ExitCode returns the exit code of a program that failed: that of the signal which ended ctx, 128
// and its number as in shells, or else code.
func ExitCode(ctx context.Context, code int) int {
	if s, ok := context.Cause(ctx).(signalError); ok {
		return 128 + int(s)
	}
	return code
}
