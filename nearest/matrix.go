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
	// scores sets dst[i·n+j] to the score of query i and row j of a selection of n rows.
	scores(dst []float32, queries []Q, nq int, s selection, w *scratch)
}

// An exactScorer is a scorer whose scores may not be representable in float32. score returns the
// exact score, and scores returns rounded scores.
type exactScorer[Q any] interface {
	scorer[Q]
	score(query []Q, id int) float64
}

// A selection contains the rows from … to−1, or only the rows in ids if ids is not nil.
type selection struct {
	from, to int
	ids      []int32
}

// len returns the number of rows.
func (s *selection) len() int {
	if s.ids != nil {
		return len(s.ids)
	}
	return s.to - s.from
}

// row returns the ID of row j.
func (s *selection) row(j int) int {
	if s.ids != nil {
		return int(s.ids[j])
	}
	return s.from + j
}

// A scratch is memory that the scorers of a goroutine reuse.
type scratch struct {
	rows    any // copies of rows: a slice of the element type
	squares any // products of rows with themselves: a []float32 or []float64
}

// grow returns a slice of length n. It reuses the memory of *s if there is enough.
func grow[T any](s *any, n int) []T {
	t, _ := (*s).([]T)
	if cap(t) < n {
		t = make([]T, n)
		*s = t
	}
	return t[:n]
}

// float32Exact is the largest n for which float32 represents all integers from 0 to n.
const float32Exact = 1 << 24

