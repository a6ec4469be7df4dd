package trec_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/trec"
)

// Judgments and a run, joined to a list per topic, and measured as trec_eval does.
func ExampleQrels_Lists() {
	qrels, err := trec.ReadQrels(strings.NewReader("301 0 doc1 1\n301 0 doc2 0\n301 0 doc3 2\n"))
	if err != nil {
		log.Fatal(err)
	}
	run, err := trec.ReadRun(strings.NewReader("301 Q0 doc1 1 9.5 mine\n301 Q0 doc9 2 8.5 mine\n301 Q0 doc3 3 8.0 mine\n"))
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator(rank.MustParseMetrics("map,ndcg,precision@5"), rank.TrecEval)
	if err != nil {
		log.Fatal(err)
	}
	results, err := evaluator.EvalAll(context.Background(), qrels.Lists(run, false))
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range results.Metrics {
		fmt.Printf("%s %.4f\n", m.Metric.TrecName(), m.Mean)
	}
	// Output:
	// map 0.8333
	// ndcg 0.7602
	// P_5 0.4000
}
