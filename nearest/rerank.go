package nearest

import (
	"context"
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/vectors"
)

// A Reranker scores documents that have a vector per token, such as the embeddings of ColBERT. The
// score is MaxSim (late interaction): the sum over all query tokens of the greatest dot product
// with a token of the document. Models usually normalize token vectors to length 1, so that dot
// products are cosines. Reranker does not normalize them.
//
// MaxSim of many documents takes long, so a Reranker usually scores the candidates of an [Index]
// with a vector per document. The ID of a document is its position. Q is the element type of
// queries. A Reranker is safe for concurrent use.
//
// Neighbors are sorted by descending score. Ties are sorted by ascending ID, and NaNs come last. A
// document without tokens has the score −Inf. [vectors.MaxSim] documents how scores are computed.
// They do not depend on the number of threads or the tier of the kernels.
type Reranker[Q vectors.Element] struct {
	// Threads is the maximum number of goroutines of a call. 0 or less means GOMAXPROCS. It does
	// not affect results. Calls with little work use one goroutine.
	Threads int

	cols     int
	rowBytes int   // distance between tokens in bytes
	offsets  []int // document i consists of tokens offsets[i] to offsets[i+1]−1
	score    func(dst []float64, query []Q, docs [][2]int)
	pool     *sync.Pool // pool of *rerankWork
}

// A rerankWork is memory that several calls reuse.
type rerankWork struct {
	found  []Neighbor
	docs   [][2]int
	scores []float64
	tasks  []int // first document of each task, and the number of documents
}

// NewReranker returns a reranker for documents whose token vectors are the rows of a matrix. The
// matrix has rows × cols elements, and row i starts at a[i·stride]. The first lengths[0] rows are
// document 0, the next lengths[1] rows are document 1, and so on. The matrix can be a memory-mapped
// file, and the lengths can be an integer array in a .npy file (see package vectorfile). The
// reranker keeps a reference to a and does not write to it.
//
// The tokens are float32, vectors.F16, vectors.BF16 or int8. Queries have the same type, or are
// float32. NewReranker returns an error for other types, if a is too short for the matrix, if a
// length is negative, or if the sum of the lengths is not rows.
func NewReranker[Q, E vectors.Element, N int | int32 | int64](a []E, rows, cols, stride int, lengths []N) (
	*Reranker[Q], error) {
	if !tokensCompare[Q, E]() {
		return nil, errs.Errorf("nearest", "MaxSim does not support %s queries with %s tokens", typeName[Q](),
			typeName[E]())
	}
	if _, err := New[E](a, rows, cols, stride, ""); err != nil { // checks the shape of the matrix
		return nil, err
	}
	if rows < 2 {
		stride = cols // a single row has no stride
	}
	if len(lengths) > math.MaxInt32 {
		return nil, errs.Errorf("nearest", "there are %d documents, but the maximum is %d", len(lengths), math.MaxInt32)
	}
	offsets, left := make([]int, 1, len(lengths)+1), rows
	for i, n := range lengths {
		if n < 0 {
			return nil, errs.Errorf("nearest", "document %d has %d tokens; the number must not be negative", i, n)
		}
		if uint64(n) > uint64(left) {
			return nil, errs.Errorf("nearest", "document %d has %d tokens, but only %d rows remain", i, n, left)
		}
		left -= int(n)
		offsets = append(offsets, rows-left)
	}
	if left > 0 {
		return nil, errs.Errorf("nearest", "%d documents have %d tokens in total, but there are %d rows", len(lengths),
			rows-left, rows)
	}
	return &Reranker[Q]{
		cols: cols, rowBytes: stride * int(unsafe.Sizeof(*new(E))), offsets: offsets,
		score: func(dst []float64, query []Q, docs [][2]int) { vectors.MaxSim(dst, query, a, cols, stride, docs) },
		pool:  &sync.Pool{New: func() any { return new(rerankWork) }},
	}, nil
}

