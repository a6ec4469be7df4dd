// Package sharded trains a lambdamart.Trainer on rows in shards, which package rankbeam provides.
//
// Trees are grown as on one machine: splits are chosen from histograms, without access to rows.
// Work on rows is a pass over the shards. Each shard knows the numbers of its first row and first
// query among all shards.
package sharded

import (
	"context"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Training runs a Trainer on rows in shards, which hold their bins, scores and derivatives.
type Training struct {
	*boost.Params

	o         *lambdamart.Trainer // the result of Resolve
	objective lambdamart.Builtin
	model     *lambdamart.Model // the model to continue
}

// New returns the training of t on data with the given rows and columns. It returns an error if the
// options contradict each other or the data, or require a single machine.
func New(t *lambdamart.Trainer, rows, cols int, names []string, categories [][]string) (*Training, error) {
	o, m, err := t.Resolve(rows, cols, names, categories)
	switch {
	case err != nil:
		return nil, err
	case !o.DepthWise:
		return nil, errs.New("lambdamart", "training on shards requires DepthWise")
	case o.Dart:
		return nil, errs.New("lambdamart", "Dart is not supported on shards")
	case o.BinsFile != "":
		return nil, errs.New("lambdamart", "BinsFile is not supported on shards")
	case len(o.CustomMetrics) > 0:
		return nil, errs.New("lambdamart", "CustomMetrics are not supported on shards")
	case o.PositionBias != "none":
		return nil, errs.New("lambdamart", "PositionBias is not supported on shards")
	case o.Checkpoint != "":
		return nil, errs.New("lambdamart", "Checkpoint is not supported on shards")
	}
	objective, ours := o.Objective.(lambdamart.Builtin)
	if !ours {
		return nil, errs.Errorf("lambdamart", "the custom objective %v is not supported on shards",
			o.Objective)
	}
	s := &Training{params(o), o, objective, m}
	if err := s.Check(rows, cols); err != nil {
		return nil, err
	}
	_, _, err = objective.Begin(o, &rank.Dataset{Offsets: []int{0}})
	return s, err
}

// params converts the options of o to the parameters of internal/boost.
func params(o *lambdamart.Trainer) *boost.Params {
	return &boost.Params{
		BinOptions: boost.BinOptions{MaxBins: o.Bins, ZeroMissing: o.ZeroMissing, Categorical: o.Categorical,
			Threads: o.Threads},
		LearningRate: o.LearningRate, DepthWise: o.DepthWise, Leaves: o.Leaves, Depth: o.Depth, MinRows: o.MinRows,
		MinHessian: o.MinHessian, L1: o.L1, L2: o.L2, MinGain: o.MinGain, MaxDeltaStep: o.MaxDeltaStep,
		PathSmooth: o.PathSmooth, Monotone: o.Monotone, Interactions: o.Interactions, OneHot: o.OneHot,
		CategorySmooth: o.CategorySmooth, CategoryL2: o.CategoryL2, CategoryRows: o.CategoryRows,
		MaxCategories: o.MaxCategories, QueryFraction: o.QueryFraction, RowFraction: o.RowFraction,
		FeatureFraction: o.FeatureFraction, NodeFeatureFraction: o.NodeFeatureFraction, ExtraTrees: o.ExtraTrees,
		Seed: o.Seed,
	}
}

// CountRows adds dense rows to the statistics of each feature, and to the mean of the labels, from
// which the initial score is computed.
func (t *Training) CountRows(features []boost.Feature, labels *num.ExactMean, d *rank.Dataset) error {
	if t.objective == lambdamart.Binary || t.objective == lambdamart.Regression {
		boost.AddLabels(labels, t.objective == lambdamart.Binary, d.Offsets, d.Labels, d.Weights, d.QueryWeights)
	}
	return t.Count(features, d)
}

// Bias returns the score of each row before the first tree, given the mean of all labels.
func (t *Training) Bias(labels *num.ExactMean) float64 {
	return boost.Bias(labels, t.objective == lambdamart.Binary, t.o.Sigmoid)
}

// A Piece is a sequence of whole queries.
type Piece struct {
	boost.Piece
	Data *rank.Dataset // without features
}

// A Worker executes passes on rows in bins. It is for one goroutine.
type Worker struct {
	*boost.Worker
	o         lambdamart.Trainer
	objective lambdamart.Builtin
}

// Worker returns a worker for rows in these bins.
func (t *Training) Worker(bins []boost.Binning) *Worker {
	w := &Worker{boost.NewWorker(t.Params, bins), *t.o, t.objective}
	w.o.Threads = 1
	w.o.Start = t.model // so that the loss does not compute an initial score
	return w
}

// Check returns an error if the labels of a piece are invalid.
func (w *Worker) Check(d *rank.Dataset) error {
	_, _, err := w.objective.Begin(&w.o, d)
	return err
}

// Derive computes the derivatives for the tree with the given number. It appends two sums for each
// query and returns the number of sampled rows. If the context has ended, it returns its error.
func (w *Worker) Derive(ctx context.Context, p *Piece, tree int, sums []float64) ([]float64, int, error) {
	d := p.Data
	loss, _, err := w.objective.Begin(&w.o, d)
	if err != nil {
		return nil, 0, err
	}
	sums, n := w.Worker.Derive(&p.Piece, tree, sums, func(q int, scores []float64, grad, hess []float32) {
		if ctx.Err() != nil {
			return
		}
		lo, hi := d.Query(q)
		query := lambdamart.Query{Index: q, Row: lo, Data: d, Scores: scores, Labels: d.Labels[lo:hi],
			Seed: [2]uint64{w.o.Seed + uint64(tree), uint64(p.FirstQuery + q)}, Context: ctx}
		loss.Derivatives(query, grad, hess)
	})
	return sums, n, ctx.Err()
}

// Progress is the state of a training.
type Progress struct {
	Model  *lambdamart.Model
	Values [][]float64 // of each metric, after each tree of this training
	Trees  int         // number of trees grown by this training
}

// Passes process the rows of shards.
type Passes interface {
	boost.Shards
	// Step adds the values of a tree, if it is not nil, to all scores. It then computes the
	// derivatives for the tree with the number next, unless next is negative.
	Step(ctx context.Context, done *boost.CutTree, next int) (*Stepped, error)
	// Grown is called when a tree is complete.
	Grown(ctx context.Context, p *Progress) error
}

// Stepped is the result of a step.
type Stepped struct {
	Drawn  int       // number of sampled rows for the next tree
	Sums   []float64 // two sums for each query, in the order of all queries
	Values []Value   // the values of the metrics on validation data
}

// A Value is the mean of a metric.
type Value struct {
	Mean    float64
	Skipped int
}
