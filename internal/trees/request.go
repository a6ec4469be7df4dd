package trees

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/cpu"
	"github.com/simdrank/simdrank/internal/kern"
)

// Requests are scored without branches to predict, in one of three forms. Datasets and larger
// requests are scored as blocks of a forest (forest.go). A table in docs/explanation/training.md
// lists the conditions and speeds of all forms.
//
// By ranks, for processors that look up bytes in registers ([UseRanks]): the rank of a value is the
// number of thresholds that it exceeds, of those that any split compares its feature with. There
// are at most 255, so a byte decides all splits of the feature. A document has a table of ranks
// ([RankTableF32], or [RankTablesF32] for several documents), and a split is a look-up of a byte
// and a comparison with another, for 64 trees at once ([RankLeavesU8], [RankSumF64]). All splits of
// a tree are looked at. Registers look up 128 bytes in one instruction, so steps take turns at the
// first 128 ranks and at the last.
//
// As packs of 64 documents, by ranks, where vectors have 32 or 64 bytes ([UsePacks]): a split is a
// comparison of the ranks of all of them with another ([PackRanksF32], [PackSumF64]). On a Zen 3,
// packs are 2.0 to 5.1 times as fast as walks for 10 documents by trees of 15 to 63 leaves, and 1.4
// to 2.6 times as fast as a block for 100 documents by trees of 15 to 255 leaves.
//
// By cells, for all others: the document walks through several trees in turns, one level at a time
// ([WalkF64]). On a Zen 3, that is 4.1 to 7.2 times as fast for one document as branches.

const (
	RankRows   = 256 // rows of a rank table
	RankWindow = 128 // rows that a step can read
	RankLanes  = 16  // rows or documents that are processed at once
	RankSlab   = 64  // trees that are processed at once
	RankTrees  = 256 // trees of four slabs, whose leaves are summed at once
)

// UseRanks reports whether the active tier scores documents faster by ranks than by cells.
func UseRanks() bool { return cpu.UseVBMI }

// WalkMost returns the maximum number of documents that the active tier scores faster one by one,
// by cells, than as a block. leaves is the maximum number of leaves per tree. On a Zen 4, the
// break-even point of AVX2 and AVX-512 was 20 documents for 31 leaves, and 62 documents for 256
// leaves.
func WalkMost(leaves int) int {
	switch {
	case cpu.UseNEON:
		return 24
	case (cpu.UseAVX2 || cpu.UseAVX512) && leaves <= rankMost:
		return 20
	}
	return 64
}

// The elements of a step.
const (
	StepRow    = 0             // rows of the rank table, within the step's window
	StepLimit  = 1 * RankSlab  // the greatest ranks that go left
	StepFirst  = 2 * RankSlab  // the first leaf below each split, or NoSplit
	StepRight  = 3 * RankSlab  // the first leaf below its right child
	StepLength = 4 * RankSlab  // the length of a step without masks
	StepMask   = 4 * RankSlab  // the bits of ranks that are compared, in steps with masks
	StepMasked = 5 * RankSlab  // the length of a step with masks
	NoSplit    = math.MaxUint8 // the first leaf if there is no split
	rankMost   = math.MaxUint8 // most thresholds of a row
)

