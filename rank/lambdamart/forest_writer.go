package lambdamart

import (
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
)

// A forestWriter converts trees to operations on rows.
type forestWriter struct {
	*forest
	lanes  [forestLanes]lane
	lane   *lane  // lane of the current tree
	used   int    // number of lanes that have trees
	planes uint32 // number of planes of the group
	most   uint32 // maximum number of planes of a group
	next   uint32 // first row that was never used

	tree   *Tree
	testOf []uint32 // rows of the tests of the tree's splits
	sizes  []int32  // number of leaves below each split
	codes  []uint16 // code of each leaf
	ranges []codes
}

// A lane contains the operations of a tree, and the rows that they may write.
type lane struct {
	ops, free []uint32
}

// codes is a range of leaf numbers. Its size is a power of 2, and first is a multiple of it.
type codes struct{ first, size uint16 }

// A treePlanes contains the row of each plane of a subtree, by bit.
type treePlanes [trees.ForestMaxPlanes]uint32

// add appends the operations and leaves of tree i. testOf starts with the rows of the tests of its
// splits.
func (w *forestWriter) add(i int, testOf []uint32) {
	t, n := &w.trees[i], uint32(w.bits[i])
	if n == 0 {
		w.endGroup()
		w.groups = append(w.groups, group{i + 1, len(w.ops)})
		return
	}
	if w.planes+n > forestPlanes {
		w.endGroup()
	}
	if w.planes == 0 {
		w.groups = append(w.groups, group{})
	}
	if w.used == forestLanes {
		w.takeTurns()
	}
	w.groups[len(w.groups)-1].trees = i + 1
	w.lane = &w.lanes[w.used]
	w.used++
	w.tree, w.testOf = t, testOf
	w.codes = slices.Grow(w.codes[:0], len(t.Leaf))[:len(t.Leaf)]
	w.sizes = slices.Grow(w.sizes[:0], len(t.Feature))[:len(t.Feature)]
	first := firstPlane + w.planes
	if len(t.Feature) == 0 {
		w.codes[0] = 0
		for b := range n {
			w.op(first+b, noDocuments, noDocuments, noDocuments)
		}
	} else {
		w.measure(0)
		w.ranges = w.ranges[:0]
		w.number(0, append(w.space(1), codes{0, 1 << n}))
		test, yes, no := w.testOf[0], w.subtree(t.Left[0]), w.subtree(t.Right[0])
		for b := range n {
			w.op(first+b, test, yes[b], no[b])
			w.release(yes[b])
			w.release(no[b])
		}
	}
	w.planes += n
	w.most = max(w.most, w.planes)
	leaves := len(w.leaves)
	w.leaves = append(w.leaves, make([]float64, 1<<n)...)
	for l, c := range w.codes {
		w.leaves[leaves+int(c)] = t.Leaf[l]
	}
}

func (w *forestWriter) endGroup() {
	w.takeTurns()
	if w.planes > 0 {
		w.groups[len(w.groups)-1].ops = len(w.ops)
		w.planes = 0
	}
}

// takeTurns appends the operations of the trees in the lanes, interleaved.
func (w *forestWriter) takeTurns() {
	for at, more := 0, true; more; at += 4 {
		more = false
		for l := range w.lanes[:w.used] {
			if ops := w.lanes[l].ops; at < len(ops) {
				w.ops = append(w.ops, ops[at:at+4]...)
				more = true
			}
		}
	}
	for l := range w.lanes {
		w.lanes[l].ops = w.lanes[l].ops[:0]
	}
	w.used = 0
}

// measure counts the leaves below a split and below all splits in its subtree.
func (w *forestWriter) measure(split int32) {
	n := int32(0)
	for _, c := range []int32{w.tree.Left[split], w.tree.Right[split]} {
		if c >= 0 {
			w.measure(c)
		}
		n += w.size(c)
	}
	w.sizes[split] = n
}

