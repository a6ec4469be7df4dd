package rank

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/kernels"
)

// A CSR is a matrix of sparse features in compressed sparse row form. Row i has the values
// Values[Offsets[i]:Offsets[i+1]] in the columns Columns[Offsets[i]:Offsets[i+1]], which are in
// ascending order. All other features are 0. A listed value may also be 0, which is equivalent to
// omitting it. Readers and [Dataset.ToSparse] list no zeros.
type CSR struct {
	Offsets []int // boundaries of the rows: starts with 0; length is number of rows + 1
	Columns []int32
	Values  []float32
}

// Row returns the columns and values of row i. They share memory with c.
func (c *CSR) Row(i int) (columns []int32, values []float32) {
	lo, hi := c.Offsets[i], c.Offsets[i+1]
	return c.Columns[lo:hi:hi], c.Values[lo:hi:hi]
}

// rows returns the number of rows.
func (c *CSR) rows() int { return max(len(c.Offsets)-1, 0) }

// matrix returns the features of d as a matrix of package ranksvm.
func (d *Dataset) matrix() *ranksvm.Matrix {
	x := ranksvm.Matrix{Cols: d.Cols, X: d.X, Stride: d.Stride}
	if c := d.Sparse; c != nil {
		x.Offsets, x.Columns, x.Values = c.Offsets, c.Columns, c.Values
	}
	return &x
}

// validate returns an error unless c is a valid matrix with the given numbers of rows and columns.
func (c *CSR) validate(rows, cols int) error {
	switch {
	case cols < 0:
		return errs.Errorf("rank", "the number of columns is %d; it must not be negative", cols)
	case len(c.Offsets) != rows+1:
		return errs.Errorf("rank", "the number of sparse row offsets is %d; it must be the number of rows + 1, %d",
			len(c.Offsets), rows+1)
	case len(c.Columns) != len(c.Values):
		return errs.Errorf("rank", "the number of sparse columns is %d; it must be %d, one per sparse value", len(c.Columns), len(c.Values))
	case c.Offsets[0] != 0 || c.Offsets[rows] != len(c.Values):
		return errs.Errorf("rank", "the sparse row offsets start at %d and end at %d; they must start at 0 and end at %d, the value count",
			c.Offsets[0], c.Offsets[rows], len(c.Values))
	}
	for i := range rows {
		lo, hi := c.Offsets[i], c.Offsets[i+1]
		if hi < lo || hi > len(c.Values) {
			return errs.Errorf("rank", "sparse row offsets must not decrease: in row %d, %d follows %d", i, hi, lo)
		}
		last := int32(-1)
		for _, j := range c.Columns[lo:hi] {
			if j <= last {
				return errs.Errorf("rank", "column %d follows column %d in sparse row %d; columns must be at least 0 and in ascending order", j,
					last, i)
			}
			last = j
		}
		if int(last) >= cols {
			return errs.Errorf("rank", "column %d of sparse row %d is out of range: there are %d columns", last, i, cols)
		}
	}
	return nil
}

// firstColumns returns a copy of c that contains only the first n columns.
func (c *CSR) firstColumns(n int) *CSR {
	first := &CSR{Offsets: make([]int, len(c.Offsets))}
	end := func(i int) int { // returns the index after the last value of row i in the first n columns
		columns, _ := c.Row(i)
		k, _ := slices.BinarySearch(columns, int32(min(n, math.MaxInt32)))
		return c.Offsets[i] + k
	}
	for i := range c.rows() {
		first.Offsets[i+1] = first.Offsets[i] + end(i) - c.Offsets[i]
	}
	all := first.Offsets[c.rows()]
	first.Columns, first.Values = make([]int32, 0, all), make([]float32, 0, all)
	for i := range c.rows() {
		first.Columns = append(first.Columns, c.Columns[c.Offsets[i]:end(i)]...)
		first.Values = append(first.Values, c.Values[c.Offsets[i]:end(i)]...)
	}
	return first
}

// joinCSR returns the concatenated rows of all parts as a sparse matrix.
func joinCSR(parts []*Dataset) *CSR {
	sparse := make([]*CSR, len(parts))
	rows, values := 0, 0
	for i, p := range parts {
		sparse[i] = p.ToSparse().Sparse
		rows, values = rows+sparse[i].rows(), values+len(sparse[i].Values)
	}
	all := &CSR{Offsets: make([]int, 1, rows+1), Columns: make([]int32, 0, values), Values: make([]float32, 0, values)}
	for _, p := range sparse {
		for _, o := range p.Offsets[1:] {
			all.Offsets = append(all.Offsets, len(all.Values)+o)
		}
		all.Columns, all.Values = append(all.Columns, p.Columns...), append(all.Values, p.Values...)
	}
	return all
}

