package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// A signalError is the cause of a context that a signal has canceled.
type signalError syscall.Signal

func (e signalError) Error() string { return syscall.Signal(e).String() }

// ending are the signals after which a program shuts down cleanly. Signal 1 is SIGHUP, which a
// terminal sends when it is closed; package syscall does not define it on every system.
var ending = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.Signal(1)}

// Context returns a context that is canceled when the program receives SIGINT, for example by
// Ctrl-C, SIGTERM, SIGQUIT or SIGHUP. A second signal ends the program at once. A signal that the
// program was started to ignore is ignored, such as SIGHUP under nohup.
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

// ExitCode returns the exit code of a program that failed. If a signal canceled ctx, it is 128 plus
// the number of the signal, as in shells; otherwise it is code.
func ExitCode(ctx context.Context, code int) int {
	if s, ok := context.Cause(ctx).(signalError); ok {
		return 128 + int(s)
	}
	return code
}
