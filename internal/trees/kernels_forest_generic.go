package trees

import (
	"math/bits"

	"github.com/simdrank/simdrank/internal/kern"
)

func forestKeysF32Generic(dst []int32, x []float32, rows, cols, stride int) (nan bool) {
	for i := range rows {
		at := dst[i:]
		for j, v := range x[i*stride : i*stride+cols] {
			key := int32(ForestKeyMissing)
			if v == v {
				key = kern.FloatKey(v)
			} else {
				nan = true
			}
			at[j*ForestRows] = key
		}
	}
	if rows < ForestRows {
		for j := range cols {
			clear(dst[j*ForestRows+rows : (j+1)*ForestRows])
		}
	}
	return nan
}

func forestAddF64Generic(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	sum := (*[ForestRows]float64)(scores)
	var set [ForestRows]uint32
	var pending uint32 // documents that no word of the tree has placed
	for w, word := range words {
		if word&ForestFirst != 0 {
			pending = 1<<ForestRows - 1
		}
		n := 3 * (word &^ ForestFirst)
		forestSplitsGeneric(&set, keys, nodes[:n])
		nodes = nodes[n:]
		pending = forestPlace(sum, &set, (*[forestWord]float64)(leaves[w*forestWord:]), pending)
	}
}

// forestSplitsGeneric makes a word of all documents.
func forestSplitsGeneric(set *[ForestRows]uint32, keys []int32, nodes []uint32) {
	for i := range set {
		set[i] = 1<<forestWord - 1
	}
	for ; len(nodes) >= 3; nodes = nodes[3:] {
		key, limit, keep := (*[ForestRows]int32)(keys[nodes[0]:]), int64(int32(nodes[1])), nodes[2]
		for i := range set {
			set[i] &= keep | uint32((int64(key[i])-limit)>>63)
		}
	}
}

// forestPlace adds the leaves of the lowest bits to the sums of pending documents, and returns
// those that are pending still.
func forestPlace(sum *[ForestRows]float64, set *[ForestRows]uint32, leaf *[forestWord]float64, pending uint32) uint32 {
	for i, s := range set {
		if s != 0 && pending>>i&1 != 0 {
			sum[i] += leaf[bits.TrailingZeros32(s)&31]
			pending &^= 1 << i
		}
	}
	return pending
}
