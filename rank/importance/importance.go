// Package importance measures how much a ranking metric depends on each feature, for models of any
// type. Start with [Permutation.Drops].
//
// Errors about a row wrap [*rank.ParseError] if the row was read from a file. If the context ends,
// functions return its error.
package importance

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/compare"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Permutation measures permutation importance: the drop in a metric when a feature's values are
// permuted at random (Breiman 2001). The zero value is ready for use.
//
// Values are permuted only within each query. A feature that is constant within each query
// therefore has a drop of 0. Missing values and text categories are permuted like other values. If
// two features contain the same information, permuting one of them may not affect the metric.
// Permute such features as a group.
type Permutation struct {
	// Each group in Groups lists columns to permute together: their values move together from one
	// document to another. By default, each feature that the model uses is its own group. A tree
	// model uses the features in its splits, and a linear model the features with nonzero weights.
	// Other models are assumed to use all columns.
	Groups [][]int
	// Repeats is the number of permutations whose drops are averaged. The default is 5.
	Repeats int
	// Seed is the random seed. The permutations of a query are the same for all groups.
	Seed uint64
	// Threads is the number of goroutines. If it is 0 or negative, GOMAXPROCS goroutines are used.
	// Results do not depend on it.
	Threads int
	// Progress reports the number of scored documents; see the comment of package rank.
	Progress func(done, total int64)
}

// A Drop is the difference between the metric on the data and on permuted data.
type Drop struct {
	Features []int   // permuted columns
	Mean     float64 // mean over the queries
	// Low and High are the limits of Student's 95% confidence interval for Mean. They describe the
	// variation among queries; see the interval student of [compare.Options].
	Low, High float64
}

// Drops returns the mean of e's first metric over the queries of d, and the drop for each group.
// Queries on which the metric is undefined are omitted. m.ScoreInto must be safe for concurrent
// use.
//
// Scores for permuted data are bit-identical to the model's scores for a permuted copy of d. In
// addition to d, Drops uses 8 bytes per group and query, but at most 128 MiB (or 8 bytes per query,
// if that is more). Each goroutine also uses 24 bytes per document in the largest query, and a few
// megabytes.
//
// It returns an error if the metric cannot be compared by query (see [compare.Compare]), if it is
// defined on fewer than two queries, or if d does not fit the model.
func (p *Permutation) Drops(ctx context.Context, m rank.Model, d *rank.Dataset, e *rank.Evaluator) (
	mean float64, drops []Drop, err error) {
	defer memory.Begin().End(&err)
	w := permuting{Permutation: *p, model: m, data: d, used: usedColumns(m, d)}
	if w.Repeats = cmp.Or(p.Repeats, 5); w.Repeats < 0 {
		return 0, nil, errs.Errorf("importance", "Repeats is %d; it must not be negative", p.Repeats)
	}
	if err := w.setGroups(); err != nil {
		return 0, nil, err
	}
	metric := e.Metrics()[0]
	if metric.Pooled() {
		return 0, nil, errs.Errorf("importance",
			"%v is pooled over all queries and has no drop per query (use pair-accuracy)", metric)
	}
	if w.evaluator, err = single(e, p.Threads); err != nil {
		return 0, nil, err
	}
	if trees, ok := m.(*lambdamart.Model); ok {
		scorer, err := trees.Scorer()
		if err != nil {
			return 0, nil, errs.Op("importance", err)
		}
		m, w.model = scorer, scorer
	}
	// Score d first, because this also checks whether d fits the model.
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(ctx, scores, d); err != nil {
		return 0, nil, errs.During(ctx, "importance", err)
	}
	before, err := w.evaluator.EvalScores(ctx, scores, d)
	if err != nil {
		return 0, nil, errs.During(ctx, "importance", err)
	}
	w.before = before.Metrics[0].Values
	if w.evaluator, err = single(e, 1); err != nil {
		return 0, nil, err
	}
	if scorer, ok := m.(*lambdamart.Scorer); ok {
		one := *scorer
		one.Threads = 1
		w.model = &one
	}
	drops, err = w.drops(ctx, metric)
	return before.Metrics[0].Mean, drops, errs.During(ctx, "importance", err)
}

// single returns an evaluator of the first metric of e with the given number of goroutines.
func single(e *rank.Evaluator, threads int) (*rank.Evaluator, error) {
	o := e.Options()
	o.Threads, o.Progress = threads, nil
	return rank.NewEvaluator(e.Metrics()[0].String(), o)
}

