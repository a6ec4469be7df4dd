package trees

import "github.com/simdrank/simdrank/internal/kern"

// A forest scores blocks of documents, with one bit per document. A row contains a bit for each
// document of a block: document i is bit i%64 of word i/64. The test of a split is a row in which
// the bits of the documents that go left are set. Splits with the same feature and threshold share
// this row. Leaves are numbered within their tree. Plane b is a row that contains, for each
// document, bit b of the number of the leaf that the document reaches. Planes are computed from the
// leaves up. The planes of a subtree are
//
//	planes = test ? planes of the left child : planes of the right child
//
// This is one instruction for a vector of documents. A plane that is constant in a subtree needs no
// instruction. Therefore, a tree of 31 leaves needs about 60 of them for all documents of the
// block, and there are no branches to mispredict.

const (
	ForestRows  = 512             // documents per block
	ForestWords = ForestRows / 64 // words per row
)

// ForestPlanes and ForestMaxPlanes are the minimum and maximum numbers of bit planes per tree.
const (
	ForestPlanes    = 5
	ForestMaxPlanes = 12
)

// ForestColumnsF32 copies the columns of rows documents, up to [ForestRows]. Document i is
// x[i·stride : i·stride+cols]:
//
//	dst[j·ForestRows+i] = x[i·stride+j]
//
// The values after the last document, up to the next multiple of 64, are 0. All elements after that
// are unchanged.
func ForestColumnsF32(dst, x []float32, rows, cols, stride int) {
	if rows < 0 || rows > ForestRows {
		panic(kern.Lengths("ForestColumnsF32: rows is %d; it must be from 0 to %d", rows, ForestRows))
	}
	if len(dst) != cols*ForestRows {
		panic(kern.Lengths("ForestColumnsF32: len(dst) is %d; it must be cols·ForestRows, %d", len(dst),
			cols*ForestRows))
	}
	if stride < cols {
		panic(kern.Lengths("ForestColumnsF32: stride is %d; it must be at least cols, %d", stride, cols))
	}
	if rows == 0 || cols == 0 {
		return
	}
	if need := (rows-1)*stride + cols; len(x) < need {
		panic(kern.Lengths("ForestColumnsF32: len(x) is %d, but the last row ends at %d", len(x), need))
	}
	forestColumnsF32(dst, x, rows, cols, stride)
}

// ForestTestsF32 compares the values of a feature with ascending thresholds. The number of values
// must be a multiple of 64 up to [ForestRows]. In row j of dst it sets the bits of the documents
// whose value is at most threshold j:
//
//	bit i%64 of dst[8j+i/64] = values[i] ≤ thresholds[j]
//
// Words without documents become 0. If all values are in the first half of a row, the second half
// is unspecified. NaN passes no test. No threshold may be NaN.
func ForestTestsF32(dst []uint64, values, thresholds []float32) {
	if len(values)%64 != 0 || len(values) > ForestRows {
		panic(kern.Lengths("ForestTestsF32: len(values) is %d; it must be a multiple of 64, at most %d", len(values), ForestRows))
	}
	if len(dst) != ForestWords*len(thresholds) {
		panic(kern.Lengths("ForestTestsF32: len(dst) is %d; it must be ForestWords·len(thresholds), %d", len(dst),
			ForestWords*len(thresholds)))
	}
	if len(values) == 0 {
		clear(dst)
	}
	if len(dst) == 0 || len(values) == 0 {
		return
	}
	forestTestsF32(dst, values, thresholds)
}

// ForestTest returns the index of the first of the ascending thresholds that is at least v. It
// returns the number of thresholds if there is none or if v is NaN.
func ForestTest(thresholds []float32, v float32) int {
	key := int64(forestKey(v))
	first, n := 0, len(thresholds)
	for n > 0 {
		half := (n + 1) / 2
		first += half & int((int64(kern.FloatKey(thresholds[first+half-1]))-key)>>63)
		n -= half
	}
	return first
}

// ForestOr sets in each row of ascending thresholds all bits of the rows before it. Rows that mark
// each document only at its [ForestTest] thus become the rows of [ForestTestsF32].
func ForestOr(rows []uint64) {
	for j := ForestWords; j < len(rows); j++ {
		rows[j] |= rows[j-ForestWords]
	}
}

// ForestTranspose transposes the bits of each 64 rows, for documents in the first words of a row:
//
//	bit i of rows[8j+w] = bit j of rows[8i+w]    for 0 ≤ i, j < 64 and 0 ≤ w < words
//
// Words after them are unspecified. Documents that have a word each, document 64w+i in word w of
// row i, thus become rows of bits. len(rows) must be a multiple of 64 rows.
func ForestTranspose(rows []uint64, words int) {
	if words < 0 || words > ForestWords {
		panic(kern.Lengths("ForestTranspose: words is %d; it must be from 0 to %d", words, ForestWords))
	}
	if len(rows)%(64*ForestWords) != 0 {
		panic(kern.Value("ForestTranspose: len(rows) is %v; it must be a multiple of 64·ForestWords", float64(len(rows))))
	}
	if len(rows) == 0 || words == 0 {
		return
	}
	forestTranspose(rows, words)
}

// ForestSelect computes rows from other rows, one after the other. Every four elements of ops are
// the indices of the first words of four rows: the result, a test, the row whose bits are used if
// the test bit is set, and the row whose bits are used otherwise:
//
//	rows[to+w] = rows[test+w]&rows[yes+w] | rows[no+w]&^rows[test+w]    for 0 ≤ w < ForestWords
//
// The indices are not checked.
func ForestSelect(rows []uint64, ops []uint32) {
	if len(ops)%4 != 0 {
		panic(kern.Value("ForestSelect: len(ops) is %v; it must be a multiple of 4", float64(len(ops))))
	}
	if len(ops) == 0 {
		return
	}
	forestSelect(rows, ops)
}

// ForestAddF64 adds the values of the leaves that documents reach to their scores, tree by tree:
//
//	scores[i] += leaf[Σ over planes b of bit i of plane b · 2ᵇ]
//
// The number of scores must be a multiple of 64 up to [ForestRows]. Tree t has trees[t] bit planes,
// from [ForestPlanes] to [ForestMaxPlanes]. It uses trees[t] rows of planes, starting with bit 0,
// and 1<<trees[t] leaf values.
func ForestAddF64(scores []float64, planes []uint64, trees []uint8, leaves []float64) {
	if len(scores)%64 != 0 || len(scores) > ForestRows {
		panic(kern.Lengths("ForestAddF64: len(scores) is %d; it must be a multiple of 64, at most %d", len(scores), ForestRows))
	}
	rows, leaf := 0, 0
	for _, n := range trees {
		if n < ForestPlanes || n > ForestMaxPlanes {
			panic(kern.Lengths("ForestAddF64: trees contains %d; its elements must be from ForestPlanes to %d", int(n), ForestMaxPlanes))
		}
		rows += int(n)
		leaf += 1 << n
	}
	if len(planes) != ForestWords*rows {
		panic(kern.Lengths("ForestAddF64: len(planes) is %d, but the rows of all trees have %d words", len(planes),
			ForestWords*rows))
	}
	if len(leaves) != leaf {
		panic(kern.Lengths("ForestAddF64: len(leaves) is %d, but the trees have %d leaves", len(leaves), leaf))
	}
	if len(scores) == 0 || len(trees) == 0 {
		return
	}
	forestAddF64(scores, planes, trees, leaves)
}
