package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file words the errors of flags and arguments, for which cobra and pflag have sentences of
// their own.

// A counted value is a flag's, and knows how often it was given.
type countedValue struct {
	pflag.Value
	times int
}

func (v *countedValue) Set(s string) error {
	v.times++
	return v.Value.Set(s)
}

// checkUsage makes cmd, before anything of its work, refuse flags and arguments that make no sense.
// It comes after the flags are made.
func checkUsage(cmd *cobra.Command) {
	// Completion parses the flags twice, so that the second time is no error of Set itself.
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Value = &countedValue{Value: f.Value} })
	checkArgs := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		for _, check := range []func() error{
			func() error { return checkDashes(cmd.Flags()) },
			func() error { return checkTwice(cmd.Flags()) },
			func() error { return checkEmpty(cmd.Flags(), args) },
			func() error { return checkArgs(cmd, args) },
			func() error { return checkExclusive(cmd.Flags()) },
			func() error { return checkRequired(cmd) },
		} {
			if err := check(); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkDashes refuses -data, which is -d with the value ata.
func checkDashes(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if long := f.Shorthand + f.Value.String(); f.Shorthand != "" && flags.Lookup(long) != nil {
			err = fmt.Errorf("-%s: want two dashes, --%[1]s", long)
		}
	})
	return err
}

// checkTwice refuses a flag that was given twice, where the last one would silently win: only lists
// of files and of measures add up values.
func checkTwice(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if v, ok := f.Value.(*countedValue); ok && v.times > 1 && v.Type() != "file" && v.Type() != "measure" {
			err = fmt.Errorf("%s is given twice", flagName(f))
		}
	})
	return err
}

// checkEmpty refuses empty values and arguments, as of a variable of the shell that is not set:
// they name no file.
func checkEmpty(flags *pflag.FlagSet, args []string) (err error) {
	if i := slices.Index(args, ""); i >= 0 {
		return fmt.Errorf("argument %d is empty", i+1)
	}
	flags.Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" {
			err = fmt.Errorf("%s is empty, and needs a value: %s", flagName(f), flagUsage(f))
		}
	})
	return err
}

// checkExclusive refuses flags of which cobra was told that they exclude each other.
func checkExclusive(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		// a constant that cobra keeps to itself
		for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
			for name := range strings.FieldsSeq(group) {
				if name != f.Name && flags.Changed(name) && err == nil {
					err = fmt.Errorf("%s and %s exclude each other", flagName(f), flagName(flags.Lookup(name)))
				}
			}
		}
	})
	return err
}

// checkRequired refuses to do without the flags that cmd needs.
func checkRequired(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[cobra.BashCompOneRequiredFlag], "true") && !f.Changed {
			missing = append(missing, flagName(f))
		}
	})
	if missing == nil {
		return nil
	}
	return fmt.Errorf("%s needs %s", cmd.Name(), strings.Join(missing, " and "))
}

// noArguments refuses arguments, with the flag that a file may have been meant for.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, required := range []bool{true, false} { // those that the command needs first
		for _, name := range []string{"data", "input", "model"} {
			f := cmd.Flags().Lookup(name)
			if names == nil && f != nil && f.Shorthand != "" && !f.Changed &&
				(!required || f.Annotations[cobra.BashCompOneRequiredFlag] != nil) {
				names = append(names, f.Shorthand+" "+args[0])
			}
		}
	}
	return fmt.Errorf("unexpected argument %.40q%s", args[0], suggestion("-", names))
}

// unknownCommand refuses arguments where a command is wanted.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unknown command %.40q%s", args[0], suggestion("", cmd.SuggestionsFor(args[0])))
}

// flagError words errors of pflag, which finds them in single flags.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name, dash := unknown.GetSpecifiedName(), "--"
		var names []string
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			name, dash = letters, "-"
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				// -qrels is -q and, unknown, -rels
				if len(letters) > 1 && strings.HasSuffix(f.Name, letters) {
					names = append(names, f.Name)
				}
			})
		} else {
			// Cobra compares names of commands, and so these become some.
			similar := &cobra.Command{SuggestionsMinimumDistance: 2}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				similar.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
			})
			names = similar.SuggestionsFor(name)
		}
		return fmt.Errorf("unknown flag %s%s%s", dash, name, suggestion("--", names))
	case errors.As(err, &lacking):
		return fmt.Errorf("%s needs a value: %s", flagName(lacking.GetFlag()), flagUsage(lacking.GetFlag()))
	case errors.As(err, &invalid):
		return fmt.Errorf("%s %.40q: %w", flagName(invalid.GetFlag()), invalid.GetValue(), valueError(invalid))
	}
	return err
}

// valueError says which values a flag takes. Those of ours say it themselves.
func valueError(err *pflag.InvalidValueError) error {
	if errors.Is(err, strconv.ErrRange) {
		return errors.New("the number is out of range")
	}
	switch err.GetFlag().Value.Type() {
	case "int":
		return errors.New("want an integer")
	case "uint64":
		return errors.New("want an integer from 0")
	case "float32", "float64":
		return errors.New("want a number")
	case "bool":
		return errors.New("want true or false")
	}
	return errors.Unwrap(err)
}

// flagName is how messages call a flag.
func flagName(f *pflag.Flag) string {
	if f.Shorthand == "" {
		return "--" + f.Name
	}
	return fmt.Sprintf("--%s (-%s)", f.Name, f.Shorthand)
}

// flagUsage is what help says of a flag.
func flagUsage(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	return usage
}

// suggestion asks whether one of a few names was meant.
func suggestion(dashes string, names []string) string {
	if len(names) == 0 || len(names) > 3 {
		return ""
	}
	return fmt.Sprintf("; did you mean %s%s?", dashes, strings.Join(names, " or "+dashes))
}
