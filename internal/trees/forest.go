package trees

import (
	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// Trees are scored for blocks of documents. The features of a block are keys, feature by feature:
// keys[f·ForestRows+i] is the key of feature f of document i, an int32 in the order of the float32
// values, where −0 and +0 are the same and NaN, which is missing, is greatest. A split is a test
// key < limit; documents that pass go left.
//
// The leaves of a tree, numbered from left to right, are split into words of 32. A document starts
// with all bits of all words set. Each split that it fails clears the leaves below its left child;
// then the first bit that is left is the leaf that the document reaches (QuickScorer, Lucchese et
// al. 2015). So all splits of a tree are looked at, for all documents of the block at once, and
// there are no branches to foresee.

// ForestRows is the number of documents of a block.
const ForestRows = 32

// ForestKeyMissing is the key of NaN.
const ForestKeyMissing = 1<<31 - 1

// ForestKey returns the key of a value.
func ForestKey(v float32) int32 {
	if v != v {
		return ForestKeyMissing
	}
	return kern.FloatKey(v)
}

// ForestKeysF32 sets the keys of a block of rows documents, up to [ForestRows], of which row i is
// x[i·stride : i·stride+cols]:
//
//	dst[j·ForestRows+i] = ForestKey(x[i·stride+j])
//
// and the keys of the documents that there are not to 0. It reports whether there is a NaN.
func ForestKeysF32(dst []int32, x []float32, rows, cols, stride int) (nan bool) {
	if rows < 0 || rows > ForestRows {
		panic(kern.Lengths("ForestKeysF32: rows and their limit", rows, ForestRows))
	}
	if len(dst) != cols*ForestRows {
		panic(kern.Lengths("ForestKeysF32: length of dst, and of the keys of all columns", len(dst), cols*ForestRows))
	}
	if stride < cols {
		panic(kern.Lengths("ForestKeysF32: stride and columns", stride, cols))
	}
	if cols == 0 {
		return false
	}
	if rows == 0 {
		clear(dst)
		return false
	}
	if need := (rows-1)*stride + cols; len(x) < need {
		panic(kern.Lengths("ForestKeysF32: length of x, and end of the last row", len(x), need))
	}
	return forestKeysF32(dst, x, rows, cols, stride)
}

// ForestLeaves returns the number of leaves up to which the running tier looks at a tree whole in
// less time than it takes to walk through it.
func ForestLeaves() int {
	switch {
	case cpu.UseAVX512:
		return 1024
	case cpu.UseAVX2:
		return 512
	case cpu.UseNEON:
		return 128
	}
	return 64
}

// The words of a forest: the number of splits, and whether the word is the first of its tree.
const (
	forestWord  = 32      // leaves of a word
	ForestFirst = 1 << 31 // set in words[w] where word w is the first of its tree
)

// ForestAddF64 adds the leaves that the documents of a block reach to their scores, tree by tree:
//
//	scores[i] += leaves[32w + b], b the lowest bit of word w,
//	                              w the first word of the tree that is not zero for i
//
// words[w] is the number of splits that word w is made of, [ForestFirst] added for the first word
// of a tree. Each split is three elements of nodes: the index of the first of its keys, its limit
// (an int32), and the bits of the word that stay set in documents whose key is not below the limit.
// leaves has 32 values for each word, those that no document reaches being anything finite. The
// indices of keys are not checked.
func ForestAddF64(scores []float64, keys []int32, nodes, words []uint32, leaves []float64) {
	if len(scores) != ForestRows {
		panic(kern.Lengths("ForestAddF64: length of scores, and documents of a block", len(scores), ForestRows))
	}
	if len(leaves) != forestWord*len(words) {
		panic(kern.Lengths("ForestAddF64: length of leaves, and 32 for each word", len(leaves), forestWord*len(words)))
	}
	splits := 0
	for _, w := range words {
		splits += int(w &^ ForestFirst)
	}
	if len(nodes) != 3*splits {
		panic(kern.Lengths("ForestAddF64: length of nodes, and three for each split of words", len(nodes), 3*splits))
	}
	if len(words) == 0 {
		return
	}
	forestAddF64(scores, keys, nodes, words, leaves)
}
