package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// treeFlags holds the flags for LambdaMART.
type treeFlags struct {
	cli.TreesFlags
	trainer      lambdamart.Trainer
	objective    *choice
	positionBias *choice
	first        int // number of the first feature of the data
}

func newTreeFlags(cmd *cobra.Command) *treeFlags {
	f := &treeFlags{trainer: *lambdamart.DefaultTrainer()}
	t := &f.trainer
	f.define(cmd, "LambdaMART (boosting)", cli.BoostingFlags)
	section(cmd, "LambdaMART (objective)", func() {
		forRankers(cmd, func() { f.objective = objectiveFlags(cmd, t, &f.TreesFlags) }, "lambdamart")
	})
	f.define(cmd, "LambdaMART (tree size)", cli.SizeFlags)
	f.define(cmd, "LambdaMART (regularization and constraints)", cli.GrowingFlags)
	f.define(cmd, "LambdaMART (sampling)", cli.SampleFlags)
	f.define(cmd, "LambdaMART (features)", cli.FeatureFlags)
	f.define(cmd, "LambdaMART (DART)", cli.DartFlags)
	section(cmd, "LambdaMART (clicks)", func() {
		forRankers(cmd, func() {
			f.positionBias = choiceFlag(cmd, "position-bias", "position-bias `correction` for click labels",
				lambdamart.OptionWords("position-bias")...)
		}, "lambdamart")
	})
	f.define(cmd, "LambdaMART (clicks)", cli.ClickFlags)
	return f
}

// define adds a group of flags as a section of the help.
func (f *treeFlags) define(cmd *cobra.Command, title string, group cli.FlagGroup) {
	section(cmd, title, func() {
		forRankers(cmd, func() { f.Define(cmd.Flags(), &f.trainer, group) }, "lambdamart")
	})
}

// objectiveFlags adds the flags for the objective and its parameters.
func objectiveFlags(cmd *cobra.Command, t *lambdamart.Trainer, f *cli.TreesFlags) *choice {
	objective := choiceFlag(cmd, "objective", "training `objective`", lambdamart.OptionWords("objective")...)
	f.Define(cmd.Flags(), t, cli.ObjectiveFlags)
	return objective
}

// check returns errors about combinations of flags.
func (f *treeFlags) check(cmd *cobra.Command, valid bool) (err error) {
	if f.trainer.Objective, err = lambdamart.ParseObjective(f.objective.value); err != nil {
		return err
	}
	if err := f.Check(&f.trainer, cmd.Flags().Changed, valid); err != nil {
		return usageError{err}
	}
	if f.Retrain && cmd.Flags().Changed("weights") {
		return flagUsage("retrain", " cannot be combined with --weights: the queries of --valid have no weights")
	}
	for _, name := range []string{"drop-rate", "skip-drop", "max-drop", "uniform-drop", "xgboost-dart"} {
		if cmd.Flags().Changed(name) && !f.trainer.Dart {
			return flagUsage(name, " requires --dart")
		}
	}
	switch bias := f.positionBias.value; {
	case cmd.Flags().Changed("position-l2") && bias != "additive":
		return flagUsage("position-l2", " requires --position-bias additive")
	case cmd.Flags().Changed("position-norm") && bias != "pairwise":
		return flagUsage("position-norm", " requires --position-bias pairwise")
	case bias == "pairwise" && f.trainer.MeanPairs > 0:
		return flagUsage("mean-pairs", " cannot be combined with --position-bias pairwise, which uses the pairs of --truncation")
	}
	return nil
}

// set prepares the trainer for data whose first feature has the given number.
func (f *treeFlags) set(cmd *cobra.Command, d *rank.Dataset, first int) (err error) {
	t := &f.trainer
	f.first = first
	t.PositionBias = f.positionBias.value
	if t.DepthWise && !cmd.Flags().Changed("leaves") {
		t.Leaves = 0 // only --depth limits them
	}
	if err := f.Settle(t, cli.Features{Names: d.Names, Cols: d.Cols, First: first}); err != nil {
		return usageError{err}
	}
	return nil
}

// alignStart returns the data with the columns of the model of --start, if there is one.
func (f *treeFlags) alignStart(cmd *cobra.Command, d *rank.Dataset, path string) (_ *rank.Dataset, err error) {
	if f.Start == "" {
		return d, nil
	}
	t := &f.trainer
	if warning := countedFromZero(cmd, t.Start, f.Start, d, path); warning != "" { // the model would be wrong
		return nil, errors.New(warning)
	}
	if d, err = toColumns(cmd, t.Start, f.Start, d, path); err != nil {
		return nil, err
	}
	if t.Start.UnknownZeros {
		warn(cmd, "%s", setZeros(cmd, t.Start, f.Start, d, path))
	} else if err := f.CheckStart(t); err != nil {
		return nil, err
	}
	return d.WithColumns(t.Start.NumFeatures), nil
}

