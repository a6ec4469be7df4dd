package importance_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/importance"
)

// This example measures how much NDCG drops if the values of a feature are permuted within queries.
func ExamplePermutation_Drops() {
	var text strings.Builder
	for i := range 400 {
		a, b := i*7%10, i*5%3
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d\n", a/5, i/10, a, b)
	}
	d, err := data.Read(strings.NewReader(text.String()), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	e, err := rank.NewEvaluator("ndcg@5", rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	m := &rank.Linear{Weights: []float64{1, .1}}
	mean, drops, err := (&importance.Permutation{}).Drops(context.Background(), m, d, e)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ndcg@5 %.3f\n", mean)
	for _, drop := range drops {
		fmt.Printf("feature %d: %.3f (%.3f to %.3f)\n", drop.Features[0]+1, drop.Mean, drop.Low, drop.High)
	}
	// Output:
	// ndcg@5 1.000
	// feature 1: 0.492 (0.467 to 0.516)
	// feature 2: 0.000 (0.000 to 0.000)
}