// size returns the number of leaves of a node.
func (w *forestWriter) size(node int32) int32 {
	if node < 0 {
		return 1
	}
	return w.sizes[node]
}

// number assigns codes from the ranges to the leaves of a node. The ranges must be large enough.
// Each child receives as few ranges as possible, because planes that are constant in a subtree need
// no operations.
func (w *forestWriter) number(node int32, ranges []codes) {
	if node < 0 {
		w.codes[^node] = ranges[0].first
		return
	}
	passes, fails := w.tree.Left[node], w.tree.Right[node]
	large, small := passes, fails
	if w.size(large) < w.size(small) {
		large, small = small, large
	}
	spare := -w.size(small)
	for _, r := range ranges {
		spare += int32(r.size)
	}
	rest := append(w.space(len(ranges)+trees.ForestMaxPlanes), ranges...)
	got := w.space(trees.ForestMaxPlanes)
	for need := w.size(large); need > 0; {
		size := int32(1) << bits.Len32(uint32(need-1)) // the smallest sufficient size, or otherwise the largest
		if size > spare || !split(&rest, &got, size) {
			for size = 1 << (bits.Len32(uint32(need)) - 1); !split(&rest, &got, size); size /= 2 {
			}
		}
		spare -= size
		need -= size
	}
	if len(got) == 1 && len(rest) == 1 && got[0].size == rest[0].size {
		// The plane that distinguishes the two ranges equals the test if documents that pass have
		// the bit set.
		if (got[0].first > rest[0].first) != (large == passes) {
			got, rest = rest, got
		}
	}
	w.number(large, got)
	w.number(small, rest)
}

// space returns an empty list with a capacity of n ranges.
func (w *forestWriter) space(n int) []codes {
	if len(w.ranges)+n > cap(w.ranges) {
		w.ranges = make([]codes, 0, 1<<12)
	}
	at := len(w.ranges)
	w.ranges = w.ranges[:at+n]
	return w.ranges[at : at : at+n]
}

// split moves a range of the given size from the smallest sufficient range of from to the end of
// to. It reports whether from has a sufficient range.
func split(from, to *[]codes, size int32) bool {
	best := -1
	for i, r := range *from {
		if int32(r.size) >= size && (best < 0 || r.size < (*from)[best].size) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	r := (*from)[best]
	*from = slices.Delete(*from, best, best+1)
	for int32(r.size) > size {
		r.size /= 2
		*from = append(*from, codes{r.first + r.size, r.size})
	}
	*to = append(*to, r)
	return true
}

// subtree appends the operations that compute the planes of a node.
func (w *forestWriter) subtree(node int32) (planes treePlanes) {
	if node < 0 {
		for b := range planes {
			planes[b] = uint32(w.codes[^node] >> b & 1) // noDocuments or allDocuments
		}
		return planes
	}
	test, yes, no := w.testOf[node], w.subtree(w.tree.Left[node]), w.subtree(w.tree.Right[node])
	for b := range planes {
		switch {
		case yes[b] == no[b]:
			planes[b] = yes[b]
		case yes[b] == allDocuments && no[b] == noDocuments:
			planes[b] = test
		default:
			w.release(yes[b])
			w.release(no[b])
			planes[b] = w.take() // may be one of the operands
			w.op(planes[b], test, yes[b], no[b])
		}
	}
	return planes
}

// take returns a row that the operations of the tree may write.
func (w *forestWriter) take() uint32 {
	if n := len(w.lane.free); n > 0 {
		row := w.lane.free[n-1]
		w.lane.free = w.lane.free[:n-1]
		return row
	}
	w.next++
	return w.next - 1
}

// release returns a row to the free rows if take returned it.
func (w *forestWriter) release(row uint32) {
	if row >= w.temporary {
		w.lane.free = append(w.lane.free, row)
	}
}

func (w *forestWriter) op(to, test, yes, no uint32) {
	w.lane.ops = append(w.lane.ops, to, test, yes, no)
}
