package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	rankbeam "github.com/simdrank/simdrank/beam"
	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// The exit codes. Those after a signal are of [cli.ExitCode].
const (
	exitOK      = 0
	exitFailure = 1 // bad input, a file that cannot be read or written, a runner that fails
	exitUsage   = 2 // flags or arguments that make no sense
)

// run is the program but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &files.Output{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var f *failure
	if out.Err != nil && !errors.As(err, &f) { // of help, a list of flags, a script of completion
		err = &failure{out.Err}
	}
	if err == nil {
		return exitOK
	}
	if errors.As(err, &f) {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = errors.New("interrupted")
		}
		fmt.Fprintf(stderr, "simdrank-beam: %s\n", wording(cmd, err))
		return cli.ExitCode(ctx, exitFailure)
	}
	fmt.Fprintf(stderr, "simdrank-beam: %s\nRun '%s --help' for usage.\n", wording(cmd, err), cmd.CommandPath())
	return exitUsage
}

// A failure is an error of a command's work. Others are of its flags and arguments.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// hints say in terms of flags what options of the library accept.
var hints = map[string]string{
	"ZeroBased":           "--zero-based",
	"NullAs":              "--null-as",
	"MaxFeature":          "--max-feature",
	"NegativeUnjudged":    "--preset trec_eval",
	"Gain":                "--gain linear",
	"MaxLabel":            "--max-label",
	"Ties":                "another value of --ties",
	"IgnoreExtraFeatures": "--ignore-extra-features",
}

