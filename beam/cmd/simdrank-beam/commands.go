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

// The exit codes. [cli.ExitCode] returns the code after a signal.
const (
	exitOK      = 0
	exitFailure = 1 // bad input, a file that cannot be read or written, or a failed runner
	exitUsage   = 2 // invalid flags or arguments
)

// run is the whole program except the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &files.Output{Writer: cli.ForTerminal(stdout)}
	root.SetOut(out)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	var f *failure
	if out.Err != nil && !errors.As(err, &f) { // of help, a list of flags or a completion script
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

// A failure is an error from running a command. All other errors are about flags and arguments.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// hints suggest flags for the options of the library that errors name.
var hints = map[string]string{
	"Zstd":                "use gzip",
	"ZeroBased":           "use --zero-based if indices start at 0",
	"NullAs":              "use --null-as to accept it",
	"MaxFeature":          "use --max-feature to raise the limit",
	"NegativeUnjudged":    "use --preset trec_eval to accept it",
	"Gain":                "use --gain linear to accept it",
	"MaxLabel":            "use --max-label to raise the limit",
	"Ties":                "use another value of --ties",
	"IgnoreExtraFeatures": "use --ignore-extra-features to ignore them",
}

// wording returns the text of an error, with flags of cmd in place of the library's options.
func wording(cmd *cobra.Command, err error) string {
	err = cli.WithFlags(err, func(o *rank.OptionError) string {
		hint := hints[o.Option]
		if hint == "" || o.Option == "IgnoreExtraFeatures" && cmd.Flags().Lookup("ignore-extra-features") == nil {
			return "" // train does not have the flag
		}
		return hint
	})
	return errs.Printable(errs.Bare(err))
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "simdrank-beam",
		Short: "Train, apply and evaluate rankers on Apache Beam",
		Long: `The input is a file name pattern of LETOR text, .gz or .simdrank files. All rows of a
query must be in the same file. Results are bit-identical to simdrank on one machine,
for any number of files and workers.

Patterns and file names can be local paths, gs:// URLs or s3:// URLs. --runner selects
a runner: prism (in this process), direct, dataflow, flink, spark or universal. Run
'simdrank-beam runner-flags' to list the flags of the Beam SDK, for example
--endpoint, --project and --region. Workers on other machines require --work-dir, a
folder that they share with this machine.

Exit codes: 0 for success, 1 for bad input or a failure, 2 for wrong usage. After a
signal, the code is 128 plus the signal number, for example 130 after Ctrl-C (SIGINT).
A second signal ends a command at once.`,
		Example:       `  simdrank-beam eval -m model.json -d 'data/test-*.gz'`,
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
		cmd.Flags().Lookup("runner").Usage = "Beam `runner` (default prism)"
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), helpText(cmd)) })
	root.AddCommand(workersCommand(), &cobra.Command{
		Use: "runner-flags", Short: "List the flags of the Beam SDK, which configure runners",
		Example: `  simdrank-beam runner-flags`,
		Args:    cobra.NoArgs,
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

// A countedValue counts how often a flag is given. Its help shows a noun in place of the type.
type countedValue struct {
	pflag.Value
	times int
	noun  string
}

// Type returns the noun.
func (v *countedValue) Type() string { return v.noun }

func (v *countedValue) Set(s string) error {
	v.times++
	return v.Value.Set(s)
}

// checkUsage makes cmd reject a flag that is given twice, because the last value would silently
// win. It also rejects empty values and arguments, which usually come from a shell variable that is
// not set. Command simdrank does the same. Call checkUsage after the flags are defined.
func checkUsage(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		noun, usage := pflag.UnquoteUsage(f)
		switch noun {
		case "": // a bool
			noun = "bool"
		case "int", "uint", "float", "float32":
			noun = "number"
		}
		f.Usage, f.Value = usage, &countedValue{Value: f.Value, noun: noun}
	})
	checkArgs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		if i := slices.Index(args, ""); i >= 0 {
			return fmt.Errorf("argument %d is empty", i+1)
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			v, ok := f.Value.(*countedValue) // flags of Beam have other values
			switch {
			case ok && v.times > 1:
				err = fmt.Errorf("--%s is given twice", f.Name)
			case ok && v.Value.Type() == "string" && v.String() == "":
				err = fmt.Errorf("--%s is empty", f.Name)
			}
		})
		return cmp.Or(err, checkArgs(cmd, args), checkRequired(cmd))
	}
}

// checkRequired returns an error if required flags are missing. Cobra would check this next, with a
// less readable error.
func checkRequired(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] == nil || f.Changed {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name += " (-" + f.Shorthand + ")"
		}
		missing = append(missing, name)
	})
	if missing == nil {
		return nil
	}
	return fmt.Errorf("%s requires %s", cmd.Name(), strings.Join(missing, " and "))
}

