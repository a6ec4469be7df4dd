// Command clicks simulates users whose clicks are known to be biased, and prints the tables of
// docs/howto/measure-with-clicks.md: the decisions of interleaved comparisons, and counterfactual
// estimates next to the true values.
//
//	go run ./bench/clicks
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	repetitions := flag.Int("repetitions", 2000, "`number` of repetitions of each experiment")
	seed := flag.Uint64("seed", 1, "random `seed`")
	flag.Parse()
	ctx := context.Background()
	for _, table := range []func(context.Context, int, uint64) error{interleaving, counterfactuals, learned} {
		if err := table(ctx, *repetitions, *seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
