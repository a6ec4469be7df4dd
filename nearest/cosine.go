package nearest

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/vectors"
)

// squares contains the dot product of each row with itself, which is the square of its norm. A
// search computes the missing ones. Every goroutine computes the same bits, so it does not matter
// which of them stores a product first.
type squares struct {
	rows int
	once sync.Once
	bits []atomic.Uint64 // math.Float64bits of the products; 0 if a product is missing
}

// If the product of a row with itself is outside of these ranges, products of the row with other
// vectors may overflow or underflow. Unless the row is zero or contains an infinity, NaN is then
// stored instead, and the row is scaled or converted before it is compared. NaN is also the product
// of a row that contains a NaN.
const (
	leastF32, mostF32 = 0x1p-96, 0x1p120
	leastF64, mostF64 = 0x1p-900, 0x1p1000
)

// fill sets dst to the products of the selected rows with themselves. It reports whether there is a
// NaN. product returns the product of a row as it is stored.
func fill[T float32 | float64](m *squares, dst []T, s *selection, product func(id int) float64) (nan bool) {
	m.once.Do(func() { m.bits = make([]atomic.Uint64, m.rows) })
	for j := range dst {
		cell := &m.bits[s.row(j)]
		bits := cell.Load()
		if bits == 0 {
			bits = math.Float64bits(product(s.row(j)))
			cell.Store(bits)
		}
		v := T(math.Float64frombits(bits))
		nan = nan || v != v
		dst[j] = v
	}
	return nan
}

// storable returns the value to store for the product of a row with itself. It returns −0 instead
// of 0, because 0 means that a product is missing.
func storable[E vectors.Element](product, least, most float64, row []E) float64 {
	if product >= least && product <= most {
		return product
	}
	switch largest := largestOf(row); {
	case largest == 0:
		return math.Copysign(0, -1)
	case largest > math.MaxFloat64: // an infinity
		return product
	}
	return math.NaN()
}

// largestOf returns the maximum of the absolute values, or NaN if there is a NaN.
func largestOf[E vectors.Element](x []E) (most float64) {
	for _, v := range x {
		most = max(most, math.Abs(float64Of(v)))
	}
	return most
}

// float64Of converts an element.
func float64Of[E vectors.Element](v E) float64 {
	switch v := any(v).(type) {
	case vectors.F16:
		return float64(v.Float32())
	case vectors.BF16:
		return float64(v.Float32())
	}
	return float64(v)
}

// scaleQuery multiplies a query by a power of two if its product with itself is outside of the
// range. Cosines do not depend on the scale.
func scaleQuery[Q element](query []Q) {
	switch x := any(query).(type) {
	case []float32:
		if v := float64(squareF32(x)); v < leastF32 || v > mostF32 {
			scale(x, func(v float64) float32 { return float32(v) })
		}
	case []vectors.BF16:
		if v := float64(squareF32(x)); v < leastF32 || v > mostF32 {
			scale(x, func(v float64) vectors.BF16 { return vectors.NewBF16(float32(v)) })
		}
	case []float64:
		if v := kernels.DotF64(x, x); v < leastF64 || v > mostF64 {
			scale(x, func(v float64) float64 { return v })
		}
	}
}

// scale multiplies x by the power of two for which the largest absolute value is at least 0.5 and
// less than 1. It does not change zeros and infinities.
func scale[E vectors.Element](x []E, of func(float64) E) {
	largest := largestOf(x)
	if largest == 0 || largest > math.MaxFloat64 {
		return
	}
	_, exp := math.Frexp(largest)
	for i, v := range x {
		x[i] = of(math.Ldexp(float64Of(v), -exp))
	}
}

// cosines is the scorer of cosines that are float32. It computes dot products and divides by the
// stored norms.
type cosines[Q, E vectors.Element] struct {
	matrix[Q, E] // by dot product
	squares      *squares
}

