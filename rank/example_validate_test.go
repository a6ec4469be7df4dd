package rank_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// This program chooses C by cross-validation: each query is ranked by a model that was not trained
// on it.
func ExampleRankSVM_FitPath() {
	d, err := data.Load("testdata/train.txt", data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var svm rank.RankSVM
	model, path, err := svm.FitPath(context.Background(), d, []float64{0.001, 0.1, 10}, rank.CSelection{Folds: 5})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range path {
		fmt.Printf("C = %g: NDCG@10 %.4f\n", p.C, p.Value)
	}
	fmt.Printf("best: %g, weights %.3f\n", model.Report.C, model.Weights)
	// Output:
	// C = 0.001: NDCG@10 0.9571
	// C = 0.1: NDCG@10 0.9566
	// C = 10: NDCG@10 0.9577
	// best: 10, weights [0.970 2.282 -0.084]
}
