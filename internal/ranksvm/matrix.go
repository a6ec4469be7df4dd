package ranksvm

import (
	"math"

	"github.com/simdrank/simdrank/kernels"
)

// A Matrix holds the features of documents, a row per document. Dense, those of row i are
// X[i*Stride : i*Stride+Cols]. Sparse, Offsets is not nil, and they are the values from Offsets[i]
// to Offsets[i+1]-1, in the columns at the same places, which ascend; all others are 0. Both give
// the same bits.
type Matrix struct {
	Cols int

	X      []float32
	Stride int

	Offsets []int
	Columns []int32
	Values  []float32
}

// scores sets z to the scores of the rows from first on under the weights w.
func (x *Matrix) scores(z []float64, first int, w []float64) {
	if x.Offsets != nil {
		kernels.SpmvF32Wide(z, x.Offsets[first:first+len(z)+1], x.Columns, x.Values, w)
		return
	}
	kernels.GemvF32Wide(z, x.X[first*x.Stride:], len(z), x.Cols, x.Stride, w)
}

// add adds the rows from first on, times c, to g.
func (x *Matrix) add(g []float64, first int, c []float64) {
	if x.Offsets != nil {
		kernels.SpmvTF32Wide(g, x.Offsets[first:first+len(c)+1], x.Columns, x.Values, c)
		return
	}
	kernels.GemvTF32Wide(g, x.X[first*x.Stride:], len(c), x.Cols, x.Stride, c)
}

// row returns the columns and values of row i of a sparse matrix.
func (x *Matrix) row(i int) (columns []int32, values []float32) {
	lo, hi := x.Offsets[i], x.Offsets[i+1]
	return x.Columns[lo:hi], x.Values[lo:hi]
}

// gather replaces x by rows of another matrix.
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

// addOuter adds row i of a sparse matrix times y, as a column and a row, to the upper triangle of
// h.
func (x *Matrix) addOuter(h, y []float64, i int) {
	columns, values := x.row(i)
	for k, j := range columns {
		n, j := len(y), int(j)
		kernels.AxpyF64(float64(values[k]), y[j:], h[j*n+j:(j+1)*n])
	}
}

// addDiagonal adds to h about the diagonal of XᵀLX, where the Laplacian L has the given diagonal:
// as if documents were joined in proportion to that, the spread of each column about its mean. The
// elements of sum and squares, one a column, are zero before and after.
func (x *Matrix) addDiagonal(h, degree, sum, squares []float64) {
	var all float64
	for i, d := range degree {
		all += d
		if x.Offsets != nil {
			columns, values := x.row(i)
			for k, j := range columns {
				v := float64(values[k])
				dv := float64(d * v)
				sum[j] += dv
				squares[j] = math.FMA(dv, v, squares[j])
			}
			continue
		}
		for j, v := range x.X[i*x.Stride : i*x.Stride+x.Cols] {
			dv := float64(d * float64(v))
			sum[j] += dv
			squares[j] = math.FMA(dv, float64(v), squares[j])
		}
	}
	if all == 0 {
		return
	}
	if x.Offsets == nil {
		for j, s := range sum {
			h[j] += max(squares[j]-float64(s*s)/all, 0)
		}
		clear(sum)
		clear(squares)
		return
	}
	for _, j := range x.Columns {
		if q := squares[j]; q != 0 {
			h[j] += max(q-float64(sum[j]*sum[j])/all, 0)
			sum[j], squares[j] = 0, 0
		}
	}
}
