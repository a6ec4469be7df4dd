package ranksvm

import (
	"math"
	"slices"

	"github.com/simdrank/simdrank/kernels"
)

// A Matrix contains the features of documents, one row per document. If the matrix is dense, row i
// is X[i*Stride : i*Stride+Cols]. If it is sparse, Offsets is not nil, and row i has the values
// from Offsets[i] to Offsets[i+1]-1, with ascending columns at the same indices. All others are 0.
// Both forms give bit-identical results.
type Matrix struct {
	Cols int

	X      []float32
	Stride int

	Offsets []int
	Columns []int32
	Values  []float32
}

// Scores sets z to the scores of the rows from first on with the weights w. If w is nil, all scores
// are 0.
func (x *Matrix) Scores(z []float64, first int, w []float64) {
	if w == nil {
		clear(z)
		return
	}
	if x.Offsets != nil {
		kernels.SpmvF32Wide(z, w, x.Offsets[first:first+len(z)+1], x.Columns, x.Values)
		return
	}
	kernels.GemvF32Wide(z, w, x.X[first*x.Stride:], len(z), x.Cols, x.Stride)
}

// unlessZero returns w, or nil if all weights are 0. Training often starts from such weights, and
// the scores then need no pass over the data.
func unlessZero(w []float64) []float64 {
	if slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) {
		return w
	}
	return nil
}

// Add adds the rows from first on, times c, to g. It also passes the rows after them to the kernel,
// because rows from memory are read differently from cached rows. While the rows of a group of
// short queries, which L2 holds after scoring, are added, the kernel prefetches the next group.
func (x *Matrix) Add(g []float64, first int, c []float64) {
	if x.Offsets != nil {
		kernels.AddSpmvTF32Wide(g, c, x.Offsets[first:first+len(c)+1], x.Columns, x.Values)
		return
	}
	kernels.AddGemvTF32Wide(g, c, x.X[first*x.Stride:], len(c), x.Cols, x.Stride)
}

// row returns the columns and values of row i of a sparse matrix.
func (x *Matrix) row(i int) (columns []int32, values []float32) {
	lo, hi := x.Offsets[i], x.Offsets[i+1]
	return x.Columns[lo:hi], x.Values[lo:hi]
}

// gather replaces x by the given rows of another matrix.
func (x *Matrix) gather(from *Matrix, rows []int32) {
	x.Cols, x.Stride = from.Cols, from.Stride
	if from.Offsets != nil {
		x.Offsets, x.Columns, x.Values = append(x.Offsets[:0], 0), x.Columns[:0], x.Values[:0]
		for _, r := range rows {
			columns, values := from.row(int(r))
			x.Columns, x.Values = append(x.Columns, columns...), append(x.Values, values...)
			x.Offsets = append(x.Offsets, len(x.Columns))
		}
		return
	}
	stride := x.Stride
	if cap(x.X) < len(rows)*stride {
		x.X = make([]float32, len(rows)*stride)
	}
	x.X = x.X[:len(rows)*stride]
	for i, r := range rows {
		copy(x.X[i*stride:(i+1)*stride], from.X[int(r)*stride:])
	}
}

// addOuter adds xᵢᵀ·y to the upper triangle of h, where xᵢ is row i of a sparse matrix.
func (x *Matrix) addOuter(h, y []float64, i int) {
	columns, values := x.row(i)
	for k, j := range columns {
		n, j := len(y), int(j)
		kernels.AxpyF64(float64(values[k]), y[j:], h[j*n+j:(j+1)*n])
	}
}

// A moment contains the weighted sums of the values of a column and of their squares.
type moment struct{ sum, squares float64 }

// addDiagonal adds an estimate of the diagonal of XᵀLX to h. X consists of the given rows of x, and
// degree is the diagonal of the Laplacian L. The estimate is the weighted spread of each column
// about its mean: it assumes that edges are distributed in proportion to the degrees of their
// documents. The moments, one per column, are zero before and after.
func (x *Matrix) addDiagonal(h []float64, rows []int32, degree []float64, moments []moment) {
	var all float64
	for i, d := range degree {
		all += d
		if r := int(rows[i]); x.Offsets != nil {
			columns, values := x.row(r)
			values = values[:len(columns)]
			for k, j := range columns {
				moments[j].add(d, float64(values[k]))
			}
		} else {
			for j, v := range x.X[r*x.Stride : r*x.Stride+x.Cols] {
				moments[j].add(d, float64(v))
			}
		}
	}
	if all == 0 {
		return
	}
	if x.Offsets == nil {
		for j := range moments {
			h[j] += moments[j].spread(all)
		}
		clear(moments)
		return
	}
	for _, r := range rows {
		columns, _ := x.row(int(r))
		for _, j := range columns {
			h[j] += moments[j].spread(all) // 0 if already added; a branch would take longer
			moments[j] = moment{}
		}
	}
}

// add adds the value v with weight d.
func (m *moment) add(d, v float64) {
	dv := float64(d * v)
	m.sum += dv
	m.squares = math.FMA(dv, v, m.squares)
}

// spread returns the weighted sum of the squared distances from the mean. all is the sum of the
// weights.
func (m *moment) spread(all float64) float64 {
	return max(m.squares-float64(m.sum*m.sum)/all, 0)
}
