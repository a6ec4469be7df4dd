package ranksvm

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/kernels"
)

// SpreadRows is the number of rows per block of squares in Variances. It affects the resulting
// bits.
const SpreadRows = 2048

// Variances computes the variance of each column over rows that are passed in parts, twice. It adds
// in row order.
type Variances struct {
	rows    int
	means   []float64 // sums until Center divides them
	squares []float64
	ones    []float64

	partial [][]float64 // sums of squares by block
	blanks  []float64   // sums of squares of columns of zeros over a full block; nil until computed
}

// NewVariances returns a Variances for the given number of columns, without rows.
func NewVariances(cols int) *Variances {
	return &Variances{means: make([]float64, cols), squares: make([]float64, cols)}
}

// Sum adds rows to the sums. All rows must be added before Center.
func (s *Variances) Sum(x *Matrix, rows int) {
	s.ones = append(s.ones, slices.Repeat([]float64{1}, max(rows-len(s.ones), 0))...)
	x.Add(s.means[:x.Cols], 0, s.ones[:rows])
	s.rows += rows
}

// Center computes the means.
func (s *Variances) Center() {
	for j := range s.means {
		s.means[j] /= float64(s.rows)
	}
}

// Square adds the squares of rows minus their means. All parts except the last must have a multiple
// of SpreadRows rows.
func (s *Variances) Square(ctx context.Context, x *Matrix, rows, threads int) error {
	// The number of blocks whose sums are held: 64, or fewer if they take more than 64 MB.
	group := max(min(64, 8<<20/max(len(s.means), 1)), threads)
	for lo := 0; lo < rows; lo += group * SpreadRows {
		blocks := (min(group*SpreadRows, rows-lo) + SpreadRows - 1) / SpreadRows
		for len(s.partial) < blocks {
			s.partial = append(s.partial, make([]float64, len(s.means)))
		}
		if x.Offsets != nil && s.blanks == nil {
			s.blanks = make([]float64, len(s.means))
			s.blank(s.blanks, 0, SpreadRows)
		}
		err := parallel.For(ctx, threads, blocks, func(_, b int) {
			first := lo + b*SpreadRows
			s.block(s.partial[b], x, first, min(SpreadRows, rows-first))
		})
		if err != nil {
			return err
		}
		for _, part := range s.partial[:blocks] {
			for j, v := range part {
				s.squares[j] += v
			}
		}
	}
	return nil
}

// Values sets v to the variances, or to 1 if a variance is 0.
func (s *Variances) Values(v []float64) {
	for j := range v {
		if v[j] = s.squares[j] / float64(s.rows); !(v[j] > 0) {
			v[j] = 1
		}
	}
}

// blank sets sums, from column first on, to the values for n rows of zeros.
func (s *Variances) blank(sums []float64, first, n int) {
	var zeros [SpreadRows]float64
	for j := first; j < len(sums); j++ {
		if s.means[j] == 0 { // most columns of very wide data
			sums[j] = 0
			continue
		}
		for i := range zeros[:n] {
			zeros[i] = 0 - s.means[j]
		}
		sums[j] = kernels.DotF64(zeros[:n], zeros[:n])
	}
}

// block sets sums to the sums of squares over n rows, where n is at most SpreadRows.
func (s *Variances) block(sums []float64, x *Matrix, first, n int) {
	var scratch [SpreadRows]float64
	column := scratch[:n]
	if x.Offsets == nil {
		for j := range x.Cols {
			for i := range column {
				column[i] = float64(x.X[(first+i)*x.Stride+j]) - s.means[j]
			}
			sums[j] = kernels.DotF64(column, column)
		}
		s.blank(sums, x.Cols, n)
		return
	}
	if n == SpreadRows {
		copy(sums, s.blanks)
	} else {
		s.blank(sums, 0, n)
	}
	// Group the values by column. Those of column j end at ends[j].
	lo, hi := x.Offsets[first], x.Offsets[first+n]
	ends := make([]int32, x.Cols+1)
	for _, j := range x.Columns[lo:hi] {
		ends[j+1]++
	}
	for j := range x.Cols {
		ends[j+1] += ends[j]
	}
	rows, values := make([]int32, hi-lo), make([]float32, hi-lo)
	for i := range n {
		columns, row := x.row(first + i)
		for k, j := range columns {
			rows[ends[j]], values[ends[j]] = int32(i), row[k]
			ends[j]++
		}
	}
	at := int32(0)
	for j := range x.Cols {
		end := ends[j]
		if at == end {
			continue
		}
		for i := range column {
			column[i] = 0 - s.means[j]
		}
		for ; at < end; at++ {
			column[rows[at]] = float64(values[at]) - s.means[j]
		}
		sums[j] = kernels.DotF64(column, column)
	}
}
