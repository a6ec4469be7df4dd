package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkUsage makes cmd refuse empty values and arguments before its work, as of a variable of the
// shell that is not set: they name no file.
func checkUsage(cmd *cobra.Command) {
	checkArgs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		if i := slices.Index(args, ""); i >= 0 {
			return fmt.Errorf("argument %d is empty", i+1)
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if f.Value.Type() == "string" && f.Value.String() == "" {
				err = fmt.Errorf("--%s is empty", f.Name)
			}
		})
		if err != nil {
			return err
		}
		return checkArgs(cmd, args)
	}
}

// checkTwice refuses a flag that is given twice, of which the last value would silently win: only
// lists of files and of measures add up values. Other errors are those of parsing, which follows.
func checkTwice(root *cobra.Command, args []string) (cmd *cobra.Command, err error) {
	cmd, args, err = root.Find(args)
	if err != nil {
		return nil, nil
	}
	given := map[*pflag.Flag]bool{}
	cmd.Flags().ParseAll(args, func(f *pflag.Flag, _ string) error {
		if given[f] && f.Value.Type() != "file" && f.Value.Type() != "measure" {
			err = fmt.Errorf("--%s is given twice", f.Name)
		}
		given[f] = true
		return err
	})
	return cmd, err
}

// noArguments refuses arguments, which cobra's own check calls unknown commands.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %.40q", args[0])
}

// unknownCommand refuses arguments where a command is wanted.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %.40q%s", args[0], didYouMean(cmd.SuggestionsFor(args[0])))
}

// flagError adds flags of similar names to the error about an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // which cobra looks up as those of commands
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: "--" + f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return fmt.Errorf("%w%s", err, didYouMean(names.SuggestionsFor("--"+unknown.GetSpecifiedName())))
}

// didYouMean asks whether one of a few names was meant.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", strings.Join(names, " or "))
}

// exclude makes a flag exclude each of some others.
func exclude(cmd *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		cmd.MarkFlagsMutuallyExclusive(flag, other)
	}
}

// rankers are the kinds of --model.
var rankers = []string{"ranksvm", "ridge", "lambdamart"}

// kindsOf returns the kinds of rankers that a flag is for, which its usage begins with, as in
// "ranksvm, lambdamart: "; nil if it is for all.
func kindsOf(f *pflag.Flag) []string {
	kinds, _, _ := strings.Cut(f.Usage, ": ")
	list := strings.Split(kinds, ", ")
	if slices.ContainsFunc(list, func(kind string) bool { return !slices.Contains(rankers, kind) }) {
		return nil
	}
	return list
}
