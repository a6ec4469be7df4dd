package data

import (
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
)

// These are the kinds of normalization.
const (
	bySum = iota
	byZScore
	byLinear
)

var normalizations = []string{bySum: "sum", byZScore: "zscore", byLinear: "linear"}

// A columnScale scales the features of a query in one column: x becomes (x − shift)/by. If by is 0,
// the features do not change.
type columnScale struct {
	nonzero, nan int // numbers of nonzero features, including NaN, and of NaN
	sum, min     float64
	max, squares float64
	shift, by    float64
}

func (s *columnScale) of(x float32) float32 {
	if s.by == 0 || x != x {
		return x
	}
	if v := float32((float64(x) - s.shift) / s.by); v != 0 {
		return v
	}
	return 0 // avoid −0, which sparse data would have to store
}

// count sets s.shift and s.by for n rows from the collected statistics. For byZScore, it does not
// set s.by.
func (s *columnScale) count(by, n int) {
	if s.nonzero < n {
		s.min, s.max = min(s.min, 0), max(s.max, 0)
	}
	switch {
	case by == bySum:
		s.by = s.sum
	case by == byZScore && s.min < s.max:
		s.shift = s.sum / float64(n-s.nan)
	case by == byLinear:
		if s.shift, s.by = s.min, s.max-s.min; s.min == s.max {
			s.by = 1
		}
	}
}

// deviate sets s.by for byZScore from the sum of squares. If all values are equal, s.by stays 0,
// even if rounding errors make the squares positive.
func (s *columnScale) deviate(n int) {
	if s.min < s.max {
		s.squares += float64(float64(n-s.nonzero) * float64(s.shift*s.shift))
		s.by = math.Sqrt(s.squares / float64(n-s.nan-1))
	}
}

// Normalize returns the dataset with the features scaled within each query. The result is dense or
// sparse like d, with the same values either way. It shares all memory with d except the features.
// It returns an error if a feature is infinite.
//
// Let x₁ … xₙ be the values of one column in one query. Omitted features are 0. NaN is a missing
// value: it is not counted, and it stays NaN. The definitions match RankLib's -norm sum, zscore and
// linear. The results are computed in float64 and rounded once:
//
//   - "sum": xᵢ / Σ|xₖ|. Zeros stay zeros, and sparse data stay equally sparse.
//   - "zscore": (xᵢ − μ)/σ, where μ = Σxₖ/n and σ² = Σ(xₖ − μ)²/(n − 1). If all values are equal,
//     they are not changed. Zeros become −μ/σ. If any row of a query has a value in a column,
//     sparse data therefore list this column for all rows of the query.
//   - "linear": (xᵢ − min)/(max − min), or 0 if all values are equal. Zeros stay zeros unless a
//     value is negative; sparse data then list more values, as with zscore. (RankLib treats the
//     maximum of negative values as 0.)
//
// Columns with text categories are not changed.
func Normalize(d *rank.Dataset, normalization string) (normalized *rank.Dataset, err error) {
	defer memory.Begin().End(&err)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	by, err := text.ParseEnum[int]("data", "normalization", normalizations, normalization)
	if err != nil {
		return nil, err
	}
	out := *d
	if d.Sparse == nil {
		out.Stride = memory.Stride(d.Cols)
		out.X = memory.Matrix(d.Rows(), out.Stride)
	} else {
		out.Sparse = &rank.CSR{Offsets: make([]int, 1, d.Rows()+1)}
	}
	zeros := int64(d.Rows()) * int64(d.Cols) // number of features that are 0 after normalization
	scales := make([]columnScale, d.Cols)
	var used []int32 // columns with nonzero features
	x := newRowList(d)
	row := make([]float32, d.Cols)
	for q := range d.Queries() {
		lo, hi := d.Query(q)
		if used, err = x.scale(scales, used[:0], by, lo, hi); err != nil {
			return nil, errs.Op("data", err)
		}
		for j, list := range d.Categories {
			if list != nil {
				scales[j].shift, scales[j].by = 0, 0
			}
		}
		moved := slices.ContainsFunc(used, func(j int32) bool { return scales[j].of(0) != 0 })
		if moved {
			slices.Sort(used)
		}
		for i := lo; i < hi; i++ {
			if moved {
				for _, j := range used {
					row[j] = scales[j].of(0)
				}
			}
			columns := x.nonzeros(i)
			for k, j := range columns {
				row[j] = scales[j].of(x.values[k])
			}
			if moved {
				columns = used
			}
			if out.Sparse == nil {
				copy(out.Row(i), row)
			}
			for _, j := range columns {
				if row[j] != 0 {
					zeros--
					if out.Sparse != nil {
						out.Sparse.Columns = append(out.Sparse.Columns, j)
						out.Sparse.Values = append(out.Sparse.Values, row[j])
					}
				}
				row[j] = 0
			}
			if out.Sparse != nil {
				out.Sparse.Offsets = append(out.Sparse.Offsets, len(out.Sparse.Values))
			}
		}
		for _, j := range used {
			scales[j] = columnScale{}
		}
	}
	out.Absent = min(d.Absent, zeros)
	return &out, nil
}

// A rowList lists the nonzero features of rows, for both dense and sparse data.
type rowList struct {
	d       *rank.Dataset
	columns []int32
	values  []float32
}

func newRowList(d *rank.Dataset) *rowList {
	longest := d.Cols
	if x := d.Sparse; x != nil { // allocate for the longest row, because sparse data may have millions of columns
		longest = 0
		for i := range d.Rows() {
			longest = max(longest, x.Offsets[i+1]-x.Offsets[i])
		}
	}
	return &rowList{d, make([]int32, longest), make([]float32, longest)}
}

// nonzeros sets values to the nonzero features of row i, and returns their columns in ascending
// order. The next call overwrites the values and the columns.
func (l *rowList) nonzeros(i int) []int32 {
	n := 0
	if x := l.d.Sparse; x != nil {
		for k := x.Offsets[i]; k < x.Offsets[i+1]; k++ {
			if x.Values[k] != 0 {
				l.columns[n], l.values[n] = x.Columns[k], x.Values[k]
				n++
			}
		}
	} else {
		n = kernels.NonzerosF32(l.columns, l.values, l.d.Row(i))
	}
	return l.columns[:n]
}

// scale sets the scales of all columns with nonzero features in rows lo to hi, which are the rows
// of a query. It appends these columns to used. The scales must be zero initially.
func (l *rowList) scale(scales []columnScale, used []int32, by, lo, hi int) ([]int32, error) {
	for i := lo; i < hi; i++ {
		for k, j := range l.nonzeros(i) {
			s, v := &scales[j], float64(l.values[k])
			if s.nonzero == 0 {
				used = append(used, j)
				s.min, s.max = math.Inf(1), math.Inf(-1)
			}
			s.nonzero++
			switch {
			case math.IsInf(v, 0):
				return nil, l.d.RowError(i, fmt.Errorf("%s is %v: features must be finite", l.d.FeatureName(int(j)), v))
			case v != v:
				s.nan++
				continue
			case by == bySum:
				v = math.Abs(v)
			}
			s.sum += v
			s.min, s.max = min(s.min, v), max(s.max, v)
		}
	}
	for _, j := range used {
		scales[j].count(by, hi-lo)
	}
	if by == byZScore {
		for i := lo; i < hi; i++ {
			for k, j := range l.nonzeros(i) {
				if v := float64(l.values[k]) - scales[j].shift; v == v {
					scales[j].squares += float64(v * v)
				}
			}
		}
		for _, j := range used {
			scales[j].deviate(hi - lo)
		}
	}
	return used, nil
}