// scorerOf returns the scorer for queries of type Q and vectors of type E. It returns nil if these
// types cannot be compared. It lists all pairs of types that can be compared.
func scorerOf[Q, E element](a []E, rows, cols, stride int, metric comparison) scorer[Q] {
	var pairs []any
	sq := &squares{rows: rows}
	switch a := any(a).(type) {
	case []float64:
		m := matrix[float64, float64]{a, cols, stride, metric}
		if metric == byCosine {
			pairs = []any{cosinesF64{m, sq}}
		} else {
			compare := []func(x, y []float64) float64{kernels.DotF64, vectors.L2F64}[metric]
			pairs = []any{exactMatrix[float64]{m, m, compare}}
		}
	case []float32:
		pairs = []any{pair(matrix[float32, float32]{a, cols, stride, metric}, sq)}
	case []vectors.F16:
		pairs = []any{pair(matrix[vectors.F16, vectors.F16]{a, cols, stride, metric}, sq),
			pair(matrix[float32, vectors.F16]{a, cols, stride, metric}, sq)}
	case []vectors.BF16:
		pairs = []any{pair(matrix[vectors.BF16, vectors.BF16]{a, cols, stride, metric}, sq),
			pair(matrix[float32, vectors.BF16]{a, cols, stride, metric}, sq)}
	case []int8:
		pairs = []any{bytesScorer(matrix[int8, int8]{a, cols, stride, metric}, sq, vectors.DotI8, vectors.L2I8),
			pair(matrix[float32, int8]{a, cols, stride, metric}, sq)}
	case []uint8:
		pairs = []any{bytesScorer(matrix[uint8, uint8]{a, cols, stride, metric}, sq, vectors.DotU8, vectors.L2U8),
			pair(matrix[float32, uint8]{a, cols, stride, metric}, sq)}
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

// pair returns the scorer of a matrix whose scores are float32.
func pair[Q, E vectors.Element](m matrix[Q, E], sq *squares) scorer[Q] {
	if m.metric != byCosine {
		return m
	}
	m.metric = byDot
	return cosines[Q, E]{m, sq}
}

// A matrix is a scorer for vectors of numbers.
type matrix[Q, E vectors.Element] struct {
	a            []E
	cols, stride int
	metric       comparison
}

// row returns the vector with an ID.
func (m *matrix[Q, E]) row(id int) []E { return m.a[id*m.stride:][:m.cols] }

// leastPacked is the minimum number of queries for which listed rows are copied and compared as a
// block. With fewer queries, copying takes more time than the block saves.
const leastPacked = 4

func (m matrix[Q, E]) scores(dst []float32, queries []Q, nq int, s selection, w *scratch) {
	n := s.len()
	if s.ids != nil && nq < leastPacked {
		for i := range nq {
			m.listed(dst[i*n:][:n], queries[i*m.cols:][:m.cols], s.ids)
		}
		return
	}
	a, stride := m.a[s.from*m.stride:], m.stride
	if s.ids != nil {
		a, stride = pack(m.a, m.cols, m.stride, s.ids, w), m.cols
	}
	if nq == 1 {
		m.rows(dst, queries[:m.cols], a, n, stride)
	} else {
		m.block(dst, queries, nq, a, n, stride)
	}
}

// pack returns a matrix of copies of the listed rows.
func pack[E any](a []E, cols, stride int, ids []int32, w *scratch) []E {
	rows := grow[E](&w.rows, len(ids)*cols)
	for j, id := range ids {
		copy(rows[j*cols:][:cols], a[int(id)*stride:])
	}
	return rows
}

func (m *matrix[Q, E]) listed(dst []float32, query []Q, ids []int32) {
	switch m.metric {
	case byDot:
		vectors.DotIDs(dst, query, m.a, m.cols, m.stride, ids)
	case byL2:
		vectors.L2IDs(dst, query, m.a, m.cols, m.stride, ids)
	case byCosine:
		vectors.CosineIDs(dst, query, m.a, m.cols, m.stride, ids)
	}
}

func (m *matrix[Q, E]) rows(dst []float32, query []Q, a []E, rows, stride int) {
	switch m.metric {
	case byDot:
		vectors.DotRows(dst, query, a, rows, m.cols, stride)
	case byL2:
		vectors.L2Rows(dst, query, a, rows, m.cols, stride)
	case byCosine:
		vectors.CosineRows(dst, query, a, rows, m.cols, stride)
	}
}

func (m *matrix[Q, E]) block(dst []float32, queries []Q, nq int, a []E, rows, stride int) {
	switch m.metric {
	case byDot:
		vectors.DotBlock(dst, queries, nq, m.cols, a, rows, m.cols, stride)
	case byL2:
		vectors.L2Block(dst, queries, nq, m.cols, a, rows, m.cols, stride)
	case byCosine:
		vectors.CosineBlock(dst, queries, nq, m.cols, a, rows, m.cols, stride)
	}
}

// An exactMatrix compares queries and vectors of the same type. Its scores may not be exact in
// float32.
type exactMatrix[E vectors.Element] struct {
	scorer[E]
	m       matrix[E, E]
	compare func(x, y []E) float64
}

func (m exactMatrix[E]) score(query []E, id int) float64 { return m.compare(query, m.m.row(id)) }

// bytesScorer returns the scorer of a byte matrix. It is an exactScorer only if scores may exceed
// the integers that float32 represents exactly.
func bytesScorer[E int8 | uint8](m matrix[E, E], sq *squares, dot, l2 func(x, y []E) int64) scorer[E] {
	most := 255 * 255 // maximum term of an element in a score
	if lowest := -128; m.metric != byL2 && E(lowest) < 0 {
		most = lowest * lowest
	}
	exact := m.cols <= float32Exact/most
	switch {
	case m.metric == byCosine:
		rounded := scorer[E](m)
		if exact { // products are the same in float32
			rounded = byteCosines[E]{m, pair(m, sq)}
		}
		return exactMatrix[E]{rounded, m, func(x, y []E) float64 {
			norms := math.Sqrt(float64(dot(x, x)) * float64(dot(y, y)))
			if norms == 0 {
				return 0
			}
			return float64(dot(x, y)) / norms
		}}
	case exact:
		return m
	case m.metric == byL2:
		dot = l2
	}
	return exactMatrix[E]{m, m, func(x, y []E) float64 { return float64(dot(x, y)) }}
}

// byteCosines is the scorer of cosines of bytes whose products are exact in float32. The kernel for
// single queries computes the norms of rows faster than they can be loaded, so only batches use the
// stored norms.
type byteCosines[E int8 | uint8] struct {
	one  matrix[E, E]
	many scorer[E]
}

func (m byteCosines[E]) scores(dst []float32, queries []E, nq int, s selection, w *scratch) {
	if nq < leastPacked {
		m.one.scores(dst, queries, nq, s, w)
	} else {
		m.many.scores(dst, queries, nq, s, w)
	}
}

// sets is a scorer for the rows of a bit matrix.
type sets struct {
	a            []uint64
	cols, stride int
	metric       comparison
}

func (m sets) scores(dst []float32, queries []uint64, nq int, s selection, w *scratch) {
	n := s.len()
	if m.metric == byHamming && (s.ids == nil || nq >= leastPacked) {
		a, stride := m.a[s.from*m.stride:], m.stride
		if s.ids != nil {
			a, stride = pack(m.a, m.cols, m.stride, s.ids, w), m.cols
		}
		vectors.HammingBlock(dst, queries, nq, m.cols, a, n, m.cols, stride)
		return
	}
	for i := range nq {
		d, query := dst[i*n:][:n], queries[i*m.cols:][:m.cols]
		if m.metric == byHamming {
			vectors.HammingIDs(d, query, m.a, m.cols, m.stride, s.ids)
			continue
		}
		for j := range d {
			d[j] = vectors.JaccardBits(query, m.a[s.row(j)*m.stride:][:m.cols])
		}
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
