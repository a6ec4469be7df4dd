package kernels

import (
	"cmp"
	"fmt"
)

// MergeCount sorts a in ascending order and returns the number of inversions it
// had: pairs i < j with a[i] > a[j] (Knight 1966). It is stable, O(n log n) on any
// input and exact: 2³¹ elements have fewer than 2⁶¹ pairs. tmp is scratch of at
// least the same length and must not overlap a. a must hold no NaN.
func MergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(tmp) < len(a) {
		panic(fmt.Sprintf("kernels: MergeCount: scratch of %d elements for %d", len(tmp), len(a)))
	}
	return mergeCountGeneric(a, tmp[:len(a)])
}
