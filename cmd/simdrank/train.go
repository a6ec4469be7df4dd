package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

func trainCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train -d data -o model",
		Short: "Train a ranker",
		Long: `Train a ranker on LETOR data or a table, and write the model. --model selects it:
  ranksvm      linear model, learns from document pairs within a query
  ridge        linear regression of the labels, a baseline
  lambdamart   gradient-boosted trees with LightGBM's lambdarank defaults

The command prints a summary, and the metrics on the --valid data. The first metric
selects C (--c-path) and the number of trees (--early-stopping). Models are
bit-identical for any number of threads and on every processor.

If training is interrupted, no model is written. With --checkpoint, run the same
command again to resume. Flags below are grouped by ranker. docs/reference/cli.md
describes the rankers and their flags.`,
		Example: `  simdrank train -d train.txt --valid vali.txt -o model.json
  simdrank train -d train.txt --c-path auto --cv 5 --metric ndcg@10 -o model.json
  simdrank train -d train.txt --valid vali.txt --model lambdamart \
    --early-stopping 20 --metric ndcg@10 -o trees.json
  simdrank train -d train.txt.gz --c 0.01 --loss logistic -o - | gzip > model.json.gz
  simdrank train --config train.conf --leaves 15 -o trees.json`,
	}
	var t training
	flags := cmd.Flags()
	flags.SortFlags = false
	t.newDataFlags(cmd)
	flags.StringVar(&t.valid, "valid", "", "validation data `file`")
	flags.StringVarP(&t.output, "output", "o", "", "output `file` for the model")
	t.newModelFlag(cmd, "ranksvm", "ridge", "lambdamart")
	forRankers(cmd, func() {
		flags.StringVar(&t.preferences, "preferences", "", "preference `file` to learn from, instead of labels")
	}, "ranksvm", "lambdamart")
	flags.StringVar(&t.page.path, "report", "", "HTML `file` for a report about the model")
	forRankers(cmd, func() {
		flags.BoolVar(&t.verbose, "verbose", false, "print each iteration or tree (ranksvm, lambdamart)")
	}, "ranksvm", "lambdamart")
	t.format = formatFlag(cmd)
	t.newRankerFlags(cmd, func() {
		flags.Float64Var(&t.svm.C, "c", 1, "`weight` of the pair loss relative to the penalty")
		flags.StringVar(&t.selection.Path, "c-path", "", "`list` of C values to try, e.g. 0.01,0.1,1, or auto")
		flags.IntVar(&t.selection.Folds, "cv", 0, "cross-validation folds for --c-path (5 without --valid)")
		section(cmd, "Ridge", func() {
			forRankers(cmd, func() {
				flags.Float64Var(&t.ridge.Alpha, "alpha", 1, "`strength` of the penalty")
			}, "ridge")
		})
	})
	t.trees.define(cmd, "LambdaMART (resuming and files)", cli.FileFlags)
	cmd.MarkFlagRequired("data")
	cmd.MarkFlagRequired("output")
	cmd.Args = t.config.args
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := t.check(cmd, t.valid != ""); err != nil {
			return t.config.explain(err)
		}
		return t.run(cmd)
	}
	return cmd
}

// A training holds the flags of train.
type training struct {
	data          *dataFlags
	metrics       *metricFlags
	output, valid string
	model, loss   *choice
	selection     cli.SVMFlags
	weights       string
	preferences   string
	pairs         *choice
	svm           rank.RankSVM
	ridge         rank.Ridge
	trees         *treeFlags
	verbose       bool
	config        configFile
	page          trainPage
	format        *choice
}

// newDataFlags adds the flags for the data and their weights.
func (t *training) newDataFlags(cmd *cobra.Command) {
	t.data = newDataFlags(cmd)
	cmd.Flags().StringVar(&t.weights, "weights", "", "`file` of query or document weights, one per line")
}

