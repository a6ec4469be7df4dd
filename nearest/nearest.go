// Package nearest finds the vectors that are nearest to a query, exactly: it compares the query
// with every vector, by the kernels of package vectors. There is no approximate index here.
//
//	index, err := nearest.New[float32](vectors, rows, 128, 128, "cosine")
//	best, err := index.AppendNearest(nil, query, 10)
//
// Vectors are the rows of a matrix that the caller keeps, which may be a mapped file (package
// vectorfile). They are float64, float32, vectors.F16, vectors.BF16, int8 or uint8, compared by
// their dot product, squared distance or cosine, or sets of bits in []uint64, compared by Hamming
// distance or Jaccard index. Queries have the vectors' type, or are float32 where the vectors are
// float16, bfloat16 or bytes.
//
// # Order
//
// The nearest vector comes first. Of equal scores the lower id comes first, −0 equals +0, and NaNs,
// which vectors with NaNs or infinities may have, come last. Results do not depend on the number of
// threads, on the tier of the kernels, or on whether queries are searched alone or in a batch.
//
// The precision of a score depends on the type of the query:
//
//   - float64: scores are float64. A cosine is 1 only for vectors that have the query's direction,
//     so that an exact duplicate of the query comes first, or next to its multiples by id.
//   - Bytes and bits: dot products, L2 and Hamming are exact integers. Cosines and Jaccard indices
//     are float64.
//   - float32, float16 and bfloat16: scores are float32, and those that differ less are equal.
//
// # Two stages
//
// Smaller vectors are read faster: search int8 codes or bits for more candidates than are wanted,
// and have [Index.AppendReranked] compare these with the query exactly. How many candidates it
// takes for a recall that suffices ([Recall]) depends on the data.
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

// A comparison is a metric of [New].
type comparison uint8

const (
	byDot comparison = iota
	byL2
	byCosine
	byHamming
	byJaccard
)

var metrics = []string{byDot: "dot", byL2: "l2", byCosine: "cosine", byHamming: "hamming", byJaccard: "jaccard"}

// String returns the word for m.
func (m comparison) String() string { return metrics[m] }

// OptionWords returns the words that an option accepts, the default first. The kind is metric, of
// [New].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"metric": metrics}[kind])
}

// leastFirst reports whether a small score means near.
func (m comparison) leastFirst() bool { return m == byL2 || m == byHamming }

// ofBits reports whether the metric compares sets of bits.
func (m comparison) ofBits() bool { return m == byHamming || m == byJaccard }

// A Neighbor is a vector that a search found.
type Neighbor struct {
	ID    int32   // row of the matrix
	Score float64 // by the metric: the greatest are nearest, or for l2 and hamming the least
}

// element is what vectors hold, for what is not exported.
type element interface {
	vectors.Element | uint64
}

// An Index finds neighbors among the rows of a matrix, for queries of elements Q: numbers, or words
// of 64 bits of a set. Several goroutines may share one. A copy shares the matrix and may have
// other options:
//
//	filtered := *index
//	filtered.Allow = bitmap
type Index[Q vectors.Element | uint64] struct {
	// Threads is the number of goroutines of a search; 0 or less means GOMAXPROCS. Results do not
	// depend on it. Little work is not shared out.
	Threads int
	// Allow is a bitmap of the ids that a search may find: bit i%64 of Allow[i/64] stands for id i.
	// All may be found when it is nil.
	Allow []uint64
	// Progress reports how many pairs of a query and a vector SearchBatch has compared: calls never
	// overlap, done does not fall, total does not change, and the last call has done == total.
	Progress func(done, total int64)

	metric     comparison
	rows, cols int
	rowBytes   int // from one row to the next
	matrix     scorer[Q]
	exact      exactScorer[Q] // the same, nil where float32 holds the scores
	pool       *sync.Pool     // of *workspace[Q]
}

