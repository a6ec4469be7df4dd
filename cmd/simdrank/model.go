package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// loadModel reads a model of any kind, which its content tells.
func loadModel(cmd *cobra.Command, path string) (rank.Model, error) {
	return readInput(cmd, path, model.Read)
}

// writeModel writes a model to a file; "-" is standard output.
func writeModel(cmd *cobra.Command, path string, m rank.Model) error {
	return writeOutput(cmd, path, func(w io.Writer) error { return model.Write(w, m, "json") })
}

// scoreFlags say how models score documents.
type scoreFlags struct{ trees cli.Trees }

// addScoreFlags adds those flags.
func addScoreFlags(cmd *cobra.Command) *scoreFlags {
	f := &scoreFlags{}
	cmd.Flags().Var(&f.trees, "trees", "the first N trees, up to the best iteration, or all")
	return f
}

// load reads a model to score with.
func (f *scoreFlags) load(cmd *cobra.Command, path string) (rank.Model, error) {
	m, err := loadModel(cmd, path)
	if err != nil {
		return nil, err
	}
	trees, ok := m.(*lambdamart.Model)
	if !ok {
		return m, f.needTrees(cmd, path, "a linear model")
	}
	if trees.CategoryCodes {
		warn(cmd, "%s: %s", inputName(path), cli.CategoryCodes)
	}
	return m, f.trees.Cut(trees, inputName(path))
}

// needTrees returns an error of usage when the flags ask for trees, and there is something else.
func (f *scoreFlags) needTrees(cmd *cobra.Command, path, what string) error {
	if !cmd.Flags().Changed("trees") {
		return nil
	}
	return usagef("--trees: %s is %s", inputName(path), what)
}

// addFeatureFlags adds the flags of commands that score with models for features that data and
// models do not share; see setZeros and scoresOf.
func addFeatureFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("ignore-extra-features", false, "score without the features that a model does not have")
	cmd.Flags().Bool("zero-missing", false, "trees: 0 and features left out are missing (default by the model)")
}

// countedFromZero is what to warn of when a model seems to count features from 0 that d counts from
// 1, else "".
func countedFromZero(cmd *cobra.Command, m *lambdamart.Model, model string, d *rank.Dataset, data string) string {
	if zeroBased, _ := cmd.Flags().GetBool("zero-based"); zeroBased || d.Names != nil { // no error: the flag exists
		return ""
	}
	return cli.CountedFromZero(m, d.Cols, inputName(model), inputName(data))
}

// trainedFromOne returns an error where --zero-based gives d one feature more than a model has that
// was trained here without it.
func trainedFromOne(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) error {
	zeroBased, _ := cmd.Flags().GetBool("zero-based") // no error: the flag exists
	s := cli.Settings(m)
	if !zeroBased || d.Names != nil || d.Cols != m.Features()+1 || s["model"] == "" || s["zero_based"] == "true" {
		return nil
	}
	return fmt.Errorf("%s: features 0 to %d, but %s has %d and was trained without --zero-based", inputName(data),
		d.Cols-1, inputName(model), m.Features())
}

// setZeros makes a model treat zeros as --zero-missing says, and returns a warning if the model was
// trained otherwise. Without the flag the model decides; the warning then is about a model that
// does not say, if rows of d omit features.
func setZeros(cmd *cobra.Command, m *lambdamart.Model, model string, d *rank.Dataset, data string) (warning string) {
	if cmd.Flags().Changed("zero-missing") {
		missing, _ := cmd.Flags().GetBool("zero-missing") // no error: the flag exists
		return cli.SetZeros(m, missing, inputName(model))
	}
	return cli.UnknownZeros(m, d.Absent, d.Cols, inputName(model), inputName(data))
}

// inParts returns a model to score data part by part: of trees the scorer, which is made once.
func inParts(m rank.Model) (rank.Model, error) {
	if trees, ok := m.(*lambdamart.Model); ok {
		return asModel(trees.Scorer())
	}
	return m, nil
}

// asModel keeps a nil pointer that comes with an error from being a model.
func asModel[M rank.Model](m M, err error) (rank.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
