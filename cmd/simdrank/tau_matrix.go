package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// A tauMatrix contains a coefficient and the p-value of each pair of columns. The p-values of a
// column with itself are undefined.
type tauMatrix struct {
	Coefficient string     `json:"coefficient"` // tau-b or weighted-tau
	Columns     []string   `json:"columns"`
	Rows        int        `json:"rows"`
	Rounds      int        `json:"rounds,omitempty"` // permutations per pair; 0 if p-values are not estimated
	Values      [][]number `json:"values"`
	PValues     [][]number `json:"p_values"`
}

// matrix compares each pair of columns. keys contains their values.
func (o *tauOptions) matrix(ctx context.Context, columns []tauColumn, keys [][]float64, counting *phase) (
	*tauMatrix, error) {
	n := len(keys)
	m := &tauMatrix{Coefficient: "tau-b", Rows: len(keys[0]), Values: make([][]number, n), PValues: make([][]number, n)}
	if o.weighted {
		m.Coefficient, m.Rounds = "weighted-tau", o.rounds
	}
	for i := range n {
		m.Columns = append(m.Columns, columns[i].name)
		m.Values[i], m.PValues[i] = make([]number, n), make([]number, n)
	}
	pair, pairs := int64(0), int64(n*(n-1)/2)
	work := &kernels.Work{Progress: func(done, total int64) { counting.at(pair*total+done, pairs*total) }}
	for i := range n {
		k, err := rank.KendallTauOf(keys[i], keys[i], nil)
		if err != nil {
			return nil, err
		}
		m.Values[i][i], m.PValues[i][i] = number(k.TauB()), number(math.NaN())
		for j := range i {
			tau, p, err := o.pair(ctx, keys[j], keys[i], work)
			if err != nil {
				return nil, err
			}
			m.Values[i][j], m.PValues[i][j] = number(tau), number(p)
			m.Values[j][i], m.PValues[j][i] = number(tau), number(p)
			pair++
		}
	}
	return m, nil
}

// pair returns the coefficient and the p-value of two columns.
func (o *tauOptions) pair(ctx context.Context, x, y []float64, work *kernels.Work) (tau, p float64, err error) {
	if o.weighted {
		return rank.WeightedTau(ctx, x, y, o.rounds, o.seed, work)
	}
	k, err := rank.KendallTauOf(x, y, work)
	if err == nil {
		err = ctx.Err()
	}
	return k.TauB(), k.PValue(), err
}

// csv has a row for each pair of columns.
func (m *tauMatrix) csv(t *csvTable) {
	t.row("column", "other", m.Coefficient, "p_value")
	for i, name := range m.Columns {
		for j := i + 1; j < len(m.Columns); j++ {
			t.row(name, m.Columns[j], m.Values[i][j], m.PValues[i][j])
		}
	}
}

func (m *tauMatrix) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	table := func(title, format string, values [][]number) {
		fmt.Fprintf(t, "%s\t", title)
		for _, name := range m.Columns {
			fmt.Fprintf(t, "%s\t", errs.Line(name))
		}
		fmt.Fprintln(t)
		for i, name := range m.Columns {
			fmt.Fprintf(t, "%s\t", errs.Line(name))
			for _, v := range values[i] {
				writeValue(t, format, float64(v))
			}
			fmt.Fprintln(t)
		}
	}
	table(m.Coefficient, "%.4f", m.Values)
	fmt.Fprintln(t)
	table("p-value", "%.3g", m.PValues)
	fmt.Fprintf(t, "\nrows: %d\n", m.Rows)
	return t.Flush()
}
