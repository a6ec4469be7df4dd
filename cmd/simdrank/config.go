package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
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
	if table {
		c.data.form.columns.Header = c.numbered(cmd, given)
	}
	return nil
}

// checkColumns returns an error if a parameter does not suit the kind of data: a table or LETOR
// data.
func checkColumns(s cli.Setting, table bool) error {
	switch {
	case s.Flag == "" && table && s.Value == "false":
		return errors.New("tables must have a header")
	case s.Numbered && table && (s.Columns || s.Flag == "categorical"):
		return nil
	case s.Numbered && table:
		return fmt.Errorf("feature numbers are supported only for LETOR data (use --%s)", s.Flag)
	case !s.Columns || table || s.Flag == "" && s.Value == "false" || s.Flag == "label-column" && s.Value == "0":
		return nil
	}
	return errors.New("LETOR data has no named columns (use --input-format csv if the file is a table)")
}

// numbered returns a function for Options.Header that finds the columns that the file gives by
// number. For the label, LightGBM counts all columns from 0. Otherwise, it skips the label.
func (c *configFile) numbered(cmd *cobra.Command, given []cli.Setting) func([]string, *data.Options) error {
	var label, header *cli.Setting
	for i, s := range given {
		switch {
		case s.Flag == "label-column" && s.Numbered:
			label = &given[i]
		case s.Flag == "" && s.Value == "true":
			header = &given[i]
		}
	}
	counted := false // whether the categorical features are known
	return func(names []string, o *data.Options) error {
		at := 0
		switch {
		case label != nil:
			columns, err := c.columns(*label, names)
			if err != nil {
				return err
			}
			o.Label = columns[0]
			at = slices.Index(names, o.Label)
		case o.Label != "":
			at = slices.Index(names, o.Label)
		case header != nil && !strings.EqualFold(names[0], "label"):
			return c.errorf(*header, fmt.Errorf("without label_column, LightGBM reads the label from the first column, %s "+
				"(add label_column = name:NAME)", names[0]))
		default:
			at = slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "label") })
		}
		if at >= 0 {
			names = slices.Delete(names, at, at+1)
		}
		for _, s := range given {
			if !s.Numbered || s.Flag == "label-column" {
				continue
			}
			columns, err := c.columns(s, names)
			if err != nil {
				return err
			}
			switch s.Flag {
			case "weight-column":
				o.Weight = columns[0]
			case "query-column":
				o.Query = columns[0]
			case "ignore-column":
				o.Ignore = slices.Concat(o.Ignore, columns)
			case "categorical":
				o.Features = slices.Concat(o.Features, columns)
				if !counted { // validation data follow the training data
					cmd.Flags().Set("categorical", strings.Join(columns, ",")) // no error: the value is text
				}
				counted = true
			}
		}
		return nil
	}
}

// columns returns the names of the columns that a parameter gives by number.
func (c *configFile) columns(s cli.Setting, names []string) (columns []string, err error) {
	for number := range strings.SplitSeq(s.Value, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 0 || n >= len(names) {
			return nil, c.errorf(s, fmt.Errorf("%q must be a column number from 0 to %d, or name:NAME", number,
				len(names)-1))
		}
		columns = append(columns, names[n])
	}
	if len(columns) > 1 && s.Flag != "ignore-column" && s.Flag != "categorical" {
		return nil, c.errorf(s, errors.New("must be a single column"))
	}
	return columns, nil
}

// checkFeatures returns an error if a parameter does not have a value for each feature. LightGBM
// counts features from 0.
func (c *configFile) checkFeatures(features int) error {
	for _, s := range c.set {
		if s.Features > 0 && s.Features != features {
			return c.errorf(s, fmt.Errorf("the number of values is %d; it must be %d, because the data has features up to "+
				"%d and LightGBM counts from 0", s.Features, features, features-1))
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