// New returns an index over a matrix of rows × cols elements, in which row i starts at a[i·stride].
// The index keeps a and does not write to it; vectors that change must not do so during a search.
// At most 2³¹−1 rows are possible.
//
// The metric says how vectors are compared, and what [Neighbor.Score] is:
//
//	dot      the inner product x·y, the greatest first. The default ("").
//	l2       the squared Euclidean distance Σ (x[i]−y[i])², the least first
//	cosine   the cosine of the angle, the greatest first; 0 with a vector of zeros
//	hamming  the number of bits that differ, the least first. A row is cols words of 64 bits.
//	jaccard  the Jaccard index |x∩y| / |x∪y| of sets of bits, the greatest first. A row is cols
//	         words of 64 bits.
//
// E is inferred, so that New[float32](codes, …) takes float32 queries to vectors of any type that
// can be compared with them. It is an error when the types cannot be compared, or not by the
// metric, when there is no such metric, and when a does not hold the matrix.
func New[Q, E vectors.Element | uint64](a []E, rows, cols, stride int, metric string) (*Index[Q], error) {
	by, err := text.ParseEnum[comparison]("nearest", "metric", metrics, cmp.Or(metric, metrics[byDot]))
	switch {
	case err != nil:
		return nil, err
	case rows < 0 || rows > math.MaxInt32:
		return nil, errs.Errorf("nearest", "%d rows, want 0 to %d", rows, math.MaxInt32)
	case cols < 1:
		return nil, errs.Errorf("nearest", "%d columns, want at least 1", cols)
	case stride < cols:
		return nil, errs.Errorf("nearest", "stride %d is below the number of columns, %d", stride, cols)
	}
	if rows > 0 && (len(a) < cols || (len(a)-cols)/stride < rows-1) {
		return nil, errs.Errorf("nearest", "%d elements cannot hold %d rows of %d columns with stride %d",
			len(a), rows, cols, stride)
	}
	if rows < 2 {
		stride = cols // any other counts nothing, however large
	}
	if _, ok := any(a).([]uint64); ok != by.ofBits() {
		return nil, errs.Errorf("nearest", "metric %v does not compare %s vectors", by, typeName[E]())
	}
	m := scorerOf[Q](a, cols, stride, by)
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

// AppendNearest appends to dst the k vectors nearest to the query, nearest first, or all where
// there are fewer; see the comment of the package for their order. With one thread it allocates
// nothing when dst has room.
//
// It is an error when the query does not have as many elements as a row, when it holds a NaN, when
// k is below 1, when Allow is shorter than the number of rows, and when the file of mapped vectors
// was cut. dst comes back as it was then.
func (ix *Index[Q]) AppendNearest(dst []Neighbor, query []Q, k int) (found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := ix.check(query, k); err != nil {
		return dst, err
	}
	return ix.search(context.Background(), dst, query, 1, ix.cols, k, nil)
}

// typeName returns what errors call an element.
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

// AppendNearestBatch is [Index.AppendNearest] for many queries, of which query i starts at
// queries[i·stride]: it appends the neighbors of query 0, those of query 1, and so on, as many for
// each as AppendNearest finds, which is min(k, the number of vectors that may be found). The
// vectors are read once for 32 queries. It returns the context's error soon after that is done.
func (ix *Index[Q]) AppendNearestBatch(ctx context.Context, dst []Neighbor, queries []Q, n, stride, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	switch {
	case n < 0:
		return dst, errs.Errorf("nearest", "%d queries", n)
	case stride < ix.cols:
		return dst, errs.Errorf("nearest", "queries have stride %d, the vectors have %d elements", stride, ix.cols)
	case k < 1:
		return dst, wrongK(k)
	case n > 0 && (len(queries) < ix.cols || (len(queries)-ix.cols)/max(1, stride) < n-1):
		return dst, errs.Errorf("nearest", "%d elements cannot hold %d queries of %d elements with stride %d",
			len(queries), n, ix.cols, stride)
	}
	for i := range n {
		if err := ix.check(queries[i*stride:][:ix.cols], k); err != nil {
			return dst, errs.Op("nearest", errs.Wrap(err, "query %d of the batch", i))
		}
	}
	all := dst // not found, which is what a fault of a mapped file leaves
	progress := parallel.NewProgress(ix.Progress, int64(n)*int64(ix.rows))
	for i := 0; i < n; i += batch {
		if all, err = ix.search(ctx, all, queries[i*stride:], min(batch, n-i), stride, k, progress); err != nil {
			return dst, err
		}
	}
	progress.Finish()
	return all, nil
}

// AppendReranked appends to dst the k of the candidates whose vectors are nearest to the query,
// nearest first, or all where there are fewer. It is the second stage of a search whose first one
// another index made; dst may be candidates[:0]. The scores of the candidates, and Allow, have no
// say. The ids should be distinct: one that comes twice is found twice.
//
// It is an error when the query or k is what [Index.AppendNearest] refuses, and when an id is that
// of no row.
func (ix *Index[Q]) AppendReranked(dst []Neighbor, query []Q, candidates []Neighbor, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := ix.check(query, k); err != nil {
		return dst, err
	}
	for i, c := range candidates {
		if c.ID < 0 || int(c.ID) >= ix.rows {
			return dst, errs.Errorf("nearest", "candidate %d has id %d, the index has %d vectors", i, c.ID, ix.rows)
		}
	}
	if len(candidates) == 0 {
		return dst, nil
	}
	w := ix.pool.Get().(*workspace[Q])
	defer ix.pool.Put(w)
	return ix.rerank(dst, w, query, candidates, k), nil
}

// check returns what is wrong with a query.
func (ix *Index[Q]) check(query []Q, k int) error {
	if len(query) != ix.cols {
		return errs.Errorf("nearest", "the query has %d elements, the vectors have %d", len(query), ix.cols)
	}
	if k < 1 {
		return wrongK(k)
	}
	if i := firstNaN(query); i >= 0 {
		return errs.Errorf("nearest", "the query holds a NaN, element %d of %d", i, len(query))
	}
	return nil
}

func wrongK(k int) error { return errs.Errorf("nearest", "k is %d, want at least 1", k) }

// Recall returns the share of truth's ids that were found. Negative ids of the truth, which other
// libraries put where there are no more neighbors, do not count. It is NaN when none is left.
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
