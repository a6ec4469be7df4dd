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

// A forest contains trees in the form of [trees.ForestSelect] and [trees.ForestAddF64], for
// datasets with any number of columns, dense or sparse. A block has these rows of bits, in order: a
// row for no documents, a row for all documents, one row per test, scratch rows, and the planes of
// a few trees.
type forest struct {
	trees      []Tree
	tests      []tests // by feature
	testsOf    []int32 // index of the first tests of each feature; −1 if there are none
	ranges     []columnRange
	categories *categories
	sets       uint32 // first row of a categorical split; the number of these rows is a multiple of 64
	temporary  uint32 // first row that is neither a constant nor a test
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
// scores. It is small enough for the first-level cache and large enough to hide the latency of
// loading and storing scores.
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

// tests contains the splits of all trees that compare the values of a feature in the same form.
type tests struct {
	feature    int32
	form       form
	thresholds []float32 // ascending
	row        uint32    // row of the first test
	zero       int       // index of the first test that 0 passes
}

// A columnRange is a range of columns that are transposed at once: whole cache lines of columns
// that tests use.
type columnRange struct {
	from, to int // columns
	tests    int // end of the tests of these columns
}

// A form is the transformation of values before a comparison. A document passes a test if its
// transformed value is at most the threshold, so NaN never passes.
type form uint8

const (
	negated     form = 1 << iota // compare −v: documents that pass go right, and missing values go left
	zeroMissing                  // 0 becomes NaN
)

func (f form) of(v float32) float32 {
	if v == 0 && f&zeroMissing != 0 {
		return float32(math.NaN())
	}
	if f&negated != 0 {
		return -v
	}
	return v
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

// findTests lists the tests. It returns the row of each split, tree by tree, of all trees that are
// not too large. reversed is added if documents of the row go right.
func (f *forest) findTests() []uint32 {
	// Numerical splits are sorted by feature, form, threshold and number.
	type split struct {
		feature   int32
		form      form
		threshold float32
		number    int32
	}
	var splits []split
	var testOf []uint32
	var distinct distinctSplits
	var categorical []int32 // elements of testOf; they are numbers of distinct until its splits are sorted
	row := uint32(allDocuments + 1)
	for i := range f.trees {
		if f.bits[i] == 0 {
			continue
		}
		t := &f.trees[i]
		for s, j := range t.Feature {
			testOf = append(testOf, 0)
			number := len(testOf) - 1
			if t.categorical(s) {
				categorical = append(categorical, int32(number))
				testOf[number] = uint32(distinct.number(f.trees, i, s))
				continue
			}
			v, threshold := split{feature: j, number: int32(number)}, t.Threshold[s]
			if t.zeroMissing(s) {
				v.form |= zeroMissing
			}
			if t.missingLeft(s) {
				if threshold == float32(math.Inf(1)) {
					testOf[number] = noDocuments | reversed // all go left
					continue
				}
				v.form |= negated
				threshold = -math.Nextafter32(threshold, float32(math.Inf(1)))
			}
			v.threshold = threshold
			splits = append(splits, v)
		}
	}
	slices.SortFunc(splits, func(a, b split) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.form, b.form),
			cmp.Compare(a.threshold, b.threshold))
	})
	for n, s := range splits {
		if n == 0 || splits[n-1].feature != s.feature || splits[n-1].form != s.form {
			f.tests = append(f.tests, tests{feature: s.feature, form: s.form, row: row})
		} else if splits[n-1].threshold == s.threshold {
			testOf[s.number] = testOf[splits[n-1].number]
			continue
		}
		t := &f.tests[len(f.tests)-1]
		t.thresholds = append(t.thresholds, s.threshold)
		testOf[s.number] = row
		if s.form&negated != 0 {
			testOf[s.number] |= reversed
		}
		row++
	}
	f.sets = row
	place := distinct.sort()
	for _, number := range categorical {
		testOf[number] = f.sets + uint32(place[testOf[number]])
	}
	f.categories = newCategories(f.trees, distinct.splits)
	f.temporary = f.sets + 64*uint32(f.categories.words)
	if n := len(f.tests); n > 0 {
		f.testsOf = slices.Repeat([]int32{-1}, int(f.tests[n-1].feature)+1)
	}
	for n := range f.tests {
		t := &f.tests[n]
		t.zero = trees.ForestTest(t.thresholds, t.form.of(0))
		if f.testsOf[t.feature] < 0 {
			f.testsOf[t.feature] = int32(n)
		}
		from := int(t.feature) &^ (forestLine - 1)
		if r := len(f.ranges) - 1; r < 0 || f.ranges[r].to < from || from+forestLine-f.ranges[r].from > forestColumns {
			f.ranges = append(f.ranges, columnRange{from: from})
		}
		r := &f.ranges[len(f.ranges)-1]
		r.to, r.tests = from+forestLine, n+1
	}
	return testOf
}

const (
	reversed   = 1 << 31 // documents of the row go right
	firstPlane = 1 << 30 // temporary first plane, until the start of the planes is known
)

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
// of d, starting with row lo. It also stores their stages, if any.
func (f *forest) addBlock(dst []float64, d *rank.Dataset, lo, count int, stages *stages) {
	b := f.newBlock()
	defer func() {
		b.row = denseRow{} // it references a slice of the dataset
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
	const words = trees.ForestWords
	if d.Sparse == nil {
		f.testDense(b, d, lo, rows)
	} else {
		f.testSparse(b, d, lo, rows)
	}
	if f.categories.words > 0 {
		f.categories.block(b.rows[f.sets*words:][:64*words*f.categories.words], d, lo, rows)
	}
}

func (f *forest) testDense(b *block, d *rank.Dataset, lo, rows int) {
	const words, size = trees.ForestWords, trees.ForestRows
	columns := columnBlocks.Get().(*[forestColumns * trees.ForestRows]float32)
	defer columnBlocks.Put(columns)
	end := (rows + 63) &^ 63
	n := 0
	for _, r := range f.ranges {
		if cols := min(r.to, d.Cols) - r.from; cols > 0 {
			trees.ForestColumnsF32(columns[:cols*size], d.X[lo*d.Stride+r.from:], rows, cols, d.Stride)
		}
		for ; n < r.tests; n++ {
			t := &f.tests[n]
			values := b.values[:end]
			if int(t.feature) >= d.Cols {
				clear(values)
			} else if column := columns[(int(t.feature)-r.from)*size:][:end]; t.form == 0 {
				values = column
			} else {
				copy(values, column)
			}
			if t.form != 0 {
				for i, v := range values {
					values[i] = t.form.of(v)
				}
			}
			trees.ForestTestsF32(b.rows[t.row*words:][:len(t.thresholds)*words], values, t.thresholds)
		}
	}
}

// testSparse sets the bit of each document in the row of the first test of a feature that it
// passes, and in all later rows. Documents that do not list the feature pass with the value 0.
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
				if first := trees.ForestTest(t.thresholds, t.form.of(values[k])); first < len(t.thresholds) {
					b.rows[(t.row+uint32(first))*words+word] |= bit
				}
			}
		}
	}
	for n := range f.tests {
		t := &f.tests[n]
		trees.ForestOr(b.rows[t.row*words:][:len(t.thresholds)*words])
	}
}
