package lambdamart

import "github.com/simdrank/simdrank/internal/boost"

// params converts the options of t to options of internal/boost. The defaults of t must be filled
// in.
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

// binOptions returns the options that define the bins.
func (t *Trainer) binOptions() boost.BinOptions {
	return boost.BinOptions{MaxBins: t.Bins, ZeroMissing: t.ZeroMissing, Categorical: t.Categorical,
		Threads: t.Threads, File: t.BinsFile}
}
