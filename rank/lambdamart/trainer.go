package lambdamart

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// A Trainer grows boosted trees for ranking. The zero value is ready for use: its options have the
// defaults of LightGBM's lambdarank, and the comments name LightGBM's parameters where the names
// differ. Missing values that training did not see are scored by another rule than LightGBM's; see
// the package comment.
//
// The gradients of row i, of query q, are multiplied by Weights[i] and QueryWeights[q] of the data;
// its Names become those of the model's features.
//
// The model has the same bits for any number of threads, on every processor: all sums of gradients
// are sums of integers.
type Trainer struct {
	Objective Objective `file:"objective"` // nil means NDCG

	// The following four are options of the pairwise objectives. Binary uses Sigmoid, too; of the
	// pairwise objectives only NDCG uses Gains, and so does XENDCG.
	//
	// Only pairs with a document among the first Truncation of their query count
	// (lambdarank_truncation_level); 0 means 30, a negative number all pairs.
	Truncation int     `file:"truncation"`
	Sigmoid    float64 `file:"sigmoid"` // slope of the logistic loss; 0 means 1
	// leave out the normalization by score difference and by query (lambdarank_norm = false)
	NoNorm bool           `file:"no_norm"`
	Gains  rank.GainTable `file:"gains"` // gain of the labels 0, 1, 2, … (label_gain); nil means 2^label−1

	// PositionBias is how to learn from labels that are clicks. Positions of the data tells where
	// documents were shown. Users click on what they look at, and they look at the first positions
	// most, whatever is shown there. Both ways learn how much positions count while the trees are
	// grown; see [PositionFactors].
	//
	//	none      Labels are what they are. The default ("").
	//	additive  A number per position is added to the scores before derivatives are taken:
	//	          documents that were shown high are expected to have more clicks. A Newton step
	//	          per tree, times the learning rate, fits these numbers. It is LightGBM's way (4.1
	//	          and later).
	//	pairwise  The weight of each pair of documents is divided by t⁺ of the position of the
	//	          better one and t⁻ of that of the other one, which every tree estimates anew by
	//	          the losses of the pairs: Unbiased LambdaMART (Hu et al. 2019), XGBoost's
	//	          lambdarank_unbiased. It is for the objectives NDCG, MAP and Pairwise. Clicks at
	//	          low positions are few and weigh much, so it needs more clicks than additive.
	//
	// The pairwise way differs from XGBoost's source (2026) in three ways, and so do its factors.
	// The loss of a pair is ln(1+exp(−σ·(s_better−s_worse))), as in the paper; XGBoost has the
	// opposite sign. Losses are divided by the number of documents at their position, for lists are
	// of several lengths. A pair with one document beyond Truncation is divided by the factor of
	// the other one; XGBoost divides it by none.
	//
	// With Start, the model to go on from must have factors of the same kind, and they are what
	// training begins with: a model without trees passes them to a training anew.
	PositionBias string `file:"position_bias" word:"none"`
	// additive: penalty L2/2·b² per row (lambdarank_position_bias_regularization)
	PositionL2 float64 `file:"position_l2"`
	// pairwise: the power 1/(1+PositionNorm) of a ratio of losses is the factor
	// (lambdarank_bias_norm); 0 means 1, negative 0
	PositionNorm float64 `file:"position_norm"`

	// MeanPairs is how many pairs are drawn for each document, with others of another label, in
	// place of those that Truncation chooses: XGBoost's lambdarank_pair_method = mean with this
	// lambdarank_num_pair_per_sample. 0 means none.
	MeanPairs int `file:"mean_pairs"`

	// Of YetiRank, with the names of CatBoost.
	Permutations int     `file:"permutations"` // random rankings of a query for each tree; 0 means 10
	Decay        float64 `file:"decay"`        // what a pair weighs, to that of the ranks above it; 0 means 0.85

	Trees        int     `file:"trees"`         // trees to grow (num_iterations); 0 means 100
	LearningRate float64 `file:"learning_rate"` // 0 means 0.1

	// A tree grows leaf by leaf, the one with the highest gain first, or, with DepthWise,
	// level by level.
	DepthWise bool `file:"depth_wise"`
	// leaves of a tree at most (num_leaves); 0 means 31, with DepthWise 2^Depth up to 65536
	Leaves int `file:"leaves"`
	// splits from the root to a leaf at most (max_depth); 0 means any number, with DepthWise and
	// without Leaves 6
	Depth int `file:"depth"`

	// MinRows is the minimum number of rows per leaf (min_data_in_leaf), as estimated by the leaf's
	// share of its parent's Hessian. 0 means 20, and 1 asks for nothing: each side of a split has a
	// row anyway.
	MinRows int `file:"min_rows"`
	// MinHessian is the minimum sum of second derivatives per leaf (min_sum_hessian_in_leaf). A
	// sum that rounding may have lowered below it is accepted. 0 means 0.001, and a negative number
	// asks for nothing.
	MinHessian float64 `file:"min_hessian"`
	L1         float64 `file:"l1"`
	L2         float64 `file:"l2"` // penalties on the values of leaves (lambda_l1, lambda_l2)
	// MinGain is the minimum gain of a split (min_gain_to_split, gamma). The gains in the model are
	// reduced by it; those of LightGBM and XGBoost are not.
	MinGain float64 `file:"min_gain"`

	// Bins is the maximum number of bins per feature, missing values included (max_bin). The
	// default is 255, which is also the most. Values of a numerical feature are merged, from the
	// lowest on, until a bin holds 3 of at most 200,000 sampled rows (min_data_in_bin), so no split
	// separates rarer ones.
	Bins int `file:"bins"`
	// 0 is a missing value, as NaN always is, and so is a feature that a row leaves out
	// (zero_as_missing)
	ZeroMissing bool `file:"zero_missing"`

	// Monotone holds 1 for a feature that must not lower the score as it rises, −1 for one that
	// must not raise it, else 0; nil and features beyond its length are free
	// (monotone_constraints). Missing values may score higher or lower than all others: a split
	// that separates them from the others is not restricted.
	Monotone []int8 `file:"monotone"`

	// Categorical features, from 0, whose values are integers without order. A split on one sends a
	// set of categories left: a single one where there are at most OneHot, otherwise a prefix or
	// suffix of the categories in the order of gradient/(Hessian+CategorySmooth) (Fisher 1958),
	// which holds at most half of them, rounded up. Missing values always go right.
	//
	// Categories are from 0 to 2²⁴−1. Negative numbers are missing, as in LightGBM. Where there are
	// more categories than Bins, the most frequent ones have bins, and the others share the last
	// one: every split sends them right, like categories that training has not seen. Dropped of the
	// [Result] counts both.
	Categorical []int `file:"categorical"`
	// OneHot is the number of categories up to which a split sends a single one left. The default
	// is 4. LightGBM's max_cat_to_onehot also counts a bin for missing values.
	OneHot int `file:"one_hot"`
	// CategorySmooth is added to Hessians to order categories (cat_smooth). 0 means 10, a negative
	// number 0. If there are more than OneHot categories, those with fewer rows than this in the
	// leaf always go right. Their rows are estimated by their share of the leaf's Hessian.
	CategorySmooth float64 `file:"category_smooth"`
	CategoryL2     float64 `file:"category_l2"` // L2 added for such splits (cat_l2); 0 means 10, negative none
	// rows that a step from one set to the next adds at least (min_data_per_group), estimated as
	// for MinRows; 0 means 100, 1 asks for nothing
	CategoryRows int `file:"category_rows"`
	// MaxCategories is the maximum number of categories that a split sends left
	// (max_cat_threshold). The default is 32.
	MaxCategories int `file:"max_categories"`

	// Fractions that a tree is grown on, drawn by Seed anew for each tree; 0 means all.
	QueryFraction   float64 `file:"query_fraction"`   // of the queries (bagging_fraction with bagging_by_query)
	RowFraction     float64 `file:"row_fraction"`     // of the rows of those queries (bagging_fraction)
	FeatureFraction float64 `file:"feature_fraction"` // of the features
	Seed            uint64  `file:"seed"`

	// The following say what a leaf may be split by, and what values leaves have. What is drawn
	// depends on Seed, the tree and the way from its root to the leaf.

	// ExtraTrees has a leaf try one threshold of each feature, drawn from those between its bins,
	// and of a categorical feature one category, or sets of one drawn size (extra_trees; Geurts,
	// Ernst and Wehenkel 2006).
	ExtraTrees bool `file:"extra_trees"`
	// fraction of the tree's features that a leaf may be split by (feature_fraction_bynode);
	// 0 means all
	NodeFeatureFraction float64 `file:"node_feature_fraction"`
	// Interactions are sets of features (interaction_constraints). A leaf may be split by the
	// features above it, and by those that some set holds together with all of these. So features
	// that are in no set are not looked at. nil means that any features may meet.
	Interactions [][]int `file:"interactions"`
	// size of a leaf's value at most, before LearningRate (max_delta_step); 0 means any
	MaxDeltaStep float64 `file:"max_delta_step"`
	// PathSmooth draws the values of leaves towards those of their parents (path_smooth): with n
	// rows, from v to (w·v + parent)/(w+1) where w = n/PathSmooth. MaxDeltaStep limits v, and
	// Monotone the result; gains are those of the results. As in LightGBM, n is estimated: the
	// leaf's share of its parent's Hessian, of the parent's rows. 0 means no smoothing.
	PathSmooth float64 `file:"path_smooth"`

	// Dart drops some of the trees so far from the scores that each new one is grown on, and then
	// has it and them share what it learnt (boosting=dart; Rashmi and Gilad-Bachrach 2015): the
	// values of the k that were dropped are multiplied by k/(k+1), and the new tree has the
	// learning rate LearningRate/(k+1). Trees of Start are never dropped, so training in two parts
	// is not training in one. As every tree changes those before it, Best is the number of all
	// trees, and EarlyStopping is refused (LightGBM ignores it). Dart uses 16 bytes of memory
	// per row, validation sets included, and for each tree one byte, or four if the tree has more
	// than 256 leaves. Values of leaves are rounded to 36 bits below the largest of the first tree:
	// sums of them are exact.
	Dart bool `file:"dart"`
	// chance of a tree to be dropped (drop_rate); 0 means 0.1. Unless UniformDrop is set
	// (uniform_drop), trees that were dropped before, and so weigh less, have a lower one.
	DropRate    float64 `file:"drop_rate"`
	UniformDrop bool    `file:"uniform_drop"`
	MaxDrop     int     `file:"max_drop"`  // trees to drop at once at most (max_drop); 0 means 50, negative any number
	SkipDrop    float64 `file:"skip_drop"` // chance of dropping none (skip_drop); 0 means 0.5, negative none
	// the values of dropped trees are multiplied by k/(k+LearningRate), and the new tree has the
	// learning rate LearningRate/(k+LearningRate) (xgboost_dart_mode)
	XGBoostDart bool `file:"xgboost_dart" hash:"XGBoostDart"`

	// Validation sets are measured after every tree.
	Validation []Validation `file:"-"`
	// Measures are the program's own metrics of each set. They come before those of its evaluator.
	Measures []Measure `file:"-"`
	// EarlyStopping ends training when that many trees in a row have not improved the first metric
	// of the first validation set, without which it is an error. The model keeps the trees up to
	// the best value. 0 means that all trees are grown and kept.
	EarlyStopping int `file:"early_stopping"`

	// Start is the model to go on from: its trees come first in the new model, and Trees counts
	// what is added to them. Training that is resumed so gives the bits of training without a
	// break, but for Dart. Its trees take zeros for what they did, whatever ZeroMissing says; those
	// of a model with UnknownZeros, for what ZeroMissing says.
	Start *Model `file:"start"`

	// Checkpoint is the path of a file that keeps the training: it is written, whole or not at all,
	// after every CheckpointEvery trees (0 means 10) and when the context ends. Where the file is
	// there, Fit goes on from it, and gives the model, the curves and the best round of a training
	// without a break. The data must be as they were, and so must all options but Trees and those
	// that decide about memory and threads; else it is an error. What functions do is not looked
	// at, and an objective of the program's own counts by its type and its name. Fit leaves the
	// file when it is done; [Trainer.Retrain] has none.
	Checkpoint      string `file:"-"`
	CheckpointEvery int    `file:"-"`

	// BinsFile is the path of a file to keep the bins of dense features in, and not in memory: with
	// data of a mapped file (rank/datafile), training then takes memory for 40 bytes per row and a
	// sample of the rows. Features of sparse data that at most one row in eight lists stay in
	// memory, in seven bytes per listed value (Result.BinBytes). The file must not exist, and is
	// removed when training ends. Bins are written in one pass over the data. With DepthWise the
	// file is read once for each level of a tree, otherwise once for each leaf, which is slow where
	// it is larger than the memory. The model has the same bits as without it.
	BinsFile string `file:"-"`

	Threads int `file:"-"` // goroutines; 0 or less means GOMAXPROCS. The model does not depend on it

	// OnTree is called after every tree, from the goroutine that called Fit, with Grown and
	// Curves of the result so far, to be read only during the call. If it returns an error, Fit
	// stops and returns the trees so far, with early stopping up to the best. The error of Fit is
	// then nil after [ErrStop], and otherwise wraps what OnTree returned.
	OnTree func(sofar *Result) error `file:"-"`
}

