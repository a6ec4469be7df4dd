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
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/tune"
)

func tuneCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tune -d data",
		Short: "Tune a ranker's hyperparameters by cross-validation",
		Long: `Search randomly for good hyperparameters of RankSVM or LambdaMART. Each trial samples
values and cross-validates them over folds of the queries. The trial with the best
mean of --metric wins. The output is the train command for the best values. With -o,
a model with these values is trained on all data and written to a file.

--space sets the ranges, for example leaves=7:63 (integers),
learning-rate=0.02:0.3:log (log-uniform) or objective=ndcg|pairwise (choices).
--space none evaluates the given flags without sampling. docs/reference/cli.md
lists the default ranges.

With --study, run the same command again to resume, or to add --trials.

Flags that can be tuned:
` + cli.WrapWords("", append(tune.ParameterNames("ranksvm"), tune.ParameterNames("lambdamart")...), 0, 84) + `.`,
		Example: `  simdrank tune -d train.txt --model lambdamart --trials 50 --study study.json -o trees.json
  simdrank tune -d train.txt --model lambdamart --space leaves=7:63,learning-rate=0.02:0.3:log
  simdrank tune -d train.txt --trials 10 --metric map -o model.json`,
	}
	var t tuning
	flags := cmd.Flags()
	flags.SortFlags = false
	t.newDataFlags(cmd)
	flags.StringVarP(&t.output, "output", "o", "", "output `file` for the best model")
	t.newModelFlag(cmd, "ranksvm", "lambdamart")
	flags.IntVar(&t.study.Trials, "trials", 20, "trials to run")
	flags.IntVar(&t.study.Folds, "cv", 5, "cross-validation folds")
	flags.IntVar(&t.study.Halving, "halving", 0, "keep the best 1/`n` of trials for n times the work")
	flags.StringVar(&t.space, "space", "", "`ranges` to sample, e.g. leaves=7:63,l2=0.01:100:log")
	flags.StringVar(&t.study.File, "study", "", "JSON `file` to save trials to and resume from")
	t.format = formatFlag(cmd)
	t.newRankerFlags(cmd, func() {})
	for name, value := range map[string]string{"metric": "ndcg@10", "trees": "500", "early-stopping": "20"} {
		f := flags.Lookup(name)
		f.DefValue = value
		f.Value.Set(value) // the value is valid
	}
	flags.Lookup("metric").Usage = "`metric` to maximize"
	flags.Lookup("trees").Usage = "maximum trees"
	flags.Lookup("early-stopping").Usage = "trees without improvement over the folds before stopping"
	seed := flags.Lookup("seed") // RankSVM uses it too, for folds and trials
	seed.Usage, seed.Annotations = "random `seed` for folds, trials and trees", nil
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

// A tuning holds the flags of tune. The flags of the training apply to all trials.
type tuning struct {
	training
	study tune.Study
	space string
}

// check returns errors about combinations of flags.
func (t *tuning) check(cmd *cobra.Command) (err error) {
	t.svm.C, t.ridge.Alpha = 1, 1 // tune has no flags for them
	t.trees.Search = true
	switch {
	case t.study.Trials < 1:
		return flagUsage("trials", " %d: must be at least 1", t.study.Trials)
	case t.study.Folds < 2:
		return flagUsage("cv", " %d: must be at least 2", t.study.Folds)
	case cmd.Flags().Changed("halving") && (t.study.Halving < 2 || t.study.Halving > t.study.Folds):
		return flagUsage("halving", " %d: must be from 2 to --cv, %d", t.study.Halving, t.study.Folds)
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
			return flagUsage("space", ": %s cannot be tuned for --model %s", r.Name, t.model.value)
		}
		if cmd.Flags().Changed(r.Name) {
			return flagUsage(r.Name, " cannot be combined with --space, which also sets it")
		}
	}
	if t.study.LambdaMART == nil {
		return nil
	}
	return t.checkObjectives(cmd)
}

// checkObjectives returns an error about a flag or a range that an objective of the trials does not
// use, because train would refuse it.
func (t *tuning) checkObjectives(cmd *cobra.Command) error {
	objectives := []string{t.study.LambdaMART.Objective.String()}
	for _, r := range t.study.Space {
		if r.Name == "objective" {
			objectives = strings.Split(strings.TrimPrefix(r.String(), "objective="), "|")
		}
	}
	for _, name := range objectives {
		trainer := *t.study.LambdaMART
		var err error
		if trainer.Objective, err = lambdamart.ParseObjective(name); err != nil {
			return err
		}
		err = cli.CheckObjective(&trainer, func(flag string) bool {
			return cmd.Flags().Changed(flag) ||
				slices.ContainsFunc(t.study.Space, func(r tune.Range) bool { return r.Name == flag })
		})
		if err != nil {
			return flagUsage("space", ": %w", err)
		}
	}
	return nil
}

