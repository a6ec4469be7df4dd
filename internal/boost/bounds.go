package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// bound finds the bounds of numerical features and the categories of categorical ones.
func (b *Bins) bound(ctx context.Context, d *rank.Dataset, opts BinOptions, workers int, lookup []*categoryBins) error {
	sample, x := SampleRows(b.rows), d
	if opts.File != "" {
		// Copy the sample: the data may be larger than the memory, and a pass for each few features
		// would be slow.
		x = &rank.Dataset{Cols: d.Cols, X: make([]float32, len(sample)*d.Stride), Stride: d.Stride}
		for k, r := range sample {
			copy(x.Row(k), d.Row(int(r)))
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
			} else if b.feature[f], bad[task] = lookup[f].fit(d, f, rowsOf(d, f), 0, opts); lookup[f].lacks {
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

// SampleRows returns all rows if there are few. Otherwise it returns binSample rows, one from each
// of binSample parts of equal size.
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

// boundScratch is the scratch memory of a worker that computes bounds.
type boundScratch struct {
	columns [binLine][]float32
	tmp     []float32
	values  []float32 // the distinct values of a column
	counts  []int     // number of rows with each value
}

func newBoundScratch(sample, columns int) *boundScratch {
	s := &boundScratch{tmp: make([]float32, sample), values: make([]float32, sample), counts: make([]int, sample)}
	// Let the columns begin in different cache sets, since they are written in parallel.
	pitch := (sample+1023)&^1023 + binLine
	all := make([]float32, columns*pitch)
	for j := range s.columns[:columns] {
		s.columns[j] = all[j*pitch:][:sample:sample]
	}
	return s
}

// load copies features from to to−1 of the sampled rows to the columns.
func (s *boundScratch) load(d *rank.Dataset, sample []uint32, from, to int) {
	if to-from < binLine {
		for k, r := range sample {
			for j, v := range d.Row(int(r))[from:to] {
				s.columns[j][k] = v
			}
		}
		return
	}
	// Copy eight columns at once, as many as there are registers for.
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

// numerical returns the bins of a feature without a bin for missing values, and reports whether
// there are missing values. The values are x, which numerical sorts, and additional zeros. If zeros
// is not 0, x contains no zeros.
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
	b := Binning{Bounds: bounds, Other: -1, Missing: -1, Median: -1, Bins: len(bounds)}
	for i, rest := 0, (n-1)/2; i < m; i++ { // rest is the number of values below the lower median
		if rest -= counts[i]; rest < 0 {
			b.Median, _ = slices.BinarySearch(bounds, values[i])
			break
		}
	}
	return b, missing
}

// fewBounds separates all values except those with too few rows.
func fewBounds(values []float32, counts []int) (bounds []float32) {
	rows := 0
	for i, v := range values {
		if rows += counts[i]; rows >= binRows && i+1 < len(values) {
			bounds, rows = append(bounds, midway(v, values[i+1])), 0
		}
	}
	return bounds
}

// quantileBounds returns at most n−1 bounds between values, given the number of rows of each value.
// It is LightGBM's greedy algorithm. Values with enough rows to fill a bin get a bin of their own.
// The others fill the remaining bins in order. A bin is full when it reaches the mean number of the
// rows that remained when it was started.
func quantileBounds(values []float32, counts []int, rows, n int) (bounds []float32) {
	fills := func(i int) bool { return counts[i]*n >= rows }
	rest, restBins := rows, n
	for i := range values {
		if fills(i) {
			rest -= counts[i]
			restBins--
		}
	}
	meanRows, meanBins := rest, restBins // the remaining rows and bins, whose ratio is the mean
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

// midway returns a bound between adjacent values a < b such that a ≤ bound < b.
func midway(a, b float32) float32 {
	if m := float32((float64(a) + float64(b)) / 2); a <= m && m < b {
		return m
	}
	return a
}
