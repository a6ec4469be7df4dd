package lambdamart

import (
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/rank"
)

// A Trainer grows boosted trees for ranking. [DefaultTrainer] returns one with the defaults of
// LightGBM's lambdarank, and a program changes the fields that it wants to:
//
//	t := lambdamart.DefaultTrainer()
//	t.Trees = 300
//	result, err := t.Fit(ctx, data)
//
// Each number means itself, and a limit of 0 is no limit. So the zero Trainer cannot train: its Fit
// returns an error. The comments have LightGBM's names of parameters in parentheses.
// Missing values that training did not see are scored by another rule than LightGBM's; see the
// package comment.
//
// The gradients of row i, of query q, are multiplied by Weights[i] and QueryWeights[q] of the data,
// whose Names become the names of the model's features.
//
// The model has the same bits for any number of threads, on every processor, because all sums of
// gradients are sums of integers.
type Trainer struct {
	// Objective is the loss that trees lower. The default is [NDCG].
	Objective Objective `file:"objective"`

	// Truncation limits the pairs of the pairwise objectives: only those with a document among the
	// first Truncation of their query count (lambdarank_truncation_level). 0 means that all pairs
	// count. The default is 30.
	Truncation int `file:"truncation"`
	// Sigmoid is the slope of the logistic loss, above 0, of the pairwise objectives and of
	// [Binary] (sigmoid). The default is 1.
	Sigmoid float64 `file:"sigmoid"`
	// NoNorm switches off the normalization of the pairwise objectives by score difference and by
	// query (lambdarank_norm = false).
	NoNorm bool `file:"no_norm"`
	// Gains are the gains of the labels 0, 1, 2, … for [NDCG] and [XENDCG] (label_gain). nil, the
	// default, means 2^label−1.
	Gains rank.GainTable `file:"gains"`

	// PositionBias is how to learn from labels that are clicks. Positions of the data are where
	// documents were shown. Users click on the documents that they notice, and they notice the
	// first positions most, whatever is shown there. Both ways learn how much positions count while
	// the trees are grown; see [PositionFactors].
	//
	//	none      Labels are what they are. The default.
	//	additive  A number per position is added to the scores before derivatives are taken:
	//	          documents that were shown high are expected to have more clicks. A Newton step
	//	          per tree, times the learning rate, fits these numbers. It is LightGBM's way (4.1
	//	          and later).
	//	pairwise  The weight of each pair of documents is divided by t⁺ of the position of the
	//	          better one and t⁻ of the position of the other one, which every tree estimates
	//	          anew by the losses of the pairs: Unbiased LambdaMART (Hu et al. 2019), XGBoost's
	//	          lambdarank_unbiased. It is for the objectives NDCG, MAP and Pairwise. Clicks at
	//	          low positions are few and weigh much, so it needs more clicks than additive.
	//
	// The pairwise way differs from XGBoost's source (2026) in three ways, and so do its factors.
	// The loss of a pair is ln(1+exp(−σ·(s_better−s_worse))), as in the paper; XGBoost has the
	// opposite sign. Losses are divided by the number of documents at their position, because lists
	// are of several lengths. A pair with one document beyond Truncation is divided by the factor
	// of the other one; XGBoost divides it by none.
	//
	// With Start, the model to resume from must have factors of the same kind, and training begins
	// with these: a model without trees passes them to a new training.
	PositionBias string `file:"position_bias" word:"none"`
	// PositionL2 is the penalty of the additive way, L2/2·b² per row
	// (lambdarank_position_bias_regularization). The default is 0.
	PositionL2 float64 `file:"position_l2"`
	// PositionNorm makes a ratio of losses a factor of the pairwise way, by its power
	// 1/(1+PositionNorm) (lambdarank_bias_norm). The default is 1.
	PositionNorm float64 `file:"position_norm"`

	// MeanPairs is the number of pairs that are drawn for each document, with others of another
	// label, instead of the pairs that Truncation chooses: XGBoost's lambdarank_pair_method = mean
	// with this lambdarank_num_pair_per_sample. 0, the default, draws none.
	MeanPairs int `file:"mean_pairs"`

	// Permutations is the number of random rankings of a query for each tree of [YetiRank]
	// (CatBoost's permutations). The default is 10.
	Permutations int `file:"permutations"`
	// Decay is the weight of a pair of [YetiRank] relative to the pair one rank above it, above 0
	// and at most 1 (CatBoost's decay). The default is 0.85.
	Decay float64 `file:"decay"`

	// Trees is the number of trees to grow (num_iterations). The default is 100.
	Trees int `file:"trees"`
	// LearningRate is the share of each tree's step that is taken, above 0 (learning_rate). The
	// default is 0.1.
	LearningRate float64 `file:"learning_rate"`

	// DepthWise grows a tree level by level. By default it grows leaf by leaf, the one with the
	// highest gain first.
	DepthWise bool `file:"depth_wise"`
	// Leaves is the maximum number of leaves of a tree (num_leaves), at least 2. 0 means that Depth
	// is the only limit, except that no tree gets more than 65,536 leaves. The default is 31.
	Leaves int `file:"leaves"`
	// Depth is the maximum number of splits from the root to a leaf (max_depth). 0, the default,
	// means no limit, unless Leaves is 0, too: a tree needs one of the limits, and Depth is 6 then.
	Depth int `file:"depth"`

	// MinRows is the minimum number of rows per leaf (min_data_in_leaf), as estimated by the leaf's
	// share of its parent's Hessian. 0 is the same as 1, because each side of a split has a row
	// anyway. The default is 20.
	MinRows int `file:"min_rows"`
	// MinHessian is the minimum sum of second derivatives per leaf (min_sum_hessian_in_leaf). A
	// sum that rounding may have lowered below it is accepted. The default is 0.001.
	MinHessian float64 `file:"min_hessian"`
	// L1 is the L1 penalty on the values of leaves (lambda_l1). The default is 0.
	L1 float64 `file:"l1"`
	// L2 is the L2 penalty on the values of leaves (lambda_l2). The default is 0.
	L2 float64 `file:"l2"`
	// MinGain is the minimum gain of a split (min_gain_to_split, gamma). The gains in the model are
	// reduced by it; those of LightGBM and XGBoost are not. The default is 0.
	MinGain float64 `file:"min_gain"`

	// Bins is the maximum number of bins per feature, missing values included (max_bin), from 2 to
	// 255. The default is 255. Values of a numerical feature are merged, from the lowest on, until
	// a bin holds 3 of at most 200,000 sampled rows (min_data_in_bin), so no split separates rarer
	// ones.
	Bins int `file:"bins"`
	// ZeroMissing makes 0 a missing value, as NaN always is, and so a feature that a row omits
	// (zero_as_missing).
	ZeroMissing bool `file:"zero_missing"`

	// Monotone holds 1 for a feature that must not lower the score as it rises, −1 for one that
	// must not raise it, else 0; features beyond its length are free (monotone_constraints).
	// Missing values may score higher or lower than all others: a split that separates them from
	// the others is not restricted.
	Monotone []int8 `file:"monotone"`

	// Categorical lists the features, from 0, whose values are integers without order. A split on
	// one sends a set of categories left: a single one if there are at most OneHot, otherwise a
	// prefix or suffix of the categories in the order of gradient/(Hessian+CategorySmooth) (Fisher
	// 1958), which holds at most half of them, rounded up. Missing values always go right.
	//
	// Categories are from 0 to 2²⁴−1. Negative numbers are missing, as in LightGBM. If there are
	// more categories than Bins, the most frequent ones have bins, and the others share the last
	// one: every split sends them right, like categories that training has not seen. Dropped of the
	// [Result] counts both.
	Categorical []int `file:"categorical"`
	// OneHot is the number of categories up to which a split sends a single one left. The default
	// is 4. LightGBM's max_cat_to_onehot also counts a bin for missing values.
	OneHot int `file:"one_hot"`
	// CategorySmooth is added to Hessians to order categories (cat_smooth). If there are more than
	// OneHot categories, those with fewer rows than this in the leaf always go right. Their rows
	// are estimated by their share of the leaf's Hessian. The default is 10.
	CategorySmooth float64 `file:"category_smooth"`
	// CategoryL2 is added to L2 for splits of more than OneHot categories (cat_l2). The default is
	// 10.
	CategoryL2 float64 `file:"category_l2"`
	// CategoryRows is the minimum number of rows by which one set of categories differs from the
	// next that is tried (min_data_per_group), estimated as for MinRows. The default is 100.
	CategoryRows int `file:"category_rows"`
	// MaxCategories is the maximum number of categories that a split sends left
	// (max_cat_threshold), at least 1. The default is 32.
	MaxCategories int `file:"max_categories"`

	// QueryFraction is the share of the queries that a tree is grown on, above 0 and at most 1
	// (bagging_fraction with bagging_by_query). Seed draws them anew for each tree, and so the rows
	// and features below. The default is 1.
	QueryFraction float64 `file:"query_fraction"`
	// RowFraction is the share of the rows of these queries (bagging_fraction). The default is 1.
	RowFraction float64 `file:"row_fraction"`
	// FeatureFraction is the share of the features that a tree may use (feature_fraction). The
	// default is 1.
	FeatureFraction float64 `file:"feature_fraction"`
	// Seed seeds what training draws. The random choices for a leaf depend on Seed, the tree and
	// the path from its root to the leaf. The default is 0.
	Seed uint64 `file:"seed"`

	// ExtraTrees makes a leaf try one threshold of each feature, drawn from those between its bins,
	// and of a categorical feature one category, or sets of one drawn size (extra_trees; Geurts,
	// Ernst and Wehenkel 2006).
	ExtraTrees bool `file:"extra_trees"`
	// NodeFeatureFraction is the share of the tree's features that a leaf may be split by, above 0
	// and at most 1 (feature_fraction_bynode). The default is 1.
	NodeFeatureFraction float64 `file:"node_feature_fraction"`
	// Interactions are sets of features (interaction_constraints). A leaf may be split by the
	// features above it, and by those that some set holds together with all of these, so features
	// that are in no set are not used. nil, the default, means that any features may meet.
	Interactions [][]int `file:"interactions"`
	// MaxDeltaStep is the maximum absolute value of a leaf before LearningRate (max_delta_step). 0,
	// the default, means no limit.
	MaxDeltaStep float64 `file:"max_delta_step"`
	// PathSmooth draws the values of leaves towards those of their parents (path_smooth): with n
	// rows, from v to (w·v + parent)/(w+1) where w = n/PathSmooth. MaxDeltaStep limits v, and
	// Monotone the result; gains are those of the results. As in LightGBM, n is estimated: the
	// leaf's share of its parent's Hessian, of the parent's rows. 0, the default, does not smooth.
	PathSmooth float64 `file:"path_smooth"`

	// Dart drops some of the trees so far from the scores that each new one is grown on, and then
	// lets it and them share what it has learned (boosting=dart; Rashmi and Gilad-Bachrach 2015):
	// the values of the k that were dropped are multiplied by k/(k+1), and the new tree has the
	// learning rate LearningRate/(k+1). Trees of Start are never dropped, so training in two parts
	// is not training in one. As every tree changes those before it, Best is the number of all
	// trees, and EarlyStopping is refused (LightGBM ignores it). Dart uses 16 bytes of memory
	// per row, validation sets included, and for each tree one byte, or four if the tree has more
	// than 256 leaves. Values of leaves are rounded to 36 bits below the largest of the first tree,
	// so sums of them are exact.
	Dart bool `file:"dart"`
	// DropRate is the chance of a tree to be dropped (drop_rate). Unless UniformDrop is set, trees
	// that were dropped before, and so weigh less, have a lower one. The default is 0.1.
	DropRate float64 `file:"drop_rate"`
	// UniformDrop gives all trees the same chance to be dropped (uniform_drop).
	UniformDrop bool `file:"uniform_drop"`
	// MaxDrop is the maximum number of trees to drop at once (max_drop). 0 means no limit. The
	// default is 50.
	MaxDrop int `file:"max_drop"`
	// SkipDrop is the chance of dropping no tree (skip_drop). The default is 0.5.
	SkipDrop float64 `file:"skip_drop"`
	// XGBoostDart multiplies the values of dropped trees by k/(k+LearningRate), and gives the new
	// tree the learning rate LearningRate/(k+LearningRate) (xgboost_dart_mode).
	XGBoostDart bool `file:"xgboost_dart" hash:"XGBoostDart"`

	// Validation sets are measured after every tree.
	Validation []Validation `file:"-"`
	// CustomMetrics are the program's own metrics of each set. They come before those of its
	// evaluator.
	CustomMetrics []CustomMetric `file:"-"`
	// EarlyStopping ends training when that many trees in a row have not improved the first metric
	// of the first validation set, without which it is an error. The model keeps the trees up to
	// the best value. 0, the default, grows and keeps all trees.
	EarlyStopping int `file:"early_stopping"`

	// Start is the model to resume from: its trees come first in the new model, and Trees counts
	// the trees that are added to them. Training that is resumed so has the bits of training
	// without a break, except with Dart. The trees of Start treat zeros as they did, whatever
	// ZeroMissing says; those of a model with UnknownZeros treat them as ZeroMissing says.
	Start *Model `file:"start"`

	// Checkpoint is the path of a file that keeps the training. It is written, atomically, after
	// every CheckpointEvery trees and when the context ends. If the file exists, Fit resumes from
	// it, and returns the model, the curves and the best round of a training without a break. The
	// data must be the same, and so must all options except Trees and those that decide about
	// memory and threads, or Fit returns an error. It cannot compare what functions do, and an
	// objective of the program's own counts by its type and its name. Fit leaves the file when it
	// is done; [Trainer.Retrain] has none.
	Checkpoint string `file:"-"`
	// CheckpointEvery is the number of trees from one checkpoint to the next, at least 1. The
	// default is 10.
	CheckpointEvery int `file:"-"`

	// BinsFile is the path of a file to keep the bins of dense features in, and not in memory: with
	// data of a mapped file (rank/datafile), training then takes memory for 40 bytes per row and a
	// sample of the rows. Features of sparse data that at most one row in eight lists stay in
	// memory, in seven bytes per listed value (Result.BinBytes). The file must not exist, and is
	// removed when training ends. Bins are written in one pass over the data. With DepthWise the
	// file is read once for each level of a tree, otherwise once for each leaf, which is slow if
	// the file is larger than RAM. The model has the same bits as without it.
	BinsFile string `file:"-"`

	// Threads is the number of goroutines; 0 or less, the default, means GOMAXPROCS. The model does
	// not depend on it.
	Threads int `file:"-"`

	// OnTree is called after every tree, from the goroutine that called Fit, with Grown and Curves
	// of the result so far, to be read only during the call. If it returns an error, Fit stops and
	// returns the trees so far, with early stopping up to the best. The error of Fit is then nil
	// after [ErrStop], and otherwise wraps what OnTree returned.
	OnTree func(sofar *Result) error `file:"-"`
}

// DefaultTrainer returns a trainer of LambdaMART with the defaults of LightGBM's lambdarank, all of
// which are in its fields.
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

// ErrStop is what OnTree of a [Trainer] returns to end the training with the trees so far.
var ErrStop = errs.New("lambdamart", "stopped by OnTree")

// A Validation set is data to measure the model on as it grows. The data that the model is trained
// on may be one; it costs no scoring.
type Validation struct {
	Name string
	Data *rank.Dataset
	// the metrics; nil means ndcg@10 with rank's defaults, or none where there are CustomMetrics
	Evaluator *rank.Evaluator
}

// A CustomMetric is a metric that the program computes.
type CustomMetric struct {
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
	Metric string    // name of a metric, or of a CustomMetric
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
