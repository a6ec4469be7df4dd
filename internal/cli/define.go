package cli

import (
	"fmt"
	"math"

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

// A FlagGroup is a part of the flags of trees.
type FlagGroup int

const (
	ObjectiveFlags FlagGroup = iota // of how objectives look at pairs and rankings
	BoostingFlags                   // of how many trees grow
	DartFlags                       // of DART
	SizeFlags                       // of how large a tree grows
	GrowingFlags                    // of how else a tree grows
	SampleFlags                     // of what a tree grows on
	FeatureFlags                    // of what features are
	ClickFlags                      // of position bias
	FileFlags                       // of what comes before and after a training, and of its files
)

// A treeFlag is a flag of trees, and which numbers it accepts.
type treeFlag struct {
	name   string
	value  any     // a pointer to an option
	limits *limits // nil if it is not a number, or any
	usage  string
}

// limits are the least and the largest number, of which the least may be excluded.
type limits struct {
	low, high float64
	above     bool
}

func atLeast(v float64) *limits { return &limits{v, math.MaxFloat64, false} }

var (
	positive = &limits{0, math.MaxFloat64, true}
	fraction = &limits{0, 1, true} // without 0
)

// flags returns all flags of trees, by group.
func (f *TreesFlags) flags(t *lambdamart.Trainer) [][]treeFlag {
	return [][]treeFlag{
		ObjectiveFlags: {
			{"truncation", &t.Truncation, atLeast(0), "pairs with one of the first N, 0 for all"},
			{"mean-pairs", &t.MeanPairs, atLeast(0), "pairs drawn for each document, not by --truncation"},
			{"sigmoid", &t.Sigmoid, positive, "slope of the logistic loss"},
			{"no-norm", &t.NoNorm, nil, "do not normalize by differences of scores and by query"},
			{"label-gain", &f.LabelGain, nil, "gains of the labels 0, 1, 2, …, as in 0,1,3,7 (default 2^label-1)"},
			{"permutations", &t.Permutations, atLeast(1), "yetirank's random rankings of a query"},
			{"decay", &t.Decay, fraction, "yetirank's weight of rank k+1 to rank k"},
		},
		BoostingFlags: {
			{"trees", &t.Trees, atLeast(1), "trees to grow"},
			{"learning-rate", &t.LearningRate, positive, "share of each tree's step to take"},
			{"early-stopping", &t.EarlyStopping, atLeast(0), "trees without a better metric on --valid to stop at"},
			{"seed", &t.Seed, nil, "seed of what is drawn"},
		},
		DartFlags: {
			{"dart", &t.Dart, nil, "grow each tree on scores without some others"},
			{"drop-rate", &t.DropRate, fraction, "--dart: chance of a tree to drop"},
			{"skip-drop", &t.SkipDrop, &limits{0, 1, false}, "--dart: chance to drop none"},
			{"max-drop", &t.MaxDrop, atLeast(0), "--dart: trees to drop at most, 0 for any"},
			{"uniform-drop", &t.UniformDrop, nil, "--dart: the same chance for all trees"},
			{"xgboost-dart", &t.XGBoostDart, nil, "--dart: weigh trees as XGBoost does"},
		},
		SizeFlags: {
			{"leaves", &t.Leaves, atLeast(2), "leaves of a tree at most"},
			{"depth", &t.Depth, atLeast(0), "splits from root to leaf at most, 0 for any number"},
			{"depth-wise", &t.DepthWise, nil, "grow trees level by level, not the best leaf first"},
		},
		GrowingFlags: {
			{"min-rows", &t.MinRows, atLeast(0), "documents of a leaf at least"},
			{"min-hessian", &t.MinHessian, atLeast(0), "sum of Hessians of a leaf at least"},
			{"min-gain", &t.MinGain, atLeast(0), "minimum gain of a split (gamma), subtracted from its gain"},
			{"l1", &t.L1, atLeast(0), "L1 penalty on the values of leaves"},
			{"l2", &t.L2, atLeast(0), "L2 penalty on the values of leaves"},
			{"monotone", &f.Monotone, nil, "features not to lower (+) or raise (-) scores: 3+,age-"},
			{"extra-trees", &t.ExtraTrees, nil, "try one random threshold of each feature"},
			{"node-fraction", &t.NodeFeatureFraction, fraction,
				"share of the features of the tree that a leaf may be split by"},
			{"interactions", &f.Interactions, nil, "sets that a branch keeps to one of: 1-3;3,7,age"},
			{"max-delta-step", &t.MaxDeltaStep, atLeast(0), "size of a leaf's value at most, 0 for any"},
			{"path-smooth", &t.PathSmooth, atLeast(0), "draw values of small leaves to their parents'"},
		},
		SampleFlags: {
			{"query-fraction", &t.QueryFraction, fraction, "share of the queries that a tree grows on"},
			{"row-fraction", &t.RowFraction, fraction, "share of their documents"},
			{"feature-fraction", &t.FeatureFraction, fraction, "share of the features that a tree looks at"},
		},
		FeatureFlags: {
			{"bins", &t.Bins, &limits{2, 255, false}, "maximum bins per feature, of 3 documents or more"},
			{"zero-missing", &t.ZeroMissing, nil, "0, and so a feature left out, is a missing value"},
			{"categorical", &f.Categorical, nil, "features whose values are categories: 1,5-7,color"},
			{"one-hot", &t.OneHot, atLeast(1), "categories up to which a split takes a single one"},
			{"cat-smooth", &t.CategorySmooth, atLeast(0), "smoothing of categories, and their minimum documents"},
			{"cat-l2", &t.CategoryL2, atLeast(0), "L2 penalty that splits of categories add"},
			{"cat-rows", &t.CategoryRows, atLeast(1), "documents by which sets of categories differ at least"},
			{"max-categories", &t.MaxCategories, atLeast(1), "maximum categories that a split sends left"},
		},
		ClickFlags: {
			{"position-l2", &t.PositionL2, atLeast(0), "L2 penalty on additive factors, per document"},
			{"position-norm", &t.PositionNorm, atLeast(0), "pairwise factors are ratios^(1/(1+P))"},
		},
		FileFlags: {
			{"retrain", &f.Retrain, nil, "train again on all data, with the best number of trees"},
			{"start", &f.Start, nil, "model to go on from; its trees come first"},
			{"bins-file", &t.BinsFile, nil, "keep bins of dense features in this new file"},
			{"checkpoint", &t.Checkpoint, nil, "file to keep the training in, and to go on from where it is there"},
			{"checkpoint-every", &t.CheckpointEvery, atLeast(1), "trees from one checkpoint to the next"},
		},
	}
}

// Define adds the flags of some groups, whose defaults are the options of t. Their usage begins
// with kind.
func (f *TreesFlags) Define(flags FlagSet, t *lambdamart.Trainer, kind string, groups ...FlagGroup) {
	all := f.flags(t)
	for _, group := range groups {
		for _, g := range all[group] {
			switch value := g.value.(type) {
			case *bool:
				flags.BoolVar(value, g.name, *value, kind+g.usage)
			case *int:
				flags.IntVar(value, g.name, *value, kind+g.usage)
			case *uint64:
				flags.Uint64Var(value, g.name, *value, kind+g.usage)
			case *float64:
				flags.Float64Var(value, g.name, *value, kind+g.usage)
			case *string:
				flags.StringVar(value, g.name, *value, kind+g.usage)
			}
		}
	}
}

// check returns an error if the value is not a number that the flag accepts.
func (g *treeFlag) check() error {
	if g.limits == nil {
		return nil
	}
	var v float64
	switch value := g.value.(type) {
	case *int:
		v = float64(*value)
	case *float64:
		v = *value
	}
	l := g.limits
	if v > l.low && v <= l.high || v == l.low && !l.above {
		return nil
	}
	want := fmt.Sprintf("from %g", l.low)
	if l.above {
		want = fmt.Sprintf("above %g", l.low)
	}
	if l.high < math.MaxFloat64 {
		want += fmt.Sprintf(" to %g", l.high)
	}
	return Flagf(g.name, " %v: want a number %s", v, want)
}
