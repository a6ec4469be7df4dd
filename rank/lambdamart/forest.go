package lambdamart

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// A forest contains trees in the form that [trees.ForestSelect] and [trees.ForestAddF64] require.
// It supports dense and sparse datasets with any number of columns. A block contains these rows of
// bits, in order: a row for no documents, a row for all documents, one row per test, the rows of
// categorical splits, scratch rows, and the bit planes of one group of trees. A tree's planes
// contain the bits of the leaf number of each document.
type forest struct {
	trees      []Tree
	tests      []tests // in ascending order of feature
	testsOf    []int32 // index of the first tests of each feature; −1 if there are none
	ranges     []columnRange
	categories *categories
	sets       uint32 // first row of a categorical split; the number of these rows is a multiple of 64
	temporary  uint32 // first row after the constants, the tests and the categorical splits
	planes     uint32 // first row of planes
	rows       uint32

	ops    []uint32
	leaves []float64
	bits   []uint8 // number of planes of each tree; 0 for trees that are too large, which are traversed
	groups []group

	blocks sync.Pool // of *block
}

// A group is a list of trees whose planes are computed before leaves are added to scores, or one
// tree that is too large.
type group struct {
	trees, ops int // end of the group's trees and operations
}

// Rows of constants.
const noDocuments, allDocuments = 0, 1

// forestPlanes is the number of planes that are computed before their leaves are added to the
// scores. This number is small enough for the first-level cache and large enough to hide the
// latency of loading and storing scores.
const forestPlanes = 160

// forestLanes is the number of trees whose operations are interleaved. An operation depends on
// earlier operations of its tree, but not on operations of other trees.
const forestLanes = 8

// forestColumns is the maximum number of columns that are transposed at once, so that they stay in
// the second-level cache. forestLine is the number of columns per cache line.
const (
	forestColumns = 160
	forestLine    = 16
)

// tests contains splits of a feature. A document passes a test if its value is at most the
// threshold, or if its value is missing and the index of the test is at least tests.missing.
type tests struct {
	feature     int32
	zeroMissing bool      // whether 0 is a missing value
	thresholds  []float32 // ascending; the last is +Inf if missing values pass some tests
	missing     int       // index of the first test that missing values pass
	zero        int       // index of the first test that 0 passes
	row         uint32    // row of the first test
}

// first returns the index of the first test that a value passes.
func (t *tests) first(v float32) int {
	if v != v || v == 0 && t.zeroMissing {
		return t.missing
	}
	return trees.ForestTest(t.thresholds, v)
}

// A columnRange is a range of columns that are transposed at once: whole cache lines of columns
// that tests use.
type columnRange struct {
	from, to int // first column, and end of the columns
	tests    int // end of the tests of these columns
	tables   int // end of these columns' tables of categories
}

// newForest builds a forest from valid trees.
func newForest(list []Tree) *forest {
	f := &forest{trees: list, bits: make([]uint8, len(list))}
	for i := range list {
		if b := max(bits.Len(uint(len(list[i].Leaf)-1)), trees.ForestPlanes); b <= trees.ForestMaxPlanes {
			f.bits[i] = uint8(b)
		}
	}
	testOf := f.findTests()
	w := forestWriter{forest: f, next: f.temporary}
	for i := range list {
		w.add(i, testOf)
		if f.bits[i] > 0 {
			testOf = testOf[len(list[i].Feature):]
		}
	}
	w.endGroup()
	f.planes, f.rows = w.next, w.next+w.most
	for i, row := range f.ops {
		if i%4 == 0 && row >= firstPlane {
			row += f.planes - firstPlane
		}
		f.ops[i] = row * trees.ForestWords
	}
	return f
}

