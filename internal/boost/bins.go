package boost

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
)

// Bins are the features of a dataset as small integers. Those of sparse data whose rows mostly have
// one bin are in sparse, all others are dense, in columns of one byte a row. Features of few bins
// share a column, so that one update of a histogram counts for all of them: see join.
type Bins struct {
	rows, features int

	feature []Binning // of each feature
	at      []int     // of each feature: where its cells begin in the histograms of a leaf
	cells   int       // of the histograms of a leaf

	columns [][]int32 // dense features of each column, ascending
	digits  []digit   // of each dense feature
	wide    []uint8   // byte of row i in column k at wide[i·stride+k]; 0 behind the last column
	stride  int       // columns rounded up to 8
	// the same byte at cols[k·rows+i], for faster partitions; nil where that takes much memory
	cols []uint8

	sparse sparseBins

	file    *memory.File // of wide and cols; nil when they are in memory
	Dropped []Dropped    // of categorical features of which not all values have bins of their own
}

// A digit tells the bin of a feature from the byte of its column: byte/unit % bins, where bins are
// those of the feature.
type digit struct{ column, unit int }

// Bytes returns the memory of the bins.
func (b *Bins) Bytes() int64 {
	if b.file != nil {
		return b.sparse.bytes()
	}
	return int64(len(b.cols)+len(b.wide)) + b.sparse.bytes()
}

// A binning says what the bins of a feature stand for: ranges of a numerical one, or categories.
type Binning struct {
	// bin b holds Bounds[b−1] < x ≤ Bounds[b]; the last bound is +Inf; nil when categorical
	Bounds     []float32
	Categories []int32 // bin b holds Categories[b], by falling number of rows; nil when numerical
	// bin of the categories that have none of their own, to be kept on the right as unknown ones
	// are; else −1
	Other   int
	Missing int // bin of missing values, the last; −1 when there are none
	Bins    int // all of them
}

// BinOptions say how features are sorted into bins.
type BinOptions struct {
	// bins of a feature at most, missing values included; 1 more if none of them is among the
	// sampled rows
	MaxBins     int
	ZeroMissing bool // 0 is missing as NaN is
	Categorical []int
	Threads     int
	File        string // to keep dense features in; "" means memory
}

const (
	binSample = 200_000 // rows that bounds are computed of, LightGBM's bin_construct_sample_cnt
	binRows   = 3       // sampled rows of a bin at least, LightGBM's min_data_in_bin
	binLine   = 16      // features that a task samples: a line of the cache
	binTask   = 4096    // rows that a task bins
	// of them at once, so that they stay in the cache from one feature to the next
	binBlock = 512
)

// ColumnBytes is how much memory the columns of [Bins] take at most. Tests change it.
var ColumnBytes = 64 << 20

