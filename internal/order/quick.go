//go:build !purego && (amd64 || arm64)

package order

import "slices"

// quickSortKeys is sortKeys by vector kernels: a quicksort down to leaves that are sorted in
// registers. When splits are uneven more than depth times it leaves the rest to the standard
// library's sort, which is O(n log n) on any input. What is sorted into keys is src, which is keys
// or tmp: the greater part of a split stays where it is split to.
func quickSortKeys(keys, tmp, src []int64, leaf, depth int) {
	for len(keys) > leaf {
		if depth == 0 {
			copy(keys, src)
			slices.Sort(keys)
			return
		}
		depth--
		n := partitionI64Long(keys, tmp, src, pivot(src))
		high := len(keys) - n
		quickSortKeys(keys[:n], tmp[high:], keys[:n], leaf, depth)
		keys, tmp = keys[n:], tmp[:high]
		src = tmp
	}
	if len(keys) <= LeafLen {
		sortI64(keys, src)
		return
	}
	sortI64(keys[:LeafLen], src[:LeafLen])
	sortI64(keys[LeafLen:], src[LeafLen:])
	mergeKeys(keys)
}
