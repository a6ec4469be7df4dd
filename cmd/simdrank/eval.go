package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/trec"
)

// trecMetrics lists the metrics in trec_eval's default output that simdrank implements, and NDCG.
const trecMetrics = "map,Rprec,bpref,recip_rank,P_5,P_10,P_15,P_20,P_30,P_100,P_200,P_500,P_1000,ndcg,ndcg_cut_10"

func evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval (-m model | -s scores) -d data, or eval --qrels judgments --run run",
		Short: "Evaluate a model, a score file or a TREC run",
		Long: `Print metrics for a model, or for a file with one score per line, on a dataset. Or
evaluate a TREC run against judgments, with the conventions and output format of
trec_eval -c. With --propensities, estimate dcg@k and average-rank from clicks.

  ndcg@10, rbp(0.95), map(rel=2)   parameters: cutoff, persistence, relevant label
  P_10, AP, recip_rank             names of trec_eval and ir-measures also work

--gain, --ties and --empty set a metric's conventions. --preset selects all
conventions of another tool. docs/reference/metrics.md defines these metrics:

` + cli.WrapWords("", rank.MetricNames(), 0, 84) + `.`,
		Example: `  simdrank eval -m model.json -d test.txt --metric ndcg@10,map,tau-b
  simdrank eval -s scores.txt -d test.txt --preset lightgbm --format json
  simdrank eval -m model.json -d test.txt --save baseline.json
  simdrank eval --qrels qrels.txt --run run.gz --per-query
  simdrank eval --qrels subtopics.txt --run run.gz --metric alpha_nDCG@20,ERR_IA@20,map
  simdrank eval -m model.json -d clicks.csv --propensities propensities.txt
  simdrank eval --run run.gz --reference other.gz --metric 'rbo(0.9),rbo-residual(0.9)'`,
		Args: noArguments,
	}
	f := &evalFlags{flags: cmd.Flags()}
	f.define(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check(); err != nil {
			return err
		}
		if f.run != "" {
			f.metrics.preferTREC()
			if f.metrics.reference = f.reference != ""; f.metrics.reference && !f.flags.Changed("metric") {
				f.metrics.list = "rbo,rbo-min,rbo-residual"
			}
		}
		if f.clicks.propensities != "" {
			result, err := f.measureClicks(cmd)
			if err != nil {
				return err
			}
			return writeOutput(cmd, f.output, func(w io.Writer) error { return printResult(w, f.format, result) })
		}
		e, err := f.metrics.evaluator()
		if err != nil {
			return err
		}
		result := evalResult{perQuery: f.perQuery, name: systemName(cmp.Or(f.model, f.scores, f.run), nil)}
		var set *rank.Dataset
		if f.run != "" {
			result.results, result.run, err = f.measureRun(cmd, e)
		} else {
			result.results, set, err = f.measureModel(cmd, e)
		}
		if err != nil {
			return err
		}
		if f.perQuery && f.format.value == "json" {
			if err := checkIDs(cmp.Or(f.data.path, f.run), result.results.QueryIDs...); err != nil {
				return err
			}
		}
		if result.groups, err = f.by.of(cmd, result.results.QueryIDs, f.data, set); err != nil {
			return err
		}
		if err := f.means(cmd, &result); err != nil {
			return err
		}
		if f.save != "" {
			if err := saveResults(cmd, f.save, e, result.results); err != nil {
				return err
			}
		}
		return writeOutput(cmd, f.output, func(w io.Writer) error {
			if f.format.value == "markdown" || f.format.value == "latex" {
				return result.table.Write(w, f.format.value)
			}
			return printResult(w, f.format, result)
		})
	}
	return cmd
}

// evalFlags holds the flags of eval.
type evalFlags struct {
	flags *pflag.FlagSet

	model, scores, qrels, run, reference, output, save string

	complete, perQuery bool

	data             *dataFlags
	scoring          *scoreFlags
	metrics          *metricFlags
	by               *byFlags
	clicks           *clickFlags
	format, interval *choice
	rounds           int
	seed             uint64
}

