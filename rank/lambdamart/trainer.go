package lambdamart

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// A Trainer trains gradient-boosted decision trees for ranking. Call [DefaultTrainer] to get one
// with the defaults of LightGBM's lambdarank, and then set the fields that you want to change:
//
//	t := lambdamart.DefaultTrainer()
//	t.Trees = 300
//	result, err := t.Fit(ctx, data)
//
// Fields have no implicit defaults: each number is used as it is, and a limit of 0 means no limit.
// Therefore Fit returns an error for the zero Trainer. Field comments give LightGBM's parameter
// names in parentheses. Values that are missing only at serving time are scored differently than in
// LightGBM; see the package comment.
//
// The gradients of row i in query q are multiplied by Weights[i] and QueryWeights[q] of the data.
// The column names of the data become the feature names of the model.
//
// Training is deterministic: the model is bit-identical for any number of threads, on every
// processor.
type Trainer struct {
	// Objective defines the loss that training minimizes. The default is [NDCG].
	Objective Objective `file:"objective"`

	// Truncation limits the pairs of pairwise objectives: a pair counts only if at least one of its
	// documents is among the query's top Truncation documents (lambdarank_truncation_level). 0
	// means that all pairs count. The default is 30.
	Truncation int `file:"truncation"`
	// Sigmoid is the slope of the logistic loss of pairwise objectives and of [Binary] (sigmoid).
	// It must be positive. The default is 1.
	Sigmoid float64 `file:"sigmoid"`
	// NoNorm disables the normalization of pairwise objectives by score difference and by query
	// (lambdarank_norm = false).
	NoNorm bool `file:"no_norm"`
	// Gains contains the gains of the labels 0, 1, 2, … for [NDCG] and [XENDCG] (label_gain). nil,
	// the default, means 2^label−1.
	Gains rank.GainTable `file:"gains"`

	// PositionBias selects how to learn from click labels. The methods additive and pairwise
	// require data with Positions, which are the positions at which documents were shown. Users
	// click on documents that they notice, and they notice the first positions most, regardless of
	// the documents shown there. Both methods correct for this bias. They estimate the effect of
	// positions while the trees are grown; see [PositionFactors].
	//
	//	none      Labels are used as they are. The default.
	//	additive  A number per position is added to the scores before derivatives are
	//	          computed: documents that were shown at the top are expected to have more
	//	          clicks. After each tree, a Newton step, scaled by the learning rate,
	//	          updates these numbers. This is LightGBM's method (4.1 and later).
	//	pairwise  The weight of each pair is divided by t⁺ at the better document's position
	//	          and by t⁻ at the other document's position. After each tree, both factors
	//	          are estimated again from the pair losses. This is Unbiased LambdaMART (Hu
	//	          et al. 2019), like XGBoost's lambdarank_unbiased. It supports the
	//	          objectives NDCG, MAP and Pairwise. It needs more clicks than additive,
	//	          because clicks at low positions are rare and have large weights.
	//
	// The pairwise method differs from XGBoost (as of 2026) in three ways, so its factors differ
	// too. The loss of a pair is ln(1+exp(−σ·(s_better−s_worse))), as in the paper; XGBoost has the
	// opposite sign. Losses are divided by the number of documents at their position, because lists
	// have different lengths. If one document of a pair is beyond Truncation, the pair's weight is
	// divided by the other document's factor. XGBoost does not divide such weights.
	//
	// If Start is set, its factors must come from the same method, and training begins with them.
	// To reuse only the factors, set Start to a model without trees.
	PositionBias string `file:"position_bias" word:"none"`
	// PositionL2 is the penalty of the additive method, L2/2·b² per row
	// (lambdarank_position_bias_regularization). The default is 0.
	PositionL2 float64 `file:"position_l2"`
	// PositionNorm sets the exponent in the pairwise method: each position-bias factor is a loss
	// ratio raised to the power 1/(1+PositionNorm) (lambdarank_bias_norm). The default is 1.
	PositionNorm float64 `file:"position_norm"`

	// MeanPairs is the number of random pairs per document. If it is 0, the default, no pairs are
	// sampled, and Truncation selects the pairs. The documents of a pair have different labels. The
	// equivalent in XGBoost is lambdarank_num_pair_per_sample with lambdarank_pair_method=mean.
	MeanPairs int `file:"mean_pairs"`

	// Permutations is the number of random rankings per query and tree for [YetiRank] (CatBoost's
	// permutations). The default is 10.
	Permutations int `file:"permutations"`
	// Decay is the weight of a [YetiRank] pair relative to the pair one rank higher (CatBoost's
	// decay). It must be greater than 0 and at most 1. The default is 0.85.
	Decay float64 `file:"decay"`

	// Trees is the number of trees to grow (num_iterations). The default is 100.
	Trees int `file:"trees"`
	// LearningRate multiplies the leaf values of each tree (learning_rate). It must be positive.
	// The default is 0.1.
	LearningRate float64 `file:"learning_rate"`

	// DepthWise grows trees level by level. By default trees grow leaf by leaf: the leaf with the
	// highest gain is split first.
	DepthWise bool `file:"depth_wise"`
	// Leaves is the maximum number of leaves per tree (num_leaves), at least 2. If it is 0, Depth
	// is the only limit, except that no tree has more than 65,536 leaves. The default is 31.
	Leaves int `file:"leaves"`
	// Depth is the maximum number of splits from the root to a leaf (max_depth). 0, the default,
	// means no limit. If Leaves is 0 too, the maximum depth is 6, because trees need a limit.
	Depth int `file:"depth"`

	// MinRows is the minimum number of rows per leaf (min_data_in_leaf). The number is estimated
	// from the leaf's share of its parent's Hessian. 0 is equivalent to 1, because each side of a
	// split has at least one row. The default is 20.
	MinRows int `file:"min_rows"`
	// MinHessian is the minimum sum of second derivatives per leaf (min_sum_hessian_in_leaf). A sum
	// slightly below the minimum is accepted if rounding can explain the difference. The default is
	// 0.001.
	MinHessian float64 `file:"min_hessian"`
	// L1 is the L1 penalty on leaf values (lambda_l1). The default is 0.
	L1 float64 `file:"l1"`
	// L2 is the L2 penalty on leaf values (lambda_l2). The default is 0.
	L2 float64 `file:"l2"`
	// MinGain is the minimum gain of a split (min_gain_to_split, gamma). It is subtracted from the
	// gains in the model; LightGBM and XGBoost do not subtract it. The default is 0.
	MinGain float64 `file:"min_gain"`

	// Bins is the maximum number of bins per feature, including the bin of missing values
	// (max_bin). It must be from 2 to 255. The default is 255. Bins are computed from a sample of
	// at most 200,000 rows. Rare neighboring values of a numerical feature share a bin, which
	// usually contains at least 3 sampled rows (min_data_in_bin). No split separates values that
	// share a bin.
	Bins int `file:"bins"`
	// ZeroMissing treats the value 0 as missing (zero_as_missing), including features that a row
	// omits. NaN is always missing.
	ZeroMissing bool `file:"zero_missing"`

	// Monotone contains one element per feature (monotone_constraints): 1 if a higher value must
	// not lower the score, −1 if it must not raise the score, and 0 otherwise. Features without an
	// element are not constrained. Splits that separate missing values from all others are not
	// constrained either, so missing values may score higher or lower than all others.
	Monotone []int8 `file:"monotone"`

	// Categorical lists the features, counted from 0, whose values are integers without an order.
	// Columns with text categories (Categories of [rank.Dataset]) are always categorical. A split
	// on a categorical feature sends a set of categories left. If there are at most OneHot
	// categories, the set contains one category. Otherwise the categories are sorted by
	// gradient/(Hessian+CategorySmooth) (Fisher 1958). The set is then a prefix or suffix that
	// contains at most half of them, rounded up. Missing values always go right.
	//
	// Categories must be from 0 to 2²⁴−1. Negative numbers are missing, as in LightGBM. If there
	// are more categories than Bins, the most frequent categories have their own bins, and the
	// others share the last bin. Every split sends the shared bin right, and also categories that
	// were not in the training data. Dropped of [Result] counts the rows with negative numbers and
	// the rows with categories in the shared bin.
	Categorical []int `file:"categorical"`
	// OneHot is the maximum number of categories for which a split sends a single category left.
	// The default is 4. LightGBM's max_cat_to_onehot also counts a bin for missing values.
	OneHot int `file:"one_hot"`
	// CategorySmooth is added to the Hessian of each category when categories are sorted
	// (cat_smooth). Sorted categories with fewer than CategorySmooth rows in the leaf always go
	// right. Their number of rows is estimated from their share of the leaf's Hessian. The default
	// is 10.
	CategorySmooth float64 `file:"category_smooth"`
	// CategoryL2 is added to L2 for splits with more than OneHot categories (cat_l2). The default
	// is 10.
	CategoryL2 float64 `file:"category_l2"`
	// CategoryRows is the minimum number of rows by which consecutive candidate sets of categories
	// must differ (min_data_per_group). The number of rows is estimated as for MinRows. The default
	// is 100.
	CategoryRows int `file:"category_rows"`
	// MaxCategories is the maximum number of categories that a split sends left
	// (max_cat_threshold). It must be at least 1. The default is 32.
	MaxCategories int `file:"max_categories"`

	// QueryFraction is the fraction of queries that each tree is trained on (bagging_fraction with
	// bagging_by_query). It must be greater than 0 and at most 1. Each tree uses a new random
	// sample of queries, rows and features. The default is 1.
	QueryFraction float64 `file:"query_fraction"`
	// RowFraction is the fraction of the rows of the sampled queries that each tree is trained on
	// (bagging_fraction). The default is 1.
	RowFraction float64 `file:"row_fraction"`
	// FeatureFraction is the fraction of the features that each tree may use (feature_fraction).
	// The default is 1.
	FeatureFraction float64 `file:"feature_fraction"`
	// Seed is the random seed. Random choices for a leaf depend only on Seed, the tree and the path
	// from its root to the leaf. The default is 0.
	Seed uint64 `file:"seed"`

	// ExtraTrees tries only one random threshold per feature and leaf (extra_trees; Geurts, Ernst
	// and Wehenkel 2006). For a categorical feature it tries one random category or, with more than
	// OneHot categories, sets of one random size.
	ExtraTrees bool `file:"extra_trees"`
	// NodeFeatureFraction is the fraction of the tree's features that a leaf may be split on
	// (feature_fraction_bynode). It must be greater than 0 and at most 1. The default is 1.
	NodeFeatureFraction float64 `file:"node_feature_fraction"`
	// Interactions contains sets of features that may occur together (interaction_constraints). A
	// leaf may be split on a feature that is already used above it, or on a feature that shares a
	// set with all features used above it. Features in no set are never used. nil, the default,
	// allows every combination.
	Interactions [][]int `file:"interactions"`
	// MaxDeltaStep is the maximum absolute leaf value before LearningRate is applied
	// (max_delta_step). 0, the default, means no limit.
	MaxDeltaStep float64 `file:"max_delta_step"`
	// PathSmooth smooths leaf values towards their parents' values (path_smooth). It replaces the
	// value v of a leaf with n rows by (w·v + parent)/(w+1), where w = n/PathSmooth. MaxDeltaStep
	// limits v, and Monotone limits the smoothed value. Gains are computed from smoothed values. As
	// in LightGBM, n is estimated from the leaf's share of its parent's Hessian. 0, the default,
	// disables smoothing.
	PathSmooth float64 `file:"path_smooth"`

	// Dart enables DART boosting (boosting=dart; Rashmi and Gilad-Bachrach 2015). Each new tree is
	// fitted while k random earlier trees are dropped. Afterwards the values of the dropped trees
	// are multiplied by k/(k+1), and the new tree has the learning rate LearningRate/(k+1). Trees
	// of Start are never dropped, so resuming from Start does not reproduce uninterrupted training.
	//
	// Because each tree changes earlier trees, Best is the total number of trees, and EarlyStopping
	// must be 0 (LightGBM ignores it). Dart uses 16 bytes of memory per row, including validation
	// rows. It also uses one byte per row and tree, or four bytes if the tree has more than 256
	// leaves. Leaf values are rounded so that their sums are exact. The rounding unit is about 2⁻³⁶
	// times the largest value of the first tree.
	Dart bool `file:"dart"`
	// DropRate is the probability that a tree is dropped (drop_rate). Unless UniformDrop is set, it
	// is lower for trees that were dropped before and therefore have a smaller weight. The default
	// is 0.1.
	DropRate float64 `file:"drop_rate"`
	// UniformDrop drops each tree with the same probability (uniform_drop).
	UniformDrop bool `file:"uniform_drop"`
	// MaxDrop is the maximum number of trees that are dropped at once (max_drop). 0 means no limit.
	// The default is 50.
	MaxDrop int `file:"max_drop"`
	// SkipDrop is the probability of dropping no tree (skip_drop). The default is 0.5.
	SkipDrop float64 `file:"skip_drop"`
	// XGBoostDart multiplies the values of dropped trees by k/(k+LearningRate) and uses the
	// learning rate LearningRate/(k+LearningRate) for the new tree (xgboost_dart_mode).
	XGBoostDart bool `file:"xgboost_dart" hash:"XGBoostDart"`

	// Validation contains the datasets on which the model is evaluated after every tree.
	Validation []Validation `file:"-"`
	// CustomMetrics are your own metrics, computed for each validation set. In the results, they
	// precede the metrics of its Evaluator.
	CustomMetrics []CustomMetric `file:"-"`
	// EarlyStopping ends training if the first metric of the first validation set does not improve
	// for this number of trees. The model keeps the trees up to the best value. Fit returns an
	// error if there is no validation set. 0, the default, disables early stopping.
	EarlyStopping int `file:"early_stopping"`

	// Start is a model to continue training from. Its trees come first in the new model, and Trees
	// counts only the new trees. Except with Dart, the result is bit-identical to uninterrupted
	// training. Trees of Start keep their treatment of zeros, regardless of ZeroMissing. If
	// UnknownZeros of Start is set, ZeroMissing applies to its trees too. Text categories of the
	// data must be numbered as in Start; see [Model.CheckCategories]. New texts are appended.
	Start *Model `file:"start"`

	// Checkpoint is the path of a file from which an interrupted training can resume. It is written
	// atomically every CheckpointEvery trees and when the context ends. If the file exists, Fit
	// resumes from it and returns the same model, curves and Best as uninterrupted training.
	//
	// Fit returns an error if the data or options have changed, except for Trees and the options
	// for memory and threads. Functions are not compared, and a custom Objective is identified by
	// its type and name. Fit does not delete the file. [Trainer.Retrain] ignores Checkpoint.
	Checkpoint string `file:"-"`
	// CheckpointEvery is the number of trees between checkpoints. It must be at least 1. The
	// default is 10.
	CheckpointEvery int `file:"-"`

	// BinsFile is the path of a file for the bins of dense features, which are otherwise kept in
	// memory. If the data is a memory-mapped file (rank/datafile), training then uses memory only
	// for 40 bytes per row and a sample of the rows. In sparse data, features that are listed in at
	// most an eighth of the rows stay in memory. They use seven bytes per listed value
	// (Result.BinBytes).
	//
	// Fit returns an error if the file exists, and deletes the file when training ends. It writes
	// the bins in one pass over the data. With DepthWise, it reads the file once per tree level.
	// Otherwise it reads the file once per leaf, which is slow if the file is larger than RAM. The
	// model is bit-identical with and without BinsFile.
	BinsFile string `file:"-"`

	// Threads is the number of goroutines. If it is 0, the default, or negative, GOMAXPROCS
	// goroutines are used. The model does not depend on it.
	Threads int `file:"-"`

	// OnTree is called after every tree by the goroutine that called Fit. It receives a [Result]
	// that contains Grown and Curves, and may use the Result only during the call. If OnTree
	// returns an error, Fit stops and returns the current trees; with early stopping, it returns
	// the trees up to the best one. The error of Fit is nil after [ErrStop], and otherwise wraps
	// the error of OnTree.
	OnTree func(sofar *Result) error `file:"-"`
}