// fitTrees trains LambdaMART and fills r.
func (t *training) fitTrees(cmd *cobra.Command, d, valid *rank.Dataset, e *rank.Evaluator, r *trainResult,
	out io.Writer) (*lambdamart.Model, error) {
	trainer := t.trees.trainer
	trainer.Threads = t.svm.Threads
	if t.trees.Retrain && trainer.PositionBias != "none" && valid.Positions == nil {
		return nil, fmt.Errorf("--retrain with --position-bias also requires positions in %s", inputName(t.valid))
	}
	watched := valid != nil && (trainer.EarlyStopping > 0 || t.curves() || measurable(cmd, e, valid))
	if watched {
		trainer.Validation = append(trainer.Validation, lambdamart.Validation{Name: "valid", Data: valid, Evaluator: e})
	}
	if (t.curves() && d.Pairs == nil) || t.format.value == "json" && measurable(cmd, e, d) {
		trainer.Validation = append(trainer.Validation, lambdamart.Validation{Name: "train", Data: d, Evaluator: e})
	}
	progress := begin(cmd, "training LambdaMART", "trees")
	defer progress.end()
	grown := func(of int) func(*lambdamart.Result) error {
		started := time.Now()
		return func(sofar *lambdamart.Result) error {
			l := treeLine{sofar, of, time.Since(started)}
			if t.verbose && t.format.value != "json" {
				fmt.Fprintln(out, l)
			} else {
				progress.at(int64(sofar.Grown), int64(of))
				progress.say(strings.Join(l.measured(), ", "))
			}
			return nil
		}
	}
	trainer.OnTree = grown(trainer.Trees)
	f, err := trainer.Fit(cmd.Context(), d)
	switch {
	case err != nil && f != nil && f.Grown > 0 && trainer.Checkpoint != "":
		return nil, &keptError{err, fmt.Sprintf("%s contains %s: run the same command again to resume",
			trainer.Checkpoint, counted(f.Grown, "tree"))}
	case err != nil:
		return nil, err
	}
	if trainer.BinsFile != "" && f.BinBytes > 0 {
		warn(cmd, "%s: --bins-file does not hold sparse features: their bins use %.1f MB of memory",
			inputName(t.data.path), float64(f.BinBytes)/1e6)
	}
	for _, warning := range cli.Dropped(f, trainer.Bins, t.trees.first) {
		warn(cmd, "%s", warning)
	}
	if !watched { // training data do not show which number of trees is best
		f.Best, f.Model.Best = f.Grown, 0
	}
	if len(f.Model.Trees) == 0 {
		if d.Pairs == nil && !distinctLabels(d) {
			return nil, errors.New("cannot train: no query has documents with different labels")
		}
		for _, weights := range [][]float64{d.Weights, d.QueryWeights} {
			if weights != nil && slices.Max(weights) == 0 {
				return nil, errors.New("cannot train: all weights are 0")
			}
		}
		return nil, cli.NoSplit(&t.trees.trainer)
	}
	r.Trees = &treesResult{BinBytes: f.BinBytes, TrainBytes: f.TrainBytes, Curves: cli.NewCurves(f)}
	t.page.grown(f, e)
	m, chosen := f.Model, f
	if t.trees.Retrain {
		if r.Valid, err = t.measure(cmd, m, valid, e); err != nil {
			return nil, err
		}
		t.page.before = m
		trainer.OnTree = grown(f.Best)
		if f, err = trainer.Retrain(cmd.Context(), f, rank.Concat(d, valid)); err != nil {
			return nil, err
		}
		m = f.Model
	}
	r.Trees.Boosting = cli.NewBoosting(trainer.Objective, chosen, m, t.trees.Retrain)
	r.Trees.Positions = newPositionFactors(m)
	return m, nil
}

// measurable reports whether all metrics are defined on d, independently of the scores.
func measurable(cmd *cobra.Command, e *rank.Evaluator, d *rank.Dataset) bool {
	r, err := e.EvalScores(cmd.Context(), make([]float64, d.Rows()), d)
	return err == nil && !slices.ContainsFunc(r.Metrics, func(m rank.MetricResult) bool { return math.IsNaN(m.Mean) })
}

// distinctLabels reports whether a query has documents with different labels.
func distinctLabels(d *rank.Dataset) bool {
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		for _, y := range d.Labels[lo:hi] {
			if y != d.Labels[lo] {
				return true
			}
		}
	}
	return false
}

type treesResult struct {
	cli.Boosting
	BinBytes   int64       `json:"bin_bytes"`   // memory for binned features
	TrainBytes int64       `json:"train_bytes"` // memory for the whole training
	Curves     []cli.Curve `json:"curves,omitempty"`

	Positions *positionFactors `json:"positions,omitempty"`
}

// A treeLine is printed with --verbose, and shown as progress on a terminal.
type treeLine struct {
	*lambdamart.Result
	of   int
	took time.Duration // time since the training began
}

func (l treeLine) String() string {
	return strings.Join(slices.Concat([]string{fmt.Sprintf("tree %d of %d", l.Grown, l.of)}, l.measured(),
		[]string{fmt.Sprintf("%.2f s", l.took.Seconds())}), "  ")
}

// measured returns the metrics after the last tree.
func (l treeLine) measured() (metrics []string) {
	for _, c := range l.Curves {
		metrics = append(metrics, fmt.Sprintf("%s %v %.4f", c.Set, c.Metric, c.Values[len(c.Values)-1]))
	}
	return metrics
}

func (r *treesResult) text(w io.Writer, verbose bool) {
	r.Text(w)
	r.Positions.text(w)
	if verbose {
		fmt.Fprintf(w, "memory: %.1f MB for bins, %.1f MB in total\n", float64(r.BinBytes)/1e6,
			float64(r.TrainBytes)/1e6)
	}
}
