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
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// Count returns a count with its noun, such as "1 query" or "2 queries".
func Count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Data describes a dataset. Commands embed it first, so that their JSON begins alike.
type Data struct {
	Queries      int     `json:"queries"`
	Documents    int     `json:"documents"`
	Features     int     `json:"features"`
	RowsPerQuery [5]int  `json:"documents_per_query"` // smallest, quartiles, largest
	Labels       []Label `json:"labels"`
	NonZero      int64   `json:"nonzero"`
	Density      float64 `json:"density"`
	Absent       int64   `json:"absent"`
	NaN          int64   `json:"nan"`
	Infinite     int64   `json:"infinite"`
	Constant     Columns `json:"constant_features"`
	Weights      bool    `json:"weights"`
	Positions    bool    `json:"positions"`
}

// Columns are an array of strings in JSON: their names or, without names, their numbers from 1. The
// strings are not stored, because very wide data have millions of constant features.
type Columns struct {
	Indices []int
	Names   []string // of all columns; nil if they have no names
}

func (c Columns) name(k int) string {
	if c.Names == nil {
		return strconv.Itoa(c.Indices[k] + 1)
	}
	return c.Names[c.Indices[k]]
}

// MarshalJSON returns the array.
func (c Columns) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 11*len(c.Indices)+2), '[')
	for k := range c.Indices {
		if k > 0 {
			b = append(b, ',')
		}
		b = text.AppendQuoted(b, c.name(k))
	}
	return append(b, ']'), nil
}

// A Label is the number of documents with a label.
type Label struct {
	Label     Number `json:"label"`
	Documents int    `json:"documents"`
}

// A Number is a float64 in JSON. NaN and the infinities, which JSON cannot represent, become null.
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

// NewData returns a description in the form that commands print.
func NewData(r *data.Description) Data {
	s := Data{Queries: r.Queries, Documents: r.Rows, Features: r.Cols, RowsPerQuery: r.RowsPerQuery, Labels: []Label{},
		NonZero: r.NonZero, Density: r.Density(), Absent: r.Absent, NaN: r.NaN, Infinite: r.Infinite,
		Constant: Columns{r.Constant, r.Names}, Weights: r.Weights, Positions: r.Positions}
	for _, l := range r.Labels {
		s.Labels = append(s.Labels, Label{Number(l.Label), l.Rows})
	}
	return s
}

// Text writes the data as a table of names and values. kept is "dense", "sparse" or, if unknown,
// "". duplicates is the number of rows that repeat an earlier one; a negative number means unknown.
func (s *Data) Text(w io.Writer, kept string, duplicates int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	q := s.RowsPerQuery
	fmt.Fprintf(t, "queries\t%d\n", s.Queries)
	fmt.Fprintf(t, "documents\t%d\n", s.Documents)
	fmt.Fprintf(t, "documents per query\t%d to %d; quartiles %d, %d, %d\n", q[0], q[4], q[1], q[2], q[3])
	fmt.Fprintf(t, "labels\t%s\n", List(len(s.Labels), func(i int) string {
		return fmt.Sprintf("%g: %d", float64(s.Labels[i].Label), s.Labels[i].Documents)
	}))
	fmt.Fprintf(t, "features\t%d\n", s.Features)
	if kept != "" {
		kept = ", " + kept + " storage"
	}
	fmt.Fprintf(t, "not zero\t%d (%.3g%%)%s\n", s.NonZero, 100*s.Density, kept)
	fmt.Fprintf(t, "omitted by rows\t%d\n", s.Absent)
	fmt.Fprintf(t, "missing (NaN)\t%d\n", s.NaN)
	if s.Infinite > 0 {
		fmt.Fprintf(t, "infinite\t%d\n", s.Infinite)
	}
	constant := List(len(s.Constant.Indices), s.Constant.name)
	fmt.Fprintf(t, "constant features\t%s\n", errs.Line(constant))
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

// OneOf lists words, such as "a, b or c".
func OneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// listed is the maximum number of labels and features that text lists. JSON contains all.
const listed = 20

// List lists the first of n items and counts the others.
func List(n int, item func(i int) string) string {
	if n == 0 {
		return "none"
	}
	items := make([]string, min(n, listed))
	for i := range items {
		items[i] = item(i)
	}
	list := strings.Join(items, ", ")
	if n > listed {
		list += fmt.Sprintf(" and %d more", n-listed)
	}
	return list
}

// Settings returns the options that a model was trained with, or nil if they are unknown.
func Settings(m rank.Model) map[string]string {
	switch m := m.(type) {
	case *rank.Linear:
		return m.Settings
	case *lambdamart.Model:
		return m.Settings
	}
	return nil
}

// Leaves returns the number of leaves in all trees of a model.
func Leaves(m *lambdamart.Model) (leaves int) {
	for _, tree := range m.Trees {
		leaves += len(tree.Leaf)
	}
	return leaves
}

// Metrics writes a line for each metric: its mean, and the numbers of queries counted and skipped.
func Metrics(w io.Writer, r *rank.Results) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "metric\tmean\tcounted\tskipped\t\n")
	for _, m := range r.Metrics {
		fmt.Fprintf(t, "%v\t%.4f\t%d\t%d\t\n", m.Metric, m.Mean, m.Counted, m.Skipped)
	}
	return t.Flush()
}
