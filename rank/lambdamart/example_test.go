package lambdamart_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"strings"
	"sync"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Documents are relevant if both features are high or both are low, which a linear model cannot
// represent.
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
	train, err := data.Read(strings.NewReader(text.String()), data.Options{})
	if err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees = 20
	trainer.Validation = []lambdamart.Validation{{Name: "train", Data: train}}
	result, err := trainer.Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range result.Curves {
		fmt.Printf("%s %v: %.3f after 1 tree, %.3f after %d\n", c.Set, c.Metric, c.Values[0], c.Values[result.Grown-1],
			result.Grown)
	}
	svm, err := (&rank.RankSVM{}).Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("low, low: %+.2f, low, high: %+.2f\n", result.Model.Score([]float32{2, 2}),
		result.Model.Score([]float32{2, 12}))
	fmt.Printf("a linear model: %+.2f, %+.2f\n", svm.Score([]float32{2, 2}), svm.Score([]float32{2, 12}))
	// Output:
	// train ndcg@10: 0.998 after 1 tree, 1.000 after 20
	// low, low: +2.38, low, high: -2.39
	// a linear model: -0.02, -0.02
}

// grown returns a small dataset and a model of three trees that was trained on it.
func grown(ctx context.Context) (*rank.Dataset, *lambdamart.Result) {
	var text strings.Builder
	for i := range 200 {
		a, b, noise := i*7%10, i*5%3, i*13%7
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d\n", (a+3*b+noise)/8, i/10, a, b)
	}
	d, err := data.Read(strings.NewReader(text.String()), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves = 3, 4
	result, err := trainer.Fit(ctx, d)
	if err != nil {
		log.Fatal(err)
	}
	return d, result
}

// A server makes one Scorer, which its goroutines share.
func ExampleScorer() {
	ctx := context.Background()
	data, result := grown(ctx)
	scorer, err := result.Model.Scorer()
	if err != nil {
		log.Fatal(err)
	}
	scorer.Threads = 1 // each goroutine scores one request
	requests := []*rank.Dataset{rank.NewDataset(2, 2), rank.NewDataset(1, 2), data}
	requests[0].Row(1)[0] = 9
	scores := make([][]float64, len(requests))
	var wg sync.WaitGroup
	for i, d := range requests {
		wg.Go(func() {
			scores[i] = make([]float64, d.Rows())
			if err := scorer.ScoreInto(ctx, scores[i], d); err != nil {
				log.Fatal(err)
			}
		})
	}
	wg.Wait()
	fmt.Println(len(scores[2]), scores[0][1] > scores[0][0], scores[1][0] == scores[0][0])
	// Output: 200 true true
}

// This example computes NDCG as a function of the number of trees.
func ExampleScorer_StagesInto() {
	ctx := context.Background()
	data, result := grown(ctx)
	scorer, err := result.Model.Scorer()
	if err != nil {
		log.Fatal(err)
	}
	evaluator, err := rank.NewEvaluator("ndcg@5", rank.Options{})
	if err != nil {
		log.Fatal(err)
	}
	scores := make([]float64, data.Rows())
	err = scorer.StagesInto(ctx, scores, data, 1, func(trees int) error {
		r, err := evaluator.EvalScores(ctx, scores, data)
		if err != nil {
			return err
		}
		fmt.Printf("%d: %.3f\n", trees, r.Metrics[0].Mean)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1: 0.808
	// 2: 0.921
	// 3: 0.913
}

// After early stopping has found the number of trees, the final model is trained on all data.
func ExampleTrainer_Retrain() {
	ctx := context.Background()
	data, _ := grown(ctx)
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.Leaves, trainer.EarlyStopping = 50, 4, 3
	trainer.Validation = []lambdamart.Validation{{Name: "valid", Data: data}}
	result, err := trainer.Fit(ctx, data)
	if err != nil {
		log.Fatal(err)
	}
	final, err := trainer.Retrain(ctx, result, rank.Concat(data, data))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Stop, result.Best, len(final.Model.Trees))
	// Output: early 7 7
}

// clickLoss is a custom objective: the squared error of the logarithm of a count, such as the
// number of clicks.
type clickLoss struct{}

func (clickLoss) String() string { return "clicks" }

// Begin returns an error with the file and the line of the row if a count is negative. Every
// document starts with the score 0.
func (c clickLoss) Begin(_ *lambdamart.Trainer, d *rank.Dataset) (lambdamart.QueryLoss, float64, error) {
	for i, y := range d.Labels {
		if y < 0 {
			return nil, 0, d.RowError(i, fmt.Errorf("%v clicks", y))
		}
	}
	return c, 0, nil
}

// Derivatives computes the derivatives of ½(s − ln(1+y))². Every loss must multiply them by the
// weights.
func (clickLoss) Derivatives(q lambdamart.Query, grad, hess []float32) {
	for i, y := range q.Labels {
		weight := q.Weight(i)
		grad[i] = float32((q.Scores[i] - math.Log1p(y)) * weight)
		hess[i] = float32(weight)
	}
}

// This example uses a custom objective, a custom metric for early stopping, and ends training
// early.
func ExampleObjective() {
	ctx := context.Background()
	data, _ := grown(ctx)
	var loss clickLoss
	trainer := lambdamart.DefaultTrainer()
	trainer.Objective = loss
	trainer.Trees, trainer.Leaves, trainer.LearningRate, trainer.EarlyStopping = 200, 4, .3, 10
	trainer.Validation = []lambdamart.Validation{{Name: "valid", Data: data}}
	trainer.CustomMetrics = []lambdamart.CustomMetric{{
		Name: "mean error", Lower: true,
		Value: func(scores []float64, d *rank.Dataset) (sum float64, err error) {
			for i, s := range scores {
				sum += math.Abs(s-math.Log1p(d.Labels[i])) / float64(len(scores))
			}
			return sum, nil
		},
	}}
	trainer.OnTree = func(sofar *lambdamart.Result) error {
		if sofar.Curves[0].Values[sofar.Grown-1] < .2 { // good enough
			return lambdamart.ErrStop
		}
		return nil
	}
	result, err := trainer.Fit(ctx, data)
	if err != nil {
		log.Fatal(err)
	}
	errors := result.Curves[0].Values
	fmt.Printf("%s after %d trees: %.2f, then %.2f\n", result.Stop, result.Grown, errors[0], errors[result.Grown-1])

	data.Labels[3] = -1
	_, err = trainer.Fit(ctx, data)
	fmt.Println(err)
	// Output:
	// progress after 6 trees: 0.45, then 0.19
	// lambdamart: objective clicks: line 4: -1 clicks
}
