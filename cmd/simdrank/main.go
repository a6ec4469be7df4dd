// Command simdrank trains, applies and measures rankers on LETOR data.
//
// It is a thin shell around package rank: see simdrank --help for the commands
// and the README for a tour.
package main

import (
	"os"

	"github.com/simdrank/simdrank/internal/cli"
)

const _ = cli.ThisModuleNeedsSimdrankV0_1_0

func main() {
	os.Exit(run(cli.Context(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