// RankTableF32 computes the rank table of a document x. Row r belongs to the feature features[r],
// which is 0 if x lacks it. Its threshold j of n is 16·j + r%16 elements after the thresholds of
// the previous groups:
//
//	ranks[r] = number of the thresholds t with x[features[r]] > t
//
// Every 16 rows have two elements of groups: the number n, at most 255, and flags. If bit r%16 is
// set, 0 is missing, like NaN. Missing values have the rank of the value missing[r], or n if that
// is NaN. No threshold may be NaN. values is scratch.
func RankTableF32(ranks *[RankRows]uint8, values *[RankRows]float32, x []float32,
	features, groups []uint32, missing, thresholds []float32) {
	if len(features) > RankRows {
		panic(kern.Lengths("RankTableF32: len(features) is %d; the limit is %d", len(features), RankRows))
	}
	if len(groups)%2 != 0 || len(features) != RankLanes/2*len(groups) {
		panic(kern.Lengths("RankTableF32: len(groups) is %d and len(features) is %d; groups must contain 2 elements for each 16 features",
			len(groups), len(features)))
	}
	if len(missing) != len(features) {
		panic(kern.Lengths("RankTableF32: len(missing) and len(features) differ: %d and %d", len(missing), len(features)))
	}
	sum := 0
	for g := 0; g < len(groups); g += 2 {
		if groups[g] > rankMost {
			panic(kern.Lengths("RankTableF32: a row has %d thresholds; the limit is %d", int(groups[g]), rankMost))
		}
		sum += RankLanes * int(groups[g])
	}
	if len(thresholds) != sum {
		panic(kern.Lengths("RankTableF32: len(thresholds) is %d, but groups declares %d thresholds", len(thresholds), sum))
	}
	if len(groups) == 0 {
		return
	}
	rankTableF32(ranks, values, x, features, groups, missing, thresholds)
}

// RankSearchable reports whether searches support a threshold. They support all values except NaN,
// −Inf and the greatest finite value.
func RankSearchable(threshold float32) bool {
	return threshold == threshold && threshold != math.MaxFloat32 && threshold != float32(math.Inf(-1))
}

// A RankSearch contains the thresholds of a rank table for [RankTablesF32].
type RankSearch struct {
	tiles  []uint32 // for each 16 columns, the first of them and the number of their rows
	rows   []uint32
	blocks []float32
}

// A row has blocks of 32 elements, and at last one of 16 where there are so few thresholds left.
// Elements from 1<<l on are level l. Element 0 of the first block is the value that missing values
// have, and element 0 of the other blocks is not used.
const rankBlock = 32

// rankAbove is a value that is above all thresholds, including +Inf. AVX-512 subtracts it from
// thresholds, and the difference has its sign.
var rankAbove = math.Float32frombits(0xffc00000)

// The lowest four bits of a row are the number of its blocks of 32 elements, and the number of the
// row and its column among those of the tile are the bits from 4 and 14 on. Flags of a row are:
const (
	rankShort   = 1 << 12 // the last block has 16 elements
	rankReplace = 1 << 30 // missing values are not above all thresholds
	rankZero    = 1 << 31 // 0 is missing
)

// Add adds row r with up to 255 ascending thresholds, which [RankSearchable] must accept. NaN and,
// if zeroMissing is set, 0 are missing. Missing values have the rank of the value missing, or a
// rank of at least the number of thresholds if that is NaN. A search is faster if consecutive rows
// have columns in the same group of 16, starting at a multiple of 16.
func (s *RankSearch) Add(r uint8, column uint32, thresholds []float32, missing float32, zeroMissing bool) {
	first := column &^ (RankLanes - 1)
	if n := len(s.tiles); n == 0 || s.tiles[n-2] != first {
		s.tiles = append(s.tiles, first, 0)
	}
	s.tiles[len(s.tiles)-1]++
	row := (column-first)<<14 | uint32(r)<<4
	switch {
	case missing != missing:
		missing = rankAbove
	case missing > math.MaxFloat32:
		missing = math.MaxFloat32 // has the same rank
		fallthrough
	default:
		row |= rankReplace
	}
	if zeroMissing {
		row |= rankZero
	}
	for at := len(s.blocks); len(thresholds) > 0 || at == len(s.blocks); {
		size := rankBlock
		if len(thresholds) < size/2 {
			size /= 2
			row |= rankShort
		} else {
			row++
		}
		block := slices.Repeat([]float32{float32(math.Inf(1))}, size)
		block[0] = missing
		for i := 1; i < size; i++ {
			half := size >> bits.Len(uint(i)) // thresholds on each side of that of element i
			if n := half*(2*i+1) - size - 1; n < len(thresholds) {
				block[i] = thresholds[n] + 0 // −0 becomes +0
			}
		}
		s.blocks = append(s.blocks, block...)
		thresholds = thresholds[min(len(thresholds), size-1):]
	}
	s.rows = append(s.rows, row)
}

