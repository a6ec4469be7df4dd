package lambdamart

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A splitOf is a split of a tree.
type splitOf struct{ feature, tree, split int32 }

// appendTest appends a description of the test of split s to b. Splits with equal descriptions send
// every document to the same side.
func (t *Tree) appendTest(b []byte, s int) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(t.Feature[s]))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(t.Threshold[s]))
	flags := byte(0)
	for i, set := range []bool{t.categorical(s), t.missingLeft(s), t.zeroMissing(s)} {
		if set {
			flags |= 1 << i
		}
	}
	b = append(b, flags)
	if t.categorical(s) {
		for _, word := range trimmed(t.Categories[s]) {
			b = binary.LittleEndian.AppendUint32(b, word)
		}
	}
	return b
}

// distinctSplits numbers splits in the order in which they are found. Splits that send all
// documents to the same sides share a number.
type distinctSplits struct {
	splits []splitOf
	known  map[string]int32 // by appendTest
	test   []byte
}

func (d *distinctSplits) number(list []Tree, tree, split int) int32 {
	t := &list[tree]
	d.test = t.appendTest(d.test[:0], split)
	n, ok := d.known[string(d.test)]
	if !ok {
		if d.known == nil {
			d.known = map[string]int32{}
		}
		n = int32(len(d.splits))
		d.known[string(d.test)] = n
		d.splits = append(d.splits, splitOf{t.Feature[split], int32(tree), int32(split)})
	}
	return n
}

// sort sorts the splits by feature, and returns the new number of each split.
func (d *distinctSplits) sort() (place []int32) {
	order := make([]int32, len(d.splits))
	for n := range order {
		order[n] = int32(n)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(d.splits[a].feature, d.splits[b].feature) })
	sorted := make([]splitOf, len(order))
	place = make([]int32, len(order))
	for to, n := range order {
		sorted[to], place[n] = d.splits[n], int32(to)
	}
	d.splits = sorted
	return place
}

// trimmed returns a set without the zero words at its end.
func trimmed(set []uint32) []uint32 {
	n := len(set)
	for n > 0 && set[n-1] == 0 {
		n--
	}
	return set[:n]
}

// categories evaluates splits that do not compare values, such as categorical splits. A document
// has a bit per split, which is set if the document goes left. A table per feature contains the
// bits of its splits for each category, so a document needs one look-up per feature instead of a
// test per split.
type categories struct {
	list   []Tree
	splits []splitOf // by bit
	tables []categoryTable
	single []int32 // bits of the splits that are evaluated one by one
	words  int     // number of 64-bit words per document
}

// A categoryTable contains the bits of a feature's splits. Categories that all splits send to the
// same sides share a row of bits.
type categoryTable struct {
	feature int32
	words   []int32  // words of a document that contain bits of the feature, in ascending order
	limit   float32  // number of categories
	rows    []uint16 // row of each kind of value, and of each category
	bits    []uint64 // rows of len(words) words
}

// The first elements of categoryTable.rows are for values without a category or with sign 0, and
// the rest are for the categories 0, 1 and so on. rowValues contains an example of each kind.
// Values between −1 and 0 are different because some splits send them right although their integer
// part is 0, and 0 is different because it may be missing.
const (
	rowMissing = iota
	rowOutside
	rowNegative
	rowZero
	rowCategories
)

// afterMinusOne is the Threshold of LightGBM's categorical splits.
var afterMinusOne = math.Nextafter32(-1, 0)

var rowValues = [...]float32{float32(math.NaN()), -1, -.5, 0, .5}

// noFeature is the feature of bits without a split.
const noFeature = -1

// newCategories prepares splits, which are in the order of their bits.
func newCategories(list []Tree, splits []splitOf) *categories {
	c := &categories{list: list, splits: splits, words: (len(splits) + 63) / 64}
	var order []int32
	for bit, s := range splits {
		if s.feature != noFeature {
			order = append(order, int32(bit))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(splits[a].feature, splits[b].feature) })
	for len(order) > 0 {
		n := 1
		for n < len(order) && splits[order[n]].feature == splits[order[0]].feature {
			n++
		}
		c.addFeature(order[:n])
		order = order[n:]
	}
	slices.Sort(c.single)
	return c
}

// addFeature adds a table for the splits of a feature, which have the given bits. Splits are
// evaluated one by one if they do not test categories as a whole, or if a table would be much
// larger than their sets.
func (c *categories) addFeature(numbers []int32) {
	t := categoryTable{feature: c.splits[numbers[0]].feature}
	var whole []int32
	size, most := 0, 0
	for _, bit := range numbers {
		s := c.splits[bit]
		tree := &c.list[s.tree]
		threshold := tree.Threshold[s.split]
		if !tree.categorical(int(s.split)) || threshold != 0 && threshold > afterMinusOne {
			c.single = append(c.single, bit)
			continue
		}
		n := len(trimmed(tree.Categories[s.split]))
		whole, size, most = append(whole, bit), size+n, max(most, n)
		if n := len(t.words); n == 0 || t.words[n-1] != bit/64 {
			t.words = append(t.words, bit/64)
		}
	}
	if len(whole) == 0 {
		return
	}
	const few, much = 4096, 64 // bytes, and bytes per word of a set
	rows, words := rowCategories+32*most, len(t.words)
	if rows*(2+8*words) > few+much*size {
		c.single = append(c.single, whole...)
		return
	}
	all := make([]uint64, rows*words)
	word := 0
	for _, bit := range whole {
		if t.words[word] != bit/64 {
			word++
		}
		s := c.splits[bit]
		setBits(all[word:], words, &c.list[s.tree], int(s.split), 1<<(bit%64))
	}
	if t.limit = float32(32 * most); !t.share(all) {
		c.single = append(c.single, whole...)
		return
	}
	c.tables = append(c.tables, t)
}

