package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/text"
)

// A choice is the value of a flag that accepts one of a few words.
type choice struct {
	value   string
	allowed []string
	noun    string // name of the value in the help
}

func (c *choice) String() string { return c.value }

// Type returns the name that the help shows for the value.
func (c *choice) Type() string { return c.noun }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("must be %s", cli.OneOf(c.allowed))
	}
	c.value = s
	return nil
}

// choiceFlag adds a flag that accepts the words of allowed, with shell completion. The first word
// is the default. The usage has the name of the value between backquotes.
func choiceFlag(cmd *cobra.Command, name, usage string, allowed ...string) *choice {
	c := &choice{value: allowed[0], allowed: allowed}
	c.noun, usage = pflag.UnquoteUsage(&pflag.Flag{Usage: usage, Value: c})
	cmd.Flags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag exists: it was added above
	}
	return c
}

func formatFlag(cmd *cobra.Command) *choice {
	return choiceFlag(cmd, "format", "output `format`", "text", "json", "csv")
}

// A result is printed by a command as text, as JSON or as CSV. As CSV it is a table if it
// implements [tabular], and otherwise a list of names and values of the JSON fields.
type result interface{ text(w io.Writer) error }

// printResult writes r to w in the given format.
func printResult(w io.Writer, format *choice, r result) error {
	return buffered(w, func(w io.Writer) error {
		switch format.value {
		case "json":
			return text.WriteJSON(w, r)
		case "csv":
			return writeCSV(w, r)
		}
		return r.text(w)
	})
}

// checkIDs returns an error about the first identifier that is not UTF-8, because JSON cannot
// contain it.
func checkIDs(path string, ids ...string) error {
	for _, id := range ids {
		if !utf8.ValidString(id) {
			return fmt.Errorf("%s: %w", inputName(path), text.NotUTF8("an identifier in JSON", id))
		}
	}
	return nil
}

// A number is a float64 in JSON.
type number = cli.Number

// formatNumber returns the shortest decimal that parses to v.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// counted returns a count with its noun, such as "1 row" or "2 rows".
func counted[N int | int64](n N, what string) string { return cli.Count(n, what, what+"s") }