func (t *tuning) run(cmd *cobra.Command) (err error) {
	started := time.Now()
	if t.study.Evaluator, err = t.metrics.evaluator(); err != nil {
		return err
	}
	if len(t.study.Evaluator.Metrics()) != 1 {
		return t.config.explain(flagUsage("metric", " %s: must be a single metric", t.metrics.list))
	}
	for _, output := range []string{t.output, t.study.File} {
		if err := checkFiles(output, t.inputs()...); err != nil {
			return err
		}
	}
	if err := t.checkKept("study", t.study.File); err != nil {
		return err
	}
	given := t.given(cmd) // called first, because load changes values of 0
	for _, word := range append(given, t.data.path, t.output) {
		if t.format.value == "json" && !utf8.ValidString(word) {
			return flagUsage("format", " json prints the train command, which must be UTF-8, not %q", word)
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
		Metric: t.study.Evaluator.String(), Folds: t.study.Folds, Halving: t.study.Halving,
		Seed: t.study.Seed, Best: found.Best + 1,
		Command: t.command(given, best)}
	for _, of := range t.study.Space {
		r.Space = append(r.Space, of.String())
	}
	for i, of := range found.Trials {
		trial := tuneTrial{Trial: i + 1, Parameters: map[string]any{}, Trees: of.Trees, Value: of.Value,
			MaxTrees: of.MaxTrees, Folds: of.Folds}
		for k, v := range of.Parameters {
			name, word := t.study.Space[k].Name, t.study.Space[k].Format(v)
			if trial.Parameters[name] = v; word != formatNumber(v) {
				trial.Parameters[name] = word
			}
		}
		r.Trials = append(r.Trials, trial)
	}
	r.space = t.study.Space
	if t.output != "" {
		training := begin(cmd, "training the best model on all data", "")
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

// search runs the trials.
func (t *tuning) search(cmd *cobra.Command, d *rank.Dataset) (*tune.Result, error) {
	progress := begin(cmd, "tuning "+t.model.value, "")
	defer progress.end()
	trials := t.study.Trials
	if len(t.study.Space) == 0 { // all trials would be identical
		trials = 1
	}
	progress.at(0, int64(trials))
	t.study.Progress = progress.at
	t.study.OnTrial = func(r *tune.Result) {
		said := fmt.Sprintf("trial %d of %d", min(len(r.Trials)+1, trials), trials) // --halving repeats trials
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
		return nil, &keptError{err, fmt.Sprintf("%s contains %s: run the same command again to resume",
			t.study.File, counted(len(r.Trials), "trial"))}
	}
	return nil, readError(t.data.path, err)
}

// given returns the flags that were given, for a train command.
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

// command returns the train command that trains the model of a trial. given are the flags that were
// given to tune.
func (t *tuning) command(given []string, trial *tune.Trial) string {
	output := cmp.Or(t.output, "model.json")
	words := append([]string{"simdrank", "train", "-d", quoted(t.data.path), "-o", quoted(output), "--model",
		t.model.value}, given...)
	for i, v := range trial.Parameters {
		words = append(words, "--"+t.study.Space[i].Name, t.study.Space[i].Format(v))
	}
	if t.model.value == "lambdamart" {
		words = append(words, "--trees", strconv.Itoa(trial.Trees))
	}
	return strings.Join(words, " ")
}

// tuneResult is the result of tune.
type tuneResult struct {
	Model     string      `json:"model"`
	Documents int         `json:"documents"`
	Queries   int         `json:"queries"`
	Features  int         `json:"features"`
	Seconds   float64     `json:"seconds"`
	Metric    string      `json:"metric"`
	Folds     int         `json:"folds"`
	Halving   int         `json:"halving,omitempty"`
	Seed      uint64      `json:"seed"`
	Space     []string    `json:"space"`
	Trials    []tuneTrial `json:"trials"`
	Best      int         `json:"best"`    // number of the best trial
	Command   string      `json:"command"` // train command for the best trial

	space []tune.Range
}

type tuneTrial struct {
	Trial      int            `json:"trial"`      // from 1
	Parameters map[string]any `json:"parameters"` // numbers or words
	Trees      int            `json:"trees,omitempty"`
	MaxTrees   int            `json:"max_trees,omitempty"` // limit of Trees
	Value      float64        `json:"value"`               // mean over the folds
	Folds      []float64      `json:"folds"`
}

// columns returns the names of the sampled parameters.
func (r tuneResult) columns() (names []string) {
	for _, of := range r.space {
		names = append(names, of.Name)
	}
	if r.Model == "lambdamart" {
		names = append(names, "trees")
		if r.Halving > 0 {
			names = append(names, "max_trees")
		}
	}
	if r.Halving > 0 {
		names = append(names, "folds")
	}
	return names
}

// drawn returns the values of the columns: numbers or words.
func (r tuneResult) drawn(trial *tuneTrial) (values []any) {
	for _, of := range r.space {
		values = append(values, trial.Parameters[of.Name])
	}
	if r.Model == "lambdamart" {
		values = append(values, float64(trial.Trees))
		if r.Halving > 0 {
			values = append(values, float64(trial.MaxTrees))
		}
	}
	if r.Halving > 0 {
		values = append(values, float64(len(trial.Folds)))
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
		row = append(append(row[:0], trial.Trial), r.drawn(trial)...)
		row = append(row, trial.Value)
		for _, v := range trial.Folds {
			row = append(row, v)
		}
		for range r.Folds - len(trial.Folds) {
			row = append(row, nil)
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
			if number, ok := v.(float64); ok {
				v = formatNumber(number)
			}
			fmt.Fprintf(t, "%v\t", v)
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
	_, err := fmt.Fprintf(w, "\nTo train the best model on all data:\n  %s\n", r.Command)
	return err
}
