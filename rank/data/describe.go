package data

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// A Description is a summary of a dataset, as returned by [Describe].
type Description struct {
	Queries, Rows, Cols int

	// RowsPerQuery holds the minimum, the quartiles and the maximum of the query sizes. The
	// p-quantile is the ⌈p·n⌉-th of n ascending sizes.
	RowsPerQuery [5]int
	// Labels lists the labels in ascending order, with NaN first.
	Labels []LabelCount

	// NonZero is the number of feature values that are not 0, including NaN.
	NonZero int64
	// Absent is the number of feature values that rows of the file omit; see [rank.Dataset].Absent.
	Absent int64
	// NaN is the number of feature values that are NaN.
	NaN int64
	// Infinite is the number of feature values that are +Inf or −Inf.
	Infinite int64
	// Constant lists the columns that have the same value, or NaN, in all rows.
	Constant []int
	// Duplicates is the number of rows that have the same features as an earlier row of any query,
	// even if the labels differ.
	Duplicates int

	// Names holds the column names; see [rank.Dataset].Names.
	Names []string
	// Weights reports whether rows or queries have weights.
	Weights bool
	// Positions reports whether rows have positions.
	Positions bool
}

// Density returns the fraction of feature values that are not 0, or 0 if there are no features.
func (r *Description) Density() float64 {
	if r.NonZero == 0 {
		return 0
	}
	return float64(r.NonZero) / (float64(r.Rows) * float64(r.Cols))
}

// A LabelCount is the number of rows with a label.
type LabelCount struct {
	Label float64
	Rows  int
}

// Describe summarizes a dataset. Dense and sparse data with the same values have the same
// description. If progress is not nil, it is called with the number of rows processed; see the
// comment of package rank. If ctx is canceled, Describe returns the error of ctx.
func Describe(ctx context.Context, d *rank.Dataset, progress func(done, total int64)) (r *Description, err error) {
	defer memory.Begin().End(&err)
	if err := rank.CheckScoring(d, d.Cols); err != nil {
		return nil, err
	}
	r = &Description{Queries: d.Queries(), Rows: d.Rows(), Cols: d.Cols, Absent: d.Absent, Names: d.Names,
		Weights: d.Weights != nil || d.QueryWeights != nil, Positions: d.Positions != nil}
	sizes := make([]int, r.Queries)
	for q := range sizes {
		lo, hi := d.Query(q)
		sizes[q] = hi - lo
	}
	slices.Sort(sizes)
	if n := len(sizes); n > 0 {
		for k := range r.RowsPerQuery {
			r.RowsPerQuery[k] = sizes[max((k*n+3)/4, 1)-1]
		}
	}
	labels := slices.Clone(d.Labels)
	slices.Sort(labels)
	for i, y := range labels {
		if i == 0 || cmp.Compare(labels[i-1], y) != 0 {
			r.Labels = append(r.Labels, LabelCount{Label: y})
		}
		r.Labels[len(r.Labels)-1].Rows++
	}
	if err := r.addFeatures(ctx, d, parallel.NewProgress(progress, int64(r.Rows))); err != nil {
		return nil, err
	}
	return r, nil
}

// columnValues describes the nonzero values of a column.
type columnValues struct {
	value float32 // the first nonzero value
	rows  int     // number of rows with this value
	other bool    // whether another row has a different nonzero value
}

// constant reports whether a column of the given number of rows has only one value.
func (c *columnValues) constant(rows int) bool { return !c.other && (c.rows == 0 || c.rows == rows) }

// addFeatures adds the statistics that require a pass over the features.
func (r *Description) addFeatures(ctx context.Context, d *rank.Dataset, progress *parallel.Progress) error {
	same := func(a, b float32) bool { return a == b || a != a && b != b }
	var place map[int32]int // index of each column in columns; nil if columns contains every column
	width := d.Cols
	if c := d.Sparse; c != nil && len(c.Values) < d.Cols {
		place = make(map[int32]int)
		for _, j := range c.Columns {
			if _, known := place[j]; !known {
				place[j] = len(place)
			}
		}
		width = len(place)
	}
	columns := make([]columnValues, width)
	first := make(map[uint64]int, r.Rows) // the first row with each hash
	x, y := newRowList(d), newRowList(d)
	step := max(1, min(1<<12, 1<<22/max(d.Cols, 1))) // number of rows between checks of ctx
	for i := range r.Rows {
		if i%step == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Reach(int64(i))
		}
		row := x.nonzeros(i)
		hash := uint64(1)
		for k, j := range row {
			v := x.values[k]
			switch {
			case v != v:
				r.NaN++
				v = float32(math.NaN())
			case math.IsInf(float64(v), 0):
				r.Infinite++
			}
			at := int(j)
			if place != nil {
				at = place[j]
			}
			c := &columns[at]
			if c.rows == 0 {
				c.value = v
			}
			if same(c.value, v) {
				c.rows++
			} else {
				c.other = true
			}
			hi, lo := bits.Mul64(hash^uint64(j)<<32^uint64(math.Float32bits(v)), 0x9e3779b97f4a7c15)
			hash = hi ^ lo
		}
		r.NonZero += int64(len(row))
		for ; ; hash++ { // skip different rows with the same hash
			at, found := first[hash]
			if !found {
				first[hash] = i
				break
			}
			if other := y.nonzeros(at); slices.Equal(row, other) &&
				slices.EqualFunc(x.values[:len(row)], y.values[:len(row)], same) {
				r.Duplicates++
				break
			}
		}
	}
	constant := func(j int) bool {
		if place != nil {
			at, found := place[int32(j)]
			if !found {
				return true
			}
			j = at
		}
		return columns[j].constant(r.Rows)
	}
	varying := 0
	for i := range columns {
		if !columns[i].constant(r.Rows) {
			varying++
		}
	}
	if n := d.Cols - varying; n > 0 {
		r.Constant = make([]int, 0, n)
	}
	for j := range d.Cols {
		if constant(j) {
			r.Constant = append(r.Constant, j)
		}
	}
	progress.Finish()
	return nil
}
