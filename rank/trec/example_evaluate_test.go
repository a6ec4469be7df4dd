package trec_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// This program evaluates a run against judgments and prints the same values as trec_eval.
func ExampleEvaluate() {
	qrels, err := trec.LoadQrels("testdata/qrels.txt")
	if err != nil {
		log.Fatal(err)
	}
	run, err := trec.LoadRun("testdata/run.txt")
	if err != nil {
		log.Fatal(err)
	}
	results, err := trec.Evaluate(context.Background(), qrels, run, "map,ndcg", rank.Options{Preset: "trec_eval"})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range results.Metrics {
		fmt.Printf("%v %.4f\n", m.Metric, m.Mean)
	}
	// Output:
	// map 0.5417
	// ndcg 0.5735
}
