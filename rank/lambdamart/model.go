// Package lambdamart trains and runs boosted regression trees for ranking:
// LambdaMART (Burges 2010) and its relatives.
package lambdamart

// A Model is a sum of regression trees: the score of a document x is
//
//	s(x) = Bias + Σ over trees of the value of the leaf that x reaches
//
// summed in float64, in the order of the trees.
type Model struct {
	Features     int      // features that the trees may look at
	FeatureNames []string // one a feature; nil when they have none
	Bias         float64
	Trees        []Tree
}

// A Tree is a binary regression tree. Its splits and its leaves are numbered from 0;
// a child is the number of a split, or ^n for leaf n. The root is split 0; a tree
// without splits is its leaf 0.
//
// A numerical split sends x ≤ Threshold left and the rest right. A categorical
// one sends left the integers whose bit is set in Categories, and everything else
// right. A missing value follows MissingLeft; NaN is missing, and where
// ZeroMissing is set so is 0.
type Tree struct {
	Feature     []int32
	Threshold   []float32
	Categories  [][]uint32 // bit v%32 of word v/32 for category v; nil for a numerical split; nil as a whole if all are
	MissingLeft []bool
	ZeroMissing []bool
	Left, Right []int32
	Gain        []float64 // what the split lowers the loss by, in the units of its trainer
	Weight      []float64 // Σ of the Hessian over the training rows that reach the split
	Count       []int64   // their number

	Leaf       []float64 // value of each leaf, learning rate included
	LeafWeight []float64
	LeafCount  []int64
}
