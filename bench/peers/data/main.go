// Command data times the readers of datasets against those of other programs, on the same files,
// and checks that they read the same values; and data files against text and against memory.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == fitCommand {
		fitFile()
		return
	}
	if len(os.Args) == 3 && os.Args[1] == loadCommand {
		if err := loadTwice(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	peer.Main("data", run)
}

func run(ctx context.Context, t *peer.Table) error {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := sparse(ctx, t, dir); err != nil {
		return err
	}
	if err := tables(ctx, t, dir); err != nil {
		return err
	}
	return dataFiles(ctx, t)
}
