package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/text"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }

// Type returns the word that help shows after the flag.
func (c *choice) Type() string { return "word" }

func (c *choice) Set(s string) error {
	for _, a := range c.allowed {
		if s == a {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("want %s", strings.Join(c.allowed, " or "))
}

// choiceFlag adds a flag that takes one of allowed, the first by default, with
// shell completion.
func choiceFlag(cmd *cobra.Command, name, usage string, allowed ...string) *choice {
	c := &choice{allowed[0], allowed}
	cmd.Flags().Var(c, name, usage+": "+strings.Join(allowed, ", "))
	if err := cmd.RegisterFlagCompletionFunc(name,
		cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag exists: it was added one line above
	}
	return c
}

// wrapped returns words between commas, in lines of at most 80 columns, of which the first starts
// at a column.
func wrapped(column int, words []string) string {
	var s strings.Builder
	for i, w := range words {
		separator := ", "
		switch {
		case i == 0:
			separator = ""
		case column+len(w)+3 > 80:
			separator, column = ",\n", 0
		}
		s.WriteString(separator + w)
		column += len(w) + 2
	}
	return s.String()
}

func formatFlag(cmd *cobra.Command) *choice {
	return choiceFlag(cmd, "format", "form of the printed results", "text", "json", "csv")
}

// A result is what a command prints: as JSON by its fields, or as text. As CSV it is a table if it
// is a [tabular] one, and else the fields of the JSON, a name and a value each.
type result interface{ text(w io.Writer) error }

// printResult writes r to w, in the form asked for.
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

// checkIDs returns an error about the first identifier of a file that is not UTF-8, for results in
// JSON.
func checkIDs(path string, ids ...string) error {
	for _, id := range ids {
		if !utf8.ValidString(id) {
			return fmt.Errorf("%s: %w", inputName(path), text.NotUTF8("an identifier in JSON", id))
		}
	}
	return nil
}

// A number is a float64 that JSON can hold.
type number = cli.Number

// formatNumber writes a number in as few digits as it takes to read the same bits.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// counted is "1 row", "2 rows".
func counted[N int | int64](n N, what string) string { return cli.Count(n, what, what+"s") }