// tokensCompare reports whether vectors.MaxSim supports the types.
func tokensCompare[Q, E vectors.Element]() bool {
	switch any(*new(E)).(type) {
	case float32, vectors.F16, vectors.BF16, int8:
		_, same := any(*new(E)).(Q)
		_, wide := any(*new(Q)).(float32)
		return same || wide
	}
	return false
}

// AppendNearest appends to dst the k documents with the greatest scores, or all documents if there
// are fewer than k. The token vectors of the query are concatenated. If ctx is canceled, it stops
// early and returns ctx.Err().
//
// It returns an error if the query length is not a positive multiple of the number of columns, if
// the query contains a NaN, or if k is less than 1. It also returns an error if a memory-mapped
// file was truncated. On error, dst is returned unchanged.
func (r *Reranker[Q]) AppendNearest(ctx context.Context, dst []Neighbor, query []Q, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := r.check(query, k); err != nil {
		return dst, err
	}
	w := r.pool.Get().(*rerankWork)
	defer r.pool.Put(w)
	w.found = slices.Grow(w.found[:0], len(r.offsets)-1)
	for i := range len(r.offsets) - 1 {
		w.found = append(w.found, Neighbor{ID: int32(i)})
	}
	return r.rank(ctx, dst, w, query, k)
}

// AppendReranked is like [Reranker.AppendNearest] but only for the documents in candidates, for
// example the result of [Index.AppendNearest]. dst may be candidates[:0]. Candidate scores are
// ignored. The candidate IDs should be distinct: the result contains a repeated ID more than once.
//
// It also returns an error if an ID is not a document.
func (r *Reranker[Q]) AppendReranked(ctx context.Context, dst []Neighbor, query []Q, candidates []Neighbor, k int) (
	found []Neighbor, err error) {
	found = dst
	defer memory.Begin().End(&err)
	if err := r.check(query, k); err != nil {
		return dst, err
	}
	for i, c := range candidates {
		if n := len(r.offsets) - 1; c.ID < 0 || int(c.ID) >= n {
			return dst, errs.Errorf("nearest", "candidate %d: ID %d is not one of the %d documents", i,
				c.ID, n)
		}
	}
	w := r.pool.Get().(*rerankWork)
	defer r.pool.Put(w)
	w.found = append(w.found[:0], candidates...)
	return r.rank(ctx, dst, w, query, k)
}

func (r *Reranker[Q]) check(query []Q, k int) error {
	if len(query) == 0 || r.cols == 0 || len(query)%r.cols != 0 {
		return errs.Errorf("nearest", "the query has %d elements; it must contain whole tokens with %d elements",
			len(query), r.cols)
	}
	if k < 1 {
		return wrongK(k)
	}
	if i := firstNaN(query); i >= 0 {
		return errs.Errorf("nearest", "the query must not contain NaN (token %d, element %d of %d)", i/r.cols, i%r.cols,
			r.cols)
	}
	return nil
}

// rank sets the scores of the documents in w.found, and appends the best k to dst.
func (r *Reranker[Q]) rank(ctx context.Context, dst []Neighbor, w *rerankWork, query []Q, k int) ([]Neighbor, error) {
	n, bytes := len(w.found), taskBytes
	w.scores = slices.Grow(w.scores[:0], n)[:n]
	w.docs, w.tasks = w.docs[:0], w.tasks[:0]
	for i, doc := range w.found {
		if bytes >= taskBytes {
			w.tasks, bytes = append(w.tasks, i), 0
		}
		from, to := r.offsets[doc.ID], r.offsets[doc.ID+1]
		w.docs = append(w.docs, [2]int{from, to})
		bytes += (to - from) * r.rowBytes
	}
	tasks := len(w.tasks)
	w.tasks = append(w.tasks, n)
	err := parallel.For(ctx, parallel.Threads(r.Threads), tasks, func(_, t int) {
		from, to := w.tasks[t], w.tasks[t+1]
		r.score(w.scores[from:to], query, w.docs[from:to])
	})
	if err != nil {
		return dst, err
	}
	for i, score := range w.scores {
		w.found[i].Score = score
	}
	return append(dst, byDot.sorted(w.found)[:min(k, n)]...), nil
}
