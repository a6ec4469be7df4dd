package kernels

import (
	"cmp"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
	"github.com/simdrank/simdrank/internal/parallel"
)

// MergeCount sorts a in ascending order and returns the number of inversions it
// had: pairs i < j with a[i] > a[j] (Knight 1966). It is stable, takes O(n log n) operations on any
// input and is exact: 2³¹ elements have fewer than 2⁶¹ pairs. tmp is scratch of at
// least the same length. a must hold no NaN: the order and the number would be unspecified.
//
// It panics when tmp is shorter than a, and when the two overlap.
func MergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(tmp) < len(a) {
		panic(kern.Lengths("MergeCount: len(tmp) is less than len(a)", len(tmp), len(a)))
	}
	tmp = tmp[:len(a)]
	if kern.Overlaps(a, tmp) {
		panic(kern.OverlapError("MergeCount: tmp overlaps a"))
	}
	return mergeCount(a, tmp)
}

// mergeCount is the top-down merge sort of Knight (1966): each element
// taken from the right half jumps over all that are left of the left half.
func mergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return order.InsertionCount(a)
	}
	m := len(a) / 2
	inv := mergeCount(a[:m], tmp[:m]) + mergeCount(a[m:], tmp[m:])
	if a[m-1] <= a[m] {
		return inv
	}
	left := tmp[:m]
	copy(left, a[:m])
	i, j, k := 0, m, 0
	for i < m && j < len(a) {
		if a[j] < left[i] {
			a[k] = a[j]
			j++
			inv += int64(m - i)
		} else {
			a[k] = left[i]
			i++
		}
		k++
	}
	copy(a[k:], left[i:])
	return inv
}

// ArgsortWork is the workspace of [ArgsortF64], 16 bytes per value. The zero value is ready for
// use; it grows to the longest slice that it meets, after which sorting allocates nothing. It is
// not safe for concurrent use.
type ArgsortWork struct {
	keys, tmp []int64
}

// ArgsortF64 sets dst to the indices of x in ascending order of their values: dst[r] is the index
// of the value that has rank r. Equal values stand in ascending order of their indices. −0 equals
// +0; NaNs come last and equal each other. It takes O(n log n) operations on any input.
//
// It panics when the lengths differ, when x has more than 2³¹−1 elements, and when work is nil.
func ArgsortF64(dst []int32, x []float64, work *ArgsortWork) {
	switch {
	case len(dst) != len(x):
		panic(kern.Lengths("ArgsortF64: len(dst) and len(x) differ", len(dst), len(x)))
	case len(x) > math.MaxInt32:
		panic(kern.Lengths("ArgsortF64: len(x) is more than an index can be", len(x), math.MaxInt32))
	case work == nil:
		panic(kern.NilError("ArgsortF64: work"))
	}
	for r, k := range work.sort(x, nil) {
		dst[r] = int32(order.KeyIndex(k))
	}
}

// sort returns keys in the order of the values, whose order.KeyIndex are their indices, with the
// help of a team, nil for none.
func (w *ArgsortWork) sort(x []float64, team *parallel.Team) []int64 {
	w.keys, w.tmp = grow(w.keys, len(x)), grow(w.tmp, len(x))
	keys := w.keys
	if len(x) == 0 {
		return keys
	}
	least, most := ascendingKey(x[0]), ascendingKey(x[0])
	for _, v := range x {
		k := ascendingKey(v)
		least, most = min(least, k), max(most, k)
	}
	// The 32 leading bits in which the values differ, above the index.
	shift := 0
	for (most-least)>>shift >= 1<<32 {
		shift++
	}
	for i, v := range x {
		keys[i] = (int64((ascendingKey(v)-least)>>shift)-1<<31)<<32 | int64(i)
	}
	sortShared(keys, w.tmp, team)
	if shift == 0 {
		return keys
	}
	// Values that agree in those bits stand next to each other.
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && order.KeyTied(keys[to], keys[from]) {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(a, b int64) int {
				if c := cmp.Compare(ascendingKey(x[order.KeyIndex(a)]), ascendingKey(x[order.KeyIndex(b)])); c != 0 {
					return c
				}
				return cmp.Compare(a, b)
			})
		}
		from = to
	}
	return keys
}

// sortShared sorts keys that differ, with scratch of the same length.
func sortShared(keys, tmp []int64, team *parallel.Team) {
	if team == nil || slices.IsSorted(keys) {
		order.SortKeys(keys, tmp)
		return
	}
	n := order.PartitionI64(keys, tmp, keys, order.Pivot(keys))
	m := len(keys) - n
	team.Run(2, func(task int) {
		if task == 0 {
			order.SortKeys(keys[:n], tmp[m:])
			return
		}
		order.SortKeys(tmp[:m], keys[n:])
		copy(keys[n:], tmp[:m])
	})
}

// ascendingKey maps floats to integers in the same order. Both zeros have one key, and so have all
// NaNs, whose bits Go leaves to the hardware: the greatest.
func ascendingKey(v float64) uint64 {
	if v != v {
		return math.MaxUint64
	}
	b := math.Float64bits(v + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