// newModelFlag adds the flag that selects the ranker, and flags for several rankers.
func (t *training) newModelFlag(cmd *cobra.Command, kinds ...string) {
	t.model = choiceFlag(cmd, "model", "`ranker` to train", kinds...)
	forRankers(cmd, func() {
		cmd.Flags().IntVar(&t.svm.Threads, "threads", 0, "threads (default one per processor)")
	}, "ranksvm", "lambdamart")
}

// newRankerFlags adds the flags for metrics and for all rankers except ridge. svm adds other flags
// for RankSVM.
func (t *training) newRankerFlags(cmd *cobra.Command, svm func()) {
	flags := cmd.Flags()
	t.metrics = newMetricFlags(cmd)
	t.config.data = t.data
	section(cmd, "RankSVM", func() {
		forRankers(cmd, func() {
			svm()
			t.loss = choiceFlag(cmd, "loss", "`loss` function of a pair", rank.OptionWords("loss")...)
			t.pairs = choiceFlag(cmd, "pair-weights", "`weighting` of pairs", "equal", "label", "gain")
			cli.DefineSVM(flags, &t.svm)
		}, "ranksvm")
	})
	section(cmd, "LambdaMART (boosting)", func() {
		forRankers(cmd, func() {
			flags.StringVar(&t.config.path, "config", "", "LightGBM configuration `file` (lines of name = value)")
		}, "lambdamart")
	})
	t.trees = newTreeFlags(cmd)
}

// check returns errors about combinations of flags. valid reports whether there are data to measure
// on.
func (t *training) check(cmd *cobra.Command, valid bool) error {
	var misplaced error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if kinds := kindsOf(f); kinds != nil && !slices.Contains(kinds, t.model.value) {
			misplaced = flagUsage(f.Name, " requires --model %s", cli.OneOf(kinds))
		}
	})
	if misplaced != nil {
		return misplaced
	}
	if err := t.checkPreferences(cmd); err != nil {
		return err
	}
	if err := t.trees.check(cmd, valid); err != nil {
		return err
	}
	err := cmp.Or(t.selection.Check(&t.svm, cmd.Flags().Changed), cli.Positive("alpha", t.ridge.Alpha))
	if err != nil {
		return usageError{err}
	}
	return nil
}

// checkPreferences returns errors about flags that cannot be combined with --preferences.
func (t *training) checkPreferences(cmd *cobra.Command) error {
	if t.preferences == "" {
		return nil
	}
	for _, name := range []string{"pair-weights", "truncation", "mean-pairs", "retrain"} {
		if cmd.Flags().Changed(name) {
			return flagUsage(name, " cannot be combined with --preferences")
		}
	}
	switch {
	case t.model.value == "lambdamart" && t.trees.objective.value != "pairwise":
		return flagUsage("preferences", " requires --objective pairwise")
	case t.trees.positionBias.value == "pairwise":
		return flagUsage("position-bias", " pairwise cannot be combined with --preferences")
	case t.selection.Path != "" && t.valid == "":
		return flagUsage("c-path", " with --preferences requires --valid, because folds are evaluated with labels")
	case t.page.path != "" && t.valid == "":
		return flagUsage("report", " with --preferences requires --valid, because metrics require labels")
	}
	t.data.unlabeled = t.valid == ""
	return nil
}