// findTests lists the tests, the category tables and the ranges of columns. For all trees that are
// not too large, it returns the row of each split, tree by tree.
func (f *forest) findTests() []uint32 {
	var splits []testSplit
	var testOf []uint32
	var distinct distinctSplits
	// categorical contains the indices of categorical splits in testOf. Until distinct is
	// sorted, these elements of testOf are numbers from distinct.
	var categorical []int
	sides := missingSides{}
	for i := range f.trees {
		if f.bits[i] == 0 {
			continue
		}
		t := &f.trees[i]
		for s, j := range t.Feature {
			testOf = append(testOf, 0)
			number := len(testOf) - 1
			if t.categorical(s) {
				categorical = append(categorical, number)
				testOf[number] = uint32(distinct.number(f.trees, i, s))
				continue
			}
			v := testSplit{missingKey{j, t.zeroMissing(s)}, t.missingLeft(s), t.Threshold[s], number}
			sides.add(v.missingKey, v.threshold, v.missingLeft)
			splits = append(splits, v)
		}
	}
	f.sets = f.addTests(splits, sides, testOf)
	place := distinct.sort()
	for _, number := range categorical {
		testOf[number] = f.sets + uint32(place[testOf[number]])
	}
	f.categories = newCategories(f.trees, distinct.splits, 8)
	f.temporary = f.sets + 8*uint32(f.categories.size)
	f.findRanges()
	return testOf
}

// A testSplit is a numerical split of a forest.
type testSplit struct {
	missingKey
	missingLeft bool
	threshold   float32
	number      int // index in testOf
}

// addTests adds the tests of the given splits. It stores the row of each split in testOf, and
// returns the first row after the tests. Splits with the same missingKey share their tests. If the
// sides of the key are mixed, splits that send missing values left have separate tests.
func (f *forest) addTests(splits []testSplit, sides missingSides, testOf []uint32) (row uint32) {
	order := func(a, b *testSplit) int {
		c := cmp.Or(cmp.Compare(a.feature, b.feature), compareBools(a.zeroMissing, b.zeroMissing))
		if c == 0 && sides[a.missingKey].mixed() {
			c = compareBools(a.missingLeft, b.missingLeft)
		}
		return c
	}
	slices.SortFunc(splits, func(a, b testSplit) int {
		return cmp.Or(order(&a, &b), cmp.Compare(a.threshold, b.threshold))
	})
	row = allDocuments + 1
	for from, to := 0, 0; from < len(splits); from = to {
		first := &splits[from]
		t := tests{feature: first.feature, zeroMissing: first.zeroMissing, row: row, missing: -1}
		for ; to < len(splits) && order(first, &splits[to]) == 0; to++ {
			s := &splits[to]
			if n := len(t.thresholds); n == 0 || t.thresholds[n-1] != s.threshold {
				t.thresholds = append(t.thresholds, s.threshold)
			}
			n := len(t.thresholds) - 1
			testOf[s.number] = row + uint32(n)
			if s.missingLeft && t.missing < 0 {
				t.missing = n
			}
		}
		n := len(t.thresholds)
		switch {
		case t.missing < 0:
			t.missing = n
		case !math.IsInf(float64(t.thresholds[n-1]), 1):
			t.thresholds = append(t.thresholds, float32(math.Inf(1)))
		}
		t.zero = t.first(0)
		f.tests = append(f.tests, t)
		row += uint32(len(t.thresholds))
	}
	return row
}

// findRanges indexes the tests by feature, and groups the columns that are transposed together.
func (f *forest) findRanges() {
	if n := len(f.tests); n > 0 {
		f.testsOf = slices.Repeat([]int32{-1}, int(f.tests[n-1].feature)+1)
	}
	tables := f.categories.tables
	for n, k := 0, 0; n < len(f.tests) || k < len(tables); {
		if k < len(tables) && (n == len(f.tests) || tables[k].feature < f.tests[n].feature) {
			k++
			f.addColumn(tables[k-1].feature, n, k)
			continue
		}
		t := &f.tests[n]
		if f.testsOf[t.feature] < 0 {
			f.testsOf[t.feature] = int32(n)
		}
		n++
		f.addColumn(t.feature, n, k)
	}
}

