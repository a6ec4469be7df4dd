package compare_test

import (
	"context"
	"log"
	"os"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
)

// This example compares two systems on the same ten queries. The second system ranks the relevant
// document first for nine of them.
func ExampleCompare() {
	ctx := context.Background()
	evaluator, err := rank.NewEvaluator("mrr", rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var systems [2]compare.System
	for s, name := range []string{"old", "new"} {
		var lists []rank.List
		for q := range 10 {
			scores := []float64{1, 2, 0} // the relevant document is second
			if s == 1 && q > 0 {
				scores[0] = 3
			}
			lists = append(lists, rank.List{Labels: []float64{1, 0, 0}, Scores: scores})
		}
		results, err := evaluator.EvalAll(ctx, lists)
		if err != nil {
			log.Fatal(err)
		}
		systems[s] = compare.System{Name: name, Results: results}
	}
	table, err := compare.Compare(ctx, systems[:], compare.Options{Rounds: 10000, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Write(os.Stdout, "markdown"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// | System | mrr |
	// |:--|--:|
	// | old | 0.5000 |
	// | new | 0.9500\*\*<br>\[+0.3000, +0.5000] |
	//
	// randomization test against old, two-sided: \* p \< 0.05, \*\* p \< 0.01;
	// brackets: 95% bootstrap interval of the difference from old;
	// queries: 10
}