func (t *training) run(cmd *cobra.Command) (err error) {
	evaluator, err := t.metrics.evaluator()
	if err != nil {
		return err
	}
	if err := checkFiles(t.output, t.inputs()...); err != nil {
		return err
	}
	if path := t.trees.trainer.Checkpoint; path != "" {
		if err := checkFiles(path, t.inputs()...); err != nil {
			return err
		}
		if err := t.checkKept("checkpoint", path); err != nil {
			return err
		}
	}
	if err := t.page.check(t); err != nil {
		return err
	}
	d, err := t.load(cmd)
	if err != nil {
		return err
	}
	// The model is also measured on the training data.
	if t.curves() || t.page.path != "" && t.valid == "" || t.selection.Path != "" && t.valid == "" {
		if err := t.metrics.checkIDs(d, t.data.path); err != nil {
			return err
		}
	}
	var valid *rank.Dataset
	if t.valid != "" {
		t.data.features, t.data.texts = d.Names, textColumns(d)
		if valid, err = t.data.loadFile(cmd, t.valid, d.Cols); err != nil {
			return err
		}
		to := model.Alignment{DataName: inputName(t.valid), ModelName: inputName(t.data.path)}
		valid, err = to.ToColumns(valid, d.Names, d.Cols, d.Categories)
		if err != nil {
			return err
		}
		if err := t.metrics.checkIDs(valid, t.valid); err != nil {
			return err
		}
	}

	out := beside(cmd, t.output)
	r := trainResult{verbose: t.verbose, Model: t.model.value, Documents: d.Rows(), Queries: d.Queries(),
		Features: d.Cols}
	m, err := t.fit(cmd, d, valid, evaluator, &r, out)
	if err != nil {
		return readError(t.data.path, err)
	}
	t.note(m, d)
	if err := t.writeModel(cmd, m); err != nil {
		return err
	}
	if t.page.path != "" {
		if err := t.page.write(cmd, t, m, d, valid); err != nil {
			return err
		}
	}
	if valid != nil && r.Valid == nil {
		if r.Valid, err = t.measure(cmd, m, valid, evaluator); err != nil {
			return err
		}
	}
	if err := printResult(out, t.format, r); err != nil {
		return err
	}
	if onTerminal(cmd) && t.output != "-" {
		flags := ""
		if t.data.zeroBased {
			flags += " --zero-based"
		}
		if by := t.data.form.normalize.value; by != "none" {
			flags += " --normalize " + by
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "\nNext, evaluate the model on unseen data: simdrank eval -m %s -d test.txt%s\n",
			quoted(t.output), flags)
	}
	return nil
}

// writeModel writes the model. It uses LightGBM's format if only LightGBM's configuration file
// names the output.
func (t *training) writeModel(cmd *cobra.Command, m rank.Model) error {
	if _, named := t.config.set["output"]; !named {
		return writeModel(cmd, t.output, m)
	}
	warnNames(cmd, m, t.output, "lightgbm")
	return writeOutput(cmd, t.output, func(w io.Writer) error { return model.Write(w, m, "lightgbm") })
}

// inputs returns the files that are read. Files that are not used are "".
func (t *training) inputs() []string {
	return append(t.data.inputs(), t.valid, t.weights, t.preferences, t.trees.Start, t.config.path)
}

// checkKept returns a usage error about a file that the command resumes from. path is "" if there
// is none.
func (t *training) checkKept(flag, path string) error {
	switch {
	case path == "-":
		return flagUsage(flag, " -: must be a regular file, because it is both read and written")
	case path != "" && path == t.output:
		return flagUsage("output", " and --%s must not name the same file", flag)
	case path != "" && files.Special(path):
		return fmt.Errorf("%s is not a regular file: --%s requires one, because it is both read and written", path, flag)
	}
	return nil
}