const blockDocs = 2048 // rows per task

// sparse returns a sparse matrix if it is worthwhile: the existing one if d is sparse, and the
// nonzero values of dense features if few enough of them are nonzero. Otherwise it returns nil. It
// also returns the number of nonzero values, at least 1, or 0 if there are too many. The number is
// the same whether d is dense or sparse.
func sparse(d *Dataset, workers int) (c *CSR, nonzeros int) {
	rows, c := d.Rows(), d.Sparse
	count, seen := nonzerosOf(d), 0
	for i := 0; i < rows; i += ranksvm.DensityStep(rows) {
		nonzeros += count(i)
		seen++
	}
	if !ranksvm.PrefersSparse(nonzeros, seen, d.Cols) {
		return c, 0
	}
	few := c
	if few == nil {
		few = compress(d, workers)
	}
	if nonzeros = countNonzeros(few.Values); !ranksvm.PrefersSparse(nonzeros, rows, d.Cols) {
		return c, 0
	}
	return few, max(nonzeros, 1)
}

// occurring returns the columns that contain a nonzero value, and a copy of d with only these
// columns, the labels, the queries and the weights. If such a copy is not worthwhile, for example
// because d has few columns, occurring returns d and nil. The result is the same whether d is dense
// or sparse.
func (d *Dataset) occurring() (few *Dataset, columns []int32) {
	x, values := d.matrix(), d.X
	if d.Sparse != nil {
		values = d.Sparse.Values
	}
	if !ranksvm.Wide(d.Cols, 1) || !ranksvm.Wide(d.Cols, max(countNonzeros(values), 1)) {
		return d, nil
	}
	set := ranksvm.NewColumns(d.Cols)
	set.Add(x, d.Rows())
	if columns = set.Few(d.Cols); columns == nil {
		return d, nil
	}
	only := x.Only(columns, d.Rows())
	few = &Dataset{Cols: only.Cols, X: only.X, Stride: only.Stride, Labels: d.Labels, Offsets: d.Offsets,
		QueryIDs: d.QueryIDs, Weights: d.Weights, QueryWeights: d.QueryWeights}
	if d.Sparse != nil {
		few.Sparse = &CSR{only.Offsets, only.Columns, only.Values}
	}
	return few, columns
}

// nonzerosOf returns a function that counts the nonzero features of row i.
func nonzerosOf(d *Dataset) func(i int) int {
	if x := d.Sparse; x != nil {
		return func(i int) int { return countNonzeros(x.Values[x.Offsets[i]:x.Offsets[i+1]]) }
	}
	columns, values := make([]int32, d.Cols), make([]float32, d.Cols)
	return func(i int) int { return kernels.NonzerosF32(columns, values, d.Row(i)) }
}

// countNonzeros returns the number of values that are not 0.
func countNonzeros(values []float32) int {
	n := 0
	for _, v := range values {
		if v != 0 {
			n++
		}
	}
	return n
}

// compress returns the nonzero values of dense features as a sparse matrix.
func compress(d *Dataset, workers int) *CSR {
	rows := d.Rows()
	parts := make([]CSR, (rows+blockDocs-1)/blockDocs)
	c := &CSR{Offsets: make([]int, rows+1)}
	parallel.For(context.Background(), workers, len(parts), func(_, t int) {
		columns, values := make([]int32, d.Cols), make([]float32, d.Cols)
		part := &parts[t]
		for i := t * blockDocs; i < min((t+1)*blockDocs, rows); i++ {
			n := kernels.NonzerosF32(columns, values, d.Row(i))
			part.Columns, part.Values = append(part.Columns, columns[:n]...), append(part.Values, values[:n]...)
			c.Offsets[i+1] = n
		}
	})
	for i := range rows {
		c.Offsets[i+1] += c.Offsets[i]
	}
	all := c.Offsets[rows]
	c.Columns, c.Values = make([]int32, 0, all), make([]float32, 0, all)
	for t := range parts {
		c.Columns, c.Values = append(c.Columns, parts[t].Columns...), append(c.Values, parts[t].Values...)
		parts[t] = CSR{}
	}
	return c
}