// noArguments rejects arguments, which result from a pattern without quotes.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %.40q: put patterns in quotes, e.g. -d 'data/*.gz'", args[0])
}

// A usageError is wrong usage that is detected only while a command runs.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// jobFlags holds the flags of every command.
type jobFlags struct {
	job    rankbeam.Job
	null   float32
	format string
	flags  *pflag.FlagSet
}

func addJobFlags(cmd *cobra.Command, formats string) *jobFlags {
	f := &jobFlags{flags: cmd.Flags()}
	d := &f.job.Data
	f.flags.SortFlags = false
	f.flags.StringVarP(&d.Glob, "data", "d", "", "`pattern` of data files, e.g. 'gs://bucket/train-*.gz'")
	f.flags.StringVar(&f.job.WorkDir, "work-dir", "", "`folder` shared with workers (default: a temporary folder)")
	f.flags.StringVar(&f.format, "format", "text", "output `format`: "+formats)
	section(f.flags, "Input format", func() {
		f.flags.BoolVar(&d.ZeroBased, "zero-based", false, "text: count feature indices from 0")
		d.MaxFeature = modelfile.MaxFeatures
		f.flags.Var((*cli.FeatureLimit)(&d.MaxFeature), "max-feature", "maximum feature index")
		f.flags.Float32Var(&f.null, "null-as", 0, "text: `value` for features that are NULL (default: an error)")
	})
	cmd.MarkFlagRequired("data")
	return f
}

// start returns the job, and initializes Beam.
func (f *jobFlags) start(formats ...string) (*rankbeam.Job, error) {
	if !slices.Contains(formats, f.format) {
		return nil, usageError{fmt.Errorf("--format %s: must be %s", f.format, cli.OneOf(formats))}
	}
	if f.flags.Changed("null-as") {
		f.job.Data.NullAs = &f.null
	}
	switch *runners.Runner {
	case "", "prism", "direct": // their logs do not help users
		defer slog.SetDefault(slog.New(slog.DiscardHandler)) // after Init, which sets a logger
	case "dataflow", "flink", "spark", "universal":
	default:
		return nil, usageError{fmt.Errorf("--runner %s: must be prism, direct, dataflow, flink, spark or universal",
			*runners.Runner)}
	}
	if !beam.Initialized() {
		beam.Init()
	}
	return &f.job, nil
}

// scoreFlags holds the flags for scoring with models.
type scoreFlags struct {
	trees       cli.Trees
	zeroMissing bool
	job         *jobFlags
}

