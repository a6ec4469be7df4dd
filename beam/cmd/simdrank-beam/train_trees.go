package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/align"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/named"
	"github.com/simdrank/simdrank/internal/summary"
	"github.com/simdrank/simdrank/internal/trainflags"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// treeFlags are those of LambdaMART.
type treeFlags struct {
	trainflags.Trees
	trees     rankbeam.Trees
	objective string
	flags     *pflag.FlagSet
}

func newTreesTrainer(flags *pflag.FlagSet) trainer {
	f := &treeFlags{flags: flags}
	t := &f.trees.Trainer
	flags.StringVar(&f.objective, "objective", "ndcg",
		"lambdamart: what the trees are grown on: ndcg, map, pairwise, xe-ndcg, listnet, yetirank, query-rmse, "+
			"binary, regression")
	flags.IntVar(&t.Trees, "trees", 100, "lambdamart: trees to grow")
	flags.Float64Var(&t.LearningRate, "learning-rate", 0.1, "lambdamart: share of each tree's step to take")
	flags.IntVar(&t.Leaves, "leaves", 0, "lambdamart: leaves of a tree at most (default as many as fit)")
	flags.IntVar(&t.Depth, "depth", 0, "lambdamart: splits from root to leaf at most (default 6 without --leaves)")
	flags.BoolVar(&t.DepthWise, "depth-wise", false, "lambdamart: grow trees level by level, which must be said")
	flags.IntVar(&t.EarlyStopping, "early-stopping", 0,
		"lambdamart: trees without a better metric on --valid to stop at")
	flags.BoolVar(&f.Retrain, "retrain", false, "lambdamart: train again on all data, with the best number of trees")
	flags.StringVar(&f.Start, "start", "", "lambdamart: model to go on from; its trees come first")
	flags.StringVar(&f.trees.Checkpoint, "checkpoint", "", "lambdamart: file to keep the training in after every tree")
	flags.BoolVar(&f.trees.Resume, "resume", false, "lambdamart: go on from --checkpoint, if that is there")
	flags.IntVar(&t.MinRows, "min-rows", 20, "lambdamart: documents of a leaf at least")
	flags.Float64Var(&t.MinHessian, "min-hessian", 0.001, "lambdamart: sum of Hessians of a leaf at least")
	flags.Float64Var(&t.MinGain, "min-gain", 0, "lambdamart: gain of a split at least (gamma)")
	flags.Float64Var(&t.L1, "l1", 0, "lambdamart: L1 penalty on the values of leaves")
	flags.Float64Var(&t.L2, "l2", 0, "lambdamart: L2 penalty on the values of leaves")
	flags.Float64Var(&t.QueryFraction, "query-fraction", 1, "lambdamart: share of the queries that a tree grows on")
	flags.Float64Var(&t.RowFraction, "row-fraction", 1, "lambdamart: share of their documents")
	flags.Float64Var(&t.FeatureFraction, "feature-fraction", 1,
		"lambdamart: share of the features that a tree looks at")
	flags.BoolVar(&t.ExtraTrees, "extra-trees", false, "lambdamart: try one random threshold of each feature")
	flags.Float64Var(&t.NodeFeatureFraction, "node-fraction", 1,
		"lambdamart: share of the features of the tree that a leaf may be split by")
	flags.StringVar(&f.Interactions, "interactions", "",
		"lambdamart: sets that a branch keeps to one of: 1-3;3,7,age")
	flags.Float64Var(&t.MaxDeltaStep, "max-delta-step", 0,
		"lambdamart: size of a leaf's value at most, 0 for any")
	flags.Float64Var(&t.PathSmooth, "path-smooth", 0,
		"lambdamart: draw values of small leaves to their parents'")
	flags.Uint64Var(&t.Seed, "seed", 0, "lambdamart: seed of what is drawn")
	flags.IntVar(&t.Bins, "bins", 255, "lambdamart: bins of a feature at most")
	flags.IntVar(&t.Truncation, "truncation", 30, "lambdamart: pairs with one of the first N, 0 for all")
	flags.IntVar(&t.MeanPairs, "mean-pairs", 0, "lambdamart: pairs drawn for each document, not by --truncation")
	flags.Float64Var(&t.Sigmoid, "sigmoid", 1, "lambdamart: slope of the logistic loss")
	flags.BoolVar(&t.NoNorm, "no-norm", false,
		"lambdamart: do not normalize by differences of scores and by query")
	flags.StringVar(&f.LabelGain, "label-gain", "",
		"lambdamart: gains of the labels 0, 1, 2, …, as in 0,1,3,7 (default 2^label-1)")
	flags.IntVar(&t.Permutations, "permutations", 10, "lambdamart: yetirank's random rankings of a query")
	flags.Float64Var(&t.Decay, "decay", 0.85, "lambdamart: yetirank's weight of rank k+1 to rank k")
	flags.StringVar(&f.Monotone, "monotone", "",
		"lambdamart: features not to lower (+) or raise (-) scores: 3+,age-")
	flags.StringVar(&f.Categorical, "categorical", "", "lambdamart: features whose values are categories: 1,5-7,color")
	flags.IntVar(&t.OneHot, "one-hot", 4, "lambdamart: categories up to which a split takes a single one")
	flags.Float64Var(&t.CategorySmooth, "cat-smooth", 10, "lambdamart: what is added to Hessians to order categories by")
	flags.Float64Var(&t.CategoryL2, "cat-l2", 10, "lambdamart: L2 penalty that splits of categories add")
	flags.IntVar(&t.CategoryRows, "cat-rows", 100, "lambdamart: documents by which sets of categories differ at least")
	flags.IntVar(&t.MaxCategories, "max-categories", 32, "lambdamart: categories of the smaller side at most")
	flags.BoolVar(&t.ZeroMissing, "zero-missing", false, "lambdamart: 0, and so a feature left out, is a missing value")
	return f.train
}

