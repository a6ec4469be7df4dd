package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// A Group contains the results for a group of queries.
type Group struct {
	Name    string `json:"name"`
	Queries int    `json:"queries"` // all queries in the group, also those without a value
	Systems []Row  `json:"systems"`
}

// A part is a group, or all queries. queries contains the indices of its queries.
type part struct {
	Group
	queries []int
}

// parts returns a part for all queries, followed by a part for each group.
func (o *Options) parts(r *rank.Results) ([]part, error) {
	parts := []part{{queries: make([]int, len(r.QueryIDs))}}
	for q := range r.QueryIDs {
		parts[0].queries[q] = q
	}
	if o.Groups == nil {
		return parts, nil
	}
	if len(o.Groups) != len(r.QueryIDs) {
		return nil, errs.Errorf("compare", "the number of group names is %d; it must be %d, one per query",
			len(o.Groups), len(r.QueryIDs))
	}
	byName := map[string]int{}
	for q, name := range o.Groups {
		k, known := byName[name]
		if !known {
			k = len(parts)
			byName[name] = k
			parts = append(parts, part{Group: Group{Name: name}})
		}
		parts[k].queries = append(parts[k].queries, q)
		parts[k].Queries++
	}
	return parts, nil
}

// table returns the table of parts. The worst group comes first, and groups without a value come
// last.
func (o *Options) table(parts []part) *Table {
	t := &Table{Options: *o, Systems: parts[0].Systems}
	for _, p := range parts[1:] {
		t.ByGroup = append(t.ByGroup, p.Group)
	}
	slices.SortFunc(t.ByGroup, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.worst(), b.worst()), strings.Compare(a.Name, b.Name))
	})
	return t
}

// worst returns the largest loss of a system against the first one in the first metric, or the mean
// of a single system. It returns +Inf if there are no values.
func (g *Group) worst() float64 {
	least := math.Inf(1)
	for i, s := range g.Systems {
		switch {
		case len(s.Metrics) == 0 || s.Metrics[0].Queries == 0 || i == 0 && len(g.Systems) > 1:
		case i == 0:
			least = s.Metrics[0].Mean
		default:
			least = min(least, s.Metrics[0].Differences[0].Mean)
		}
	}
	return least
}

// Means computes the mean of each metric of a system, with a confidence interval. The limits are in
// Cell.Low and Cell.High. With [Options.Groups], it also computes each group's means, and sorts the
// groups by ascending mean of the first metric. A mean over one query and pair-accuracy-pooled do
// not have an interval. Options for tests have no effect. The same seed produces the same results
// with any number of threads.
func Means(ctx context.Context, s System, o Options) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if s.Results == nil {
		return nil, errs.Errorf("compare", "%s has no results", s.Name)
	}
	parts, err := o.parts(s.Results)
	if err != nil {
		return nil, err
	}
	metrics := len(s.Results.Metrics)
	values := make([][]float64, len(parts)*metrics) // values that have an interval
	rounds := 0
	for k := range parts {
		row := Row{Name: s.Name, Metrics: make([]Cell, metrics)}
		for m := range row.Metrics {
			of := &s.Results.Metrics[m]
			row.Metrics[m] = meanOf(of, parts[k].queries)
			if of.Weights != nil || o.Interval == "none" {
				continue
			}
			v, err := common([]System{s}, m, parts[k].queries)
			if err != nil {
				return nil, err
			}
			if len(v[0]) > 1 {
				values[k*metrics+m] = v[0]
				rounds += cmp.Or(o.Rounds, defaultRounds)
			}
		}
		parts[k].Systems = []Row{row}
	}
	if o.Interval != bootstrapped {
		rounds = 0
	}
	progress := parallel.NewProgress(o.Progress, int64(rounds))
	threads := parallel.Threads(o.Threads)
	err = parallel.For(ctx, threads, len(values), func(_, task int) {
		if v := values[task]; v != nil {
			c := &parts[task/metrics].Systems[0].Metrics[task%metrics]
			c.Low, c.High = o.interval(ctx, v, momentsOf(v), max(1, threads/len(values)), progress)
		}
	})
	if err != nil {
		return nil, err
	}
	progress.Finish()
	return o.table(parts), nil
}

// meanOf returns the mean of a metric over some queries, without an interval.
func meanOf(of *rank.MetricResult, queries []int) Cell {
	var m num.ExactMean
	for _, q := range queries {
		var weights []float64
		if of.Weights != nil {
			weights = of.Weights[q : q+1]
		}
		m.Add(of.Values[q:q+1], weights, true)
	}
	return Cell{Metric: of.Metric, Queries: m.Counted, Mean: m.Value(), Low: math.NaN(), High: math.NaN()}
}

// MarshalJSON writes null for a mean that is NaN. It omits limits that are NaN.
func (c Cell) MarshalJSON() ([]byte, error) {
	type plain Cell
	return json.Marshal(struct {
		Metric  rank.Metric `json:"metric"`
		Queries int         `json:"queries"`
		Mean    *float64    `json:"mean"`
		Low     *float64    `json:"low,omitempty"`
		High    *float64    `json:"high,omitempty"`
		plain
	}{c.Metric, c.Queries, orNull(c.Mean), orNull(c.Low), orNull(c.High), plain(c)})
}

// MarshalJSON writes null for numbers that are NaN.
func (d Difference) MarshalJSON() ([]byte, error) {
	type plain Difference
	return json.Marshal(struct {
		Against    string   `json:"against"`
		Mean       *float64 `json:"mean"`
		Low        *float64 `json:"low"`
		High       *float64 `json:"high"`
		P          *float64 `json:"p"`
		Exact      bool     `json:"exact"`
		CorrectedP *float64 `json:"p_corrected"`
		CohenD     *float64 `json:"cohen_d"`
		HedgesG    *float64 `json:"hedges_g"`
		plain
	}{d.Against, orNull(d.Mean), orNull(d.Low), orNull(d.High), orNull(d.P), d.Exact, orNull(d.CorrectedP),
		orNull(d.CohenD), orNull(d.HedgesG), plain(d)})
}

// orNull returns nil, which is null in JSON, if v is NaN.
func orNull(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
