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
	"github.com/simdrank/simdrank/rank/model"
	"github.com/simdrank/simdrank/report"
)

func importanceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "importance -m model [-d data]",
		Short: "Show feature importance",
		Long: `List the features that a model uses, the most important first. If the model does not
name its features, they are numbered from 1 as in LETOR data.

  trees          total gain of a feature's splits, its share, and the number of splits.
                 Gain is the reduction of the training loss. It favors features with
                 many distinct values, and picks one of several redundant features.
  linear model   weight, and effect: |weight| × standard deviation of the feature in
                 the data (-d)

--measure shap sorts by SHAP values: a feature's mean absolute contribution to the
scores of the documents in the data (-d). See also predict --contributions.

--measure permutation permutes a feature's values among the documents of each query, and
shows the drop in a metric with a 95% confidence interval.`,
		Example: `  simdrank importance -m trees.json
  simdrank importance -m trees.json --measure splits --format json
  simdrank importance -m trees.json -d test.txt --measure shap
  simdrank importance -m ridge.json -d train.txt
  simdrank importance -m trees.json -d test.txt --measure permutation --metric map
  simdrank importance -m trees.json -d test.csv --measure permutation \
    --feature-groups 'text=bm25,tfidf;clicks=ctr,dwell'`,
		Args: noArguments,
	}
	var path string
	cmd.Flags().SortFlags = false
	cmd.Flags().StringVarP(&path, "model", "m", "", "model `file`")
	data := newDataFlags(cmd)
	by := choiceFlag(cmd, "measure", "importance `kind` (linear: weight, shap or permutation)", "gain", "splits",
		"weight", "shap", "permutation")
	format := formatFlag(cmd)
	permutation := newPermutationFlags(cmd)
	scoring := addScoreFlags(cmd)
	addFeatureFlags(cmd)
	cmd.MarkFlagRequired("model")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := permutation.check(cmd, by.value); err != nil {
			return err
		}
		if err := checkFiles("", append(data.inputs(), path)...); err != nil {
			return err
		}
		m, err := scoring.load(cmd, path)
		if err != nil {
			return err
		}
		_, isLinear := m.(*rank.Linear)
		switch {
		case isLinear && !cmd.Flags().Changed("measure"):
			by.value = "weight"
		case isLinear && (by.value == "gain" || by.value == "splits"):
			return usagef("--measure %s requires a tree model, but %s is a linear model", by.value, inputName(path))
		case !isLinear && by.value == "weight":
			return usagef("--measure weight requires a linear model, but %s is a tree model", inputName(path))
		case by.value == "permutation" && data.path == "":
			return usagef("--measure permutation requires --data (-d)")
		case by.value == "permutation":
			drops, err := permutation.drops(cmd, m, path, data)
			if err != nil {
				return err
			}
			return printResult(cmd.OutOrStdout(), format, drops)
		case !isLinear && by.value != "shap" && data.path != "":
			return usagef("--data (-d) has no effect with --measure %s, which uses only the model", by.value)
		}
		if data.path == "" {
			if isLinear {
				return usagef("importance of a linear model requires --data (-d), because it uses the standard deviations of the features")
			}
			if by.value == "shap" {
				return usagef("--measure shap requires --data (-d)")
			}
			return printResult(cmd.OutOrStdout(), format, importancesOf(m, by.value, nil, nil))
		}
		data.unlabeled, data.noQueries = true, data.group == "" && data.form.normalize.value == "none"
		d, err := data.loadFor(cmd, m, path)
		if err != nil {
			return err
		}
		if d.Rows() == 0 {
			return fmt.Errorf("%s contains no documents", inputName(data.path))
		}
		var shap []float64
		if by.value == "shap" {
			if shap, err = meanContributions(cmd, m, path, d, data.path); err != nil {
				return err
			}
		}
		var spread []float64
		if isLinear {
			spread = report.Spreads(d)
		}
		for j, v := range spread {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s: values of %s must be finite", inputName(data.path), d.FeatureName(j))
			}
		}
		return printResult(cmd.OutOrStdout(), format, importancesOf(m, by.value, spread, shap))
	}
	return cmd
}

