package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/explain"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

func importanceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "importance -m model [-d data]",
		Short: "Tell which features a model ranks by",
		Long: `Tell which features a model ranks by. Features are numbered from 1, as in LETOR data,
or have the names that the model gives them; those that it does not look at are left
out.

Of trees, the gain of a feature's splits, in all and as a share, and their number.
Gain is what the splits lowered the training loss by. It favors features with many
distinct values, and among features that say the same it picks one.

Of a linear model, weights, and by how much the score changes with a feature: the
size of its weight times the standard deviation of the feature in --data (-d).

--by shap orders either by SHAP values: the mean size of what a feature contributes
to the scores of the documents of --data, as predict --contributions writes it.
For --zero-missing and --ignore-extra-features see predict --help.`,
		Example: `  simdrank importance -m trees.json
  simdrank importance -m trees.json --by splits --format json
  simdrank importance -m trees.json -d test.txt --by shap
  simdrank importance -m ridge.json -d train.txt`,
		Args: noArguments,
	}
	var path string
	cmd.Flags().StringVarP(&path, "model", "m", "", "model to look at")
	data := newDataFlags(cmd)
	by := choiceFlag(cmd, "by", "order of the features; weight for a linear model", "gain", "splits", "weight",
		"shap")
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("model")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFiles("", append(data.inputs(), path)...); err != nil {
			return err
		}
		m, err := scoring.load(cmd, path)
		if err != nil {
			return err
		}
		linear, isLinear := m.(*rank.Linear)
		switch {
		case isLinear && !cmd.Flags().Changed("by"):
			by.value = "weight"
		case isLinear && (by.value == "gain" || by.value == "splits"):
			return usagef("--by %s is for trees: %s is a linear model", by.value, inputName(path))
		case !isLinear && by.value == "weight":
			return usagef("--by weight is for linear models: %s is of trees", inputName(path))
		case !isLinear && by.value != "shap" && data.path != "":
			return usagef("--data (-d) is for linear models and --by shap: the model alone has the %s of trees", by.value)
		}
		if data.path == "" {
			if isLinear {
				return usagef("importance of a linear model needs --data (-d), for the spread of its features")
			}
			if by.value == "shap" {
				return usagef("--by shap needs --data (-d), the documents to explain")
			}
			return printResult(cmd.OutOrStdout(), format, importanceOfTrees(m.(*lambdamart.Model), by.value, nil))
		}
		data.knows(m)
		data.unlabeled, data.noQueries = true, data.group == "" && data.form.normalize.value == "none"
		d, err := data.load(cmd)
		if err != nil {
			return err
		}
		if d, err = toModel(cmd, m, path, d, data.path); err != nil {
			return err
		}
		if d.Rows() == 0 {
			return fmt.Errorf("%s: no documents", inputName(data.path))
		}
		var shap []float64
		if by.value == "shap" {
			if shap, err = meanContributions(cmd, m, path, d, data.path); err != nil {
				return err
			}
		}
		if !isLinear {
			return printResult(cmd.OutOrStdout(), format, importanceOfTrees(m.(*lambdamart.Model), by.value, shap))
		}
		spread := report.Spreads(d)
		for j, v := range spread {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: %s has values that are not finite", inputName(data.path), d.FeatureName(j))
			}
		}
		return printResult(cmd.OutOrStdout(), format, importanceOfWeights(linear, by.value, spread, shap))
	}
	return cmd
}

// meanContributions returns the mean size of what each feature contributes to the scores of d.
func meanContributions(cmd *cobra.Command, m rank.Model, model string, d *rank.Dataset, data string) ([]float64,
	error) {
	e, err := explain.New(m)
	if err != nil {
		return nil, readError(model, err)
	}
	explaining := begin(cmd, "explaining "+inputName(data), "documents")
	defer explaining.end()
	width := m.Features() + 1
	mean := make([]float64, width-1)
	rows := max(1, predictedValues/width)
	for lo := 0; lo < d.Rows(); lo += rows {
		hi := min(lo+rows, d.Rows())
		phi := make([]float64, (hi-lo)*width)
		if err := e.Contributions(cmd.Context(), phi, features(d, lo, hi)); err != nil {
			return nil, readError(model, err)
		}
		for i := range hi - lo {
			for j, v := range phi[i*width:][:width-1] {
				mean[j] += math.Abs(v)
			}
		}
		explaining.at(int64(hi), int64(d.Rows()))
	}
	for j := range mean {
		mean[j] /= float64(d.Rows())
	}
	return mean, nil
}

type importances struct {
	Trees    int          `json:"trees"`
	Features []importance `json:"features"`

	shap bool
}

// An importance is that of a feature for trees.
type importance struct {
	Feature int     `json:"feature"` // from 1
	Name    string  `json:"name,omitempty"`
	Gain    float64 `json:"gain"`
	Share   float64 `json:"share"` // of the gain of all features, or of their SHAP values
	Splits  int     `json:"splits"`
	SHAP    float64 `json:"shap,omitempty"`
}