// DefaultTrainer returns a trainer whose fields contain the defaults of LightGBM's lambdarank.
func DefaultTrainer() *Trainer {
	return &Trainer{
		Objective: NDCG, Truncation: 30, Sigmoid: 1, PositionBias: noBias, PositionNorm: 1,
		Permutations: 10, Decay: 0.85,
		Trees: 100, LearningRate: 0.1, Leaves: 31, MinRows: 20, MinHessian: 0.001, Bins: 255,
		OneHot: 4, CategorySmooth: 10, CategoryL2: 10, CategoryRows: 100, MaxCategories: 32,
		QueryFraction: 1, RowFraction: 1, FeatureFraction: 1, NodeFeatureFraction: 1,
		DropRate: 0.1, MaxDrop: 50, SkipDrop: 0.5,
		CheckpointEvery: 10,
	}
}

// ErrStop ends training when OnTree of a [Trainer] returns it. The model keeps the trees so far.
var ErrStop = errs.New("lambdamart", "stopped by OnTree")

// A Validation is a dataset on which the model is evaluated as it grows. It may be the training
// data; their scores are then not computed again.
type Validation struct {
	Name string
	Data *rank.Dataset
	// Evaluator computes the metrics. nil means ndcg@10 with rank's default options, or no metric
	// if there are CustomMetrics.
	Evaluator *rank.Evaluator
}