// RankTables contains the rank tables of several documents, and scratch.
type RankTables struct {
	Ranks [RankLanes][RankRows]uint8
	//lint:ignore U1000 assembly keeps a tile of columns here
	values [RankLanes][RankLanes]float32
	//lint:ignore U1000 assembly keeps the ranks here, row by row, before it transposes them
	ranks [RankRows][RankLanes]int8 // of PackRank
}

// RankTablesF32 computes the rank tables of up to 16 documents. Document d is x[d·stride :
// d·stride+cols]:
//
//	tables.Ranks[d][r] = number of the thresholds t of row r with x[d·stride+c] > t
//
// c is the column of the row. Columns that the documents lack are 0. [RankSearch.Add] defines the
// ranks of missing values. Rows that were not added to search have unspecified ranks.
func RankTablesF32(tables *RankTables, x []float32, docs, cols, stride int, search *RankSearch) {
	if checkSearch("RankTablesF32", x, docs, RankLanes, cols, stride, search) {
		rankTablesF32(tables, x, docs, cols, stride, search.tiles, search.rows, search.blocks)
	}
}

// checkSearch panics unless x has the documents, and reports whether there is anything to search.
func checkSearch(name string, x []float32, docs, most, cols, stride int, search *RankSearch) bool {
	if docs < 0 || docs > most {
		panic(kern.Lengths(name+": docs is %d; it must be from 0 to %d", docs, most))
	}
	if cols < 0 || stride < cols {
		panic(kern.Lengths(name+": stride is %d and cols is %d; they must be 0 <= cols <= stride", stride, cols))
	}
	if len(search.rows) > RankRows {
		panic(kern.Lengths(name+": search has %d rows; the limit is %d", len(search.rows), RankRows))
	}
	if docs == 0 || len(search.rows) == 0 {
		return false
	}
	if need := (docs-1)*stride + cols; len(x) < need {
		panic(kern.Lengths(name+": len(x) is %d, but the last row ends at %d", len(x), need))
	}
	return true
}

// RankLeavesU8 sets leaves[d][t] to the leaf of tree t that the document with the table ranks[d]
// reaches, for up to four slabs of 64 trees. Slab s has slabs[s] pairs of steps. A tree has up to
// 255 leaves, numbered from left to right. A document starts at leaf 0. Each step is a split of
// each tree of the slab, parents before their children, or no split:
//
//	leaf = right    where leaf = first and ranks[d][row] > limit
//
// A split that is not on the document's path does not move it, because the document is not at the
// first leaf below the split. A step reads 128 rows, as many as one instruction can look up. The
// first step of each pair reads the rows from 0 on. The other reads the rows from second on, which
// is its row 0. Only the lowest seven bits of a row are used.
//
// If masked is set, steps have masks and compare ranks[d][row] & mask with limit. A row can thus
// contain the bits of eight sets instead of a rank.
func RankLeavesU8(leaves [][RankTrees]uint8, ranks [][RankRows]uint8, second int, steps []uint8,
	slabs []uint32, masked bool) {
	if len(leaves) != len(ranks) {
		panic(kern.Lengths("RankLeavesU8: len(leaves) and len(ranks) differ: %d and %d", len(leaves), len(ranks)))
	}
	if second < 0 || second > RankRows-RankWindow {
		panic(kern.Lengths("RankLeavesU8: second is %d; it must be from 0 to %d", second, RankRows-RankWindow))
	}
	if RankSlab*len(slabs) > RankTrees {
		panic(kern.Lengths("RankLeavesU8: slabs contain %d trees; the limit is %d", RankSlab*len(slabs), RankTrees))
	}
	sum, length := 0, StepLength
	if masked {
		length = StepMasked
	}
	for _, n := range slabs {
		sum += 2 * length * int(n)
	}
	if len(steps) != sum {
		panic(kern.Lengths("RankLeavesU8: len(steps) is %d; the steps of all slabs have %d bytes", len(steps), sum))
	}
	if len(leaves) == 0 || len(slabs) == 0 {
		return
	}
	rankLeavesU8(leaves, ranks, second, steps, slabs, masked)
}

