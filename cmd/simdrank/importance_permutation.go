package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/importance"
	"github.com/simdrank/simdrank/rank/model"
)

// permutationFlags holds the flags of importance for --measure permutation.
type permutationFlags struct {
	groups  string
	options importance.Permutation
	metrics *metricFlags
	names   []string // of these flags
}

func newPermutationFlags(cmd *cobra.Command) *permutationFlags {
	f := &permutationFlags{}
	flags := cmd.Flags()
	section(cmd, "Permutation", func() {
		flags.StringVar(&f.groups, "feature-groups", "", "`groups` to permute together, e.g. text=1-5,bm25;clicks=ctr")
		flags.IntVar(&f.options.Repeats, "repeats", 5, "random permutations per query")
		flags.Uint64Var(&f.options.Seed, "seed", 1, "random `seed`")
		flags.IntVar(&f.options.Threads, "threads", 0, "threads (default one per processor)")
	})
	f.metrics = newMetricFlags(cmd)
	f.metrics.list, flags.Lookup("metric").DefValue = "ndcg@10", "ndcg@10"
	f.names = []string{"feature-groups", "repeats", "seed", "threads", "metric", "max-label"}
	for _, p := range f.metrics.policies {
		f.names = append(f.names, p.kind)
	}
	return f
}

// check returns a usage error if the flags are wrong or do not suit the measure.
func (f *permutationFlags) check(cmd *cobra.Command, measure string) error {
	for _, name := range f.names {
		if measure != "permutation" && cmd.Flags().Changed(name) {
			return usagef("--%s requires --measure permutation", name)
		}
	}
	switch {
	case f.options.Repeats < 1:
		return usagef("--repeats %d: must be greater than 0", f.options.Repeats)
	case f.options.Threads < 0:
		return usagef("--threads %d: must be at least 0", f.options.Threads)
	}
	return nil
}

// drops permutes the features of a model, or groups of them, and returns the drops of the metric.
func (f *permutationFlags) drops(cmd *cobra.Command, m rank.Model, path string, data *dataFlags) (*metricDrops, error) {
	e, err := f.metrics.evaluator()
	if err != nil {
		return nil, err
	}
	if n := len(e.Metrics()); n > 1 {
		return nil, usagef("--measure permutation requires one metric (--metric lists %d)", n)
	}
	d, err := data.loadFor(cmd, m, path)
	if err != nil {
		return nil, err
	}
	if err := f.metrics.checkIDs(d, data.path); err != nil {
		return nil, err
	}
	features := cli.Features{Names: model.FeatureNames(m), Cols: m.Features(), First: data.first()}
	if features.Names == nil && d.Cols == features.Cols {
		features.Names = d.Names
	}
	r := &metricDrops{Metric: e.Metrics()[0], Repeats: f.options.Repeats}
	var names []string
	if f.groups != "" {
		if names, f.options.Groups, err = features.Groups("feature-groups", f.groups); err != nil {
			return nil, usageError{err}
		}
	}
	permuting := begin(cmd, "permuting "+inputName(data.path), "documents")
	defer permuting.end()
	f.options.Progress = permuting.at
	mean, drops, err := f.options.Drops(cmd.Context(), m, d, e)
	if err != nil {
		return nil, evalError(err, data.path, path)
	}
	r.Mean = mean
	for g, drop := range drops {
		of := metricDrop{Drop: drop.Mean, Low: drop.Low, High: drop.High}
		if names != nil {
			of.Group = names[g]
			for _, j := range drop.Features {
				of.Features = append(of.Features, j+features.First)
			}
			r.Groups = append(r.Groups, of)
			continue
		}
		number := drop.Features[0] + features.First
		if of.Feature = &number; features.Names != nil {
			of.Name = features.Names[drop.Features[0]]
		}
		r.Features = append(r.Features, of)
	}
	for _, list := range [][]metricDrop{r.Features, r.Groups} {
		slices.SortStableFunc(list, func(a, b metricDrop) int { return cmp.Compare(b.Drop, a.Drop) })
	}
	return r, nil
}

// metricDrops is the result of importance --measure permutation.
type metricDrops struct {
	Metric   rank.Metric  `json:"metric"`
	Mean     float64      `json:"mean"` // of the metric without permutations
	Repeats  int          `json:"repeats"`
	Features []metricDrop `json:"features,omitempty"`
	Groups   []metricDrop `json:"groups,omitempty"`
}

// A metricDrop describes a feature or a group of features.
type metricDrop struct {
	Feature  *int    `json:"feature,omitempty"` // nil for a group
	Name     string  `json:"name,omitempty"`
	Group    string  `json:"group,omitempty"`
	Features []int   `json:"features,omitempty"` // of a group
	Drop     float64 `json:"drop"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

func (r *metricDrops) csv(t *csvTable) {
	if r.Groups == nil {
		t.row("feature", "name", "drop", "low", "high")
	} else {
		t.row("group", "features", "drop", "low", "high")
	}
	for _, of := range r.Features {
		t.row(*of.Feature, of.Name, of.Drop, of.Low, of.High)
	}
	for _, of := range r.Groups {
		t.row(of.Group, strings.Trim(fmt.Sprint(of.Features), "[]"), of.Drop, of.Low, of.High)
	}
}

func (r *metricDrops) text(w io.Writer) error {
	fmt.Fprintf(w, "%v %.4f\n\n", r.Metric, r.Mean)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	what := "feature"
	if r.Groups != nil {
		what = "group"
	}
	fmt.Fprintf(t, "%s\tdrop\tlow\thigh\t\n", what)
	for _, of := range slices.Concat(r.Features, r.Groups) {
		name := cmp.Or(of.Name, of.Group)
		if of.Feature != nil && name == "" {
			name = strconv.Itoa(*of.Feature)
		}
		fmt.Fprintf(t, "%s\t%.4f\t%.4f\t%.4f\t\n", errs.Line(name), of.Drop, of.Low, of.High)
	}
	return t.Flush()
}
