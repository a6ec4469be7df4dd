// Package sharded is what package rank/lambdamart, which knows how trees are grown, and package
// rankbeam, which has the rows in shards, tell each other.
//
// The growing is that of one machine: it chooses splits from histograms and keeps no row. What goes
// through rows is a pass over the shards, of which each knows the numbers of its first row and
// query among those of all shards.
package sharded

import (
	"context"

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
	Count(features []Feature, labels *num.ExactMean, d *rank.Dataset) error
	// Bias returns the score of each row before the first tree, by that mean over all rows.
	Bias(labels *num.ExactMean) float64
	// Numerical returns the bins of a feature with these values in the sample, which it reorders.
	// missing says whether any row lacks the feature.
	Numerical(values []float32, missing bool) Binning
	// Categorical returns the bins of feature f, and what training does not tell apart of it.
	Categorical(f int, about *Feature) (Binning, Dropped)

	// Worker returns what does the work of passes on rows in these bins. It is for one goroutine.
	Worker(bins []Binning) Worker

	// Fit grows the trees, of which done are there from an interrupted training. The result is a
	// *lambdamart.Result, nil where there is none. Nothing but the columns of data is looked at.
	Fit(ctx context.Context, data *rank.Dataset, rows int, bins []Binning, bias float64, done *Progress,
		p Passes) (any, error)
}

// A Feature is what is known of a feature over all rows.
type Feature struct {
	Missing    bool          // a row lacks it
	Categories map[int32]int // rows of each category; nil when it is numerical
	Negative   int           // rows with a negative number, which is no category
}

// Merge adds what other is known of other rows.
func (f *Feature) Merge(other *Feature) {
	f.Missing = f.Missing || other.Missing
	f.Negative += other.Negative
	for c, n := range other.Categories {
		if f.Categories == nil {
			f.Categories = map[int32]int{}
		}
		f.Categories[c] += n
	}
}

// A Binning says what the bins of a feature stand for, as the type of rank/lambdamart does.
type Binning struct {
	Bounds               []float32
	Categories           []int32
	Other, Missing, Bins int
}

// Dropped is lambdamart.DroppedCategories.
type Dropped struct{ Feature, Categories, Rows, Negative int }

// Progress is a training so far.
type Progress struct {
	Model  rank.Model  // a *lambdamart.Model
	Values [][]float64 // of each metric after each tree of this training
	Trees  int         // of this training
}

// A Piece is some whole queries.
type Piece struct {
	FirstRow, FirstQuery int           // their numbers among those of all shards
	Data                 *rank.Dataset // without features
	Bins                 []byte        // of a row after the other
	Scores               []float64
	Grad, Hess           []float32 // of rows whose query is drawn
}

// Worker is what rank/lambdamart does to pieces.
type Worker interface {
	// Fill returns the bins of dense rows. Other data than those that the bins were made of may
	// hold what is no category, and miss values of features that have no bin of these.
	Fill(d *rank.Dataset, other bool) []byte
	// Check returns what makes the labels of a piece useless.
	Check(d *rank.Dataset) error
	// Add adds the values of a tree's leaves to the scores.
	Add(p *Piece, t *Tree) error
	// Derive sets the derivatives for the tree of that number. It appends two sums for each query
	// and returns the number of rows drawn.
	Derive(p *Piece, tree int, sums []float64) ([]float64, int, error)
	// Histograms adds rows to histograms and to the sums of leaves.
	Histograms(p *Piece, g *Growth, h *Histograms) error
	// Cells returns the length of a leaf's histograms.
	Cells() int
}

// A Tree is one that is being grown.
type Tree struct {
	Number int // in the model
	Cuts   []Cut
	Leaf   []float64 // values of its leaves, when it is complete
}

// A Cut divides the rows of a leaf by the bins of a feature. Those that are in Left stay; cut i
// moves the others to leaf i+1.
type Cut struct {
	Leaf    int
	Feature int32
	Left    [4]uint64
}

// Growth asks for histograms.
type Growth struct {
	Tree      Tree
	UnitGrad  float64
	UnitHess  float64
	Groups    []int // of eight columns, that are looked at
	Histogram []int // leaves whose histograms are asked for
}

// Histograms are sums over rows that the tree is grown on.
type Histograms struct {
	Leaves []Leaf
	Total  int64     // cell of all
	Cells  [][]int64 // of each leaf that was asked for
}

// A Leaf holds the number of a leaf's rows and the sums of their derivatives, in units 2³² times as
// fine as those of cells.
type Leaf struct{ Rows, Grad, Hess int64 }

// Merge adds what other holds of other rows.
func (l *Leaf) Merge(other Leaf) {
	l.Rows += other.Rows
	l.Grad += other.Grad
	l.Hess += other.Hess
}

// Passes is what rankbeam does.
type Passes interface {
	// Step adds the values of a tree, nil for none, to all scores, and derives the loss by them for
	// the tree of number next, unless that is negative.
	Step(ctx context.Context, done *Tree, next int) (*Stepped, error)
	// Grow adds up histograms in h, which has the room.
	Grow(ctx context.Context, g *Growth, h *Histograms) error
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
