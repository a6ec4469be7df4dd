package order

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
)

// count counts the inversions and the ties of a. All keys are in [lo, hi]. free has the same length
// as a, and both are overwritten.
func (t *tauTask) count(a, free []int32, lo, hi int32, depth int) {
	for len(a) > t.leaf {
		if lo == hi {
			t.passed(len(a))
			t.tiesY.addRun(int64(len(a)))
			if t.listY {
				t.tiedY = append(t.tiedY, lo)
			}
			return
		}
		if depth == 0 {
			t.passed(len(a))
			t.discordant += mergeCount(a, free)
			t.addRunsY(a)
			return
		}
		if len(a) > 1<<10 && t.countMonotone(a) {
			return
		}
		depth--
		p := max(pivot(a), lo+1)
		n, positions := PartitionCountI32(a, free, a, p)
		t.discordant += positions - int64(n)*int64(n-1)/2
		m := len(a) - n
		t.count(a[:n], free[m:], lo, p-1, depth)
		a, free, lo = free[:m], a[n:], p
	}
	t.passed(len(a))
	if t.leaf == insertionLen {
		t.discordant += insertionCount(a)
		t.addRunsY(a)
		return
	}
	inversions, equal := InversionsI32(a)
	t.discordant += inversions
	if equal == 0 {
		t.tiesY.Distinct += int64(len(a))
		return
	}
	t.addTiedLeaf(a)
}

var zeros [LeafLen]int32 // must not be written

// addTiedLeaf sorts a leaf and adds its runs.
func (t *tauTask) addTiedLeaf(a []int32) {
	keys := t.stage[:1+len(a)] // no keys wait in the stage any more
	PackKeys(keys[1:], zeros[:len(a)], a)
	SortI64(keys[1:], keys[1:])
	keys[0] = keys[1] ^ math.MinInt64 // differs from the first key
	clear(t.newKey[:8])
	SplitKeys(a, t.newX[:], t.newKey[:], keys)
	starts := binary.LittleEndian.Uint64(t.newKey[:])
	t.tiesY.addRun(addStarts(&t.tiesY, 0, starts, len(a)))
	if !t.listY {
		return
	}
	for tied := ^starts << (64 - len(a)) >> (64 - len(a)); tied != 0; tied &= tied & (tied + tied&-tied) {
		t.tiedY = append(t.tiedY, a[bits.TrailingZeros64(tied)])
	}
}

// countMonotone counts a if its keys strictly ascend or descend, and returns false otherwise. a
// must contain at least two keys.
func (t *tauTask) countMonotone(a []int32) bool {
	down := a[0] > a[1]
	if !monotone(a, len(a), down) {
		return false
	}
	n := int64(len(a))
	t.passed(len(a))
	if down {
		t.discordant += n * (n - 1) / 2
	}
	t.tiesY.Distinct += n
	return true
}

// addRunsY adds the runs of sorted keys.
func (t *tauTask) addRunsY(sorted []int32) {
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || sorted[i] != sorted[start] {
			t.tiesY.addRun(int64(i - start))
			if t.listY && i-start > 1 {
				t.tiedY = append(t.tiedY, sorted[start])
			}
			start = i
		}
	}
}

// mergeCount is the top-down merge sort of Knight (1966). An element that is taken from the right
// half is inverted with each element that remains in the left half.
func mergeCount[T cmp.Ordered](a, tmp []T) int64 {
	if len(a) <= mergeRun {
		return insertionCount(a)
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
