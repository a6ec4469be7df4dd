package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// loadModel reads a model of any kind, which its content tells.
func loadModel(cmd *cobra.Command, path string) (rank.Model, error) {
	return readInput(cmd, path, model.Read)
}

// scoreFlags say how models score documents.
type scoreFlags struct{ trees treeCount }

// addScoreFlags adds those flags.
func addScoreFlags(cmd *cobra.Command) *scoreFlags {
	f := &scoreFlags{treeCount{"all", 0}}
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
		warn(cmd, "%s: %s", inputName(path), categoryCodes)
	}
	return m, f.cut(trees, path)
}

// categoryCodes is what models of which that is true ask of data.
const categoryCodes = "the trainer numbered the values of categorical features from 0; data must have these numbers"

// needTrees returns an error of usage when the flags ask for trees, and there is something else.
func (f *scoreFlags) needTrees(cmd *cobra.Command, path, what string) error {
	if !cmd.Flags().Changed("trees") {
		return nil
	}
	return usagef("--trees: %s is %s", inputName(path), what)
}

// cut leaves the trees that the flags ask for in a model.
func (f *scoreFlags) cut(m *lambdamart.Model, path string) error {
	n := len(m.Trees)
	switch {
	case f.trees.text == "best":
		if n = m.Best; n == 0 {
			return fmt.Errorf("%s: --trees best: the model does not name a best iteration", inputName(path))
		}
	case f.trees.n > n:
		return fmt.Errorf("%s: --trees %d: the model has %s", inputName(path), f.trees.n, counted(n, "tree"))
	case f.trees.n > 0:
		n = f.trees.n
	}
	m.Trees, m.Best = m.Trees[:n], min(m.Best, n)
	return nil
}

// A treeCount is a flag for a number of trees.
type treeCount struct {
	text string
	n    int // 0 for the words all and best
}

func (c *treeCount) String() string { return c.text }
func (c *treeCount) Type() string   { return "N|best|all" }

func (c *treeCount) Set(s string) error {
	n, err := strconv.Atoi(s)
	if s == "all" || s == "best" {
		n, err = 0, nil
	} else if err != nil || n < 1 {
		return errors.New("want all, best or a number above 0")
	}
	*c = treeCount{s, n}
	return err
}

// addFeatureFlags adds the flags of commands that score with models for features that data and
// models do not share; see settleZeros and scoresOf.
func addFeatureFlags(cmd *cobra.Command) {
	cmd.Flags().Bool("ignore-extra-features", false, "score without the features that a model does not have")
	cmd.Flags().Bool("zero-missing", false, "trees: 0 and features left out are missing (default by the model)")
}

// settleZeros makes a model take zeros for what --zero-missing says, and warns when it was trained
// otherwise. Without the flag the model decides, and one that does not say is warned of when rows
// of d leave features out.
func settleZeros(cmd *cobra.Command, m *lambdamart.Model, model string, d *rank.Dataset, data string) {
	model, data = inputName(model), inputName(data)
	zeros := m.Zeros()
	if !cmd.Flags().Changed("zero-missing") {
		if zeros == lambdamart.ZerosAreUnknown && (d.Absent > 0 || d.Cols < m.Features()) {
			warn(cmd,
				"%s does not say whether 0 is a value or missing, and rows of %s leave features out: they count as the value 0; "+
					"--zero-missing scores them as missing, --zero-missing=false as 0 without this warning", model, data)
		}
		return
	}
	missing, _ := cmd.Flags().GetBool("zero-missing") // no error: the flag exists
	switch {
	case missing && zeros == lambdamart.ZerosAreValues:
		warn(cmd, "%s was trained with 0 as a value; --zero-missing scores it as missing", model)
	case !missing && zeros == lambdamart.ZerosAreMissing:
		warn(cmd, "%s was trained with 0 as missing; --zero-missing=false scores it as a value", model)
	case zeros != lambdamart.ZerosAreUnknown:
		return // as the splits have it
	}
	m.SetZeroMissing(missing)
}

// asModel keeps a nil pointer that comes with an error from being a model.
func asModel[M rank.Model](m M, err error) (rank.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
