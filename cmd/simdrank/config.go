package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
)

// A configFile is that of --config: flags of a training in LightGBM's words.
type configFile struct {
	path string
	data *dataFlags
	set  map[string]cli.Setting // by flag
}

// args are the checks of arguments of a command with --config, of which the flags are set before
// they are checked.
func (c *configFile) args(cmd *cobra.Command, args []string) error {
	if err := noArguments(cmd, args); err != nil {
		return err
	}
	return c.apply(cmd)
}

// apply sets the flags that the file asks for, but for those that were given.
func (c *configFile) apply(cmd *cobra.Command) error {
	if c.path == "" {
		return nil
	}
	flags := cmd.Flags()
	if kind := flags.Lookup("model"); kind.Changed && kind.Value.String() != "lambdamart" {
		return usagef("--config is for --model lambdamart")
	}
	list, err := readInput(cmd, c.path, cli.ReadConfig)
	if err != nil {
		return &failure{err}
	}
	if !flags.Changed("model") {
		flags.Lookup("model").Value.Set("lambdamart") // which is one
	}
	c.set = map[string]cli.Setting{}
	var given []cli.Setting // of flags that the command line has not set
	for _, s := range list {
		switch f := flags.Lookup(s.Flag); {
		case s.Flag == "":
			given = append(given, s)
		case f == nil:
			return c.errorf(s, fmt.Errorf("%s has no --%s", cmd.Name(), s.Flag))
		case !f.Changed:
			given = append(given, s)
		}
	}
	slices.SortStableFunc(given, func(a, b cli.Setting) int { return strings.Compare(a.Only, b.Only) })
	for _, s := range given {
		flag, values, some := strings.Cut(s.Only, "=")
		if some && !slices.Contains(strings.Split(values, "|"), flags.Lookup(flag).Value.String()) {
			continue
		}
		if s.Flag == "" || s.Columns && s.Numbered {
			continue
		}
		if err := flags.Set(s.Flag, s.Value); err != nil {
			if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
				err = invalid.Unwrap()
			}
			return c.errorf(s, err)
		}
		c.set[s.Flag] = s
	}
	table := c.data.form.of(c.data.path) != "letor"
	for _, s := range given {
		if err := checkColumns(s, table); err != nil {
			return c.errorf(s, err)
		}
	}
	return nil
}

// checkColumns returns an error about a parameter that describes the columns of other data than
// those that are read: a table, or LETOR data.
func checkColumns(s cli.Setting, table bool) error {
	switch {
	case s.Flag == "" && table && s.Value == "false":
		return errors.New("tables must have a header")
	case s.Numbered && table && s.Columns:
		return fmt.Errorf("the columns of tables must be named, as in name:NAME (use --%s)", s.Flag)
	case s.Numbered && table:
		return fmt.Errorf("numbers are those of LETOR data alone: give --%s", s.Flag)
	case !s.Columns || table || s.Flag == "" && s.Value == "false" || s.Flag == "label-column" && s.Value == "0":
		return nil
	}
	return errors.New("LETOR data do not have named columns; a table is named .csv, or --input-format csv says so")
}

// checkFeatures returns an error about a parameter that lacks a value for each of so many features,
// which LightGBM counts from 0.
func (c *configFile) checkFeatures(features int) error {
	for _, s := range c.set {
		if s.Features > 0 && s.Features != features {
			return c.errorf(s, fmt.Errorf("%s, but the data have features up to %d, and LightGBM counts from 0: want %s",
				counted(s.Features, "value"), features-1, counted(features, "value")))
		}
	}
	return nil
}

// errorf returns an error about a line of the file.
func (c *configFile) errorf(s cli.Setting, err error) error {
	return &failure{&rank.ParseError{File: inputName(c.path), Line: s.Line,
		Err: fmt.Errorf("%s = %s: %w", s.Name, s.Text, err)}}
}

// explain makes an error about a flag one about the line that has set it.
func (c *configFile) explain(err error) error {
	if about := (*cli.FlagError)(nil); errors.As(err, &about) {
		if s, found := c.set[about.Flag]; found {
			return c.errorf(s, err)
		}
	}
	return err
}
