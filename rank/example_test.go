package rank_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/letor"
)

// Three queries about the same two features. What counts is the second feature;
// the first one only tells the queries apart.
const judged = `
2 qid:a 1:0.9 2:0.8 # docid = a1
1 qid:a 1:0.9 2:0.4 # docid = a2
0 qid:a 1:0.9 2:0.3 # docid = a3
1 qid:b 1:0.1 2:0.7 # docid = b1
0 qid:b 1:0.1 2:0.5 # docid = b2
1 qid:c 1:0.5 2:0.9 # docid = c1
0 qid:c 1:0.5 2:0.1 # docid = c2
`

// The whole path: read data, train, score, measure.
func Example() {
	ctx := context.Background()
	data, err := letor.Read(strings.NewReader(judged))
	if err != nil {
		log.Fatal(err)
	}
	svm := rank.RankSVM{C: 10}
	model, err := svm.Fit(ctx, data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d pairs, weight of feature 2: %.3f\n", model.Report.Pairs, model.Weights[1])

	scores := make([]float64, data.Rows())
	if err := model.ScoreInto(scores, data); err != nil {
		log.Fatal(err)
	}
	metrics, err := rank.ParseMetrics("ndcg@2,tau-b")
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator(metrics)
	if err != nil {
		log.Fatal(err)
	}
	lists, err := data.Lists(scores)
	if err != nil {
		log.Fatal(err)
	}
	results, err := evaluator.EvalAll(ctx, lists)
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
	data, err := letor.Read(strings.NewReader(judged))
	if err != nil {
		log.Fatal(err)
	}
	svm := rank.RankSVM{
		C:    1,
		Loss: rank.Logistic,                                           // RankNet's
		Gain: func(label float64) float64 { return math.Exp2(label) }, // pairs weigh by the difference of their gains
	}
	model, err := svm.Fit(context.Background(), data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Report.Stop, model.Report.Gap <= 1e-6)
	fmt.Println(model.Score([]float32{0.5, 0.8}) > model.Score([]float32{0.5, 0.2}))
	// Output:
	// converged true
	// true
}

func ExampleKendallTau() {
	judge := []float64{1, 2, 2, 3, 4}
	system := []float64{0.1, 0.5, 0.3, 0.2, 0.9}
	k, err := rank.KendallTau(judge, system)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d concordant, %d discordant, %d tied\n", k.Concordant, k.Discordant, k.TiedX)
	fmt.Printf("tau-b %.4f, gamma %.4f, p %.4f\n", k.TauB(), k.Gamma(), k.PValue())
	// Output:
	// 7 concordant, 2 discordant, 1 tied
	// tau-b 0.5270, gamma 0.5556, p 0.2065
}

// NDCG and its policies: the labels of ten documents in the order of a ranker.
func ExampleNDCG() {
	labels := []float64{1, 0, 0, 1, 0, 0, 0, 1, 1, 0}
	scores := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	at5, err := rank.NDCG(labels, scores, rank.At(5))
	if err != nil {
		log.Fatal(err)
	}
	all, err := rank.NDCG(labels, scores)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("NDCG@5 %.10f, NDCG %.10f\n", at5, all)

	// A ranker that tells nothing apart: the order of equal scores decides.
	constant := make([]float64, len(labels))
	for _, ties := range []rank.Ties{rank.TiesPessimistic, rank.TiesAverage, rank.TiesOptimistic} {
		v, err := rank.NDCG(labels, constant, rank.At(5), ties)
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

// The same lists as another tool sees them.
func ExamplePreset() {
	lists := []rank.List{
		{ID: "a", Labels: []float64{0, 2, 1}, Scores: []float64{3, 2, 1}},
		{ID: "b", Labels: []float64{0, 0}, Scores: []float64{2, 1}}, // nothing relevant
	}
	metrics, err := rank.ParseMetrics("ndcg@10")
	if err != nil {
		log.Fatal(err)
	}
	for _, tool := range []string{"sklearn", "xgboost"} {
		preset, err := rank.ParsePreset(tool)
		if err != nil {
			log.Fatal(err)
		}
		evaluator, err := rank.NewEvaluator(metrics, preset)
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
