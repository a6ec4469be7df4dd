package vectors

import (
	"fmt"
	"math"
	"sync"

	"github.com/simdrank/simdrank/internal/kern"
)

const (
	maxSimLanes = 32      // number of query tokens in a panel
	maxSimRows  = 8       // minimum number of rows that the kernels process
	maxSimTile  = 1 << 12 // elements of the rows that are converted at a time

	// maxSimExact is the maximum length of int8 vectors whose dot products are exact in float32,
	// because all sums are at most 2²⁴.
	maxSimExact = 1 << 10
)

// MaxSim sets dst[i] to the MaxSim score of a query and document i, as in ColBERT (late
// interaction). Both are lists of token vectors with cols elements. The score is the sum over all
// query tokens of the greatest dot product with a token of the document.
//
// The token vectors of the query are concatenated in q. The token vectors of the documents are rows
// of a, and row j starts at a[j·stride]. Document i consists of rows docs[i][0] to docs[i][1]−1.
// Documents may overlap. The query and the documents have the same type (float32, F16, BF16 or
// int8), or the query is float32 and the documents are F16, BF16 or int8.
//
// Order of operations: Elements are converted to float32. A dot product starts with 0 and adds the
// products in column order, each by one fused multiply-add in float32, like successive calls of
// [kernels.AxpyF32]. If both types are int8, dot products are exact instead. The maxima are added
// in token order in float64.
//
// If a dot product is NaN, the score is NaN. A document without tokens has the score −Inf. If the
// query has no tokens, all scores are 0.
//
// MaxSim transposes the query once per call, so pass many documents to each call. Queries of 1 to
// 32 tokens take the same time, as do queries of 33 to 64 tokens, and so on.
//
// It panics if cols is less than 1, if len(q) is not a multiple of cols, or if len(dst) and
// len(docs) differ. It also panics if the stride is invalid, if a does not contain the rows of a
// document, if dst overlaps another argument, or if the types cannot be combined.
func MaxSim[Q, E Element](dst []float64, q []Q, a []E, cols, stride int, docs [][2]int) {
	checkMaxSim(dst, q, a, cols, stride, docs)
	switch q := any(q).(type) {
	case []float32:
		switch a := any(a).(type) {
		case []float32:
			maxSim(dst, q, a, cols, stride, docs)
			return
		case []F16:
			maxSim(dst, q, a, cols, stride, docs)
			return
		case []BF16:
			maxSim(dst, q, a, cols, stride, docs)
			return
		case []int8:
			maxSim(dst, q, a, cols, stride, docs)
			return
		}
	case []F16:
		if a, ok := any(a).([]F16); ok {
			maxSim(dst, q, a, cols, stride, docs)
			return
		}
	case []BF16:
		if a, ok := any(a).([]BF16); ok {
			maxSim(dst, q, a, cols, stride, docs)
			return
		}
	case []int8:
		if a, ok := any(a).([]int8); ok {
			maxSimI8(dst, q, a, cols, stride, docs)
			return
		}
	}
	panic(kern.Error(fmt.Sprintf("vectors: MaxSim: no kernel for %T queries and %T documents", *new(Q), *new(E))))
}

func checkMaxSim[Q, E any](dst []float64, q []Q, a []E, cols, stride int, docs [][2]int) {
	const kernel = "vectors: MaxSim"
	switch {
	case cols < 1:
		panic(kern.Value(kernel+": cols is %v; it must be at least 1", float64(cols)))
	case len(q)%cols != 0:
		panic(kern.Lengths(kernel+": len(q) is %d; it must be a multiple of cols, %d", len(q), cols))
	case len(dst) != len(docs):
		panic(kern.Lengths(kernel+": len(dst) and len(docs) differ: %d and %d", len(dst), len(docs)))
	case kern.Overlaps(dst, q):
		panic(kern.Error(kernel + ": dst overlaps q"))
	case kern.Overlaps(dst, docs):
		panic(kern.Error(kernel + ": dst overlaps docs"))
	}
	kern.CheckMatrix(kernel, dst, a, 0, cols, stride)
	rows := rowsIn(len(a), cols, stride)
	for i, d := range docs {
		if d[0] < 0 || d[0] > d[1] || d[1] > rows {
			panic(kern.Error(fmt.Sprintf("%s: document %d is %v; it must be a range of the %d rows of a", kernel, i, d, rows)))
		}
	}
}

