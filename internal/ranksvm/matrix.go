package ranksvm

import (
	"math"
	"slices"

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

	begin, place []int32 // of addDiagonal: where the columns begin, and the values in their order
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

// addDiagonal adds the diagonal of XᵀLX to h, from pairs of values of a sparse matrix that share a
// column.
func (x *Matrix) addDiagonal(h, l []float64) {
	n := len(x.Offsets) - 1
	if len(x.begin) < len(h)+1 {
		x.begin = make([]int32, len(h)+1)
	}
	x.place = slices.Grow(x.place[:0], 2*len(x.Columns))[:2*len(x.Columns)]
	at, row := x.place[:len(x.Columns)], x.place[len(x.Columns):]
	clear(x.begin)
	for _, j := range x.Columns {
		x.begin[j+1]++
	}
	for j := range h {
		x.begin[j+1] += x.begin[j]
	}
	for i := range n {
		for k := x.Offsets[i]; k < x.Offsets[i+1]; k++ {
			c := &x.begin[x.Columns[k]]
			at[*c], row[*c] = int32(k), int32(i)
			*c++
		}
	}
	// Each column now ends where it says, and begins where the one before ends.
	from := int32(0)
	for j := range h {
		to := x.begin[j]
		for a := from; a < to; a++ {
			li, sum := l[int(row[a])*n:], 0.0
			for b := from; b < to; b++ {
				sum = math.FMA(li[row[b]], float64(x.Values[at[b]]), sum)
			}
			h[j] += float64(float64(x.Values[at[a]]) * sum)
		}
		from = to
	}
}
