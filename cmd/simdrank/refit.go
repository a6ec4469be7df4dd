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
		Short: "Refit a tree model's leaves to new data",
		Long: `Refit the leaves of a tree model to new data, like LightGBM's task refit. The splits do
not change. Each leaf gets a new value: decay × old value + (1 − decay) × rate × value
of the leaf on the new data, with --refit-decay and --learning-rate.

Set --objective and the other flags to the values used in training. A model trained
with --objective binary requires that objective here, and keeps its sigmoid.

To train on training and validation data combined, use train --retrain instead.`,
		Example: `  simdrank refit -m trees.json -d newer.txt -o trees2.json
  simdrank refit -m lightgbm.txt -d newer.txt --refit-decay 0.5 -o trees2.json`,
		Args: noArguments,
	}
	var path, output string
	var decay float64
	t := lambdamart.DefaultTrainer()
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&path, "model", "m", "", "tree model `file` to refit")
	data := newDataFlags(cmd)
	flags.StringVarP(&output, "output", "o", "", "output `file` for the new model")
	flags.Float64Var(&decay, "refit-decay", 0.9, "`fraction` of the old leaf values to keep, from 0 to 1")
	flags.IntVar(&t.Threads, "threads", 0, "threads (default one per processor)")
	format := formatFlag(cmd)
	var rest cli.TreesFlags
	var objective *choice
	section(cmd, "Training", func() {
		objective = objectiveFlags(cmd, t, &rest)
		flags.Float64Var(&t.LearningRate, "learning-rate", t.LearningRate, "learning `rate` used in training")
		flags.Float64Var(&t.L1, "l1", 0, "L1 `penalty` on leaf values")
		flags.Float64Var(&t.L2, "l2", 0, "L2 `penalty` on leaf values")
		flags.Float64Var(&t.MaxDeltaStep, "max-delta-step", 0, "maximum absolute leaf `value` before shrinkage (0: unlimited)")
		flags.Uint64Var(&t.Seed, "seed", 0, "random `seed`")
	})
	addFeatureFlags(cmd)
	for _, name := range []string{"model", "data", "output"} {
		cmd.MarkFlagRequired(name)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if !(decay >= 0 && decay <= 1) {
			return usagef("--refit-decay %v: must be from 0 to 1", decay)
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
			return fmt.Errorf("%s is a linear model; refit requires a tree model", inputName(path))
		}
		switch {
		case m.Sigmoid == 0:
		case t.Objective != lambdamart.Binary:
			return usagef("%s was trained on log loss and requires --objective binary", inputName(path))
		case !flags.Changed("sigmoid"):
			t.Sigmoid = m.Sigmoid // as in training
		case t.Sigmoid != m.Sigmoid:
			return usagef("--sigmoid %v: must be %v, because %s was trained with it", t.Sigmoid, m.Sigmoid,
				inputName(path))
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
	Leaves    int `json:"leaves"` // leaves of all trees
}

func (r refitResult) text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "refitted %s with %s to %s of %s\n", counted(r.Trees, "tree"),
		cli.Count(r.Leaves, "leaf", "leaves"), counted(r.Documents, "document"),
		cli.Count(r.Queries, "query", "queries"))
	return err
}
