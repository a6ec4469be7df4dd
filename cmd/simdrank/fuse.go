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
		Use:   "fuse run run…",
		Short: "Fuse several TREC runs into one",
		Long: `Fuse several TREC runs into one, by ranks (rrf, isr, borda) or by scores (the other
methods). --normalize makes the scores of different runs comparable.

--weights works with rrf, combsum, combmnz and borda. --tune finds weights on
judgments: it tries a grid, keeps the weights with the best metric, and prints them to
standard error. With -o and without --tune, the runs are streamed and may be larger
than RAM.

docs/reference/cli.md lists the formulas.`,
		Example: `  simdrank fuse bm25.run dense.run -o fused.run
  simdrank fuse bm25.run dense.run.gz --method combsum --weights 0.3,0.7 -o fused.run.gz
  simdrank fuse bm25.run dense.run --method combsum --tune qrels.txt --metric map -o fused.run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("fuse requires at least two runs (found %d)", len(args))
			}
			return nil
		},
	}
	var f fusion.Fuser
	var output, weights, judgments, metric, grid string
	flags := cmd.Flags()
	flags.SortFlags = false
	method := choiceFlag(cmd, "method", "fusion `method`", fusion.OptionWords("method")...)
	normalize := choiceFlag(cmd, "normalize", "score `normalization` per topic",
		fusion.OptionWords("normalization")...)
	flags.StringVar(&weights, "weights", "", "`list` of run weights, separated by commas (default: 1 each)")
	flags.Float64Var(&f.K, "k", 60, "constant k of rrf")
	flags.IntVar(&f.Depth, "depth", 0, "documents to write per topic (default: all)")
	flags.StringVar(&judgments, "tune", "", "TREC judgments `file` to tune the weights on")
	flags.StringVar(&metric, "metric", "ndcg@10", "`metric` to tune for, with trec_eval's conventions")
	flags.StringVar(&grid, "grid", "0:1:0.1", "`range` of weights to try, FROM:TO:STEP")
	flags.StringVar(&f.Name, "run-name", "", "`name` of the fused run (default: the method)")
	flags.StringVarP(&output, "output", "o", "-", "output `file` for the run")
	cmd.MarkFlagsMutuallyExclusive("weights", "tune")
	cmd.RunE = func(cmd *cobra.Command, paths []string) (err error) {
		f.Method, f.Normalization = method.value, normalize.value
		given := flags.Changed
		switch {
		case given("normalize") && !f.UsesScores():
			return usagef("--normalize has no effect with --method %v, which uses ranks", f.Method)
		case (given("weights") || given("tune")) && !f.UsesWeights():
			return usagef("--method %v does not support weights (supported: rrf, combsum, combmnz, borda)", f.Method)
		case given("k") && f.Method != "rrf":
			return usagef("--k requires --method rrf, not %v", f.Method)
		case !(f.K > 0) || math.IsInf(f.K, 1):
			return usagef("--k %v: must be finite and greater than 0", f.K)
		case f.Depth < 0 || f.Depth == 0 && given("depth"):
			return usagef("--depth %d: must be at least 1", f.Depth)
		case !given("tune") && given("metric"):
			return usagef("--metric requires --tune")
		case !given("tune") && given("grid"):
			return usagef("--grid requires --tune")
		}
		if f.Method != "rrf" {
			f.K = 0
		}
		if given("run-name") {
			if err := checkRunName(f.Name); err != nil {
				return err
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
		topics := make([]int, len(runs))
		for i, r := range runs {
			topics[i] = len(r.Topics())
		}
		warnLacking(cmd, paths, topics, len(fused.Topics()))
		if tune != nil {
			topics := newCoverage(tune.qrels.Topics())
			topics.add(fused)
			topics.warn(cmd, judgments, "count as empty results", "")
		}
		return writeOutput(cmd, output, fused.Write)
	}
	return cmd
}

// fusePieces fuses a few topics at a time and writes a file, so that the runs may be larger than
// RAM. If the runs cannot be streamed, it discards the output and starts again in memory.
func fusePieces(cmd *cobra.Command, f *fusion.Fuser, paths []string, output string) error {
	fusing := begin(cmd, fmt.Sprintf("fusing %d runs", len(paths)), "bytes")
	defer fusing.end()
	var topics []int
	var all int
	_, err := openRuns(cmd, fusing, paths, func(runs []iter.Seq2[*trec.Run, error]) (struct{}, error) {
		topics, all = make([]int, len(runs)), 0
		for i, run := range runs {
			runs[i] = seen(run, func(r *trec.Run) { topics[i] += len(r.Topics()) })
		}
		return struct{}{}, save(cmd, output, func(w io.Writer) error {
			for fused, err := range f.FusePieces(cmd.Context(), runs) {
				if err == nil {
					all += len(fused.Topics())
					err = fused.Write(w)
				}
				if err != nil {
					return err
				}
			}
			return cmd.Context().Err() // if interrupted, the old file stays
		})
	})
	if err != nil {
		return fuseError(err, paths)
	}
	warnLacking(cmd, paths, topics, all)
	return nil
}

// warnLacking warns about runs without results for some topics of the fused run. topics contains
// the number of topics of each run.
func warnLacking(cmd *cobra.Command, paths []string, topics []int, fused int) {
	for i, n := range topics {
		if n < fused {
			warn(cmd, "%s: %d of %d topics are missing and are fused from the other runs", inputName(paths[i]),
				fused-n, fused)
		}
	}
}

// parseWeights parses a weight for each run.
func parseWeights(list string, runs int) ([]float64, error) {
	var weights []float64
	for word := range strings.SplitSeq(list, ",") {
		w, err := text.ParseNumber(word, 64)
		if err != nil || w-w != 0 {
			return nil, usagef("--weights: %.40q must be a finite number", word)
		}
		weights = append(weights, w)
	}
	if len(weights) != runs {
		return nil, usagef("--weights has %s for %s: each run must have a weight", counted(len(weights), "weight"),
			counted(runs, "run"))
	}
	return weights, nil
}

// A fuseTuning tunes the weights for --tune.
type fuseTuning struct {
	path      string
	qrels     *trec.Qrels
	metric    rank.Metric
	evaluator *rank.Evaluator // computes the metric
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
		return nil, usagef("--metric %v compares two runs and cannot be combined with --tune", t.metric)
	}
	if t.grid, err = fusion.ParseGrid(grid, runs); err != nil {
		return nil, usagef("--%s", errs.Bare(err)) // the error names the grid
	}
	return t, nil
}

// do finds the weights and sets them in f.
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

// fuseError adds the name of the file to an error about a run.
func fuseError(err error, paths []string) error {
	if about := (*fusion.RunError)(nil); errors.As(err, &about) {
		return readError(paths[about.Run], about.Err)
	}
	return err
}