// load reads the data and their weights, and prepares the ranker for them.
func (t *training) load(cmd *cobra.Command) (d *rank.Dataset, err error) {
	t.svm.Loss = t.loss.value
	if t.svm.Gain, err = cli.PairGain(t.pairs.value); err != nil {
		return nil, err
	}
	if t.trees.Start != "" {
		read := func(r io.Reader, o ...rank.ReadOptions) (*lambdamart.Model, error) {
			return model.Trees(model.Read(r, o...))
		}
		if t.trees.trainer.Start, err = readInput(cmd, t.trees.Start, read); err != nil {
			return nil, err
		}
		t.data.knows(t.trees.trainer.Start)
	}
	t.data.features = append(t.data.features, t.trees.FeatureNames()...)
	if d, err = t.data.load(cmd); err != nil {
		return nil, err
	}
	if t.preferences != "" {
		d.Pairs, err = readInput(cmd, t.preferences, func(r io.Reader, o ...rank.ReadOptions) ([]rank.Pair, error) {
			return cli.ReadPairs(r, d, o...)
		})
		if err != nil {
			return nil, err
		}
	}
	if t.model.value == "lambdamart" {
		if d, err = t.trees.alignStart(cmd, d, t.data.path); err != nil {
			return nil, err
		}
		if err := t.config.checkFeatures(d.Cols + t.data.first()); err != nil {
			return nil, err
		}
		if err := t.trees.set(cmd, d, t.data.first()); err != nil {
			return nil, t.config.explain(err)
		}
	}
	if t.weights != "" {
		weights, err := readNumbers(cmd, t.weights, func(v float64) error {
			if !(v >= 0) || math.IsInf(v, 0) {
				return errors.New("a weight must be finite and not negative")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		switch n := len(weights); {
		case n == d.Queries():
			d.QueryWeights = weights
		case n == d.Rows():
			d.Weights = toRows(d, weights)
		default:
			return nil, fmt.Errorf("%s has %s, but %s has %s and %s", inputName(t.weights), counted(n, "weight"),
				inputName(t.data.path), cli.Count(d.Queries(), "query", "queries"), counted(d.Rows(), "document"))
		}
	}
	return d, nil
}

// note adds to the settings of a model how the training data were processed.
func (t *training) note(m rank.Model, d *rank.Dataset) {
	s := cli.Settings(m)
	if t.weights != "" {
		s["weights"] = "of queries"
		if d.Weights != nil {
			s["weights"] = "of documents"
		}
	}
	if t.preferences != "" {
		s["pair_weights"] = "preferences"
	}
	if by := t.data.form.normalize.value; by != "none" {
		s["normalize"] = by
	}
	if t.data.zeroBased {
		s["zero_based"] = "true"
	}
	if t.trees.Retrain {
		s["retrain"] = "true"
	}
}

// measure returns the metrics of the model on the validation data.
func (t *training) measure(cmd *cobra.Command, m rank.Model, valid *rank.Dataset,
	e *rank.Evaluator) (*rank.Results, error) {
	scores, err := score(cmd, m, valid, t.valid)
	if err != nil {
		return nil, readError(t.valid, err)
	}
	r, err := measure(cmd, e, scores, valid, "on "+inputName(t.valid))
	return r, readError(t.valid, err)
}

// fit trains the model and fills r.
func (t *training) fit(cmd *cobra.Command, d, valid *rank.Dataset, e *rank.Evaluator, r *trainResult,
	out io.Writer) (rank.Model, error) {
	started := time.Now()
	defer func() { r.Seconds = time.Since(started).Seconds() }()
	switch t.model.value {
	case "ridge":
		progress := begin(cmd, "training ridge", "")
		defer progress.end()
		t.ridge.Progress = progress.at
		return asModel(t.ridge.Fit(cmd.Context(), d))
	case "lambdamart":
		return asModel(t.fitTrees(cmd, d, valid, e, r, out))
	}
	return asModel(t.fitSVM(cmd, d, valid, e, r, out))
}

func (t *training) fitSVM(cmd *cobra.Command, d, valid *rank.Dataset, e *rank.Evaluator, r *trainResult,
	out io.Writer) (*rank.Linear, error) {
	progress := begin(cmd, "training RankSVM", "")
	defer progress.end()
	trainings, last := 1, 0 // number of trainings, and last iteration of the current one
	t.svm.OnIteration = func(p rank.FitReport) {
		if p.Iterations < last {
			trainings++
		}
		last = p.Iterations
		i := iteration{p.Iterations, p.Passes, p.Sampled, number(p.Objective), number(p.Gap), p.Elapsed.Seconds()}
		t.page.iterations = append(t.page.iterations, i)
		switch {
		case t.verbose && t.format.value == "json":
			r.Iterations = append(r.Iterations, i)
		case t.verbose:
			fmt.Fprintln(out, i)
		default:
			progress.say(fmt.Sprintf("training %d, iteration %d, gap %.1e", trainings, p.Iterations, p.Gap))
		}
	}
	var m *rank.Linear
	if t.selection.Path == "" && t.selection.Folds == 0 {
		var err error
		if m, err = t.svm.Fit(cmd.Context(), d); err != nil {
			return nil, err
		}
	} else {
		cs, err := t.selection.CValues(&t.svm)
		if err != nil {
			return nil, err
		}
		by := rank.CSelection{Evaluator: e, Folds: t.selection.Folds}
		if t.selection.Folds == 0 {
			by.Valid = valid
		}
		var points []rank.CPoint
		if m, points, err = t.svm.FitPath(cmd.Context(), d, cs, by); err != nil {
			return nil, err
		}
		r.Path = cli.NewCPath(e.Metrics()[0].String(), m, points)
		t.page.cPath = r.Path
		for _, p := range points {
			if p.Unconverged > 0 {
				what := fmt.Sprintf("C = %g: %s", p.C, counted(p.Unconverged, "training"))
				warn(cmd, "%s", cli.Unconverged(inputName(t.data.path), what, p.Gap, &t.svm))
			}
		}
	}
	t.selection.Note(m, t.pairs.value, t.page.cPath, valid != nil)
	f := m.Report
	if !f.Converged() && r.Path == nil {
		warn(cmd, "%s", cli.Unconverged(inputName(t.data.path), "the training", f.Gap, &t.svm))
	}
	r.SVM = cli.NewRankSVM(t.svm.Loss, f)
	return m, nil
}

type trainResult struct {
	Model     string  `json:"model"`
	Documents int     `json:"documents"`
	Queries   int     `json:"queries"`
	Features  int     `json:"features"`
	Seconds   float64 `json:"seconds"` // time of the training, without reading and writing files

	SVM        *cli.RankSVM  `json:"ranksvm,omitempty"`
	Path       *cli.CPath    `json:"c_path,omitempty"`
	Trees      *treesResult  `json:"lambdamart,omitempty"`
	Iterations []iteration   `json:"iterations,omitempty"`
	Valid      *rank.Results `json:"valid,omitempty"`

	verbose bool
}

// An iteration is printed with --verbose, and shown as progress on a terminal.
type iteration struct {
	Iteration int     `json:"iteration"`
	Passes    int     `json:"passes"`
	Sampled   bool    `json:"sampled"`
	Objective number  `json:"objective"`
	Gap       number  `json:"gap"`
	Seconds   float64 `json:"seconds"`
}

func (i iteration) String() string {
	what := ""
	if i.Sampled {
		what = "  (on a sample)"
	}
	return fmt.Sprintf("iteration %d  passes %d  objective %.10g  gap %.1e  %.2f s%s",
		i.Iteration, i.Passes, float64(i.Objective), float64(i.Gap), i.Seconds, what)
}

func (r trainResult) text(w io.Writer) error {
	fmt.Fprintf(w, "%s trained in %.3f s on %s of %s with %s\n", r.Model, r.Seconds,
		counted(r.Documents, "document"), cli.Count(r.Queries, "query", "queries"), counted(r.Features, "feature"))
	if s := r.SVM; s != nil {
		s.Text(w)
	}
	if r.Trees != nil {
		r.Trees.text(w, r.verbose)
	}
	if r.Path != nil {
		if err := r.Path.Text(w); err != nil {
			return err
		}
	}
	if r.Valid == nil {
		return nil
	}
	before := ""
	if r.Trees != nil && r.Trees.Retrain {
		before = ", before retraining on all data"
	}
	fmt.Fprintf(w, "\nvalidation data%s\n", before)
	return cli.Metrics(w, r.Valid)
}
