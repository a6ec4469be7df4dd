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

// treeFlags are the flags of train that say how LambdaMART is to be trained.
type treeFlags struct {
	cli.TreesFlags
	trainer      lambdamart.Trainer
	objective    *choice
	positionBias *choice
	first        int // number of the first feature of the data
}

func newTreeFlags(cmd *cobra.Command) *treeFlags {
	f := &treeFlags{trainer: *lambdamart.DefaultTrainer()}
	t, flags := &f.trainer, cmd.Flags()
	f.objective = objectiveFlags(cmd, t, &f.TreesFlags, "lambdamart: ")
	f.Define(flags, t, "lambdamart: ", cli.BoostingFlags, cli.DartFlags, cli.SizeFlags, cli.GrowingFlags,
		cli.SampleFlags, cli.FeatureFlags)
	f.positionBias = choiceFlag(cmd, "position-bias", "lambdamart: learn from clicks at known positions",
		lambdamart.OptionWords("position-bias")...)
	f.Define(flags, t, "lambdamart: ", cli.ClickFlags)
	return f
}

// objectiveFlags adds the objective and the flags that belong to it. Their usage begins with kind.
func objectiveFlags(cmd *cobra.Command, t *lambdamart.Trainer, f *cli.TreesFlags, kind string) *choice {
	objective := choiceFlag(cmd, "objective", kind+"what the trees are fitted to",
		lambdamart.OptionWords("objective")...)
	f.Define(cmd.Flags(), t, kind, cli.ObjectiveFlags)
	return objective
}

// check returns errors of usage that no single flag can tell.
func (f *treeFlags) check(cmd *cobra.Command, valid bool) (err error) {
	if f.trainer.Objective, err = lambdamart.ParseObjective(f.objective.value); err != nil {
		return err
	}
	if err := f.Check(&f.trainer, cmd.Flags().Changed, valid); err != nil {
		return usageError{err}
	}
	if f.Retrain && cmd.Flags().Changed("weights") {
		return flagUsage("retrain", " and --weights exclude each other: the queries of --valid have no weights")
	}
	for _, name := range []string{"drop-rate", "skip-drop", "max-drop", "uniform-drop", "xgboost-dart"} {
		if cmd.Flags().Changed(name) && !f.trainer.Dart {
			return flagUsage(name, " needs --dart")
		}
	}
	switch bias := f.positionBias.value; {
	case cmd.Flags().Changed("position-l2") && bias != "additive":
		return flagUsage("position-l2", " needs --position-bias additive")
	case cmd.Flags().Changed("position-norm") && bias != "pairwise":
		return flagUsage("position-norm", " needs --position-bias pairwise")
	case bias == "pairwise" && f.trainer.MeanPairs > 0:
		return flagUsage("mean-pairs", " and --position-bias pairwise exclude each other: the bias takes the pairs of --truncation")
	}
	return nil
}

// set makes the trainer ready for data, whose first feature has the given number.
func (f *treeFlags) set(cmd *cobra.Command, d *rank.Dataset, first int) (err error) {
	t := &f.trainer
	f.first = first
	t.PositionBias = f.positionBias.value
	if t.DepthWise && !cmd.Flags().Changed("leaves") {
		t.Leaves = 0 // as many as --depth lets
	}
	if err := f.Settle(t, cli.Features{Names: d.Names, Cols: d.Cols, First: first}); err != nil {
		return usageError{err}
	}
	return nil
}

// goOn returns the data with the columns of the model of --start, if there is one.
func (f *treeFlags) goOn(cmd *cobra.Command, d *rank.Dataset, path string) (_ *rank.Dataset, err error) {
	if f.Start == "" {
		return d, nil
	}
	t := &f.trainer
	if warning := countedFromZero(cmd, t.Start, f.Start, d, path); warning != "" { // it would learn what is wrong
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

// fitTrees trains LambdaMART and enters into r how that went.
func (t *training) fitTrees(cmd *cobra.Command, d, valid *rank.Dataset, e *rank.Evaluator, r *trainResult,
	out io.Writer) (*lambdamart.Model, error) {
	trainer := t.trees.trainer
	trainer.Threads = t.svm.Threads
	if t.trees.Retrain && trainer.PositionBias != "none" && valid.Positions == nil {
		return nil, fmt.Errorf("with --position-bias --retrain needs positions in %s, too", inputName(t.valid))
	}
	watched := valid != nil && (trainer.EarlyStopping > 0 || t.curves() || measurable(cmd, e, valid))
	if watched {
		trainer.Validation = append(trainer.Validation, lambdamart.Validation{Name: "valid", Data: valid, Evaluator: e})
	}
	if t.curves() || t.format.value == "json" && measurable(cmd, e, d) {
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
		return nil, &keptError{err, fmt.Sprintf("%s keeps %s, from which the same command goes on", trainer.Checkpoint,
			counted(f.Grown, "tree"))}
	case err != nil:
		return nil, err
	}
	if trainer.BinsFile != "" && f.BinBytes > 0 {
		warn(cmd, "%s: features that few documents list are in no --bins-file: their bins take %.1f MB of memory",
			inputName(t.data.path), float64(f.BinBytes)/1e6)
	}
	for _, warning := range cli.Dropped(f, trainer.Bins, t.trees.first) {
		warn(cmd, "%s", warning)
	}
	if !watched { // the data that trees are trained on do not tell which number of them is best
		f.Best, f.Model.Best = f.Grown, 0
	}
	if len(f.Model.Trees) == 0 {
		if !distinctLabels(d) {
			return nil, errors.New("nothing is learnt: no query has documents with different labels")
		}
		for _, weights := range [][]float64{d.Weights, d.QueryWeights} {
			if weights != nil && slices.Max(weights) == 0 {
				return nil, errors.New("nothing is learnt: all weights are 0")
			}
		}
		return nil, fmt.Errorf("nothing is learnt: no split leaves --min-rows %d documents and --min-hessian %g on both sides and lowers the loss",
			max(t.trees.trainer.MinRows, 1), t.trees.trainer.MinHessian)
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

// measurable reports whether d has values of all metrics, whatever the scores.
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
	BinBytes   int64       `json:"bin_bytes"`   // memory of the features in bins
	TrainBytes int64       `json:"train_bytes"` // of the whole training
	Curves     []cli.Curve `json:"curves,omitempty"`

	Positions *positionFactors `json:"positions,omitempty"`
}

// A treeLine is a line of --verbose, and of the progress on a terminal.
type treeLine struct {
	*lambdamart.Result
	of   int
	took time.Duration // since the training began
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
		fmt.Fprintf(w, "memory: %.1f MB of bins, %.1f MB in all\n", float64(r.BinBytes)/1e6, float64(r.TrainBytes)/1e6)
	}
}