// NewBins sorts the features of d into bins. Bounds are quantiles: as many rows in every bin as
// ties let them, with a bin of its own for any value that has so many. They lie midway between
// neighboring values. The bins do not depend on the number of threads.
func NewBins(ctx context.Context, d *Matrix, opts BinOptions) (*Bins, error) {
	rows, workers := d.Rows, parallel.Threads(opts.Threads)
	b := &Bins{rows: rows, features: d.Cols, feature: make([]Binning, d.Cols)}
	lookup := make([]*categoryBins, d.Cols) // of categorical features
	err := opts.Check(rows, d.Cols)
	if err != nil {
		return nil, err
	}
	for _, f := range opts.Categorical {
		lookup[f] = &categoryBins{}
	}
	if d.Offsets != nil {
		err = b.sortSparse(ctx, d, opts, workers, lookup)
	} else {
		err = b.sortDense(ctx, d, opts, workers, lookup)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	for _, l := range lookup {
		if l != nil && l.dropped.Categories+l.dropped.Negative > 0 {
			b.Dropped = append(b.Dropped, l.dropped)
		}
	}
	return b, nil
}

// sortDense sorts the features of dense data into bins.
func (b *Bins) sortDense(ctx context.Context, d *Matrix, opts BinOptions, workers int,
	lookup []*categoryBins) error {
	if err := b.bound(ctx, d, opts, workers, lookup); err != nil {
		return err
	}
	dense := make([]int32, b.features)
	for f := range dense {
		dense[f] = int32(f)
	}
	for {
		b.join(dense)
		if err := b.layout(opts); err != nil {
			return err
		}
		missing := make([]atomic.Bool, d.Cols)
		scratch := make([][]uint8, workers)
		err := parallel.For(ctx, workers, (b.rows+binTask-1)/binTask, func(worker, task int) {
			if scratch[worker] == nil {
				scratch[worker] = make([]uint8, 9*binBlock)
			}
			end := min((task+1)*binTask, b.rows)
			for i := task * binTask; i < end; i += binBlock {
				b.fill(d, i, min(i+binBlock, end), opts.ZeroMissing, lookup, missing, scratch[worker])
			}
		})
		if err != nil {
			return err
		}
		// Missing values that were not in the sample take a bin more than there was room for.
		again := false
		for f := range b.feature {
			if b.feature[f].Missing < 0 && missing[f].Load() {
				b.feature[f].addMissing()
				again = again || len(b.columns[b.digits[f].column]) > 1
			}
		}
		if !again {
			return nil
		}
		b.Close()
	}
}

// addMissing adds a bin for missing values.
func (b *Binning) addMissing() { b.Missing, b.Bins = b.Bins, b.Bins+1 }

// join gives the dense features their columns. The bins of features that share one are the digits
// of its byte, as in a number whose digits have bases of their own: as many features as keep it
// below columnValues.
func (b *Bins) join(dense []int32) {
	b.columns, b.digits = nil, make([]digit, b.features)
	order := slices.Clone(dense)
	slices.SortStableFunc(order, func(f, g int32) int { return b.feature[g].Bins - b.feature[f].Bins })
	var open [columnValues/2 + 1][]int // columns by how many bins a further feature may have
	values := []int{}                  // of each column
	for _, f := range order {
		n, k := b.feature[f].Bins, -1
		for room := n; room < len(open) && k < 0; room++ { // as little room as will do
			if last := len(open[room]) - 1; last >= 0 {
				k, open[room] = open[room][last], open[room][:last]
			}
		}
		if k < 0 {
			k = len(b.columns)
			b.columns, values = append(b.columns, nil), append(values, 1)
		}
		b.columns[k], values[k] = append(b.columns[k], f), values[k]*n
		if room := min(columnValues/values[k], len(open)-1); room > 1 {
			open[room] = append(open[room], k)
		}
	}
	for _, fs := range b.columns {
		slices.Sort(fs)
	}
	slices.SortFunc(b.columns, func(x, y []int32) int { return cmp.Compare(x[0], y[0]) })
	for k, fs := range b.columns {
		unit := 1
		for _, f := range fs {
			b.digits[f] = digit{k, unit}
			unit *= b.feature[f].Bins
		}
	}
}

// layout makes room for the columns, and places their histograms.
func (b *Bins) layout(opts BinOptions) error {
	b.arrange()
	size := b.rows * b.stride
	if opts.File == "" {
		if b.wide = memory.Make[uint8](size); size <= ColumnBytes {
			b.cols = memory.Make[uint8](size)
		}
	} else {
		var err error
		if b.file, err = memory.Create(opts.File, int64(2*size)); err != nil {
			return &FileError{err}
		}
		b.wide, b.cols = b.file.Bytes[:size:size], b.file.Bytes[size:]
	}
	return nil
}

// arrange places the histograms of dense features: those of columns, then those of features that
// share one.
func (b *Bins) arrange() {
	b.stride = (len(b.columns) + 7) &^ 7
	b.at = make([]int, b.features)
	b.cells = b.stride * trees.HistogramCells
	for k, fs := range b.columns {
		for _, f := range fs {
			if b.at[f] = k * trees.HistogramCells; len(fs) > 1 {
				b.at[f] = b.cells
				b.cells += b.feature[f].Bins
			}
		}
	}
}

// addRows adds rows of a leaf to the histograms of the groups, adjacent ones together: rows by
// their numbers, or, of all rows in order, those from from on.
func (b *Bins) addRows(hist []int64, groups []int, from int, rows []uint32, gh []int64, tile []uint8) {
	if len(gh) == 0 {
		return
	}
	for i := 0; i < len(groups); {
		j := i + 1
		for j < len(groups) && groups[j] == groups[j-1]+1 {
			j++
		}
		lo, hi := groups[i]*8, groups[j-1]*8+8
		part := hist[lo*trees.HistogramCells : hi*trees.HistogramCells]
		var cols []uint8
		if rows == nil && b.cols != nil && b.file == nil { // a file is read from its start to its end
			cols = b.cols[lo*b.rows+from:]
		}
		trees.HistogramU8(part, b.wide[from*b.stride+lo:], b.stride, cols, b.rows, rows, gh, tile)
		i = j
	}
}

// leftOf returns the bytes of the column of a dense feature that go left where these bins of it do.
func (b *Bins) leftOf(f int32, bins *[4]uint64) (left [4]uint64) {
	d := b.digits[f]
	if len(b.columns[d.column]) == 1 {
		return *bins
	}
	for v, n := 0, b.feature[f].Bins; v < columnValues; v++ {
		if inSet(bins, uint8(v/d.unit%n)) {
			left[v/64] |= 1 << (v % 64)
		}
	}
	return left
}

func inSet(set *[4]uint64, v uint8) bool { return set[v/64]>>(v%64)&1 != 0 }

// marginals turns the histogram of column k in hist into those of its features, when it has
// several.
func (b *Bins) marginals(hist []int64, k int) {
	fs := b.columns[k]
	if len(fs) < 2 {
		return
	}
	cells := hist[k*trees.HistogramCells:]
	for i := len(fs) - 1; i > 0; i-- {
		f := fs[i]
		if n := b.feature[f].Bins; n > 1 { // else it cannot be split
			takeDigit(hist[b.at[f]:][:n], cells, b.digits[f].unit)
		}
	}
	copy(hist[b.at[fs[0]]:][:b.feature[fs[0]].Bins], cells)
}

// takeDigit sums the cells of a column whose last digit has the unit into those of its bins, and
// leaves the sums of the digits below in the first cells. Inlined, it would run out of registers.
//
//go:noinline
func takeDigit(own, cells []int64, unit int) {
	below := cells[:unit]
	own[0] = trees.SumI64(below)
	for bin := 1; bin < len(own); bin++ {
		sum := int64(0)
		for j, v := range cells[bin*unit:][:len(below)] {
			sum += v
			below[j] += v
		}
		own[bin] = sum
	}
}

// Close removes the file of the bins.
func (b *Bins) Close() {
	if b.file != nil {
		b.cols, b.wide = nil, nil
		b.file.Close()
	}
}

// bound finds the bounds and categories of all features.
func (b *Bins) bound(ctx context.Context, d *Matrix, opts BinOptions, workers int, lookup []*categoryBins) error {
	sample, x := SampleRows(b.rows), d
	if opts.File != "" {
		// One pass over data that may be larger than the memory, not one for each few features.
		x = &Matrix{Rows: len(sample), Cols: d.Cols, X: make([]float32, len(sample)*d.Stride), Stride: d.Stride}
		for k, r := range sample {
			copy(x.row(k), d.row(int(r)))
			sample[k] = uint32(k)
		}
	}
	tasks := (d.Cols + binLine - 1) / binLine
	scratch := make([]*boundScratch, min(workers, tasks))
	bad := make([]error, tasks)
	err := parallel.For(ctx, workers, tasks, func(worker, task int) {
		if scratch[worker] == nil {
			scratch[worker] = newBoundScratch(len(sample), binLine)
		}
		s, from := scratch[worker], task*binLine
		to := min(from+binLine, d.Cols)
		s.load(x, sample, from, to)
		for f := from; f < to && bad[task] == nil; f++ {
			if lookup[f] == nil {
				missing := false
				if b.feature[f], missing = s.numerical(s.columns[f-from], 0, opts); missing {
					b.feature[f].addMissing()
				}
			} else if b.feature[f], bad[task] = lookup[f].fit(f, rowsOf(d, f), 0, opts); lookup[f].lacks {
				b.feature[f].addMissing()
			}
		}
	})
	if err != nil {
		return err
	}
	for _, err := range bad {
		if err != nil {
			return err
		}
	}
	return nil
}

// fill sets the bytes of rows from to to−1, and missing of features that have missing values. Where
// missing is nil, values without a bin get the last one. It takes scratch of 9·binBlock bytes.
func (b *Bins) fill(d *Matrix, from, to int, zeroMissing bool, lookup []*categoryBins, missing []atomic.Bool,
	scratch []uint8) {
	n := to - from
	cols, pitch, tmp := scratch, binBlock, scratch[8*binBlock:][:n]
	for k := 0; k < b.stride; k += 8 {
		if b.cols != nil {
			cols, pitch = b.cols[k*b.rows+from:], b.rows
		}
		for j := range 8 {
			col := cols[j*pitch:][:n]
			if k+j >= len(b.columns) {
				clear(col)
				continue
			}
			for i, f := range b.columns[k+j] {
				dst := col
				if i > 0 {
					dst = tmp
				}
				x, any := d.X[from*d.Stride+int(f):], false
				if lookup[f] == nil {
					any = trees.BinF32(dst, x, d.Stride, b.feature[f].Bounds, zeroMissing)
				} else {
					for i := range dst {
						dst[i] = lookup[f].bin(x[i*d.Stride], zeroMissing)
						any = any || dst[i] == lookup[f].missing
					}
				}
				if missing == nil {
					last := uint8(b.feature[f].Bins - 1)
					for i, bin := range dst {
						dst[i] = min(bin, last)
					}
				} else if any && !missing[f].Load() {
					missing[f].Store(true)
				}
				if i > 0 {
					addDigits(col, tmp, b.digits[f].unit)
				}
			}
		}
		trees.InterleaveU8(b.wide[from*b.stride+k:], b.stride, cols, pitch, n)
	}
}

// addDigits adds the bins of a feature to the bytes of the column that it shares.
func addDigits(col, bins []uint8, unit int) {
	for i, bin := range bins {
		col[i] += bin * uint8(unit)
	}
}

// SampleRows returns all of few rows, and of many binSample, one from each of as many equal parts.
func SampleRows(rows int) []uint32 {
	s := make([]uint32, min(rows, binSample))
	draw := num.Xorshift(rows)
	for k := range s {
		if rows <= binSample {
			s[k] = uint32(k)
			continue
		}
		lo, hi := uint64(k)*uint64(rows)/binSample, uint64(k+1)*uint64(rows)/binSample
		s[k] = uint32(lo + draw.Next()>>32*(hi-lo)>>32)
	}
	return s
}

// boundScratch is the memory of a worker that computes bounds.
type boundScratch struct {
	columns [binLine][]float32
	tmp     []float32
	values  []float32 // the different ones of a column
	counts  []int     // rows of each
}

func newBoundScratch(sample, columns int) *boundScratch {
	s := &boundScratch{tmp: make([]float32, sample), values: make([]float32, sample), counts: make([]int, sample)}
	// The columns begin in different sets of the cache.
	pitch := (sample+1023)&^1023 + binLine
	all := make([]float32, columns*pitch)
	for j := range s.columns[:columns] {
		s.columns[j] = all[j*pitch:][:sample:sample]
	}
	return s
}

// load copies features from to to−1 of the sampled rows to the columns.
func (s *boundScratch) load(d *Matrix, sample []uint32, from, to int) {
	if to-from < binLine {
		for k, r := range sample {
			for j, v := range d.row(int(r))[from:to] {
				s.columns[j][k] = v
			}
		}
		return
	}
	// Eight columns at once, for which there are registers.
	for j := 0; j < binLine; j += 8 {
		n := len(sample)
		c0, c1, c2, c3 := s.columns[j][:n], s.columns[j+1][:n], s.columns[j+2][:n], s.columns[j+3][:n]
		c4, c5, c6, c7 := s.columns[j+4][:n], s.columns[j+5][:n], s.columns[j+6][:n], s.columns[j+7][:n]
		for k, r := range sample {
			x := (*[8]float32)(d.X[int(r)*d.Stride+from+j:])
			c0[k], c1[k], c2[k], c3[k] = x[0], x[1], x[2], x[3]
			c4[k], c5[k], c6[k], c7[k] = x[4], x[5], x[6], x[7]
		}
	}
}

// numerical returns the bins of a feature with the values x, which it sorts, and so many zeros
// besides, but for one of missing values, and whether there are any. There are no zeros in x if
// there are any besides.
func (s *boundScratch) numerical(x []float32, zeros int, opts BinOptions) (_ Binning, missing bool) {
	n := 0
	for _, v := range x {
		if v == v && !(opts.ZeroMissing && v == 0) {
			x[n] = v
			n++
		}
	}
	maxBins := opts.MaxBins
	if missing = n < len(x) || zeros > 0 && opts.ZeroMissing; missing {
		maxBins--
	}
	if opts.ZeroMissing {
		zeros = 0
	}
	x = x[:n]
	trees.SortF32(x, s.tmp[:n])
	values, counts := s.values, s.counts
	m, from := 0, 0
	for i, v := range x {
		if i+1 == n || x[i+1] != v {
			values[m], counts[m] = v, i+1-from
			m, from = m+1, i+1
		}
	}
	values, counts = values[:m], counts[:m]
	if zeros > 0 {
		i, _ := slices.BinarySearch(values, 0)
		values, counts = slices.Insert(values, i, 0), slices.Insert(counts, i, zeros)
		m, n = m+1, n+zeros
	}
	var bounds []float32
	if m <= maxBins {
		bounds = fewBounds(values, counts)
	} else {
		bounds = quantileBounds(values, counts, n, max(min(maxBins, n/binRows), 1))
	}
	bounds = append(bounds, float32(math.Inf(1)))
	return Binning{Bounds: bounds, Other: -1, Missing: -1, Bins: len(bounds)}, missing
}

// fewBounds separates all values, but for those of too few rows.
func fewBounds(values []float32, counts []int) (bounds []float32) {
	rows := 0
	for i, v := range values {
		if rows += counts[i]; rows >= binRows && i+1 < len(values) {
			bounds, rows = append(bounds, midway(v, values[i+1])), 0
		}
	}
	return bounds
}

// quantileBounds returns at most n−1 bounds between values of the given numbers of rows. It is
// LightGBM's greedy algorithm: values that fill a bin get one, and the others fill the remaining
// bins in order, each up to the mean of what was left when it was begun.
func quantileBounds(values []float32, counts []int, rows, n int) (bounds []float32) {
	fills := func(i int) bool { return counts[i]*n >= rows }
	rest, restBins := rows, n
	for i := range values {
		if fills(i) {
			rest -= counts[i]
			restBins--
		}
	}
	meanRows, meanBins := rest, restBins // the mean is their ratio
	size := 0
	for i := 0; i+1 < len(values) && len(bounds) < n-1; i++ {
		size += counts[i]
		if !fills(i) {
			rest -= counts[i]
		}
		full := meanBins > 0 && size*meanBins >= meanRows
		half := meanBins <= 0 || 2*size*meanBins >= meanRows
		if !fills(i) && !full && !(fills(i+1) && half) {
			continue
		}
		if !fills(i) {
			restBins--
			meanRows, meanBins = rest, restBins
		}
		bounds, size = append(bounds, midway(values[i], values[i+1])), 0
	}
	return bounds
}

// midway returns a bound between neighboring values a < b: a ≤ bound < b.
func midway(a, b float32) float32 {
	if m := float32((float64(a) + float64(b)) / 2); a <= m && m < b {
		return m
	}
	return a
}

// rowsOf returns the values of feature f of dense data.
func rowsOf(d *Matrix, f int) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		for i := range d.Rows {
			if !yield(i, d.X[i*d.Stride+f]) {
				return
			}
		}
	}
}

