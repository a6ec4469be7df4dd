package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/simdrank/simdrank/rank"
)

// dataInfo is what info tells of data.
type dataInfo struct {
	Queries      int          `json:"queries"`
	Documents    int          `json:"documents"`
	Features     int          `json:"features"`
	RowsPerQuery []int        `json:"documents_per_query"` // smallest, quartiles, largest
	Labels       []labelCount `json:"labels"`
	NonZero      int64        `json:"nonzero"`
	Density      float64      `json:"density"`
	Absent       int64        `json:"absent"`
	NaN          int64        `json:"nan"`
	Infinite     int64        `json:"infinite"`
	Constant     []string     `json:"constant_features"` // by name, or by number from 1
	Duplicates   int          `json:"duplicate_documents"`
	Sparse       bool         `json:"sparse"`
	Weights      bool         `json:"weights"`
	Positions    bool         `json:"positions"`
}

type labelCount struct {
	Label     number `json:"label"`
	Documents int    `json:"documents"`
}

func describeData(r *rank.Description, d *rank.Dataset) dataInfo {
	i := dataInfo{Queries: r.Queries, Documents: r.Rows, Features: r.Cols, RowsPerQuery: r.RowsPerQuery[:],
		Labels: []labelCount{}, NonZero: r.NonZero, Density: r.Density, Absent: r.Absent, NaN: r.NaN,
		Infinite: r.Infinite, Constant: []string{}, Duplicates: r.Duplicates, Sparse: d.Sparse != nil,
		Weights: d.Weights != nil || d.QueryWeights != nil, Positions: d.Positions != nil}
	for _, l := range r.Labels {
		i.Labels = append(i.Labels, labelCount{number(l.Label), l.Rows})
	}
	for _, j := range r.Constant {
		if d.Names != nil {
			i.Constant = append(i.Constant, d.Names[j])
		} else {
			i.Constant = append(i.Constant, strconv.Itoa(j+1))
		}
	}
	return i
}

// listed is how many labels and features text lists; JSON has all.
const listed = 20

func (i dataInfo) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "queries\t%d\n", i.Queries)
	fmt.Fprintf(t, "documents\t%d\n", i.Documents)
	fmt.Fprintf(t, "documents per query\t%d to %d; quartiles %d, %d, %d\n", i.RowsPerQuery[0], i.RowsPerQuery[4],
		i.RowsPerQuery[1], i.RowsPerQuery[2], i.RowsPerQuery[3])
	var labels []string
	for _, l := range i.Labels {
		labels = append(labels, fmt.Sprintf("%g: %d", float64(l.Label), l.Documents))
	}
	fmt.Fprintf(t, "labels\t%s\n", firstOf(labels))
	fmt.Fprintf(t, "features\t%d\n", i.Features)
	kept := "dense"
	if i.Sparse {
		kept = "sparse"
	}
	fmt.Fprintf(t, "not zero\t%d (%.3g %%), kept %s\n", i.NonZero, 100*i.Density, kept)
	fmt.Fprintf(t, "left out by rows\t%d\n", i.Absent)
	fmt.Fprintf(t, "missing (NaN)\t%d\n", i.NaN)
	if i.Infinite > 0 {
		fmt.Fprintf(t, "infinite\t%d\n", i.Infinite)
	}
	fmt.Fprintf(t, "constant features\t%s\n", firstOf(i.Constant))
	fmt.Fprintf(t, "duplicated rows\t%d\n", i.Duplicates)
	if i.Weights {
		fmt.Fprintln(t, "weights\tyes")
	}
	if i.Positions {
		fmt.Fprintln(t, "positions\tyes")
	}
	return t.Flush()
}

// firstOf lists the first few of items.
func firstOf(items []string) string {
	switch n := len(items); {
	case n == 0:
		return "none"
	case n > listed:
		return fmt.Sprintf("%s and %d more", strings.Join(items[:listed], ", "), n-listed)
	}
	return strings.Join(items, ", ")
}
