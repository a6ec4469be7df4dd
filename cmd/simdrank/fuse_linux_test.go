package main

import (
	"context"
	"github.com/simdrank/simdrank/internal/testkit"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
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

// A Parquet file may come from a pipe with a name, too.
func TestParquetFromPipe(t *testing.T) {
	_, _, _, path := tables(t)
	pipe := filepath.Join(t.TempDir(), "pipe.parquet")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(pipe, content, 0o600)
	if got, want := succeed(t, "", "info", "-d", pipe), succeed(t, "", "info", "-d", path); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An interrupt ends what waits for the reader of a pipe.
func TestInterruptAtPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "test.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	data := writeTemp(t, "data.txt", letorText(t, small))
	model := filepath.Join(t.TempDir(), "model.json")
	succeed(t, "", "train", "-d", data, "-o", model)
	for _, args := range [][]string{{"predict", "-m", model, "-d", data, "-o", pipe}, {"train", "-d", data, "-o", pipe},
		{"demo", "--write", filepath.Dir(pipe)}} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			var stderr strings.Builder
			if code := run(ctx, args, nil, io.Discard, &stderr); code != exitFailure ||
				stderr.String() != "simdrank: interrupted\n" {
				t.Errorf("%s: exit %d, %s", args[0], code, &stderr)
			}
			cancel()
		})
	}
}