// meanContributions returns the mean absolute contribution of each feature to the scores of d.
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
		if err := e.ContributionsInto(cmd.Context(), phi, d.FeatureRows(lo, hi)); err != nil {
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

// importances is the result of importance.
type importances struct {
	Trees    *int                `json:"trees,omitempty"` // nil for a linear model
	Features []featureImportance `json:"features"`

	shap bool
}

// A featureImportance describes a feature. In trees it has gain and splits; in linear models it has
// a weight, a standard deviation and an effect, |weight| × deviation.
type featureImportance struct {
	Feature   int      `json:"feature"` // from 1
	Name      string   `json:"name,omitempty"`
	Gain      *float64 `json:"gain,omitempty"`
	Weight    *float64 `json:"weight,omitempty"`
	Deviation *float64 `json:"deviation,omitempty"`
	Effect    *float64 `json:"effect,omitempty"`
	Share     float64  `json:"share"` // share of the total gain, effect or SHAP value
	Splits    *int64   `json:"splits,omitempty"`
	SHAP      float64  `json:"shap,omitempty"`
}

// importancesOf lists the features that splits use or that have a weight. For a linear model,
// spread holds the standard deviations of features; features that the data lack do not vary. shap
// is nil if it is not known.
func importancesOf(m rank.Model, by string, spread, shap []float64) importances {
	r := importances{Features: []featureImportance{}, shap: shap != nil}
	var feature func(j int) featureImportance
	main := make([]float64, m.Features()) // determines the order and the shares
	keys := main
	switch m := m.(type) {
	case *lambdamart.Model:
		trees := len(m.Trees)
		gains, splits := m.Importance()
		r.Trees, main = &trees, gains
		keys = main
		if by == "splits" {
			keys = make([]float64, len(main))
		}
		if by == "splits" {
			for j, n := range splits {
				keys[j] = float64(n)
			}
		}
		feature = func(j int) featureImportance { return featureImportance{Gain: &gains[j], Splits: &splits[j]} }
	case *rank.Linear:
		spread = append(spread, make([]float64, max(len(main)-len(spread), 0))...)
		for j, weight := range m.Weights {
			main[j] = math.Abs(float64(weight * spread[j]))
		}
		effects := main
		feature = func(j int) featureImportance {
			return featureImportance{Weight: &m.Weights[j], Deviation: &spread[j], Effect: &effects[j]}
		}
	}
	if shap != nil {
		main = shap
	}
	if by == "shap" {
		keys = shap
	}
	total := 0.0
	for _, v := range main {
		total += v
	}
	names := model.FeatureNames(m)
	for j := range m.Features() {
		f := feature(j)
		if f.Splits != nil && *f.Splits == 0 || f.Weight != nil && *f.Weight == 0 {
			continue
		}
		f.Feature = j + 1
		if total > 0 {
			f.Share = main[j] / total
		}
		if shap != nil {
			f.SHAP = shap[j]
		}
		if names != nil {
			f.Name = names[j]
		}
		r.Features = append(r.Features, f)
	}
	slices.SortStableFunc(r.Features, func(a, b featureImportance) int {
		return cmp.Compare(keys[b.Feature-1], keys[a.Feature-1])
	})
	return r
}

func (r importances) csv(t *csvTable) {
	if r.Trees != nil {
		t.row("feature", "name", "gain", "splits", "share", "shap")
	} else {
		t.row("feature", "name", "weight", "deviation", "effect", "share", "shap")
	}
	for _, i := range r.Features {
		var shap any
		if r.shap {
			shap = i.SHAP
		}
		if r.Trees != nil {
			t.row(i.Feature, i.Name, *i.Gain, *i.Splits, i.Share, shap)
		} else {
			t.row(i.Feature, i.Name, *i.Weight, *i.Deviation, *i.Effect, i.Share, shap)
		}
	}
}

func (r importances) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	header := map[[2]bool]string{
		{true, true}: "SHAP\tshare\tgain\tsplits", {true, false}: "gain\tshare\tsplits",
		{false, true}: "SHAP\tshare\tweight\tdeviation\teffect", {false, false}: "effect\tshare\tweight\tdeviation",
	}
	fmt.Fprintf(t, "feature\t%s\t\n", header[[2]bool{r.Trees != nil, r.shap}])
	for _, i := range r.Features {
		fmt.Fprintf(t, "%s\t", cmp.Or(errs.Line(i.Name), strconv.Itoa(i.Feature)))
		switch share := 100 * i.Share; {
		case r.Trees != nil && r.shap:
			fmt.Fprintf(t, "%.6g\t%.1f%%\t%.6g\t%d\t\n", i.SHAP, share, *i.Gain, *i.Splits)
		case r.Trees != nil:
			fmt.Fprintf(t, "%.6g\t%.1f%%\t%d\t\n", *i.Gain, share, *i.Splits)
		case r.shap:
			fmt.Fprintf(t, "%.6g\t%.1f%%\t%.6g\t%.6g\t%.6g\t\n", i.SHAP, share, *i.Weight, *i.Deviation, *i.Effect)
		default:
			fmt.Fprintf(t, "%.6g\t%.1f%%\t%.6g\t%.6g\t\n", *i.Effect, share, *i.Weight, *i.Deviation)
		}
	}
	return t.Flush()
}