// RankLeaves contains the leaves that several documents reach, and scratch.
type RankLeaves struct {
	Leaves [RankLanes][RankTrees]uint8
	//lint:ignore U1000 assembly keeps the leaves of a slab here, eight documents of each tree
	slab [2][RankSlab][8]uint8
}

// RankSumF64 adds the values of the leaves that documents reach in the first trees to their scores,
// tree by tree:
//
//	scores[d] += values[w·t + leaves.Leaves[d][t]]
//
// values and t count from the beginning of the slab of 64 trees. A slab has 64·w values, where w is
// its element of widths. Leaves are not checked.
func RankSumF64(scores []float64, leaves *RankLeaves, widths []uint32, values []float64,
	trees int) {
	if len(scores) > RankLanes {
		panic(kern.Lengths("RankSumF64: len(scores) is %d; the limit is %d", len(scores), RankLanes))
	}
	if most := min(RankTrees, RankSlab*len(widths)); trees < 0 || trees > most {
		panic(kern.Lengths("RankSumF64: trees is %d; it must be from 0 to %d", trees, most))
	}
	need := 0
	for _, w := range widths[:(trees+RankSlab-1)/RankSlab] {
		need += RankSlab * int(w)
	}
	if len(values) < need {
		panic(kern.Lengths("RankSumF64: len(values) is %d, but widths declares %d values", len(values), need))
	}
	if len(scores) == 0 || trees == 0 {
		return
	}
	rankSumF64(scores, leaves, widths, values, trees)
}

// WalkMissing is the key of missing values that go right at all splits.
const WalkMissing = math.MaxUint32

// WalkKey returns the key of a value that is not missing. Keys order like the values, and −0 has
// the key of +0.
func WalkKey(v float32) uint32 { return uint32(kern.FloatKey(v)) ^ 1<<31 }

// WalkKeysF32 sets the keys of features of a document x, which are 0 if x lacks them. missing
// contains the key of NaN for each feature:
//
//	keys[i] = WalkKey(x[features[i]]), or missing[i] for NaN
func WalkKeysF32(keys []uint32, x []float32, features, missing []uint32) {
	if len(keys) != len(features) {
		panic(kern.Lengths("WalkKeysF32: len(keys) and len(features) differ: %d and %d", len(keys), len(features)))
	}
	if len(missing) != len(features) {
		panic(kern.Lengths("WalkKeysF32: len(missing) and len(features) differ: %d and %d", len(missing), len(features)))
	}
	keys, missing = keys[:len(features)], missing[:len(features)]
	for i, f := range features {
		key := uint32(1 << 31)
		if uint64(f) < uint64(len(x)) {
			v, other := x[f], missing[i]
			// The comparison of integers is compiled without a branch.
			if key = WalkKey(v); math.Float32bits(v)<<1 > 0xff<<24 {
				key = other
			}
		}
		keys[i] = key
	}
}

// WalkLeaf is the cell of a leaf, which no key leaves; see [WalkF64].
const WalkLeaf = math.MaxUint32

// WalkCell returns the cell of a split. If keys[row] ≤ limit, a document goes left, to the cell
// next cells further. Otherwise it goes to the cell after that one.
func WalkCell(next, row uint16, limit uint32) uint64 {
	return uint64(next)<<48 | uint64(row)<<32 | uint64(limit)
}

