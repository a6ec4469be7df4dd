package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/kernels"
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

// tauCounts holds numbers of pairs of rows. N is the number of rows.
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
		Short: "Compute Kendall's tau of two columns of numbers",
		Long: `Read two columns of numbers, separated by blanks, tabs or commas. Without a file, or
with -, read standard input. Blank lines and lines that start with # are skipped.
Integers of up to 106 bits are compared exactly, all other numbers as float64.

The command prints tau-a, tau-b, tau-c, Goodman and Kruskal's gamma, the two-sided
p-value for no association, and pair counts. Undefined values, such as tau-b of a
constant column, are NaN in text and null in JSON.`,
		Example: `  simdrank tau scores.txt
  paste judge1.txt judge2.txt | simdrank tau --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("tau accepts one file (found %d)", len(args))
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
		var columns [2]tauColumn
		err := readColumns(cmd, path, 2, func(k int, token string, v float64) error { return columns[k].add(token, v) })
		if err != nil {
			return err
		}
		counting := begin(cmd, "counting pairs", "")
		defer counting.end()
		counter := &kernels.Work{Progress: counting.at}
		k, err := rank.KendallTauOf(columns[0].keys(), columns[1].keys(), counter)
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

// A tauColumn is a column that preserves the order of integers of up to 106 bits.
type tauColumn struct {
	values []float64
	rest   []float64 // differences between integers and their float64 values; nil if all are 0
}

// add adds a number. v is the float64 nearest to it.
func (c *tauColumn) add(token string, v float64) error {
	if err := ranked(v); err != nil {
		return err
	}
	rest, err := beyondFloat64(token, v)
	if err != nil {
		return err
	}
	if rest != 0 && c.rest == nil {
		c.rest = make([]float64, len(c.values))
	}
	c.values = append(c.values, v)
	if c.rest != nil {
		c.rest = append(c.rest, rest)
	}
	return nil
}

// beyondFloat64 returns the difference between an integer and v, the float64 nearest to it. It
// returns 0 for numbers with a point or an exponent.
func beyondFloat64(token string, v float64) (float64, error) {
	if math.Abs(v) < 1<<53 {
		return 0, nil
	}
	exact, ok := new(big.Int).SetString(token, 10)
	if !ok {
		return 0, nil
	}
	near, _ := big.NewFloat(v).Int(nil)
	rest, accuracy := new(big.Float).SetInt(exact.Sub(exact, near)).Float64()
	if accuracy != big.Exact {
		return 0, errors.New("an integer of more than 106 bits cannot be compared exactly " +
			"(write it with an exponent to round it)")
	}
	return rest, nil
}

// keys returns float64 numbers that have the order of the column.
func (c *tauColumn) keys() []float64 {
	if c.rest == nil {
		return c.values
	}
	compare := func(i, j int) int {
		return cmp.Or(cmp.Compare(c.values[i], c.values[j]), cmp.Compare(c.rest[i], c.rest[j]))
	}
	order, ranks := make([]int, len(c.values)), make([]float64, len(c.values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	for k, i := range order[1:] {
		ranks[i] = ranks[order[k]]
		if compare(order[k], i) != 0 {
			ranks[i]++
		}
	}
	return ranks
}

func (r tauResult) text(w io.Writer) error {
	t, c := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), r.Counts
	fmt.Fprintf(t, "tau-a\t%.6g\ntau-b\t%.6g\ntau-c\t%.6g\ngamma\t%.6g\np-value\t%.6g\n", float64(r.TauA),
		float64(r.TauB), float64(r.TauC), float64(r.Gamma), float64(r.PValue))
	fmt.Fprintf(t, "rows\t%d\npairs\t%d\nconcordant\t%d\ndiscordant\t%d\n", c.N, c.Pairs, c.Concordant, c.Discordant)
	fmt.Fprintf(t, "tied in column 1\t%d\ntied in column 2\t%d\ntied in both\t%d\n", c.TiedX, c.TiedY, c.TiedBoth)
	return t.Flush()
}
