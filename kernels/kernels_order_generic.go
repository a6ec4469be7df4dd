package kernels

import "cmp"

// mergeRun is the length up to which insertion beats merging.
const mergeRun = 12

// mergeCountGeneric sorts a stably and returns the number of inversions: pairs
// i < j with a[i] > a[j]. tmp is scratch of the same length.
//
// It is the top-down merge sort of Knight (1966): each element taken from the
// right half jumps over all that are left of the left half.
func mergeCountGeneric[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return insertionCount(a)
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

// insertionCount sorts a by insertion and returns the number of inversions.
func insertionCount[T cmp.Ordered](a []T) int64 {
	var inv int64
	for i := 1; i < len(a); i++ {
		v, j := a[i], i
		for j > 0 && v < a[j-1] {
			a[j] = a[j-1]
			j--
		}
		a[j] = v
		inv += int64(i - j)
	}
	return inv
}
