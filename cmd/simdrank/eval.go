package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank"
)

// defaultMetrics are those that eval computes unless told otherwise, and train's of
// the validation data.
const defaultMetrics = "ndcg@10,ndcg,map,tau-b,pair-accuracy"

func evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval (-m model | -s scores) -d data",
		Short: "Measure the ranking of a model or of a file of scores",
		Long: `Measure how well a model, or a file with one score a line, ranks the documents
of LETOR data. Each metric is printed with its mean over the queries that count,
their number, and how many were skipped.

Metrics: dcg, ndcg, map, mrr, precision, recall, success, r-precision, bpref,
err, rbp, auc, pair-accuracy, tau-b, weighted-tau, spearman; with a cutoff as in
ndcg@10. The policies, on which means depend more than on most models, are the
gain, the order of documents with equal scores, and what a query counts that
leaves the metric undefined; --preset takes those of another tool.`,
		Example: `  simdrank eval -m model.json -d test.txt --metric ndcg@10,map,tau-b
  simdrank eval -s scores.txt -d test.txt --preset lightgbm --format json`,
		Args: cobra.NoArgs,
	}
	var model, scoreFile string
	cmd.Flags().StringVarP(&model, "model", "m", "", "model to measure")
	cmd.Flags().StringVarP(&scoreFile, "scores", "s", "", "scores to measure, one a line")
	data := newDataFlags(cmd)
	metrics := newMetricFlags(cmd)
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("data")
	cmd.MarkFlagsOneRequired("model", "scores")
	cmd.MarkFlagsMutuallyExclusive("model", "scores")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, err := metrics.evaluator(cmd)
		if err != nil {
			return err
		}
		var d *rank.Dataset
		var scores []float64
		if model != "" {
			d, scores, err = data.loadScored(cmd, model)
		} else if d, err = data.load(cmd); err == nil {
			scores, err = loadScores(cmd, scoreFile, d, data.path)
		}
		if err != nil {
			return err
		}
		r, err := evaluate(cmd.Context(), e, d, scores)
		if err != nil {
			return err
		}
		return printResult(cmd.OutOrStdout(), format, evalResult{r})
	}
	return cmd
}

// loadScores reads a score for each row of d.
func loadScores(cmd *cobra.Command, path string, d *rank.Dataset, data string) ([]float64, error) {
	columns, err := readColumns(cmd, path, 1)
	if err != nil {
		return nil, err
	}
	if n := len(columns[0]); n != d.Rows() {
		return nil, fmt.Errorf("%s: %s, but %s has %s", path, counted(n, "score"), data, counted(d.Rows(), "document"))
	}
	return columns[0], nil
}

func evaluate(ctx context.Context, e *rank.Evaluator, d *rank.Dataset, scores []float64) (*rank.Results, error) {
	lists, err := d.Lists(scores)
	if err != nil {
		return nil, err
	}
	return e.EvalAll(ctx, lists)
}

// metricFlags choose metrics and their policies.
type metricFlags struct {
	list     string
	policies []policyFlag
}

// A policyFlag stands for one of some options of the library.
type policyFlag struct {
	name    string
	value   *choice
	options map[string]rank.Option
}

func newMetricFlags(cmd *cobra.Command) *metricFlags {
	f := &metricFlags{}
	cmd.Flags().StringVar(&f.list, "metric", defaultMetrics, "metrics between commas")
	add := func(name, usage string, options map[string]rank.Option, words ...string) {
		f.policies = append(f.policies, policyFlag{name, choiceFlag(cmd, name, usage, words...), options})
	}
	add("preset", "policies of another tool; the flags below amend them", map[string]rank.Option{
		"sklearn": rank.Sklearn, "trec_eval": rank.TrecEval, "xgboost": rank.XGBoost,
		"lightgbm": rank.LightGBM, "catboost": rank.CatBoost, "letor4": rank.LETOR4,
	}, "none", "sklearn", "trec_eval", "xgboost", "lightgbm", "catboost", "letor4")
	add("gain", "gain of a label r: 2^r-1 or r", map[string]rank.Option{
		"exp": rank.GainExp, "linear": rank.GainLinear,
	}, "exp", "linear")
	add("ties", "documents with equal scores: all orders averaged, in order of the data, least or most relevant first", map[string]rank.Option{
		"average": rank.TiesAverage, "stable": rank.TiesStable,
		"pessimistic": rank.TiesPessimistic, "optimistic": rank.TiesOptimistic,
	}, "average", "stable", "pessimistic", "optimistic")
	add("empty", "queries that leave a metric undefined", map[string]rank.Option{
		"skip": rank.EmptySkip, "zero": rank.EmptyZero, "one": rank.EmptyOne, "nan": rank.EmptyNaN,
	}, "skip", "zero", "one", "nan")
	return f
}

// evaluator returns the evaluator that the flags describe.
func (f *metricFlags) evaluator(cmd *cobra.Command) (*rank.Evaluator, error) {
	metrics, err := rank.ParseMetrics(f.list)
	if err != nil {
		return nil, usageError{fmt.Errorf("--metric: %w", err)}
	}
	var opts []rank.Option
	for _, p := range f.policies {
		// Only flags that were given: a default would undo the preset.
		if option := p.options[p.value.value]; option != nil && cmd.Flags().Changed(p.name) {
			opts = append(opts, option)
		}
	}
	return rank.NewEvaluator(metrics, opts...)
}

// evalResult is what eval prints.
type evalResult struct {
	Metrics *rank.Results `json:"metrics"`
}

func (r evalResult) text(w io.Writer) error { return metricTable(w, r.Metrics) }

// metricTable writes a line for each metric.
func metricTable(w io.Writer, r *rank.Results) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "metric\tmean\tcounted\tskipped\t\n")
	for _, m := range r.Metrics {
		fmt.Fprintf(t, "%v\t%.4f\t%d\t%d\t\n", m.Metric, m.Mean, m.Counted, m.Skipped)
	}
	return t.Flush()
}
