package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/text"
)

// checkUsage makes cmd reject empty values and arguments before it runs. They name no file, and
// usually come from a shell variable that is not set.
func checkUsage(cmd *cobra.Command) {
	checkArgs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) (err error) {
		if i := slices.Index(args, ""); i >= 0 {
			return fmt.Errorf("argument %d is empty", i+1)
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if isText(f) && f.Value.String() == "" {
				err = fmt.Errorf("--%s is empty", f.Name)
			}
		})
		if err != nil {
			return err
		}
		if err := checkArgs(cmd, args); err != nil { // it may set flags from --config
			return err
		}
		return checkFlags(cmd)
	}
}

// The annotations of flags that cobra checks.
const (
	exclusiveKey = "cobra_annotation_mutually_exclusive"
	requiredKey  = cobra.BashCompOneRequiredFlag
)

// checkFlags returns an error if a required flag is missing, or if flags exclude each other. Cobra
// would check this next, with less readable errors.
func checkFlags(cmd *cobra.Command) (err error) {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[requiredKey] != nil && !f.Changed {
			missing = append(missing, flagName(f))
		}
		if !f.Changed || err != nil {
			return
		}
		for _, group := range f.Annotations[exclusiveKey] {
			for _, name := range strings.Fields(group) {
				if other := cmd.Flags().Lookup(name); other != f && other.Changed {
					err = fmt.Errorf("--%s cannot be combined with --%s", f.Name, name)
				}
			}
		}
	})
	if missing != nil {
		return fmt.Errorf("%s requires %s", cmd.Name(), strings.Join(missing, " and "))
	}
	return err
}

// flagName returns the name of a flag, with its shorthand.
func flagName(f *pflag.Flag) string {
	if f.Shorthand == "" {
		return "--" + f.Name
	}
	return fmt.Sprintf("--%s (-%s)", f.Name, f.Shorthand)
}

// checkTwice rejects a flag that is given twice, because the last value would silently win. Only
// lists of files, measures, names and rules accept several values. It ignores other errors, which
// the parsing that follows reports.
func checkTwice(root *cobra.Command, args []string) (cmd *cobra.Command, err error) {
	cmd, args, err = root.Find(args)
	if err != nil {
		return nil, nil
	}
	given := map[*pflag.Flag]bool{}
	cmd.Flags().ParseAll(args, func(f *pflag.Flag, _ string) error {
		_, files := f.Value.(*fileList)
		_, measures := f.Value.(*measureList)
		_, names := f.Value.(*nameList)
		_, rules := f.Value.(*ruleList)
		if given[f] && !files && !measures && !names && !rules {
			err = fmt.Errorf("--%s is given twice", f.Name)
		}
		given[f] = true
		return err
	})
	return cmd, err
}

// noArguments rejects arguments. Cobra's own check calls them unknown commands.
func noArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %.40q", args[0])
}

// unknownCommand rejects an argument that is not the name of a command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %.40q%s", args[0], didYouMean(cmd.SuggestionsFor(args[0])))
}

// flagError adds flags with similar names to the error about an unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	unknown := (*pflag.NotExistError)(nil)
	if !errors.As(err, &unknown) {
		return err
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra suggests names of commands only
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: "--" + f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return fmt.Errorf("%w%s", err, didYouMean(names.SuggestionsFor("--"+unknown.GetSpecifiedName())))
}

// didYouMean suggests names in place of one that is unknown.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", strings.Join(names, " or "))
}

// exclude forbids a flag together with each of some others.
func exclude(cmd *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		cmd.MarkFlagsMutuallyExclusive(flag, other)
	}
}

// checkRunName returns a usage error if a TREC run cannot have the name.
func checkRunName(name string) error {
	if err := text.CheckField(name); err != nil {
		return usageError{errs.Wrap(err, "--run-name")}
	}
	return nil
}
