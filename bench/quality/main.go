// Command quality prints the table of objectives in docs/explanation/benchmarks.md. For each
// objective of LambdaMART, the table shows the NDCG@10 on the test part of MQ2008 Fold1 as a mean
// over seeds, and the difference from the objective ndcg with a 95% interval over the queries. The
// validation part chooses the number of trees.
//
// Like the tests, it reads the data from $SIMDRANK_DATA or ../shared/data.
package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

const seeds = 5

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var sets [3]*rank.Dataset
	for i, name := range []string{"train", "vali", "test"} {
		var err error
		dir := cmp.Or(os.Getenv("SIMDRANK_DATA"), "../shared/data")
		if sets[i], err = data.Load(filepath.Join(dir, "mq2008-fold1", name+".txt.gz"), data.Options{}); err != nil {
			return err
		}
	}
	evaluator, err := rank.NewEvaluator("ndcg@10", rank.Options{Empty: "one"})
	if err != nil {
		return err
	}
	var systems []compare.System
	var ranges [][2]float64
	for o := lambdamart.NDCG; o <= lambdamart.Regression; o++ {
		var all *rank.Results // for each query, the mean over seeds
		var values []float64
		low, high := math.Inf(1), math.Inf(-1)
		for seed := range uint64(seeds) {
			r, err := fit(ctx, o, seed, sets, evaluator)
			if err != nil {
				return fmt.Errorf("%v: %w", o, err)
			}
			low, high = min(low, r.Metrics[0].Mean), max(high, r.Metrics[0].Mean)
			if all = r; values == nil {
				values = make([]float64, len(r.QueryIDs))
			}
			for q, v := range r.Metrics[0].Values {
				values[q] += v / seeds
			}
		}
		all.Metrics[0].Values = values
		systems = append(systems, compare.System{Name: o.String(), Results: all})
		ranges = append(ranges, [2]float64{low, high})
	}
	table, err := compare.Compare(ctx, systems, compare.Options{})
	if err != nil {
		return err
	}
	fmt.Println("| objective | NDCG@10 | of single seeds | against `ndcg` | 95 % interval | p |\n|---|---|---|---|---|---|")
	for i, row := range table.Systems {
		c := row.Metrics[0]
		fmt.Printf("| `%s` | %.4f | %.4f–%.4f |", row.Name, c.Mean, ranges[i][0], ranges[i][1])
		if i > 0 {
			d := c.Differences[0]
			fmt.Printf(" %+.4f | %+.4f to %+.4f | %.2g |\n", d.Mean, d.Low, d.High, d.P)
		} else {
			fmt.Println(" | | |")
		}
	}
	return nil
}

// fit trains with an objective and a seed, and evaluates the best iteration on the test set.
func fit(ctx context.Context, o lambdamart.Objective, seed uint64, sets [3]*rank.Dataset, e *rank.Evaluator) (
	*rank.Results, error) {
	trainer := lambdamart.DefaultTrainer()
	trainer.Objective, trainer.Seed = o, seed
	trainer.Trees, trainer.Leaves, trainer.LearningRate, trainer.EarlyStopping = 500, 15, .05, 60
	trainer.QueryFraction, trainer.FeatureFraction = .8, .7
	trainer.Validation = []lambdamart.Validation{{Name: "valid", Data: sets[1], Evaluator: e}}
	r, err := trainer.Fit(ctx, sets[0])
	if err != nil {
		return nil, err
	}
	return rank.Evaluate(ctx, r.Model, sets[2], e.String(), e.Options())
}
