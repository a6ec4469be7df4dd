package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// The exit codes. [cli.ExitCode] returns the code after a signal.
const (
	exitOK      = 0
	exitFailure = 1 // bad input, or a file that cannot be read or written
	exitUsage   = 2 // invalid flags or arguments
	exitGate    = 3 // a rule of compare --fail-if
)

// run is the whole program except the process around it. Tests call it instead of starting a
// binary.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &files.Output{Writer: cli.ForTerminal(stdout)}
	root.SetOut(out)
	root.SetErr(stderr)

	if err := kernels.CPUErr(); err != nil {
		fmt.Fprintf(stderr, "simdrank: warning: %s\n", errs.Printable(err.Error()))
	}
	cmd, err := checkTwice(root, args)
	if err == nil {
		cmd, err = root.ExecuteContextC(ctx)
	}
	var f *failure
	if out.Err != nil && !errors.As(err, &f) { // of help, a version or a completion script
		err = &failure{out.Err}
	}
	if err == nil {
		return exitOK
	}
	if broken := (*gateError)(nil); errors.As(err, &broken) {
		broken.write(stderr)
		return exitGate
	}
	if errors.As(err, &f) {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			text := "interrupted"
			if kept := (*keptError)(nil); errors.As(err, &kept) {
				text += "; " + kept.what
			}
			err = errors.New(text)
		}
		fmt.Fprintf(stderr, "simdrank: %s\n", wording(cmd, err))
		return cli.ExitCode(ctx, exitFailure)
	}
	fmt.Fprintf(stderr, "simdrank: %s\nRun '%s --help' for usage.\n", wording(cmd, err), cmd.CommandPath())
	return exitUsage
}

// wording returns the text of an error without the name of the package, and with flags in place of
// the library's options, which users of the command do not know.
func wording(cmd *cobra.Command, err error) string {
	err = cli.WithFlags(err, func(o *rank.OptionError) string {
		hint := optionHints[o.Option]
		if o.Option == "IgnoreExtraFeatures" && cmd.Flags().Lookup("ignore-extra-features") == nil {
			return "" // train --start
		}
		flag, found := strings.CutSuffix(hint, " VALUE")
		if !found {
			return hint
		}
		value := o.Value
		switch o.Option {
		case "Ignore", "Missing", "TextColumns":
			value = csvLine([]string{value})
		case "Delimiter":
			c := character(value[0])
			value = c.String()
		}
		return flag + " " + quoted(value)
	})
	return errs.Printable(strings.TrimSpace(errs.Bare(err)))
}

// optionHints suggest flags for the options of the library that errors name. VALUE is the value
// that the error suggests.
var optionHints = map[string]string{
	"ZeroBased":           "use --zero-based if indices start at 0",
	"GatherQueries":       "use --gather to group them",
	"Groups":              "use --group to give the query sizes",
	"NullAs":              "use --null-as to accept it",
	"MaxFeature":          "use --max-feature to raise the limit",
	"Columns":             "the training data has no more features",
	"Names":               "the file of --feature-names has no more names",
	"NegativeUnjudged":    "use --preset trec_eval to accept it",
	"Gain":                "use --gain linear to accept it",
	"MaxLabel":            "use --max-label to raise the limit",
	"Label":               "use --label-column NAME",
	"Query":               "use --query-column NAME, or --group FILE",
	"Weight":              "use --weight-column - if the column is a feature",
	"Position":            "use --position-column - if the column is a feature",
	"Ignore":              "use --ignore-column VALUE",
	"TextColumns":         "use --text-column VALUE",
	"Delimiter":           "use --delimiter VALUE",
	"Decimal":             "use --decimal VALUE",
	"Missing":             "use --missing VALUE",
	"SetFeatureNames":     "use --feature-names",
	"MemoryLimit":         "use --memory-limit to raise the limit",
	"PositionBias":        "use --positions FILE or a column named position",
	"Complete":            "use -c to count it, or --release 9 to skip it",
	"Ties":                "use another value of --ties",
	"IgnoreExtraFeatures": "use --ignore-extra-features to ignore them",
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "simdrank",
		Short: "Train, apply and evaluate rankers",
		Long: `Input is LETOR (SVMlight) text, a .simdrank data file, or a table: a file named
.csv, .tsv or .parquet, or any file with --input-format. In a table, the columns
label, qid, weight, position and doc have these roles. Every other column is a
numeric feature. Empty cells are missing values.

The file name - means standard input or output. Input in gzip or zstd is detected, and
output is compressed if its name ends in .gz or .zst.

Exit codes: 0 for success, 1 for bad input or a failure, 2 for wrong usage, 3 for a true
compare --fail-if rule. After a signal, the code is 128 plus the signal number, for
example 130 after Ctrl-C (SIGINT).
docs/reference/cli.md documents all commands.`,
		Example:       `  simdrank demo`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().Var(new(cli.MemoryLimit), "memory-limit",
		"maximum memory per input file (default 2GiB or 64× its size)")
	root.SetFlagErrorFunc(flagError)
	// Without RunE, cobra would not check arguments.
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.Args = unknownCommand
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(trainCommand(), refitCommand(), tuneCommand(), calibrateCommand(), predictCommand(),
		evalCommand(), trecEvalCommand(), fuseCommand(), compareCommand(), tauCommand(), explainCommand(),
		importanceCommand(), reportCommand(), plotCommand(), nearestCommand(), convertCommand(), splitCommand(),
		demoCommand(), infoCommand())
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { fmt.Fprint(cmd.OutOrStdout(), helpText(cmd)) })
	for _, cmd := range root.Commands() {
		nameValues(cmd)
		checkUsage(cmd)
		markFailures(cmd)
	}
	return root
}

// warn writes a warning to standard error, unless the text is "".
func warn(cmd *cobra.Command, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "simdrank: warning: %s\n", errs.Printable(text))
	}
}

// note writes a line to standard error about a choice that the command made.
func note(cmd *cobra.Command, format string, args ...any) {
	fmt.Fprintf(cmd.ErrOrStderr(), "simdrank: note: %s\n", errs.Printable(fmt.Sprintf(format, args...)))
}

// A failure is an error from running a command. All other errors of the command tree are about
// usage.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// A keptError is an error of work that was interrupted. what says how to resume it.
type keptError struct {
	error
	what string
}

func (e *keptError) Unwrap() error { return e.error }

// A usageError is the exception: wrong usage that is detected only while a command runs.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// flagUsage is like [cli.Flagf] but returns a usage error.
func flagUsage(flag, format string, args ...any) error {
	return usageError{cli.Flagf(flag, format, args...)}
}

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// markFailures turns errors of running cmd into a [failure], to distinguish them from errors about
// its flags and arguments.
func markFailures(cmd *cobra.Command) {
	work := cmd.RunE
	watched := func(cmd *cobra.Command, args []string) (err error) {
		defer func() {
			if errors.As(err, new(*memory.Change)) {
				err = readError("", err)
			}
		}()
		defer memory.Begin().End(&err)
		return work(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := watched(cmd, args)
		if err == nil || errors.As(err, new(usageError)) {
			return err
		}
		return &failure{err}
	}
}
