package boost

import (
	"context"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/ranksvm"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// sparseBins contains the features in which most rows have the same bin, the bin of 0. It is called
// the usual bin of the feature. It lists only the rows in other bins, in two layouts with five and
// two bytes per listed row. The cell of the usual bin is the sum of a leaf minus the listed rows.
type sparseBins struct {
	features []int32 // in ascending order
	usual    []uint8 // the usual bin of each feature
	at       []int   // start of each feature's cells in the histograms of a leaf, and the end of the last

	// For partitions: feature k lists the rows from offsets[k] to offsets[k+1]−1, in ascending
	// order, with their bins.
	offsets []int
	rows    []uint32
	bins    []uint8

	stripes []stripe
}

// A stripe lists the bins of adjacent sparse features row by row, for histograms. The histograms of
// its features have at most stripeCells cells, so that they stay in the cache.
type stripe struct {
	from, to int      // its features among the sparse features
	at       int      // start of its cells in the histograms of a leaf
	cells    int      // number of cells of its features
	offsets  []uint32 // row i has the entries offsets[i] to offsets[i+1]−1
	entries  []uint16 // cells, relative to at
}

const (
	stripeCells   = 1 << 16
	stripeEntries = math.MaxUint32
	// A stripe of at least this many cells may be divided, so that every thread has one.
	stripeLeast = 1 << 12
	// A feature is sparse if at most one row in sparseShare is not in its usual bin.
	sparseShare = 8
)

// of returns the rows that feature k lists, and their bins.
func (s *sparseBins) of(k int) (rows []uint32, bins []uint8) {
	lo, hi := s.offsets[k], s.offsets[k+1]
	return s.rows[lo:hi], s.bins[lo:hi]
}

// place returns the index of feature f among the sparse features, and whether f is sparse.
func (b *Bins) place(f int32) (k int, sparse bool) { return slices.BinarySearch(b.sparse.features, f) }

func (s *sparseBins) bytes() int64 {
	n := len(s.features)*(4+1+8+8) + len(s.rows)*(4+1)
	for i := range s.stripes {
		n += len(s.stripes[i].offsets)*4 + len(s.stripes[i].entries)*2
	}
	return int64(n)
}

// A columns contains sparse data by column. Column j lists its nonzero values from offsets[j] to
// offsets[j+1]−1, in ascending order of row.
type columns struct {
	offsets []int
	rows    []uint32
	values  []float32
}

// occurring returns the columns of sparse data to divide into bins, in ascending order. It returns
// nil for all columns unless the data are very wide, and then those in which some row is not 0. The
// others are never split or sampled, because all of their values are equal or missing.
func occurring(d *rank.Dataset) []int32 {
	if d.Sparse == nil || !ranksvm.Wide(d.Cols, max(len(d.Sparse.Values), 1)) {
		return nil
	}
	set := ranksvm.NewColumns(d.Cols)
	set.Add(&ranksvm.Matrix{Offsets: d.Sparse.Offsets, Columns: d.Sparse.Columns, Values: d.Sparse.Values}, d.Rows())
	return set.Few(d.Cols)
}

// columnOf returns the column of feature f in the data.
func (b *Bins) columnOf(f int32) int32 {
	if b.column == nil {
		return f
	}
	return b.column[f]
}

// occurring returns the features of b that correspond to the given columns of the data.
func (b *Bins) occurring(columns []int) []int {
	if b.column == nil {
		return columns
	}
	features := make([]int, 0, len(columns))
	for _, j := range columns {
		if f, ok := slices.BinarySearch(b.column, int32(j)); ok {
			features = append(features, f)
		}
	}
	return features
}

// transpose returns the features of sparse data by column.
func (b *Bins) transpose(ctx context.Context, d *rank.Dataset, workers int) (*columns, error) {
	rows, x := d.Rows(), d.Sparse
	place := func(j int32) int32 { return j }
	if b.column != nil {
		place = ranksvm.NewPlaces(b.column).Of
	}
	// Each part of the rows has its own position in every column. There are so few parts that the
	// positions take no more memory than the values.
	parts := max(min(workers, len(x.Values)/max(b.features, 1)), 1)
	places := make([][]int, parts)
	each := func(part int, do func(row int, j int32, v float32)) {
		for i := rows * part / parts; i < rows*(part+1)/parts; i++ {
			for k := x.Offsets[i]; k < x.Offsets[i+1]; k++ {
				if v := x.Values[k]; v != 0 {
					do(i, place(x.Columns[k]), v)
				}
			}
		}
	}
	err := parallel.For(ctx, workers, parts, func(_, part int) {
		n := make([]int, b.features)
		each(part, func(_ int, j int32, _ float32) { n[j]++ })
		places[part] = n
	})
	if err != nil {
		return nil, err
	}
	c := &columns{offsets: make([]int, b.features+1)}
	at := 0
	for j := range b.features {
		c.offsets[j] = at
		for _, n := range places {
			n[j], at = at, at+n[j]
		}
	}
	c.offsets[b.features] = at
	c.rows, c.values = make([]uint32, at), make([]float32, at)
	return c, parallel.For(ctx, workers, parts, func(_, part int) {
		n := places[part]
		each(part, func(i int, j int32, v float32) {
			c.rows[n[j]], c.values[n[j]] = uint32(i), v
			n[j]++
		})
	})
}

// sortSparse assigns the features of sparse data to the same bins as if the data were dense.
func (b *Bins) sortSparse(ctx context.Context, d *rank.Dataset, opts BinOptions, workers int,
	lookup []*categoryBins) error {
	c, err := b.transpose(ctx, d, workers)
	if err != nil {
		return err
	}
	var sampled []bool // marks the sampled rows; nil if all rows are
	sample := b.rows
	if rows := SampleRows(b.rows); len(rows) < b.rows {
		sample, sampled = len(rows), make([]bool, b.rows)
		for _, r := range rows {
			sampled[r] = true
		}
	}

	bin := make([]uint8, len(c.values)) // one per value
	usual := make([]uint8, b.features)
	listed := make([]int, b.features) // number of values outside of the usual bin
	scratch := make([]*boundScratch, workers)
	bad := make([]error, b.features)
	err = parallel.For(ctx, workers, (b.features+binLine-1)/binLine, func(worker, task int) {
		for f := task * binLine; f < min((task+1)*binLine, b.features); f++ {
			lo, hi := c.offsets[f], c.offsets[f+1]
			rows, values, dst := c.rows[lo:hi], c.values[lo:hi], bin[lo:hi]
			zeros := b.rows - len(rows)
			zero, any := [1]uint8{}, zeros > 0 && opts.ZeroMissing
			if l := lookup[f]; l == nil {
				if scratch[worker] == nil {
					scratch[worker] = &boundScratch{}
				}
				s := scratch[worker]
				x := s.listed(rows, values, sampled)
				b.feature[f], _ = s.numerical(x, sample-len(x), opts)
				any = trees.BinF32(dst, values, 1, b.feature[f].Bounds, false) || any
				trees.BinF32(zero[:], []float32{0}, 1, b.feature[f].Bounds, opts.ZeroMissing)
			} else {
				pairs := func(yield func(int, float32) bool) {
					for k, r := range rows {
						if !yield(int(r), values[k]) {
							return
						}
					}
				}
				if b.feature[f], bad[f] = l.fit(d, int(b.columnOf(int32(f))), pairs, zeros, opts); bad[f] != nil {
					continue
				}
				for k, v := range values {
					dst[k] = l.bin(v, false)
					any = any || int(dst[k]) == b.feature[f].Bins
				}
				zero[0] = l.bin(0, opts.ZeroMissing)
			}
			if any {
				b.feature[f].addMissing()
			}
			usual[f] = zero[0]
			for _, v := range dst {
				if v != usual[f] {
					listed[f]++
				}
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
	c.values = nil

	var dense []int32
	for f, n := range listed {
		switch {
		case n > b.rows/sparseShare:
			dense = append(dense, int32(f))
		case n > 0:
			b.sparse.features = append(b.sparse.features, int32(f))
		}
	}
	b.join(dense)
	if err := b.layout(opts); err != nil {
		return err
	}
	if err := b.scatter(ctx, c, bin, usual, workers); err != nil {
		return err
	}
	return b.list(ctx, c, bin, usual, listed, workers)
}

// listed copies the values of sampled rows to the scratch memory. A nil sampled stands for all
// rows.
func (s *boundScratch) listed(rows []uint32, values []float32, sampled []bool) []float32 {
	if n := len(values) + 1; len(s.tmp) < n { // the caller may append a zero
		*s = *newBoundScratch(max(n, 2*len(s.tmp)), 1)
	}
	x := s.columns[0][:0]
	if sampled == nil {
		return append(x, values...)
	}
	for k, r := range rows {
		if sampled[r] {
			x = append(x, values[k])
		}
	}
	return x
}

// scatter fills the columns of dense features from sparse data.
func (b *Bins) scatter(ctx context.Context, c *columns, bin, usual []uint8, workers int) error {
	scratch := make([][]uint8, workers)
	return parallel.For(ctx, workers, b.stride/8, func(worker, task int) {
		cols := scratch[worker]
		switch {
		case b.cols != nil:
			cols = b.cols[task*8*b.rows:][:8*b.rows]
		case cols == nil:
			cols = make([]uint8, 8*b.rows)
			scratch[worker] = cols
		}
		clear(cols)
		for j, fs := range b.columns[task*8 : min(task*8+8, len(b.columns))] {
			col := cols[j*b.rows:][:b.rows]
			for _, f := range fs {
				unit := uint8(b.digits[f].unit)
				u := unit * usual[f]
				if u != 0 {
					for i := range col {
						col[i] += u
					}
				}
				for at := c.offsets[f]; at < c.offsets[f+1]; at++ {
					col[c.rows[at]] += unit*bin[at] - u
				}
			}
		}
		trees.InterleaveU8(b.wide[task*8:], b.stride, cols, b.rows, b.rows)
	})
}

// list fills both layouts of the sparse features.
func (b *Bins) list(ctx context.Context, c *columns, bin, usual []uint8, listed []int, workers int) error {
	s := &b.sparse
	n := len(s.features)
	s.usual, s.offsets, s.at = make([]uint8, n), make([]int, n+1), make([]int, n+1)
	cells := 0
	for k, f := range s.features {
		s.usual[k], s.offsets[k+1] = usual[f], s.offsets[k]+listed[f]
		cells += b.feature[f].Bins
	}
	s.rows, s.bins = make([]uint32, s.offsets[n]), make([]uint8, s.offsets[n])

	// Give the stripes about the same number of cells, and each thread the same number of stripes.
	stripes := (cells + stripeCells - 1) / stripeCells
	stripes = max(min((stripes+workers-1)/workers*workers, cells/stripeLeast), stripes)
	for k, f := range s.features {
		last := len(s.stripes) - 1
		if last < 0 || s.stripes[last].cells+b.feature[f].Bins > stripeCells ||
			s.stripes[last].cells*stripes >= cells ||
			int64(s.offsets[k+1]-s.offsets[s.stripes[last].from]) > stripeEntries {
			s.stripes = append(s.stripes, stripe{from: k, at: b.cells})
			last++
		}
		st := &s.stripes[last]
		b.at[f], s.at[k] = b.cells, b.cells
		st.to, st.cells, b.cells = k+1, st.cells+b.feature[f].Bins, b.cells+b.feature[f].Bins
	}
	s.at[n] = b.cells
	return parallel.For(ctx, workers, len(s.stripes), func(_, task int) {
		st := &s.stripes[task]
		at := s.offsets[st.from]
		st.offsets = make([]uint32, b.rows+1)
		for k := st.from; k < st.to; k++ {
			f := s.features[k]
			for i := c.offsets[f]; i < c.offsets[f+1]; i++ {
				if bin[i] != s.usual[k] {
					r := c.rows[i]
					s.rows[at], s.bins[at] = r, bin[i]
					at++
					st.offsets[r]++
				}
			}
		}
		sum := uint32(0)
		for i, n := range st.offsets {
			st.offsets[i], sum = sum, sum+n
		}
		// Placing an entry advances the offset of its row, so that in the end offsets[i] is the
		// start of row i+1.
		st.entries = make([]uint16, sum)
		for k := st.from; k < st.to; k++ {
			cell := b.at[s.features[k]] - st.at
			for i := s.offsets[k]; i < s.offsets[k+1]; i++ {
				r := s.rows[i]
				st.entries[st.offsets[r]] = uint16(cell + int(s.bins[i]))
				st.offsets[r]++
			}
		}
		copy(st.offsets[1:], st.offsets[:b.rows])
		st.offsets[0] = 0
	})
}
