package kernels

import (
	"cmp"

	"github.com/simdrank/simdrank/internal/kern"
	"github.com/simdrank/simdrank/internal/order"
)

// MergeCount sorts a in ascending order and returns the number of inversions it
// had: pairs i < j with a[i] > a[j] (Knight 1966). It is stable, O(n log n) on any
// input and exact: 2³¹ elements have fewer than 2⁶¹ pairs. tmp is scratch of at
// least the same length and must not overlap a. a must hold no NaN.
func MergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(tmp) < len(a) {
		panic(kern.Lengths("MergeCount: lengths of tmp and a", len(tmp), len(a)))
	}
	return mergeCountGeneric(a, tmp[:len(a)])
}

// mergeRun is the length up to which insertion beats merging.
const mergeRun = 12

// mergeCountGeneric is the top-down merge sort of Knight (1966): each element
// taken from the right half jumps over all that are left of the left half.
func mergeCountGeneric[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return order.InsertionCount(a)
	}
	m := len(a) / 2
	inv := mergeCountGeneric(a[:m], tmp[:m]) + mergeCountGeneric(a[m:], tmp[m:])
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
