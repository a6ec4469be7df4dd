package testkit

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/cpu"
)

// StopsBetweenCalls checks that loops over kernels stop when all goroutines must stop, as each
// garbage collection requires. Asynchronous preemption hardly ever interrupts such a loop outside
// of assembly. Without it, a loop stops only at the prologue of a function in Go, or of an assembly
// function with the same prologue. Each loop must call its kernel by name until stop is set,
// because a call through a variable would stop at its own prologue. The loops run in a child
// process, on each tier.
func StopsBetweenCalls(t *testing.T, loops func(stop *atomic.Bool) []func()) {
	const inChild = "SIMDRANK_TEST_STOPS"
	if os.Getenv(inChild) != "" {
		var stop atomic.Bool
		for _, loop := range loops(&stop) {
			for _, tier := range cpu.Available() {
				restore := cpu.Force(tier)
				stop.Store(false)
				done := make(chan bool)
				go func() { loop(); done <- true }()
				for range 3 {
					time.Sleep(time.Millisecond)
					runtime.GC()
				}
				stop.Store(true)
				<-done
				restore()
			}
		}
		return
	}
	if runtime.GOARCH == "wasm" {
		t.Skip("one thread")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inChild+"=1", "GODEBUG=asyncpreemptoff=1")
	if err := cmd.Start(); err != nil {
		t.Skipf("cannot start itself, as under an emulator: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("a loop over a kernel does not stop: %v", err)
	}
}

// RaceIsSeen checks that the race detector sees the reads and writes of assembly: each function of
// racy accesses memory while write modifies it. The calls run in a child process, on each tier,
// because the race detector makes the process fail.
func RaceIsSeen(t *testing.T, write func(shared []float64), racy map[string]func(shared []float64)) {
	const inChild = "SIMDRANK_RACE"
	if name := os.Getenv(inChild); name != "" {
		shared, done := make([]float64, 256), make(chan bool)
		go func() {
			write(shared)
			close(done)
		}()
		racy[name](shared)
		<-done
		return
	}
	parent := t.Name()
	for name := range racy {
		t.Run(name, func(t *testing.T) {
			for _, tier := range cpu.Available() {
				cmd := exec.Command(os.Args[0], "-test.run=^"+parent+"$")
				cmd.Env = append(os.Environ(), inChild+"="+name, cpu.EnvVar+"="+tier.String())
				if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "DATA RACE") {
					t.Errorf("%v: no race was seen: %v\n%s", tier, err, out)
				}
			}
		})
	}
}
