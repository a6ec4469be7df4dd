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

// loadModel reads a model. Its format is detected.
func loadModel(cmd *cobra.Command, path string) (rank.Model, error) {
	return readInput(cmd, path, model.Read)
}

// writeModel writes a model to a file; "-" is standard output.
func writeModel(cmd *cobra.Command, path string, m rank.Model) error {
	return writeOutput(cmd, path, func(w io.Writer) error { return model.Write(w, m, "json") })
}

// scoreFlags holds the flags for scoring with models.
type scoreFlags struct{ trees cli.Trees }

// addScoreFlags adds those flags.
func addScoreFlags(cmd *cobra.Command) *scoreFlags {
	f := &scoreFlags{}
	cmd.Flags().Var(&f.trees, "trees", "trees to score with")
	return f
}

// load reads a model for scoring.
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

// needTrees returns a usage error if flags for trees are given. what describes the file at path.
func (f *scoreFlags) needTrees(cmd *cobra.Command, path, what string) error {
	if !cmd.Flags().Changed("trees") {
		return nil
	}
	return usagef("--trees requires a tree model, but %s is %s", inputName(path), what)
}

// addFeatureFlags adds the flags for features that the data or the model lacks; see setZeros and
// toModel.
func addFeatureFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("ignore-extra-features", false, "ignore features that the model does not have")
	cmd.Flags().Bool("zero-missing", false, "treat 0 and omitted features as missing; overrides the model")
}

// countedFromZero returns a warning if a model seems to count features from 0 and d from 1, and
// otherwise "".
func countedFromZero(cmd *cobra.Command, m *lambdamart.Model, model string, d *rank.Dataset, data string) string {
	if zeroBased, _ := cmd.Flags().GetBool("zero-based"); zeroBased || d.Names != nil { // no error: the flag exists
		return ""
	}
	return cli.CountedFromZero(m, d.Cols, inputName(model), inputName(data))
}

// trainedFromOne returns an error if --zero-based is given for a model that simdrank trained
// without it, so that d has one feature more than the model.
func trainedFromOne(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) error {
	zeroBased, _ := cmd.Flags().GetBool("zero-based") // no error: the flag exists
	s := cli.Settings(m)
	if !zeroBased || d.Names != nil || d.Cols != m.Features()+1 || s["model"] == "" || s["zero_based"] == "true" {
		return nil
	}
	return fmt.Errorf("%s has features 0 to %d, but %s was trained on features 1 to %d (omit --zero-based)",
		inputName(data), d.Cols-1, inputName(model), m.Features())
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

// inParts returns a model for scoring data in parts. For trees it is the scorer, which is created
// only once.
func inParts(m rank.Model) (rank.Model, error) {
	if trees, ok := m.(*lambdamart.Model); ok {
		return asModel(trees.Scorer())
	}
	return m, nil
}

// asModel returns a nil interface, not an interface with a nil pointer, if there is an error.
func asModel[M rank.Model](m M, err error) (rank.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