// share returns the part of a sum.
func share(v, total float64) float64 {
	if total > 0 {
		return v / total
	}
	return 0
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// importanceOfTrees lists the features that splits look at, with their SHAP values unless these are
// nil.
func importanceOfTrees(m *lambdamart.Model, by string, shap []float64) importances {
	gains, splits := m.GainImportance(), m.SplitImportance()
	r := importances{Trees: len(m.Trees), Features: []importance{}, shap: shap != nil}
	gain, all := sum(gains), sum(shap)
	for j, n := range splits {
		if n == 0 {
			continue
		}
		i := importance{Feature: j + 1, Gain: gains[j], Splits: int(n), Share: share(gains[j], gain)}
		if shap != nil {
			i.SHAP, i.Share = shap[j], share(shap[j], all)
		}
		if m.FeatureNames != nil {
			i.Name = m.FeatureNames[j]
		}
		r.Features = append(r.Features, i)
	}
	slices.SortStableFunc(r.Features, func(a, b importance) int {
		switch by {
		case "shap":
			return cmp.Compare(b.SHAP, a.SHAP)
		case "splits":
			return cmp.Compare(b.Splits, a.Splits)
		}
		return cmp.Compare(b.Gain, a.Gain)
	})
	return r
}

func (r importances) csv(t *csvTable) {
	t.row("feature", "name", "gain", "splits", "share", "shap")
	for _, i := range r.Features {
		t.row(i.Feature, i.Name, i.Gain, i.Splits, i.Share, givenIf(r.shap, i.SHAP))
	}
}

// givenIf returns v, or nil where it is not given.
func givenIf(given bool, v float64) any {
	if !given {
		return nil
	}
	return v
}

func (r importances) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if r.shap {
		fmt.Fprint(t, "feature\tSHAP\tshare\tgain\tsplits\t\n")
	} else {
		fmt.Fprint(t, "feature\tgain\tshare\tsplits\t\n")
	}
	for _, i := range r.Features {
		name := cmp.Or(errs.Line(i.Name), strconv.Itoa(i.Feature))
		if r.shap {
			fmt.Fprintf(t, "%s\t%.6g\t%.1f%%\t%.6g\t%d\t\n", name, i.SHAP, 100*i.Share, i.Gain, i.Splits)
		} else {
			fmt.Fprintf(t, "%s\t%.6g\t%.1f%%\t%d\t\n", name, i.Gain, 100*i.Share, i.Splits)
		}
	}
	return t.Flush()
}

type weightImportances struct {
	Features []weightImportance `json:"features"`

	shap bool
}

// A weightImportance is that of a feature for a linear model.
type weightImportance struct {
	Feature   int     `json:"feature"` // from 1
	Name      string  `json:"name,omitempty"`
	Weight    float64 `json:"weight"`
	Deviation float64 `json:"deviation"` // standard deviation of the feature
	Effect    float64 `json:"effect"`    // |weight| × deviation
	Share     float64 `json:"share"`     // of the effects of all features, or of their SHAP values
	SHAP      float64 `json:"shap,omitempty"`
}

// importanceOfWeights lists the features that have a weight; those that the data lack do not vary.
func importanceOfWeights(m *rank.Linear, by string, spread, shap []float64) weightImportances {
	effects := make([]float64, len(m.Weights))
	for j := range min(len(spread), len(effects)) {
		effects[j] = math.Abs(float64(m.Weights[j] * spread[j]))
	}
	r := weightImportances{Features: []weightImportance{}, shap: shap != nil}
	effect, all := sum(effects), sum(shap)
	for j, weight := range m.Weights {
		if weight == 0 {
			continue
		}
		i := weightImportance{Feature: j + 1, Weight: weight, Effect: effects[j], Share: share(effects[j], effect)}
		if j < len(spread) {
			i.Deviation = spread[j]
		}
		if shap != nil {
			i.SHAP, i.Share = shap[j], share(shap[j], all)
		}
		if m.FeatureNames != nil {
			i.Name = m.FeatureNames[j]
		}
		r.Features = append(r.Features, i)
	}
	slices.SortStableFunc(r.Features, func(a, b weightImportance) int {
		if by == "shap" {
			return cmp.Compare(b.SHAP, a.SHAP)
		}
		return cmp.Compare(b.Effect, a.Effect)
	})
	return r
}

func (r weightImportances) csv(t *csvTable) {
	t.row("feature", "name", "weight", "deviation", "effect", "share", "shap")
	for _, i := range r.Features {
		t.row(i.Feature, i.Name, i.Weight, i.Deviation, i.Effect, i.Share, givenIf(r.shap, i.SHAP))
	}
}

func (r weightImportances) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if r.shap {
		fmt.Fprint(t, "feature\tSHAP\tshare\tweight\tdeviation\teffect\t\n")
	} else {
		fmt.Fprint(t, "feature\teffect\tshare\tweight\tdeviation\t\n")
	}
	for _, i := range r.Features {
		name := cmp.Or(errs.Line(i.Name), strconv.Itoa(i.Feature))
		if r.shap {
			fmt.Fprintf(t, "%s\t%.6g\t%.1f%%\t%.6g\t%.6g\t%.6g\t\n", name, i.SHAP, 100*i.Share, i.Weight, i.Deviation,
				i.Effect)
		} else {
			fmt.Fprintf(t, "%s\t%.6g\t%.1f%%\t%.6g\t%.6g\t\n", name, i.Effect, 100*i.Share, i.Weight, i.Deviation)
		}
	}
	return t.Flush()
}