// categoryBins finds the bins of categories.
type categoryBins struct {
	dropped Dropped
	sorted  []int32 // categories with a bin of their own
	binOf   []uint8 // their bins
	other   uint8   // bin of the other categories, or of the missing values if there are none
	missing uint8
	lacks   bool // there are missing values
}

// fit gives the most frequent categories of feature f bins. values are those of all rows, not of
// the sample, but for so many zeros.
func (c *categoryBins) fit(f int, values iter.Seq2[int, float32], zeros int,
	opts BinOptions) (Binning, error) {
	rows, missing := map[int32]int{}, 0
	switch {
	case zeros > 0 && opts.ZeroMissing:
		missing = 1
	case zeros > 0:
		rows[0] = zeros
	}
	c.dropped = Dropped{Feature: f}
	for i, v := range values {
		if v < 0 {
			c.dropped.Negative++
		}
		if isMissingCategory(v, opts.ZeroMissing) {
			missing = 1
			continue
		}
		if err := checkCategory(i, f, v); err != nil {
			return Binning{}, err
		}
		rows[int32(v)]++
	}
	return c.settle(rows, missing, opts), nil
}

// checkCategory returns an error when the value v of feature f in row i, which is not missing, is
// no category.
func checkCategory(i, f int, v float32) error {
	if v >= maxCategory || v != float32(int32(v)) {
		return &CategoryError{i, f, v}
	}
	return nil
}

