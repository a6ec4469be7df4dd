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
	known  map[string]int32 // number of each split, by the result of appendTest
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
	tables []categoryTable
	single []singleSplit // splits that are evaluated one by one
	size   int           // number of bytes per document, a multiple of 8
}

// A singleSplit is a split and its bit.
type singleSplit struct {
	splitOf
	bit int32
}

// A categoryTable contains the bits of a feature's splits. Categories that all splits send to the
// same sides share a row of bits.
type categoryTable struct {
	feature int32
	words   []tableWord
	limit   float32  // number of categories
	rows    []uint16 // row of each kind of value, and of each category
	bits    []uint64 // rows of len(words) words
}

// A tableWord is the place of a word of a table's rows in a document.
type tableWord struct {
	first int    // index of the first byte in the document
	mask  uint64 // mask of the bytes that no earlier table sets
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

// newCategories prepares splits, which are in the order of their bits. The words of tables begin at
// multiples of unit bytes, 1 or 8. If unit is 1, a word can exceed the bytes of its table's bits.
// In this case, the next seven bytes must contain only bits of later features.
func newCategories(list []Tree, splits []splitOf, unit int) *categories {
	c := &categories{list: list, size: (len(splits) + 7) / 8}
	var order []singleSplit
	for bit, s := range splits {
		if s.feature != noFeature {
			order = append(order, singleSplit{s, int32(bit)})
		}
	}
	slices.SortStableFunc(order, func(a, b singleSplit) int { return cmp.Compare(a.feature, b.feature) })
	for len(order) > 0 {
		n := 1
		for n < len(order) && order[n].feature == order[0].feature {
			n++
		}
		c.addFeature(order[:n], unit)
		order = order[n:]
	}
	set := map[int]bool{}
	for _, t := range c.tables {
		for k := range t.words {
			w := &t.words[k]
			if w.mask = math.MaxUint64; set[w.first] {
				w.mask -= math.MaxUint8
			}
			for b := range 8 {
				set[w.first+b] = true
			}
			c.size = max(c.size, w.first+8)
		}
	}
	c.size = (c.size + 7) &^ 7
	return c
}

// addFeature adds a table for the splits of a feature. Splits are evaluated one by one if they do
// not test categories as a whole, if a table would be much larger than their sets, or if it would
// have too many different rows.
func (c *categories) addFeature(splits []singleSplit, unit int) {
	t := categoryTable{feature: splits[0].feature}
	var whole []singleSplit
	size, most := 0, 0
	for _, s := range splits {
		tree := &c.list[s.tree]
		threshold := tree.Threshold[s.split]
		if !tree.categorical(int(s.split)) || threshold != 0 && threshold > afterMinusOne {
			c.single = append(c.single, s)
			continue
		}
		n := len(trimmed(tree.Categories[s.split]))
		whole, size, most = append(whole, s), size+n, max(most, n)
		if n := len(t.words); n == 0 || int(s.bit)/8 >= t.words[n-1].first+8 {
			t.words = append(t.words, tableWord{first: int(s.bit) / 8 &^ (unit - 1)})
		}
	}
	if len(whole) == 0 {
		return
	}
	// A table may use at most few bytes, plus much bytes per word of the splits' sets.
	const few, much = 4096, 64
	rows, words := rowCategories+32*most, len(t.words)
	if rows*(2+8*words) > few+much*size {
		c.single = append(c.single, whole...)
		return
	}
	all := make([]uint64, rows*words)
	word := 0
	for _, s := range whole {
		if int(s.bit)/8 >= t.words[word].first+8 {
			word++
		}
		setBits(all[word:], words, &c.list[s.tree], int(s.split), 1<<(int(s.bit)-8*t.words[word].first))
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

// right sets the bytes of a document of a request. Unlike in blocks, a bit is set if the document
// goes right. Bits without a split are unspecified.
func (c *categories) right(to []uint8, x []float32) {
	for i := range c.tables {
		t := &c.tables[i]
		row := t.bits[t.at(valueIn(x, t.feature)):][:len(t.words)]
		for k, w := range t.words {
			// The bits of later features are set, and their tables replace these bytes.
			to := (*[8]uint8)(to[w.first:])
			binary.LittleEndian.PutUint64(to[:], ^row[k]&(uint64(to[0])|w.mask))
		}
	}
	for _, s := range c.single {
		bit := uint8(1) << (s.bit % 8)
		to[s.bit/8] |= bit
		if c.list[s.tree].GoesLeft(int(s.split), valueIn(x, s.feature)) {
			to[s.bit/8] &^= bit
		}
	}
}

// block sets the rows of a block for the splits of table n, given the values of its feature. It
// must be called for all tables in order, because tables can share words.
func (c *categories) block(rows []uint64, n int, values []float32) {
	const words = trees.ForestWords
	t := &c.tables[n]
	var places [trees.ForestRows]uint32
	for i, v := range values {
		places[i] = uint32(t.at(v))
	}
	used := (len(values) + 63) / 64
	for k, place := range t.words {
		// After the last table with bits in this word, transpose the words of the documents to one
		// row per bit.
		rows := (*[64 * words]uint64)(rows[8*words*place.first:])
		if n == 0 || c.tables[n-1].words[len(c.tables[n-1].words)-1].first < place.first {
			clear(rows[:])
		}
		for w := range used {
			addBits(rows, w, t.bits[k:], (*[64]uint32)(places[64*w:]))
		}
		if n+1 == len(c.tables) || c.tables[n+1].words[0].first > place.first {
			trees.ForestTranspose(rows[:], used)
		}
	}
}

// addBits adds the bits at the given places to word w of 64 rows.
func addBits(rows *[64 * trees.ForestWords]uint64, w int, bits []uint64, places *[64]uint32) {
	for i, at := range places {
		rows[(i*trees.ForestWords+w)&(len(rows)-1)] |= bits[at] // needs no check of the index
	}
}

// blockSingle sets the rows of the splits that are evaluated one by one. The block starts with row
// lo of d.
func (c *categories) blockSingle(rows []uint64, d *rank.Dataset, lo, docs int) {
	const words = trees.ForestWords
	for _, s := range c.single {
		row := rows[words*s.bit:][:words]
		clear(row)
		for i := range docs {
			if c.list[s.tree].GoesLeft(int(s.split), valueOf(d, lo+i, s.feature)) {
				row[i/64] |= 1 << (i % 64)
			}
		}
	}
}

// valueIn returns feature f of a document, which is 0 if the document lacks it.
func valueIn(x []float32, f int32) float32 {
	if int(f) < len(x) {
		return x[f]
	}
	return 0
}