// addColumn adds the column of a feature to the ranges, and sets the ends of the range.
func (f *forest) addColumn(feature int32, tests, tables int) {
	from := int(feature) &^ (forestLine - 1)
	if r := len(f.ranges) - 1; r < 0 || f.ranges[r].to < from || from+forestLine-f.ranges[r].from > forestColumns {
		f.ranges = append(f.ranges, columnRange{from: from})
	}
	r := &f.ranges[len(f.ranges)-1]
	r.to, r.tests, r.tables = from+forestLine, tests, tables
}

// firstPlane is the temporary first plane, until the start of the planes is known.
const firstPlane = 1 << 30

// columnBlocks contains values by column. Forests with few trees, such as stages, share the pool.
var columnBlocks = sync.Pool{New: func() any { return new([forestColumns * trees.ForestRows]float32) }}

// A block is the workspace of a worker that computes scores.
type block struct {
	rows   []uint64
	values [trees.ForestRows]float32
	scores [trees.ForestRows]float64
	row    denseRow
}

// newBlock returns a block, which may have been used.
func (f *forest) newBlock() *block {
	if b, ok := f.blocks.Get().(*block); ok {
		return b
	}
	b := &block{rows: make([]uint64, f.rows*trees.ForestWords)}
	for w := range trees.ForestWords {
		b.rows[allDocuments*trees.ForestWords+w] = math.MaxUint64
	}
	return b
}

// stages contains scores after every step trees and after the last tree. Element i contains the
// scores of the first (i+1)·step trees.
type stages struct {
	step   int
	scores [][]float64
}

// addBlock adds the values of the first count trees to the scores of up to [trees.ForestRows] rows
// of d, starting with row lo. If stages is not nil, addBlock also stores the scores of each stage.
func (f *forest) addBlock(dst []float64, d *rank.Dataset, lo, count int, stages *stages) {
	b := f.newBlock()
	defer func() {
		b.row = denseRow{} // b.row references a slice of the dataset
		f.blocks.Put(b)
	}()
	f.test(b, d, lo, len(dst))
	scores := b.scores[:(len(dst)+63)&^63]
	copy(scores, dst)
	ops, leaves := 0, 0
	for at, n := 0, 0; at < count; n++ {
		g := f.groups[n]
		if f.bits[at] > 0 {
			trees.ForestSelect(b.rows, f.ops[ops:g.ops])
		}
		ops = g.ops
		row := f.planes
		for end := min(g.trees, count); at < end; {
			first, to := at, end
			if stages != nil {
				to = min(end, at-at%stages.step+stages.step)
			}
			if at = to; f.bits[first] == 0 {
				t := &f.trees[first]
				for i := range dst {
					scores[i] += t.Leaf[t.leafOf(b.row.of(d, lo+i))]
				}
			} else {
				list, firstRow, firstLeaf := f.bits[first:to], row, leaves
				for _, n := range list {
					row += uint32(n)
					leaves += 1 << n
				}
				trees.ForestAddF64(scores, b.rows[firstRow*trees.ForestWords:row*trees.ForestWords], list,
					f.leaves[firstLeaf:leaves])
			}
			if stages != nil && (at%stages.step == 0 || at == count) {
				copy(stages.scores[(at-1)/stages.step][lo:], scores[:len(dst)])
			}
		}
	}
	copy(dst, scores)
}

// test evaluates all tests on the given number of documents of d, starting with row lo, and stores
// the results in b.
func (f *forest) test(b *block, d *rank.Dataset, lo, rows int) {
	if d.Sparse == nil {
		f.testDense(b, d, lo, rows)
	} else {
		f.testSparse(b, d, lo, rows)
	}
	f.categories.blockSingle(b.rows[f.sets*trees.ForestWords:], d, lo, rows)
}

