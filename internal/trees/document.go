package trees

import (
	"math"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// Single documents are scored without branches to predict, many trees at a time, in one of two
// forms.
//
// By ranks, for processors that look up bytes in registers: the rank of a value is the number of
// thresholds that it exceeds, of those that any split compares its feature with. There are at most
// 255, so a byte decides all splits of the feature. A document has a table of ranks, and a split is
// a look-up of a byte and a comparison with another, for 64 trees at once ([DocumentRanksF32],
// [DocumentLeavesU8], [DocumentSumF64]). All splits of a tree are looked at.
//
// By cells, for all others: the document walks through several trees in turns, one level at a time
// ([DocumentWalkF64]).

const (
	DocumentRows  = 256 // rows of a table of ranks
	DocumentLanes = 16  // rows of a group, which are made at once
	DocumentSlab  = 64  // trees of a slab, which are looked at at once
	DocumentTrees = 256 // trees of four slabs, which are summed at once
	DocumentBlock = 4   // documents that are summed at once
)

// DocumentByRanks reports whether the running tier scores documents faster by ranks than by cells.
func DocumentByRanks() bool { return cpu.UseVBMI }

// DocumentMost returns the number of documents up to which the running tier scores them one by one
// in less time than as a block of [ForestRows].
func DocumentMost() int {
	switch {
	case cpu.UseAVX512:
		return 12
	case cpu.UseAVX2, cpu.UseNEON:
		return 6
	}
	return math.MaxInt
}

// The elements of a step.
const (
	DocumentRow   = 0                // rows of the table of ranks
	DocumentLimit = 1 * DocumentSlab // the greatest ranks that go left
	DocumentFirst = 2 * DocumentSlab // the first leaf below the split, or DocumentNone
	DocumentRight = 3 * DocumentSlab // the first leaf below its right child
	DocumentStep  = 4 * DocumentSlab // length of a step
	DocumentNone  = math.MaxUint8    // first leaf of what is no split
	documentMost  = math.MaxUint8    // most thresholds of a row
)

// DocumentRanksF32 makes the table of ranks of a document x. Row r is about the feature
// features[r], which is 0 where x lacks it. Its threshold j, of n, follows the thresholds of the
// groups before it by 16·j + r%16 elements:
//
//	ranks[r] = number of the thresholds t with x[features[r]] > t
//
// Two elements of groups for each 16 rows are the number n, at most 255, and flags: where bit r%16
// is set, 0 is missing, as NaN is; the rank of missing values is n, or 0 where bit 16+r%16 is set.
// values is scratch.
func DocumentRanksF32(ranks *[DocumentRows]uint8, values *[DocumentRows]float32, x []float32,
	features, groups []uint32, thresholds []float32) {
	if len(features) > DocumentRows {
		panic(kern.Lengths("DocumentRanksF32: length of features, and its limit", len(features), DocumentRows))
	}
	if len(groups)%2 != 0 || len(features) != DocumentLanes/2*len(groups) {
		panic(kern.Lengths("DocumentRanksF32: length of features, and of 16 for each two elements of groups",
			len(features), len(groups)))
	}
	sum := 0
	for g := 0; g < len(groups); g += 2 {
		if groups[g] > documentMost {
			panic(kern.Lengths("DocumentRanksF32: thresholds of a row, and their limit", int(groups[g]), documentMost))
		}
		sum += DocumentLanes * int(groups[g])
	}
	if len(thresholds) != sum {
		panic(kern.Lengths("DocumentRanksF32: length of thresholds, and those of groups", len(thresholds), sum))
	}
	if len(groups) == 0 {
		return
	}
	documentRanksF32(ranks, values, x, features, groups, thresholds)
}

// DocumentLeavesU8 sets leaves[t] to the leaf that the document of a table of ranks reaches in tree
// t, for slabs of 64 trees, of which slab s has slabs[s] steps. A tree has up to 255 leaves,
// numbered from left to right. A document stands at leaf 0 at first. Each step is a split of each
// tree of the slab, in preorder, or none:
//
//	leaf = right    where leaf = first and ranks[row] > limit
//
// so splits that are not on the way of the document do not move it: it does not stand at the first
// leaf below them.
func DocumentLeavesU8(leaves []uint8, ranks *[DocumentRows]uint8, steps []uint8, slabs []uint32) {
	if len(leaves) != DocumentSlab*len(slabs) {
		panic(kern.Lengths("DocumentLeavesU8: length of leaves, and trees of slabs", len(leaves),
			DocumentSlab*len(slabs)))
	}
	sum := 0
	for _, n := range slabs {
		sum += DocumentStep * int(n)
	}
	if len(steps) != sum {
		panic(kern.Lengths("DocumentLeavesU8: length of steps, and those of slabs", len(steps), sum))
	}
	if len(slabs) == 0 {
		return
	}
	documentLeavesU8(leaves, ranks, steps, slabs)
}

// DocumentSumF64 adds the values of the leaves that documents reach in the first trees, so many of
// them, to their scores, tree by tree:
//
//	scores[d] += values[w·t + leaves[d][t]]    with values and t from the beginning of its slab
//
// where w is the element of widths of the slab of 64 trees, which has 64·w values. It needs no
// assembly: it waits for one sum after the other.
func DocumentSumF64(scores []float64, leaves *[DocumentBlock][DocumentTrees]uint8, widths []uint32, values []float64,
	trees int) {
	if len(scores) > DocumentBlock {
		panic(kern.Lengths("DocumentSumF64: length of scores, and its limit", len(scores), DocumentBlock))
	}
	if trees < 0 || trees > min(DocumentTrees, DocumentSlab*len(widths)) {
		panic(kern.Lengths("DocumentSumF64: trees, and those of widths", trees, DocumentSlab*len(widths)))
	}
	for t := 0; t < trees; t += DocumentSlab {
		w := int(widths[t/DocumentSlab])
		slab := values[:DocumentSlab*w]
		values = values[DocumentSlab*w:]
		n := min(DocumentSlab, trees-t)
		if len(scores) == DocumentBlock {
			sum := (*[DocumentBlock]float64)(scores)
			a, b, c, d := leaves[0][t:t+n], leaves[1][t:t+n], leaves[2][t:t+n], leaves[3][t:t+n]
			s0, s1, s2, s3 := sum[0], sum[1], sum[2], sum[3]
			for i, leaf := range a {
				s0 += slab[leaf]
				s1 += slab[b[i]]
				s2 += slab[c[i]]
				s3 += slab[d[i]]
				slab = slab[w:]
			}
			sum[0], sum[1], sum[2], sum[3] = s0, s1, s2, s3
			continue
		}
		for d, s := range scores {
			slab := slab
			for _, leaf := range leaves[d][t : t+n] {
				s += slab[leaf]
				slab = slab[w:]
			}
			scores[d] = s
		}
	}
}

// DocumentMissing is the key of missing values that go right; that of those that go left is 0.
const DocumentMissing = math.MaxUint32

// DocumentKey returns the key of a value that is not missing, which is in the order of the values.
// −0 has that of +0.
func DocumentKey(v float32) uint32 { return uint32(kern.FloatKey(v)) ^ 1<<31 }

// DocumentKeysF32 sets the keys of features of a document x, which are 0 where x lacks them, for
// splits that send missing values right:
//
//	keys[i] = DocumentKey(x[features[i]]), or DocumentMissing for NaN
func DocumentKeysF32(keys []uint32, x []float32, features []uint32) {
	if len(keys) != len(features) {
		panic(kern.Lengths("DocumentKeysF32: len(keys) and len(features) differ", len(keys), len(features)))
	}
	keys = keys[:len(features)]
	for i, f := range features {
		key := uint32(1 << 31)
		if uint64(f) < uint64(len(x)) {
			v := x[f]
			if key = DocumentKey(v); v != v {
				key = DocumentMissing
			}
		}
		keys[i] = key
	}
}

// DocumentLeaf is the cell of a leaf, which no key leaves; see [DocumentWalkF64].
const DocumentLeaf = math.MaxUint32

// DocumentCell returns the cell of a split: keys[row] ≤ limit go left, to the cell next cells
// further, and others to the cell behind that.
func DocumentCell(next, row uint16, limit uint32) uint64 {
	return uint64(next)<<48 | uint64(row)<<32 | uint64(limit)
}

// DocumentWalkF64 returns the score plus the values of the leaves that a document reaches, added
// tree by tree. Two elements of trees for each tree are the index of the cell of its root and the
// number of its levels below the root. Cells are those of [DocumentCell]; behind a leaf, two cells
// further, stand the bits of its value. Documents that have reached their leaf stay there up to the
// last level, and so there is no branch that depends on the document. The indices are not checked.
func DocumentWalkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	if len(trees)%2 != 0 {
		panic(kern.Lengths("DocumentWalkF64: length of trees, and its multiple of two", len(trees), len(trees)&^1))
	}
	return documentWalkF64(score, keys, cells, trees)
}