// settle gives the most frequent categories bins by their numbers of rows; missing is 1 when values
// are missing, else 0.
func (c *categoryBins) settle(rows map[int32]int, missing int, opts BinOptions) Binning {
	type count struct {
		category int32
		rows     int
	}
	all := make([]count, 0, len(rows))
	for category, n := range rows {
		all = append(all, count{category, n})
	}
	slices.SortFunc(all, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.category, b.category))
	})
	c.lacks = missing > 0
	out := Binning{Categories: []int32{}, Other: -1, Missing: -1}
	if most := opts.MaxBins - missing; len(all) > most {
		out.Other = most - 1
		for _, a := range all[out.Other:] {
			c.dropped.Categories++
			c.dropped.Rows += a.rows
		}
		all = all[:out.Other]
	}
	for _, a := range all {
		out.Categories = append(out.Categories, a.category)
	}
	if out.Bins = len(all); out.Other >= 0 {
		out.Bins++
	}
	c.index(&out)
	return out
}

// index makes c tell the bins of b.
func (c *categoryBins) index(b *Binning) {
	n := len(b.Categories)
	if c.other, c.missing = uint8(n), uint8(n); b.Other >= 0 {
		c.missing++
	}
	c.sorted = slices.Sorted(slices.Values(b.Categories))
	c.binOf = make([]uint8, n)
	for bin, category := range b.Categories {
		i, _ := slices.BinarySearch(c.sorted, category)
		c.binOf[i] = uint8(bin)
	}
}

