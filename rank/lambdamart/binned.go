package lambdamart

import (
	"context"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/rank"
)

// Binned is a dataset with its features in bins, for trainings with other options to share:
// [Trainer.Bin] makes it. Several trainings may use one at the same time.
type Binned struct {
	d    *rank.Dataset // without features
	b    *boost.Bins
	opts boost.BinOptions
}

// Bin sorts the features of d into bins, as Fit does before it grows trees. From them
// [Trainer.FitBinned] grows the model of Fit, without the time for the bins.
//
// The result shares labels, weights and positions with d, but not the features, which take four to
// eight times the memory of the bins: a program that only trains can drop them. BinsFile is
// refused. Options other than Bins, ZeroMissing, Categorical and Threads are only checked.
func (t *Trainer) Bin(ctx context.Context, d *rank.Dataset) (_ *Binned, err error) {
	defer memory.Begin().End(&err)
	o, err := t.filled(d)
	switch {
	case err != nil:
		return nil, err
	case o.BinsFile != "":
		return nil, errs.New("lambdamart", "Bin keeps bins in memory, and knows no BinsFile")
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

// FitBinned is Fit on the data that b was made of. Bins, ZeroMissing and Categorical must be those
// of b. Start and Checkpoint are refused, for they need the features.
func (t *Trainer) FitBinned(ctx context.Context, b *Binned) (*Result, error) {
	o := t.binOptions()
	switch {
	case o.MaxBins != b.opts.MaxBins || o.ZeroMissing != b.opts.ZeroMissing ||
		!slices.Equal(o.Categorical, b.opts.Categorical):
		return nil, errs.Errorf("lambdamart", "the data were sorted into bins with Bins %d, ZeroMissing %t and Categorical %v",
			b.opts.MaxBins, b.opts.ZeroMissing, b.opts.Categorical)
	case t.Start != nil:
		return nil, errs.New("lambdamart", "FitBinned takes no Start, which scores features")
	case t.Checkpoint != "":
		return nil, errs.New("lambdamart", "FitBinned takes no Checkpoint, which knows data by their features")
	case t.BinsFile != "":
		return nil, errs.New("lambdamart", "FitBinned takes no BinsFile: the bins are in memory")
	}
	return t.fit(ctx, b.d, b.b)
}
