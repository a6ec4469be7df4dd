package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/tune"
)

func tuneCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tune -d data",
		Short: "Choose the settings of a ranker by cross-validation",
		Long: `Search for the settings with which RankSVM or LambdaMART ranks best. Each trial
draws values at random, trains on all folds of the queries but one, and measures
on that one. The mean of --metric over the folds decides. The command prints the
best settings as a command line of train, and -o writes their model, which is
trained on all data.

--space holds ranges of flags, as in leaves=7:63 or learning-rate=.02:.3:log.
With --study the same command resumes, also with more --trials. The default
ranges and other details are in docs/reference.md.

Flags that can be drawn: ` + wrapped(len("Flags that can be drawn: "), append(tune.ParameterNames("ranksvm"),
			tune.ParameterNames("lambdamart")...)) + `.`,
		Example: `  simdrank tune -d train.txt --model lambdamart --trials 50 --study study.json -o trees.json
  simdrank tune -d train.txt --model lambdamart --space leaves=7:63,learning-rate=.02:.3:log
  simdrank tune -d train.txt --trials 10 --metric map -o model.json`,
	}
	var t tuning
	flags := cmd.Flags()
	flags.SortFlags = false
	t.newDataFlags(cmd)
	flags.StringVarP(&t.output, "output", "o", "", "file for the model of the best trial")
	t.format = formatFlag(cmd)
	flags.IntVar(&t.study.Trials, "trials", 20, "draws of settings to try")
	flags.IntVar(&t.study.Folds, "cv", 5, "folds of the cross-validation by query")
	flags.StringVar(&t.space, "space", "", "ranges to draw from, as in leaves=7:63,l2=.01:100:log")
	flags.StringVar(&t.study.File, "study", "", "JSON file to keep the trials in, and to go on from")
	t.newRankerFlags(cmd, "ranksvm", "lambdamart")
	for name, value := range map[string]string{"metric": "ndcg@10", "trees": "500", "early-stopping": "20"} {
		f := flags.Lookup(name)
		f.DefValue = value
		f.Value.Set(value) // which is one
	}
	flags.Lookup("metric").Usage = "metric that decides"
	flags.Lookup("trees").Usage = "lambdamart: trees to grow at most"
	flags.Lookup("early-stopping").Usage = "lambdamart: trees without a better mean over the folds to stop at, 0 to grow all"
	flags.Lookup("seed").Usage = "seed of the folds, of the trials, and of what trees draw"
	cmd.MarkFlagRequired("data")
	cmd.Args = t.config.args
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := t.check(cmd); err != nil {
			return t.config.explain(err)
		}
		return t.run(cmd)
	}
	return cmd
}

// A tuning is what the flags of tune say: those of a training are common to all trials.
type tuning struct {
	training
	study tune.Study
	space string
}

// check returns errors of usage that no single flag can tell.
func (t *tuning) check(cmd *cobra.Command) (err error) {
	t.svm.C, t.ridge.Alpha = 1, 1 // no flags here set them
	t.trees.Search = true
	switch {
	case t.study.Trials < 1:
		return flagUsage("trials", " %d: want a number from 1", t.study.Trials)
	case t.study.Folds < 2:
		return flagUsage("cv", " %d: want a number from 2", t.study.Folds)
	}
	if err := t.training.check(cmd, true); err != nil {
		return err
	}
	t.study.Seed = t.trees.trainer.Seed
	if t.model.value == "lambdamart" {
		t.study.LambdaMART = &t.trees.trainer
	} else {
		t.study.RankSVM = &t.svm
	}
	if !cmd.Flags().Changed("space") {
		t.study.Space = slices.DeleteFunc(t.study.DefaultSpace(), func(r tune.Range) bool {
			return cmd.Flags().Changed(r.Name)
		})
		return nil
	}
	if t.study.Space, err = tune.ParseSpace(t.space); err != nil {
		return usageError{errs.Wrap(err, "--space")}
	}
	for _, r := range t.study.Space {
		if !slices.Contains(tune.ParameterNames(t.model.value), r.Name) {
			return flagUsage("space", ": %s is no setting of --model %s", r.Name, t.model.value)
		}
		if cmd.Flags().Changed(r.Name) {
			return flagUsage(r.Name, " is given, and --space draws it, too")
		}
	}
	if t.study.LambdaMART == nil {
		return nil
	}
	err = cli.CheckObjective(t.study.LambdaMART, func(flag string) bool {
		return slices.ContainsFunc(t.study.Space, func(r tune.Range) bool { return r.Name == flag })
	})
	if err != nil {
		return flagUsage("space", ": %w", err)
	}
	return nil
}