func (c *categoryBins) bin(v float32, zeroMissing bool) uint8 {
	if isMissingCategory(v, zeroMissing) {
		return c.missing
	}
	if i, ok := slices.BinarySearch(c.sorted, int32(v)); ok {
		return c.binOf[i]
	}
	return c.other
}

// isMissingCategory reports whether v stands for no category: as in LightGBM, negative numbers do
// not.
func isMissingCategory(v float32, zeroMissing bool) bool {
	return !(v >= 0) || zeroMissing && v == 0
}

// Check returns an error unless there is something to sort into bins, and the categorical features
// are some of the data's.
func (o *BinOptions) Check(rows, cols int) error {
	if rows == 0 || cols == 0 {
		return fmt.Errorf("lambdamart: nothing to train on: %d rows of %d features", rows, cols)
	}
	for _, f := range o.Categorical {
		if f < 0 || f >= cols {
			return fmt.Errorf("lambdamart: categorical feature %d: features are 0 to %d", f, cols-1)
		}
	}
	return nil
}

// A FileError says that the file of the bins cannot be made.
type FileError struct{ Err error }

func (e *FileError) Error() string { return "lambdamart: file of bins " + e.Err.Error() }

// columnValues is how many values a byte of a column has.
const columnValues = 256

const maxCategory = 1 << 24 // float32 holds all integers below

// A CategoryError says that the value of a categorical feature, which is not missing, is no
// category.
type CategoryError struct {
	Row, Feature int
	Value        float32
}

func (e *CategoryError) Error() string {
	return fmt.Sprintf("lambdamart: row %d: %s", e.Row, e.About(fmt.Sprintf("feature %d", e.Feature+1)))
}

// About returns what is wrong with the value of a feature of that name.
func (e *CategoryError) About(feature string) string {
	return fmt.Sprintf("%v is no category of %s: want an integer below %d", e.Value, feature, maxCategory)
}

// Dropped counts the values of a categorical feature that training does not tell apart: see
// lambdamart.DroppedCategories.
type Dropped struct{ Feature, Categories, Rows, Negative int }