// A maxSimWork is the memory of one call.
type maxSimWork struct {
	// Query tokens are transposed to panels of 32 tokens. Element k of token i is element 32·k +
	// i%32 of panel i/32.
	panels []float32
	maxima []float32 // the greatest dot product of each query token
	tile   []float32 // rows that are converted to float32
}

var maxSimPool = sync.Pool{New: func() any { return new(maxSimWork) }}

type maxSimElement interface{ float32 | F16 | BF16 | int8 }

func maxSim[Q, E maxSimElement](dst []float64, q []Q, a []E, cols, stride int, docs [][2]int) {
	kern.RaceRead(q)
	kern.RaceWrite(dst)
	if len(q) == 0 { // cols may be huge
		clear(dst)
		return
	}
	w := maxSimPool.Get().(*maxSimWork)
	defer maxSimPool.Put(w) // even if a memory-mapped file causes a fault
	queries := len(q) / cols
	w.tile = grown(w.tile, max(maxSimTile, maxSimRows*cols))
	w.panels = grown(w.panels, (queries+maxSimLanes-1)/maxSimLanes*maxSimLanes*cols)
	w.maxima = grown(w.maxima, len(w.panels)/cols)
	clear(w.panels[queries/maxSimLanes*maxSimLanes*cols:])
	for i := range queries {
		widenTo(w.tile[:cols], q[i*cols:][:cols])
		panel := w.panels[i/maxSimLanes*maxSimLanes*cols+i%maxSimLanes:]
		for k, v := range w.tile[:cols] {
			panel[k*maxSimLanes] = v
		}
	}
	for i, doc := range docs {
		for k := range w.maxima {
			w.maxima[k] = float32(math.Inf(-1))
		}
		if doc[0] < doc[1] {
			kern.RaceReadRows(a[doc[0]*stride:], doc[1]-doc[0], cols, stride)
			maxSimDocument(w, a, doc[0], doc[1], cols, stride)
		}
		var sum float64
		for _, v := range w.maxima[:queries] {
			sum += float64(v)
		}
		if sum != sum {
			sum = math.NaN() // the same bits on every architecture
		}
		dst[i] = sum
	}
}

// maxSimDocument raises the maxima to the dot products with rows from … to−1.
func maxSimDocument[E maxSimElement](w *maxSimWork, a []E, from, to, cols, stride int) {
	direct, ok := any(a).([]float32)
	ok = ok && to-from >= maxSimRows
	n := len(w.tile)
	if ok {
		n = kern.BlockLen // the scheduler cannot preempt a kernel
	}
	n = max(n/cols, maxSimRows)
	for j := from; j < to; j += n {
		// The kernels require several rows. The last ones may have been processed before.
		j := max(from, min(j, to-maxSimRows))
		rows, tile, tileStride := min(n, to-j), w.tile, cols
		if ok {
			tile, tileStride = direct[j*stride:], stride
		} else {
			if stride == cols {
				widenTo(tile[:rows*cols], a[j*cols:][:rows*cols])
			} else {
				for k := range rows {
					widenTo(tile[k*cols:][:cols], a[(j+k)*stride:][:cols])
				}
			}
			for ; rows < maxSimRows; rows++ {
				copy(tile[rows*cols:][:cols], tile[(rows-1)*cols:])
			}
		}
		for p := 0; p < len(w.maxima); p += maxSimLanes {
			maxSimF32((*[maxSimLanes]float32)(w.maxima[p:]), w.panels[p*cols:][:maxSimLanes*cols], tile, rows, cols,
				tileStride)
		}
	}
}

// grown returns a slice of length n, which has the memory of s if it is sufficient. It does not
// keep the elements.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
