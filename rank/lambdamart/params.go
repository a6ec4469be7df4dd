package lambdamart

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/rank"
)

// params returns the options of t, which has its defaults filled in, as those of internal/boost.
func (t *Trainer) params() *boost.Params {
	return &boost.Params{
		BinOptions: t.binOptions(), LearningRate: t.LearningRate, DepthWise: t.DepthWise, Leaves: t.Leaves,
		Depth: t.Depth, MinRows: t.MinRows, MinHessian: t.MinHessian, L1: t.L1, L2: t.L2, MinGain: t.MinGain,
		MaxDeltaStep: t.MaxDeltaStep, PathSmooth: t.PathSmooth, Monotone: t.Monotone, Interactions: t.Interactions,
		OneHot: t.OneHot, CategorySmooth: t.CategorySmooth, CategoryL2: t.CategoryL2, CategoryRows: t.CategoryRows,
		MaxCategories: t.MaxCategories, QueryFraction: t.QueryFraction, RowFraction: t.RowFraction,
		FeatureFraction: t.FeatureFraction, NodeFeatureFraction: t.NodeFeatureFraction, ExtraTrees: t.ExtraTrees,
		Seed: t.Seed,
	}
}

// binOptions are those of t, which need not have its defaults.
func (t *Trainer) binOptions() boost.BinOptions {
	return boost.BinOptions{MaxBins: cmp.Or(t.Bins, 255), ZeroMissing: t.ZeroMissing, Categorical: t.Categorical,
		Threads: t.Threads, File: t.BinsFile}
}

// newBins sorts the features of d into bins.
func newBins(ctx context.Context, d *rank.Dataset, o boost.BinOptions) (*boost.Bins, error) {
	b, err := boost.NewBins(ctx, matrix(d), o)
	if failed := (*boost.FileError)(nil); errors.As(err, &failed) {
		err = failed.Err
		if pathErr := (*fs.PathError)(nil); errors.As(err, &pathErr) {
			err = pathErr.Err // the path is told below
		}
		err = errs.Errorf("lambdamart", "file of bins %w", &modelfile.FileError{Path: o.File, Err: err})
	}
	return b, categoryError(d, err)
}

// matrix returns the features of d as those of internal/boost.
func matrix(d *rank.Dataset) *boost.Matrix {
	m := &boost.Matrix{Rows: d.Rows(), Cols: d.Cols, X: d.X, Stride: d.Stride}
	if d.Sparse != nil {
		m.Offsets, m.Columns, m.Values = d.Sparse.Offsets, d.Sparse.Columns, d.Sparse.Values
	}
	return m
}

// categoryError returns err, which says where the row of d is from if it is about one.
func categoryError(d *rank.Dataset, err error) error {
	if bad := (*boost.CategoryError)(nil); errors.As(err, &bad) {
		return errs.Op("lambdamart", d.RowError(bad.Row, bad.About(d.FeatureName(bad.Feature))))
	}
	return err
}