// setBits sets a bit in all rows that a split sends left. Rows have the given number of words, and
// the bit is in the first of them.
func setBits(rows []uint64, words int, tree *Tree, split int, bit uint64) {
	for n, v := range rowValues {
		if tree.GoesLeft(split, v) {
			rows[n*words] |= bit
		}
	}
	for n, set := range trimmed(tree.Categories[split]) {
		for ; set != 0; set &= set - 1 {
			rows[(rowCategories+32*n+bits.TrailingZeros32(set))*words] |= bit
		}
	}
}

// share stores rows so that equal rows are stored once. It reports whether the numbers of the
// different rows fit in 16 bits.
func (t *categoryTable) share(rows []uint64) bool {
	known := map[string]uint16{}
	var key []byte
	t.rows = make([]uint16, 0, len(rows)/len(t.words))
	for row := range slices.Chunk(rows, len(t.words)) {
		key = key[:0]
		for _, word := range row {
			key = binary.LittleEndian.AppendUint64(key, word)
		}
		n, ok := known[string(key)]
		if !ok {
			if len(known) > math.MaxUint16 {
				return false
			}
			n = uint16(len(known))
			known[string(key)] = n
			t.bits = append(t.bits, row...)
		}
		t.rows = append(t.rows, n)
	}
	t.bits = slices.Clip(t.bits)
	return true
}

// at returns the index of the bits for a value.
func (t *categoryTable) at(v float32) int {
	n := rowCategories + int(v)
	if !(v > 0 && v < t.limit) {
		n = kindOf(v)
	}
	return int(t.rows[n]) * len(t.words)
}

// kindOf returns the row of a value that is not in a positive category.
func kindOf(v float32) int {
	switch {
	case v == 0:
		return rowZero
	case v != v:
		return rowMissing
	case v > -1 && v < 0:
		return rowNegative
	}
	return rowOutside
}

// right returns the words of each document of a request. It reuses the memory of words. Unlike in
// blocks, a bit is set if the document goes right. Bits without a split are unspecified.
func (c *categories) right(words []uint64, x []float32, docs, cols, stride int) []uint64 {
	if cap(words) < docs*c.words {
		words = make([]uint64, docs*c.words)
	}
	words = words[:docs*c.words]
	for k := range words {
		words[k] = math.MaxUint64
	}
	for d := range docs {
		to, x := words[d*c.words:][:c.words], x[d*stride:][:cols]
		for i := range c.tables {
			t := &c.tables[i]
			row := t.bits[t.at(valueIn(x, t.feature)):][:len(t.words)]
			for k, word := range t.words {
				to[word] &^= row[k]
			}
		}
		for _, bit := range c.single {
			if s := c.splits[bit]; c.list[s.tree].GoesLeft(int(s.split), valueIn(x, s.feature)) {
				to[bit/64] &^= 1 << (bit % 64)
			}
		}
	}
	return words
}

// block sets the rows of a block for the splits, which must be sorted by feature. Each split has a
// row, and the number of rows is rounded up to a multiple of 64.
func (c *categories) block(rows []uint64, d *rank.Dataset, lo, docs int) {
	const words = trees.ForestWords
	var places [trees.ForestRows]int32 // of the bits of the last table
	table, single := 0, 0
	for word := range int32(c.words) {
		// The word of each document, which becomes a row per bit.
		rows := rows[64*words*int(word):][:64*words]
		clear(rows)
		for ; table < len(c.tables) && c.tables[table].words[0] <= word; table++ {
			t := &c.tables[table]
			if t.words[0] == word {
				for i := range docs {
					places[i] = int32(t.at(valueOf(d, lo+i, t.feature)))
				}
			}
			bits := t.bits[word-t.words[0]:]
			for i := 0; i < docs; i += 64 {
				to := rows[i/64:]
				for k, at := range places[i:min(i+64, docs)] {
					to[k*words] |= bits[at]
				}
			}
			if t.words[len(t.words)-1] > word {
				break // to the next word
			}
		}
		for ; single < len(c.single) && c.single[single]/64 == word; single++ {
			bit := c.single[single]
			s := c.splits[bit]
			for i := range docs {
				if c.list[s.tree].GoesLeft(int(s.split), valueOf(d, lo+i, s.feature)) {
					rows[i%64*words+i/64] |= 1 << (bit % 64)
				}
			}
		}
		trees.ForestTranspose(rows, (docs+63)/64)
	}
}

// valueIn returns feature f of a document, which is 0 if the document lacks it.
func valueIn(x []float32, f int32) float32 {
	if int(f) < len(x) {
		return x[f]
	}
	return 0
}