func (m cosines[Q, E]) scores(dst []float32, queries []Q, nq int, s selection, w *scratch) {
	m.matrix.scores(dst, queries, nq, s, w)
	n := s.len()
	yy := grow[float32](&w.squares, n)
	nan := fill(m.squares, yy, &s, m.square)
	for i := range nq {
		query, d := queries[i*m.cols:][:m.cols], dst[i*n:][:n]
		vectors.Cosines(d, squareF32(query), yy)
		for j := 0; nan && j < n; j++ {
			if v := yy[j]; v != v {
				d[j] = float32(vectors.CosineF64(widened(query), widened(m.row(s.row(j)))))
			}
		}
	}
}

// square returns the product of a row with itself, as it is stored.
func (m *cosines[Q, E]) square(id int) float64 {
	row := m.row(id)
	return storable(float64(squareF32(row)), leastF32, mostF32, row)
}

// squareF32 returns the product of a vector with itself, with the bits that the kernels for cosines
// use.
func squareF32[E vectors.Element](x []E) float32 {
	switch x := any(x).(type) {
	case []float32:
		return kernels.DotF32(x, x)
	case []vectors.F16:
		return vectors.DotF16(x, x)
	case []vectors.BF16:
		return vectors.DotBF16(x, x)
	case []int8:
		if len(x) <= float32Exact/(128*128) {
			return float32(vectors.DotI8(x, x))
		}
	case []uint8:
		if len(x) <= float32Exact/(255*255) {
			return float32(vectors.DotU8(x, x))
		}
	}
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return kernels.DotF32(y, y)
}

// widened returns a vector as float64, in which no product of float32 overflows or underflows.
func widened[E vectors.Element](x []E) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64Of(v)
	}
	return y
}

// cosinesF64 is the scorer of cosines of float64 vectors.
type cosinesF64 struct {
	matrix[float64, float64]
	squares *squares
}

func (m cosinesF64) scores(dst []float32, queries []float64, nq int, s selection, w *scratch) {
	n := s.len()
	yy := grow[float64](&w.squares, n)
	fill(m.squares, yy, &s, m.square)
	for j, v := range yy {
		yy[j] = math.Sqrt(v)
	}
	for i := range nq {
		query, d := queries[i*m.cols:][:m.cols], dst[i*n:][:n]
		x := math.Sqrt(kernels.DotF64(query, query))
		for j, v := range yy {
			norms := x * v // as in vectors.CosineF64
			switch {
			case norms != norms:
				d[j] = float32(m.score(query, s.row(j)))
			case norms == 0:
				d[j] = 0
			default:
				d[j] = float32(kernels.DotF64(query, m.row(s.row(j))) / norms)
			}
		}
	}
}

// square returns the product of a row with itself, as it is stored.
func (m *cosinesF64) square(id int) float64 {
	row := m.row(id)
	return storable(kernels.DotF64(row, row), leastF64, mostF64, row)
}

func (m cosinesF64) score(query []float64, id int) float64 {
	row := m.row(id)
	if v := kernels.DotF64(row, row); v < leastF64 || v > mostF64 {
		row = slices.Clone(row)
		scale(row, func(v float64) float64 { return v })
	}
	return cosineF64(query, row)
}

// cosineF64 is like [vectors.CosineF64], but avoids rounding errors near 1: it returns 1 if both
// vectors have the same direction, and less than 1 otherwise.
func cosineF64(x, y []float64) float64 {
	const (
		near = 1 - 1e-9 // a number near 1 that float32 rounds to 1, even after rounding errors
		last = 1 - 0x1p-53
	)
	c := vectors.CosineF64(x, y)
	switch {
	case !(c >= near):
		return max(c, -1)
	case sameDirection(x, y):
		return 1
	}
	return min(c, last)
}

// sameDirection reports whether two nonzero vectors with a positive cosine are multiples of each
// other. It compares exact products of their elements.
func sameDirection(x, y []float64) bool {
	k := slices.IndexFunc(x, func(v float64) bool { return v != 0 })
	for i := range x {
		p, q := x[i]*y[k], x[k]*y[i]
		if p != q || math.FMA(x[i], y[k], -p) != math.FMA(x[k], y[i], -q) {
			return false
		}
	}
	return true
}
