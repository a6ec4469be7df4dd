package rankbeam

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/simdrank/simdrank/internal/named"
	"github.com/simdrank/simdrank/rank"
)

// Describe counts what the data hold, as Describe of a [rank.Dataset] of all files does. Duplicates
// alone is −1: to find rows that stand twice, something of every row would have to travel.
func (j *Job) Describe(ctx context.Context) (*rank.Description, *Pass, error) {
	var all about
	done, err := j.pass(ctx, &plan{Task: describe}, nil, func(parts []part) error {
		for i := range parts {
			all.merge(&parts[i].About)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return all.description(), done, nil
}

// about is what is known of rows.
type about struct {
	Rows, Queries         int
	Sizes                 map[int]int // queries by their number of rows
	Labels                []rank.LabelCount
	NonZero               int64
	Absent, NaN, Infinite int64
	Values                []float32 // of each column in the first row
	Varies                []bool    // of each column: whether other rows have another value
}

// A description counts.
type description work

func (w *description) piece(_ context.Context, d *rank.Dataset) error {
	r, err := d.Describe()
	if err != nil {
		return named.Error(w.shard.Path, err)
	}
	a := about{Rows: r.Rows, Queries: r.Queries, Sizes: map[int]int{}, Labels: r.Labels, NonZero: r.NonZero,
		Absent: r.Absent, NaN: r.NaN, Infinite: r.Infinite, Varies: make([]bool, d.Cols)}
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
	w.part.About.merge(&a)
	return nil
}

// merge adds what is known of other rows.
func (a *about) merge(b *about) {
	if b.Rows == 0 && b.Queries == 0 {
		return
	}
	if a.Rows == 0 && a.Queries == 0 {
		*a = *b
		return
	}
	for size, n := range b.Sizes {
		a.Sizes[size] += n
	}
	for _, l := range b.Labels {
		at, found := slices.BinarySearchFunc(a.Labels, l,
			func(x, y rank.LabelCount) int { return cmp.Compare(x.Label, y.Label) })
		if found {
			a.Labels[at].Rows += l.Rows
		} else {
			a.Labels = slices.Insert(a.Labels, at, l)
		}
	}
	a.NonZero, a.NaN, a.Infinite = a.NonZero+b.NonZero, a.NaN+b.NaN, a.Infinite+b.Infinite
	// Rows leave out the columns that only the others have.
	cols := max(len(a.Values), len(b.Values))
	a.Absent += b.Absent + int64(a.Rows)*int64(cols-len(a.Values)) + int64(b.Rows)*int64(cols-len(b.Values))
	a.Rows, a.Queries = a.Rows+b.Rows, a.Queries+b.Queries
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
}

func (a *about) description() *rank.Description {
	r := &rank.Description{Queries: a.Queries, Rows: a.Rows, Cols: len(a.Values), Labels: a.Labels, NonZero: a.NonZero,
		Absent: a.Absent, NaN: a.NaN, Infinite: a.Infinite, Duplicates: -1}
	if r.NonZero > 0 {
		r.Density = float64(r.NonZero) / (float64(r.Rows) * float64(r.Cols))
	}
	for j, varies := range a.Varies {
		if !varies {
			r.Constant = append(r.Constant, j)
		}
	}
	// The quantiles of rank.Description: the ⌈k/4·n⌉-th of n ascending sizes.
	k, before := 0, 0
	for _, size := range slices.Sorted(maps.Keys(a.Sizes)) {
		before += a.Sizes[size]
		for k < len(r.RowsPerQuery) && max((k*a.Queries+3)/4, 1) <= before {
			r.RowsPerQuery[k] = size
			k++
		}
	}
	return r
}
