// Command data times the readers of datasets against those of other programs, on the same files,
// and checks that they read the same values; and data files against text and against memory.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
	"github.com/simdrank/simdrank/bench/peers/internal/reading"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 5 && os.Args[1] == fitCommand:
		err = fitFile(os.Args[2], os.Args[3], os.Args[4])
	case len(os.Args) == 3 && os.Args[1] == loadCommand:
		err = loadTwice(os.Args[2])
	default:
		peer.Main("data", run)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, t *peer.Table) error {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	python, err := reading.Start(ctx)
	if err != nil {
		return err
	}
	if err := sparse(ctx, t, python, dir); err != nil {
		return err
	}
	if err := tables(ctx, t, python, dir); err != nil {
		return err
	}
	if err := python.Close(); err != nil {
		return err
	}
	return dataFiles(ctx, t, dir)
}
