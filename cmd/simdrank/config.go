package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/trainflags"
	"github.com/simdrank/simdrank/rank"
)

// A configFile is that of --config: flags of a training in LightGBM's words.
type configFile struct {
	path string
	set  map[string]trainflags.Setting // by flag
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
	list, err := readInput(cmd, c.path, trainflags.ReadConfig)
	if err != nil {
		return &failure{err}
	}
	if !flags.Changed("model") {
		flags.Lookup("model").Value.Set("lambdamart") // which is one
	}
	c.set = map[string]trainflags.Setting{}
	for _, s := range list {
		switch f := flags.Lookup(s.Flag); {
		case f == nil:
			return c.errorf(s, fmt.Errorf("%s has no --%s", cmd.Name(), s.Flag))
		case f.Changed:
		default:
			if err := flags.Set(s.Flag, s.Value); err != nil {
				if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
					err = valueError(invalid)
				}
				return c.errorf(s, err)
			}
			c.set[s.Flag] = s
		}
	}
	return nil
}

// errorf returns an error about a line of the file.
func (c *configFile) errorf(s trainflags.Setting, err error) error {
	return &failure{&rank.ParseError{File: inputName(c.path), Line: s.Line,
		Err: fmt.Errorf("%s = %s: %w", s.Name, s.Value, err)}}
}

// explain makes an error of usage that begins with a flag one about the line that has set it.
func (c *configFile) explain(err error) error {
	if err == nil {
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "--"), " ")
	s, found := c.set[strings.TrimSuffix(name, ":")]
	if !found {
		return err
	}
	return c.errorf(s, err)
}