func (t *tuning) run(cmd *cobra.Command) (err error) {
	started := time.Now()
	if t.study.Evaluator, err = t.metrics.evaluator(); err != nil {
		return err
	}
	if len(t.study.Evaluator.Metrics()) != 1 {
		return t.config.explain(flagUsage("metric", " %s: want the one metric that decides", t.metrics.list))
	}
	for _, output := range []string{t.output, t.study.File} {
		if err := checkFiles(output, t.inputs()...); err != nil {
			return err
		}
	}
	if err := t.checkKept("study", t.study.File); err != nil {
		return err
	}
	given := t.given(cmd) // load changes what flags of value 0 hold
	for _, word := range append(given, t.data.path, t.output) {
		if t.format.value == "json" && !utf8.ValidString(word) {
			return flagUsage("format", " json prints the command that trains the model, which must be UTF-8, not %q", word)
		}
	}
	d, err := t.load(cmd)
	if err != nil {
		return err
	}
	if err := t.metrics.checkIDs(d, t.data.path); err != nil {
		return err
	}
	found, err := t.search(cmd, d)
	if err != nil {
		return err
	}
	best := &found.Trials[found.Best]
	r := tuneResult{Model: t.model.value, Documents: d.Rows(), Queries: d.Queries(), Features: d.Cols,
		Metric: t.study.Evaluator.String(), Folds: t.study.Folds, Seed: t.study.Seed, Best: found.Best + 1,
		Command: t.command(given, best)}
	for _, of := range t.study.Space {
		r.Space = append(r.Space, of.String())
	}
	for i, of := range found.Trials {
		trial := tuneTrial{Trial: i + 1, Parameters: map[string]float64{}, Trees: of.Trees, Value: of.Value,
			Folds: of.Folds}
		for k, v := range of.Parameters {
			trial.Parameters[t.study.Space[k].Name] = v
		}
		r.Trials = append(r.Trials, trial)
	}
	r.space = t.study.Space
	if t.output != "" {
		training := begin(cmd, "training the best on all data", "")
		m, err := t.study.Fit(cmd.Context(), d, best)
		if training.end(); err != nil {
			return readError(t.data.path, err)
		}
		if linear, ok := m.(*rank.Linear); ok {
			t.selection.Note(linear, t.pairs.value, nil, false)
		}
		t.note(m, d)
		if err := t.writeModel(cmd, m); err != nil {
			return err
		}
	}
	r.Seconds = time.Since(started).Seconds()
	return printResult(beside(cmd, t.output), t.format, r)
}

// search makes the trials.
func (t *tuning) search(cmd *cobra.Command, d *rank.Dataset) (*tune.Result, error) {
	progress := begin(cmd, "tuning "+t.model.value, "")
	defer progress.end()
	trials := t.study.Trials
	if len(t.study.Space) == 0 { // all trials would be the same
		trials = 1
	}
	progress.at(0, int64(trials))
	t.study.Progress = progress.at
	t.study.OnTrial = func(r *tune.Result) {
		said := fmt.Sprintf("trial %d of %d", len(r.Trials)+1, trials)
		if len(r.Trials) > 0 {
			said += fmt.Sprintf(", best %s %.4f", t.study.Evaluator, r.Trials[r.Best].Value)
		}
		progress.say(said)
	}
	r, err := t.study.Search(cmd.Context(), d)
	switch {
	case err == nil:
		return r, nil
	case r != nil && len(r.Trials) > 0 && t.study.File != "":
		return nil, &keptError{err, fmt.Sprintf("%s keeps %s, from which the same command goes on", t.study.File,
			counted(len(r.Trials), "trial"))}
	}
	return nil, readError(t.data.path, err)
}