// usedColumns returns the columns of d that may affect scores, in ascending order.
func usedColumns(m rank.Model, d *rank.Dataset) (used []int) {
	switch m := m.(type) {
	case *rank.Linear:
		for j, weight := range m.Weights {
			if weight != 0 {
				used = append(used, j)
			}
		}
	case *lambdamart.Model:
		_, features := m.UsedFeatures()
		for _, j := range features {
			used = append(used, int(j))
		}
	default:
		for j := range d.Cols {
			used = append(used, j)
		}
	}
	return used
}

// permuting is the state of [Permutation.Drops].
type permuting struct {
	Permutation
	model     rank.Model
	data      *rank.Dataset
	evaluator *rank.Evaluator
	used      []int     // features that may affect scores
	columns   [][]int   // columns of each group that d contains and that may affect scores, ascending
	before    []float64 // value of the metric for each query
}

// setGroups checks the groups and sets the columns to permute.
func (w *permuting) setGroups() error {
	if w.Groups == nil {
		for _, j := range w.used {
			w.Groups = append(w.Groups, []int{j})
		}
	}
	features := w.model.Features()
	for i, group := range w.Groups {
		if len(group) == 0 {
			return errs.Errorf("importance", "group %d is empty", i)
		}
		var columns []int
		for _, j := range group {
			if j < 0 || j >= features {
				return errs.Errorf("importance", "group %d contains feature %d; features must be from 0 to %d", i, j, features-1)
			}
			if _, found := slices.BinarySearch(w.used, j); found && j < w.data.Cols {
				columns = append(columns, j)
			}
		}
		slices.Sort(columns)
		w.columns = append(w.columns, slices.Compact(columns))
	}
	return nil
}

// mostDrops limits the number of drops, by group and query, that are in memory at once.
const mostDrops = 1 << 24

// drops computes the drops of all groups.
func (w *permuting) drops(ctx context.Context, metric rank.Metric) ([]Drop, error) {
	queries := w.data.Queries()
	drops := make([]Drop, len(w.Groups))
	batch := max(1, mostDrops/max(queries, 1))
	progress := parallel.NewProgress(w.Progress, int64(w.data.Rows())*int64(len(w.Groups))*int64(w.Repeats))
	for lo := 0; lo < len(drops); lo += batch {
		hi := min(lo+batch, len(drops))
		sums := make([]float64, (hi-lo)*queries)
		if err := w.sum(ctx, sums, lo, hi, progress); err != nil {
			return nil, err
		}
		for g := lo; g < hi; g++ {
			var values []float64
			for _, sum := range sums[(g-lo)*queries:][:queries] {
				if !math.IsNaN(sum) {
					values = append(values, sum/float64(w.Repeats))
				}
			}
			if len(values) < 2 {
				return nil, errs.Errorf("importance", "%v is defined on %d queries; at least 2 are required", metric,
					len(values))
			}
			differences, err := compare.Values(ctx, [][]float64{make([]float64, len(values)), values},
				compare.Options{Test: "t", Interval: "student"})
			if err != nil {
				return nil, err
			}
			of := &differences[1][0]
			drops[g] = Drop{Features: w.Groups[g], Mean: of.Mean, Low: of.Low, High: of.High}
		}
	}
	progress.Finish()
	return drops, nil
}

// sum adds the drops of all repeats for the groups lo to hi−1. sums has an element for each group
// and query, which becomes NaN if the metric is undefined.
func (w *permuting) sum(ctx context.Context, sums []float64, lo, hi int, progress *parallel.Progress) error {
	threads := parallel.Threads(w.Threads)
	spans := spansOf(w.data, threads)
	parts := min(hi-lo, (4*threads+len(spans)-1)/max(len(spans), 1)) // of the groups, if there are few spans
	failed := make([]error, len(spans)*parts)
	workers := make([]*shuffler, threads)
	err := parallel.For(ctx, threads, len(failed), func(worker, task int) {
		if workers[worker] == nil {
			workers[worker] = newShuffler(w)
		}
		part := task % parts
		failed[task] = workers[worker].sum(ctx, sums, lo, lo+part*(hi-lo)/parts, lo+(part+1)*(hi-lo)/parts,
			spans[task/parts], progress)
	})
	if err != nil {
		return err
	}
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// permutedRows is the maximum number of rows that are copied and scored at once. Their features
// stay in the second-level cache.
const permutedRows = 4096

// A span is a range of queries. It has at most permutedRows rows, or one query.
type span struct{ from, to int }

// spansOf divides the queries of d into spans, several per thread if possible.
func spansOf(d *rank.Dataset, threads int) (spans []span) {
	most := max(permutedRows/8, min(permutedRows, d.Rows()/(4*threads)))
	for q := range d.Queries() {
		last := len(spans) - 1
		if last >= 0 && d.Offsets[q+1]-d.Offsets[spans[last].from] <= most {
			spans[last].to = q + 1
		} else {
			spans = append(spans, span{q, q + 1})
		}
	}
	return spans
}
