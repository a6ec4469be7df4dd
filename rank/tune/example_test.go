package tune_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/tune"
)

// This example searches over two settings, and trains the model of the best trial on all data.
func ExampleStudy() {
	var text strings.Builder
	for i := range 60 {
		label := i * 7 % 3
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d\n", label, i/6, label+i/6, i*5%4)
	}
	d, err := data.Read(strings.NewReader(text.String()), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	space, err := tune.ParseSpace("c=0.01:10:log")
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator("map", rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	study := tune.Study{RankSVM: &rank.RankSVM{}, Space: space, Trials: 4, Folds: 3, Evaluator: evaluator}
	result, err := study.Search(ctx, d)
	if err != nil {
		log.Fatal(err)
	}
	best := result.Trials[result.Best]
	fmt.Printf("%d trials by %s, the best has %.3f\n", len(result.Trials), study.Evaluator, best.Value)
	model, err := study.Fit(ctx, d, &best)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a model of", model.Features(), "features")
	// Output:
	// 4 trials by map, the best has 1.000
	// a model of 2 features
}
