package kernels

import (
	"cmp"
	"math"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
)

// AppendOrder appends to dst the indices of scores, sorted by descending score. Ties are sorted by
// ascending index. −0 equals +0, and NaNs come last. The appended part of dst may overlap scores.
//
// It panics if there are more than 2³¹−1 scores.
func AppendOrder[T Real](dst []int, scores []T, work *Work) []int {
	checkScores("kernels: AppendOrder", len(scores))
	return appendBest(dst, scores, len(scores), work.given())
}

// AppendTopK is like [AppendOrder] but appends only the first k indices, or all of them if there
// are fewer than k scores.
//
// It panics under the same conditions as AppendOrder, or if k is negative.
func AppendTopK[T Real](dst []int, scores []T, k int, work *Work) []int {
	checkScores("kernels: AppendTopK", len(scores))
	if k < 0 {
		panic(kern.Value("kernels: AppendTopK: k is %v; it must not be negative", float64(k)))
	}
	return appendBest(dst, scores, min(k, len(scores)), work.given())
}

func checkScores(name string, n int) {
	if n > math.MaxInt32 {
		panic(kern.Lengths(name+": len(scores) is %d; the limit is %d", n, math.MaxInt32))
	}
}

// appendBest appends the indices of the k highest scores to dst, best first.
func appendBest[T Real](dst []int, scores []T, k int, w *Work) []int {
	if k == 0 {
		return dst
	}
	single, ok := any(scores).([]float32)
	if !ok {
		w.single = w.single[:0]
		for _, v := range scores {
			w.single = append(w.single, float32(v))
		}
		single = w.single
	}
	keys := w.sort(single, k)
	if !ok {
		order.SortTied(keys, func(a, b int64) int {
			i, j := order.KeyIndex(a), order.KeyIndex(b)
			return cmp.Or(cmp.Compare(scores[j], scores[i]), cmp.Compare(i, j))
		})
	}
	for _, key := range keys[:k] {
		dst = append(dst, order.KeyIndex(key))
	}
	return dst
}

// sort returns at least the sort keys of the k highest scores, best first. The keys of all scores
// equal to the k-th highest are included. Keys of lower scores may follow.
func (w *Work) sort(scores []float32, k int) []int64 {
	n := len(scores)
	if space := max(n, order.TopKSpace(n)); len(w.keys) < space {
		w.keys, w.tmp = make([]int64, space), make([]int64, space)
	}
	if order.TopKPays(n, k) {
		if n, _, ok := order.TopKF32(w.keys, w.tmp, scores, k); ok {
			return w.keys[:n]
		}
	}
	keys := w.keys[:n]
	order.RankKeysF32(keys, scores)
	order.SortKeys(keys, w.tmp[:n])
	return keys
}
