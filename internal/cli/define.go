package cli

import (
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A FlagSet adds flags to a command: that of package flag, or the one of package pflag, which the
// library does not require.
type FlagSet interface {
	BoolVar(p *bool, name string, value bool, usage string)
	IntVar(p *int, name string, value int, usage string)
	Uint64Var(p *uint64, name string, value uint64, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	StringVar(p *string, name string, value string, usage string)
}

// DefineSVM adds the flags of how RankSVM trains.
func DefineSVM(flags FlagSet, m *rank.RankSVM) {
	flags.BoolVar(&m.PerQuery, "per-query", false,
		"ranksvm: divide the loss of each query by the number of its pairs")
	flags.BoolVar(&m.Standardize, "standardize", false,
		"ranksvm: penalize weights as if features had standard deviation 1")
	flags.Float64Var(&m.Tol, "tol", 1e-6, "ranksvm: relative gap to the minimum to train to")
	flags.IntVar(&m.MaxPasses, "max-passes", 10000, "ranksvm: passes over the data at most")
}

// DefineObjective adds the flags that belong to objectives of trees. Their usage begins with kind.
func (f *TreesFlags) DefineObjective(flags FlagSet, t *lambdamart.Trainer, kind string) {
	flags.IntVar(&t.Truncation, "truncation", 30, kind+"pairs with one of the first N, 0 for all")
	flags.IntVar(&t.MeanPairs, "mean-pairs", 0, kind+"pairs drawn for each document, not by --truncation")
	flags.Float64Var(&t.Sigmoid, "sigmoid", 1, kind+"slope of the logistic loss")
	flags.BoolVar(&t.NoNorm, "no-norm", false, kind+"do not normalize by differences of scores and by query")
	flags.StringVar(&f.LabelGain, "label-gain", "",
		kind+"gains of the labels 0, 1, 2, …, as in 0,1,3,7 (default 2^label-1)")
	flags.IntVar(&t.Permutations, "permutations", 10, kind+"yetirank's random rankings of a query")
	flags.Float64Var(&t.Decay, "decay", 0.85, kind+"yetirank's weight of rank k+1 to rank k")
}

// DefineBoosting adds the flags of how many trees grow.
func DefineBoosting(flags FlagSet, t *lambdamart.Trainer) {
	flags.IntVar(&t.Trees, "trees", 100, "lambdamart: trees to grow")
	flags.Float64Var(&t.LearningRate, "learning-rate", 0.1, "lambdamart: share of each tree's step to take")
	flags.IntVar(&t.EarlyStopping, "early-stopping", 0,
		"lambdamart: trees without a better metric on --valid to stop at")
	flags.Uint64Var(&t.Seed, "seed", 0, "lambdamart: seed of what is drawn")
}

// DefineTrees adds the flags of how a tree grows, but for its size.
func (f *TreesFlags) DefineTrees(flags FlagSet, t *lambdamart.Trainer) {
	flags.IntVar(&t.MinRows, "min-rows", 20, "lambdamart: documents of a leaf at least")
	flags.Float64Var(&t.MinHessian, "min-hessian", 0.001, "lambdamart: sum of Hessians of a leaf at least")
	flags.Float64Var(&t.MinGain, "min-gain", 0, "lambdamart: minimum gain of a split (gamma), subtracted from its gain")
	flags.Float64Var(&t.L1, "l1", 0, "lambdamart: L1 penalty on the values of leaves")
	flags.Float64Var(&t.L2, "l2", 0, "lambdamart: L2 penalty on the values of leaves")
	flags.StringVar(&f.Monotone, "monotone", "", "lambdamart: features not to lower (+) or raise (-) scores: 3+,age-")
	flags.BoolVar(&t.ExtraTrees, "extra-trees", false, "lambdamart: try one random threshold of each feature")
	flags.Float64Var(&t.NodeFeatureFraction, "node-fraction", 1,
		"lambdamart: share of the features of the tree that a leaf may be split by")
	flags.StringVar(&f.Interactions, "interactions", "",
		"lambdamart: sets that a branch keeps to one of: 1-3;3,7,age")
	flags.Float64Var(&t.MaxDeltaStep, "max-delta-step", 0,
		"lambdamart: size of a leaf's value at most, 0 for any")
	flags.Float64Var(&t.PathSmooth, "path-smooth", 0,
		"lambdamart: draw values of small leaves to their parents'")
}

// DefineSamples adds the flags of what a tree grows on.
func DefineSamples(flags FlagSet, t *lambdamart.Trainer) {
	flags.Float64Var(&t.QueryFraction, "query-fraction", 1, "lambdamart: share of the queries that a tree grows on")
	flags.Float64Var(&t.RowFraction, "row-fraction", 1, "lambdamart: share of their documents")
	flags.Float64Var(&t.FeatureFraction, "feature-fraction", 1,
		"lambdamart: share of the features that a tree looks at")
}

// DefineFeatures adds the flags of what features are.
func (f *TreesFlags) DefineFeatures(flags FlagSet, t *lambdamart.Trainer) {
	flags.IntVar(&t.Bins, "bins", 255, "lambdamart: maximum bins per feature, of 3 documents or more")
	flags.BoolVar(&t.ZeroMissing, "zero-missing", false, "lambdamart: 0, and so a feature left out, is a missing value")
	flags.StringVar(&f.Categorical, "categorical", "", "lambdamart: features whose values are categories: 1,5-7,color")
	flags.IntVar(&t.OneHot, "one-hot", 4, "lambdamart: categories up to which a split takes a single one")
	flags.Float64Var(&t.CategorySmooth, "cat-smooth", 10, "lambdamart: smoothing of categories, and their minimum documents")
	flags.Float64Var(&t.CategoryL2, "cat-l2", 10, "lambdamart: L2 penalty that splits of categories add")
	flags.IntVar(&t.CategoryRows, "cat-rows", 100, "lambdamart: documents by which sets of categories differ at least")
	flags.IntVar(&t.MaxCategories, "max-categories", 32, "lambdamart: maximum categories that a split sends left")
}
