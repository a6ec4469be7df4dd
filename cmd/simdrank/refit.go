package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

func refitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "refit -m model -d data -o output",
		Short: "Fit the leaves of a model of trees to other data",
		Long: `Fit the leaves of a model of trees to other data, as LightGBM's task refit does: all
splits stay, and leaves get new values, one tree after the other. The new value of a
leaf is --refit-decay times the old one, and for the rest what --learning-rate of a
tree that is grown on these data would give it.

--objective and the other flags are those of train, and want the values that the
model was trained with. A model that --objective binary has trained wants it here, and
keeps its sigmoid. (To train once more on all data is train --retrain.)`,
		Example: `  simdrank refit -m trees.json -d newer.txt -o trees2.json
  simdrank refit -m lightgbm.txt -d newer.txt --refit-decay 0.5 -o trees2.json`,
		Args: noArguments,
	}
	var path, output string
	var decay float64
	t := lambdamart.DefaultTrainer()
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&path, "model", "m", "", "model to refit")
	data := newDataFlags(cmd)
	flags.StringVarP(&output, "output", "o", "", "file for the new model")
	flags.Float64Var(&decay, "refit-decay", 0.9, "share of its old value that a leaf keeps, from 0 to 1")
	var rest cli.TreesFlags
	objective := objectiveFlags(cmd, t, &rest, "")
	flags.Float64Var(&t.LearningRate, "learning-rate", t.LearningRate, "that of the model's training")
	flags.Float64Var(&t.L1, "l1", 0, "L1 penalty on the values of leaves")
	flags.Float64Var(&t.L2, "l2", 0, "L2 penalty on the values of leaves")
	flags.Float64Var(&t.MaxDeltaStep, "max-delta-step", 0,
		"size of a leaf's value at most, before --learning-rate; 0 for any")
	flags.Uint64Var(&t.Seed, "seed", 0, "seed of what is drawn")
	flags.IntVar(&t.Threads, "threads", 0, "threads to use (default one per processor)")
	addFeatureFlags(cmd)
	format := formatFlag(cmd)
	for _, name := range []string{"model", "data", "output"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if !(decay >= 0 && decay <= 1) {
			return usagef("--refit-decay %v: want a number from 0 to 1", decay)
		}
		if t.Objective, err = lambdamart.ParseObjective(objective.value); err != nil {
			return err
		}
		if err := rest.Check(t, cmd.Flags().Changed, false); err != nil {
			return usageError{err}
		}
		if err := checkFiles(output, append(data.inputs(), path)...); err != nil {
			return err
		}
		loaded, err := loadModel(cmd, path)
		if err != nil {
			return err
		}
		m, ok := loaded.(*lambdamart.Model)
		if !ok {
			return fmt.Errorf("%s: a linear model has no leaves", inputName(path))
		}
		switch {
		case m.Sigmoid == 0:
		case t.Objective != lambdamart.Binary:
			return usagef("%s is a model of log loss: want --objective binary", inputName(path))
		case !flags.Changed("sigmoid"):
			t.Sigmoid = m.Sigmoid // as in its training
		case t.Sigmoid != m.Sigmoid:
			return usagef("--sigmoid %v: %s was trained with %v, by which it tells probabilities", t.Sigmoid, inputName(path),
				m.Sigmoid)
		}
		d, err := data.loadFor(cmd, m, path)
		if err != nil {
			return err
		}
		d = d.WithColumns(m.NumFeatures)
		progress := begin(cmd, "refitting "+inputName(path), "")
		fit, err := t.Refit(cmd.Context(), m, d, decay)
		progress.end()
		if err != nil {
			return readError(data.path, err)
		}
		if err := writeModel(cmd, output, fit); err != nil {
			return err
		}
		return printResult(beside(cmd, output), format, refitResult{Documents: d.Rows(), Queries: d.Queries(),
			Trees: len(fit.Trees), Leaves: cli.Leaves(fit)})
	}
	return cmd
}

type refitResult struct {
	Documents int `json:"documents"`
	Queries   int `json:"queries"`
	Trees     int `json:"trees"`
	Leaves    int `json:"leaves"` // of all of them
}

func (r refitResult) text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "refitted %s with %s to %s of %s\n", counted(r.Trees, "tree"),
		cli.Count(r.Leaves, "leaf", "leaves"), counted(r.Documents, "document"),
		cli.Count(r.Queries, "query", "queries"))
	return err
}
