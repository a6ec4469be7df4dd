package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
)

// An interrupt ends every command that waits for the writer of a pipe, or for what it writes.
func TestInterruptReadingPipe(t *testing.T) {
	dir := t.TempDir()
	data := writeTemp(t, "data.txt", letorText(t, small))
	out, linear, trees := filepath.Join(dir, "out"), filepath.Join(dir, "linear"), filepath.Join(dir, "trees")
	succeed(t, "", "train", "-d", data, "-o", linear)
	succeed(t, "", "train", "-d", data, "-o", trees, "--model", "lambdamart", "--trees", "2", "--min-rows", "1")
	scores := writeTemp(t, "scores", succeed(t, "", "predict", "-m", linear, "-d", data))
	run1 := writeTemp(t, "a.run", "1 Q0 a 1 1 x\n")
	qrels := writeTemp(t, "qrels", "1 0 a 1\n")
	const pipe = "PIPE"
	for _, args := range [][]string{
		{"compare", "-d", data, pipe, scores},
		{"compare", "-d", data, scores, pipe},
		{"compare", "-d", pipe, linear, scores},
		{"compare", "--qrels", pipe, run1, run1},
		{"compare", "--qrels", qrels, run1, pipe},
		{"convert", "-i", pipe, "-o", out, "--to", "letor"},
		{"convert", "-i", pipe, "-o", out + ".simdrank"},
		{"convert", "-i", pipe, "-o", out, "--to", "lightgbm"},
		{"convert", "-i", pipe, "-o", out, "--to", "run"},
		{"convert", "-i", pipe, "-o", out, "--to", "qrels"},
		{"convert", "-i", data, "--group", pipe, "-o", out + ".simdrank"},
		{"eval", "-m", pipe, "-d", data},
		{"eval", "-m", linear, "-d", pipe},
		{"eval", "-s", pipe, "-d", data},
		{"eval", "--qrels", pipe, "--run", run1},
		{"eval", "--qrels", qrels, "--run", pipe},
		{"eval", "--qrels", qrels, "--run", run1, "--reference", pipe},
		{"explain", "-m", pipe, "-d", data, "--query", "1"},
		{"explain", "-m", linear, "-d", pipe, "--query", "1"},
		{"fuse", run1, pipe},
		{"fuse", run1, run1, "--tune", pipe},
		{"importance", "-m", pipe},
		{"importance", "-m", linear, "-d", pipe},
		{"info", "-m", pipe},
		{"info", "-d", pipe},
		{"info", "-d", pipe, "--input-format", "parquet"},
		{"info", "-d", pipe, "--input-format", "csv"},
		{"nearest", "-i", pipe, "-q", pipe},
		{"plot", "calibration", "-m", linear, "-d", pipe, "-o", out + ".svg"},
		{"plot", "curve", "--log", pipe, "-o", out + ".svg"},
		{"predict", "-m", pipe, "-d", data},
		{"predict", "-m", linear, "-d", pipe},
		{"predict", "-m", linear, "-d", data, "--feature-names", pipe},
		{"refit", "-m", pipe, "-d", data, "-o", out},
		{"refit", "-m", trees, "-d", pipe, "-o", out},
		{"report", "-m", pipe, "-d", data, "-o", out},
		{"report", "-m", linear, "-d", pipe, "-o", out},
		{"report", "-m", trees, "-d", data, "--train", pipe, "-o", out},
		{"split", "-d", pipe, "--fractions", "0.5,0.5", "-o", out + ".simdrank", "-o", out + "2.simdrank"},
		{"tau", pipe},
		{"train", "-d", pipe, "-o", out},
		{"train", "-d", data, "--weights", pipe, "-o", out},
		{"train", "-d", data, "--valid", pipe, "-o", out},
		{"train", "-d", data, "--group", pipe, "-o", out},
		{"train", "-d", data, "--model", "lambdamart", "--config", pipe, "-o", out},
		{"train", "-d", data, "--model", "lambdamart", "--start", pipe, "-o", out},
		{"train", "-d", data, "--model", "lambdamart", "--positions", pipe, "-o", out},
		{"trec-eval", pipe, run1},
		{"trec-eval", qrels, pipe},
		{"tune", "-d", pipe},
		{"tune", "-d", data, "--weights", pipe},
	} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			for _, mode := range []string{"no writer", "silent writer"} {
				t.Run(mode, func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "pipe")
					if err := syscall.Mkfifo(path, 0o600); err != nil {
						t.Skip(err)
					}
					open := func() *os.File {
						f, err := os.OpenFile(path, os.O_RDWR, 0)
						if err != nil {
							t.Fatal(err)
						}
						return f
					}
					if mode == "silent writer" {
						defer open().Close()
					}
					given := make([]string, len(args))
					for i, arg := range args {
						given[i] = strings.ReplaceAll(arg, pipe, path)
					}
					ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
					defer cancel()
					ended := make(chan bool)
					var stderr strings.Builder
					go func() {
						if code := run(ctx, given, nil, io.Discard, &stderr); code != exitFailure ||
							!strings.HasSuffix(stderr.String(), "simdrank: interrupted\n") {
							t.Errorf("exit %d, %s", code, &stderr)
						}
						close(ended)
					}()
					select {
					case <-ended:
					case <-time.After(10 * time.Second):
						t.Error("does not end")
						defer func() { <-ended }()
					}
					open().Close() // what has been left behind ends
				})
			}
		})
	}
}
