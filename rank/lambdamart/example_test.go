package lambdamart_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/letor"
)

// Documents are relevant when both features are high or both are low, which no linear model can tell.
func ExampleTrainer() {
	var text strings.Builder
	for i := range 400 {
		a, b := i*7%16, i*11%13
		label := 0
		if (a > 7) == (b > 6) {
			label = 1
		}
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d\n", label, i/20, a, b)
	}
	train, err := letor.Read(strings.NewReader(text.String()))
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	trainer := lambdamart.Trainer{
		Trees:      20,
		Validation: []lambdamart.Validation{{Name: "train", Data: train}},
	}
	result, err := trainer.Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Curves {
		fmt.Printf("%s %v: %.3f after 1 tree, %.3f after %d\n", c.Set, c.Metric, c.Values[0], c.Values[result.Grown-1], result.Grown)
	}
	svm, err := (&rank.RankSVM{}).Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("low, low: %+.2f, low, high: %+.2f\n", result.Model.Score([]float32{2, 2}), result.Model.Score([]float32{2, 12}))
	fmt.Printf("a linear model: %+.2f, %+.2f\n", svm.Score([]float32{2, 2}), svm.Score([]float32{2, 12}))
	// Output:
	// train ndcg@10: 0.998 after 1 tree, 1.000 after 20
	// low, low: +2.39, low, high: -2.39
	// a linear model: -0.02, -0.02
}
