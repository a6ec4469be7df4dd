package counterfactual_test

import (
	"context"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/counterfactual"
)

// This program evaluates a new ranking of two sessions. Users saw the documents of a session in the
// order of the rows, and examine the third position half as often as the first one.
func ExampleEvaluate() {
	var b rank.Builder
	clicks := [][]float64{{0, 0, 1}, {1, 0, 0}}
	for session, labels := range clicks {
		for _, label := range labels {
			b.Add(fmt.Sprint("session ", session), label, []float32{0})
		}
	}
	d, err := b.Dataset()
	if err != nil {
		log.Fatal(err)
	}
	d.Positions = []int32{1, 2, 3, 1, 2, 3}
	scores := []float64{3, 1, 2, 3, 2, 1} // of the new ranking
	o := counterfactual.Options{Propensities: []float64{1, 0.7, 0.5}}
	r, err := counterfactual.Evaluate(context.Background(), scores, d, "dcg@3,average-rank", o)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range r.Estimates {
		fmt.Printf("%s %s: %.3f, standard error %.3f\n", e.Metric, e.Estimator, e.Value, e.StandardError)
	}
	// Output:
	// dcg@3 ips: 1.131, standard error 0.131
	// dcg@3 snips: 0.754, standard error 0.164
	// average-rank ips: 2.500, standard error 1.500
	// average-rank snips: 1.667, standard error 0.444
}
