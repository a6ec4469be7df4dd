// Command data compares dataset readers with readers of other programs on the same files, and
// checks that they read the same values. It also compares data files with text and with data in
// memory.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
)

func main() {
	err := peer.Catch(func() {
		switch {
		case len(os.Args) == 5 && os.Args[1] == fitCommand:
			fitFile(os.Args[2], os.Args[3], os.Args[4])
		case len(os.Args) == 3 && os.Args[1] == loadCommand:
			loadTwice(os.Args[2])
		default:
			peer.Main("data", run)
		}
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, t *peer.Table) {
	dir := peer.Must(os.MkdirTemp("", "data"))
	defer os.RemoveAll(dir)
	sparse(ctx, t, dir)
	tables(ctx, t, dir)
	dataFiles(ctx, t, dir)
}
