package nearest

import (
	"slices"

	"github.com/simdrank/simdrank/kernels"
)

// A scorer compares queries with rows of a matrix by the metric of an index, whose scores it sets.
type scorer[Q any] interface {
	rows(dst []float32, query []Q, from, to int)
	listed(dst []float32, query []Q, ids []int32)
	block(dst []float32, queries []Q, n, from, to int) // dst[i·(to−from)+j]: query i, row from+j
}

// scorerOf returns the scorer for queries of one type and vectors of another: the pairs of types
// that can be compared are those here. It is nil for others.
func scorerOf[Q, E Element](a []E, cols, stride int, metric Metric) scorer[Q] {
	var pairs []any
	switch a := any(a).(type) {
	case []float64:
		pairs = []any{matrix[float64, float64]{a, cols, stride, metric}}
	case []float32:
		pairs = []any{matrix[float32, float32]{a, cols, stride, metric}}
	case []kernels.F16:
		pairs = []any{matrix[kernels.F16, kernels.F16]{a, cols, stride, metric},
			matrix[float32, kernels.F16]{a, cols, stride, metric}}
	case []kernels.BF16:
		pairs = []any{matrix[kernels.BF16, kernels.BF16]{a, cols, stride, metric},
			matrix[float32, kernels.BF16]{a, cols, stride, metric}}
	case []int8:
		pairs = []any{matrix[int8, int8]{a, cols, stride, metric}, matrix[float32, int8]{a, cols, stride, metric}}
	case []uint8:
		pairs = []any{matrix[uint8, uint8]{a, cols, stride, metric}, matrix[float32, uint8]{a, cols, stride, metric}}
	case []uint64:
		pairs = []any{sets{a, cols, stride, metric}}
	}
	for _, pair := range pairs {
		if s, ok := pair.(scorer[Q]); ok {
			return s
		}
	}
	return nil
}

// A matrix holds vectors of numbers.
type matrix[Q, E kernels.Element] struct {
	a            []E
	cols, stride int
	metric       Metric
}

func (m matrix[Q, E]) rows(dst []float32, query []Q, from, to int) {
	a, n := m.a[from*m.stride:], to-from
	switch m.metric {
	case Dot:
		kernels.DotRows(dst, query, a, n, m.cols, m.stride)
	case L2:
		kernels.L2Rows(dst, query, a, n, m.cols, m.stride)
	case Cosine:
		kernels.CosineRows(dst, query, a, n, m.cols, m.stride)
	}
}

func (m matrix[Q, E]) listed(dst []float32, query []Q, ids []int32) {
	switch m.metric {
	case Dot:
		kernels.DotIDs(dst, query, m.a, m.cols, m.stride, ids)
	case L2:
		kernels.L2IDs(dst, query, m.a, m.cols, m.stride, ids)
	case Cosine:
		kernels.CosineIDs(dst, query, m.a, m.cols, m.stride, ids)
	}
}

func (m matrix[Q, E]) block(dst []float32, queries []Q, n, from, to int) {
	a, rows := m.a[from*m.stride:], to-from
	switch m.metric {
	case Dot:
		kernels.DotBlock(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	case L2:
		kernels.L2Block(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	case Cosine:
		kernels.CosineBlock(dst, queries, n, m.cols, a, rows, m.cols, m.stride)
	}
}

// sets are rows of bits.
type sets struct {
	a            []uint64
	cols, stride int
	metric       Metric
}

func (m sets) rows(dst []float32, query []uint64, from, to int) {
	a := m.a[from*m.stride:]
	if m.metric == Hamming {
		kernels.HammingRows(dst, query, a, to-from, m.cols, m.stride)
		return
	}
	for i := range dst {
		dst[i] = kernels.JaccardBits(query, a[i*m.stride:][:m.cols])
	}
}

func (m sets) listed(dst []float32, query []uint64, ids []int32) {
	if m.metric == Hamming {
		kernels.HammingIDs(dst, query, m.a, m.cols, m.stride, ids)
		return
	}
	for i, id := range ids {
		dst[i] = kernels.JaccardBits(query, m.a[int(id)*m.stride:][:m.cols])
	}
}

func (m sets) block(dst []float32, queries []uint64, n, from, to int) {
	if m.metric == Hamming {
		kernels.HammingBlock(dst, queries, n, m.cols, m.a[from*m.stride:], to-from, m.cols, m.stride)
		return
	}
	rows := to - from
	for i := range n {
		m.rows(dst[i*rows:][:rows], queries[i*m.cols:][:m.cols], from, to)
	}
}

// firstNaN returns the place of the first NaN, −1 when there is none.
func firstNaN[Q Element](x []Q) int {
	switch x := any(x).(type) {
	case []kernels.F16:
		return slices.IndexFunc(x, func(v kernels.F16) bool { return v&0x7fff > 0x7c00 })
	case []kernels.BF16:
		return slices.IndexFunc(x, func(v kernels.BF16) bool { return v&0x7fff > 0x7f80 })
	}
	return slices.IndexFunc(x, func(v Q) bool { return v != v })
}