// check returns wrong usage.
func (f *treeFlags) check(valid bool) (err error) {
	t := &f.trees.Trainer
	if t.Objective, err = lambdamart.ParseObjective(f.objective); err != nil {
		return errs.Wrap(err, "--objective")
	}
	if err := f.Check(t, f.flags.Changed, valid); err != nil {
		return err
	}
	switch {
	case !t.DepthWise:
		return errors.New("--model lambdamart needs --depth-wise: a tree that grows leaf by leaf takes a pass for each split")
	case f.trees.Resume && f.trees.Checkpoint == "":
		return errors.New("--resume needs --checkpoint, a file to go on from")
	}
	f.Complete(t, f.flags.Changed)
	return nil
}

func (f *treeFlags) train(cmd *cobra.Command, t *training, job *rankbeam.Job, r *trainResult) (rank.Model, error) {
	if err := f.check(t.valid != ""); err != nil {
		return nil, usageError{err}
	}
	trees := &f.trees
	o := &trees.Trainer
	if f.Start != "" {
		var err error
		if o.Start, err = remote.Load(cmd.Context(), f.Start, lambdamart.Read); err != nil {
			return nil, named.Error(f.Start, err)
		}
		if o.Start.Zeros() == lambdamart.ZerosAreUnknown {
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
	trees.Retrain = f.Retrain
	trees.Settle = func(t *lambdamart.Trainer, cols int, names []string) error {
		if err := f.Settle(t, align.Features{Names: names, Cols: cols, First: first}); err != nil {
			return usageError{err}
		}
		return nil
	}
	if t.valid != "" && (o.EarlyStopping > 0 || t.report) {
		trees.Valid, trees.Metrics, trees.Options = t.validData(job), t.metrics.metrics, t.policies
	}
	trees.Passed = t.progress()
	if t.report && t.job.format != "json" {
		o.Progress = func(p lambdamart.Progress) error {
			line := fmt.Sprintf("tree %d", p.Trees)
			for _, c := range p.Curves {
				line += fmt.Sprintf("  %s %v %.4f", c.Set, c.Metric, c.Values[len(c.Values)-1])
			}
			fmt.Fprintf(t.out, "%s  %.2f s\n", line, p.Elapsed.Seconds())
			return nil
		}
	}
	fit, err := job.TrainTrees(cmd.Context(), trees)
	if err != nil {
		return nil, err
	}
	for _, c := range fit.Dropped {
		if c.Categories > 0 {
			warn(cmd, fmt.Sprintf("feature %d: %d categories of %d documents have no bin of their own (--bins %d): "+
				"every split sends them right", c.Feature+first, c.Categories, c.Rows, o.Bins))
		}
		if c.Negative > 0 {
			warn(cmd, fmt.Sprintf("feature %d: %d documents have a negative number, which is missing and no category",
				c.Feature+first, c.Negative))
		}
	}
	if len(fit.Model.Trees) == 0 {
		return nil, fmt.Errorf("nothing is learnt: no split leaves --min-rows %d documents and --min-hessian %g on both sides and lowers the loss",
			o.MinRows, max(o.MinHessian, 0))
	}
	if f.Retrain {
		fit.Model.Settings["retrain"] = "true"
	}
	if job.Data.ZeroBased {
		fit.Model.Settings["zero_based"] = "true"
	}
	r.Files, r.Documents, r.Queries, r.Features, r.Passes = fit.Files, fit.Rows, fit.Queries, fit.Cols, fit.Passes
	chosen := cmp.Or(fit.First, fit)
	r.Trees = &treesResult{Objective: o.Objective.String(), Trees: len(fit.Model.Trees),
		Leaves: summary.Leaves(fit.Model), Grown: chosen.Grown, Best: chosen.Best, Stop: string(chosen.Stop),
		Retrain: trees.Retrain}
	if t.report {
		for _, c := range chosen.Curves {
			r.Trees.Curves = append(r.Trees.Curves, curve{c.Set, c.Metric.String(), c.Values})
		}
	}
	return fit.Model, nil
}

type treesResult struct {
	Objective string  `json:"objective"`
	Trees     int     `json:"trees"`  // of the model, those of --start too
	Leaves    int     `json:"leaves"` // of all of them
	Grown     int     `json:"grown"`
	Best      int     `json:"best"` // trees of those that were kept
	Stop      string  `json:"stop"`
	Retrain   bool    `json:"retrain"`
	Curves    []curve `json:"curves,omitempty"`
}

// A curve is a metric after the first tree of the training, the second, …
type curve struct {
	Set    string    `json:"set"`
	Metric string    `json:"metric"`
	Values []float64 `json:"values"`
}

func (r *treesResult) text(w io.Writer) {
	again := ""
	if r.Retrain {
		again = ", again on all data"
	}
	fmt.Fprintf(w, "%s, %d trees with %d leaves; %d grown (%s)%s\n", r.Objective, r.Trees, r.Leaves, r.Grown, r.Stop,
		again)
}
