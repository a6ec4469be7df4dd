// Package nearest finds the exact nearest neighbors of a query. It compares the query with every
// vector, using the SIMD kernels of package vectors. It has no approximate index.
//
// For example, this finds the ten vectors with the greatest cosine to a query of 128 elements:
//
//	index, err := nearest.New[float32](vectors, rows, 128, 128, "cosine")
//	best, err := index.AppendNearest(nil, query, 10)
//
// The vectors are the rows of a matrix, which can be a memory-mapped file (see package vectorfile).
// The index does not copy them. The element types and metrics are:
//
//   - float64, float32, vectors.F16, vectors.BF16, int8 and uint8: dot product, squared Euclidean
//     distance or cosine
//   - uint64, whose bits form a set: Hamming distance or Jaccard index
//
// Queries have the same type as the vectors. If the vectors are float16, bfloat16, int8 or uint8,
// queries can also be float32.
//
// In a [Store], vectors have your own IDs. You can add, replace and delete them during searches.
//
// # Order
//
// Neighbors are sorted nearest first. Ties are sorted by ascending ID, −0 equals +0, and NaNs come
// last. Scores can be NaN if vectors contain NaNs or infinities. Results are deterministic: they do
// not depend on the number of threads, the tier of the kernels or the batch size.
//
// The precision of a score depends on the query type:
//
//   - float64: scores are float64. A cosine is 1 only if a vector has exactly the direction of the
//     query. Exact duplicates and positive multiples of the query therefore come first, sorted by
//     ID.
//   - int8, uint8 and bits: dot products, L2 and Hamming distances are exact integers. Cosines and
//     Jaccard indices are float64.
//   - float32, float16 and bfloat16: scores are float32, and scores that round to the same float32
//     are tied.
//
// Cosines of finite vectors are correct for elements of any magnitude. If elements are very large,
// dot products and L2 distances overflow to infinity or NaN, as in IEEE 754 arithmetic.
//
// # Two stages
//
// Searching smaller vectors is faster. Search int8 codes or bits first for more candidates than you
// need, and then call [Index.AppendReranked] to compare the candidates with the query exactly. The
// required number of candidates depends on the data; use [Recall] to find it.
package nearest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/vectors"
)

// A comparison is a metric that [New] supports.
type comparison uint8

const (
	byDot comparison = iota
	byL2
	byCosine
	byHamming
	byJaccard
)

var metrics = []string{byDot: "dot", byL2: "l2", byCosine: "cosine", byHamming: "hamming", byJaccard: "jaccard"}

// String returns the name of the metric.
func (m comparison) String() string { return metrics[m] }

// OptionWords returns the accepted values of an option, the default first. The only kind is
// "metric", an argument of [New].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"metric": metrics}[kind])
}

// leastFirst reports whether lower scores are nearer.
func (m comparison) leastFirst() bool { return m == byL2 || m == byHamming }

// ofBits reports whether the metric compares bit sets.
func (m comparison) ofBits() bool { return m == byHamming || m == byJaccard }

// A Neighbor is one search result.
type Neighbor struct {
	ID    int32   // row of the matrix
	Score float64 // value of the metric; for l2 and hamming, smaller is nearer
}

// element is the constraint for vector elements in unexported code.
type element interface {
	vectors.Element | uint64
}

// An Index finds nearest neighbors among the rows of a matrix. Q is the element type of queries. An
// Index is safe for concurrent use. A copy shares the matrix and can have other options:
//
//	filtered := *index
//	filtered.Allow = bitmap
type Index[Q vectors.Element | uint64] struct {
	// Threads is the maximum number of goroutines of a search. 0 or less means GOMAXPROCS. It does
	// not affect results. Small searches use one goroutine.
	Threads int
	// Allow restricts a search to some IDs. It is a bitmap: ID i is allowed if bit i%64 of
	// Allow[i/64] is 1. If Allow is nil, all IDs are allowed. [Index.AllowIDs] and
	// [Index.AllowFunc] create bitmaps.
	Allow []uint64
	// Progress, if not nil, reports the number of query-vector pairs that AppendNearestBatch has
	// compared. Calls never overlap, done never decreases, total does not change, and the last call
	// has done == total.
	Progress func(done, total int64)

	metric     comparison
	rows, cols int
	rowBytes   int // distance between rows in bytes
	matrix     scorer[Q]
	exact      exactScorer[Q] // the same scorer; nil if all scores are exact in float32
	pool       *sync.Pool     // pool of *workspace[Q]
}

