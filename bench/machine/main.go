// Command machine measures the kernels on this machine in two minutes. It needs only Go. It
// compares each tier with plain Go, with gonum, and with the memory bandwidth.
//
//	go run ./bench/machine              prints the table, in Markdown
//	go run ./bench/machine -o FILE.md   writes it to a file, for bench/results
//
// It runs benchmarks of package bench with go test, so GOARCH and GOFLAGS apply, for example
// GOFLAGS=-tags=purego. A round runs all benchmarks once, one tier after the other. Ratios compare
// times within a round, and the table shows medians over the rounds.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
)

func main() {
	path := flag.String("o", "", "write the table to `FILE` (default standard output)")
	flag.Parse()
	ctx := cli.Context()
	if err := run(ctx, *path, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "machine:", err)
		os.Exit(cli.ExitCode(ctx, 1))
	}
}

func run(ctx context.Context, path string, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q", args[0])
	}
	if path != "" {
		if err := files.Check(path); err != nil {
			return err
		}
	}
	r, err := measure(ctx, selections, rounds, duration)
	if err != nil {
		return err
	}
	if path == "" {
		return writeMarkdown(os.Stdout, r)
	}
	return files.Save(path, func(w io.Writer) error { return writeMarkdown(w, r) })
}