// ErrStop is what OnTree of a [Trainer] returns to end the training with the trees so far.
var ErrStop = errs.New("lambdamart", "stopped by OnTree")

// A Validation set is data to measure the model on as it grows. The data that the model is trained
// on may be one; it costs no scoring.
type Validation struct {
	Name string
	Data *rank.Dataset
	// the metrics; nil means ndcg@10 with rank's defaults, or none where there are Measures
	Evaluator *rank.Evaluator
}

// A Measure is a metric of a program's own.
type Measure struct {
	Name string
	// Value returns the metric of the scores of the rows of d, which is Data of a validation set.
	// It is called after every tree, from the goroutine that called Fit, and must neither change
	// nor keep the scores. NaN is an error.
	Value func(scores []float64, d *rank.Dataset) (float64, error)
	Lower bool // lower values are better
}

// A Curve is one metric on one validation set.
type Curve struct {
	Set    string
	Metric string    // name of a metric, or of a Measure
	Values []float64 // mean after the first tree of this training, the second, …
}

// A Result is a trained model and how the training went.
type Result struct {
	Model *Model // with early stopping up to Best, otherwise of all trees

	// Stop is the reason for which the training ended: all trees were grown ("trees"), the
	// validation metric did not rise any more ("early"), no split lowers the loss ("no-split"),
	// OnTree returned an error ("progress") or the context ended ("canceled").
	Stop string

	Grown   int // trees grown in this training, those that Checkpoint had too
	Resumed int // trees that Checkpoint had
	// number of trees, of Grown, at which the first metric of the first validation set was best;
	// Grown without a validation set
	Best   int
	Curves []Curve // one a metric of a validation set, in their order

	// categorical features of which training did not tell all values apart
	Dropped []DroppedCategories

	BinBytes int64 // memory of the features in bins, but for those in BinsFile
	// memory of those, the histograms, and what is kept of each row; without the data, the
	// objective and validation sets
	TrainBytes int64
}

// DroppedCategories counts the values of a categorical feature that training did not tell apart.
type DroppedCategories struct {
	Feature    int // from 0
	Categories int // without a bin of their own
	Rows       int // that hold one of these
	Negative   int // rows that hold a negative number, which is missing
}
