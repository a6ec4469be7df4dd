package explain_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func ExampleExplainer_Explain() {
	const text = `2 qid:10 1:1 2:0.5 # docid = GX1
0 qid:10 1:0.25 2:1 # docid = GX2
`
	d, err := data.Read(strings.NewReader(text), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	e, err := explain.New(&rank.Linear{Weights: []float64{2, -1}})
	if err != nil {
		log.Fatal(err)
	}
	r, err := e.Explain(context.Background(), d, 0, explain.Options{Documents: 1})
	if err != nil {
		log.Fatal(err)
	}
	best := r.Documents[0]
	fmt.Printf("%s is %g above %s\n", d.DocIDs[best.Row], best.Above, d.DocIDs[best.Next])
	for _, f := range best.Features {
		fmt.Printf("feature %d: %g against %g, %+g\n", f.Column+1, f.Value, f.Next, f.Difference)
	}
	// Output:
	// GX1 is 2 above GX2
	// feature 1: 1 against 0.25, +1.5
	// feature 2: 0.5 against 1, +0.5
}

// This example computes the contribution of each feature to the scores of a tree model.
func ExampleExplainer_ContributionsInto() {
	ctx := context.Background()
	var text strings.Builder
	for i := range 200 {
		a, b, noise := i*7%10, i*5%3, i*13%7
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d\n", (a+3*b+noise)/8, i/10, a, b)
	}
	train, err := data.Read(strings.NewReader(text.String()), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves = 3, 4
	result, err := trainer.Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	e, err := explain.New(result.Model)
	if err != nil {
		log.Fatal(err)
	}
	d := rank.NewDataset(1, 2)
	copy(d.Row(0), []float32{9, 1})
	phi := make([]float64, d.Rows()*3) // the last value is the mean score
	if err := e.ContributionsInto(ctx, phi, d); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %+.3f %+.3f = %.3f\n", phi[0], phi[1], phi[2], result.Model.Score(d.Row(0)))
	// Output: 0.363 -0.035 -0.056 = 0.271
}
