package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank"
)

type tauResult struct {
	TauA   number    `json:"tau_a"`
	TauB   number    `json:"tau_b"`
	TauC   number    `json:"tau_c"`
	Gamma  number    `json:"gamma"`
	PValue number    `json:"p_value"`
	Counts tauCounts `json:"counts"`
}

// tauCounts are pairs of rows, but for N.
type tauCounts struct {
	N          int64 `json:"n"`
	Pairs      int64 `json:"pairs"`
	Concordant int64 `json:"concordant"`
	Discordant int64 `json:"discordant"`
	TiedX      int64 `json:"tied_x"`
	TiedY      int64 `json:"tied_y"`
	TiedBoth   int64 `json:"tied_both"`
}

func tauCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tau [file]",
		Short: "Kendall's tau of two columns of numbers",
		Long: `Kendall's tau of two columns of numbers, separated by blanks, tabs or commas.
Blank lines and lines that start with # are skipped; without a file, or with -,
standard input is read.

Prints tau-a, tau-b, tau-c, Goodman and Kruskal's gamma, the two-sided p-value
of no association, and the counts of pairs they rest on. What is undefined, as
tau-b of a constant column, is NaN in text and null in JSON.`,
		Example: `  simdrank tau scores.txt
  paste judge1.txt judge2.txt | simdrank tau --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("tau takes one file, not %d", len(args))
			}
			return nil
		},
	}
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path := "-"
		if len(args) == 1 {
			path = args[0]
		}
		columns, err := readColumns(cmd, path, 2)
		if err != nil {
			return err
		}
		counting := begin(cmd, "counting pairs", "")
		defer counting.end()
		k, err := rank.KendallTauOf(&rank.KendallWorkspace{Progress: counting.at}, columns[0], columns[1])
		counting.end()
		if err != nil {
			return err
		}
		return printResult(cmd.OutOrStdout(), format, tauResult{
			number(k.TauA()), number(k.TauB()), number(k.TauC()), number(k.Gamma()), number(k.PValue()),
			tauCounts{k.N, k.Pairs(), k.Concordant, k.Discordant, k.TiedX, k.TiedY, k.TiedBoth},
		})
	}
	return cmd
}

func (r tauResult) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range []struct {
		name  string
		value number
	}{{"tau-a", r.TauA}, {"tau-b", r.TauB}, {"tau-c", r.TauC}, {"gamma", r.Gamma}, {"p-value", r.PValue}} {
		fmt.Fprintf(t, "%s\t%.6g\n", row.name, float64(row.value))
	}
	c := r.Counts
	for _, row := range []struct {
		name  string
		count int64
	}{{"rows", c.N}, {"pairs", c.Pairs}, {"concordant", c.Concordant}, {"discordant", c.Discordant},
		{"tied in column 1", c.TiedX}, {"tied in column 2", c.TiedY}, {"tied in both", c.TiedBoth}} {
		fmt.Fprintf(t, "%s\t%d\n", row.name, row.count)
	}
	return t.Flush()
}
