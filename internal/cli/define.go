package cli

import (
	"fmt"
	"math"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A FlagSet adds flags to a command. It is a flag set of package flag, or of package pflag, which
// the library does not require.
type FlagSet interface {
	BoolVar(p *bool, name string, value bool, usage string)
	IntVar(p *int, name string, value int, usage string)
	Uint64Var(p *uint64, name string, value uint64, usage string)
	Float64Var(p *float64, name string, value float64, usage string)
	StringVar(p *string, name string, value string, usage string)
}

// DefineSVM adds the flags that control the training of RankSVM.
func DefineSVM(flags FlagSet, m *rank.RankSVM) {
	flags.BoolVar(&m.PerQuery, "per-query", false, "divide each query's loss by its number of pairs")
	flags.BoolVar(&m.Standardize, "standardize", false, "penalize weights as if features had standard deviation 1")
	flags.Float64Var(&m.Tol, "tol", 1e-6, "relative optimality gap at which training stops")
	flags.IntVar(&m.MaxPasses, "max-passes", 10000, "maximum passes over the data")
}

// A FlagGroup is a group of the flags for trees.
type FlagGroup int

const (
	ObjectiveFlags FlagGroup = iota // parameters of objectives
	BoostingFlags                   // number of trees, learning rate, early stopping and seed
	DartFlags                       // DART
	SizeFlags                       // size of a tree
	GrowingFlags                    // regularization and constraints
	SampleFlags                     // sampling of queries, documents and features
	FeatureFlags                    // bins, missing values and categories
	ClickFlags                      // position bias
	FileFlags                       // resuming, retraining and temporary files
)

// A treeFlag is a flag for trees, and the range of numbers that it accepts.
type treeFlag struct {
	name   string
	value  any     // a pointer to an option
	limits *limits // nil if any value is accepted
	usage  string
}

// limits are the smallest and the largest number accepted. above excludes the smallest one.
type limits struct {
	low, high float64
	above     bool
}

func atLeast(v float64) *limits { return &limits{v, math.MaxFloat64, false} }

var (
	positive = &limits{0, math.MaxFloat64, true}
	fraction = &limits{0, 1, true} // without 0
)

// flags returns all flags for trees, by group.
func (f *TreesFlags) flags(t *lambdamart.Trainer) [][]treeFlag {
	return [][]treeFlag{
		ObjectiveFlags: {
			{"truncation", &t.Truncation, atLeast(0), "top documents, one of which each pair must contain (0: all)"},
			{"mean-pairs", &t.MeanPairs, atLeast(0), "random pairs per document, in place of --truncation"},
			{"sigmoid", &t.Sigmoid, positive, "`slope` of the logistic loss"},
			{"no-norm", &t.NoNorm, nil, "do not normalize by score difference and by query"},
			{"label-gain", &f.LabelGain, nil, "`list` of label gains, e.g. 0,1,3,7 (default 2^label-1)"},
			{"permutations", &t.Permutations, atLeast(1), "YetiRank: random rankings per query"},
			{"decay", &t.Decay, fraction, "YetiRank: weight `ratio` of adjacent ranks"},
		},
		BoostingFlags: {
			{"trees", &t.Trees, atLeast(1), "trees to grow"},
			{"learning-rate", &t.LearningRate, positive, "learning `rate` (shrinkage)"},
			{"early-stopping", &t.EarlyStopping, atLeast(0), "trees without improvement on --valid before stopping"},
			{"seed", &t.Seed, nil, "random `seed`"},
		},
		DartFlags: {
			{"dart", &t.Dart, nil, "drop random earlier trees while fitting each new one"},
			{"drop-rate", &t.DropRate, fraction, "`probability` of dropping a tree"},
			{"skip-drop", &t.SkipDrop, &limits{0, 1, false}, "`probability` of dropping no tree"},
			{"max-drop", &t.MaxDrop, atLeast(0), "maximum dropped trees (0: unlimited)"},
			{"uniform-drop", &t.UniformDrop, nil, "drop all trees with the same probability"},
			{"xgboost-dart", &t.XGBoostDart, nil, "weight trees as XGBoost does"},
		},
		SizeFlags: {
			{"leaves", &t.Leaves, atLeast(2), "maximum leaves per tree"},
			{"depth", &t.Depth, atLeast(0), "maximum tree depth (0: unlimited)"},
			{"depth-wise", &t.DepthWise, nil, "grow trees level by level, not best leaf first"},
		},
		GrowingFlags: {
			{"min-rows", &t.MinRows, atLeast(0), "minimum documents per leaf"},
			{"min-hessian", &t.MinHessian, atLeast(0), "minimum Hessian `sum` per leaf"},
			{"min-gain", &t.MinGain, atLeast(0), "minimum split `gain` (gamma), subtracted from the gain"},
			{"l1", &t.L1, atLeast(0), "L1 `penalty` on leaf values"},
			{"l2", &t.L2, atLeast(0), "L2 `penalty` on leaf values"},
			{"monotone", &f.Monotone, nil, "`list` of monotone features: + rising, - falling"},
			{"extra-trees", &t.ExtraTrees, nil, "try one random threshold per feature"},
			{"node-fraction", &t.NodeFeatureFraction, fraction, "`fraction` of a tree's features to try per split"},
			{"interactions", &f.Interactions, nil, "`sets` of features that may interact, e.g. 1-3;3,7,age"},
			{"max-delta-step", &t.MaxDeltaStep, atLeast(0), "maximum absolute leaf `value` (0: unlimited)"},
			{"path-smooth", &t.PathSmooth, atLeast(0), "`strength` of smoothing small leaves towards their parents"},
		},
		SampleFlags: {
			{"query-fraction", &t.QueryFraction, fraction, "`fraction` of queries sampled per tree"},
			{"row-fraction", &t.RowFraction, fraction, "`fraction` of the sampled queries' documents"},
			{"feature-fraction", &t.FeatureFraction, fraction, "`fraction` of features sampled per tree"},
		},
		FeatureFlags: {
			{"bins", &t.Bins, &limits{2, 255, false}, "maximum bins per feature (minimum 3 documents each)"},
			{"zero-missing", &t.ZeroMissing, nil, "treat 0 and omitted features as missing values"},
			{"categorical", &f.Categorical, nil, "`list` of categorical features, e.g. 1,5-7,color"},
			{"one-hot", &t.OneHot, atLeast(1), "maximum categories for one-vs-rest splits"},
			{"cat-smooth", &t.CategorySmooth, atLeast(0), "category smoothing and minimum documents per category"},
			{"cat-l2", &t.CategoryL2, atLeast(0), "additional L2 `penalty` of categorical splits"},
			{"cat-rows", &t.CategoryRows, atLeast(1), "minimum documents per category group"},
			{"max-categories", &t.MaxCategories, atLeast(1), "maximum categories sent to the left child"},
		},
		ClickFlags: {
			{"position-l2", &t.PositionL2, atLeast(0), "additive: L2 `penalty` on factors, per document"},
			{"position-norm", &t.PositionNorm, atLeast(0), "pairwise: `P` in the factors' exponent 1/(1+P)"},
		},
		FileFlags: {
			{"retrain", &f.Retrain, nil, "retrain on all data with the best number of trees"},
			{"start", &f.Start, nil, "model `file` to continue from; its trees come first"},
			{"bins-file", &t.BinsFile, nil, "new `file` for the bins of dense features, to save RAM"},
			{"checkpoint", &t.Checkpoint, nil, "`file` to save progress to and resume from"},
			{"checkpoint-every", &t.CheckpointEvery, atLeast(1), "trees between checkpoints"},
		},
	}
}

// Define adds the flags of some groups. Their defaults are the options of t.
func (f *TreesFlags) Define(flags FlagSet, t *lambdamart.Trainer, groups ...FlagGroup) {
	all := f.flags(t)
	for _, group := range groups {
		for _, g := range all[group] {
			switch value := g.value.(type) {
			case *bool:
				flags.BoolVar(value, g.name, *value, g.usage)
			case *int:
				flags.IntVar(value, g.name, *value, g.usage)
			case *uint64:
				flags.Uint64Var(value, g.name, *value, g.usage)
			case *float64:
				flags.Float64Var(value, g.name, *value, g.usage)
			case *string:
				flags.StringVar(value, g.name, *value, g.usage)
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
	limited := l.high < math.MaxFloat64
	required := fmt.Sprintf("at least %g", l.low)
	switch {
	case v-v != 0 && !limited:
		required = "finite"
	case l.above && limited:
		required = fmt.Sprintf("greater than %g and at most %g", l.low, l.high)
	case l.above:
		required = fmt.Sprintf("greater than %g", l.low)
	case limited:
		required = fmt.Sprintf("from %g to %g", l.low, l.high)
	}
	return Flagf(g.name, " %v: must be %s", v, required)
}
