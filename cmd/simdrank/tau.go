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

	"github.com/simdrank/simdrank/internal/cli"
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

// A weightedTau is the weighted tau of two columns.
type weightedTau struct {
	Tau    number `json:"weighted_tau"`
	PValue number `json:"p_value"`
	Rows   int    `json:"rows"`
	Rounds int    `json:"rounds"`
}

func tauCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tau [file]",
		Short: "Compute Kendall's tau between columns of numbers",
		Long: `Read columns of numbers, separated by commas, tabs or blanks. Without a file, or with
-, read standard input. Blank lines and lines that start with # are skipped. If no cell
of the first line is a number, the line names the columns. Integers of up to 106 bits
are compared exactly, all other numbers as float64.

For two columns, the command prints tau-a, tau-b, tau-c, Goodman and Kruskal's gamma,
the two-sided p-value of a test for association, and pair counts. For more columns, it
prints tau-b and the p-value for each pair of columns. Undefined values, such as tau-b of
a constant column, are NaN in text and null in JSON.

With --weighted, pairs with high values count more, and the p-value is estimated by
random permutations.`,
		Example: `  simdrank tau scores.txt
  paste judge1.txt judge2.txt | simdrank tau --format json
  simdrank tau judges.csv --columns anna,ben,carl --drop-nan --weighted`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("tau accepts one file (found %d)", len(args))
			}
			return nil
		},
	}
	var wanted nameList
	c := &tauOptions{}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(&wanted, "columns", "columns to compare: names, or numbers from 1 (default: all)")
	cmd.Flags().BoolVar(&c.dropNaN, "drop-nan", false, "skip rows with NaN or an empty cell in these columns")
	cmd.Flags().BoolVar(&c.weighted, "weighted", false, "compute the weighted tau of scipy.stats.weightedtau")
	cmd.Flags().IntVar(&c.rounds, "rounds", 10_000, "permutations for the p-value of --weighted")
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "random `seed`")
	format := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		path := "-"
		if len(args) == 1 {
			path = args[0]
		}
		if err := c.check(wanted, cmd.Flags().Changed); err != nil {
			return err
		}
		columns, err := c.read(cmd, path, wanted)
		if err != nil {
			return err
		}
		r, err := c.result(cmd, columns)
		if err != nil {
			return err
		}
		return printResult(cmd.OutOrStdout(), format, r)
	}
	return cmd
}

// tauOptions holds the flags of tau.
type tauOptions struct {
	dropNaN, weighted bool
	rounds            int
	seed              uint64
}

func (o *tauOptions) check(wanted []string, changed func(flag string) bool) error {
	const most = 1 << 30
	switch {
	case changed("columns") && len(wanted) < 2:
		return usagef("--columns must name at least two columns")
	case !o.weighted && changed("rounds"):
		return usagef("--rounds requires --weighted")
	case !o.weighted && changed("seed"):
		return usagef("--seed requires --weighted")
	case o.rounds < 1 || o.rounds > most:
		return usagef("--rounds %d: must be from 1 to %d", o.rounds, most)
	}
	return nil
}

// read reads the columns. It prints the number of skipped rows.
func (o *tauOptions) read(cmd *cobra.Command, path string, wanted []string) ([]tauColumn, error) {
	columns, err := readInput(cmd, path, func(r io.Reader, limits ...rank.ReadOptions) ([]tauColumn, error) {
		reader := cli.ColumnReader{Wanted: wanted, DropNaN: o.dropNaN}
		var columns []tauColumn
		err := reader.Read(r, func(k int, token string, v float64) error {
			if columns == nil {
				columns = make([]tauColumn, len(reader.Names))
			}
			return columns[k].add(token, v)
		}, limits...)
		for k := range columns {
			columns[k].name, columns[k].dropped = reader.Names[k], reader.Dropped
		}
		return columns, err
	})
	if err != nil {
		return nil, err
	}
	const most = 1000 // the output grows with the square
	switch n := len(columns); {
	case n < 2:
		return nil, fmt.Errorf("%s has one column; tau requires at least two", inputName(path))
	case n > most:
		return nil, fmt.Errorf("%s has %d columns; tau compares at most %d (use --columns to select some)",
			inputName(path), n, most)
	}
	first := columns[0]
	if first.dropped > 0 {
		note(cmd, "%s: skipped %d of %s with NaN or an empty cell", inputName(path), first.dropped,
			counted(first.dropped+len(first.values), "row"))
	}
	return columns, nil
}

// result compares the columns.
func (o *tauOptions) result(cmd *cobra.Command, columns []tauColumn) (result, error) {
	keys := make([][]float64, len(columns))
	for k := range columns {
		keys[k] = columns[k].keys()
	}
	what, unit := "counting pairs", ""
	if o.weighted {
		what, unit = "permuting", "rounds"
	}
	counting := begin(cmd, what, unit)
	defer counting.end()
	if len(columns) > 2 {
		return o.matrix(cmd.Context(), columns, keys, counting)
	}
	work := &kernels.Work{Progress: counting.at}
	if o.weighted {
		tau, p, err := rank.WeightedTau(cmd.Context(), keys[0], keys[1], o.rounds, o.seed, work)
		return weightedTau{number(tau), number(p), len(keys[0]), o.rounds}, err
	}
	k, err := rank.KendallTauOf(keys[0], keys[1], work)
	return tauResult{
		number(k.TauA()), number(k.TauB()), number(k.TauC()), number(k.Gamma()), number(k.PValue()),
		tauCounts{k.N, k.Pairs(), k.Concordant, k.Discordant, k.TiedX, k.TiedY, k.TiedBoth},
	}, err
}

func (r weightedTau) text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "weighted tau  %.6g\np-value       %.6g\nrows          %d\nrounds        %d\n",
		float64(r.Tau), float64(r.PValue), r.Rows, r.Rounds)
	return err
}

// A tauColumn is a column that preserves the order of integers of up to 106 bits.
type tauColumn struct {
	name    string
	dropped int // number of skipped rows of the table
	values  []float64
	rest    []float64 // differences between integers and their float64 values; nil if all are 0
}

// add adds a number. v is the float64 nearest to it.
func (c *tauColumn) add(token string, v float64) error {
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
