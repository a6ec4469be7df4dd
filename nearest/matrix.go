package nearest

import (
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/vectors"
)

// A scorer computes the metric of an index for queries and rows of a matrix.
type scorer[Q any] interface {
	rows(dst []float32, query []Q, from, to int)
	listed(dst []float32, query []Q, ids []int32)
	block(dst []float32, queries []Q, n, from, to int) // sets dst[i·(to−from)+j] for query i and row from+j
}

// An exactScorer is a scorer whose scores may not be representable in float32. score returns the
// exact score, and the other methods return rounded scores.
type exactScorer[Q any] interface {
	scorer[Q]
	score(query []Q, id int) float64
}

// float32Exact is the largest n for which float32 represents all integers from 0 to n.
const float32Exact = 1 << 24

// scorerOf returns the scorer for queries of type Q and vectors of type E. It returns nil if these
// types cannot be compared. It lists all pairs of types that can be compared.
func scorerOf[Q, E element](a []E, cols, stride int, metric comparison) scorer[Q] {
	var pairs []any
	switch a := any(a).(type) {
	case []float64:
		pairs = []any{exactMatrix[float64]{matrix[float64, float64]{a, cols, stride, metric},
			[]func(x, y []float64) float64{kernels.DotF64, vectors.L2F64, cosineF64}[metric]}}
	case []float32:
		pairs = []any{matrix[float32, float32]{a, cols, stride, metric}}
	case []vectors.F16:
		pairs = []any{matrix[vectors.F16, vectors.F16]{a, cols, stride, metric},
			matrix[float32, vectors.F16]{a, cols, stride, metric}}
	case []vectors.BF16:
		pairs = []any{matrix[vectors.BF16, vectors.BF16]{a, cols, stride, metric},
			matrix[float32, vectors.BF16]{a, cols, stride, metric}}
	case []int8:
		pairs = []any{bytesScorer(matrix[int8, int8]{a, cols, stride, metric}, vectors.DotI8, vectors.L2I8),
			matrix[float32, int8]{a, cols, stride, metric}}
	case []uint8:
		pairs = []any{bytesScorer(matrix[uint8, uint8]{a, cols, stride, metric}, vectors.DotU8, vectors.L2U8),
			matrix[float32, uint8]{a, cols, stride, metric}}
	case []uint64:
		if s := (sets{a, cols, stride, metric}); metric == byJaccard || cols > float32Exact/64 {
			pairs = []any{exactSets{s}}
		} else {
			pairs = []any{s}
		}
	}
	for _, pair := range pairs {
		if s, ok := pair.(scorer[Q]); ok {
			return s
		}
	}
	return nil
}

// A matrix is a scorer for vectors of numbers.
type matrix[Q, E vectors.Element] struct {
	a            []E
	cols, stride int
	metric       comparison
}

func (m matrix[Q, E]) rows(dst []float32, query []Q, from, to int) {
	a, n := m.a[from*m.stride:], to-from
	switch m.metric {
	case byDot:
		vectors.DotRows(dst, query, a, n, m.cols, m.stride)
	case byL2:
		vectors.L2Rows(dst, query, a, n, m.cols, m.stride)
	case byCosine:
		vectors.CosineRows(dst, query, a, n, m.cols, m.stride)
	}
}

func (m matrix[Q, E]) listed(dst []float32, query []Q, ids []int32) {
	switch m.metric {
	case byDot:
		vectors.DotIDs(dst, query, m.a, m.cols, m.stride, ids)
	case byL2:
		vectors.L2IDs(dst, query, m.a, m.cols, m.stride, ids)
	case byCosine:
		vectors.CosineIDs(dst, query, m.a, m.cols, m.stride, ids)
	}
}

func (m matrix[Q, E]) block(dst []float32, queries []Q, n, from, to int) {
	a, rows := m.a[from*m.stride:], to-from
	switch m.metric {
	case byDot:
		vectors.DotBlock(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	case byL2:
		vectors.L2Block(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	case byCosine:
		vectors.CosineBlock(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	}
}

// An exactMatrix compares queries and vectors of the same type. Its scores may not be exact in
// float32.
type exactMatrix[E vectors.Element] struct {
	matrix[E, E]
	compare func(x, y []E) float64
}

func (m exactMatrix[E]) score(query []E, id int) float64 {
	return m.compare(query, m.a[id*m.stride:][:m.cols])
}

// bytesScorer returns the scorer of a byte matrix. It is an exactScorer only if scores may exceed
// the integers that float32 represents exactly.
func bytesScorer[E int8 | uint8](m matrix[E, E], dot, l2 func(x, y []E) int64) scorer[E] {
	most := 255 * 255 // maximum term of an element in a score
	if lowest := -128; m.metric == byDot && E(lowest) < 0 {
		most = lowest * lowest
	}
	switch {
	case m.metric == byCosine:
		return exactMatrix[E]{m, func(x, y []E) float64 {
			norms := math.Sqrt(float64(dot(x, x)) * float64(dot(y, y)))
			if norms == 0 {
				return 0
			}
			return float64(dot(x, y)) / norms
		}}
	case m.cols <= float32Exact/most:
		return m
	case m.metric == byL2:
		dot = l2
	}
	return exactMatrix[E]{m, func(x, y []E) float64 { return float64(dot(x, y)) }}
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

// sets is a scorer for the rows of a bit matrix.
type sets struct {
	a            []uint64
	cols, stride int
	metric       comparison
}

func (m sets) rows(dst []float32, query []uint64, from, to int) {
	a := m.a[from*m.stride:]
	if m.metric == byHamming {
		vectors.HammingRows(dst, query, a, to-from, m.cols, m.stride)
		return
	}
	for i := range dst {
		dst[i] = vectors.JaccardBits(query, a[i*m.stride:][:m.cols])
	}
}

func (m sets) listed(dst []float32, query []uint64, ids []int32) {
	if m.metric == byHamming {
		vectors.HammingIDs(dst, query, m.a, m.cols, m.stride, ids)
		return
	}
	for i, id := range ids {
		dst[i] = vectors.JaccardBits(query, m.a[int(id)*m.stride:][:m.cols])
	}
}

func (m sets) block(dst []float32, queries []uint64, n, from, to int) {
	if m.metric == byHamming {
		vectors.HammingBlock(dst, queries, n, m.cols, m.a[from*m.stride:], to-from, m.cols, m.stride)
		return
	}
	rows := to - from
	for i := range n {
		m.rows(dst[i*rows:][:rows], queries[i*m.cols:][:m.cols], from, to)
	}
}

// exactSets are sets whose scores may not be exact in float32.
type exactSets struct{ sets }

func (m exactSets) score(query []uint64, id int) float64 {
	row := m.a[id*m.stride:][:m.cols]
	if m.metric == byHamming {
		return float64(vectors.HammingBits(query, row))
	}
	both, either := 0, 0
	for i, word := range query {
		both += bits.OnesCount64(word & row[i])
		either += bits.OnesCount64(word | row[i])
	}
	if either == 0 {
		return 1
	}
	return float64(both) / float64(either)
}

// firstNaN returns the index of the first NaN, or −1 if there is none.
func firstNaN[Q element](x []Q) int {
	switch x := any(x).(type) {
	case []vectors.F16:
		return slices.IndexFunc(x, func(v vectors.F16) bool { return v&0x7fff > 0x7c00 })
	case []vectors.BF16:
		return slices.IndexFunc(x, func(v vectors.BF16) bool { return v&0x7fff > 0x7f80 })
	}
	return slices.IndexFunc(x, func(v Q) bool { return v != v })
}
