//go:build !purego && (amd64 || arm64)

package order

import "slices"

// quickSortKeys implements sortKeys with vector kernels. It is a quicksort with leaves that are
// sorted in registers. If partitions are uneven more than depth times, it calls the standard
// library's sort, which takes O(n log n) time on any input. It sorts src into keys. src is keys or
// tmp, because the larger part of a partition is not moved back.
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
