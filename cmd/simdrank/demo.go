package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/letor"
)

// demoMetrics are the columns of the demo's table.
const demoMetrics = "ndcg@10,map,tau-b,pair-accuracy"

func demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Train and compare rankers on data made up on the spot",
		Long: `Make a small LETOR-like dataset, train on one part of it and compare rankers on
another: random scores, ridge regression of the labels, and RankSVM. With --write
the data are left behind, to try the other commands on; a new folder appears with
both files or not at all.`,
		Example: `  simdrank demo
  simdrank demo --write . && simdrank train -d train.txt --c 0.01 -o model.json`,
		Args: noArguments,
	}
	var seed uint64
	var dir string
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the data")
	cmd.Flags().StringVar(&dir, "write", "", "folder to write train.txt and test.txt to; made if it is not there")
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		config := synth.Config{Seed: seed, Rows: 20_000, Cols: 46, MaxDocs: 100}
		train := config.Dataset()
		config.Part, config.Rows = 1, 10_000
		test := config.Dataset()
		if dir != "" {
			if err := files.SaveFolder(dir, func(dir string) error {
				return writeDemo(cmd, dir, train,
					test)
			}); err != nil {
				return err
			}
		}
		r, err := demo(cmd.Context(), seed, train, test)
		if err != nil {
			return err
		}
		return printResult(cmd.OutOrStdout(), format, r)
	}
	return cmd
}

// writeDemo writes the data into a folder.
func writeDemo(cmd *cobra.Command, dir string, train, test *rank.Dataset) error {
	for name, d := range map[string]*rank.Dataset{"train.txt": train, "test.txt": test} {
		if err := writeOutput(cmd, filepath.Join(dir, name),
			func(w io.Writer) error { return letor.Write(w, d) }); err != nil {
			return err
		}
	}
	return nil
}

type demoResult struct {
	Seed    uint64       `json:"seed"`
	Train   demoData     `json:"train"`
	Test    demoData     `json:"test"`
	Rankers []demoRanker `json:"rankers"`
}

type demoData struct {
	Documents int `json:"documents"`
	Queries   int `json:"queries"`
	Features  int `json:"features"`
}

type demoRanker struct {
	Name    string        `json:"name"`
	Seconds float64       `json:"seconds"` // of the training
	Metrics *rank.Results `json:"metrics"` // on the test set
}

// demo trains rankers on one dataset and measures them on another.
func demo(ctx context.Context, seed uint64, train, test *rank.Dataset) (*demoResult, error) {
	evaluator, err := rank.NewEvaluator(rank.MustParseMetrics(demoMetrics))
	if err != nil {
		return nil, err
	}
	r := &demoResult{
		Seed:  seed,
		Train: demoData{train.Rows(), train.Queries(), train.Cols},
		Test:  demoData{test.Rows(), test.Queries(), test.Cols},
	}
	for _, ranker := range []struct {
		name string
		fit  func(context.Context, *rank.Dataset) (*rank.Linear, error)
	}{
		{"random", nil},
		{"ridge", (&rank.Ridge{}).Fit},
		{"RankSVM", (&rank.RankSVM{C: 0.01}).Fit},
	} {
		scores := make([]float64, test.Rows())
		started := time.Now()
		var seconds float64
		if ranker.fit == nil {
			random := rand.New(rand.NewPCG(seed, 1<<32))
			for i := range scores {
				scores[i] = random.Float64()
			}
		} else {
			m, err := ranker.fit(ctx, train)
			if err != nil {
				return nil, err
			}
			seconds = time.Since(started).Seconds()
			if err := m.ScoreInto(ctx, scores, test); err != nil {
				return nil, err
			}
		}
		results, err := evaluator.EvalScores(ctx, scores, test)
		if err != nil {
			return nil, err
		}
		r.Rankers = append(r.Rankers, demoRanker{ranker.name, seconds, results})
	}
	return r, nil
}

func (r *demoResult) text(w io.Writer) error {
	for _, part := range []struct {
		name string
		data demoData
	}{{"Training set:", r.Train}, {"Test set:    ", r.Test}} {
		fmt.Fprintf(w, "%s %d documents of %d queries, %d features, labels 0 to 4\n", part.name,
			part.data.Documents, part.data.Queries, part.data.Features)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "ranker\t")
	for _, m := range r.Rankers[0].Metrics.Metrics {
		fmt.Fprintf(t, "%v\t", m.Metric)
	}
	fmt.Fprint(t, "trained in\t\n")
	for _, ranker := range r.Rankers {
		fmt.Fprintf(t, "%s\t", ranker.Name)
		for _, m := range ranker.Metrics.Metrics {
			fmt.Fprintf(t, "%.4f\t", m.Mean)
		}
		if ranker.Seconds == 0 {
			fmt.Fprint(t, "-\t\n")
		} else {
			fmt.Fprintf(t, "%.3f s\t\n", ranker.Seconds)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, `
The metrics are means over the queries, and higher is better: random order has a tau-b of 0
and orders half of the pairs of a query rightly, a pair accuracy of 0.5.
Ridge fits the labels as numbers and so spends its weights on what differs between
queries; RankSVM learns from pairs within a query, which is what rankings are made of.
`)
	return err
}
