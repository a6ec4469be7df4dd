package ranksvm

import (
	"math"
	"math/bits"
	"slices"
)

const (
	// narrowCols is the largest number of columns with which all columns are always trained.
	narrowCols = 1 << 16
	// Columns in which all rows are 0 are dropped only if there are fewer than narrowValues nonzero
	// features per column. The copy of the features then takes a fraction of the memory of the
	// solver's vectors, which have one element per column.
	narrowValues = 16
	// The columns are dropped only if the rest is at most 1/narrowShare of all columns.
	narrowShare = 4
)

// Wide reports whether training may skip columns in which all rows are 0, because there are many
// columns for few values. nonzeros is the field of [Problem].
func Wide(cols, nonzeros int) bool {
	return cols > narrowCols && nonzeros > 0 && nonzeros/narrowValues < cols
}

// Columns is a set of columns, one bit each.
type Columns []uint64

// NewColumns returns an empty set of columns from 0 to cols−1.
func NewColumns(cols int) Columns { return make(Columns, (cols+63)/64) }

// Add adds the columns in which one of the first rows of x is not 0.
func (s Columns) Add(x *Matrix, rows int) {
	if x.Offsets == nil {
		for i := range rows {
			for j, v := range x.X[i*x.Stride : i*x.Stride+x.Cols] {
				if v != 0 {
					s.Include(int32(j))
				}
			}
		}
		return
	}
	lo, hi := x.Offsets[0], x.Offsets[rows]
	for k, v := range x.Values[lo:hi] {
		if v != 0 {
			s.Include(x.Columns[lo+k])
		}
	}
}

// Include adds column j.
func (s Columns) Include(j int32) { s[j/64] |= 1 << (j % 64) }

// Merge adds the columns of another set, which has no higher ones.
func (s Columns) Merge(other Columns) {
	for i, b := range other {
		s[i] |= b
	}
}

// Few returns the columns of the set, in ascending order, if training on data with cols columns
// should skip all others. Otherwise it returns nil.
func (s Columns) Few(cols int) []int32 {
	if s.count() > cols/narrowShare {
		return nil
	}
	return s.List()
}

// count returns the number of columns in the set.
func (s Columns) count() (n int) {
	for _, b := range s {
		n += bits.OnesCount64(b)
	}
	return n
}

// List returns the columns of the set in ascending order.
func (s Columns) List() []int32 {
	list := make([]int32, 0, s.count())
	for i, b := range s {
		for ; b != 0; b &= b - 1 {
			list = append(list, int32(64*i+bits.TrailingZeros64(b)))
		}
	}
	return list
}

// Places maps columns to their places in a list.
type Places struct {
	set    Columns
	before []int32 // the number of columns of set before each of its elements
}

// NewPlaces returns the places of columns, which must ascend. They take a twentieth of the memory
// of an array of places.
func NewPlaces(columns []int32) *Places {
	if len(columns) == 0 {
		return &Places{}
	}
	p := &Places{set: NewColumns(int(columns[len(columns)-1]) + 1)}
	for _, j := range columns {
		p.set.Include(j)
	}
	p.before = make([]int32, len(p.set))
	for i := range p.set[1:] {
		p.before[i+1] = p.before[i] + int32(bits.OnesCount64(p.set[i]))
	}
	return p
}

// Of returns the place of column j, which must be in the list.
func (p *Places) Of(j int32) int32 {
	return p.before[j/64] + int32(bits.OnesCount64(p.set[j/64]&(1<<(j%64)-1)))
}

// Only returns the given columns of the first rows. columns must ascend. In all other columns these
// rows must be 0. Columns that x does not have are 0.
func (x *Matrix) Only(columns []int32, rows int) Matrix {
	y := Matrix{Cols: len(columns)}
	if x.Offsets == nil {
		y.Stride = y.Cols
		y.X = make([]float32, rows*y.Cols)
		for i := range rows {
			row := x.X[i*x.Stride : i*x.Stride+x.Cols]
			for k, j := range columns {
				if int(j) >= len(row) {
					break
				}
				y.X[i*y.Stride+k] = row[j]
			}
		}
		return y
	}
	places := NewPlaces(columns)
	n := x.Offsets[rows] - x.Offsets[0]
	y.Offsets = make([]int, 1, rows+1)
	y.Columns, y.Values = make([]int32, 0, n), make([]float32, 0, n)
	for i := range rows {
		from, values := x.row(i)
		for k, v := range values {
			if v != 0 {
				y.Columns, y.Values = append(y.Columns, places.Of(from[k])), append(y.Values, v)
			}
		}
		y.Offsets = append(y.Offsets, len(y.Values))
	}
	return y
}

// narrowed returns the data without the columns in which all rows are 0, if [Wide] and
// [Columns.Few] say that training should skip them and this has not been done yet.
func (d *Data) narrowed() *Data {
	if d.Source != nil || d.Columns != nil || !Wide(d.Cols, d.Nonzeros) {
		return d
	}
	few, occur, rows := *d, NewColumns(d.Cols), len(d.Labels)
	occur.Add(&d.Features, rows)
	if few.Columns = occur.Few(d.Cols); few.Columns != nil {
		few.Features = d.Features.Only(few.Columns, rows)
	}
	return &few
}

// place returns the column of Features that contains column j of the data, or −1 if there is none.
func (d *Data) place(j int) int {
	if d.Columns == nil {
		return j
	}
	if k, ok := slices.BinarySearch(d.Columns, int32(j)); ok {
		return k
	}
	return -1
}

// PackedWeights are the nonzero weights of a model. Very wide data have few of them.
type PackedWeights struct {
	Cols    int
	Columns []int32
	Values  []float64
}

// Pack returns the weights other than +0.
func Pack(w []float64) PackedWeights {
	p := PackedWeights{Cols: len(w)}
	for j, v := range w {
		p.add(int32(j), v)
	}
	return p
}

// add appends the weight of a column unless the weight is +0.
func (p *PackedWeights) add(column int32, v float64) {
	if math.Float64bits(v) != 0 {
		p.Columns, p.Values = append(p.Columns, column), append(p.Values, v)
	}
}

// Unpack returns all weights. It reuses w, which may be nil, if it has that many elements.
func (p *PackedWeights) Unpack(w []float64) []float64 {
	if len(w) == p.Cols {
		clear(w)
	} else {
		w = make([]float64, p.Cols)
	}
	for k, j := range p.Columns {
		w[j] = p.Values[k]
	}
	return w
}