// A CustomMetric is a metric that your program computes.
type CustomMetric struct {
	Name string
	// Value returns the metric of the scores on d, which is the Data of a validation set. The
	// goroutine that called Fit calls it after every tree. Value must neither modify nor retain the
	// scores. If it returns NaN, Fit returns an error.
	Value func(scores []float64, d *rank.Dataset) (float64, error)
	Lower bool // whether lower values are better
}

// A Curve contains the values of one metric on one validation set.
type Curve struct {
	Set    string
	Metric string    // name of a metric or of a CustomMetric
	Values []float64 // mean after each tree of this training
}

// A Result contains a trained model and a description of the training.
type Result struct {
	Model *Model // all trees or, with early stopping, the trees up to Best

	// Stop is the reason why training ended. It is "trees" if all trees were grown, "early" if the
	// validation metric did not improve any more, and "no-split" if no split reduces the loss. It
	// is "progress" if OnTree returned an error, and "canceled" if the context ended.
	Stop string

	// Grown is the number of trees grown in this training, including trees from Checkpoint.
	Grown   int
	Resumed int // number of trees from Checkpoint
	// Best is the number of trees, at most Grown, at which the first metric of the first validation
	// set was best. It equals Grown if there is no validation set.
	Best   int
	Curves []Curve // one per validation set and metric, in order

	// Dropped lists the categorical features whose values training did not fully distinguish.
	Dropped []DroppedCategories

	// BinBytes is the memory size of the binned features, except for features in BinsFile.
	BinBytes int64
	// TrainBytes is the memory size of the binned features, the histograms and the state of each
	// row. It does not include the data, the objective and the validation sets.
	TrainBytes int64
}

// DroppedCategories counts the values of a categorical feature that training did not distinguish.
type DroppedCategories struct {
	Feature    int // index of the feature, counted from 0
	Categories int // number of categories without their own bin
	Rows       int // number of rows with one of these categories
	Negative   int // number of rows with a negative number, which is missing
}