func addScoreFlags(cmd *cobra.Command, f *jobFlags) *scoreFlags {
	s := &scoreFlags{job: f}
	cmd.Flags().BoolVar(&f.job.IgnoreExtraFeatures, "ignore-extra-features", false,
		"ignore features that the model does not have")
	cmd.Flags().BoolVar(&s.zeroMissing, "zero-missing", false,
		"treat 0 and omitted features as missing; overrides the model")
	cmd.Flags().Var(&s.trees, "trees", "trees to score with")
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
			return s, usageError{fmt.Errorf("--trees requires a tree model, but %s is a linear model", name)}
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

// warnOfData warns if the data of a pass omit features and the model does not record what that
// means, and if the model seems to count features differently.
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

// metricFlags holds the flags for metrics and their conventions.
type metricFlags struct {
	metrics, preset, gain, ties, empty string
	maxLabel                           float64
	flags                              *pflag.FlagSet
}

func addMetricFlags(cmd *cobra.Command) *metricFlags {
	f := &metricFlags{flags: cmd.Flags()}
	section(f.flags, "Metrics", func() {
		f.flags.StringVar(&f.metrics, "metric", "ndcg@10,ndcg,map,tau-b,pair-accuracy", "`list` of metrics")
		f.flags.StringVar(&f.preset, "preset", "none", "another `tool`'s conventions; other flags override them")
		f.flags.StringVar(&f.gain, "gain", "exp", "gain `function` of a label r: exp (2^r-1) or linear (r)")
		f.flags.StringVar(&f.ties, "ties", "average", "`order` of documents with equal scores")
		f.flags.StringVar(&f.empty, "empty", "skip", "`value` for queries where a metric is undefined")
		f.flags.Float64Var(&f.maxLabel, "max-label", 4, "highest `label` of the scale, for err")
	})
	accept(f.flags, "preset", append([]string{"none"}, rank.OptionWords("preset")...)...)
	accept(f.flags, "gain", rank.OptionWords("gain")...)
	accept(f.flags, "ties", rank.OptionWords("ties")...)
	accept(f.flags, "empty", rank.OptionWords("empty")...)
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
		if err := cli.CheckMaxLabel(f.maxLabel); err != nil {
			return usageError{err}
		}
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

// printPass prints the size and speed of a pass.
func printPass(cmd *cobra.Command, p *rankbeam.Pass) {
	queries := ""
	if p.Queries > 0 {
		queries = cli.Count(p.Queries, "query", "queries") + ", "
	}
	fmt.Fprintln(cmd.ErrOrStderr(), took(p, queries))
}

// took describes the size and speed of a pass. queries precedes the number of documents.
func took(p *rankbeam.Pass, queries string) string {
	return fmt.Sprintf("%s, %s%s in %.2f s (%.0f per second), %s shipped", cli.Count(p.Files, "file", "files"), queries,
		cli.Count(p.Rows, "document", "documents"), p.Seconds, p.Speed, cli.Count(p.Bytes, "byte", "bytes"))
}

func predictCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict -m model -d pattern -o name",
		Short: "Score documents with a model",
		Long: `Write one score per line, in the order of the data. Labels and qids are optional. Scores
have enough digits to be read back bit-identically.

Each data file has a score file. For 12 data files, sorted by name and counted from 0,
the scores of file 3 are in NAME-00003-of-00012. The output is atomic: the score files
appear when all of them are complete.`,
		Example: `  simdrank-beam predict -m model.json -d 'data/test-*.gz' -o scores`,
		Args:    noArguments,
	}
	f := addJobFlags(cmd, "text or json")
	scoring := addScoreFlags(cmd, f)
	var name, out string
	cmd.Flags().StringVarP(&name, "model", "m", "", "model `file`")
	cmd.Flags().StringVarP(&out, "output", "o", "", "`prefix` of the score file names")
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
		printPass(cmd, pass)
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
		Short: "Evaluate a model",
		Long: `Evaluate how well a model ranks the documents of each query. Metrics and conventions
are documented in simdrank eval --help. Means are bit-identical to simdrank eval.

--per-query NAME writes the values of each query as a line of JSON. There is one output
file for each data file, for example NAME-00003-of-00012.`,
		Example: `  simdrank-beam eval -m model.json -d 'data/test-*.gz' --metric ndcg@10,map`,
		Args:    noArguments,
	}
	f := addJobFlags(cmd, "text or json")
	scoring, metrics := addScoreFlags(cmd, f), addMetricFlags(cmd)
	var name, perQuery string
	cmd.Flags().StringVarP(&name, "model", "m", "", "model `file`")
	cmd.Flags().StringVar(&perQuery, "per-query", "", "`prefix` of per-query value file names")
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
		printPass(cmd, pass)
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
		Short: "Compare models and mark significant differences",
		Long: `Compare models with the first one, the baseline, on the same queries. See simdrank
compare --help. The metric values of all queries are collected on this machine.`,
		Example: `  simdrank-beam compare -d 'data/test-*.gz' ridge.json ranksvm.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("compare requires at least two models, with the baseline first")
			}
			return nil
		},
	}
	f := addJobFlags(cmd, "text, json, markdown, latex or csv")
	scoring, metrics := addScoreFlags(cmd, f), addMetricFlags(cmd)
	var c cli.CompareFlags
	flags, o := cmd.Flags(), &c.Options
	section(flags, "Significance", func() {
		flags.StringVar(&o.Test, "test", "randomization", "significance `test`")
		flags.BoolVar(&o.AllPairs, "all-pairs", false, "compare each pair of models")
		flags.StringVar(&o.Correction, "correction", "holm", "`correction` for multiple comparisons")
		flags.StringVar(&o.Interval, "interval", "bootstrap", "confidence interval `method`")
		flags.IntVar(&o.Rounds, "rounds", 100_000, "randomization and bootstrap rounds")
		flags.Uint64Var(&o.Seed, "seed", 1, "random `seed`")
		flags.Float64Var(&o.Power, "power", 0, "print the queries that a t-test with this `power` needs")
		flags.Float64Var(&o.MinDifference, "min-difference", 0,
			"`difference` to detect with --power (default: observed)")
	})
	for _, flag := range []string{"test", "correction", "interval"} {
		accept(flags, flag, compare.OptionWords(flag)...)
	}
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
		printPass(cmd, pass)
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
		Short: "Start workers for a runner on this machine",
		Long: `Serve workers until interrupted. A pipeline uses them if it is started with
--environment_type EXTERNAL --environment_config localhost:PORT.`,
		Example: `  simdrank-beam workers --port 50000`,
		Args:    cobra.NoArgs,
	}
	port := cmd.Flags().Int("port", 0, "`port` to listen on")
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
		Long: `Describe data in the format of simdrank info -d, but without duplicated rows and memory.
Labels are optional.`,
		Example: `  simdrank-beam describe -d 'data/train-*.gz'`,
		Args:    noArguments,
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
		printPass(cmd, pass)
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
