// Command data times the readers of datasets against those of other programs, on the same files,
// and checks that they read the same values; and data files against text and against memory.
package main

import (
	"context"
	"os"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == fitCommand {
		fitFile()
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
	if err := tables(ctx, t, dir); err != nil {
		return err
	}
	return dataFiles(ctx, t)
}
