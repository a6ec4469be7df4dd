//go:build unix

package cli

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestMain is the program whose signals are tested if the environment says so: after the first one
// it works on until a second one ends it, or ends in time.
func TestMain(m *testing.M) {
	switch os.Getenv("SIGNALS_TEST") {
	case "orderly":
		ctx := Context()
		os.Stdout.WriteString("ready")
		<-ctx.Done()
		os.Exit(ExitCode(ctx, 1))
	case "stuck":
		ctx := Context()
		os.Stdout.WriteString("ready")
		<-ctx.Done()
		os.Stdout.WriteString("done!")
		time.Sleep(time.Minute)
		os.Exit(9)
	}
	os.Exit(m.Run())
}

// heed has programs that the test starts not ignore a signal, as the test does under nohup.
func heed(t *testing.T, s os.Signal) {
	received := make(chan os.Signal, 1)
	signal.Notify(received, s)
	t.Cleanup(func() { signal.Stop(received) })
}

func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("a program that QEMU runs may wait forever for one that it cannot start")
	}
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}, {syscall.SIGQUIT, 131}} {
		for _, mode := range []string{"orderly", "stuck"} {
			t.Run(c.signal.String()+" "+mode, func(t *testing.T) {
				heed(t, c.signal)
				cmd := exec.CommandContext(t.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), "SIGNALS_TEST="+mode)
				out, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Skip(err) // wasm and the like start no programs
				}
				said := make([]byte, 5)
				out.Read(said)
				cmd.Process.Signal(c.signal)
				if mode == "stuck" {
					out.Read(said)
					cmd.Process.Signal(c.signal)
				}
				cmd.Wait() // the status is compared below
				status := cmd.ProcessState.Sys().(syscall.WaitStatus)
				if mode == "orderly" && status.ExitStatus() != c.code {
					t.Errorf("exit %d, want %d", status.ExitStatus(), c.code)
				}
				dumped := c.signal == syscall.SIGQUIT && status.ExitStatus() == 2 // Go's runtime prints its stacks
				if mode == "stuck" && !dumped && (!status.Signaled() || status.Signal() != c.signal) {
					t.Errorf("a second signal: %v", cmd.ProcessState)
				}
			})
		}
	}
}

// A context that no signal has ended leaves the exit code as it is.
func TestExitCode(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if code := ExitCode(ctx, 1); code != 1 {
		t.Errorf("exit %d before the end", code)
	}
	cancel()
	if code := ExitCode(ctx, 2); code != 2 {
		t.Errorf("exit %d after a cancellation", code)
	}
}