func (f *evalFlags) define(cmd *cobra.Command) {
	flags := f.flags
	flags.SortFlags = false
	flags.StringVarP(&f.model, "model", "m", "", "model `file` to evaluate")
	flags.StringVarP(&f.scores, "scores", "s", "", "score `file` to evaluate, one score per line")
	f.data = newDataFlags(cmd)
	flags.StringVar(&f.run, "run", "", "TREC run `file` to evaluate")
	flags.StringVar(&f.qrels, "qrels", "", "TREC judgments `file` (qrels)")
	flags.StringVar(&f.reference, "reference", "", "TREC run `file` that rbo compares --run with")
	flags.BoolVar(&f.complete, "complete", true, "count judged topics without results, like trec_eval -c")
	flags.StringVarP(&f.output, "output", "o", "-", "output `file`")
	flags.BoolVarP(&f.perQuery, "per-query", "q", false, "also print the values of each query")
	flags.StringVar(&f.save, "save", "", "also save per-query values to a `file`, for compare")
	f.format = choiceFlag(cmd, "format", "output `format`", "text", "json", "csv", "markdown", "latex")
	f.metrics = newMetricFlags(cmd)
	f.by = newByFlags(cmd)
	section(cmd, "Confidence intervals", func() {
		words := compare.OptionWords("interval")
		f.interval = choiceFlag(cmd, "interval", "confidence interval `method`",
			append([]string{"none"}, slices.DeleteFunc(words, func(word string) bool { return word == "none" })...)...)
		flags.IntVar(&f.rounds, "rounds", 100_000, "bootstrap rounds")
		flags.Uint64Var(&f.seed, "seed", 1, "random `seed`")
	})
	f.clicks = addClickFlags(cmd)
	f.scoring = addScoreFlags(cmd)
	addFeatureFlags(cmd)
	cmd.MarkFlagsMutuallyExclusive("model", "scores", "run")
	exclude(cmd, "qrels", "data", "model", "scores")
	exclude(cmd, "data", "run", "complete", "reference")
	exclude(cmd, "scores", "zero-missing", "ignore-extra-features")
	exclude(cmd, "run", append(dialectFlags(), "by-column", "trees", "zero-missing", "ignore-extra-features")...)
}

// check returns an error if flags are wrong.
func (f *evalFlags) check() error {
	if err := checkMeasured(f.flags.Changed); err != nil {
		return err
	}
	if err := cli.CheckFormat(f.format.value, f.flags.Changed); err != nil {
		return usageError{err}
	}
	for _, name := range []string{"rounds", "seed"} {
		if f.flags.Changed(name) && f.interval.value != "bootstrap" {
			return usagef("--%s requires --interval bootstrap", name)
		}
	}
	if err := cli.CheckRounds(f.rounds); err != nil {
		return usageError{err}
	}
	if f.save == f.output {
		return usagef("--save and --output must be different files")
	}
	if err := f.clicks.check(f.metrics, f.format.value); err != nil {
		return err
	}
	inputs := append(f.data.inputs(), f.model, f.scores, f.qrels, f.run, f.reference, f.by.file, f.clicks.propensities)
	if err := checkFiles(f.save, inputs...); err != nil {
		return err
	}
	return checkFiles(f.output, inputs...)
}

// measureRun evaluates the run. It also returns the name of the run.
func (f *evalFlags) measureRun(cmd *cobra.Command, e *rank.Evaluator) (_ *rank.Results, name string, err error) {
	var qrels *trec.Qrels
	if f.qrels != "" {
		if qrels, err = readQrels(cmd, f.qrels, e.Metrics()); err != nil {
			return nil, "", err
		}
		qrels.SkipUnanswered = !f.complete
	}
	for _, metric := range e.Metrics() {
		if qrels == nil && !metric.NeedsReference() {
			return nil, "", usagef("--metric %v requires --qrels: with only --reference, the metrics are rbo, rbo-min and rbo-residual",
				metric)
		}
	}
	paths := []string{f.run}
	if f.reference != "" {
		paths = append(paths, f.reference)
	}
	return evalRun(cmd, e, qrels, f.qrels, "use --complete=false to skip them", paths...)
}

// measureModel evaluates the model or the score file. It also returns the data.
func (f *evalFlags) measureModel(cmd *cobra.Command, e *rank.Evaluator) (*rank.Results, *rank.Dataset, error) {
	m, d, err := f.load(cmd)
	if err != nil {
		return nil, nil, err
	}
	if err := f.metrics.checkIDs(d, f.data.path); err != nil {
		return nil, nil, err
	}
	r, err := evalSystem(cmd, e, m, cmp.Or(f.model, f.scores), d, f.data.path)
	return r, d, err
}

// load reads the model, which is nil for a score file, and the data.
func (f *evalFlags) load(cmd *cobra.Command) (rank.Model, *rank.Dataset, error) {
	m, err := f.scoring.loadSystem(cmd, cmp.Or(f.model, f.scores), f.model != "")
	if err != nil {
		return nil, nil, err
	}
	f.data.knows(m)
	d, err := f.data.load(cmd)
	return m, d, err
}

