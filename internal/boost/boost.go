// Package boost is the core of gradient-boosted tree training. It divides features into bins,
// samples rows and features, and grows a tree from the derivatives of a loss and from integer
// histograms. It does not depend on the loss or on how trees are combined. Rows are in memory or in
// shards; a [Worker] processes the rows of a shard.
package boost

import (
	"math"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/trees"
)

// The reasons why a training ended: Stop of a lambdamart.Result.
const (
	StopTrees    = "trees"
	StopEarly    = "early"
	StopNoSplit  = "no-split"
	StopProgress = "progress"
	StopCanceled = "canceled"
)

// Params are the options of a lambdamart.Trainer that control how a tree grows; see there. Only
// Depth and MaxDeltaStep may be 0.
type Params struct {
	BinOptions

	LearningRate float64
	DepthWise    bool
	Leaves       int
	Depth        int // 0 means unlimited

	MinRows      int
	MinHessian   float64
	L1, L2       float64
	MinGain      float64
	MaxDeltaStep float64 // 0 means unlimited
	PathSmooth   float64

	Monotone     []int8
	Interactions [][]int

	OneHot         int
	CategorySmooth float64
	CategoryL2     float64
	CategoryRows   int
	MaxCategories  int

	QueryFraction       float64
	RowFraction         float64
	FeatureFraction     float64
	NodeFeatureFraction float64
	ExtraTrees          bool
	Seed                uint64
}

// A Tree is a grown tree with the fields of a lambdamart.Tree.
type Tree struct {
	Feature     []int32
	Threshold   []float32
	Categories  [][]uint32
	MissingLeft []bool
	ZeroMissing []bool
	Left, Right []int32
	Gain        []float64
	Weight      []float64
	Count       []int64

	Leaf       []float64
	LeafWeight []float64
	LeafCount  []int64
}

// A QuerySum contains the sums of |gradient| and of Hessians over the sampled rows of a query.
type QuerySum struct{ Grad, Hess float64 }

// A Leaf contains the number of rows of a leaf and the sums of their derivatives. The units are 2³²
// times as fine as in histogram cells.
type Leaf struct{ Rows, Grad, Hess int64 }

// Merge adds the sums of other rows.
func (l *Leaf) Merge(other Leaf) {
	l.Rows += other.Rows
	l.Grad += other.Grad
	l.Hess += other.Hess
}

// Units are the units of a tree's scaled gradients and Hessians: the scaled value of 1. The unit of
// Hessians is a power of two, so that rounding does not change its multiples, such as a Hessian of
// 1.
type Units struct{ Grad, Hess float64 }

// UnitsOf chooses the units of a tree from the sums of its queries, so that no sum of rows exceeds
// 31 bits. It returns an error if the sums are not finite.
func UnitsOf(sums []QuerySum, tree int) (Units, error) {
	var sum QuerySum
	for _, s := range sums {
		sum.Grad += s.Grad
		sum.Hess += s.Hess
	}
	if !(math.Abs(sum.Grad) <= math.MaxFloat64 && math.Abs(sum.Hess) <= math.MaxFloat64) {
		return Units{}, errs.Errorf("lambdamart", "the gradients of tree %d are not finite "+
			"(use a lower learning rate or a higher L2 penalty)", tree+1)
	}
	return Units{unitOf(sum.Grad), powerOfTwo(unitOf(sum.Hess))}, nil
}

// unitOf returns the factor that scales the given sum to 2³⁰.
func unitOf(sum float64) float64 {
	if sum < 0x1p-400 {
		return 1 // the sum is practically 0
	}
	return (1 << 30) / sum
}

// powerOfTwo returns the largest power of two that is at most v.
func powerOfTwo(v float64) float64 { return math.Ldexp(1, math.Ilogb(v)) }

// finer is the number of units of the sums in a [Leaf] per unit of a cell. Sums of cells need 30
// bits, so these sums need 62.
const finer = 1 << 32

// Add adds the derivatives of a row to the sums of a leaf.
func (u Units) Add(l *Leaf, grad, hess float32) {
	l.Grad += int64(float64(grad) * (u.Grad * finer))
	l.Hess += int64(float64(hess) * (u.Hess * finer))
}

// cell returns the derivatives of a row as a histogram cell.
func (u Units) cell(grad, hess float32) int64 {
	return rounded(hess, u.Hess)<<32 + rounded(grad, u.Grad)
}

// rounded returns v·unit rounded to an integer, with ties to even. The absolute value of v·unit
// must be less than 2⁵¹.
func rounded(v float32, unit float64) int64 {
	const shift = 3 << 51 // the last bit of a float64 of this size is worth 1
	return int64(math.Float64bits(float64(float64(v)*unit)+shift)) - int64(math.Float64bits(shift))
}

// value converts the value of a leaf to the units of scores.
func (u Units) value(v float64) float64 { return v * u.Hess / u.Grad }

// gain converts a gain to the units of the loss.
func (u Units) gain(g float64) float64 { return g * u.Hess / u.Grad / u.Grad }

// BestValue returns the leaf value that minimizes the loss of rows with these sums, as a score.
func (p *Params) BestValue(u Units, l Leaf) float64 {
	g := Grower{o: p, unit: u}
	free := trees.SplitBound{Lo: math.Inf(-1), Hi: math.Inf(1)}
	return g.capped(u.value(g.valueOf(leafTotals(l), float64(p.L2*u.Hess), free)))
}
