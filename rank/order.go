package rank

import (
	"cmp"
	"math"

	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/kernels"
)

// An OrderWorkspace is the memory of [Order] and [TopK]. The zero value is ready for use, by one
// goroutine at a time. Calls that are handed the same one, and a dst with room, allocate nothing
// once it has seen the largest number of scores.
type OrderWorkspace struct {
	keys, tmp []int64
	single    []float32
}

// Order appends to dst the indices of the scores in the order of a ranking: by descending score,
// equal scores by ascending index. −0 equals +0, and NaNs come last. w may be nil. Order panics
// for more than 2³¹−1 scores.
func Order[T kernels.Real](w *OrderWorkspace, dst []int, scores []T) []int {
	return TopK(w, dst, scores, len(scores))
}

// TopK appends the first k indices of [Order] to dst, or all where there are fewer scores. It
// panics for a negative k.
func TopK[T kernels.Real](w *OrderWorkspace, dst []int, scores []T, k int) []int {
	n := len(scores)
	if n > math.MaxInt32 {
		panic("rank: more than 2³¹−1 scores to order")
	}
	if k < 0 {
		panic("rank: TopK of a negative number of scores")
	}
	if w == nil {
		w = new(OrderWorkspace)
	}
	if k = min(k, n); k == 0 {
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

// sort returns the sorted keys of the k best scores and of those that are tied with the last.
func (w *OrderWorkspace) sort(scores []float32, k int) []int64 {
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