// New returns an index over a matrix of rows × cols elements, in which row i starts at a[i·stride].
// The index keeps a reference to a and does not write to it. Do not change a while the index is in
// use. For cosine, the first searches store the norms of the rows, which requires 8 bytes per row.
// Copies of an index share the norms. There can be at most 2³¹−1 rows.
//
// The metric defines [Neighbor.Score]. This table also shows whether the nearest vector has the
// greatest or the least score:
//
//	dot      the dot product x·y; greatest. "" means dot.
//	l2       the squared Euclidean distance Σ (x[i]−y[i])²; least
//	cosine   the cosine of the angle, or 0 if a vector is zero; greatest
//	hamming  the number of bits that differ; least. A row has cols words of 64 bits.
//	jaccard  the Jaccard index |x∩y| / |x∪y| of bit sets; greatest. A row has cols words of 64
//	         bits.
//
// The element type E is inferred from a. For example, if codes is a []int8, New[float32](codes, …)
// returns an index for float32 queries. New returns an error if the metric is unknown or does not
// support the types, or if a is too short for the matrix.
func New[Q, E vectors.Element | uint64](a []E, rows, cols, stride int, metric string) (*Index[Q], error) {
	by, err := text.ParseEnum[comparison]("nearest", "metric", metrics, cmp.Or(metric, metrics[byDot]))
	switch {
	case err != nil:
		return nil, err
	case rows < 0 || rows > math.MaxInt32:
		return nil, errs.Errorf("nearest", "the number of rows is %d; it must be from 0 to %d", rows, math.MaxInt32)
	case cols < 1:
		return nil, errs.Errorf("nearest", "the number of columns is %d; it must be at least 1", cols)
	case stride < cols:
		return nil, errs.Errorf("nearest", "the stride is %d; it must be at least the number of columns, %d", stride, cols)
	}
	if rows > 0 && (len(a) < cols || (len(a)-cols)/stride < rows-1) {
		return nil, errs.Errorf("nearest", "%d elements are too few for %d rows of %d columns with stride %d",
			len(a), rows, cols, stride)
	}
	if rows < 2 {
		stride = cols // a single row has no stride
	}
	if _, ok := any(a).([]uint64); ok != by.ofBits() {
		return nil, errs.Errorf("nearest", "metric %v does not support %s vectors", by, typeName[E]())
	}
	m := scorerOf[Q](a, rows, cols, stride, by)
	if m == nil {
		return nil, errs.Errorf("nearest", "%s queries cannot be compared with %s vectors", typeName[Q](),
			typeName[E]())
	}
	exact, _ := m.(exactScorer[Q])
	return &Index[Q]{
		metric: by, rows: rows, cols: cols, rowBytes: stride * int(unsafe.Sizeof(*new(E))), matrix: m, exact: exact,
		pool: &sync.Pool{New: func() any { return new(workspace[Q]) }},
	}, nil
}

// AppendNearest appends to dst the k vectors nearest to the query, nearest first, or all vectors if
// there are fewer than k. The package comment describes the order. With one thread, it does not
// allocate if dst has enough capacity.
//
// It returns an error if the query length is not the number of columns, if the query contains a
// NaN, or if k is less than 1. It also returns an error if Allow is too short or if a memory-mapped
// file was truncated. On error, dst is returned unchanged.
func (ix *Index[Q]) AppendNearest(dst []Neighbor, query []Q, k int) (found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := ix.check(query, k); err != nil {
		return dst, err
	}
	return ix.search(context.Background(), dst, query, 1, ix.cols, limits{k: k, radius: math.NaN()}, nil)
}

// AppendWithin is like [Index.AppendNearest] but appends only vectors within a radius: vectors
// whose score is at least the radius or, for l2 and hamming, at most the radius. A vector whose
// score is NaN is never within the radius. If more than k vectors are within the radius, it appends
// the nearest k. The required memory is proportional to the number of appended vectors, even if k
// is large.
//
// It returns an error under the same conditions as AppendNearest, or if the radius is NaN.
func (ix *Index[Q]) AppendWithin(dst []Neighbor, query []Q, radius float64, k int) (found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := ix.check(query, k); err != nil {
		return dst, err
	}
	if radius != radius {
		return dst, errNoRadius
	}
	return ix.search(context.Background(), dst, query, 1, ix.cols, limits{k: k, radius: radius}, nil)
}

// AllowIDs sets Allow to a new bitmap that allows the given IDs. It returns an error if an ID is
// not a row of the matrix.
func (ix *Index[Q]) AllowIDs(ids []int32) error {
	allow := make([]uint64, (ix.rows+63)/64)
	for _, id := range ids {
		if id < 0 || int(id) >= ix.rows {
			return errs.Errorf("nearest", "allowed ID %d is not one of the %d vectors", id, ix.rows)
		}
		allow[id/64] |= 1 << (id % 64)
	}
	ix.Allow = allow
	return nil
}

