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

// sparseBins are features whose rows mostly have one bin, that of 0: their usual bin. Only rows in
// other bins are listed, in two layouts of five and two bytes. The cells of the usual bins are what
// the sums of leaves have besides those of the listed rows.
type sparseBins struct {
	features []int32 // ascending
	usual    []uint8 // bin of each
	at       []int   // where the cells of each begin in the histograms of a leaf, and where the last end

	// Rows offsets[k] to offsets[k+1]−1 of feature k, ascending, with their bins: for partitions.
	offsets []int
	rows    []uint32
	bins    []uint8

	stripes []stripe
}

// A stripe lists the bins of adjacent sparse features row by row: for histograms. The histograms of
// its features take at most stripeCells cells, so that they stay in the cache.
type stripe struct {
	from, to int      // places of its features among the sparse ones
	at       int      // where their cells begin in the histograms of a leaf
	cells    int      // of all their histograms
	offsets  []uint32 // row i has the entries from offsets[i] to offsets[i+1]
	entries  []uint16 // cells
}

const (
	stripeCells   = 1 << 16
	stripeEntries = math.MaxUint32
	// cells of a stripe from which on two may share them, so that every thread has one
	stripeLeast = 1 << 12
	// A feature is sparse where at most one row of so many is in another bin than the usual one.
	sparseShare = 8
)

// of returns what feature k lists.
func (s *sparseBins) of(k int) (rows []uint32, bins []uint8) {
	lo, hi := s.offsets[k], s.offsets[k+1]
	return s.rows[lo:hi], s.bins[lo:hi]
}

// place returns the place of feature f among the sparse ones, and whether it is one.
func (b *Bins) place(f int32) (k int, sparse bool) { return slices.BinarySearch(b.sparse.features, f) }

func (s *sparseBins) bytes() int64 {
	n := len(s.features)*(4+1+8+8) + len(s.rows)*(4+1)
	for i := range s.stripes {
		n += len(s.stripes[i].offsets)*4 + len(s.stripes[i].entries)*2
	}
	return int64(n)
}

// A columns holds sparse data column by column: column j lists the values that are not 0 from
// offsets[j] to offsets[j+1]−1, by ascending row.
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

// occurring returns the features of those columns that b contains.
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

// transpose returns the features of sparse data.
func (b *Bins) transpose(ctx context.Context, d *rank.Dataset, workers int) (*columns, error) {
	rows, x := d.Rows(), d.Sparse
	place := func(j int32) int32 { return j }
	if b.column != nil {
		place = ranksvm.NewPlaces(b.column).Of
	}
	// Each part of the rows has its places in every column. The tables of places take no more than
	// the values.
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

// sortSparse sorts the features of sparse data into bins, the same as those of dense data.
func (b *Bins) sortSparse(ctx context.Context, d *rank.Dataset, opts BinOptions, workers int,
	lookup []*categoryBins) error {
	c, err := b.transpose(ctx, d, workers)
	if err != nil {
		return err
	}
	var sampled []bool // rows, when not all
	sample := b.rows
	if rows := SampleRows(b.rows); len(rows) < b.rows {
		sample, sampled = len(rows), make([]bool, b.rows)
		for _, r := range rows {
			sampled[r] = true
		}
	}

	bin := make([]uint8, len(c.values)) // of each value
	usual := make([]uint8, b.features)
	listed := make([]int, b.features) // values that are not in the usual bin
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

// listed copies the values of sampled rows, nil for all rows, to the scratch memory.
func (s *boundScratch) listed(rows []uint32, values []float32, sampled []bool) []float32 {
	if n := len(values) + 1; len(s.tmp) < n { // there may be a zero besides
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

// scatter fills the columns of the dense features.
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

// list fills the layouts of the sparse features.
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

	// Stripes of the same number of cells, as many for each thread.
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
		// Row i ends where the next one begins when all its entries are in place.
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
