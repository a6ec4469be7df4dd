// Command simdrank trains, applies and evaluates rankers.
//
// It is a thin shell around package rank. Run simdrank --help for the list of commands; the README
// has a tour.
package main

import (
	"os"

	"github.com/simdrank/simdrank/internal/cli"
)

const _ = cli.ThisModuleNeedsSimdrankV0_1_0

func main() {
	os.Exit(run(cli.Context(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