// AllowFunc sets Allow to a new bitmap that allows the IDs for which allowed returns true.
func (ix *Index[Q]) AllowFunc(allowed func(id int32) bool) {
	ix.Allow = make([]uint64, (ix.rows+63)/64)
	for id := range int32(ix.rows) {
		if allowed(id) {
			ix.Allow[id/64] |= 1 << (id % 64)
		}
	}
}

// typeName returns the name of an element type for errors.
func typeName[E element]() string {
	switch e := any(*new(E)).(type) {
	case vectors.F16:
		return "float16"
	case vectors.BF16:
		return "bfloat16"
	default:
		return fmt.Sprintf("%T", e)
	}
}

// AppendNearestBatch is like [Index.AppendNearest] but for n queries. Query i starts at
// queries[i·stride]. The neighbors of query 0 come first, then the neighbors of query 1, and so on.
// Each query has the same number of neighbors: min(k, the number of allowed vectors). The vectors
// are read once per 32 queries. If ctx is canceled, it stops early and returns ctx.Err().
func (ix *Index[Q]) AppendNearestBatch(ctx context.Context, dst []Neighbor, queries []Q, n, stride, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	switch {
	case n < 0:
		return dst, errs.Errorf("nearest", "the number of queries is %d; it must not be negative", n)
	case stride < ix.cols:
		return dst, errs.Errorf("nearest", "the query stride is %d; it must be at least the number of columns, %d", stride, ix.cols)
	case k < 1:
		return dst, wrongK(k)
	case n > 0 && (len(queries) < ix.cols || (len(queries)-ix.cols)/max(1, stride) < n-1):
		return dst, errs.Errorf("nearest", "%d elements are too few for %d queries of %d elements with stride %d",
			len(queries), n, ix.cols, stride)
	}
	for i := range n {
		if err := ix.check(queries[i*stride:][:ix.cols], k); err != nil {
			return dst, errs.Op("nearest", errs.Wrap(err, "query %d", i))
		}
	}
	all := dst // a separate variable, because dst must not change if a mapped file causes a fault
	progress := parallel.NewProgress(ix.Progress, int64(n)*int64(ix.rows))
	l := limits{k: k, radius: math.NaN()}
	for i := 0; i < n; i += batch {
		if all, err = ix.search(ctx, all, queries[i*stride:], min(batch, n-i), stride, l, progress); err != nil {
			return dst, err
		}
	}
	progress.Finish()
	return all, nil
}

// AppendReranked appends to dst the k candidates that are nearest to the query, nearest first, or
// all candidates if there are fewer than k. Use it as the second stage of a search whose candidates
// come from another index. dst may be candidates[:0]. Candidate scores and Allow are ignored. The
// candidate IDs should be distinct: the result contains a repeated ID more than once.
//
// It returns an error if [Index.AppendNearest] rejects the query or k, or if an ID is not a row of
// the matrix.
func (ix *Index[Q]) AppendReranked(dst []Neighbor, query []Q, candidates []Neighbor, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := ix.check(query, k); err != nil {
		return dst, err
	}
	for i, c := range candidates {
		if c.ID < 0 || int(c.ID) >= ix.rows {
			return dst, errs.Errorf("nearest", "candidate %d: ID %d is not one of the %d vectors", i, c.ID, ix.rows)
		}
	}
	if len(candidates) == 0 {
		return dst, nil
	}
	w := ix.pool.Get().(*workspace[Q])
	defer ix.pool.Put(w)
	return ix.rerank(dst, w, query, candidates, k), nil
}

// check returns an error if a query or k is invalid.
func (ix *Index[Q]) check(query []Q, k int) error {
	if len(query) != ix.cols {
		return errs.Errorf("nearest", "the query has %d elements, but the vectors have %d", len(query), ix.cols)
	}
	if k < 1 {
		return wrongK(k)
	}
	if i := firstNaN(query); i >= 0 {
		return errs.Errorf("nearest", "the query must not contain NaN (element %d of %d)", i, len(query))
	}
	return nil
}

var errNoRadius = errs.New("nearest", "the radius must not be NaN")

func wrongK(k int) error { return errs.Errorf("nearest", "k is %d; it must be at least 1", k) }

// Recall returns the fraction of the IDs in truth that are in found. Negative IDs in truth are
// ignored, because other libraries use them as padding. If truth contains no other IDs, the result
// is NaN.
func Recall(found []Neighbor, truth []int32) float64 {
	ids := make(map[int32]bool, len(found))
	for _, n := range found {
		ids[n.ID] = true
	}
	hits, total := 0, 0
	for _, id := range truth {
		if id < 0 {
			continue
		}
		total++
		if ids[id] {
			hits++
		}
	}
	return float64(hits) / float64(total)
}
