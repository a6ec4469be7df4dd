package rankbeam

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// Describe returns statistics of the data. The result equals [data.Describe] on the dataset of all
// files, with these rules:
//
//   - Names are set if all files name their columns in the same order.
//   - Weights is true if any file has weights, and Positions if all files have positions.
//   - Duplicates is −1, because finding duplicate rows would require sending rows to one machine.
//
// Rows need no labels.
func (j *Job) Describe(ctx context.Context) (_ *data.Description, _ *Pass, err error) {
	list, err := j.Data.files(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := j.newState("")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = cmp.Or(err, s.remove()) }()
	parts, done, err := run[about](ctx, s, "describe", 0, list)
	if err != nil {
		return nil, nil, err
	}
	var all about
	for i := range parts {
		all.merge(&parts[i])
	}
	return all.description(), done.end(), nil
}

// about is a summary of rows.
type about struct {
	Size               size
	Sizes              map[int]int // queries by their number of rows
	Labels             []data.LabelCount
	NonZero            int64
	NaN, Infinite      int64
	Values             []float32 // the first row
	Varies             []bool    // whether each column varies
	Names              []string
	Weights, Positions bool
}

func init() { tasks["describe"] = fileTaskOf(describeFile) }

func describeFile(ctx context.Context, a *attempt, _ *int, f file) (any, error) {
	var all about
	o := f.options()
	o.Unlabeled = true
	for d, err := range a.pieces(ctx, &f, o) {
		if err != nil {
			return nil, err
		}
		r, err := data.Describe(ctx, d, nil)
		if err != nil {
			return nil, cli.FileError(f.Path, err)
		}
		all.merge(aboutPiece(d, r))
	}
	return &all, nil
}

// aboutPiece summarizes a chunk of the data.
func aboutPiece(d *rank.Dataset, r *data.Description) *about {
	a := &about{Size: size{r.Queries, r.Rows, r.Cols, r.Absent}, Sizes: map[int]int{}, Labels: r.Labels,
		NonZero: r.NonZero, NaN: r.NaN, Infinite: r.Infinite, Varies: make([]bool, d.Cols), Names: r.Names,
		Weights: r.Weights, Positions: r.Positions}
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		a.Sizes[hi-lo]++
	}
	if r.Rows == 0 {
		a.Values = make([]float32, d.Cols)
	} else {
		a.Values = slices.Clone(d.Row(0))
	}
	constant := r.Constant
	for j := range a.Varies {
		if len(constant) > 0 && constant[0] == j {
			constant = constant[1:]
		} else {
			a.Varies[j] = true
		}
	}
	return a
}

// merge adds the summary of other rows.
func (a *about) merge(b *about) {
	if b.Size == (size{}) {
		return
	}
	if a.Size == (size{}) {
		*a = *b
		return
	}
	for rows, n := range b.Sizes {
		a.Sizes[rows] += n
	}
	for _, l := range b.Labels {
		at, found := slices.BinarySearchFunc(a.Labels, l,
			func(x, y data.LabelCount) int { return cmp.Compare(x.Label, y.Label) })
		if found {
			a.Labels[at].Rows += l.Rows
		} else {
			a.Labels = slices.Insert(a.Labels, at, l)
		}
	}
	a.NonZero, a.NaN, a.Infinite = a.NonZero+b.NonZero, a.NaN+b.NaN, a.Infinite+b.Infinite
	a.Size.add(b.Size)
	cols := a.Size.Cols
	a.Values = append(a.Values, make([]float32, cols-len(a.Values))...)
	a.Varies = append(a.Varies, make([]bool, cols-len(a.Varies))...)
	for j := range cols {
		value, varies := float32(0), false
		if j < len(b.Values) {
			value, varies = b.Values[j], b.Varies[j]
		}
		same := a.Values[j] == value || a.Values[j] != a.Values[j] && value != value
		a.Varies[j] = a.Varies[j] || varies || !same
	}
	// As in rank.Concat, the names of the widest file are used if the names of the others are a
	// prefix of them.
	if n := min(len(a.Names), len(b.Names)); !slices.Equal(a.Names[:n], b.Names[:n]) || n == 0 {
		a.Names = nil
	} else if len(b.Names) > n {
		a.Names = b.Names
	}
	a.Weights, a.Positions = a.Weights || b.Weights, a.Positions && b.Positions
}

func (a *about) description() *data.Description {
	r := &data.Description{Queries: a.Size.Queries, Rows: a.Size.Rows, Cols: a.Size.Cols, Labels: a.Labels,
		NonZero: a.NonZero, Absent: a.Size.Absent, NaN: a.NaN, Infinite: a.Infinite, Duplicates: -1,
		Names: a.Names, Weights: a.Weights, Positions: a.Positions}
	for j, varies := range a.Varies {
		if !varies {
			r.Constant = append(r.Constant, j)
		}
	}
	// The quantiles of data.Description: the ⌈k/4·n⌉-th of n ascending sizes.
	k, before := 0, 0
	for _, size := range slices.Sorted(maps.Keys(a.Sizes)) {
		before += a.Sizes[size]
		for k < len(r.RowsPerQuery) && max((k*r.Queries+3)/4, 1) <= before {
			r.RowsPerQuery[k] = size
			k++
		}
	}
	return r
}
