package boost

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/trees"
	"github.com/simdrank/simdrank/rank"
)

// Bins are the features of a dataset as small integers. Features of sparse data that are mostly in
// one bin are stored in sparse. All others are dense, in columns of one byte per row. Features with
// few bins share a column, so that one histogram update counts for all of them; see join.
type Bins struct {
	rows, features int
	// column is the column of each feature in the data. If it is nil, the features are all columns.
	column []int32
	// zeroMissing is set if the other columns, in which all rows are 0, are missing in all rows.
	zeroMissing bool

	feature []Binning // one per feature
	at      []int     // for each feature, the start of its cells in the histograms of a leaf
	cells   int       // number of cells in the histograms of a leaf

	columns [][]int32 // for each column, its dense features in ascending order
	digits  []digit   // one per dense feature
	wide    []uint8   // the byte of row i in column k is wide[i·stride+k]; padding is 0
	stride  int       // number of columns, rounded up to a multiple of 8
	// The same bytes, at cols[k·rows+i], for faster partitions. It is nil if that takes too much
	// memory.
	cols []uint8

	sparse sparseBins

	file    *memory.File // contains wide and cols; nil if they are in memory
	Dropped []Dropped    // categorical features in which some values have no bin of their own
}

// Bytes returns the memory size of the bins.
func (b *Bins) Bytes() int64 {
	if b.file != nil {
		return b.sparse.bytes()
	}
	return int64(len(b.cols)+len(b.wide)) + b.sparse.bytes()
}

// A Binning defines the bins of a feature: ranges of a numerical feature, or categories.
type Binning struct {
	// Bounds are the bounds of a numerical feature: bin b contains Bounds[b−1] < x ≤ Bounds[b]. The
	// last bound is +Inf. Bounds is nil for a categorical feature.
	Bounds []float32
	// Categories is the category of each bin, by descending number of rows. It is nil for a
	// numerical feature.
	Categories []int32
	// Other is the bin of the categories that do not have their own, or −1. Like unknown
	// categories, it always goes right.
	Other int
	// Missing is the bin of missing values, the last one, or −1 if none is missing.
	Missing int
	// Median is the bin of the sampled values' lower median in a numerical feature, or −1 if all of
	// them are missing. A split that no missing value reached in training sends missing values to
	// the side of this bin.
	Median int
	// Bins is the total number of bins.
	Bins int
}

// splittable reports whether the sampled values differ, so that a split may divide them.
func (b *Binning) splittable() bool { return b.Bins > 1 && b.Median >= 0 }

// unseen returns the bin that represents missing values if the training data has none: the one of
// the median or, for a categorical feature, the last one, which is on the right of all splits.
func (b *Binning) unseen() int {
	if b.Bounds != nil {
		return b.Median
	}
	return b.Bins - 1
}

// BinOptions configure how features are divided into bins.
type BinOptions struct {
	// MaxBins is the maximum number of bins per feature, including the bin of missing values. There
	// may be one more if the sampled rows have no missing value.
	MaxBins int
	// ZeroMissing treats 0 as missing, like NaN.
	ZeroMissing bool
	Categorical []int
	Threads     int
	// File is a file for dense features. If it is "", they are kept in memory.
	File string
}

const (
	binSample = 200_000 // number of rows from which bounds are computed, LightGBM's bin_construct_sample_cnt
	binRows   = 3       // minimum number of sampled rows per bin, LightGBM's min_data_in_bin
	binLine   = 16      // number of features per sampling task: one cache line
	binTask   = 4096    // number of rows per binning task
	// A task bins the features of this many rows together, so that the rows stay in the cache.
	binBlock = 512
)

// ColumnBytes is the maximum memory size of the columns of [Bins]. Tests change it.
var ColumnBytes = 64 << 20

// NewBins divides the features of d into bins. The bounds are quantiles: every bin has the same
// number of rows as far as ties permit, and a value with at least that many rows has its own bin.
// Bounds lie midway between neighboring values. The bins do not depend on the number of threads.
func NewBins(ctx context.Context, d *rank.Dataset, opts BinOptions) (*Bins, error) {
	rows, workers := d.Rows(), parallel.Threads(opts.Threads)
	b := &Bins{rows: rows, features: d.Cols, zeroMissing: opts.ZeroMissing}
	err := opts.Check(rows, d.Cols)
	if err != nil {
		return nil, err
	}
	if b.column = occurring(d); b.column != nil {
		b.features = len(b.column)
	}
	b.feature = make([]Binning, b.features)
	lookup := make([]*categoryBins, b.features) // nil for numerical features
	for _, f := range b.occurring(opts.Categorical) {
		lookup[f] = &categoryBins{}
	}
	if d.Sparse != nil {
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

// Check returns an error if the data are empty or if a categorical feature does not exist.
func (o *BinOptions) Check(rows, cols int) error {
	if rows == 0 || cols == 0 {
		return errs.Errorf("lambdamart", "cannot train on %d rows and %d features: the data must have rows and features", rows, cols)
	}
	for _, f := range o.Categorical {
		if f < 0 || f >= cols {
			return errs.Errorf("lambdamart", "categorical feature %d does not exist: features are numbered 0 to %d", f, cols-1)
		}
	}
	return nil
}

// sortDense assigns the features of dense data to bins.
func (b *Bins) sortDense(ctx context.Context, d *rank.Dataset, opts BinOptions, workers int,
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
		// A feature whose missing values are not in the sample needs one more bin than its column
		// may have room for.
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

// layout allocates the columns and assigns each feature its place in histograms.
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
			if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
				err = pathErr.Err // the error below names the path
			}
			return errs.Errorf("lambdamart", "bins file %w", &modelfile.FileError{Path: opts.File, Err: err})
		}
		b.wide, b.cols = b.file.Bytes[:size:size], b.file.Bytes[size:]
	}
	return nil
}

// addRows adds rows of a leaf to the histograms of the groups and processes adjacent groups
// together. If rows is nil, the rows are consecutive and start with row from.
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
		if rows == nil && b.cols != nil && b.file == nil { // a file is read from start to end, not by column
			cols = b.cols[lo*b.rows+from:]
		}
		trees.HistogramU8(part, b.wide[from*b.stride+lo:], b.stride, cols, b.rows, rows, gh, tile)
		i = j
	}
}

// Missing returns the union of before and the features that a row lacks. It returns nil if before
// is nil, which means that the features are not known.
func (b *Bins) Missing(before []bool) []bool {
	if before == nil {
		return nil
	}
	missing := slices.Clone(before)
	if binned := b.column; binned != nil && b.zeroMissing {
		for j := range missing {
			if len(binned) > 0 && binned[0] == int32(j) {
				binned = binned[1:]
			} else {
				missing[j] = true
			}
		}
	}
	for f := range b.feature {
		if b.feature[f].Missing >= 0 {
			missing[b.columnOf(int32(f))] = true
		}
	}
	return missing
}

// Close removes the bin file.
func (b *Bins) Close() {
	if b.file != nil {
		b.cols, b.wide = nil, nil
		b.file.Close()
	}
}

// fill sets the bytes of rows from to to−1, and sets missing for features with missing values. If
// missing is nil, values without a bin get the bin that [Binning.unseen] returns. scratch must have
// 9·binBlock bytes.
func (b *Bins) fill(d *rank.Dataset, from, to int, zeroMissing bool, lookup []*categoryBins, missing []atomic.Bool,
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
					last, unseen := uint8(b.feature[f].Bins-1), uint8(b.feature[f].unseen())
					for i, bin := range dst {
						if bin > last {
							dst[i] = unseen
						}
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
