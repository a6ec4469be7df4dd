package trec_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// This example evaluates a run from slices against judgments, and writes the run as JSON.
func ExampleNewRun() {
	judged := []trec.Judgment{{"301", "doc1", 1}, {"301", "doc2", 0}, {"301", "doc3", 2}}
	qrels, err := trec.NewQrels(slices.Values(judged))
	if err != nil {
		log.Fatal(err)
	}
	retrieved := []trec.ScoredDoc{{"301", "doc1", 9.5}, {"301", "doc9", 8.5}, {"301", "doc3", 8}}
	run, err := trec.NewRun("mine", slices.Values(retrieved))
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator("map", rank.Options{Preset: "trec_eval"})
	if err != nil {
		log.Fatal(err)
	}
	results, err := evaluator.EvalAll(context.Background(), qrels.Lists(run))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("map %.4f\n", results.Metrics[0].Mean)
	if err := run.WriteJSON(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// map 0.8333
	// {"301": {"doc1": 9.5, "doc9": 8.5, "doc3": 8}}
}

// This example evaluates a run that may be larger than RAM, topic by topic.
func ExampleEvalPieces() {
	qrels, err := trec.ReadQrels(strings.NewReader("1 0 a 1\n2 0 a 1\n"))
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator("mrr", rank.Options{Preset: "trec_eval"})
	if err != nil {
		log.Fatal(err)
	}
	run := strings.NewReader("2 Q0 a 1 2 r\n2 Q0 b 2 1 r\n1 Q0 b 1 2 r\n1 Q0 a 2 1 r\n")
	results, err := trec.StreamRuns(func(runs []iter.Seq2[*trec.Run, error]) (*rank.Results, error) {
		return trec.EvalPieces(context.Background(), evaluator, qrels, runs[0], nil)
	}, []io.Reader{run})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results.QueryIDs, results.Metrics[0].Mean)
	// Output: [1 2] 0.75
}