func (f *forest) testDense(b *block, d *rank.Dataset, lo, rows int) {
	const words, size = trees.ForestWords, trees.ForestRows
	columns := columnBlocks.Get().(*[forestColumns * trees.ForestRows]float32)
	defer columnBlocks.Put(columns)
	end := (rows + 63) &^ 63
	n, table := 0, 0
	for _, r := range f.ranges {
		if cols := min(r.to, d.Cols) - r.from; cols > 0 {
			trees.ForestColumnsF32(columns[:cols*size], d.X[lo*d.Stride+r.from:], rows, cols, d.Stride)
		}
		for ; table < r.tables; table++ {
			values := b.values[:rows]
			if feature := int(f.categories.tables[table].feature); feature >= d.Cols {
				clear(values)
			} else {
				values = columns[(feature-r.from)*size:][:rows]
			}
			f.categories.block(b.rows[f.sets*words:], table, values)
		}
		for ; n < r.tests; n++ {
			t := &f.tests[n]
			values := b.values[:end]
			if int(t.feature) >= d.Cols {
				clear(values)
			} else if column := columns[(int(t.feature)-r.from)*size:][:end]; !t.zeroMissing {
				values = column
			} else {
				copy(values, column)
			}
			if t.zeroMissing {
				for i, v := range values {
					if v == 0 {
						values[i] = float32(math.NaN())
					}
				}
			}
			tests := b.rows[t.row*words:][:len(t.thresholds)*words]
			trees.ForestTestsF32(tests, values, t.thresholds)
			t.addMissing(tests, end/64)
		}
	}
}

// addMissing sets the bits of documents with missing values in the rows of all tests that they
// pass. These documents are the ones that did not pass the last test, whose threshold is +Inf.
func (t *tests) addMissing(rows []uint64, used int) {
	if t.missing == len(t.thresholds) {
		return
	}
	const words = trees.ForestWords
	for w, passed := range rows[len(rows)-words:][:used] {
		if passed == math.MaxUint64 {
			continue
		}
		for at := t.missing*words + w; at < len(rows); at += words {
			rows[at] |= ^passed
		}
	}
}

// testSparse evaluates all tests and category tables for rows of a sparse dataset. Among the tests
// of a feature, it sets the bit of a document for the first test that the document passes, and for
// all later tests. A feature that a document does not list has the value 0.
func (f *forest) testSparse(b *block, d *rank.Dataset, lo, rows int) {
	const words = trees.ForestWords
	for n := range f.tests {
		t := &f.tests[n]
		tests := b.rows[t.row*words:][:len(t.thresholds)*words]
		clear(tests)
		if t.zero < len(t.thresholds) {
			copy(tests[t.zero*words:(t.zero+1)*words], b.rows[allDocuments*words:])
		}
	}
	for i := range rows {
		columns, values := d.Sparse.Row(lo + i)
		word, bit := uint32(i/64), uint64(1)<<(i%64)
		for k, j := range columns {
			if int(j) >= len(f.testsOf) {
				break
			}
			n := int(f.testsOf[j])
			for ; n >= 0 && n < len(f.tests) && f.tests[n].feature == j; n++ {
				t := &f.tests[n]
				if t.zero < len(t.thresholds) {
					b.rows[(t.row+uint32(t.zero))*words+word] &^= bit
				}
				if first := t.first(values[k]); first < len(t.thresholds) {
					b.rows[(t.row+uint32(first))*words+word] |= bit
				}
			}
		}
	}
	for n := range f.categories.tables {
		values := b.values[:rows]
		for i := range values {
			values[i] = valueOf(d, lo+i, f.categories.tables[n].feature)
		}
		f.categories.block(b.rows[f.sets*words:], n, values)
	}
	for n := range f.tests {
		t := &f.tests[n]
		trees.ForestOr(b.rows[t.row*words:][:len(t.thresholds)*words])
	}
}