// means computes the means of a result and their intervals.
func (f *evalFlags) means(cmd *cobra.Command, r *evalResult) (err error) {
	o := compare.Options{Interval: f.interval.value, Rounds: f.rounds, Seed: f.seed, Groups: r.groups}
	resampling := begin(cmd, "computing intervals", "rounds")
	defer resampling.end()
	o.Progress = resampling.at
	r.table, err = compare.Means(cmd.Context(), compare.System{Name: r.name, Results: r.results}, o)
	return err
}

// evalSystem evaluates a model or, if m is nil, a score file.
func evalSystem(cmd *cobra.Command, e *rank.Evaluator, m rank.Model, path string, d *rank.Dataset, data string) (
	*rank.Results, error) {
	scores, err := systemScores(cmd, m, path, d, data)
	if err != nil {
		return nil, err
	}
	r, err := measure(cmd, e, scores, d, inputName(path))
	return r, evalError(err, data, path)
}

// measure returns the metrics of scores. It shows its progress under a name.
func measure(cmd *cobra.Command, e *rank.Evaluator, scores []float64, d *rank.Dataset, name string) (
	*rank.Results, error) {
	measuring := begin(cmd, "measuring "+name, "")
	defer measuring.end()
	o := e.Options()
	o.Progress = measuring.at
	e, err := rank.NewEvaluator(e.String(), o)
	if err != nil {
		return nil, err
	}
	return e.EvalScores(cmd.Context(), scores, d)
}

// evalError adds the name of a file to an error of an evaluation: the file of the labels if the
// error names a line, and otherwise the file of the system.
func evalError(err error, labels, system string) error {
	var parse *rank.ParseError
	if errors.As(err, &parse) {
		return readError(labels, err)
	}
	return readError(system, err)
}

// checkMeasured returns a usage error if flags do not say what to evaluate, or on which data.
func checkMeasured(given func(flag string) bool) error {
	switch system := given("model") || given("scores"); {
	case given("run") && !given("qrels") && !given("reference"):
		return usagef("--run requires --qrels, or --reference to compare it with another run")
	case given("reference") && !given("run"):
		return usagef("--reference requires --run")
	case given("complete") && !given("qrels"):
		return usagef("--complete requires --qrels")
	case given("qrels") && !given("run"):
		return usagef("--qrels requires --run")
	case given("data") && !system:
		return usagef("--data (-d) requires --model (-m) or --scores (-s); use --run and --qrels for a TREC run")
	case system && !given("data"):
		return usagef("--model (-m) and --scores (-s) require --data (-d)")
	case !system && !given("run"):
		return usagef("nothing to evaluate: use --data (-d) with --model (-m) or --scores (-s), or --run with --qrels")
	}
	return nil
}

// loadSystem reads a model. It returns nil for a score file.
func (f *scoreFlags) loadSystem(cmd *cobra.Command, path string, isModel bool) (rank.Model, error) {
	if isModel {
		return f.load(cmd, path)
	}
	return nil, f.needTrees(cmd, path, "a score file")
}

// systemScores scores d with a model or, if m is nil, reads a score for each line of the file of d.
func systemScores(cmd *cobra.Command, m rank.Model, path string, d *rank.Dataset, data string) ([]float64, error) {
	if m != nil {
		return scoresOf(cmd, m, path, d, data)
	}
	scores, err := readNumbers(cmd, path, ranked)
	if err != nil {
		return nil, err
	}
	if n := len(scores); n != d.Rows() {
		return nil, fmt.Errorf("%s has %s, but %s has %s", inputName(path), counted(n, "score"), inputName(data),
			counted(d.Rows(), "document"))
	}
	return toRows(d, scores), nil
}

// lineOrder returns the rows of d in the order of the lines of its files, or nil if they are in
// that order already. The orders differ if queries were gathered. Files are sorted by name.
func lineOrder(d *rank.Dataset) []int {
	byPlace := func(a, b int) int {
		fileA, lineA := d.Place(a)
		fileB, lineB := d.Place(b)
		return cmp.Or(cmp.Compare(fileA, fileB), cmp.Compare(lineA, lineB))
	}
	i := 1
	for i < d.Rows() && byPlace(i-1, i) <= 0 {
		i++
	}
	if i >= d.Rows() {
		return nil
	}
	order := make([]int, d.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, byPlace)
	return order
}

