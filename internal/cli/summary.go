package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Count is "1 query", "2 queries".
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Data is what a dataset holds, wherever its rows are. A command embeds it before what it alone
// knows, so that the JSON of all of them begins alike.
type Data struct {
	Queries      int      `json:"queries"`
	Documents    int      `json:"documents"`
	Features     int      `json:"features"`
	RowsPerQuery [5]int   `json:"documents_per_query"` // smallest, quartiles, largest
	Labels       []Label  `json:"labels"`
	NonZero      int64    `json:"nonzero"`
	Density      float64  `json:"density"`
	Absent       int64    `json:"absent"`
	NaN          int64    `json:"nan"`
	Infinite     int64    `json:"infinite"`
	Constant     []string `json:"constant_features"` // by name, or by number from 1
	Weights      bool     `json:"weights"`
	Positions    bool     `json:"positions"`
}

// A Label is the number of documents with a label.
type Label struct {
	Label     Number `json:"label"`
	Documents int    `json:"documents"`
}

// A Number is a float64 that JSON can hold: NaN and the infinities, for which JSON has no name, are
// null.
type Number float64

// MarshalJSON returns the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads a number, or null as NaN.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// NewData returns what a description says.
func NewData(r *data.Description) Data {
	s := Data{Queries: r.Queries, Documents: r.Rows, Features: r.Cols, RowsPerQuery: r.RowsPerQuery, Labels: []Label{},
		NonZero: r.NonZero, Density: r.Density(), Absent: r.Absent, NaN: r.NaN, Infinite: r.Infinite,
		Constant: make([]string, 0, len(r.Constant)), Weights: r.Weights, Positions: r.Positions}
	for _, l := range r.Labels {
		s.Labels = append(s.Labels, Label{Number(l.Label), l.Rows})
	}
	for _, j := range r.Constant {
		if r.Names != nil {
			s.Constant = append(s.Constant, r.Names[j])
		} else {
			s.Constant = append(s.Constant, strconv.Itoa(j+1))
		}
	}
	return s
}

// Text writes the data as a table of names and values. kept is "dense" or "sparse", "" where that
// is not said; duplicates is how many rows repeat an earlier one, negative where that is not known.
func (s *Data) Text(w io.Writer, kept string, duplicates int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	q := s.RowsPerQuery
	fmt.Fprintf(t, "queries\t%d\n", s.Queries)
	fmt.Fprintf(t, "documents\t%d\n", s.Documents)
	fmt.Fprintf(t, "documents per query\t%d to %d; quartiles %d, %d, %d\n", q[0], q[4], q[1], q[2], q[3])
	var labels []string
	for _, l := range s.Labels {
		labels = append(labels, fmt.Sprintf("%g: %d", float64(l.Label), l.Documents))
	}
	fmt.Fprintf(t, "labels\t%s\n", List(labels))
	fmt.Fprintf(t, "features\t%d\n", s.Features)
	if kept != "" {
		kept = ", kept " + kept
	}
	fmt.Fprintf(t, "not zero\t%d (%.3g %%)%s\n", s.NonZero, 100*s.Density, kept)
	fmt.Fprintf(t, "left out by rows\t%d\n", s.Absent)
	fmt.Fprintf(t, "missing (NaN)\t%d\n", s.NaN)
	if s.Infinite > 0 {
		fmt.Fprintf(t, "infinite\t%d\n", s.Infinite)
	}
	fmt.Fprintf(t, "constant features\t%s\n", errs.Line(List(s.Constant)))
	if duplicates >= 0 {
		fmt.Fprintf(t, "duplicated rows\t%d\n", duplicates)
	}
	if s.Weights {
		fmt.Fprintln(t, "weights\tyes")
	}
	if s.Positions {
		fmt.Fprintln(t, "positions\tyes")
	}
	return t.Flush()
}

// listed is how many labels and features text lists; JSON has all.
const listed = 20

// List lists the first few of items.
func List(items []string) string {
	switch n := len(items); {
	case n == 0:
		return "none"
	case n > listed:
		return fmt.Sprintf("%s and %d more", strings.Join(items[:listed], ", "), n-listed)
	}
	return strings.Join(items, ", ")
}

// Settings returns the options that a model was trained with, nil where they are not known.
func Settings(m rank.Model) map[string]string {
	switch m := m.(type) {
	case *rank.Linear:
		return m.Settings
	case *lambdamart.Model:
		return m.Settings
	}
	return nil
}

// Leaves returns how many leaves the trees of a model have.
func Leaves(m *lambdamart.Model) (leaves int) {
	for _, tree := range m.Trees {
		leaves += len(tree.Leaf)
	}
	return leaves
}

// Metrics writes a line for each metric: its mean, and over how many queries.
func Metrics(w io.Writer, r *rank.Results) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "metric\tmean\tcounted\tskipped\t\n")
	for _, m := range r.Metrics {
		fmt.Fprintf(t, "%v\t%.4f\t%d\t%d\t\n", m.Metric, m.Mean, m.Counted, m.Skipped)
	}
	return t.Flush()
}
