package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What goes to a pipe is written once, though the order of topics differs behind the first piece.
func TestFuseToPipe(t *testing.T) {
	long, _ := scatteredRun(2000) // more than a piece
	half, last := strings.Index(long, "\n1000 Q0")+1, strings.Index(long, "\n1999 Q0")+1
	a := writeTemp(t, "a.run", long)
	b := writeTemp(t, "b.run", long[:half]+long[last:]+long[half:last])
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
