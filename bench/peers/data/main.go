// Command data times reading and using data of every kind.
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

func run(ctx context.Context, t *peer.Table) error { return dataFiles(ctx, t) }