// WalkF64 returns the score plus the values of the leaves that a document reaches, added tree by
// tree. trees has two elements per tree: the index of the root's cell, and the number of levels
// below the root. Cells are made by [WalkCell]. The bits of a leaf's value are stored two cells
// after the leaf. Documents that have reached their leaf stay there until the last level, so no
// branch depends on the document. The indices are not checked.
func WalkF64(score float64, keys []uint32, cells []uint64, trees []uint32) float64 {
	if len(trees)%2 != 0 {
		panic(kern.Value("WalkF64: len(trees) is %v; it must be even", float64(len(trees))))
	}
	return walkF64(score, keys, cells, trees)
}

// PackSize is the maximum number of documents in a pack. Documents are byte lanes: a split compares
// the ranks of all documents in its row with one rank, and moves the documents that go right. A
// step for a single document also compares 64 trees, but must look up 128 bytes.
const PackSize = 64

// UsePacks reports whether the active tier scores several documents faster as a pack than one by
// one.
func UsePacks() bool { return cpu.UseAVX2 || cpu.UseAVX512 }

// PackLeast returns the minimum number of documents for which a pack is faster than scoring them
// one by one. It was measured on a Zen 4 with 100 and 500 trees of 31 leaves and with 1000 trees of
// 64 leaves.
func PackLeast() int {
	if cpu.UseVBMI {
		return 51
	}
	return 5
}

// PackMost returns the maximum number of documents for which packs are faster than a block. With
// VBMI on a Zen 4, packs of 232 to 288 documents are 1.18 to 1.37 times as fast as a block for 100
// trees of 31 leaves. They are 0.97 to 1.14 times as fast for 500 such trees, and 0.9 to 1.1 times
// for 1000 trees of 64 leaves. With AVX2 on a Zen 3, packs of 512 and 1000 documents are 0.84 to
// 1.41 times as fast. With AVX-512 but without VBMI, the limit is higher on a Zen 4, which splits
// its registers, than on other processors without VBMI. Trees with sets have lower limits, which
// were measured on an Emerald Rapids with 100 trees of 31 leaves. With VBMI, the documents are
// scored by ranks.
func PackMost(sets bool) int {
	switch {
	case cpu.UseAVX512 && !cpu.UseVBMI:
		return 64
	case sets:
		return 96
	case cpu.UseVBMI:
		return 288 // the last 32 of them one by one
	}
	return 384
}

// PackTable contains the ranks of a pack's documents by row, and scratch.
type PackTable struct {
	Ranks [RankRows][PackSize]uint8 // of PackRank
	//lint:ignore U1000 amd64 keeps a tile of columns here
	values [RankLanes][PackSize]float32
}

// PackRank returns a rank in the form that packs use.
func PackRank(rank uint8) uint8 { return rank ^ 1<<7 }

// PackRanksF32 computes the ranks of a pack of up to 64 documents, as [RankTablesF32] defines them:
//
//	table.Ranks[r][d] = PackRank(number of thresholds t of row r with x[d·stride+c] > t)
//
// The ranks are unspecified for documents that do not exist and for rows that are not in search.
func PackRanksF32(table *PackTable, x []float32, docs, cols, stride int,
	search *RankSearch) {
	if checkSearch("PackRanksF32", x, docs, PackSize, cols, stride, search) {
		packRanksF32(table, x, docs, cols, stride, search.tiles, search.rows, search.blocks)
	}
}

// PackSplit returns a split for [PackSumF64]. Among the documents at leaf first, those whose rank
// in the row is at least rank advance by left leaves, the number of leaves of the left child. No
// document is at [NoSplit].
func PackSplit(row, rank, first, left uint8) uint32 {
	return uint32(row) | uint32(rank^1<<7)<<8 | uint32(first)<<16 | uint32(left)<<24
}

// PackSet returns a split and its mask for [PackSumF64]. The row contains bits of eight sets, in
// the form of [PackRank]. Among the documents at leaf first, those with the given bit advance by
// left leaves. The mask of a [PackSplit] is 255, so that it compares all bits.
func PackSet(row, bit, first, left uint8) (split, mask uint32) {
	rank := uint8(1<<7 + 1) // the bit as a signed number is at least 1
	if bit == 7 {
		rank = 1 << 7 // or at least 0, because PackRank inverts the sign
	}
	return PackSplit(row, rank, first, left), 1 << bit
}