// wording is the error's text with flags of cmd for options.
func wording(cmd *cobra.Command, err error) string {
	err = cli.WithFlags(err, func(o *rank.OptionError) string {
		hint := hints[o.Option]
		if hint == "" || o.Option == "IgnoreExtraFeatures" && cmd.Flags().Lookup("ignore-extra-features") == nil {
			return "" // train lacks the flag
		}
		return "allowed by " + hint
	})
	return errs.Printable(errs.Bare(err))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "simdrank-beam",
		Short: "Train on, score and measure data that outgrow a machine, on Apache Beam",
		Long: `simdrank-beam trains on, scores and measures the files of a pattern (LETOR text,
.gz, .simdrank) on Apache Beam, with the results of simdrank on one machine to the
bit, whatever the number of files and workers. The rows of a query are in one file.

Patterns and names are of files here, or gs://… or s3://… . --runner takes prism,
which runs in this process, direct, dataflow, flink, spark or universal; flags of
the Beam SDK, such as --endpoint, --project and --region, are listed by
'simdrank-beam runner-flags'. Workers on other machines need --work-dir, a folder
that they share with this one, for models and results.

Exit codes: 0 success, 1 bad input or failure, 2 wrong usage, and after a signal
128 and its number, such as 130 after Ctrl-C (SIGINT). A second signal ends a
command at once.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(trainCommand(), predictCommand(), evalCommand(), compareCommand(), describeCommand())
	for _, cmd := range root.Commands() {
		checkUsage(cmd)
		work := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			err := work(cmd, args)
			if err == nil || errors.As(err, new(usageError)) {
				return err
			}
			return &failure{err}
		}
		cmd.Flags().AddGoFlagSet(flag.CommandLine)
		flag.VisitAll(func(f *flag.Flag) {
			if f.Name != "runner" {
				cmd.Flags().Lookup(f.Name).Hidden = true
			}
		})
		cmd.Flags().Lookup("runner").Usage = "prism, direct, dataflow, flink, spark or universal (default prism)"
	}
	root.AddCommand(workersCommand(), &cobra.Command{
		Use: "runner-flags", Short: "List the flags of the Beam SDK, which choose and configure a runner",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			sdk := pflag.NewFlagSet("", pflag.ContinueOnError)
			sdk.AddGoFlagSet(flag.CommandLine)
			_, err := fmt.Fprint(cmd.OutOrStdout(), sdk.FlagUsages())
			return err
		},
	})
	root.InitDefaultHelpCmd()
	help, _, _ := root.Find([]string{"help"}) // no error: it is there
	help.Args = func(_ *cobra.Command, args []string) error {
		if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
			return fmt.Errorf("unknown help topic %q", strings.Join(args, " "))
		}
		return nil
	}
	return root
}

// A countedValue is a flag's, and knows how often it was given.
type countedValue struct {
	pflag.Value
	times int
}

func (v *countedValue) Set(s string) error {
	v.times++
	return v.Value.Set(s)
}

// checkUsage makes cmd refuse, before its work, what simdrank refuses, too: a flag that was given
// twice, of which the last value would silently win, and empty values and arguments, as of a
// variable of the shell that is not set. It comes after the flags are made.
func checkUsage(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Value = &countedValue{Value: f.Value} })
	checkArgs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		if i := slices.Index(args, ""); i >= 0 {
			return fmt.Errorf("argument %d is empty", i+1)
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			v, ok := f.Value.(*countedValue) // not of a flag of Beam
			switch {
			case ok && v.times > 1:
				err = fmt.Errorf("--%s is given twice", f.Name)
			case ok && v.Type() == "string" && v.String() == "":
				err = fmt.Errorf("--%s is empty, and needs a value: %s", f.Name, f.Usage)
			}
		})
		return cmp.Or(err, checkArgs(cmd, args))
	}
}

// noArguments refuses arguments, which are what a shell makes of a pattern without quotes.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %.40q: patterns are in quotes, as in -d 'data/*.gz'", args[0])
}

// A usageError is wrong usage that only a command's work notices.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// jobFlags are those of every command.
type jobFlags struct {
	job    rankbeam.Job
	null   float32
	format string
	flags  *pflag.FlagSet
}

func addJobFlags(cmd *cobra.Command, formats string) *jobFlags {
	f := &jobFlags{flags: cmd.Flags()}
	d := &f.job.Data
	f.flags.StringVarP(&d.Glob, "data", "d", "", "pattern of the files to read, such as 'gs://bucket/train-*.gz'")
	f.flags.BoolVar(&d.ZeroBased, "zero-based", false, "text: feature indices start at 0")
	d.MaxFeature = modelfile.MaxFeatures
	f.flags.Var((*cli.FeatureLimit)(&d.MaxFeature), "max-feature", "largest feature index to accept")
	f.flags.Float32Var(&f.null, "null-as", 0, "text: value of features that are NULL (default an error)")
	f.flags.StringVar(&f.job.WorkDir, "work-dir", "", "folder that workers share with this machine (default one of its own)")
	f.flags.StringVar(&f.format, "format", "text", "form of the printed results: "+formats)
	cmd.MarkFlagRequired("data")
	return f
}

// start returns the job, and readies Beam.
func (f *jobFlags) start(formats ...string) (*rankbeam.Job, error) {
	if !slices.Contains(formats, f.format) {
		return nil, usageError{fmt.Errorf("--format %s: want %s", f.format, strings.Join(formats, " or "))}
	}
	if f.flags.Changed("null-as") {
		f.job.Data.NullAs = &f.null
	}
	switch *runners.Runner {
	case "", "prism", "direct": // which log much that means nothing to a user
		defer slog.SetDefault(slog.New(slog.DiscardHandler)) // after Init, which sets a logger
	case "dataflow", "flink", "spark", "universal":
	default:
		return nil, usageError{fmt.Errorf("--runner %s: want prism, direct, dataflow, flink, spark or universal",
			*runners.Runner)}
	}
	if !beam.Initialized() {
		beam.Init()
	}
	return &f.job, nil
}

// scoreFlags are those of commands that score with models.
type scoreFlags struct {
	trees       cli.Trees
	zeroMissing bool
	job         *jobFlags
}

func addScoreFlags(cmd *cobra.Command, f *jobFlags) *scoreFlags {
	s := &scoreFlags{job: f}
	cmd.Flags().BoolVar(&f.job.IgnoreExtraFeatures, "ignore-extra-features", false,
		"score without the features that a model does not have")
	cmd.Flags().BoolVar(&s.zeroMissing, "zero-missing", false,
		"trees: 0 and features left out are missing (default by the model)")
	cmd.Flags().Var(&s.trees, "trees", "the first N trees, up to the best iteration, or all")
	return s
}

// load reads a model.
func (f *scoreFlags) load(cmd *cobra.Command, name string) (rankbeam.System, error) {
	m, err := remote.Load(cmd.Context(), name, func(r io.Reader) (rank.Model, error) { return model.Read(r) })
	if err != nil {
		return rankbeam.System{}, cli.FileError(name, err)
	}
	s := rankbeam.System{Name: name, Model: m}
	trees, ok := m.(*lambdamart.Model)
	if !ok {
		if cmd.Flags().Changed("trees") {
			return s, usageError{fmt.Errorf("--trees: %s is a linear model", name)}
		}
		return s, nil
	}
	if trees.CategoryCodes {
		warn(cmd, name+": "+cli.CategoryCodes)
	}
	if cmd.Flags().Changed("zero-missing") {
		warn(cmd, cli.SetZeros(trees, f.zeroMissing, name))
	}
	return s, f.trees.Cut(trees, name)
}

// warnOfData warns of what the data of a pass leave out, as far as a model does not say what that
// means, and of features that the model seems to count in another way.
func (f *scoreFlags) warnOfData(cmd *cobra.Command, s rankbeam.System, p *rankbeam.Pass) {
	trees, ok := s.Model.(*lambdamart.Model)
	if !ok {
		return
	}
	if !f.job.job.Data.ZeroBased {
		warn(cmd, cli.CountedFromZero(trees, p.Cols, s.Name, f.job.job.Data.Glob))
	}
	if !cmd.Flags().Changed("zero-missing") {
		warn(cmd, cli.UnknownZeros(trees, p.Absent, p.Cols, s.Name, f.job.job.Data.Glob))
	}
}

// warn prints a warning, if there is one.
func warn(cmd *cobra.Command, warning string) {
	if warning != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "simdrank-beam: warning: %s\n", errs.Printable(warning))
	}
}

// metricFlags choose metrics and their policies.
type metricFlags struct {
	metrics, preset, gain, ties, empty string
	maxLabel                           float64
	flags                              *pflag.FlagSet
}

func addMetricFlags(cmd *cobra.Command) *metricFlags {
	f := &metricFlags{flags: cmd.Flags()}
	f.flags.StringVar(&f.metrics, "metric", "ndcg@10,ndcg,map,tau-b,pair-accuracy", "metrics")
	f.flags.StringVar(&f.preset, "preset", "none", "policies of another tool; other flags amend them")
	f.flags.StringVar(&f.gain, "gain", "exp", "gain of a label r: exp (2^r-1) or linear (r)")
	f.flags.StringVar(&f.ties, "ties", "average", "documents with equal scores: average, stable, pessimistic, optimistic, key")
	f.flags.StringVar(&f.empty, "empty", "skip", "queries that leave a metric undefined: skip, zero, one, nan")
	f.flags.Float64Var(&f.maxLabel, "max-label", 4, "highest label of the scale, for err")
	return f
}

// set sets the evaluator of a job.
func (f *metricFlags) set(job *rankbeam.Job) error {
	var o rank.Options
	for _, flag := range []struct {
		kind, of, word string
		option         *string
	}{
		{"preset", "preset", f.preset, &o.Preset},
		{"gain", "gain", f.gain, &o.Gain},
		{"ties", "order of ties", f.ties, &o.Ties},
		{"empty", "treatment of empty queries", f.empty, &o.Empty},
	} {
		if !f.flags.Changed(flag.kind) || flag.word == "none" && flag.kind == "preset" {
			continue
		}
		if err := cli.CheckWord(flag.kind, flag.of, flag.word, rank.OptionWords(flag.kind)); err != nil {
			return usageError{err}
		}
		*flag.option = flag.word
	}
	if f.flags.Changed("max-label") {
		o.MaxLabel = f.maxLabel
	}
	var err error
	if job.Evaluator, err = rank.NewEvaluator(f.metrics, o); err != nil { // one of the flags is wrong
		if _, err := rank.NewEvaluator(f.metrics, rank.Options{}); err != nil {
			return usageError{errs.Wrap(err, "--metric")}
		}
		return usageError{err}
	}
	return nil
}

// tell prints what a pass took.
func tell(cmd *cobra.Command, p *rankbeam.Pass) {
	queries := ""
	if p.Queries > 0 {
		queries = cli.Count(p.Queries, "query", "queries") + ", "
	}
	fmt.Fprintln(cmd.ErrOrStderr(), took(p, queries))
}

// took says what a pass took. queries come before the documents.
func took(p *rankbeam.Pass, queries string) string {
	return fmt.Sprintf("%s, %s%s in %.2f s, %.0f a second; %s shipped", cli.Count(p.Files, "file", "files"), queries,
		cli.Count(p.Rows, "document", "documents"), p.Seconds, p.Speed, cli.Count(p.Bytes, "byte", "bytes"))
}

func predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict -m model -d pattern -o name",
		Short: "Score documents with a model, one score per line",
		Long: `Score documents with a model, one score per line, in the order of the data.
The scores of file 3 of 12, counted from 0 in the order of names, are those of its
lines, in NAME-00003-of-00012. The files appear when all are written, or none.

Neither label nor qid is needed. Scores have as many digits as it takes to read the
same bits back.`,
		Example: `  simdrank-beam predict -m model.json -d 'data/test-*.gz' -o scores`,
		Args:    noArguments,
	}
	f := addJobFlags(cmd, "text or json")
	scoring := addScoreFlags(cmd, f)
	var name, out string
	cmd.Flags().StringVarP(&name, "model", "m", "", "model to score with")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the start of the names of the files for the scores")
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		job, err := f.start("text", "json")
		if err != nil {
			return err
		}
		s, err := scoring.load(cmd, name)
		if err != nil {
			return err
		}
		pass, err := job.Predict(cmd.Context(), s, out)
		if err != nil {
			return err
		}
		scoring.warnOfData(cmd, s, pass)
		tell(cmd, pass)
		if f.format == "json" {
			return text.WriteJSON(cmd.OutOrStdout(), map[string]any{"pass": pass})
		}
		return nil
	}
	return cmd
}

func evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval -m model -d pattern",
		Short: "Measure the ranking of a model",
		Long: `Measure how well a model ranks the documents of each query. Metrics and policies
are those of simdrank eval, which explains them; so are the means, to the bit.

--per-query NAME writes the values of single queries, a line of JSON each, to a file
for each file of the data, NAME-00003-of-00012.`,
		Example: `  simdrank-beam eval -m model.json -d 'data/test-*.gz' --metric ndcg@10,map`,
		Args:    noArguments,
	}
	f := addJobFlags(cmd, "text or json")
	scoring, metrics := addScoreFlags(cmd, f), addMetricFlags(cmd)
	var name, perQuery string
	cmd.Flags().StringVarP(&name, "model", "m", "", "model to measure")
	cmd.Flags().StringVar(&perQuery, "per-query", "", "the start of the names of files for the values of queries")
	cmd.MarkFlagRequired("model")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		job, err := f.start("text", "json")
		if err != nil {
			return err
		}
		if err := metrics.set(job); err != nil {
			return err
		}
		s, err := scoring.load(cmd, name)
		if err != nil {
			return err
		}
		r, pass, err := job.Evaluate(cmd.Context(), s, perQuery)
		if err != nil {
			return err
		}
		scoring.warnOfData(cmd, s, pass)
		tell(cmd, pass)
		if f.format == "json" {
			return text.WriteJSON(cmd.OutOrStdout(), map[string]any{"metrics": r, "pass": pass})
		}
		return cli.Metrics(cmd.OutOrStdout(), r)
	}
	return cmd
}

func compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare -d pattern baseline model…",
		Short: "Test whether models differ by more than chance",
		Long: `Compare models on the same queries with the first of them, as simdrank compare does.
The values of all queries come together on this machine.`,
		Example: `  simdrank-beam compare -d 'data/test-*.gz' ridge.json ranksvm.json`,
		Args:    cobra.MinimumNArgs(2),
	}
	f := addJobFlags(cmd, "text, json, markdown, latex or csv")
	scoring, metrics := addScoreFlags(cmd, f), addMetricFlags(cmd)
	var c cli.CompareFlags
	flags, o := cmd.Flags(), &c.Options
	flags.StringVar(&o.Test, "test", "randomization", "test of significance: randomization, t or wilcoxon")
	flags.BoolVar(&o.AllPairs, "all-pairs", false, "compare every two models")
	flags.StringVar(&o.Correction, "correction", "holm",
		"correction for the number of pairs: holm, bonferroni or tukey-hsd")
	flags.StringVar(&o.Interval, "interval", "bootstrap", "confidence interval of differences: bootstrap or t")
	flags.IntVar(&o.Rounds, "rounds", 100_000, "rounds of randomization and of the bootstrap")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of both")
	flags.Float64Var(&o.Power, "power", 0, "probability of finding a difference, to tell how many queries it takes")
	flags.Float64Var(&o.MinDifference, "min-difference", 0,
		"least difference of means to be found with --power (default the one observed)")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		job, err := f.start("text", "json", "markdown", "latex", "csv")
		if err != nil {
			return err
		}
		c.Format = f.format
		if err := c.Check(flags.Changed); err != nil {
			return usageError{err}
		}
		if err := metrics.set(job); err != nil {
			return err
		}
		systems := make([]rankbeam.System, len(names))
		for i, name := range names {
			if systems[i], err = scoring.load(cmd, name); err != nil {
				return err
			}
			same := func(other string) bool { return other != name && path.Base(other) == path.Base(name) }
			if !slices.ContainsFunc(names, same) {
				systems[i].Name = path.Base(name)
			}
		}
		table, pass, err := job.Compare(cmd.Context(), systems, *o)
		if err != nil {
			return err
		}
		for _, s := range systems {
			scoring.warnOfData(cmd, s, pass)
		}
		tell(cmd, pass)
		if f.format == "json" {
			return text.WriteJSON(cmd.OutOrStdout(), struct {
				*compare.Table
				Pass *rankbeam.Pass `json:"pass"`
			}{table, pass})
		}
		return table.Write(cmd.OutOrStdout(), f.format)
	}
	return cmd
}

func workersCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "workers --port number",
		Short: "Serve a runner on this machine with workers, until interrupted",
		Long: `Serve a runner on this machine with workers, until interrupted. A pipeline uses them
with --environment_type EXTERNAL --environment_config localhost:PORT.`,
		Args: cobra.NoArgs,
	}
	port := cmd.Flags().Int("port", 0, "port to listen at")
	cmd.MarkFlagRequired("port")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		beam.Init()
		pool, err := extworker.StartLoopback(cmd.Context(), *port)
		if err != nil {
			return &failure{err}
		}
		<-cmd.Context().Done()
		return pool.Stop(context.WithoutCancel(cmd.Context()))
	}
	return cmd
}

func describeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "describe -d pattern",
		Short: "Count queries, documents, labels and features",
		Long: `Count queries, documents, labels and features, as simdrank info -d does, whose text and
JSON these are, without what it says of duplicated documents and of memory. Documents
need no labels.`,
		Args: noArguments,
	}
	f := addJobFlags(cmd, "text or json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		job, err := f.start("text", "json")
		if err != nil {
			return err
		}
		r, pass, err := job.Describe(cmd.Context())
		if err != nil {
			return err
		}
		tell(cmd, pass)
		about := cli.NewData(r)
		if f.format == "json" {
			return text.WriteJSON(cmd.OutOrStdout(), struct {
				cli.Data
				Pass *rankbeam.Pass `json:"pass"`
			}{about, pass})
		}
		return about.Text(cmd.OutOrStdout(), "", r.Duplicates)
	}
	return cmd
}
