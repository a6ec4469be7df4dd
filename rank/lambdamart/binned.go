package lambdamart

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
)

// Binned is a dataset whose features were sorted into bins by [Trainer.Bin]. Several training runs
// with different options may share it, even concurrently.
type Binned struct {
	d    *rank.Dataset // dataset without its features
	b    *boost.Bins
	opts boost.BinOptions
}

// Bin sorts the features of d into bins, as Fit does before it grows trees. [Trainer.FitBinned]
// trains the same model from the bins and does not repeat this step.
//
// The result shares labels, weights and positions with d, but not the features. A program that only
// trains can therefore release the features, which use four to eight times as much memory as the
// bins. Bin uses only the options Bins, ZeroMissing, Categorical and Threads, but it checks all
// options. It returns an error if BinsFile is set.
func (t *Trainer) Bin(ctx context.Context, d *rank.Dataset) (_ *Binned, err error) {
	defer memory.Begin().End(&err)
	o, err := t.filled(d)
	switch {
	case err != nil:
		return nil, err
	case o.BinsFile != "":
		return nil, errs.New("lambdamart", "BinsFile cannot be combined with Bin, which keeps bins in memory")
	}
	binned := &Binned{opts: o.binOptions()}
	if binned.b, err = boost.NewBins(ctx, d, binned.opts); err != nil {
		return nil, err
	}
	about := *d
	about.X, about.Sparse = nil, nil
	binned.d = &about
	return binned, nil
}

// FitBinned is like [Trainer.Fit] but trains on binned data. Bins, ZeroMissing and Categorical must
// have the same values as in the call of Bin. It returns an error if Start or Checkpoint is set,
// because they need the features.
func (t *Trainer) FitBinned(ctx context.Context, b *Binned) (*Result, error) {
	o := t.binOptions()
	o.Categorical = withTexts(o.Categorical, b.d.Categories)
	switch {
	case o.MaxBins != b.opts.MaxBins || o.ZeroMissing != b.opts.ZeroMissing ||
		!slices.Equal(o.Categorical, b.opts.Categorical):
		return nil, errs.Errorf("lambdamart", "the data was binned with Bins %d, ZeroMissing %t and Categorical %v; the Trainer must have the same values",
			b.opts.MaxBins, b.opts.ZeroMissing, b.opts.Categorical)
	case t.Start != nil:
		return nil, errs.New("lambdamart", "Start cannot be combined with FitBinned, because Start requires the original feature values")
	case t.Checkpoint != "":
		return nil, errs.New("lambdamart", "Checkpoint cannot be combined with FitBinned, because Checkpoint requires the original feature values")
	case t.BinsFile != "":
		return nil, errs.New("lambdamart", "BinsFile cannot be combined with FitBinned: the bins are in memory")
	}
	return t.fit(ctx, b.d, b.b)
}