// given returns the flags that were given, for a command line of train.
func (t *tuning) given(cmd *cobra.Command) (words []string) {
	train := trainCommand().Flags()
	skip := []string{"data", "output", "model", "config", "cv", "trees", "early-stopping", "threads", "format",
		"metric", "preset", "gain", "ties", "empty", "max-label"}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch of := train.Lookup(f.Name); {
		case !f.Changed || of == nil || slices.Contains(skip, f.Name):
		case len(kindsOf(of)) > 0 && !slices.Contains(kindsOf(of), t.model.value): // --seed
		default:
			words = append(words, flagWords(f)...)
		}
	})
	return words
}

// command returns the command line of train, with the flags that were given, that makes the model
// of a trial.
func (t *tuning) command(given []string, trial *tune.Trial) string {
	output := cmp.Or(t.output, "model.json")
	words := append([]string{"simdrank", "train", "-d", quoted(t.data.path), "-o", quoted(output), "--model",
		t.model.value}, given...)
	for i, v := range trial.Parameters {
		words = append(words, "--"+t.study.Space[i].Name, formatNumber(v))
	}
	if t.model.value == "lambdamart" {
		words = append(words, "--trees", strconv.Itoa(trial.Trees))
	}
	return strings.Join(words, " ")
}

// tuneResult is what tune prints.
type tuneResult struct {
	Model     string      `json:"model"`
	Documents int         `json:"documents"`
	Queries   int         `json:"queries"`
	Features  int         `json:"features"`
	Seconds   float64     `json:"seconds"`
	Metric    string      `json:"metric"`
	Folds     int         `json:"folds"`
	Seed      uint64      `json:"seed"`
	Space     []string    `json:"space"`
	Trials    []tuneTrial `json:"trials"`
	Best      int         `json:"best"`    // number of the trial
	Command   string      `json:"command"` // that trains its model

	space []tune.Range
}

type tuneTrial struct {
	Trial      int                `json:"trial"` // from 1
	Parameters map[string]float64 `json:"parameters"`
	Trees      int                `json:"trees,omitempty"`
	Value      float64            `json:"value"` // mean over the folds
	Folds      []float64          `json:"folds"`
}

// columns are the names of what a trial has drawn.
func (r tuneResult) columns() (names []string) {
	for _, of := range r.space {
		names = append(names, of.Name)
	}
	if r.Model == "lambdamart" {
		names = append(names, "trees")
	}
	return names
}

// drawn are the values of the columns.
func (r tuneResult) drawn(trial *tuneTrial) (values []float64) {
	for _, of := range r.space {
		values = append(values, trial.Parameters[of.Name])
	}
	if r.Model == "lambdamart" {
		values = append(values, float64(trial.Trees))
	}
	return values
}

// csv has a row for each trial.
func (r tuneResult) csv(t *csvTable) {
	row := []any{"trial"}
	for _, name := range append(r.columns(), r.Metric) {
		row = append(row, name)
	}
	for i := range r.Folds {
		row = append(row, fmt.Sprintf("fold_%d", i+1))
	}
	t.row(row...)
	for i := range r.Trials {
		trial := &r.Trials[i]
		row = append(row[:0], trial.Trial)
		for _, v := range slices.Concat(r.drawn(trial), []float64{trial.Value}, trial.Folds) {
			row = append(row, v)
		}
		t.row(row...)
	}
}

func (r tuneResult) text(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s on %s of %s with %s of %s, in %.1f s\n\n", r.Model, counted(len(r.Trials), "trial"),
		counted(r.Folds, "fold"), cli.Count(r.Queries, "query", "queries"), counted(r.Documents, "document"),
		counted(r.Features, "feature"), r.Seconds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "trial\t%s\t\n", strings.Join(append(r.columns(), r.Metric), "\t"))
	for i := range r.Trials {
		trial := &r.Trials[i]
		fmt.Fprintf(t, "%d\t", trial.Trial)
		for _, v := range r.drawn(trial) {
			fmt.Fprintf(t, "%s\t", formatNumber(v))
		}
		mark := ""
		if trial.Trial == r.Best {
			mark = " *"
		}
		fmt.Fprintf(t, "%.4f\t%s\n", trial.Value, mark)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nThe best, on all data:\n  %s\n", r.Command)
	return err
}
