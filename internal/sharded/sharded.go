// Package sharded is what package rank/lambdamart, which knows how trees are grown, and package
// rankbeam, which has the rows in shards, tell each other.
//
// The growing is that of one machine: it chooses splits from histograms and keeps no row. What goes
// through rows is a pass over the shards, of which each knows the numbers of its first row and
// query among those of all shards.
package sharded

import (
	"context"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
)

// New returns the growing of a *lambdamart.Trainer. That package sets it.
var New func(trainer any) Growing

// Growing is what rank/lambdamart does.
type Growing interface {
	// Check returns what the options that the data decide about make impossible.
	Check(rows, cols int, names []string) error

	// Sample returns the numbers, ascending, of those rows that numerical features are binned by.
	Sample(rows int) []uint32
	// Count adds dense rows to what is known of each feature, and to the mean of labels that scores
	// begin with.
	Count(features []boost.Feature, labels *num.ExactMean, d *rank.Dataset) error
	// Bias returns the score of each row before the first tree, by that mean over all rows.
	Bias(labels *num.ExactMean) float64
	// Numerical returns the bins of a feature with these values in the sample, which it reorders.
	// missing says whether any row lacks the feature.
	Numerical(values []float32, missing bool) boost.Binning
	// Categorical returns the bins of feature f, and what training does not tell apart of it.
	Categorical(f int, about *boost.Feature) (boost.Binning, boost.Dropped)

	// Worker returns what does the work of passes on rows in these bins. It is for one goroutine.
	Worker(bins []boost.Binning) Worker

	// Fit grows the trees, of which done are there from an interrupted training. The result is a
	// *lambdamart.Result, nil where there is none. Nothing but the columns of data is looked at.
	Fit(ctx context.Context, data *rank.Dataset, rows int, bins []boost.Binning, bias float64, done *Progress,
		p Passes) (any, error)
}

// Progress is a training so far.
type Progress struct {
	Model  rank.Model  // a *lambdamart.Model
	Values [][]float64 // of each metric after each tree of this training
	Trees  int         // of this training
}

// A Piece is some whole queries.
type Piece struct {
	boost.Piece
	Data *rank.Dataset // without features
}

// Worker is what rank/lambdamart does to pieces.
type Worker interface {
	// Fill returns the bins of dense rows. Other data than those that the bins were made of may
	// hold what is no category, and miss values of features that have no bin of these.
	Fill(d *rank.Dataset, other bool) []byte
	// Check returns what makes the labels of a piece useless.
	Check(d *rank.Dataset) error
	// Add adds the values of a tree's leaves to the scores.
	Add(p *Piece, t *boost.CutTree) error
	// Derive sets the derivatives for the tree of that number. It appends two sums for each query
	// and returns the number of rows drawn.
	Derive(p *Piece, tree int, sums []float64) ([]float64, int, error)
	// Histograms adds rows to histograms and to the sums of leaves.
	Histograms(p *Piece, g *boost.Growth, h *boost.Histograms) error
	// Cells returns the length of a leaf's histograms.
	Cells() int
}

// Passes is what rankbeam does.
type Passes interface {
	// Step adds the values of a tree, nil for none, to all scores, and derives the loss by them for
	// the tree of number next, unless that is negative.
	Step(ctx context.Context, done *boost.CutTree, next int) (*Stepped, error)
	// Grow adds up histograms in h, which has the room.
	Grow(ctx context.Context, g *boost.Growth, h *boost.Histograms) error
	// Grown is called when a tree is complete.
	Grown(ctx context.Context, p *Progress) error
}

// Stepped is what a step has found.
type Stepped struct {
	Drawn  int       // rows of the next tree
	Sums   []float64 // two of each query, in the order of all queries
	Values []Value   // of each metric on validation data
}

// A Value is the mean of a metric.
type Value struct {
	Mean    float64
	Skipped int
}
