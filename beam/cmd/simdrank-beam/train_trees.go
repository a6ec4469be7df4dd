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

// treeFlags are those of LambdaMART.
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
	flags.StringVar(&f.objective, "objective", "ndcg",
		"lambdamart: what the trees are grown on: ndcg, map, pairwise, xe-ndcg, listnet, yetirank, query-rmse, "+
			"binary, regression")
	flags.IntVar(&t.Leaves, "leaves", 0, "lambdamart: leaves of a tree at most (default as many as fit)")
	flags.IntVar(&t.Depth, "depth", 0, "lambdamart: splits from root to leaf at most (default 6 without --leaves)")
	flags.BoolVar(&t.DepthWise, "depth-wise", false, "lambdamart: grow trees level by level, which must be said")
	flags.BoolVar(&f.Retrain, "retrain", false, "lambdamart: train again on all data, with the best number of trees")
	flags.StringVar(&f.Start, "start", "", "lambdamart: model to go on from; its trees come first")
	flags.StringVar(&f.options.Checkpoint, "checkpoint", "",
		"lambdamart: file to keep the training in after every tree")
	flags.BoolVar(&f.options.Resume, "resume", false, "lambdamart: go on from --checkpoint, if that is there")
	f.Define(flags, t, "lambdamart: ", cli.BoostingFlags, cli.GrowingFlags, cli.SampleFlags, cli.FeatureFlags,
		cli.ObjectiveFlags)
	return f.train
}

// check returns wrong usage.
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
		return errors.New("--model lambdamart needs --depth-wise: a tree that grows leaf by leaf takes a pass for each split")
	case f.options.Resume && f.options.Checkpoint == "":
		return errors.New("--resume needs --checkpoint, a file to go on from")
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
		if checkValid == nil || job.Valid != nil { // which are read beside the training data
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
		return nil, fmt.Errorf("%s: nothing is learnt: no split leaves --min-rows %d documents and --min-hessian %g on both sides and lowers the loss",
			job.Data.Glob, max(o.MinRows, 1), o.MinHessian)
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
