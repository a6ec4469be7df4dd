package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// treeFlags holds the flags for LambdaMART.
type treeFlags struct {
	cli.TreesFlags
	trainer   lambdamart.Trainer
	options   rankbeam.TreesOptions
	objective string
	flags     *pflag.FlagSet
}

func newTreesTrainer(flags *pflag.FlagSet) trainer {
	f := &treeFlags{trainer: *lambdamart.DefaultTrainer(), flags: flags}
	t := &f.trainer
	define := func(title string, group cli.FlagGroup) {
		section(flags, "LambdaMART ("+title+")", func() { f.Define(flags, t, group) })
	}
	define("boosting", cli.BoostingFlags)
	section(flags, "LambdaMART (objective)", func() {
		flags.StringVar(&f.objective, "objective", "ndcg", "training `objective`")
	})
	accept(flags, "objective", lambdamart.OptionWords("objective")...)
	define("objective", cli.ObjectiveFlags)
	section(flags, "LambdaMART (tree size)", func() {
		flags.IntVar(&t.Leaves, "leaves", 0, "maximum leaves per tree (default: limited by --depth)")
		flags.IntVar(&t.Depth, "depth", 0, "maximum tree depth (default 6 without --leaves)")
		flags.BoolVar(&t.DepthWise, "depth-wise", false, "grow trees level by level (required)")
	})
	define("regularization and constraints", cli.GrowingFlags)
	define("sampling", cli.SampleFlags)
	define("features", cli.FeatureFlags)
	section(flags, "LambdaMART (resuming and files)", func() {
		flags.BoolVar(&f.Retrain, "retrain", false, "retrain on all data with the best number of trees")
		flags.StringVar(&f.Start, "start", "", "model `file` to continue from; its trees come first")
		flags.StringVar(&f.options.Checkpoint, "checkpoint", "", "`file` to save progress to after each tree")
		flags.BoolVar(&f.options.Resume, "resume", false, "resume from --checkpoint if it exists")
	})
	return f.train
}

// check returns an error about wrong usage.
func (f *treeFlags) check(valid bool) (err error) {
	t := &f.trainer
	if t.Objective, err = lambdamart.ParseObjective(f.objective); err != nil {
		return errs.Wrap(err, "--objective")
	}
	if err := f.Check(t, f.flags.Changed, valid); err != nil {
		return err
	}
	switch {
	case !t.DepthWise:
		return errors.New("--model lambdamart requires --depth-wise: leaf-wise growth would read the data once per split")
	case f.options.Resume && f.options.Checkpoint == "":
		return errors.New("--resume requires --checkpoint")
	}
	return nil
}

func (f *treeFlags) train(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error) {
	if err := f.check(t.valid != ""); err != nil {
		return nil, usageError{err}
	}
	o := &f.trainer
	if f.Start != "" {
		var err error
		read := func(r io.Reader) (*lambdamart.Model, error) { return model.Trees(model.Read(r)) }
		if o.Start, err = remote.Load(cmd.Context(), f.Start, read); err != nil {
			return nil, cli.FileError(f.Start, err)
		}
		if o.Start.UnknownZeros {
			o.Start.SetZeroMissing(o.ZeroMissing)
		}
		if err := f.CheckStart(o); err != nil {
			return nil, err
		}
	}
	first := 1
	if job.Data.ZeroBased {
		first = 0
	}
	if o.EarlyStopping > 0 || t.report {
		job.Valid = t.validData
	}
	checkValid := job.Settle
	job.Settle = func(cols int, names []string) error {
		if err := f.Settle(o, cli.Features{Names: names, Cols: cols, First: first}); err != nil {
			return usageError{err}
		}
		if checkValid == nil || job.Valid != nil { // they are read together with the training data
			return nil
		}
		return checkValid(cols, names)
	}
	if t.report && t.job.format != "json" {
		started := time.Now()
		o.OnTree = func(sofar *lambdamart.Result) error {
			line := fmt.Sprintf("tree %d", sofar.Grown)
			for _, c := range sofar.Curves {
				line += fmt.Sprintf("  %s %v %.4f", c.Set, c.Metric, c.Values[len(c.Values)-1])
			}
			fmt.Fprintf(t.out, "%s  %.2f s\n", line, time.Since(started).Seconds())
			return nil
		}
	}
	chosen, pass, err := job.TrainTrees(cmd.Context(), o, f.options)
	if err != nil {
		return nil, err
	}
	r.add(pass)
	fit := chosen
	if f.Retrain {
		if fit, pass, err = job.RetrainTrees(cmd.Context(), o, chosen); err != nil {
			return nil, err
		}
		r.add(pass)
	}
	for _, warning := range cli.Dropped(fit, o.Bins, first) {
		warn(cmd, warning)
	}
	if len(fit.Model.Trees) == 0 {
		return nil, errs.Wrap(cli.NoSplit(o), "%s", job.Data.Glob)
	}
	if f.Retrain {
		fit.Model.Settings["retrain"] = "true"
	}
	if job.Data.ZeroBased {
		fit.Model.Settings["zero_based"] = "true"
	}
	r.Trees = &treesResult{Boosting: cli.NewBoosting(o.Objective, chosen, fit.Model, f.Retrain)}
	if t.report {
		r.Trees.Curves = cli.NewCurves(chosen)
	}
	return fit.Model, nil
}

type treesResult struct {
	cli.Boosting
	Curves []cli.Curve `json:"curves,omitempty"`
}