// PackSets sets the rows of sets. The bytes of document d, which begin at sets[d·stride], become
// elements d of the rows, in the form of [PackRank].
func PackSets(rows [][PackSize]uint8, sets []uint8, docs, stride int) {
	if len(rows)%8 != 0 || docs < 0 || docs > PackSize {
		panic(kern.Lengths("PackSets: len(rows) is %d and docs is %d; they must be a multiple of 8, and from 0 to PackSize",
			len(rows), docs))
	}
	if need := (docs-1)*stride + len(rows); docs > 0 && len(sets) < need {
		panic(kern.Lengths("PackSets: len(sets) is %d, but the last document ends at %d", len(sets), need))
	}
	for d := 0; d < docs; d += 8 {
		for r := 0; r < len(rows); r += 8 {
			var m [8]uint64
			for i := range min(8, docs-d) {
				m[i] = binary.LittleEndian.Uint64(sets[(d+i)*stride+r:]) ^ 0x8080808080808080
			}
			transposeBytes(&m)
			for i, word := range m {
				binary.LittleEndian.PutUint64(rows[r+i][d:], word)
			}
		}
	}
}

// transposeBytes swaps byte j of word i with byte i of word j.
func transposeBytes(m *[8]uint64) {
	swap := func(i, j, bits int, low uint64) {
		t := (m[i]>>(bits&63) ^ m[j]) & low
		m[j] ^= t
		m[i] ^= t << (bits & 63)
	}
	for i := range 4 {
		swap(i, i+4, 32, 1<<32-1)
	}
	for i := 0; i < 8; i += 4 {
		swap(i, i+2, 16, 0x0000ffff0000ffff)
		swap(i+1, i+3, 16, 0x0000ffff0000ffff)
	}
	for i := 0; i < 8; i += 2 {
		swap(i, i+1, 8, 0x00ff00ff00ff00ff)
	}
}

// PackSumF64 adds the values of the leaves that the documents of a pack reach to their scores, tree
// by tree. A tree has up to 255 leaves, numbered from left to right, and documents start at leaf 0.
// The number of scores must be a multiple of 8 up to [PackSize]. Trees come in pairs, and the last
// pair may have only one tree. Two elements of pairs are the number of steps and the number of
// values per tree. A step is a [PackSplit] of both trees, parents before their children. values
// contains the values of both trees of each pair. The elements of splits are not checked. If masked
// is set, a mask follows each split; see [PackSet].
func PackSumF64(scores []float64, ranks *[RankRows][PackSize]uint8,
	splits, pairs []uint32, values []float64, trees int, masked bool) {
	if len(scores)%8 != 0 || len(scores) > PackSize {
		panic(kern.Lengths("PackSumF64: len(scores) is %d; it must be a multiple of 8, at most %d", len(scores), PackSize))
	}
	if trees < 0 || len(pairs) != (trees+1)/2*2 {
		panic(kern.Lengths("PackSumF64: len(pairs) is %d; it must be %d, the number of trees rounded up to an even number",
			len(pairs), (trees+1)/2*2))
	}
	steps, need := 0, 0
	for i := 0; i < len(pairs); i += 2 {
		steps += int(pairs[i])
		need += 2 * int(pairs[i+1])
	}
	if masked {
		steps *= 2
	}
	if len(splits) != 2*steps {
		panic(kern.Lengths("PackSumF64: len(splits) is %d, but pairs declares %d splits", len(splits), 2*steps))
	}
	if len(values) != need {
		panic(kern.Lengths("PackSumF64: len(values) is %d, but pairs declares %d values", len(values), need))
	}
	if len(scores) == 0 || trees == 0 {
		return
	}
	packSumF64(scores, ranks, splits, pairs, values, trees, masked)
}
