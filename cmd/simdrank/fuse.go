package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/fusion"
	"github.com/simdrank/simdrank/rank/trec"
)

func fuseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fuse [flags] run run...",
		Short: "Make one TREC run of several",
		Long: `Make one TREC run of several, by ranks (rrf, isr, borda) or by scores (combsum and
others), which --normalize makes comparable.

--weights are for rrf, combsum, combmnz and borda. --tune chooses those of a grid
with the best metric on judgments, and prints them to standard error. With -o and
without --tune the runs may be larger than RAM. Details and formulas are in
docs/reference.md.`,
		Example: `  simdrank fuse bm25.run dense.run -o fused.run
  simdrank fuse bm25.run dense.run.gz --method combsum --weights .3,.7 --depth 1000 -o fused.run.gz
  simdrank fuse bm25.run dense.run --method combsum --tune qrels.txt --metric map -o fused.run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("fuse takes two runs or more, not %d", len(args))
			}
			return nil
		},
	}
	var f fusion.Fuser
	var output, weights, judgments, metric, grid string
	flags := cmd.Flags()
	method := choiceFlag(cmd, "method", "how to combine", fusion.OptionWords("method")...)
	normalize := choiceFlag(cmd, "normalize", "how scores of a topic are made comparable",
		fusion.OptionWords("normalization")...)
	flags.StringVar(&weights, "weights", "", "`weights` of the runs, between commas (default 1 each)")
	flags.Float64Var(&f.K, "k", 60, "k of rrf")
	flags.IntVar(&f.Depth, "depth", 0, "write this many documents of a topic (default all)")
	flags.StringVar(&judgments, "tune", "", "`judgments` to tune the weights on")
	flags.StringVar(&metric, "metric", "ndcg@10", "metric to tune for, by trec_eval's policies")
	flags.StringVar(&grid, "grid", "0:1:.1", "weights to try, FROM:TO:STEP")
	flags.StringVar(&f.Name, "run-name", "", "`name` of the written run (default the method)")
	flags.StringVarP(&output, "output", "o", "-", "`file` for the run")
	cmd.MarkFlagsMutuallyExclusive("weights", "tune")
	cmd.RunE = func(cmd *cobra.Command, paths []string) (err error) {
		f.Method, f.Normalization = method.value, normalize.value
		given := flags.Changed
		switch {
		case given("normalize") && !f.UsesScores():
			return usagef("--normalize is of scores, and --method %v uses ranks alone", f.Method)
		case (given("weights") || given("tune")) && !f.UsesWeights():
			return usagef("--method %v has no weights", f.Method)
		case given("k") && f.Method != "rrf":
			return usagef("--k is of --method rrf, not of %v", f.Method)
		case !(f.K > 0) || math.IsInf(f.K, 1):
			return usagef("--k %v: want a positive number", f.K)
		case f.Depth < 0 || f.Depth == 0 && given("depth"):
			return usagef("--depth %d: want 1 or more", f.Depth)
		case !given("tune") && given("metric"):
			return usagef("--metric needs --tune, the judgments to tune weights on")
		case !given("tune") && given("grid"):
			return usagef("--grid needs --tune, the judgments to tune weights on")
		}
		if f.Method != "rrf" {
			f.K = 0
		}
		if given("run-name") {
			if err := text.CheckField(f.Name); err != nil {
				return usageError{errs.Wrap(err, "--run-name")}
			}
		}
		if given("weights") {
			if f.Weights, err = parseWeights(weights, len(paths)); err != nil {
				return err
			}
		}
		var tune *fuseTuning
		if given("tune") {
			if tune, err = newFuseTuning(judgments, metric, grid, len(paths)); err != nil {
				return err
			}
		}
		inputs := paths
		if tune != nil {
			inputs = append([]string{judgments}, paths...)
		}
		if err := checkFiles(output, inputs...); err != nil {
			return err
		}
		if tune != nil {
			if tune.qrels, err = readQrels(cmd, judgments, []rank.Metric{tune.metric}); err != nil {
				return err
			}
		}
		if tune == nil && output != "-" && !files.Special(output) && regular(paths...) {
			return fusePieces(cmd, &f, paths, output)
		}
		runs := make([]*trec.Run, len(paths))
		for i, path := range paths {
			if runs[i], err = readInput(cmd, path, trec.ReadRun); err != nil {
				return err
			}
		}
		if tune != nil {
			if err := tune.do(cmd, &f, runs, paths); err != nil {
				return err
			}
		}
		fusing := begin(cmd, fmt.Sprintf("fusing %d runs", len(runs)), "topics")
		defer fusing.end()
		f.Progress = fusing.at
		fused, err := f.Fuse(cmd.Context(), runs)
		fusing.end()
		if err != nil {
			return fuseError(err, paths)
		}
		if tune != nil {
			topics := newCoverage(tune.qrels)
			topics.add(fused)
			topics.warn(cmd, judgments, true, "")
		}
		return writeOutput(cmd, output, fused.Write)
	}
	return cmd
}

// fusePieces writes a file as it fuses some topics at a time: the runs may be larger than the
// memory. Where they have to be read whole after all, what was written is discarded.
func fusePieces(cmd *cobra.Command, f *fusion.Fuser, paths []string, output string) error {
	fusing := begin(cmd, fmt.Sprintf("fusing %d runs", len(paths)), "bytes")
	defer fusing.end()
	_, err := openRuns(cmd, fusing, paths, func(runs []iter.Seq2[*trec.Run, error]) (struct{}, error) {
		return struct{}{}, files.Save(output, func(w io.Writer) error {
			for fused, err := range f.FusePieces(cmd.Context(), runs) {
				if err == nil {
					err = fused.Write(w)
				}
				if err != nil {
					return err
				}
			}
			return cmd.Context().Err() // interrupted, it leaves what was there
		})
	})
	return fuseError(err, paths)
}

// parseWeights reads the weights of so many runs.
func parseWeights(list string, runs int) ([]float64, error) {
	var weights []float64
	for word := range strings.SplitSeq(list, ",") {
		w, err := text.ParseNumber(word, 64)
		if err != nil || w-w != 0 {
			return nil, usagef("--weights: %.40q is not a finite number", word)
		}
		weights = append(weights, w)
	}
	if len(weights) != runs {
		return nil, usagef("--weights: %s for %s", counted(len(weights), "weight"), counted(runs, "run"))
	}
	return weights, nil
}

// A fuseTuning is what --tune does.
type fuseTuning struct {
	path      string
	qrels     *trec.Qrels
	metric    rank.Metric
	evaluator *rank.Evaluator // of the metric
	grid      [][]float64
}

func newFuseTuning(path, metric, grid string, runs int) (*fuseTuning, error) {
	t := &fuseTuning{path: path}
	var err error
	if t.metric, err = rank.ParseMetric(metric); err != nil {
		return nil, usageError{errs.Wrap(err, "--metric")}
	}
	if t.evaluator, err = rank.NewEvaluator(metric, rank.Options{Preset: "trec_eval"}); err != nil {
		return nil, usageError{errs.Wrap(err, "--metric")}
	}
	if t.metric.NeedsReference() {
		return nil, usagef("--metric %v compares with another run, and --tune takes judgments", t.metric)
	}
	if t.grid, err = fusion.ParseGrid(grid, runs); err != nil {
		return nil, usagef("--%s", errs.Bare(err)) // which names the grid
	}
	return t, nil
}

// do sets the weights of f.
func (t *fuseTuning) do(cmd *cobra.Command, f *fusion.Fuser, runs []*trec.Run, paths []string) error {
	tuning := begin(cmd, "tuning weights", "combinations")
	defer tuning.end()
	f.Progress = tuning.at
	weights, mean, err := f.Tune(cmd.Context(), runs, t.qrels, t.evaluator, t.grid)
	tuning.end()
	if err != nil {
		label := errors.As(err, new(*rank.ParseError)) && !errors.As(err, new(*fusion.RunError))
		if label || errors.Is(err, fusion.ErrNoTopics) {
			return readError(t.path, err)
		}
		return fuseError(err, paths)
	}
	f.Weights = weights
	words := make([]string, len(weights))
	for i, w := range weights {
		words[i] = formatNumber(w)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "simdrank: --weights %s: %v %.4f on %s\n", strings.Join(words, ","), t.metric, mean,
		inputName(t.path))
	return nil
}

// fuseError completes an error about one of the runs by the name of its file.
func fuseError(err error, paths []string) error {
	if about := (*fusion.RunError)(nil); errors.As(err, &about) {
		return readError(paths[about.Run], about.Err)
	}
	return err
}
