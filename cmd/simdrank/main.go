// Command simdrank trains, applies and measures rankers on LETOR data.
//
// It is a thin shell around package rank: see simdrank --help for the commands
// and the README for a tour.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// the first signal asks for an orderly end, a second one ends the program
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