// toRows reorders values, which are in the order of the lines of d's files, to the order of d's
// rows.
func toRows(d *rank.Dataset, values []float64) []float64 {
	order := lineOrder(d)
	if order == nil {
		return values
	}
	rows := make([]float64, len(values))
	for k, row := range order {
		rows[row] = values[k]
	}
	return rows
}

// metricFlags holds the flags for metrics and their conventions.
type metricFlags struct {
	list      string
	trec      bool // evaluates a TREC run
	reference bool // compares the run with another one
	policies  []policyFlag
	maxLabel  float64
	changed   func(flag string) bool
}

// A policyFlag is a flag for a kind of the library's options. The word none means no option.
type policyFlag struct {
	kind  string
	value *choice
}

// addPolicy adds a flag for a kind of option. The words other precede the words of the option, and
// mean no option.
func (f *metricFlags) addPolicy(cmd *cobra.Command, kind, usage string, other ...string) {
	words := append(other, rank.OptionWords(kind)...)
	f.policies = append(f.policies, policyFlag{kind, choiceFlag(cmd, kind, usage, words...)})
}

// defaultMetrics are the default metrics for LETOR data.
const defaultMetrics = "ndcg@10,ndcg,map,tau-b,pair-accuracy"

func newMetricFlags(cmd *cobra.Command) *metricFlags {
	f := &metricFlags{changed: cmd.Flags().Changed}
	section(cmd, "Metrics", func() {
		cmd.Flags().StringVar(&f.list, "metric", defaultMetrics, "`list` of metrics")
		f.addPolicy(cmd, "preset", "another `tool`'s conventions; other flags override them", "none")
		f.addPolicy(cmd, "gain", "gain `function` of a label r: 2^r-1 or r")
		f.addPolicy(cmd, "ties", "`order` of documents with equal scores")
		f.addPolicy(cmd, "empty", "`value` for queries where a metric is undefined")
		cmd.Flags().Float64Var(&f.maxLabel, "max-label", 4, "highest `label` of the scale, for err")
	})
	return f
}

// preferTREC makes trec_eval's metrics and conventions the default.
func (f *metricFlags) preferTREC() {
	f.trec = true
	if !f.changed("metric") {
		f.list = trecMetrics
	}
	if !f.changed("preset") {
		f.policies[0].value.value = "trec_eval"
	}
}

// evaluator returns the evaluator that the flags describe.
func (f *metricFlags) evaluator() (*rank.Evaluator, error) {
	var o rank.Options
	options := map[string]*string{"preset": &o.Preset, "gain": &o.Gain, "ties": &o.Ties, "empty": &o.Empty}
	for i, p := range f.policies {
		// Use only flags that were given: the default of another flag would override the preset.
		if p.value.value != "none" && (i == 0 || f.changed(p.kind)) {
			*options[p.kind] = p.value.value
		}
	}
	o.NegativeUnjudged = f.trec // the format requires it, with any preset
	if f.changed("max-label") {
		if err := cli.CheckMaxLabel(f.maxLabel); err != nil {
			return nil, usageError{err}
		}
		o.MaxLabel = f.maxLabel
	}
	e, err := rank.NewEvaluator(f.list, o)
	if err != nil { // only flags can be wrong: this one, or the flags for the options
		if _, err := rank.NewEvaluator(f.list, rank.Options{}); err != nil {
			return nil, usageError{errs.Wrap(err, "--metric")}
		}
		return nil, usageError{err}
	}
	for _, m := range e.Metrics() {
		switch {
		case m.NeedsSubtopics() && !f.trec:
			return nil, usagef("--metric %v requires subtopic judgments (use eval --run with --qrels)", m)
		case m.NeedsReference() && !f.reference:
			return nil, usagef("--metric %v requires another run to compare with (use eval --run with --reference)", m)
		}
	}
	if f.reference && !slices.ContainsFunc(e.Metrics(), rank.Metric.NeedsReference) {
		return nil, usagef("--reference requires one of the metrics rbo, rbo-min and rbo-residual")
	}
	return e, nil
}

// checkIDs returns an error if ties are to be broken by document ID and the data have no IDs.
func (f *metricFlags) checkIDs(d *rank.Dataset, path string) error {
	if d.DocIDs != nil {
		return nil
	}
	for _, p := range f.policies {
		switch p.value.value {
		case "trec_eval", "trec_eval9":
			if f.changed("ties") {
				continue
			}
		case "key":
		default:
			continue
		}
		return fmt.Errorf("%s: --%s %s breaks ties by document ID, but the data has no document IDs "+
			"(use another value of --ties)", inputName(path), p.kind, p.value.value)
	}
	return nil
}
