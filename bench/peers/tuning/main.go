// Tuning compares the search of rank/tune with Optuna and LightGBM; see run.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/tune"
)

const folds = 5

// A setup contains the data and the budget of all searches.
type setup struct {
	folder, temp         string
	train, test          *rank.Dataset
	trials, trees, seeds int
}

func main() {
	quick := flag.Bool("quick", false, "run few and short searches")
	s := &setup{trials: 30, trees: 300, seeds: 5}
	flag.StringVar(&s.folder, "data", "/data/mq2008-fold1", "`folder` with train.txt.gz and test.txt.gz")
	flag.Parse()
	if *quick {
		s.trials, s.trees, s.seeds = 8, 60, 2
	}
	log.SetFlags(0)
	if err := s.run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func (s *setup) path(name string) string { return filepath.Join(s.folder, name) }

func (s *setup) run(ctx context.Context) (err error) {
	if s.train, err = data.Load(s.path("train.txt.gz"), data.Options{}); err != nil {
		return err
	}
	if s.test, err = data.Load(s.path("test.txt.gz"), data.Options{Columns: s.train.Cols}); err != nil {
		return err
	}
	if s.temp, err = os.MkdirTemp("", "tuning"); err != nil {
		return err
	}
	defer os.RemoveAll(s.temp)
	fmt.Printf("%d trials, %d trees at most, %d folds; NDCG@10 on the test queries (seconds on one thread)\n", s.trials, s.trees, folds)
	fmt.Println("seed  random          halving by 3    Optuna, LightGBM")
	searches := []func(ctx context.Context, seed int) ([]float64, error){
		func(ctx context.Context, seed int) ([]float64, error) { return s.search(ctx, seed, 0) },
		func(ctx context.Context, seed int) ([]float64, error) { return s.search(ctx, seed, 3) },
		s.optuna,
	}
	sums := make([]float64, len(searches))
	for seed := 1; seed <= s.seeds; seed++ {
		fmt.Printf("%4d", seed)
		for i, search := range searches {
			started := time.Now()
			scores, err := search(ctx, seed)
			if err != nil {
				return err
			}
			took := time.Since(started)
			e, err := rank.NewEvaluator("ndcg@10", rank.Options{})
			if err != nil {
				return err
			}
			r, err := e.EvalScores(ctx, scores, s.test)
			if err != nil {
				return err
			}
			sums[i] += r.Metrics[0].Mean
			fmt.Printf("  %.4f (%5.1f)", r.Metrics[0].Mean, took.Seconds())
		}
		fmt.Println()
	}
	fmt.Print("mean")
	for _, sum := range sums {
		fmt.Printf("  %.4f        ", sum/float64(s.seeds))
	}
	fmt.Println()
	return nil
}

// search returns the test scores of the model that a search of rank/tune finds.
func (s *setup) search(ctx context.Context, seed, halving int) ([]float64, error) {
	trainer := lambdamart.DefaultTrainer()
	trainer.Trees, trainer.EarlyStopping, trainer.Threads = s.trees, 20, 1
	study := &tune.Study{LambdaMART: trainer, Trials: s.trials, Folds: folds, Seed: uint64(seed), Halving: halving}
	r, err := study.Search(ctx, s.train)
	if err != nil {
		return nil, err
	}
	m, err := study.Fit(ctx, s.train, &r.Trials[r.Best])
	if err != nil {
		return nil, err
	}
	scores := make([]float64, s.test.Rows())
	return scores, m.ScoreInto(ctx, scores, s.test)
}

// optuna returns the test scores of the model that Optuna finds with LightGBM on the same folds.
func (s *setup) optuna(ctx context.Context, seed int) (scores []float64, err error) {
	of := make([]string, s.train.Queries())
	split, err := s.train.Folds(folds, uint64(seed))
	if err != nil {
		return nil, err
	}
	fold := 0
	for _, test := range split {
		for _, q := range test {
			of[q] = strconv.Itoa(fold)
		}
		fold++
	}
	list, out := filepath.Join(s.temp, "folds"), filepath.Join(s.temp, "scores")
	if err := os.WriteFile(list, []byte(strings.Join(of, "\n")), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, os.Getenv("PEERS_PYTHON"), "bench/peers/tuning/peer.py", s.path("train.txt.gz"),
		s.path("test.txt.gz"), list, out, strconv.Itoa(s.trials), strconv.Itoa(s.trees), strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	f, err := os.Open(out)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		v, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			return nil, err
		}
		scores = append(scores, v)
	}
	return scores, nil
}
