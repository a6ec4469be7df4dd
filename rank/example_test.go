package rank_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// judged contains three queries. Only the second feature determines relevance; the first one only
// distinguishes the queries.
const judged = `
2 qid:a 1:0.9 2:0.8 # docid = a1
1 qid:a 1:0.9 2:0.4 # docid = a2
0 qid:a 1:0.9 2:0.3 # docid = a3
1 qid:b 1:0.1 2:0.7 # docid = b1
0 qid:b 1:0.1 2:0.5 # docid = b2
1 qid:c 1:0.5 2:0.9 # docid = c1
0 qid:c 1:0.5 2:0.1 # docid = c2
`

// This example shows the whole path: read data, train, score and evaluate.
func Example() {
	ctx := context.Background()
	d, err := data.Read(strings.NewReader(judged), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	svm := rank.RankSVM{C: 10}
	model, err := svm.Fit(ctx, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pairs, weight of feature 2: %.3f\n", model.Report.Pairs, model.Weights[1])

	results, err := rank.Evaluate(ctx, model, d, "ndcg@2,tau-b", rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range results.Metrics {
		fmt.Printf("%v: mean %.3f of %d queries\n", m.Metric, m.Mean, m.Counted)
	}
	// Output:
	// 5 pairs, weight of feature 2: 3.000
	// ndcg@2: mean 1.000 of 3 queries
	// tau-b: mean 1.000 of 3 queries
}

func ExampleRankSVM() {
	d, err := data.Read(strings.NewReader(judged), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	svm := rank.RankSVM{
		C:    1,
		Loss: "logistic",   // the loss of RankNet
		Gain: rank.ExpGain, // weights pairs by the difference of their gains
	}
	model, err := svm.Fit(context.Background(), d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Report.Stop, model.Report.Gap <= 1e-6)
	fmt.Println(model.Score([]float32{0.5, 0.8}) > model.Score([]float32{0.5, 0.2}))
	// Output:
	// converged true
	// true
}

// This example computes NDCG with different options for the labels of ten documents in ranked
// order.
func ExampleMeasure() {
	labels := []float64{1, 0, 0, 1, 0, 0, 0, 1, 1, 0}
	scores := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	at5, err := rank.Measure("ndcg@5", labels, scores, rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	all, err := rank.Measure("ndcg", labels, scores, rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("NDCG@5 %.10f, NDCG %.10f\n", at5, all)

	// A ranker that gives all documents the same score: the order of ties matters.
	constant := make([]float64, len(labels))
	for _, ties := range []string{"pessimistic", "average", "optimistic"} {
		v, err := rank.Measure("ndcg@5", labels, constant, rank.Options{Ties: ties})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.4f ", v)
	}
	fmt.Println()
	// Output:
	// NDCG@5 0.5585075863, NDCG 0.7991748854
	// 0.0000 0.4604 1.0000
}

// This example evaluates the same lists with the conventions of other tools.
func ExampleOptions_preset() {
	lists := []rank.List{
		{ID: "a", Labels: []float64{0, 2, 1}, Scores: []float64{3, 2, 1}},
		{ID: "b", Labels: []float64{0, 0}, Scores: []float64{2, 1}}, // no relevant document
	}
	for _, tool := range []string{"sklearn", "xgboost"} {
		evaluator, err := rank.NewEvaluator("ndcg@10", rank.Options{Preset: tool})
		if err != nil {
			log.Fatal(err)
		}
		results, err := evaluator.EvalAll(context.Background(), lists)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %.4f\n", tool, results.Metrics[0].Mean)
	}
	// Output:
	// sklearn: 0.3348
	// xgboost: 0.8295
}

// A data frame contains columns rather than rows.
func ExampleFromColumns() {
	d, err := rank.FromColumns(
		[]string{"price", "rating"},
		[][]float32{{899, 749, 299}, {4.5, 3.5, 4}},
		[]float64{2, 0, 1},
		[]string{"city bike", "city bike", "kids bike"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.QueryIDs, d.Offsets, d.Row(1))
	// Output: [city bike kids bike] [0 2 3] [749 3.5]
}

func ExampleEvaluate() {
	d, err := data.Read(strings.NewReader(judged), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	model := &rank.Linear{Weights: []float64{0, -1}} // in the wrong order
	results, err := rank.Evaluate(context.Background(), model, d, "ndcg@2,mrr", rank.Options{Gain: "linear"})
	if err != nil {
		log.Fatal(err)
	}
	mrr, err := results.Metric("mrr")
	if err != nil {
		log.Fatal(err)
	}
	for q, id := range results.QueryIDs {
		fmt.Printf("%s: %.2f\n", id, mrr.Values[q])
	}
	fmt.Printf("mean: %.2f\n", mrr.Mean)
	// Output:
	// a: 0.50
	// b: 0.50
	// c: 0.50
	// mean: 0.50
}

// This example compares integer labels with float32 scores and reuses memory.
func ExampleKendallTauOf() {
	var work kernels.Work
	k, err := rank.KendallTauOf([]int{0, 1, 2, 2}, []float32{0.1, 0.4, 0.3, 0.9}, &work)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d concordant, %d discordant, tau-b %.3f\n", k.Concordant, k.Discordant, k.TauB())
	// Output: 4 concordant, 1 discordant, tau-b 0.548
}

func ExampleConcat() {
	a, err := data.Read(strings.NewReader("1 qid:a 1:5\n"), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b, err := data.Read(strings.NewReader("0 qid:b 1:3 2:4\n"), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	d := rank.Concat(a, b)
	fmt.Println(d.QueryIDs, d.Labels, d.Row(0), d.Row(1))
	// Output: [a b] [1 0] [5 0] [3 4]
}
