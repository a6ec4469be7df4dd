// Command quality compares the ranking quality of LambdaMART's objectives and settings on several
// sets, and compares them with XGBoost, LightGBM and CatBoost. All of them train 100 trees of 31
// leaves with the learning rate 0.1 on one thread, and otherwise use their defaults.
//
//	bench/peers/quality/run -o FILE       appends missing trainings to FILE, and prints the table
//	bench/peers/quality/run -o FILE -n 9  ends after 9 trainings
//
// Real data comes from $SIMDRANK_DATA or ../shared/data; sets that do not exist there are skipped.
// The table contains means of NDCG@10 over the test queries of all seeds or folds, and bootstrap
// intervals of the differences from the objective ndcg. Times are relative to this objective.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

const (
	seeds        = 5
	trees        = 100
	leaves       = 31
	learningRate = 0.1
)

func main() {
	path := flag.String("o", "", "`FILE` of results")
	most := flag.Int("n", math.MaxInt, "end after `N` trainings")
	flag.Parse()
	ctx := cli.Context()
	if err := run(ctx, *path, *most); err != nil {
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(cli.ExitCode(ctx, 1))
	}
}

// A result is a line of the result file: one training.
type result struct {
	Set     string    `json:"set"`
	System  string    `json:"system"`
	Seed    uint64    `json:"seed"`
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"` // NDCG@10 of each test query, rounded to 1e-4
}

type key struct {
	set, system string
	seed        uint64
}

func run(ctx context.Context, path string, most int) error {
	if path == "" {
		return errors.New("-o is required")
	}
	results, err := read(path)
	if err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	evaluator, err := rank.NewEvaluator("ndcg@10", rank.Options{Empty: "one"})
	if err != nil {
		return err
	}
	for seed := range uint64(seeds) {
		for _, s := range sets() {
			for _, y := range systems() {
				k := key{s.name, y.name, seed}
				if _, done := results[k]; done || most == 0 {
					continue
				}
				train, test := s.load(seed)
				if train == nil {
					continue // the data does not exist
				}
				scores, seconds, err := y.scores(ctx, train, test, seed)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", s.name, y.name, err)
				}
				r, err := evaluator.EvalScores(ctx, scores, test)
				if err != nil {
					return err
				}
				values := r.Metrics[0].Values
				for i, v := range values {
					values[i] = math.Round(v*1e4) / 1e4
				}
				results[k] = result{s.name, y.name, seed, math.Round(seconds*1e3) / 1e3, values}
				if err := json.NewEncoder(out).Encode(results[k]); err != nil {
					return err
				}
				most--
			}
		}
	}
	return table(ctx, os.Stdout, results)
}

// read reads a result file, which may not exist yet.
func read(path string) (map[key]result, error) {
	results := map[key]result{}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return results, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for in, line := json.NewDecoder(f), 1; ; line++ {
		var r result
		if err := in.Decode(&r); errors.Is(err, io.EOF) {
			return results, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		results[key{r.Set, r.System, r.Seed}] = r
	}
}

// ours returns a system that trains with an option of simdrank.
func ours(name string, set func(t *lambdamart.Trainer)) system {
	return system{name, func(ctx context.Context, train, test *rank.Dataset, seed uint64) ([]float64, float64, error) {
		t := lambdamart.DefaultTrainer()
		t.Trees, t.Leaves, t.LearningRate, t.Seed, t.Threads = trees, leaves, learningRate, seed+1, 1
		set(t)
		start := time.Now()
		r, err := t.Fit(ctx, train)
		if err != nil {
			return nil, 0, err
		}
		seconds := time.Since(start).Seconds()
		scores := make([]float64, test.Rows())
		return scores, seconds, r.Model.ScoreInto(ctx, scores, test)
	}}
}
