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

// A configFile is the file of --config: flags of train as parameters of LightGBM.
type configFile struct {
	path string
	data *dataFlags
	set  map[string]cli.Setting // by flag
}

// args checks the arguments of a command with --config. It also sets the flags, because they are
// checked next.
func (c *configFile) args(cmd *cobra.Command, args []string) error {
	if err := noArguments(cmd, args); err != nil {
		return err
	}
	return c.apply(cmd)
}

// apply sets the flags in the file, except flags that were given.
func (c *configFile) apply(cmd *cobra.Command) error {
	if c.path == "" {
		return nil
	}
	flags := cmd.Flags()
	if kind := flags.Lookup("model"); kind.Changed && kind.Value.String() != "lambdamart" {
		return usagef("--config requires --model lambdamart")
	}
	list, err := readInput(cmd, c.path, cli.ReadConfig)
	if err != nil {
		return &failure{err}
	}
	if !flags.Changed("model") {
		flags.Lookup("model").Value.Set("lambdamart") // the value is valid
	}
	c.set = map[string]cli.Setting{}
	var given []cli.Setting // settings of flags that the command line does not set
	for _, s := range list {
		switch f := flags.Lookup(s.Flag); {
		case s.Flag == "":
			given = append(given, s)
		case f == nil:
			return c.errorf(s, fmt.Errorf("%s does not support --%s", cmd.Name(), s.Flag))
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

// checkColumns returns an error if a parameter does not suit the kind of data: a table or LETOR
// data.
func checkColumns(s cli.Setting, table bool) error {
	switch {
	case s.Flag == "" && table && s.Value == "false":
		return errors.New("tables must have a header")
	case s.Numbered && table && s.Columns:
		return fmt.Errorf("columns of tables must be given by name, e.g. name:NAME, or with --%s", s.Flag)
	case s.Numbered && table:
		return fmt.Errorf("feature numbers are supported only for LETOR data (use --%s)", s.Flag)
	case !s.Columns || table || s.Flag == "" && s.Value == "false" || s.Flag == "label-column" && s.Value == "0":
		return nil
	}
	return errors.New("LETOR data have no named columns (use --input-format csv if the file is a table)")
}

// checkFeatures returns an error if a parameter does not have a value for each feature. LightGBM
// counts features from 0.
func (c *configFile) checkFeatures(features int) error {
	for _, s := range c.set {
		if s.Features > 0 && s.Features != features {
			return c.errorf(s, fmt.Errorf("found %s: must be %s, because the data have features up to %d and "+
				"LightGBM counts from 0", counted(s.Features, "value"), counted(features, "value"), features-1))
		}
	}
	return nil
}

// errorf returns an error about a line of the file.
func (c *configFile) errorf(s cli.Setting, err error) error {
	return &failure{&rank.ParseError{File: inputName(c.path), Line: s.Line,
		Err: fmt.Errorf("%s = %s: %w", s.Name, s.Text, err)}}
}

// explain turns an error about a flag into an error about the line that sets it.
func (c *configFile) explain(err error) error {
	if about := (*cli.FlagError)(nil); errors.As(err, &about) {
		if s, found := c.set[about.Flag]; found {
			return c.errorf(s, err)
		}
	}
	return err
}
