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

// The exit codes. Those after a signal are of [cli.ExitCode].
const (
	exitOK      = 0
	exitFailure = 1 // bad input, a file that cannot be read or written
	exitUsage   = 2 // flags or arguments that make no sense
)

// run is the whole program but for the process around it: tests call it in place
// of starting a binary.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	out := &files.Output{Writer: forTerminal(stdout)}
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
	if out.Err != nil && !errors.As(err, &f) { // of help, a version, a script of completion
		err = &failure{out.Err}
	}
	if err == nil {
		return exitOK
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

// wording is the error's text without the name of the package that was called, and with flags for
// options of the library: these names tell a user of the command nothing.
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
		case "Ignore", "Missing":
			value = csvLine([]string{value})
		case "Delimiter":
			c := character(value[0])
			value = c.String()
		}
		return flag + " " + quoted(value)
	})
	return errs.Printable(strings.TrimSpace(errs.Bare(err)))
}

// optionHints say in terms of flags what options of the library, which its errors name, accept.
// VALUE is the value that the error suggests.
var optionHints = map[string]string{
	"ZeroBased":           "allowed by --zero-based",
	"GatherQueries":       "allowed by --gather",
	"Groups":              "allowed by --group",
	"NullAs":              "allowed by --null-as",
	"MaxFeature":          "allowed by --max-feature",
	"Columns":             "the training data have no more",
	"Names":               "--feature-names names no more",
	"NegativeUnjudged":    "allowed by --preset trec_eval",
	"Gain":                "allowed by --gain linear",
	"MaxLabel":            "allowed by --max-label",
	"Label":               "use --label-column NAME",
	"Query":               "use --query-column NAME, or --group FILE",
	"Weight":              "use --weight-column - if the column is a feature",
	"Position":            "use --position-column - if the column is a feature",
	"Ignore":              "use --ignore-column VALUE",
	"Delimiter":           "use --delimiter VALUE",
	"Decimal":             "use --decimal VALUE",
	"Missing":             "use --missing VALUE",
	"SetFeatureNames":     "--feature-names gives it",
	"MemoryLimit":         "raised by --memory-limit",
	"PositionBias":        "--positions FILE or a column named position gives them",
	"Complete":            "allowed by -c, which counts it, and by --release 9, which leaves it out",
	"Ties":                "allowed by another value of --ties",
	"IgnoreExtraFeatures": "allowed by --ignore-extra-features",
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "simdrank",
		Short: "Train, apply and measure rankers on LETOR data and tables",
		Long: `simdrank trains, applies and measures rankers on LETOR data and on tables.

A table is a file named .csv, .tsv or .parquet, or one that --input-format declares.
Its columns named label, qid, weight, position and doc are not features, unless
flags such as --weight-column say otherwise. An empty cell is a missing value.

A file named - is standard input or output. Gzipped input is recognized, and output
is gzipped if its name ends in .gz.

Exit codes: 0 success, 1 bad input or failure, 2 wrong usage, and after a signal
128 and its number, such as 130 after Ctrl-C (SIGINT). Details are in
docs/reference.md.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().Var(new(cli.MemoryLimit), "memory-limit",
		"most memory that reading a file may take (default 2GiB, or 64 times its size)")
	root.SetFlagErrorFunc(flagError)
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() } // only what runs checks arguments
	root.Args = unknownCommand
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(trainCommand(), refitCommand(), tuneCommand(), predictCommand(), evalCommand(), trecEvalCommand(),
		fuseCommand(), compareCommand(), tauCommand(), explainCommand(), importanceCommand(), reportCommand(),
		plotCommand(), nearestCommand(), convertCommand(), demoCommand(), infoCommand())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 100"))
	for _, cmd := range root.Commands() {
		checkUsage(cmd)
		markFailures(cmd)
	}
	return root
}

// warn writes a line to standard error for what is no error but may not be meant, unless it is "".
func warn(cmd *cobra.Command, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "simdrank: warning: %s\n", errs.Printable(text))
	}
}

// note writes a line to standard error about what the command decided by itself.
func note(cmd *cobra.Command, format string, args ...any) {
	fmt.Fprintf(cmd.ErrOrStderr(), "simdrank: note: %s\n", errs.Printable(fmt.Sprintf(format, args...)))
}

// A failure is an error from a command's work. Every other error of the command
// tree is one of usage.
type failure struct{ error }

func (f *failure) Unwrap() error { return f.error }

// A keptError is one of work that was interrupted, and tells where the same command goes on.
type keptError struct {
	error
	what string
}

func (e *keptError) Unwrap() error { return e.error }

// A usageError is the exception: wrong usage that only a command's work notices.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// flagUsage is [cli.Flagf] of wrong usage.
func flagUsage(flag, format string, args ...any) error {
	return usageError{cli.Flagf(flag, format, args...)}
}

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// markFailures makes errors of cmd's work a [failure], so that they can be told
// from errors of its flags and arguments.
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
