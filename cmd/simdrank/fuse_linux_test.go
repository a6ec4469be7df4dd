package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What goes to a pipe is written once, though a topic turns up after its turn.
func TestFuseToPipe(t *testing.T) {
	long, _ := scatteredRun(2000) // more than a piece
	from, to := strings.Index(long, "\n100 Q0")+1, strings.Index(long, "\n101 Q0")+1
	a := writeTemp(t, "a.run", long)
	b := writeTemp(t, "b.run", long[:from]+long[to:]+long[from:to])
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		got, _ := os.ReadFile(pipe)
		read <- string(got)
	}()
	succeed(t, "", "fuse", a, b, "-o", pipe)
	if <-read != succeed(t, "", "fuse", a, b) {
		t.Error("another run")
	}
}
